// SPDX-License-Identifier: MIT
#include "bristle/analysis/passivity.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

struct Least {
  double power, state;
  bool exact;
};

// The least power dissipated at a velocity, over all states.
Least least_power(const AnyLaw& law, double v, double load) {
  const Branch<> branch{v < 0.0 ? -1.0 : 1.0, 0.0};
  const Motion<double> motion{0.0, v, load, 0.0, 0.0};
  const auto power = [&](double z) { return law.respond(z, motion, branch).dissipation; };
  const double s = law.state_scale();
  const double p0 = power(0.0), p1 = power(s), m1 = power(-s);
  const double slope = 0.5 * (p1 - m1) / s, bend = 0.5 * (p1 + m1 - 2.0 * p0) / (s * s);
  // A quadratic in the state?
  const double there = power(0.6 * s), fitted = p0 + 0.6 * s * slope + 0.36 * s * s * bend;
  const double size = std::max({std::abs(p0), std::abs(p1), std::abs(m1), 1e-300});
  if (std::abs(there - fitted) <= 1e-9 * size) {
    if (bend > 0.0) {
      const double z = -0.5 * slope / bend;
      return {p0 - 0.25 * slope * slope / bend, z, true};
    }
    if (std::abs(slope) * s <= 1e-12 * size && bend * s * s >= -1e-12 * size)
      return {p0, 0.0, true};
    return {-INFINITY, slope > 0.0 ? -INFINITY : INFINITY, true};
  }
  Least least{INFINITY, 0.0, false};
  for (int i = -200; i <= 200; ++i) {
    const double z = 2.0 * s * i / 200.0, p = power(z);
    if (p < least.power) least = {p, z, false};
  }
  return least;
}

}  // namespace

std::string Certificate::words(const std::string& way) const {
  const std::string how = searched ? " (by search)" : "";
  if (kind == always) return "passive for all velocities" + how;
  if (kind == below) {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%.5g ", speed);
    return "passive for |v| < " + (limit + way) + "/s" + how;
  }
  return "not passive" + how;
}

Certificate certify(const AnyLaw& law, double top_speed, double load) {
  require_single(law, "the certificate of passivity");
  if (law.set_valued())
    throw InvalidInput("name",
                       std::string(law.name()) +
                           " has no state: it takes |F v| and stores nothing, so it is passive");
  Certificate c;
  const double force = law.force_scale(load);
  // Rounding aside: a power that is negative beyond the digits of its terms.
  const auto gives = [&](double v, Least& l) {
    l = least_power(law, v, load);
    c.searched = c.searched || !l.exact;
    return l.power < -1e-10 * force * std::abs(v);
  };
  double good = 0.0;
  const int steps = 400;
  for (int i = 0; i <= steps; ++i) {
    const double speed = 1e-9 * std::pow(top_speed / 1e-9, double(i) / steps);
    for (const double sign : {1.0, -1.0}) {
      Least l{};
      if (!gives(sign * speed, l)) continue;
      // Where it begins.
      double low = good, high = speed;
      for (int k = 0; k < 200 && low > 0.0; ++k) {
        const double middle = std::sqrt(low * high);
        if (middle <= low || middle >= high) break;
        Least at{};
        (gives(sign * middle, at) ? high : low) = middle;
      }
      c.kind = good > 0.0 ? Certificate::below : Certificate::never;
      c.speed = good > 0.0 ? high : 0.0;
      c.state = l.state;
      c.velocity = sign * speed;
      c.power = l.power;
      return c;
    }
    good = speed;
  }
  return c;
}

PatchCertificate certify(const PatchShape& shape) {
  PatchCertificate c{true, 0.0};
  constexpr int n = 2000;
  const auto product = [&](double xi) {
    return shape.stiffness_at(xi) * shape.pressure_at(xi) * shape.transport_at(xi);
  };
  double before = product(0.0);
  for (int i = 1; i <= n; ++i) {
    const double now = product(double(i) / n);
    if (now > before * (1.0 + 1e-12)) return {false, double(i) / n};
    before = now;
  }
  return c;
}

std::vector<double> dissipated(ContactPatch patch, const Signal& slip, double end, int samples) {
  // Two thousand steps while a bristle passes, and at least one between samples.
  const double longest = 0.0005 / patch.shape().transport;
  const double between = end / (samples - 1);
  const int steps = int(std::ceil(between / longest));
  const double h = between / steps, start = patch.stored();
  std::vector<double> lost{0.0};
  double work = 0.0, time = 0.0;
  const double first = slip.value(0.0, slip.piece(0.0));
  double power = first * patch.force(first);
  StopLook stop;
  for (int k = 1; k < samples; ++k) {
    for (int i = 0; i < steps; ++i) {
      stop();
      const double middle = time + 0.5 * h;
      patch.advance(h, slip.value(middle, slip.piece(middle)));
      time += h;
      const double now = slip.value(time, slip.piece(time));
      const double then = now * patch.force(now);
      work += 0.5 * h * (power + then);
      power = then;
    }
    lost.push_back(work - (patch.stored() - start));
  }
  return lost;
}

}  // namespace bristle
