// SPDX-License-Identifier: MIT
// How often the 95 % intervals of a fit hold the truth, over records that differ by their noise.
#pragma once

#include <tuple>

#include "identify/noisy_motion.hpp"

namespace bristle::test {

struct CoverageOptions {
  int records = 10;
  int repetitions = 40;  // of each fit with the noise of the position
  unsigned seed = 1;     // of the first record
  int starts = 0;        // of the search; 0: from the truth
  bool smooth = true;    // false: the position is used as measured
};

struct Coverage {
  int records = 0, converged = 0, smoothed = 0, warned = 0;
  std::map<std::string, int> inside;  // records whose interval of this parameter holds the truth

  int held() const {
    int all = 0;
    for (const auto& [name, count] : inside) all += count;
    return all;
  }
  int intervals() const { return records * int(inside.size()); }
  double part() const { return double(held()) / double(intervals()); }
  void add(const Coverage& other) {
    records += other.records, converged += other.converged, smoothed += other.smoothed;
    warned += other.warned;
    for (const auto& [name, count] : other.inside) inside[name] += count;
  }
};

// A parameter that ends at its bound has no interval and counts as outside.
template <class L>
Coverage coverage(const L& law, const NamedMotion& motion, const Measuring& m,
                  const CoverageOptions& options) {
  // Samples at the turning points themselves would have a velocity of rounding errors.
  constexpr double from = 0.0137;
  const Record clean = exact_record(law, motion, m, from);
  auto values = truth(law);
  Coverage c;
  for (int k = 0; k < options.records; ++k) {
    FitOptions o{.starts = options.starts};
    o.threads = 1, o.repetitions = options.repetitions;
    if (options.starts == 0) o.guess = truth(law);
    if (m.inertia > 0.0) o.terms.inertia = true, o.forms = false, values["inertia"] = m.inertia;
    const Record record = measured(clean, m, options.seed + unsigned(k));
    const auto f = fit(L::name, {prepare(record, {.smooth = options.smooth})}, o);
    bool warned = false;
    ++c.records, c.converged += f.converged(), c.smoothed += f.problem.runs[0].filter.used;
    for (const auto& p : f.parameters) {
      if (!p.free) continue;
      const double t = values.at(p.name);
      c.inside[p.name] += !p.at_bound && t >= p.lower && t <= p.upper;
      warned = warned || p.noise_decides;
    }
    c.warned += warned;
  }
  return c;
}

// Noise of the force: how far it is correlated from sample to sample, and an inertia beside the
// friction in the force [kg].
struct ForceNoise {
  double size = 0.02, colour = 0.0, inertia = 0.0, duration = 4.0;
};

// The laws whose intervals are looked at.
inline auto covered_laws() {
  return std::tuple{
      LuGre<>{.stiffness = 1e4,
              .damping = 30.0,
              .viscous = 5.0,
              .coulomb_force = 1.0,
              .static_force = 1.5,
              .stribeck_velocity = 2e-3},
      Stribeck<>{
          .coulomb_force = 1.0, .static_force = 1.5, .stribeck_velocity = 2e-3, .viscous = 5.0},
      Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0},
      ElastoPlastic<>{.stiffness = 1e4,
                      .damping = 30.0,
                      .viscous = 5.0,
                      .coulomb_force = 1.0,
                      .static_force = 1.5,
                      .stribeck_velocity = 2e-3}};
}

// The same for noise of the force, along a motion that was measured without any.
template <class L>
Coverage coverage(const L& law, const ForceNoise& noise, const CoverageOptions& options) {
  const Motions m{.duration = noise.duration};
  Record clean = motion(m);
  add_force(clean, law);
  for (std::size_t i = 0; i < clean.time.size(); ++i) {
    const double t = clean.time[i], s = std::sin(m.fast_rate * t), c = std::cos(m.fast_rate * t);
    clean.force[i] += noise.inertia * (3.0 * m.fast * m.fast_rate * s * s * c +
                                       m.slow * m.slow_rate * std::cos(m.slow_rate * t));
  }
  auto values = truth(law);
  if (noise.inertia > 0.0) values["inertia"] = noise.inertia;
  Coverage all;
  for (int k = 0; k < options.records; ++k) {
    Record r = clean, white = clean;
    white.force.assign(r.time.size(), 0.0);
    white = noisy(white, 1.0, options.seed + unsigned(k));
    double now = white.force.front();
    for (std::size_t i = 0; i < r.time.size(); ++i) {
      if (i > 0)
        now = noise.colour * now + std::sqrt(1.0 - noise.colour * noise.colour) * white.force[i];
      r.force[i] += noise.size * now;
    }
    FitOptions o{.guess = truth(law), .starts = 0};
    o.threads = 1, o.repetitions = 0, o.forms = false;
    o.terms.inertia = noise.inertia > 0.0;
    const auto f = fit(L::name, {prepare(r)}, o);
    ++all.records, all.converged += f.converged();
    for (const auto& p : f.parameters)
      if (p.free)
        all.inside[p.name] +=
            !p.at_bound && values.at(p.name) >= p.lower && values.at(p.name) <= p.upper;
  }
  return all;
}

}  // namespace bristle::test
