// SPDX-License-Identifier: MIT
// Laws and mechanisms with random parameters of comparable size (break-away near 1 N, moderate
// stiffness), and the equations of motion of each mechanism written a second time, by hand.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <tuple>

#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::testing_machines {

using Random = std::mt19937_64;

inline double between(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
// A number near the given one, by up to a factor of two either way.
inline double near(Random& random, double value) {
  return value * std::exp2(between(random, -1.0, 1.0));
}

// Parameters that make the laws comparable.
inline Values gentle_values(const std::string& name) {
  if (name == "dahl" || name == "ffbm" || name == "sbm") return {{"stiffness", 2e3}};
  if (name == "bouc_wen") return {{"stiffness", 2e3}, {"beta", 1e3}, {"gamma", 800.5}};
  if (name == "lugre" || name == "elasto_plastic")
    return {{"stiffness", 2e3}, {"damping", 20.0}, {"stribeck_velocity", 0.02}};
  if (name == "frbd") return {{"stiffness", 2e3}, {"damping", 10.0}, {"stribeck_velocity", 0.02}};
  if (name == "mpabm")
    return {{"stiffness", 2e3}, {"angle_gain", 1e3}, {"stribeck_velocity", 0.02}};
  if (name == "reset_integrator") return {{"stiffness", 2e3}, {"range", 5e-4}, {"damping", 20.0}};
  if (name == "rotating_bristle") return {{"pivot_stiffness", 0.1}, {"spacing", 0.002}};
  if (name == "drbm") return {{"height", 0.098}, {"spacing", 0.002}};
  return {};
}
inline std::shared_ptr<const AnyLaw> gentle_law(const std::string& name) {
  return make_law(name, gentle_values(name));
}
// The same with every number drawn anew within a factor of 1.4, those of a row of bristles, whose
// force depends on differences of lengths, within 0.5 %; a draw the law refuses is repeated.
inline std::shared_ptr<const AnyLaw> random_law(const std::string& name, Random& random) {
  const auto law = gentle_law(name);
  const double spread = law->remembers() || law->by_position() ? 0.007 : 0.5;
  for (int tries = 0; tries < 100; ++tries) {
    Values values = law->values();
    for (auto& [key, value] : values)
      if (auto* number = std::get_if<double>(&value); number && *number != std::round(*number))
        *number *= std::exp2(between(random, -spread, spread));
    try {
      return make_law(name, values);
    } catch (const InvalidInput&) {
    }
  }
  return law;
}

inline Signal random_signal(Random& random, double offset, double amplitude, double frequency) {
  Signal s;
  s.offset = offset;
  s.amplitude = near(random, amplitude);
  s.frequency = near(random, frequency);
  s.phase = between(random, -3.0, 3.0);
  if (between(random, 0.0, 1.0) < 0.5) {
    s.shape = Signal::two_sines;
    s.second_amplitude = 0.3 * s.amplitude;
    s.second_frequency = s.frequency * between(random, 2.0, 4.0);
  }
  return s;
}

// The equations of a body with position x, velocity v and perhaps a third state p:
//   x' = v,  v' = acceleration(t, x, v, p, friction),  p' = third(t, p)
struct Plant {
  std::function<double(double, double, double, double, double)> acceleration;
  std::function<double(double, double)> third = [](double, double) { return 0.0; };
  double first_third = 0.0;
};

inline double wave(const Signal& s, double t) {
  double u = s.offset + s.rate * t + s.amplitude * std::sin(s.frequency * t + s.phase);
  if (s.shape == Signal::two_sines)
    u += s.second_amplitude * std::sin(s.second_frequency * t + s.second_phase);
  return u;
}
inline double wave_acceleration(const Signal& s, double t) {
  double a = -s.amplitude * s.frequency * s.frequency * std::sin(s.frequency * t + s.phase);
  if (s.shape == Signal::two_sines)
    a -= s.second_amplitude * s.second_frequency * s.second_frequency *
         std::sin(s.second_frequency * t + s.second_phase);
  return a;
}

inline void draw(Random& random, DraggedMass& m) {
  m = {.mass = near(random, 1.0), .spring = near(random, 3.0), .drag_velocity = near(random, 0.3)};
}
inline Plant plant_of(const DraggedMass& m) {
  return {[=](double t, double x, double, double, double f) {
    return (m.spring * (m.drag_velocity * t - x) - f) / m.mass;
  }};
}
inline void draw(Random& random, WallSpringMass& m) {
  m = {.mass = near(random, 1.0), .spring = near(random, 5.0)};
  m.signal = random_signal(random, 0.0, 3.0, 1.3);
}
inline Plant plant_of(const WallSpringMass& m) {
  return {[=](double t, double x, double, double, double f) {
    return (wave(m.signal, t) - m.spring * x - f) / m.mass;
  }};
}
inline void draw(Random& random, BaseExcitedMass& m) {
  m = {.mass = near(random, 1.0),
       .spring = near(random, 5.0),
       .damping = near(random, 0.2),
       .load = 1.0};
  m.signal = random_signal(random, 0.0, 1.0, 2.0);
}
inline Plant plant_of(const BaseExcitedMass& m) {
  return {[=](double t, double x, double v, double, double f) {
    return (-m.spring * x - m.damping * v - f) / m.mass - wave_acceleration(m.signal, t);
  }};
}
inline void draw(Random& random, Pendulum& m) {
  m = {.inertia = near(random, 0.5), .weight = near(random, 1.5), .tilt = between(random, -1, 1)};
  m.signal = random_signal(random, 0.0, 2.5, 1.5);
}
inline Plant plant_of(const Pendulum& m) {
  return {[=](double t, double q, double, double, double f) {
    return (wave(m.signal, t) - m.weight * std::sin(q - m.tilt) - f) / m.inertia;
  }};
}
// A valve whose numbers are of the size of the other mechanisms.
inline void draw(Random& random, DiaphragmValve& m) {
  m = {.mass = near(random, 1.0),
       .spring = near(random, 5.0),
       .preload = between(random, 0.0, 1.0),
       .area = 0.01,
       .gain = 10.0,
       .least_pressure = 50.0,
       .time_constant = near(random, 0.4)};
  m.signal = random_signal(random, 30.0, 30.0, 1.3);
}
inline Plant plant_of(const DiaphragmValve& m) {
  Plant p;
  p.acceleration = [=](double, double x, double, double pressure, double f) {
    return (m.area * pressure - m.spring * x - m.preload - f) / m.mass;
  };
  p.third = [=](double t, double pressure) {
    return (m.gain * wave(m.signal, t) + m.least_pressure - pressure) / m.time_constant;
  };
  p.first_third = m.gain * wave(m.signal, 0.0) + m.least_pressure;
  return p;
}

// Every mechanism with a body that moves.
using MovingMechanisms =
    std::tuple<DraggedMass, WallSpringMass, BaseExcitedMass, Pendulum, DiaphragmValve>;

}  // namespace bristle::testing_machines
