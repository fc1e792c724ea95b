// SPDX-License-Identifier: MIT
// Quantities of rows of bristles: events, releases, heights, mean curves and their fits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "bristle/analysis/mean_curve.hpp"
#include "quantities.hpp"

namespace bristle::io {

// The last whole period of the drive that fits in the run.
bool last_period(const Case& c, const Trajectory& t, double& from, double& to) {
  if (c.period <= 0.0 || t.time.empty()) return false;
  const double whole = std::floor(t.time.back() / c.period + 1e-9) * c.period;
  from = whole - c.period;
  to = std::min(whole, t.time.back());
  return from >= t.time.front() - 1e-9 * c.period;
}

namespace {

// The mean of the loop areas from the second period on.
Measured mean_loop_area(const Case& c, const CaseResult& r, double) {
  const auto& marks = r.run.trajectory.periods;
  if (c.period <= 0.0) return {};
  const auto first = std::find_if(marks.begin(), marks.end(), [&](const PeriodMark& m) {
    return m.time >= c.period * (1.0 - 1e-9);
  });
  if (first == marks.end() || marks.back().time <= first->time) return {};
  return (marks.back().work_in - first->work_in) /
         std::round((marks.back().time - first->time) / c.period);
}

// The events of a kind in the last period of the drive, or in the whole run without one.
std::vector<const Event*> recent_events(const Case& c, const CaseResult& r, EventKind kind) {
  double from = -1.0, to = std::numeric_limits<double>::infinity();
  if (!last_period(c, r.run.trajectory, from, to)) from = -1.0, to = 1e300;
  std::vector<const Event*> all;
  for (const Event& e : r.run.trajectory.events)
    if (e.kind == kind && e.time > from && e.time <= to) all.push_back(&e);
  return all;
}

// What bristles set free in the last period, and what the extent of the motion lets one expect:
// twice the whole number of bristles between the turning points, times the energy of one. Source:
// thesis (3.45)-(3.46).
Measured released_energy(const Case& c, const CaseResult& r, double) {
  const Summary& s = r.run.summary;
  if (s.releases == 0) return {};
  const double one = s.released_energy / double(s.releases);
  return one * double(recent_events(c, r, EventKind::release).size());
}
Measured expected_release(const Case& c, const CaseResult& r, double) {
  const Summary& s = r.run.summary;
  const auto values = c.law->values();
  const auto spacing = values.find("spacing");
  double from = 0.0, to = 0.0;
  if (s.releases == 0 || spacing == values.end() || !last_period(c, r.run.trajectory, from, to))
    return {};
  double least = 1e300, most = -1e300;
  const auto& t = r.run.trajectory;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t.time[i] >= from && t.time[i] <= to)
      least = std::min(least, t.position[i]), most = std::max(most, t.position[i]);
  const double count = 2.0 * std::floor((most - least) / std::get<double>(spacing->second) + 1e-9);
  return count * s.released_energy / double(s.releases);
}

// Time or position of the n-th event of a kind, counted from one.
Measured nth_event(const CaseResult& r, EventKind kind, double n, bool position) {
  for (const Event& e : r.run.trajectory.events)
    if (e.kind == kind && (n -= 1.0) < 0.5) return position ? e.position : e.time;
  return {};
}

// The frequency of the height: from its upward passages through its mean [rad/s].
Measured height_frequency(const Case&, const CaseResult& r, double) {
  const auto& t = r.run.trajectory;
  if (t.height.size() < 3) return {};
  double mean = 0.0, first = -1.0, last = -1.0;
  for (const double y : t.height) mean += y / double(t.height.size());
  int count = 0;
  for (std::size_t i = 1; i < t.height.size(); ++i) {
    const double a = t.height[i - 1] - mean, b = t.height[i] - mean;
    if (!(a < 0.0 && b >= 0.0)) continue;
    last = t.time[i - 1] + (t.time[i] - t.time[i - 1]) * a / (a - b);
    if (count++ == 0) first = last;
  }
  if (count < 2) return {};
  return 2.0 * std::numbers::pi * (count - 1) / (last - first);
}

// How the size of the force goes with another column while the body slides: -1 to 1.
Measured correlation(const CaseResult& r, const std::vector<double>& other) {
  const auto& t = r.run.trajectory;
  double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < std::min(t.size(), other.size()); ++i) {
    if (t.mode[i] == 0.0) continue;
    const double a = std::abs(t.force[i]), b = other[i];
    n += 1.0, x += a, y += b, xx += a * a, yy += b * b, xy += a * b;
  }
  const double spread = (n * xx - x * x) * (n * yy - y * y);
  if (!(spread > 0.0)) return {};
  return (n * xy - x * y) / std::sqrt(spread);
}

// Something of the mean of a column over the speed; only a row that carries its body or shows its
// angles has one.
template <class Pick>
CaseQuantity of_mean(const char* name, Pick pick) {
  return [=, name = std::string(name)](const Case& c, const CaseResult& r, double) -> Measured {
    if (name == "height" && r.run.trajectory.height.empty()) return {};
    if (name == "moving_average" && c.law->name() != "drbm") return {};
    if (name == "force" && !c.law->set_valued()) return {};
    const MeanCurve curve = mean_curve(r.run.trajectory.velocity, column(c, r, name));
    return curve.value.empty() ? Measured{} : pick(curve);
  };
}

// The fall that fits the mean.
template <class Pick>
CaseQuantity fit_of(const char* name, FallShape shape, Pick pick, bool pinned = false) {
  return of_mean(name, [=](const MeanCurve& curve) -> Measured {
    const FallFit fit = pinned ? fit_pinned_fall(curve, shape) : fit_fall(curve, shape);
    if (fit.velocity == 0.0) return {};
    return pick(fit);
  });
}

}  // namespace

void add_row_quantities(std::map<std::string, CaseQuantity>& q) {
  q["mean_loop_area"] = mean_loop_area;
  q["released_energy"] = released_energy;
  q["expected_release"] = expected_release;
  q["releases"] = [](const Case& c, const CaseResult& r, double) -> Measured {
    if (r.run.summary.releases == 0) return {};
    return double(recent_events(c, r, EventKind::release).size());
  };
  for (const EventKind kind : {EventKind::slip, EventKind::stick, EventKind::reversal})
    for (const bool position : {false, true})
      q[std::string(words(kind)) + (position ? "_position" : "_time")] =
          [=](const Case&, const CaseResult& r, double n) {
            return nth_event(r, kind, std::max(n, 1.0), position);
          };
  q["friction_work"] = [](const Case&, const CaseResult& r, double) -> Measured {
    return r.run.summary.ledger.friction_work;
  };
  q["height_frequency"] = height_frequency;
  q["force_height_correlation"] = [](const Case&, const CaseResult& r, double) -> Measured {
    return correlation(r, r.run.trajectory.height);
  };
  q["force_velocity_correlation"] = [](const Case&, const CaseResult& r, double) -> Measured {
    std::vector<double> speed = r.run.trajectory.velocity;
    for (double& v : speed) v = std::abs(v);
    return correlation(r, speed);
  };
  const struct {
    const char *column, *prefix;
  } fitted[] = {{"height", "height"}, {"force", "force"}, {"moving_average", "average"}};
  for (const auto& [column, prefix] : fitted) {
    q[std::string(prefix) + "_slowest"] =
        of_mean(column, [](const MeanCurve& m) -> Measured { return m.value.front(); });
    q[std::string(prefix) + "_fastest"] =
        of_mean(column, [](const MeanCurve& m) -> Measured { return m.value.back(); });
    for (const FallShape shape : {FallShape::sech, FallShape::gaussian}) {
      const std::string name =
          std::string(prefix) + (shape == FallShape::sech ? "_sech_" : "_gaussian_");
      q[name + "limit"] = fit_of(column, shape, [](const FallFit& f) { return f.limit; });
      q[name + "drop"] = fit_of(column, shape, [](const FallFit& f) { return f.drop; });
      q[name + "velocity"] = fit_of(column, shape, [](const FallFit& f) { return f.velocity; });
      q[name + "pinned_velocity"] = fit_of(
          column, shape, [](const FallFit& f) { return f.velocity; }, true);
    }
  }
}

}  // namespace bristle::io
