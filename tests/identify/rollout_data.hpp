// SPDX-License-Identifier: MIT
// Motions under an input with known parameters: by the adaptive method, not by the steps of a fit.
#pragma once

#include <functional>

#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/simulate.hpp"
#include "identify/simulated.hpp"

namespace bristle::test {

inline const LuGre<> lugre{.stiffness = 1e4,
                           .damping = 60.0,
                           .viscous = 0.4,
                           .coulomb_force = 1.0,
                           .static_force = 1.5,
                           .stribeck_velocity = 0.01};
inline const FrBD<> frbd{.stiffness = 1e4,
                         .damping = 60.0,
                         .viscous = 0.04,
                         .dynamic_coefficient = 1.0,
                         .static_coefficient = 1.5,
                         .stribeck_velocity = 0.01};
inline const ElastoPlastic<> knee{.stiffness = 1e4,
                                  .damping = 60.0,
                                  .viscous = 0.4,
                                  .coulomb_force = 1.0,
                                  .static_force = 1.5,
                                  .stribeck_velocity = 0.01,
                                  .breakaway_fraction = 0.6};
// A valve with forces of its size.
inline const LuGre<> packing{.stiffness = 4e6,
                             .damping = 3e3,
                             .viscous = 4e3,
                             .coulomb_force = 150.0,
                             .static_force = 180.0,
                             .stribeck_velocity = 0.004};
inline const FrBD<> graphite{.stiffness = 4e6,
                             .damping = 3e3,
                             .viscous = 4e3,
                             .dynamic_coefficient = 150.0,
                             .static_coefficient = 180.0,
                             .stribeck_velocity = 0.004};

// The bearing of an arm, in N m and rad.
inline const LuGre<> bearing{.stiffness = 40.0,
                             .damping = 0.3,
                             .viscous = 0.02,
                             .coulomb_force = 0.1,
                             .static_force = 0.2,
                             .stribeck_velocity = 0.3};

// A run as it was simulated: the mechanism beside the record of its input and motion.
struct Rolled {
  std::string mechanism;
  Values values;
  Record record;                 // without the velocity
  std::vector<double> velocity;  // [m/s]
};

struct Times {
  double end = 2.0;     // [s]
  int samples = 1001;   // one at each end
  double first = 0.25;  // time of the first sample in the record: a clock of its own [s]
};

template <class L, class M>
Rolled rolled(const L& law, const M& mechanism, const Times& times, const Initial& initial = {}) {
  Options o{.end = times.end, .tolerance = 1e-11, .samples = double(times.samples)};
  o.initial = initial;
  const Simulation s = simulate(law, mechanism, o);
  EXPECT_TRUE(s.summary.ok()) << s.summary.message;
  Rolled r{std::string(M::name), values_of(mechanism), {.name = "rolled"}, {}};
  r.values.erase("drag_velocity");
  r.record.time = s.trajectory.time;
  for (double& t : r.record.time) t += times.first;
  r.record.position = s.trajectory.position;
  r.velocity = s.trajectory.velocity;
  r.record.input_time = r.record.time;
  r.record.input = s.trajectory.input;
  return r;
}

// Through the values of a function at the samples, so that the record tells all of the input.
inline Signal sampled(const std::function<double(double)>& input, const Times& times) {
  std::vector<double> t, u;
  for (int i = 0; i < times.samples; ++i) {
    t.push_back(times.end * i / (times.samples - 1));
    u.push_back(input(t.back()));
  }
  Signal signal{.shape = Signal::samples};
  signal.curve = std::make_shared<SampledCurve>(t, u);
  return signal;
}

// Stick-slip of a mass on a moving spring.
template <class L>
Rolled dragged(const L& law, const Times& times = {}, double speed = 0.05) {
  return rolled(law, DraggedMass{.mass = 1.0, .spring = 100.0, .drag_velocity = speed}, times);
}
// A mass on a wall spring, pushed back and forth beyond its friction.
template <class L>
Rolled pushed(const L& law, const Times& times = {.end = 3.0, .samples = 1501}) {
  WallSpringMass m{.mass = 1.0, .spring = 100.0};
  const auto input = [](double t) { return 4.0 * std::sin(5.0 * t) + std::sin(17.0 * t); };
  m.signal = sampled(input, times);
  return rolled(law, m, times);
}
// The stem of a valve whose command goes up and down, from rest where the forces balance.
template <class L>
Rolled commanded(const L& law, const Times& times = {.end = 4.0, .samples = 2001}) {
  DiaphragmValve m{};
  m.signal = sampled([](double t) { return 50.0 + 40.0 * std::sin(5.0 * t); }, times);
  return rolled(law, m, times, {.position = (m.area * m.first_pressure() - m.preload) / m.spring});
}

// An arm that a torque swings up to a right angle, resting on the way.
template <class L>
Rolled swung(const L& law, const Times& times = {.end = 6.0, .samples = 3001}) {
  Pendulum m{.inertia = 0.02, .weight = 1.0, .tilt = 0.05};
  const auto input = [](double t) { return 0.7 * std::sin(2.0 * t) + 0.3 * std::sin(9.0 * t); };
  m.signal = sampled(input, times);
  return rolled(law, m, times);
}

// Noise of the position [m].
inline Record blurred(const Rolled& r, double sigma, unsigned seed) {
  Record record = r.record;
  record.force = record.position;
  record = noisy(std::move(record), sigma, seed);
  record.position = record.force;
  record.force.clear();
  return record;
}

inline Track track(const Record& record) { return prepare(record, {.motion = true}); }

inline FitOptions rolling(const Rolled& r, int steps = 4) {
  FitOptions o;
  o.rollout = {.mechanism = r.mechanism, .values = r.values, .steps = steps};
  return o;
}

}  // namespace bristle::test
