// SPDX-License-Identifier: MIT
#include "bristle/system/planar.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/solve/locate.hpp"
#include "bristle/solve/pacer.hpp"
#include "bristle/solve/trajectory.hpp"
#include "dop853_flow.hpp"

namespace bristle {
namespace {

double dot(const Plane& a, const Plane& b) { return a[0] * b[0] + a[1] * b[1]; }

}  // namespace

Plane PlanarLaw::rate(const Plane& z, const Plane& v, bool slips) const {
  if (kind != 0) {
    const double speed = std::sqrt(dot(v, v));
    const double g = coulomb_force + (static_force - coulomb_force) *
                                         std::exp(-std::pow(speed / stribeck_velocity, 2));
    double flow = stiffness * speed / g;
    if (kind == 2) {
      const double bend = std::sqrt(dot(z, z)), most = g / stiffness,
                   elastic = breakaway_fraction * coulomb_force / stiffness;
      if (bend <= elastic || dot(v, z) <= 0.0) flow = 0.0;
      else if (bend < most)
        flow *= 0.5 + 0.5 * std::sin(std::numbers::pi * (bend - 0.5 * (most + elastic)) /
                                     (most - elastic));
    }
    return {v[0] - flow * z[0], v[1] - flow * z[1]};
  }
  if (!slips) return v;
  const double along = dot(v, z) / dot(z, z);
  return {v[0] - along * z[0], v[1] - along * z[1]};
}

Plane PlanarLaw::force(const Plane& z, const Plane& v, bool slips) const {
  const Plane stiff{stiffness, stiffness * stiffness_ratio};
  if (kind != 0) {
    const Plane moved = rate(z, v, false);
    return {stiff[0] * z[0] + damping * moved[0] + viscous * v[0],
            stiff[1] * z[1] + damping * damping_ratio * moved[1] + viscous * v[1]};
  }
  if (slips) return {stiff[0] * z[0], stiff[1] * z[1]};
  const double norm = std::sqrt(dot(v, v));
  const auto damp = [&](int i) {
    const double at = damping_by == 0 ? norm : v[std::size_t(i)];
    const double part = damping_by == 2 ? 1.0 : std::exp(-std::pow(at / damping_velocity, 2));
    return (i ? damping * damping_ratio : damping) * part * v[std::size_t(i)];
  };
  return {stiff[0] * (1.0 + gradient) * z[0] + damp(0),
          stiff[1] * (1.0 + gradient * gradient_ratio) * z[1] + damp(1)};
}

namespace {

// States: x, v, z in the plane, then the work of the drives and the heat.
class PlanarProblem {
 public:
  static constexpr int size = 8;
  PlanarProblem(const PlanarLaw& law, const PlanarBody& body)
      : law_(law), b_(body), way_{std::cos(body.direction), std::sin(body.direction)} {}

  bool slips = false;
  int piece = 0;

  double ground(double t) const { return b_.shaken ? b_.dither.value(t, piece) : 0.0; }
  Plane slip(double t, const double* y) const {
    const double g = ground(t);
    return {y[2] - g * way_[0], y[3] - g * way_[1]};
  }
  Plane force(double t, const double* y) const {
    return law_.force({y[4], y[5]}, slip(t, y), slips);
  }
  void rates(double t, const double* y, double* d) const {
    const Plane v = slip(t, y), z{y[4], y[5]};
    const Plane f = law_.force(z, v, slips), moved = law_.rate(z, v, slips);
    const Plane pull = springs(t, y);
    d[0] = y[2], d[1] = y[3];
    d[2] = (pull[0] - f[0]) / b_.mass, d[3] = (pull[1] - f[1]) / b_.mass;
    d[4] = moved[0], d[5] = moved[1];
    // The drag works through the springs, the shaken ground through friction.
    const double g = ground(t);
    d[6] = pull[0] * b_.drag_velocity_1 + pull[1] * b_.drag_velocity_2 -
           g * (f[0] * way_[0] + f[1] * way_[1]);
    const Plane kept = spring_of(z);
    d[7] = dot(f, v) - dot(kept, moved);
  }
  // Positive inside the mode.
  double guard(double t, const double* y) const {
    if (law_.kind != 0) return 1.0;
    if (slips) return dot(slip(t, y), {y[4], y[5]});
    return law_.stiction_range * law_.stiction_range - y[4] * y[4] - y[5] * y[5];
  }
  // What is not finite at an instant from where no step leads on.
  std::string_view not_finite_column(double t, const double* y) const {
    const Plane f = force(t, y);
    if (!std::isfinite(f[0])) return "force1";
    if (!std::isfinite(f[1])) return "force2";
    std::array<double, size> rate{};
    rates(t, y, rate.data());
    constexpr std::array<std::string_view, size> names{"x1", "x2", "v1",      "v2",
                                                       "z1", "z2", "work_in", "dissipated"};
    for (std::size_t i = 0; i < size; ++i)
      if (!std::isfinite(rate[i])) return names[i];
    return "v1";
  }
  double energy(double t, const double* y) const {
    const double s1 = b_.spring, s2 = b_.spring * b_.spring_ratio;
    const double l1 = b_.drag_velocity_1 * t - y[0], l2 = b_.drag_velocity_2 * t - y[1];
    const Plane z{y[4], y[5]};
    return 0.5 * (b_.mass * (y[2] * y[2] + y[3] * y[3]) + s1 * l1 * l1 + s2 * l2 * l2 +
                  dot(spring_of(z), z));
  }

 private:
  Plane springs(double t, const double* y) const {
    return {b_.spring * (b_.drag_velocity_1 * t - y[0]),
            b_.spring * b_.spring_ratio * (b_.drag_velocity_2 * t - y[1])};
  }
  // The spring of the bristle, without the gradient that only sticking has.
  Plane spring_of(const Plane& z) const {
    return {law_.stiffness * z[0], law_.stiffness * law_.stiffness_ratio * z[1]};
  }

  const PlanarLaw& law_;
  const PlanarBody& b_;
  Plane way_;
};

}  // namespace

PlanarRun simulate_planar(const PlanarLaw& law, const PlanarBody& body, const Options& o) {
  validate(law);
  validate(body);
  validate(o);
  if (body.shaken) validate(body.dither);
  if (law.kind == 0 && body.bend >= law.stiction_range)
    throw InvalidInput("bend", "planar_body: bend = " + words(body.bend) +
                                   " m must be less than the stiction_range = " +
                                   words(law.stiction_range) + " m");
  PlanarRun r;
  const auto began = std::chrono::steady_clock::now();
  PlanarProblem p(law, body);
  detail::Dop853Flow flow(PlanarProblem::size,
                          [&](double t, const double* y, double* d) { p.rates(t, y, d); });
  flow.y0 = {body.x_1,
             body.x_2,
             body.v_1,
             body.v_2,
             body.bend * std::cos(body.bend_angle),
             body.bend * std::sin(body.bend_angle),
             0.0,
             0.0};
  const double reach = std::max({std::hypot(body.x_1, body.x_2), law.stiction_range,
                                 law.stiffness * law.stiction_range / std::max(body.spring, 1e-9)});
  const double pace =
      std::max({std::hypot(body.v_1, body.v_2), reach * std::sqrt(body.spring / body.mass),
                std::hypot(body.drag_velocity_1, body.drag_velocity_2)});
  const double joule = 0.5 * body.mass * pace * pace;
  const double scale[]{reach, reach, pace, pace, law.stiction_range, law.stiction_range,
                       joule, joule};
  const double longest = body.shaken ? body.dither.longest_step() : o.end / 20.0;
  const double first_energy = p.energy(0.0, flow.y0.data());
  const auto next_sample = [&] {
    const auto n = r.time.size(), count = std::size_t(o.samples);
    if (n >= count || !r.ok()) return std::numeric_limits<double>::infinity();
    return n + 1 == count ? o.end
                          : o.record_from + (o.end - o.record_from) * double(n) / double(count - 1);
  };
  Pacer looks;
  const auto record = [&](double t, const double* y) {
    r.time.push_back(t);
    const Plane f = p.force(t, y);
    for (std::size_t i = 0; i < 2; ++i) {
      r.x[i].push_back(y[i]);
      r.v[i].push_back(y[2 + i]);
      r.z[i].push_back(y[4 + i]);
      r.force[i].push_back(f[i]);
    }
    r.dither.push_back(p.ground(t));
    r.dissipated.push_back(y[7]);
    constexpr std::array<std::string_view, 9> names{"x1", "x2",     "v1",     "v2",        "z1",
                                                    "z2", "force1", "force2", "dissipated"};
    r.not_finite.look(t, std::array{y[0], y[1], y[2], y[3], y[4], y[5], f[0], f[1], y[7]}, names);
    // One step may hold any number of samples.
    if (looks.due() && o.cancelled(t / o.end)) r.status = Status::cancelled;
  };
  p.piece = body.shaken ? body.dither.piece(0.0) : 0;
  double t = 0.0, h = 1e-4 * o.end;
  double stop = body.shaken ? std::min(o.end, body.dither.next_kink(0.0)) : o.end;
  flow.begin(0.0);
  std::vector<double> middle(PlanarProblem::size);
  if (next_sample() <= 0.0) record(0.0, flow.y0.data());
  while (t < o.end && r.ok()) {
    if (r.steps + r.rejected >= long(o.step_limit)) {
      r.status = Status::step_limit;
      break;
    }
    if (looks.due() && o.cancelled(t / o.end)) {
      r.status = Status::cancelled;
      break;
    }
    double use = std::min({h, longest, stop - t});
    bool to_stop = use * (1.0 + 1e-9) >= stop - t;
    if (to_stop) use = stop - t;
    const bool finite = flow.step(use);
    double worst = 0.0;
    for (std::size_t i = 0; i < flow.error.size(); ++i) {
      if (flow.error[i] == 0.0) continue;  // also of what has no size
      const double error =
          std::abs(flow.error[i]) / (o.tolerance * std::max(scale[i], std::abs(flow.y1[i])));
      if (!(error <= worst) && !std::isnan(worst)) worst = error;  // keeps a NaN
    }
    if (!finite || !(worst <= 1.0)) {
      ++r.rejected;
      h = use * (finite && std::isfinite(worst)
                     ? std::clamp(0.9 * std::pow(worst, -0.125), 0.2, 0.9)
                     : 0.2);
      if (h < 1e-15 * std::max(t, 1e-6 * o.end)) {
        r.status = Status::step_too_small;
        if (!finite || std::isnan(worst)) {
          r.status = Status::not_finite;
          r.not_finite = {p.not_finite_column(t, flow.y0.data()), t};
        }
        break;
      }
      continue;
    }
    // A guard that fell through zero: look at eighths of the step, then locate.
    const auto guard = [&](double s) {
      flow.dense(s, middle.data());
      return p.guard(t + s * use, middle.data());
    };
    double low = 0.0, at_low = p.guard(t, flow.y0.data());
    bool event = false;
    for (int k = 1; k <= 8 && !event; ++k) {
      const double s = k / 8.0;
      const double value = k == 8 ? p.guard(t + use, flow.y1.data()) : guard(s);
      if (value < 0.0 && at_low > 0.0) {
        double at = locate(guard, low, at_low, s, value, 1e-15, true);
        // Step to it, and once more where the interpolation was off.
        const double whole = use;
        for (int turn = 0; turn < 4; ++turn) {
          use = at * whole;
          flow.step(use);
          const double off = p.guard(t + use, flow.y1.data());
          const double slope = (off - at_low) / std::max(use - low * whole, 1e-300);
          if (std::abs(off) <= 1e-14 * law.stiction_range * std::max(law.stiction_range, pace) ||
              !(slope < 0.0))
            break;
          at -= off / slope / whole;
        }
        event = true;
        to_stop = false;
      } else if (value < 0.0 && at_low <= 0.0) {
        // The mode was left as it began.
        event = true;
        use = 0.0;
        to_stop = false;
      }
      if (!event) low = s, at_low = value;
    }
    if (event && use == 0.0) {
      p.slips = !p.slips;
      flow.begin(t);
      if (++r.rejected > 100000) {
        r.status = Status::chattering;
        break;
      }
      continue;
    }
    ++r.steps;
    const double next = to_stop ? stop : t + use;
    for (double s = next_sample(); s < next || (s == next && next == o.end); s = next_sample()) {
      flow.dense(std::min(1.0, (s - t) / use), middle.data());
      record(s, s == next ? flow.y1.data() : middle.data());
    }
    flow.advance();
    t = next;
    if (event) {
      p.slips = !p.slips;
      r.events.push_back({t, p.slips, {flow.y0[0], flow.y0[1]}});
      // On the circle, or just inside it, to the last digit.
      const double bend = std::hypot(flow.y0[4], flow.y0[5]);
      const double wanted = law.stiction_range * (p.slips ? 1.0 : 1.0 - 1e-14);
      flow.y0[4] *= wanted / bend, flow.y0[5] *= wanted / bend;
      flow.begin(t);
    }
    if (to_stop && body.shaken) {
      p.piece = body.dither.piece(t);
      stop = std::min(o.end, body.dither.next_kink(t));
      flow.begin(t);
    }
    if (!event) h = use * std::clamp(0.9 * std::pow(std::max(worst, 1e-10), -0.125), 0.3, 5.0);
  }
  if (r.status == Status::done && r.not_finite) r.status = Status::not_finite;
  const double left = p.energy(t, flow.y0.data()) - first_energy;
  const double most =
      std::max({std::abs(flow.y0[6]), std::abs(flow.y0[7]), std::abs(left), 1e-300});
  r.ledger_error = std::abs(flow.y0[6] - flow.y0[7] - left) / most;
  if (r.status == Status::done && !std::isfinite(r.ledger_error)) {
    r.status = Status::not_finite;
    r.not_finite = {"ledger_error", t};
  }
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (r.status == Status::not_finite)
    r.message = "not finite: " + std::string(r.not_finite.column) +
                " at t = " + words(r.not_finite.time) + " s; reached ";
  else r.message = r.ok() ? "reached " : std::string(words(r.status)) + " after ";
  r.message += words(t) + " s in " + std::to_string(r.steps) + " steps with " +
               std::to_string(r.events.size()) + " changes between stick and slip.";
  return r;
}

double mean_friction_along(double velocity, double amplitude) {
  if (std::abs(velocity) >= amplitude) return velocity < 0.0 ? -1.0 : 1.0;
  return 2.0 / std::numbers::pi * std::asin(velocity / amplitude);
}

double mean_friction_across(double velocity, double amplitude) {
  const double size = std::hypot(velocity, amplitude);
  if (size == 0.0) return 0.0;
  return 2.0 / std::numbers::pi * velocity / size * std::comp_ellint_1(amplitude / size);
}

double effective_damping_along(double coulomb_force, double amplitude) {
  return 2.0 * coulomb_force / (std::numbers::pi * amplitude);
}

double effective_damping_across(double coulomb_force, double amplitude, double velocity) {
  return effective_damping_along(coulomb_force, amplitude) * std::log(4.0 * amplitude / velocity);
}

Decay find_decay(const std::vector<double>& time, const std::vector<double>& signal,
                 double smallest) {
  Decay d;
  for (std::size_t i = 1; i + 1 < signal.size(); ++i) {
    const double a = signal[i - 1], b = signal[i], c = signal[i + 1];
    if (!((b >= a && b > c) || (b <= a && b < c))) continue;
    // The top of the parabola through three samples.
    const double bend = a - 2.0 * b + c, shift = bend != 0.0 ? 0.5 * (a - c) / bend : 0.0;
    d.time.push_back(time[i] + shift * (time[i + 1] - time[i]));
    d.size.push_back(std::abs(b - 0.25 * (a - c) * shift));
  }
  while (!d.size.empty() && d.size.back() < smallest * d.size.front())
    d.size.pop_back(), d.time.pop_back();
  const auto n = double(d.size.size());
  if (n < 3.0) return d;
  // Straight lines through the sizes and through their logarithms.
  const auto fit = [&](const auto& value, double& slope) {
    double st = 0.0, sy = 0.0, stt = 0.0, sty = 0.0;
    for (std::size_t i = 0; i < d.size.size(); ++i) {
      const double t = d.time[i], y = value(d.size[i]);
      st += t, sy += y, stt += t * t, sty += t * y;
    }
    slope = (n * sty - st * sy) / (n * stt - st * st);
    return (sy - slope * st) / n;
  };
  double line = 0.0, power = 0.0;
  const double level = fit([](double y) { return y; }, line);
  const double log_level = fit([](double y) { return std::log(y); }, power);
  for (std::size_t i = 0; i < d.size.size(); ++i) {
    d.line_residual += std::pow(level + line * d.time[i] - d.size[i], 2) / n;
    d.exponential_residual += std::pow(std::exp(log_level + power * d.time[i]) - d.size[i], 2) / n;
  }
  d.line_residual = std::sqrt(d.line_residual) / d.size.front();
  d.exponential_residual = std::sqrt(d.exponential_residual) / d.size.front();
  d.rate = -power;
  d.fall = -line;
  return d;
}

}  // namespace bristle
