// SPDX-License-Identifier: MIT
// The stick-slip problem that every contender solves, in plain C++17.
//
//   m x'' = k (y - x) - F,   y' = drag,   from rest
//   z' = v - |v| stiffness z / g(v),   g(v) = Fc + (Fs - Fc) exp(-(v / vs)^2)
//   F = stiffness z + damping z' + viscous v
//
// A contender fills x and F at equally spaced times, the first at 0 and the last at the end.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace bench {

struct Problem {
  double mass = 1.0;
  double spring = 2.0;
  double drag = 0.1;
  double stiffness = 1e5;
  double damping = std::sqrt(1e5);
  double viscous = 0.4;
  double coulomb_force = 1.0;
  double static_force = 1.5;
  double stribeck_velocity = 0.001;
  double end = 40.0;
};

inline constexpr int points = 1001;

inline double output_time(const Problem& p, int i) { return p.end * i / (points - 1); }

struct Curves {
  std::vector<double> x = std::vector<double>(points);
  std::vector<double> force = std::vector<double>(points);
};

// Solves the problem at a tolerance; false if the solver gave up.
using Solver = bool(const Problem&, double tolerance, Curves& out);
Solver solve_bristle, solve_odeint, solve_odeint_scaled, solve_cvode;

// The equations with their hand-made Jacobian, for the peers. States x, v, z.
struct Equations {
  Problem p;

  struct Friction {
    double rate, force, rate_by_velocity, decay;
  };
  Friction friction(double v, double z) const {
    const double speed = std::abs(v), ratio = v / p.stribeck_velocity;
    const double fall = (p.static_force - p.coulomb_force) * std::exp(-ratio * ratio);
    const double inverse = 1.0 / (p.coulomb_force + fall);
    const double decay = p.stiffness * speed * inverse;
    const double rate = v - decay * z;
    const double side = v > 0.0 ? 1.0 : (v < 0.0 ? -1.0 : 0.0);
    // d(decay)/dv, with g' = -2 fall v / vs^2.
    const double bend = 2.0 * fall * ratio / p.stribeck_velocity;
    const double slope = p.stiffness * inverse * (side + speed * bend * inverse);
    return {rate, p.stiffness * z + p.damping * rate + p.viscous * v, 1.0 - slope * z, decay};
  }

  template <class State, class Rates>
  void rates(double t, const State& y, Rates& dydt) const {
    const Friction f = friction(y[1], y[2]);
    dydt[0] = y[1];
    dydt[1] = (p.spring * (p.drag * t - y[0]) - f.force) / p.mass;
    dydt[2] = f.rate;
  }

  // Row by row through set(i, j, value).
  template <class State, class Set>
  void jacobian(const State& y, const Set& set) const {
    const Friction f = friction(y[1], y[2]);
    set(0, 0, 0.0);
    set(0, 1, 1.0);
    set(0, 2, 0.0);
    set(1, 0, -p.spring / p.mass);
    set(1, 1, -(p.damping * f.rate_by_velocity + p.viscous) / p.mass);
    set(1, 2, -(p.stiffness - p.damping * f.decay) / p.mass);
    set(2, 0, 0.0);
    set(2, 1, f.rate_by_velocity);
    set(2, 2, -f.decay);
  }
  double velocity_rate_by_time() const { return p.spring * p.drag / p.mass; }

  // The size of each state, the same for every contender that can use it.
  std::array<double, 3> scales() const {
    return {p.static_force / p.spring,
            std::fmax(p.drag, p.static_force / std::sqrt(p.spring * p.mass)),
            p.static_force / p.stiffness};
  }
};

}  // namespace bench
