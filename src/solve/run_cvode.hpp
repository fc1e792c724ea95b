// SPDX-License-Identifier: MIT
// Runs by CVODE: the second opinion with located events, and the Switch Model without.
#pragma once

#include <algorithm>
#include <cmath>

#include "bristle/scalar/dual.hpp"
#include "bristle/solve/recorder.hpp"
#include "cvode.hpp"
#include "outcome.hpp"

namespace bristle::detail {

// The states at the head of states and quadratures.
template <class Sys>
typename Sys::State first_states(const double* y) {
  typename Sys::State s;
  std::copy(y, y + Sys::size, s.begin());
  return s;
}

// The absolute errors allowed per step. Quadratures are followed with the accuracy of the energy of
// the run. A body held by a bristle moves as little as the bristle does: there position, velocity
// and deflection are followed to a small part of the deflection.
template <class Sys>
auto allowed_errors(const Sys& system, double tolerance, double longest) {
  const auto scale = system.scales();
  std::array<double, Sys::size + 3> all;
  all.fill(tolerance * system.energy_scale());
  for (int i = 0; i < Sys::size; ++i) all[i] = tolerance * scale[i];
  if constexpr (!Sys::set_valued && Sys::moves) {
    const double deflection = 1e-2 * all[Sys::size - 1];
    all[Sys::size - 1] = deflection;
    all[0] = std::min(all[0], deflection);
    all[1] = std::min(all[1], deflection / longest);
  }
  return all;
}

// Says how a step that did not succeed ended the run.
template <class Sys>
void give_up(Cvode::Outcome outcome, const Cvode& method, const Sys& system, double t,
             const typename Sys::State& y, const Mode& mode, StepReport& report) {
  report.status = outcome == Cvode::Outcome::stopped  ? Status::cancelled
                  : outcome == Cvode::Outcome::failed ? Status::failed
                                                      : Status::step_limit;
  if (report.status != Status::failed) return;
  std::string_view column = method.not_finite() >= 0 ? not_finite_after(system, t, y, mode)
                                                     : not_finite_at(system, t, y, mode);
  if (column.empty() && method.not_finite() >= 0) column = state_column<Sys>(method.not_finite());
  if (column.empty()) return;
  report.status = Status::not_finite;
  report.not_finite = {column, t};
}

inline void count(const Cvode& method, Outcome& out) {
  out.report.steps = method.steps();
  out.report.rejected = method.rejected();
  out.evaluations = method.evaluations();
}

template <class Sys>
Outcome run_cvode(const Sys& system, const typename Sys::State& start, const Options& o,
                  Recorder<Sys>& record) {
  constexpr int N = Sys::size, All = N + 3;
  Mode mode = system.start(0.0, start);
  const double longest = std::min(system.longest_step(), o.end / 10.0);
  const double tolerance = step_tolerance(o.tolerance);
  auto absolute = allowed_errors(system, tolerance, longest);
  // Friction that falls with speed makes an error of a body that breaks away grow with its
  // velocity.
  if constexpr (Sys::set_valued && Sys::moves) absolute[1] *= 1e-2;
  const auto states = [](const double* y) { return first_states<Sys>(y); };
  CvodeProblem problem;
  problem.size = All;
  problem.guard_count = Sys::guards;
  problem.rates = [&](double t, const double* y, double* dydt) {
    typename Sys::State rate{};
    std::array<double, 3> power{};
    system.evaluate(t, states(y), mode, rate, power);
    std::copy(rate.begin(), rate.end(), dydt);
    std::copy(power.begin(), power.end(), dydt + N);
  };
  problem.jacobian = [&](double t, const double* y, double* jacobian) {
    using D = Dual<double, N + 1>;
    std::array<D, N> at{}, rate{};
    std::array<D, 3> power{};
    for (int i = 0; i < N; ++i) at[i] = variable<N + 1>(y[i], i);
    system.evaluate(D(t), at, mode, rate, power);
    std::fill(jacobian, jacobian + All * All, 0.0);
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) jacobian[j * All + i] = rate[i].slope[j];
      for (int i = 0; i < 3; ++i) jacobian[j * All + N + i] = power[i].slope[j];
    }
  };
  problem.guards = [&](double t, const double* y, double* g) {
    for (int i = 0; i < Sys::guards; ++i) g[i] = system.guard(i, t, states(y), mode);
    // A velocity that falls below zero by less than its error may as well not: as a body breaks
    // away, its velocity is zero to rounding, of either sign.
    if constexpr (Sys::moves)
      if (!(Sys::set_valued && mode.stuck())) g[0] += 1e-2 * absolute[1];
  };
  double t = 0.0;
  problem.stopped = [&] { return o.cancelled(t / o.end); };

  std::array<double, All> y{};
  std::copy(start.begin(), start.end(), y.begin());
  Cvode method(problem, 0.0, y, tolerance, absolute);
  method.limit_step(longest);

  Outcome out;
  const auto works = [&] { return std::array<double, 3>{y[N], y[N + 1], y[N + 2]}; };
  // Pieces of the law that end at this very instant would never be seen to: CVODE looks for
  // crossings.
  const auto pass = [&](typename Sys::State& at) {
    for (int i = 0; i < 100 && system.guard(1, t, at, mode) <= 0.0; ++i) {
      const Mode before = mode;
      mode = system.after(1, t, at, mode);
      if constexpr (!Sys::set_valued)
        y[N + 2] += system.stored(t, at, before) - system.stored(t, at, mode);
      record.event(1, t, at, before, mode);
      ++out.report.events;
    }
  };
  auto first = start;
  pass(first);
  if (record.next_sample() <= 0.0) record.sample(0.0, states(y.data()), works(), mode);
  long turns = 0;
  Pacer looks;
  while (t < o.end) {
    if (looks.due() && o.cancelled(t / o.end)) {
      out.report.status = Status::cancelled;
      break;
    }
    const double kink = system.next_kink(t);
    // A sample within rounding of a kink is taken at the kink, or the kink would be stepped over.
    double target = std::min(record.next_sample(), o.end);
    if (kink <= target + 1e-12 * std::abs(target)) target = kink;
    int guard = -1;
    const double before = t;
    const auto was = states(y.data());
    const auto outcome = method.advance(target, t, y, guard);
    out.error_estimate += std::abs(method.local_errors()[0]);
    if (outcome == Cvode::Outcome::failed || outcome == Cvode::Outcome::stopped ||
        method.steps() > long(o.step_limit)) {
      give_up(outcome, method, system, t, states(y.data()), mode, out.report);
      break;
    }
    const auto now = states(y.data());
    record.extend(now);
    const auto at = between(system, before, t - before, was, now, mode);
    record.section(before, t - before, mode, at);
    record.watch(before, t - before, mode, at);
    if (outcome == Cvode::Outcome::guard) {
      auto at = states(y.data());
      const Mode old = mode;
      mode = system.after(guard, t, at, mode);
      if constexpr (!Sys::set_valued)
        y[N + 2] += system.stored(t, at, old) - system.stored(t, at, mode);
      std::copy(at.begin(), at.end(), y.begin());
      record.event(guard, t, at, old, mode);
      ++out.report.events;
      pass(at);
      if (guard == 2) {
        out.report.status = Status::out_of_range;
        break;
      }
      method.restart(t, y);
    }
    if (t >= record.next_sample() - 1e-12 * std::abs(t))
      record.sample(t, states(y.data()), works(), mode);
    // An event within rounding of a kink of the drive is at the kink, which is not met again.
    if (t >= kink || system.next_kink(t) > kink) {
      record.mark(t, works()[0]);
      mode = system.start(t, states(y.data()), mode);
      method.restart(t, y);
    }
    // A body at rest that left its direction at once is turned round.
    turns = t - before <= 1e-13 * o.end ? turns + 1 : 0;
    if (turns > 1000) {
      out.report.status = Status::chattering;
      break;
    }
  }
  count(method, out);
  out.report.time = t;
  out.work = works();
  return out;
}

// The smoothed equations of the Switch Model, by CVODE with differences for the Jacobian.
template <class Sys>
Outcome run_switch(const Sys& system, const typename Sys::State& start, const Options& o,
                   Recorder<Sys>& record) {
  constexpr int N = Sys::size, All = N + 3;
  const auto states = [](const double* y) { return first_states<Sys>(y); };
  CvodeProblem problem;
  problem.size = All;
  problem.rates = [&](double t, const double* y, double* dydt) {
    typename Sys::State rate{};
    std::array<double, 3> power{};
    system.switched(t, states(y), o.switch_band, o.switch_time, rate, power);
    std::copy(rate.begin(), rate.end(), dydt);
    std::copy(power.begin(), power.end(), dydt + N);
  };
  double t = 0.0;
  problem.stopped = [&] { return o.cancelled(t / o.end); };
  std::array<double, All> y{};
  std::copy(start.begin(), start.end(), y.begin());
  const double longest = std::min(system.longest_step(), o.end / 10.0);
  auto absolute = allowed_errors(system, o.tolerance, longest);
  // Errors must be well below the band, or steps jump over it.
  absolute[1] = std::min(absolute[1], 0.1 * o.switch_band);
  Cvode method(problem, 0.0, y, o.tolerance, absolute);
  method.limit_step(longest);

  Outcome out;
  const auto works = [&] { return std::array<double, 3>{y[N], y[N + 1], y[N + 2]}; };
  const auto mode = [&] {
    const auto now = states(y.data());
    Mode m = system.start(t, now);
    if (std::abs(now[1]) <= o.switch_band) m.branch.direction = 0.0;
    return m;
  };
  if (record.next_sample() <= 0.0) record.sample(0.0, states(y.data()), works(), mode());
  Pacer looks;
  while (t < o.end) {
    double target = std::min(record.next_sample(), o.end);
    const double kink = system.next_kink(t);
    if (kink <= target + 1e-12 * std::abs(target)) target = kink;
    int guard = -1;
    if (looks.due() && o.cancelled(t / o.end)) {
      out.report.status = Status::cancelled;
      break;
    }
    const auto outcome = method.advance(target, t, y, guard);
    if (outcome != Cvode::Outcome::reached || method.steps() > long(o.step_limit)) {
      give_up(outcome, method, system, t, states(y.data()), mode(), out.report);
      break;
    }
    out.error_estimate += std::abs(method.local_errors()[0]);
    record.mark(t, works()[0]);
    if (t >= record.next_sample() - 1e-12 * std::abs(t))
      record.sample(t, states(y.data()), works(), mode());
  }
  count(method, out);
  out.report.time = t;
  out.work = works();
  return out;
}

}  // namespace bristle::detail
