// SPDX-License-Identifier: MIT
// Quantities of a body in the plane.
#include <algorithm>

#include "bristle/analysis/loop.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

Measured event_time(const PlanarRun& r, bool slips, double number) {
  std::vector<double> times;
  for (const PlanarEvent& e : r.events)
    if (e.slips == slips) times.push_back(e.time);
  return counted(times, number, [](double time) { return time; });
}

// Half the range of a column over the last fifth of the samples.
Measured end_swing(const std::vector<double>& values) {
  if (values.size() < 10) return {};
  const Range range = range_of(std::span(values).last(values.size() / 5));
  return 0.5 * (range.most - range.least);
}

// The part of the time spent sticking over the second half of the record.
Measured stick_fraction(const PlanarRun& r) {
  if (r.time.size() < 2) return {};
  const double to = r.time.back(), from = 0.5 * (r.time.front() + to);
  double stuck = 0.0, since = 0.0;
  bool slips = false;
  // A body sticks until its first slip.
  for (const PlanarEvent& e : r.events) {
    if (!slips) stuck += std::max(0.0, std::min(e.time, to) - std::max(since, from));
    slips = e.slips;
    since = e.time;
  }
  if (!slips) stuck += to - std::max(since, from);
  return stuck / (to - from);
}

}  // namespace

const std::vector<std::string>& planar_columns() {
  static const std::vector<std::string> names{
      "time", "x1", "x2", "v1", "v2", "z1", "z2", "force1", "force2", "dither", "dissipated"};
  return names;
}

std::vector<double> planar_column(const PlanarRun& r, const std::string& name) {
  if (name == "time") return r.time;
  if (name == "dither") return r.dither;
  if (name == "dissipated") return r.dissipated;
  const std::size_t axis = name.ends_with('2') ? 1 : 0;
  if (name.starts_with("x")) return r.x[axis];
  if (name.starts_with("v")) return r.v[axis];
  if (name.starts_with("z")) return r.z[axis];
  return name.starts_with("force") ? r.force[axis] : std::vector<double>{};
}

const std::map<std::string, Quantity>& planar_quantities() {
  static const auto all = [] {
    std::map<std::string, Quantity> q;
    for (const std::string name : {"x1", "x2", "v1", "v2", "z1", "z2"})
      q[name] = [name](const Case&, const CaseResult& r, double time) -> Measured {
        const auto& t = r.planar.time;
        if (t.empty() || time < t.front() || time > t.back()) return {};
        return sample_at(t, planar_column(r.planar, name), time);
      };
    for (const bool slips : {true, false})
      q[slips ? "slip_time" : "stick_time"] = [slips](const Case&, const CaseResult& r, double n) {
        return event_time(r.planar, slips, n);
      };
    // Which extreme, counted from the first.
    for (const std::string name : {"x1", "x2"}) {
      q["extreme_" + name] = [name](const Case&, const CaseResult& r, double n) -> Measured {
        const Decay d = find_decay(r.planar.time, planar_column(r.planar, name), 0.0);
        return counted(d.size, n, [](double size) { return size; });
      };
      q["decay_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        const Decay d = find_decay(r.planar.time, planar_column(r.planar, name));
        if (d.size.size() < 3) return {};
        return std::string(d.exponential() ? "exponential" : "straight line");
      };
      // How fast the extremes fall along a straight line [m/s].
      q["decay_fall_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        const Decay d = find_decay(r.planar.time, planar_column(r.planar, name));
        return d.size.size() < 3 ? Measured{} : Measured(d.fall);
      };
      q["decay_rate_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        const Decay d = find_decay(r.planar.time, planar_column(r.planar, name));
        return d.size.size() < 3 ? Measured{} : Measured(d.rate);
      };
    }
    for (const std::string name : {"force1", "force2"})
      for (const bool most : {true, false})
        q[(most ? "max_" : "min_") + name] = [=](const Case&, const CaseResult& r, double) {
          const Range range = range_of(planar_column(r.planar, name));
          return Measured(most ? range.most : range.least);
        };
    for (const std::string name : {"x1", "x2", "v1", "v2"})
      q["end_swing_" + name] = [name](const Case&, const CaseResult& r, double) {
        return end_swing(planar_column(r.planar, name));
      };
    // Only the reset integrator tells sticking from slipping.
    q["stick_fraction"] = [](const Case& c, const CaseResult& r, double) {
      return c.planar.kind == 0 ? stick_fraction(r.planar) : Measured{};
    };
    q["ledger_error"] = [](const Case&, const CaseResult& r, double) -> Measured {
      return r.planar.ledger_error;
    };
    return q;
  }();
  return all;
}

}  // namespace bristle::io
