// SPDX-License-Identifier: MIT
// The fixed step of method "coupled" for one body, written on its own: a reference for the steps of
// machines (machine_fixed.hpp), of which it shares nothing.
//
// Given the velocity of a stage, its position and bristle follow, so each stage is one scalar
// equation in the velocity: Newton with exact slopes inside a bracket. For a set-valued law a stage
// first asks whether the force needed to end at v = 0 lies in the interval of the law; then v is
// exactly zero.
#pragma once

#include <cmath>
#include <limits>

#include "bristle/solve/system.hpp"

namespace bristle::testing_machines {

template <Mechanism M, class L>
requires(M::velocity_state == 1 && M::size == 2) class CoupledStep {
 public:
  using Sys = System<M, L>;
  using State = typename Sys::State;
  static constexpr double gamma = 0.29289321881345254;

  CoupledStep(const M& mechanism, const L& law) : mechanism_(mechanism), law_(law) {}

  struct Stage {
    State y{};
    double friction = 0.0;
    double dissipation = 0.0;
    double direction = 0.0;  // of sliding, 0 in stick of a set-valued law
  };

  // Steps y from t to t + h. The two stages stay readable, for the ledger.
  void step(double t, double h, State& y) {
    const double w = gamma * h;
    start_ = y;
    first_ = solve(t + w, w, y, y[1]);
    State base;
    for (int i = 0; i < Sys::size; ++i)
      base[i] = y[i] + (1.0 - gamma) / gamma * (first_.y[i] - y[i]);
    second_ = solve(t + h, w, base, first_.y[1]);
    y = second_.y;
  }

  const Stage& first() const { return first_; }
  const Stage& second() const { return second_; }
  long evaluations() const { return evaluations_; }

 private:
  struct Friction {
    double force, slope, state, dissipation;
  };

  // Acceleration = free - friction * inverse_mass at the stage position.
  std::pair<double, double> acceleration(double t, double x, double v) const {
    const std::array<double, 2> own{x, v};
    std::array<double, 2> without{}, with{};
    const int piece = mechanism_.piece(t);
    mechanism_.rates(t, own, 0.0, piece, without);
    mechanism_.rates(t, own, 1.0, piece, with);
    return {without[1], without[1] - with[1]};
  }
  Motion<double> motion(double t, double x, double v) const {
    return mechanism_.motion(t, std::array<double, 2>{x, v}, mechanism_.piece(t));
  }

  // The friction at velocity v of a stage, with the bristle solved for, and its slope along v.
  Friction friction(double t, double w, const State& base, double v) {
    const double x = base[0] + w * v;
    const Motion<double> m = motion(t, x, v);
    const double direction = sign(v);
    if constexpr (Sys::set_valued) {
      const auto r = evaluate(0.0, m, {direction, cell(0.0, m, direction)});
      return {r.force.value, r.force.slope[1], 0.0, r.dissipation.value};
    } else {
      if (by_displacement()) {
        const double z = displaced(start_[2], x - start_[0]);
        const auto r = evaluate(z, m, {direction, cell(z, m, direction)});
        return {r.force.value, r.force.slope[1] + w * r.rate.slope[1] * r.force.slope[2], z,
                r.dissipation.value};
      }
      // z = z_base + w z'(z): one Newton step if the law is linear in z, a bracket for the others.
      const double start = base[2];
      const double reach = 3.0 * std::abs(w * v);
      double low = start - reach, high = start + reach, z = start;
      Response<LocalDual> r;
      double gain = 1.0;
      for (int i = 0; i < 200; ++i) {
        r = evaluate(z, m, {direction, cell(z, m, direction)});
        double residual = z - w * r.rate.value - start;
        gain = 1.0 - w * r.rate.slope[2];
        // Far from where the state can be a rate may overflow: the root is nearer to the start.
        const bool far = !std::isfinite(residual) || !std::isfinite(gain);
        if (far) residual = z > start ? 1.0 : -1.0;
        (residual > 0.0 ? high : low) = z;
        if (std::abs(residual) <= 1e-15 * (std::abs(z) + std::abs(start))) break;
        // A rate of a high power of the state takes Newton's rule many short steps.
        const bool slow = far || (i >= 8 && i % 2 == 1);
        double next = z - residual / gain;
        if (slow || !(next >= low && next <= high)) next = 0.5 * (low + high);
        if (next == z || (i > 50 && high - low <= 1e-15 * std::abs(z))) break;
        z = next;
      }
      const double along = w * (r.rate.slope[1] + w * r.rate.slope[0]) / gain;
      return {r.force.value, r.force.slope[1] + w * r.force.slope[0] + along * r.force.slope[2], z,
              r.dissipation.value};
    }
  }

  Stage solve(double t, double w, const State& base, double guess) {
    Stage stage;
    if constexpr (Sys::set_valued) {
      // The force that ends the stage at rest; inside the interval it is the answer.
      const auto [free, inverse_mass] = acceleration(t, base[0], 0.0);
      const double held = (free + base[1] / w) / inverse_mass;
      const Interval<double> allowed = limits(motion(t, base[0], 0.0));
      if (held <= allowed.upper && held >= allowed.lower) {
        stage.y[0] = base[0];
        stage.friction = held;
        return stage;
      }
      const double side = held > allowed.upper ? 1.0 : -1.0;
      if (guess * side <= 0.0) guess = side * 1e-9;
      return slide(t, w, base, guess, side);
    } else {
      return slide(t, w, base, guess, 0.0);
    }
  }

  // The root of v - v_base - w a(v); `side` keeps it on one side of zero.
  Stage slide(double t, double w, const State& base, double v, double side) {
    double low = side > 0.0 ? 0.0 : -std::numeric_limits<double>::infinity();
    double high = side < 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    Friction f{};
    for (int i = 0; i < 100; ++i) {
      f = friction(t, w, base, v);
      const auto [free, inverse_mass] = acceleration(t, base[0] + w * v, v);
      const double ahead = 1e-3 * (std::abs(v) + 1e-6);
      const double free_slope =
          (acceleration(t, base[0] + w * (v + ahead), v + ahead).first - free) / ahead;
      const double residual = v - base[1] - w * (free - inverse_mass * f.force);
      const double slope = 1.0 - w * (free_slope - inverse_mass * f.slope);
      (residual > 0.0 ? high : low) = v;
      if (std::abs(residual) <= 1e-15 * (std::abs(v) + std::abs(base[1]) + 1e-12)) break;
      double next = v - residual / slope;
      const bool bracketed = std::isfinite(low) && std::isfinite(high);
      if (!(slope > 0.0) || next <= low || next >= high || i > 40) {
        if (bracketed) next = 0.5 * (low + high);
        else next = v - residual * (slope > 0.0 ? 1.0 / slope : 1.0);
      }
      if (next == v || (bracketed && high - low <= 1e-16 * std::abs(high))) break;
      v = next;
    }
    Stage stage;
    stage.y[0] = base[0] + w * v;
    stage.y[1] = v;
    if constexpr (!Sys::set_valued) stage.y[2] = f.state;
    stage.friction = f.force;
    stage.dissipation = f.dissipation;
    stage.direction = sign(v);
    return stage;
  }

  Response<LocalDual> evaluate(double z, const Motion<double>& m, const Branch<>& b) {
    ++evaluations_;
    const Motion<LocalDual> local{variable<5>(m.position, 0), variable<5>(m.velocity, 1),
                                  LocalDual(m.load), LocalDual(m.time)};
    if constexpr (requires { law_.respond(LocalDual(z), local, b); }) {
      return law_.respond(variable<5>(z, 2), local, b);
    } else {
      const LocalDual force = law_.sliding(local, b);
      return {LocalDual(0.0), force, force * local.velocity};
    }
  }
  Interval<double> limits(const Motion<double>& m) const {
    if constexpr (requires { law_.law.limits(m); }) return law_.law.limits(m);
    else return law_.limits(m);
  }
  bool by_displacement() const {
    if constexpr (requires { law_.law.by_displacement(); }) return law_.law.by_displacement();
    else return DisplacementLaw<L>;
  }
  double displaced(double z, double displacement) const {
    if constexpr (requires { law_.law.displaced(z, displacement); })
      return law_.law.displaced(z, displacement);
    else if constexpr (DisplacementLaw<L>) return law_.advance(z, displacement);
    else return z;
  }
  double cell(double z, const Motion<double>& m, double direction) const {
    if constexpr (requires { law_.law.engage(z, m, direction, Branch<>{}); })
      return law_.law.engage(z, m, direction, {}).cell;
    else return cell_of(law_, z, m, direction);
  }

  M mechanism_;
  L law_;
  State start_{};
  Stage first_, second_;
  long evaluations_ = 0;
};

}  // namespace bristle::testing_machines
