// SPDX-License-Identifier: MIT
#include "bristle/identify/smooth_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "bristle/model/field.hpp"

namespace bristle {
namespace {

using std::numbers::pi;
using Curve = std::vector<double>;

// Where the gain 1 - (1 - g)^2 with g = 1 / (1 + (w / f)^4) is 1 / sqrt(2), as a part of f.
constexpr double spline_corner = 1.0421539751256206;
// The weight of the trace in the criterion, 2 in Mallows' C_p.
constexpr double trace_weight = 2.8;
// The curve of least error is too smooth by its measure of error: what noise does to a fit averages
// out or can be found by repetition, what smoothing does cannot. So the filter is made wider.
constexpr double wider = 1.25;

double median(std::vector<double> x) {
  const auto middle = x.begin() + long(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

bool even(const Curve& time) {
  const double h = (time.back() - time.front()) / double(time.size() - 1);
  for (std::size_t i = 1; i < time.size(); ++i)
    if (std::abs(time[i] - time.front() - double(i) * h) > 1e-4 * h) return false;
  return true;
}

// Divided differences of an order, each scaled to the variance of white noise.
Curve differences(const Curve& time, const Curve& x, std::size_t order) {
  Curve d = x;
  if (even(time)) {
    // The squares of binomial coefficients add up to the one in the middle of twice the order.
    double squares = 1.0;
    for (std::size_t k = 1; k <= order; ++k) {
      for (std::size_t i = 0; i + k < x.size(); ++i) d[i] = d[i + 1] - d[i];
      squares *= 2.0 * double(2 * k - 1) / double(k);
    }
    d.resize(x.size() - order);
    for (double& value : d) value /= std::sqrt(squares);
    return d;
  }
  const double h = median_step(time);
  for (std::size_t i = 0; i + order < x.size(); ++i) {
    double sum = 0.0, squares = 0.0;
    for (std::size_t j = 0; j <= order; ++j) {
      double c = 1.0;
      for (std::size_t k = 0; k <= order; ++k)
        if (k != j) c *= h / (time[i + j] - time[i + k]);
      sum += c * (x[i + j] - x[i]);
      squares += c * c;
    }
    d[i] = sum / std::sqrt(squares);
  }
  d.resize(x.size() - order);
  return d;
}

// By their median. A position that repeats to the last digit tells nothing of its noise.
double noise_by_differences(const Curve& time, const Curve& x, std::size_t order) {
  Curve sizes;
  for (const double d : differences(time, x, order))
    if (d != 0.0) sizes.push_back(std::abs(d));
  return sizes.empty() ? 0.0 : 1.482602218505602 * median(std::move(sizes));
}

// A record with what its smoothing needs to know; rest[i]: from sample i to the next nothing moves.
struct Measured {
  const Curve& time;
  const Curve& y;
  double noise, step;
  std::vector<bool> rest;

  std::size_t size() const { return y.size(); }
  double resting() const {
    return double(std::count(rest.begin(), rest.end(), true)) / double(rest.size());
  }
};

// The stiffness of the curve against bending, for the frequency of half gain.
double penalty(const Measured& m, double frequency) {
  const double w = 2.0 * std::sin(pi * std::min(frequency * m.step, 0.5));
  return 1.0 / (w * w * w * w);
}

// Beyond this stiffness the samples are lost beside it by rounding.
constexpr double most_penalty = 1e15;

void refuse_too_stiff(const Measured& m, double bandwidth) {
  const double frequency = bandwidth / spline_corner / wider;
  if (!(bandwidth > 0.0) || penalty(m, frequency) <= most_penalty) return;
  const double least = std::asin(0.5 / std::pow(most_penalty, 0.25)) / pi;
  throw InvalidInput("bandwidth", "bandwidth = " + words(bandwidth) + " Hz is not allowed, at " +
                                      words(1.0 / m.step) +
                                      " samples per second it must be at least " +
                                      words(least / m.step * spline_corner * wider) + " Hz");
}

// The system of the minimum, symmetric with two bands beside the diagonal: factors L D L^T.
class Bands {
 public:
  Bands(const Measured& m, double lambda) : d_(m.size(), 1.0), e_(m.size()), f_(m.size()) {
    const std::size_t n = m.size();
    for (std::size_t i = 1; i + 1 < n; ++i) {
      if (m.rest[i - 1] && m.rest[i]) continue;
      const double before = m.time[i] - m.time[i - 1], after = m.time[i + 1] - m.time[i];
      const double scale = 2.0 * m.step * m.step / (before + after);
      const double a = scale / before, c = scale / after, b = -a - c;
      double weight = lambda * (before + after) / (2.0 * m.step);
      if (m.rest[i - 1] || m.rest[i]) weight *= beside_rest;
      d_[i - 1] += weight * a * a, d_[i] += weight * b * b, d_[i + 1] += weight * c * c;
      e_[i - 1] += weight * a * b, e_[i] += weight * b * c, f_[i - 1] += weight * a * c;
    }
    for (std::size_t i = 0; i + 1 < n; ++i)
      if (m.rest[i]) d_[i] += tie, d_[i + 1] += tie, e_[i] -= tie;
    for (std::size_t i = 0; i < n; ++i) {
      const double a = e_[i] / d_[i], b = f_[i] / d_[i];
      if (i + 1 < n) d_[i + 1] -= a * e_[i], e_[i + 1] -= a * f_[i];
      if (i + 2 < n) d_[i + 2] -= b * f_[i];
      e_[i] = a, f_[i] = b;
    }
  }

  void solve(Curve& x) const {
    const std::size_t n = x.size();
    for (std::size_t i = 0; i < n; ++i) {
      if (i + 1 < n) x[i + 1] -= e_[i] * x[i];
      if (i + 2 < n) x[i + 2] -= f_[i] * x[i];
      x[i] /= d_[i];
    }
    for (std::size_t i = n; i-- > 0;) {
      if (i + 1 < n) x[i] -= e_[i] * x[i + 1];
      if (i + 2 < n) x[i] -= f_[i] * x[i + 2];
    }
  }

 private:
  static constexpr double tie = 1e6;           // between samples at rest
  static constexpr double beside_rest = 1e-3;  // bending is that much easier where rest ends
  Curve d_, e_, f_;
};

// The curve, and that of what it leaves added to it.
Curve smoothed(const Measured& m, double lambda) {
  const std::size_t n = m.size();
  const Bands bands(m, lambda);
  Curve x(n), left(n);
  // Counted from the first position, so that numbers stay small.
  for (std::size_t i = 0; i < n; ++i) x[i] = m.y[i] - m.y[0];
  bands.solve(x);
  for (std::size_t i = 0; i < n; ++i) left[i] = m.y[i] - m.y[0] - x[i];
  bands.solve(left);
  for (std::size_t i = 0; i < n; ++i) x[i] += left[i] + m.y[0];
  // At rest to the last digit.
  for (std::size_t i = 0; i + 1 < n; ++i)
    if (m.rest[i]) x[i + 1] = x[i];
  return x;
}

// What the filter passes of white noise between neighbouring samples, and in the mean over the
// product with the noise itself.
struct Passed {
  double differences = 0.0, trace = 0.0;
};
Passed passed(double lambda) {
  Passed p;
  constexpr int points = 512;
  for (int k = 0; k < points; ++k) {
    // Finer towards low frequencies, where narrow filters have all they pass.
    const double u = (k + 0.5) / points, w = pi * u * u * u, weight = 3.0 * u * u / points;
    const double g = 2.0 - 2.0 * std::cos(w), once = 1.0 / (1.0 + lambda * g * g);
    const double gain = once * (2.0 - once);
    p.differences += weight * gain * gain * g, p.trace += weight * gain * g;
  }
  return p;
}

// A frequency of half gain, infinite for the data as they are, with its curve.
struct Choice {
  double frequency = INFINITY, risk = INFINITY;
  Curve x;
};

// The criterion counts the error of the steps between samples: they are what moves the bristles.
// Outliers, such as those of a clock that is not steady, count no more than five deviations.
void consider(const Measured& m, double frequency, Choice& best, bool* hopeless = nullptr) {
  const double lambda = std::isfinite(frequency) ? penalty(m, frequency) : 0.0;
  Curve x = smoothed(m, lambda);
  double squares = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double left = (m.y[i] - x[i]) - (m.y[i - 1] - x[i - 1]);
    squares += m.noise > 0.0 ? std::min(left * left, 50.0 * m.noise * m.noise) : left * left;
  }
  squares /= double(x.size() - 1);
  const double moving = 1.0 - m.resting();
  const double risk = squares + trace_weight * m.noise * m.noise * passed(lambda).trace * moving;
  // Residuals only grow as the filter gets narrower.
  if (hopeless) *hopeless = squares > best.risk;
  if (risk < best.risk) best = {frequency, risk, std::move(x)};
}

Choice choose(const Measured& m, double near) {
  const double top = 0.5 / m.step, length = m.time.back() - m.time.front();
  Choice best;
  consider(m, INFINITY, best);
  const double bottom = std::max(2.0 / length, 1e-3 * top);
  const double from = near > 0.0 ? std::min(2.0 * near, top) : top;
  const double to = near > 0.0 ? std::max(0.5 * near, bottom) : bottom;
  bool hopeless = false;
  for (double f = from; f >= to && !hopeless; f /= std::numbers::sqrt2)
    consider(m, f, best, &hopeless);
  // Between the points of the grid.
  if (std::isfinite(best.frequency))
    for (const double factor : {std::pow(2.0, 0.25), std::pow(2.0, -0.25)})
      if (best.frequency * factor <= top) consider(m, best.frequency * factor, best);
  return best;
}

// Scatters as noise around a constant, from sample a to b.
bool constant(const Measured& m, std::size_t a, std::size_t b, double& mean) {
  const double n = double(b - a + 1);
  mean = std::accumulate(m.y.begin() + long(a), m.y.begin() + long(b) + 1, 0.0) / n;
  double squares = 0.0, along = 0.0, lever = 0.0;
  const double middle = 0.5 * double(a + b);
  for (std::size_t i = a; i <= b; ++i) {
    const double off = m.y[i] - mean, t = double(i) - middle;
    squares += off * off, along += t * off, lever += t * t;
  }
  const double limit = 4.0;  // standard deviations, for there are many stretches
  return std::abs(along) < limit * m.noise * std::sqrt(lever) &&
         squares / n < m.noise * m.noise * (1.0 + limit * std::sqrt(2.0 / n));
}

// On to the samples beside a rest, as long as three of them in the mean have not left it.
void extend(const Measured& m, std::size_t& a, std::size_t& b, double mean) {
  const auto there = [&](std::size_t first) {
    const double off = (m.y[first] + m.y[first + 1] + m.y[first + 2]) / 3.0 - mean;
    return std::abs(off) < 3.0 * m.noise / std::sqrt(3.0);
  };
  while (a >= 3 && there(a - 3)) --a;
  while (b + 3 < m.size() && there(b + 1)) ++b;
}

// Stretches where the smoothed velocity is within its noise, shortened from the side that is off
// until what is left is constant.
void find_rest(Measured& m, const Choice& c) {
  const std::size_t n = m.size();
  m.rest.assign(n, false);
  const bool filtered = std::isfinite(c.frequency);
  const double lambda = filtered ? penalty(m, c.frequency) : 0.0;
  const double slow = 4.0 * m.noise * std::sqrt(passed(lambda).differences);
  const std::size_t least =
      std::max<std::size_t>(10, filtered ? std::size_t(1.0 / (c.frequency * m.step)) : 0);
  const auto still = [&](std::size_t i) { return std::abs(c.x[i + 1] - c.x[i]) < slow; };
  for (std::size_t i = 0, end = 0; i + 1 < n; i = end + 1) {
    for (end = i; end + 1 < n && still(end);) ++end;
    std::size_t a = i, b = end;
    for (int tries = 0; tries < 30 && b >= a + std::max(least / 2, least - least / 4); ++tries) {
      double mean = 0.0;
      if (constant(m, a, b, mean)) {
        extend(m, a, b, mean);
        std::fill(m.rest.begin() + long(a), m.rest.begin() + long(b), true);
        end = std::max(end, b);
        break;
      }
      const std::size_t cut = std::max<std::size_t>(1, (b - a) / 40),
                        look = std::max<std::size_t>(cut, 4);
      double first = 0.0, last = 0.0;
      for (std::size_t k = 0; k < look; ++k) first += m.y[a + k] - mean, last += m.y[b - k] - mean;
      if (std::abs(first) > std::abs(last)) a += cut;
      else b -= cut;
    }
  }
}

}  // namespace

double median_step(const Curve& time) {
  Curve steps(time.size() - 1);
  for (std::size_t i = 0; i + 1 < time.size(); ++i) steps[i] = time[i + 1] - time[i];
  return median(std::move(steps));
}

// Of fourth order, of second beside rest. At the ends the samples lie to one side.
std::vector<double> exact_slope(const std::vector<double>& t, const std::vector<double>& x) {
  const std::size_t n = x.size();
  Curve v(n);
  for (std::size_t i = 0; i < n; ++i) {
    // So many samples around this one, shifted into the record.
    const auto begin = [&](std::size_t count) {
      return std::min(i - std::min(i, count / 2), n - count);
    };
    bool wide = n >= 5;
    for (std::size_t k = begin(5); wide && k < begin(5) + 4; ++k) wide = x[k + 1] != x[k];
    const std::size_t count = wide ? 5 : std::min<std::size_t>(i < 1 || i + 1 >= n ? 2 : 3, n);
    const std::size_t from = begin(count), to = from + count - 1;
    // The derivative of the polynomial through the samples from..to.
    double sum = 0.0;
    for (std::size_t j = from; j <= to; ++j) {
      double c = 0.0;
      if (j == i) {
        for (std::size_t k = from; k <= to; ++k)
          if (k != i) c += 1.0 / (t[i] - t[k]);
      } else {
        c = 1.0 / (t[j] - t[i]);
        for (std::size_t k = from; k <= to; ++k)
          if (k != i && k != j) c *= (t[i] - t[k]) / (t[j] - t[k]);
      }
      sum += c * (x[j] - x[i]);
    }
    v[i] = sum;
  }
  return v;
}

double position_noise(const std::vector<double>& time, const std::vector<double>& position) {
  if (position.size() < least_for_noise) return 0.0;
  const auto [low, high] = std::minmax_element(position.begin(), position.end());
  const double coarse = noise_by_differences(time, position, 10);
  if (!(coarse > 1e-7 * (*high - *low))) return 0.0;
  const double fine = noise_by_differences(time, position, 14);
  return fine > 0.8 * coarse && fine > 1e-7 * (*high - *low) ? std::min(coarse, fine) : 0.0;
}

bool without_noise(const std::vector<double>& time, const std::vector<double>& x, int order) {
  if (x.size() < least_for_noise) return false;
  double squares = 0.0;
  const Curve low = differences(time, x, std::size_t(order));
  for (const double d : low) squares += d * d;
  return noise_by_differences(time, x, 10) < 1e-3 * std::sqrt(squares / double(low.size()));
}

SmoothMotion smooth_motion(const std::vector<double>& time, const std::vector<double>& position,
                           double noise, double bandwidth) {
  Measured m{time, position, noise, median_step(time), std::vector<bool>(position.size(), false)};
  refuse_too_stiff(m, bandwidth);
  // The frequency at which rest is looked for.
  const double asked = bandwidth / spline_corner / wider;
  Choice c;
  if (bandwidth > 0.0) consider(m, asked, c);
  else c = choose(m, 0.0);
  // Rest is seen better on a smooth curve, and a curve may be smoother beside rest.
  for (int k = 0; k < 2 && noise > 0.0; ++k) {
    find_rest(m, c);
    const double near = std::isfinite(c.frequency) ? c.frequency : 0.0;
    c.risk = INFINITY;
    if (bandwidth > 0.0) consider(m, asked, c);
    else c = choose(m, near);
  }
  if (std::isfinite(c.frequency)) {
    c.risk = INFINITY;
    consider(m, wider * c.frequency, c);
  }
  SmoothMotion found;
  if (std::isfinite(c.frequency))
    found.bandwidth = std::min(spline_corner * c.frequency, 0.5 / m.step);
  found.velocity = exact_slope(time, c.x);
  found.position = std::move(c.x);
  found.rest = m.resting();
  return found;
}

std::vector<double> smooth_again(const std::vector<double>& time, const std::vector<double>& smooth,
                                 double bandwidth) {
  Measured m{time, smooth, 0.0, median_step(time), std::vector<bool>(smooth.size(), false)};
  for (std::size_t i = 0; i + 1 < smooth.size(); ++i) m.rest[i] = smooth[i + 1] == smooth[i];
  return bandwidth > 0.0 ? smoothed(m, penalty(m, bandwidth / spline_corner)) : smoothed(m, 0.0);
}

}  // namespace bristle
