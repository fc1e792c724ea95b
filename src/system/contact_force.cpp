// SPDX-License-Identifier: MIT
// What a patch gives back: force, stored energy, the steady force.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/system/contact_patch.hpp"

namespace bristle {
namespace {

// (1 - exp(-c)) / c, and the like for a linear and a quadratic weight, without cancellation.
double mean_rise(double c) {  // integral of 1 - exp(-c x) over [0, 1]
  return c < 1e-4 ? c * (0.5 - c * (1.0 / 6.0 - c / 24.0)) : 1.0 + std::expm1(-c) / c;
}

// The integral over [a, b] of the polynomial through one to four points.
double polynomial_integral(const double* x, const double* f, int count, double a, double b) {
  // Of the third order at most: exact by Gauss and Legendre with two points.
  const auto value = [&](double t) {
    double sum = 0.0;
    for (int j = 0; j < count; ++j) {
      double share = f[j];
      for (int k = 0; k < count; ++k)
        if (k != j) share *= (t - x[k]) / (x[j] - x[k]);
      sum += share;
    }
    return sum;
  };
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), node = half / std::numbers::sqrt3;
  return half * (value(middle - node) + value(middle + node));
}

// The integral of a cubic through four points over [a, b].
double cubic_integral(const double* x, const double* f, double a, double b) {
  // Newton's form, integrated exactly by Gauss and Legendre with two points.
  const double d01 = (f[1] - f[0]) / (x[1] - x[0]), d12 = (f[2] - f[1]) / (x[2] - x[1]),
               d23 = (f[3] - f[2]) / (x[3] - x[2]);
  const double d012 = (d12 - d01) / (x[2] - x[0]), d123 = (d23 - d12) / (x[3] - x[1]);
  const double d = (d123 - d012) / (x[3] - x[0]);
  const auto value = [&](double t) {
    return f[0] + (t - x[0]) * (d01 + (t - x[1]) * (d012 + (t - x[2]) * d));
  };
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), node = half / std::numbers::sqrt3;
  return half * (value(middle - node) + value(middle + node));
}

// Gauss and Legendre with four points on [0, 1], in the angle of eta = (1 - cos t) / 2.
constexpr std::array<double, 4> gauss_place{0.06943184420297371, 0.33000947820757187,
                                            0.6699905217924281, 0.9305681557970263};
constexpr std::array<double, 4> gauss_weight{0.17392742256872693, 0.32607257743127307,
                                             0.32607257743127307, 0.17392742256872693};
double eta_at(double angle) { return 0.5 * (1.0 - std::cos(angle)); }
double angle_of(double eta) { return std::acos(std::clamp(1.0 - 2.0 * eta, -1.0, 1.0)); }

}  // namespace

// Over a stretch without a kink: its ends and the points between, by cubics through four
// neighbours. A stretch ends at its edge, a front at or beyond `to`; an open one uses the points
// beyond the patch instead.
template <class Value>
double ContactPatch::smooth(const Value& value, double from, double at_from, double to,
                            const Front& edge, End end) const {
  if (!(to - from > 1e-12)) return 0.0;
  const auto eta = [&](std::size_t k) { return (offset_ + double(k)) * spacing_; };
  const auto f = [&](std::size_t k) { return value(z_[k], eta(k)); };
  // Points within, but none so near to an end that their distance cannot be divided by.
  const double near = 0.3 * spacing_;
  const double first_index = std::ceil((from + near) / spacing_ - offset_);
  auto k0 = std::size_t(std::max(0.0, first_index));
  const bool open = end == End::open;
  const double last_index =
      std::floor((open ? to : std::min(to, edge.eta - near)) / spacing_ - offset_);
  if (last_index < double(k0) + 2.0) {
    // Few points: a polynomial through what there is, with the front at or beyond the end, or with
    // points beyond it, which are bristles of the same stretch.
    double x[4]{from}, y[4]{at_from};
    int n = 1;
    const double stop = open ? double(z_.size()) - 1.0 : last_index;
    if (!open && last_index < double(k0) && edge.followed(from))
      x[n] = edge.next_eta, y[n] = value(edge.next_z, edge.next_eta), ++n;
    for (std::size_t k = k0; double(k) <= stop && n < (open ? 4 : 3); ++k, ++n)
      x[n] = eta(k), y[n] = f(k);
    if (!open) x[n] = edge.eta, y[n] = value(edge.z, edge.eta), ++n;
    return polynomial_integral(x, y, n, from, to);
  }
  const auto k1 = std::size_t(last_index);
  const double x[4]{from, eta(k0), eta(k0 + 1), eta(k0 + 2)};
  const double y[4]{at_from, f(k0), f(k0 + 1), f(k0 + 2)};
  double sum = cubic_integral(x, y, from, x[2]);
  // Between points: from k0 + 1 to k1 - 1 if the end is a kink, else up to k1.
  const std::size_t stop = open ? k1 : k1 - 1;
  double a = y[1], b = y[2], c = y[3], inner = 0.0;
  for (std::size_t k = k0 + 1; k < stop; ++k) {
    const double d = f(k + 2);
    inner += 13.0 * (b + c) - a - d;
    a = b, b = c, c = d;
  }
  sum += inner * spacing_ / 24.0;
  if (open) {
    const double u[4]{eta(k1 - 1), eta(k1), eta(k1 + 1), eta(k1 + 2)};
    const double g[4]{f(k1 - 1), f(k1), f(k1 + 1), f(k1 + 2)};
    return sum + cubic_integral(u, g, u[1], to);
  }
  const double u[4]{eta(k1 - 2), eta(k1 - 1), eta(k1), edge.eta};
  const double g[4]{f(k1 - 2), f(k1 - 1), f(k1), value(edge.z, edge.eta)};
  return sum + cubic_integral(u, g, u[1], to);
}

template <class Value>
double ContactPatch::integral(const Value& value) const {
  double sum = 0.0, from = 0.0, at_from = 0.0;
  for (int i = 0; i < front_count_; ++i) {
    const Front& front = fronts_[std::size_t(i)];
    if (front.eta >= 1.0) return sum + smooth(value, from, at_from, 1.0, front, End::closed);
    sum += smooth(value, from, at_from, front.eta, front, End::front);
    from = front.eta, at_from = value(front.z, front.eta);
  }
  return sum + smooth(value, from, at_from, 1.0, Front{}, End::open);
}

template <class Weight, class Value>
double ContactPatch::weighed(const Weight& weight, const Value& value, double from, double at_from,
                             double to, const Front& edge, End end) const {
  if (!(to - from > 1e-12)) return 0.0;
  // Deflections are known at the start, at the points within (none so near to a front that their
  // distance cannot be divided by), and at the front at or beyond the end or at two points beyond.
  const double near = 0.3 * spacing_;
  const bool open = end == End::open;
  const auto eta = [&](long k) { return (offset_ + double(k)) * spacing_; };
  const long first = std::max(0L, long(std::ceil((from + near) / spacing_ - offset_)));
  const long last =
      long(std::floor((open ? to : std::min(to, edge.eta - near)) / spacing_ - offset_));
  const long inside = std::max(0L, last - first + 1);
  const bool followed = !open && inside == 0 && edge.followed(from);
  const long known = 1 + inside + (open || followed ? 2 : 1);
  const auto place = [&](long i) {
    if (i == 0) return from;
    if (followed && i == 1) return edge.next_eta;
    return i > inside && !open ? edge.eta : eta(first + i - 1);
  };
  const auto state = [&](long i) {
    if (i == 0) return at_from;
    if (followed && i == 1) return edge.next_z;
    return i > inside && !open ? edge.z : z_[std::size_t(first + i - 1)];
  };
  auto corner = std::upper_bound(corners_.begin(), corners_.end(), from);
  double sum = 0.0, begin = from;
  for (long i = 0; begin < to; ++i) {
    // The polynomial through the four nearest that are known, up to the next of them.
    const long count = std::min(4L, known), base = std::clamp(i - 1, 0L, known - count);
    const double stop = i + 1 < known ? std::min(to, place(i + 1)) : to;
    const auto at = [&](double x) {
      double total = 0.0;
      for (long j = base; j < base + count; ++j) {
        double share = 1.0;
        for (long k = base; k < base + count; ++k)
          if (k != j) share *= (x - place(k)) / (place(j) - place(k));
        total += share * state(j);
      }
      return total;
    };
    while (begin < stop) {
      const double next = corner != corners_.end() && *corner < stop ? *corner++ : stop;
      const double start = angle_of(begin), length = angle_of(next) - start;
      for (std::size_t g = 0; g < 4; ++g) {
        const double t = start + gauss_place[g] * length, x = eta_at(t);
        sum += gauss_weight[g] * length * 0.5 * std::sin(t) * weight(x) * value(at(x));
      }
      begin = next;
    }
  }
  return sum;
}

template <class Weight, class Value>
double ContactPatch::weighed(const Weight& weight, const Value& value) const {
  double sum = 0.0, from = 0.0, at_from = 0.0;
  for (int i = 0; i < front_count_; ++i) {
    const Front& front = fronts_[std::size_t(i)];
    if (front.eta >= 1.0)
      return sum + weighed(weight, value, from, at_from, 1.0, front, End::closed);
    sum += weighed(weight, value, from, at_from, front.eta, front, End::front);
    from = front.eta, at_from = front.z;
  }
  return sum + weighed(weight, value, from, at_from, 1.0, Front{}, End::open);
}

bool ContactPatch::smooth_weight() const {
  return uniform_ && shape_.pressure != PatchShape::hertz && shape_.pressure != PatchShape::table;
}

double ContactPatch::force(double slip) const {
  const Linear law = at(slip);
  double sum = 0.0;
  if (!smooth_weight())
    sum = weighed([&](double eta) { return weight(eta) * stiffness(eta); },
                  [](double z) { return z; });
  else if (shape_.pressure == PatchShape::constant)
    sum = integral([](double z, double) { return z; });
  else if (shape_.pressure == PatchShape::parabolic)
    sum = integral([](double z, double eta) { return 6.0 * eta * (1.0 - eta) * z; });
  else sum = integral([&](double z, double eta) { return shape_.pressure_at(eta) * z; });
  double total = shape_.load * (law.slope * sum + law.level);
  if (shape_.derivative == 1) {
    // The damping sees the rate at a fixed place: V dz/dxi less. By parts, from the ends.
    const Branch<> branch{slip < 0.0 ? -1.0 : 1.0, 0.0};
    const double size = law_->state_scale();
    const Response<LocalDual> r =
        law_->respond(variable<5>(size, 2),
                      Motion<LocalDual>{LocalDual(0.0), LocalDual(slip), LocalDual(1.0),
                                        LocalDual(0.0), LocalDual(0.0)},
                      branch);
    // F = load (s z + damping z'): damping = (dF/dz - s) / (dz'/dz), with s from zero velocity.
    const double stiff = (law_->respond(size, {0.0, 0.0, 1.0, 0.0, 0.0}, branch).force) / size;
    const double damping =
        r.rate.slope[2] != 0.0 ? (r.force.slope[2] - stiff) / r.rate.slope[2] : 0.0;
    double slope = 0.0;
    constexpr int n = 400;
    for (int i = 0; i < n; ++i) {
      const double xi = (i + 0.5) / n, h = 0.5 / n;
      slope += shape_.pressure_at(xi) * (state_at(xi + h) - state_at(xi - h)) / (2.0 * h) / n;
    }
    total -= shape_.load * damping * shape_.transport * slope;
  }
  return total;
}

double ContactPatch::stored() const {
  const Motion<double> motion{0.0, 0.0, shape_.load, 0.0, 0.0};
  const Branch<> branch{1.0, 0.0};
  const auto energy = [&](double z) { return law_->stored(z, motion, branch); };
  if (!smooth_weight())
    return weighed([&](double eta) { return weight(eta) * stiffness(eta); }, energy);
  return integral([&](double z, double eta) { return shape_.pressure_at(eta) * energy(z); });
}

// The weighted mean of the steady profile. Pieces are equal in the angle t of eta = (1 - cos t) /
// 2, which takes the root from the ends of Hertz's pressure, and end at the corners of tables.
double ContactPatch::steady_mean(const Linear& law, double transport) const {
  constexpr int n = 400;
  std::vector<double> ends = corners_;
  for (int i = 1; i <= n; ++i) ends.push_back(eta_at(std::numbers::pi * i / n));
  std::sort(ends.begin(), ends.end());
  const double speed = transport / travel_;
  // From the deflection at one place to that at another.
  const auto grow = [&](double z, double from, double to) {
    std::array<double, 3> decay{}, drive{law.drive, law.drive, law.drive};
    for (std::size_t i = 0; i < 3; ++i)
      decay[i] = law.decay * stiffness(from + GrowthNodes::place[i] * (to - from));
    const Growth g = grown(decay, drive, (to - from) / speed);
    return z * g.left + g.gain;
  };
  double z = 0.0, from = 0.0, sum = 0.0;
  for (const double to : ends) {
    if (!(to > from)) continue;
    const double start = angle_of(from), length = angle_of(to) - start;
    for (std::size_t i = 0; i < 4; ++i) {
      const double t = start + gauss_place[i] * length, eta = eta_at(t);
      sum += gauss_weight[i] * length * 0.5 * std::sin(t) * weight(eta) * stiffness(eta) *
             grow(z, from, eta);
    }
    z = grow(z, from, to);
    from = to;
  }
  return sum;
}

double ContactPatch::steady_force(double slip, double transport) const {
  if (slip == 0.0) return 0.0;
  const Linear law = at(slip);
  const double c = law.decay / transport, top = law.decay > 0.0 ? law.drive / law.decay : 0.0;
  double mean_state = 0.0;
  if (uniform_ && shape_.pressure == PatchShape::constant) {
    mean_state = top * mean_rise(c);
  } else if (uniform_ && shape_.pressure == PatchShape::exponential &&
             shape_.pressure_fall > 1e-8) {
    // The mean of (1 - exp(-c xi)) under a falling weight.
    const double a = shape_.pressure_fall;
    mean_state = top * (1.0 - a / (a + c) * std::expm1(-(a + c)) / std::expm1(-a));
  } else if (uniform_ && shape_.pressure == PatchShape::parabolic && c > 0.05) {
    mean_state = top * (1.0 - 6.0 * (c - 2.0 + (c + 2.0) * std::exp(-c)) / (c * c * c));
  } else {
    mean_state = steady_mean(law, transport);
  }
  return shape_.load * (law.slope * mean_state + law.level);
}

}  // namespace bristle
