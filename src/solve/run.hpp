// SPDX-License-Identifier: MIT
// The body of simulate(), instantiated once per mechanism.
#pragma once

#include <chrono>
#include <cmath>

#include "bristle/mechanism/raised.hpp"
#include "bristle/solve/coupled_step.hpp"
#include "bristle/solve/explicit_rk.hpp"
#include "bristle/solve/integrate.hpp"
#include "bristle/solve/recorder.hpp"
#include "bristle/solve/simulate.hpp"
#include "cvode.hpp"

namespace bristle::detail {

template <class M>
typename M::template State<double> initial_state(const M&, const Initial& initial) {
  typename M::template State<double> y{};
  if constexpr (M::velocity_state == 1) y[0] = initial.position, y[1] = initial.velocity;
  if constexpr (requires { M::rate_state; })
    y[M::y_state] = initial.height, y[M::rate_state] = initial.height_rate;
  return y;
}

// Feeds a Recorder from the adaptive integrator.
template <class Sys>
struct StepObserver {
  Recorder<Sys>& record;
  const Options& options;
  double reached = 0.0;
  std::array<double, 3> work{};

  template <class Method>
  void step(const Method& method, const Mode& mode, double t, double h) {
    const auto at = [&](double s) { return Method::states(method.dense(s)); };
    for (double next = record.next_sample(); next <= t + h; next = record.next_sample()) {
      const double s = h > 0.0 ? std::clamp((next - t) / h, 0.0, 1.0) : 1.0;
      const auto y = method.dense(s);
      record.sample(next, Method::states(y), powers_of<Method>(y), mode);
    }
    record.section(t, h, mode, at);
    if (!options.watches.empty()) record.watch(t, h, mode, at);
    reached = t + h;
    work = powers_of<Method>(method.y1());
    record.mark(reached, work[0]);
  }
  void event(int index, double t, const typename Sys::State& y, const Mode& before,
             const Mode& after) {
    record.event(index, t, y, before, after);
  }
  bool cancelled() const { return options.progress && !options.progress(reached / options.end); }

  template <class Method>
  static std::array<double, 3> powers_of(const typename Method::Extended& y) {
    return {y[Method::N], y[Method::N + 1], y[Method::N + 2]};
  }
};

// The state between two instants, by cubics through the states and their rates.
template <class Sys>
auto between(const Sys& system, double t, double h, const typename Sys::State& from,
             const typename Sys::State& to, const Mode& mode) {
  typename Sys::State first{}, last{};
  std::array<double, 3> power{};
  system.evaluate(t, from, mode, first, power);
  system.evaluate(t + h, to, mode, last, power);
  return [=](double s) {
    typename Sys::State y{};
    for (int i = 0; i < Sys::size; ++i) {
      const double rise = to[i] - from[i];
      y[i] = from[i] + s * rise +
             s * (1.0 - s) * ((1.0 - s) * (h * first[i] - rise) - s * (h * last[i] - rise));
    }
    return y;
  };
}

struct Outcome {
  StepReport report;
  long evaluations = 0;
  double error_estimate = 0.0;
  std::array<double, 3> work{};
};

template <class Sys>
Outcome run_adaptive(const Sys& system, const typename Sys::State& start, const Options& o,
                     Recorder<Sys>& record, bool smooth) {
  StepControl control;
  control.end = o.end;
  control.tolerance = o.tolerance;
  control.step_limit = long(o.step_limit);
  StepObserver<Sys> observer{record, o};
  Outcome out;
  long stages = 7;
  if constexpr (Sys::set_valued && Sys::moves) {
    if (smooth) out.report = integrate<true, Explicit>(system, 0.0, start, control, observer);
    else out.report = integrate<true>(system, 0.0, start, control, observer);
    if (smooth) stages = 12;
  } else {
    out.report = integrate<true>(system, 0.0, start, control, observer);
  }
  out.evaluations =
      stages * (out.report.steps + out.report.rejected + out.report.event_steps) + out.report.steps;
  out.error_estimate = out.report.error_sum;
  out.work = observer.work;
  return out;
}

template <class Sys>
Outcome run_cvode(const Sys& system, const typename Sys::State& start, const Options& o,
                  Recorder<Sys>& record) {
  constexpr int N = Sys::size, All = N + 3;
  Mode mode = system.start(0.0, start);
  const auto states = [](const double* y) {
    typename Sys::State s;
    for (int i = 0; i < N; ++i) s[i] = y[i];
    return s;
  };
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
  };

  // Quadratures are followed with the accuracy of the energy of the run.
  const auto scale = system.scales();
  std::array<double, All> y{}, absolute{};
  std::copy(start.begin(), start.end(), y.begin());
  for (int i = 0; i < N; ++i) absolute[i] = o.tolerance * scale[i];
  for (int i = N; i < All; ++i) absolute[i] = o.tolerance * system.energy_scale();
  Cvode method(problem, 0.0, y, o.tolerance, absolute);
  const double longest = std::min(system.longest_step(), o.end / 10.0);
  method.limit_step(longest);

  Outcome out;
  double t = 0.0;
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
  while (t < o.end) {
    if (o.progress && !o.progress(t / o.end)) {
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
    if (outcome == Cvode::Outcome::failed || method.steps() > long(o.step_limit)) {
      out.report.status = outcome == Cvode::Outcome::failed ? Status::failed : Status::step_limit;
      break;
    }
    const auto now = states(y.data());
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
    if (t >= kink) {
      record.mark(t, works()[0]);
      mode = system.start(t, states(y.data()), mode);
      method.restart(t, y);
    }
    // A body at rest that left its direction at once is turned round.
    if (t == before && ++turns > 1000) {
      out.report.status = Status::chattering;
      break;
    }
  }
  out.report.steps = method.steps();
  out.report.rejected = method.rejected();
  out.evaluations = method.evaluations();
  out.report.time = t;
  out.work = works();
  return out;
}

// The smoothed equations of the Switch Model, by CVODE with differences for the Jacobian.
template <class Sys>
Outcome run_switch(const Sys& system, const typename Sys::State& start, const Options& o,
                   Recorder<Sys>& record) {
  constexpr int N = Sys::size, All = N + 3;
  const auto states = [](const double* y) {
    typename Sys::State s;
    for (int i = 0; i < N; ++i) s[i] = y[i];
    return s;
  };
  CvodeProblem problem;
  problem.size = All;
  problem.rates = [&](double t, const double* y, double* dydt) {
    typename Sys::State rate{};
    std::array<double, 3> power{};
    system.switched(t, states(y), o.switch_band, o.switch_time, rate, power);
    std::copy(rate.begin(), rate.end(), dydt);
    std::copy(power.begin(), power.end(), dydt + N);
  };
  const auto scale = system.scales();
  std::array<double, All> y{}, absolute{};
  std::copy(start.begin(), start.end(), y.begin());
  for (int i = 0; i < N; ++i) absolute[i] = o.tolerance * scale[i];
  for (int i = N; i < All; ++i) absolute[i] = o.tolerance * system.energy_scale();
  // Errors must be well below the band, or steps jump over it.
  absolute[1] = std::min(absolute[1], 0.1 * o.switch_band);
  Cvode method(problem, 0.0, y, o.tolerance, absolute);
  method.limit_step(std::min(system.longest_step(), o.end / 10.0));

  Outcome out;
  double t = 0.0;
  const auto works = [&] { return std::array<double, 3>{y[N], y[N + 1], y[N + 2]}; };
  const auto mode = [&] {
    const auto now = states(y.data());
    Mode m = system.start(t, now);
    if (std::abs(now[1]) <= o.switch_band) m.branch.direction = 0.0;
    return m;
  };
  if (record.next_sample() <= 0.0) record.sample(0.0, states(y.data()), works(), mode());
  while (t < o.end && out.report.status == Status::done) {
    double target = std::min(record.next_sample(), o.end);
    const double kink = system.next_kink(t);
    if (kink <= target + 1e-12 * std::abs(target)) target = kink;
    int guard = -1;
    if (o.progress && !o.progress(t / o.end)) out.report.status = Status::cancelled;
    else if (method.advance(target, t, y, guard) == Cvode::Outcome::failed)
      out.report.status = Status::failed;
    else if (method.steps() > long(o.step_limit)) out.report.status = Status::step_limit;
    if (out.report.status != Status::done) break;
    out.error_estimate += std::abs(method.local_errors()[0]);
    record.mark(t, works()[0]);
    if (t >= record.next_sample() - 1e-12 * std::abs(t))
      record.sample(t, states(y.data()), works(), mode());
  }
  out.report.steps = method.steps();
  out.report.rejected = method.rejected();
  out.evaluations = method.evaluations();
  out.report.time = t;
  out.work = works();
  return out;
}

// Fixed steps of the coupled kind, or with the exact bristle and an explicit body.
template <class M, class L>
Outcome run_fixed(const System<M, L>& system, const M& mechanism, const L& law,
                  const typename System<M, L>::State& start, const Options& o,
                  Recorder<System<M, L>>& record) {
  using Sys = System<M, L>;
  Outcome out;
  auto y = start;
  std::array<double, 3> work{};
  const long count = std::max(1L, std::lround(o.end / o.step));
  const double h = o.end / double(count);
  Mode mode = system.start(0.0, y);
  if (record.next_sample() <= 0.0) record.sample(0.0, y, work, mode);

  const auto account = [&](double t, const typename Sys::State& at, double force, double loss,
                           double weight) {
    std::array<double, M::size> own{};
    for (int i = 0; i < M::size; ++i) own[i] = at[i];
    const int piece = mechanism.piece(t);
    work[0] += weight * mechanism.power_in(t, own, force, piece);
    work[1] += weight * force * mechanism.motion(t, own, piece).velocity;
    work[2] += weight * loss;
  };

  for (long n = 0; n < count; ++n) {
    const double t = double(n) * h;
    const double end = n + 1 == count ? o.end : double(n + 1) * h;
    const auto was = y;
    const Mode before = mode;
    if constexpr (!Sys::moves) {
      // Given motion: the bristle follows exactly with the velocity of the middle of the step.
      const double middle = t + 0.5 * h;
      const int piece = mechanism.piece(middle);
      const auto m = mechanism.motion(middle, {}, piece);
      auto at = y;
      if constexpr (!Sys::set_valued) {
        at[0] = law.law.advance(y[0], m, 0.5 * h);
        y[0] = law.law.advance(y[0], m, h);
      }
      const auto branch =
          law.law.engage(Sys::set_valued ? 0.0 : at[0], m, sign(m.velocity), mode.branch);
      const auto r = law.law.respond(Sys::set_valued ? 0.0 : at[0], m, branch);
      account(middle, at, r.force, r.dissipation, h);
      ++out.evaluations;
    } else if (o.method == Options::coupled || Sys::set_valued) {
      CoupledStep<M, L> method(mechanism, law);
      method.step(t, h, y);
      out.evaluations += method.evaluations();
      account(t + CoupledStep<M, L>::gamma * h, method.first().y, method.first().friction,
              method.first().dissipation, (1.0 - CoupledStep<M, L>::gamma) * h);
      account(end, method.second().y, method.second().friction, method.second().dissipation,
              CoupledStep<M, L>::gamma * h);
    } else if constexpr (!Sys::set_valued) {
      const Mode now{{sign(y[1]), 0.0}, mechanism.piece(t)};
      const auto m = system.motion(t, y, now);
      y[2] = law.law.advance(y[2], m, h);
      const auto branch = law.law.engage(y[2], m, sign(m.velocity), mode.branch);
      const auto r = law.law.respond(y[2], m, branch);
      std::array<double, 2> own{y[0], y[1]}, rate{};
      mechanism.rates(t, own, r.force, now.piece, rate);
      account(t, y, r.force, r.dissipation, h);
      y[1] += h * rate[1];
      y[0] += h * y[1];
      ++out.evaluations;
    }
    mode = system.start(end, y, mode);
    if constexpr (Sys::set_valued && Sys::moves) {
      mode.branch.direction = sign(y[1]);
      if (mode.stuck() != before.stuck()) record.event(0, end, y, before, mode);
      out.report.events += mode.stuck() != before.stuck();
    }
    const auto at = between(system, t, h, was, y, mode);
    record.section(t, h, mode, at);
    record.watch(t, h, mode, at);
    // Samples fall on the step that ends nearest after them.
    while (record.next_sample() <= end * (1.0 + 1e-14)) record.sample(end, y, work, mode);
    ++out.report.steps;
    if ((n & 4095) == 0 && o.progress && !o.progress(end / o.end)) {
      out.report.status = Status::cancelled;
      break;
    }
    bool finite = true;
    for (const double value : y) finite = finite && std::isfinite(value);
    if (!finite) {
      out.report.status = Status::failed;
      break;
    }
    out.report.time = end;
  }
  out.work = work;
  return out;
}

void finish(const Outcome& outcome, double stored_start, double stored_end, const Options& options,
            Summary& summary);
// Adds to the message where a body carried by bristles was where they do not reach.
void tell_height(const Lift& lift, Simulation& result);

template <class M, bool SetValued>
Simulation run(const AnyLaw& law, const M& mechanism, const Options& options) {
  using L = LawRef<SetValued>;
  using Sys = System<M, L>;
  const L ref{law};
  const Sys system(mechanism, ref);
  typename Sys::State start{};
  const auto own = initial_state(mechanism, options.initial);
  std::copy(own.begin(), own.end(), start.begin());
  if constexpr (!SetValued) start[Sys::size - 1] = options.initial.state;

  Simulation result;
  Recorder<Sys> record(system, options, result.trajectory);
  const Mode first = system.start(0.0, start);
  const double stored_start = system.stored(0.0, start, first);
  const auto began = std::chrono::steady_clock::now();
  Outcome outcome;
  if (options.method == Options::rosenbrock)
    outcome = run_adaptive(system, start, options, record, law.by_position());
  else if (options.method == Options::cvode) outcome = run_cvode(system, start, options, record);
  else if (options.method == Options::switch_model) {
    if constexpr (Sys::set_valued && Sys::moves)
      outcome = run_switch(system, start, options, record);
  } else {
    if constexpr (!requires { mechanism.lift; })
      outcome = run_fixed(system, mechanism, ref, start, options, record);
  }
  result.summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  // A run that ended early is accounted for up to its last sample.
  if (outcome.report.status != Status::done && !result.trajectory.time.empty()) {
    outcome.work[0] = result.trajectory.work_in.back();
    outcome.work[2] = result.trajectory.dissipated.back();
  }
  const double stored_end =
      result.trajectory.stored.empty() ? stored_start : result.trajectory.stored.back();
  finish(outcome, stored_start, stored_end, options, result.summary);
  result.summary.releases = record.releases;
  result.summary.released_energy = record.released_energy;
  if constexpr (requires { mechanism.lift; }) tell_height(mechanism.lift, result);
  return result;
}

template <class M>
Simulation simulate_on(const AnyLaw& law, const M& mechanism, const Options& options) {
  validate(mechanism);
  if constexpr (requires { mechanism.signal; }) validate(mechanism.signal);
  validate(options);
  validate(options.initial);
  const bool fixed = options.method == Options::coupled || options.method == Options::bristle_only;
  const auto lift = law.lift();
  if (fixed && (law.remembers() || lift))
    throw InvalidInput("method", "solve: method = \"" +
                                     std::string(Options::methods[options.method]) +
                                     "\" cannot follow the bristles of " + std::string(law.name()) +
                                     ", use rosenbrock or cvode");
  if (options.method == Options::switch_model && (!law.set_valued() || M::velocity_state < 0))
    throw InvalidInput("method",
                       "solve: method = \"switch\" needs a body that moves and a law "
                       "that is set-valued at rest, not " +
                           std::string(law.name()));
  if (lift) {
    if constexpr (M::velocity_state < 0) {
      throw InvalidInput("name", std::string(law.name()) +
                                     " carries its body, which prescribed_motion does not have");
    } else if (lift->prescribed) {
      return run<PrescribedHeight<M>, true>(law, PrescribedHeight<M>{{mechanism, *lift}}, options);
    } else {
      return run<RaisedBody<M>, true>(law, RaisedBody<M>{{mechanism, *lift}}, options);
    }
  }
  return law.set_valued() ? run<M, true>(law, mechanism, options)
                          : run<M, false>(law, mechanism, options);
}

}  // namespace bristle::detail
