// SPDX-License-Identifier: MIT
// Quantities of sliding: ranges of the force, peaks of slips, lag, means at a velocity.
#include <algorithm>
#include <cmath>
#include <optional>

#include "bristle/analysis/mean_curve.hpp"
#include "bristle/analysis/sliding.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

Measured finite(double value) { return std::isfinite(value) ? Measured(value) : Measured{}; }

// The argument is the speed above which the body counts as sliding.
template <class Pick>
CaseQuantity of_sliding_force(const Pick& pick) {
  return [pick](const Case&, const CaseResult& r, double above) -> Measured {
    const auto& t = r.run.trajectory;
    return finite(pick(sliding_force(t.velocity, t.force, std::max(above, 0.0))));
  };
}

// The largest speed of the last two slips, in this order: the slower of them, the faster.
std::optional<Range> last_peaks(const CaseResult& r) {
  const auto peaks = slip_peaks(r.run.trajectory.time, r.run.trajectory.velocity);
  if (peaks.size() < 2) return std::nullopt;
  const auto [least, most] = std::minmax(peaks.back().speed, peaks[peaks.size() - 2].speed);
  return Range{least, most};
}
template <class Pick>
CaseQuantity of_last_peaks(const Pick& pick) {
  return [pick](const Case&, const CaseResult& r, double) -> Measured {
    const auto peaks = last_peaks(r);
    return peaks ? Measured(pick(*peaks)) : Measured{};
  };
}

// Over the last whole period of the drive.
double lag_of(const Case& c, const CaseResult& r) {
  const auto& t = r.run.trajectory;
  double from = 0.0, to = 0.0;
  if (!last_period(c, t, from, to)) return NAN;
  std::vector<double> velocity, force;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t.time[i] < from - 1e-9 * c.period || t.time[i] > to + 1e-9 * c.period) continue;
    velocity.push_back(t.velocity[i]);
    force.push_back(t.force[i]);
  }
  return lag_fraction(velocity, force);
}

// Below a thousandth of its rectangle a loop has no direction to speak of.
Measured lag(const Case& c, const CaseResult& r, double) {
  const double part = lag_of(c, r);
  if (std::isnan(part)) return {};
  return std::string(part > 1e-3 ? "normal" : part < -1e-3 ? "reversed" : "none");
}

// How closely the force goes with the state of the law: -1 to 1.
Measured force_state_correlation(const Case&, const CaseResult& r, double) {
  const auto& t = r.run.trajectory;
  double n = 0.0, f = 0.0, z = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) n += 1.0, f += t.force[i], z += t.state[i];
  double ff = 0.0, zz = 0.0, fz = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double a = t.force[i] - f / n, b = t.state[i] - z / n;
    ff += a * a, zz += b * b, fz += a * b;
  }
  return finite(fz / std::sqrt(ff * zz));
}

// The mean of a column over the ways up and down, at a velocity whose sign is the direction.
CaseQuantity mean_at(const std::string& name) {
  return [name](const Case& c, const CaseResult& r, double velocity) -> Measured {
    const auto& t = r.run.trajectory;
    if (velocity == 0.0 || (name == "height" && t.height.empty())) return {};
    // Samples of the other direction count as at rest, which the mean leaves out.
    std::vector<double> speed = t.velocity;
    for (double& v : speed) v = v * velocity > 0.0 ? std::abs(v) : 0.0;
    return finite(mean_curve(speed, column(c, r, name)).at(std::abs(velocity)));
  };
}

}  // namespace

void add_sliding_quantities(std::map<std::string, CaseQuantity>& q) {
  q["min_sliding_force"] = of_sliding_force([](const Range& f) { return f.least; });
  q["max_sliding_force"] = of_sliding_force([](const Range& f) { return f.most; });
  q["sliding_force_range"] = of_sliding_force([](const Range& f) { return f.most - f.least; });
  q["slip_peak"] = [](const Case&, const CaseResult& r, double number) {
    return counted(slip_peaks(r.run.trajectory.time, r.run.trajectory.velocity), number,
                   [](const SlipPeak& p) { return p.speed; });
  };
  q["smaller_slip_peak"] = of_last_peaks([](const Range& p) { return p.least; });
  q["larger_slip_peak"] = of_last_peaks([](const Range& p) { return p.most; });
  q["slip_peak_difference"] = of_last_peaks([](const Range& p) { return p.most - p.least; });
  q["force_state_correlation"] = force_state_correlation;
  q["lag"] = lag;
  q["lag_fraction"] = [](const Case& c, const CaseResult& r, double) {
    return finite(lag_of(c, r));
  };
  q["mean_force"] = mean_at("force");
  q["mean_height"] = mean_at("height");
}

}  // namespace bristle::io
