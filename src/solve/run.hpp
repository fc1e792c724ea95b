// SPDX-License-Identifier: MIT
// The body of simulate(), instantiated once per mechanism.
#pragma once

#include <chrono>
#include <cmath>

#include "bristle/mechanism/raised.hpp"
#include "bristle/solve/explicit_rk.hpp"
#include "bristle/solve/integrate.hpp"
#include "bristle/solve/integrate_series.hpp"
#include "bristle/solve/simulate.hpp"
#include "machine/short_run.hpp"
#include "run_cvode.hpp"
#include "warnings.hpp"

namespace bristle::detail {

// Refuses what the start of a run gives and nothing would read.
template <class M>
void check_initial(const AnyLaw& law, const Initial& initial) {
  const auto refuse = [](const char* field, double value, const char* unit,
                         const std::string& why) {
    if (value != 0.0)
      throw InvalidInput(field, "initial: " + std::string(field) + " = " + words(value) + " " +
                                    unit + " is not allowed: " + why);
  };
  if (law.set_valued())
    refuse("state", initial.state, "m", std::string(law.name()) + " has no state");
  const std::string mechanism(M::name);
  if constexpr (M::velocity_state != 1) {
    refuse("position", initial.position, "m", mechanism + " gives the motion");
    refuse("velocity", initial.velocity, "m/s", mechanism + " gives the motion");
  }
  if (!law.lift() || law.lift()->prescribed) {
    const std::string why = mechanism + " with " + std::string(law.name()) + " has no height";
    refuse("height", initial.height, "m", why);
    refuse("height_rate", initial.height_rate, "m/s", why);
  }
}

template <class M>
typename M::template State<double> initial_state([[maybe_unused]] const M& mechanism,
                                                 const Initial& initial) {
  typename M::template State<double> y{};
  if constexpr (M::velocity_state == 1) y[0] = initial.position, y[1] = initial.velocity;
  if constexpr (requires(const M& m) { m.first_pressure(); }) y[2] = mechanism.first_pressure();
  if constexpr (requires { M::rate_state; })
    y[M::y_state] = initial.height, y[M::rate_state] = initial.height_rate;
  return y;
}

template <class Sys>
Outcome run_adaptive(const Sys& system, const typename Sys::State& start, const Options& o,
                     StepObserver<Sys>& observer, const AnyLaw& law) {
  StepControl control;
  control.end = o.end;
  control.tolerance = o.tolerance;
  control.step_limit = long(o.step_limit);
  Outcome out;
  long stages = 7;
  bool done = false;
  if constexpr (Sys::set_valued && Sys::moves) {
    if constexpr (SeriesBody<typename Sys::Body>) {
      if (law.expandable() && drive_has_series(system.mechanism())) {
        out.report = integrate_series(system, 0.0, start, control, observer);
        stages = 0;  // one per step
        done = true;
      }
    }
    if (!done && law.by_position()) {
      out.report = integrate<true, Explicit>(system, 0.0, start, control, observer);
      stages = 12;
      done = true;
    }
  }
  if (!done) out.report = integrate<true>(system, 0.0, start, control, observer);
  out.evaluations =
      stages * (out.report.steps + out.report.rejected + out.report.event_steps) + out.report.steps;
  out.work = observer.work;
  return out;
}

// One run over the whole time, at a tolerance that may be less than the one asked for. `extent`
// receives how far each state went, `energy` the largest of the energies.
template <class M, class L>
Simulation run_once(const AnyLaw& law, const System<M, L>& system,
                    const typename System<M, L>::State& start, const Options& asked,
                    double tolerance, typename System<M, L>::State& extent, double& energy) {
  using Sys = System<M, L>;
  Options options = asked;
  options.tolerance = tolerance;
  const M& mechanism = system.mechanism();
  Simulation result;
  Recorder<Sys> record(system, options, start, result.trajectory);
  const Mode first = system.start(0.0, start);
  const double stored_start = system.stored(0.0, start, first);
  const auto began = std::chrono::steady_clock::now();
  StepObserver<Sys> observer{record, options};
  Outcome outcome;
  if (options.method == Options::rosenbrock)
    outcome = run_adaptive(system, start, options, observer, law);
  else if (options.method == Options::cvode)
    outcome = run_cvode<ModedBody<Sys>>(system, start, options, observer);
  else if (options.method == Options::switch_model) {
    if constexpr (Sys::set_valued && Sys::moves)
      outcome = run_cvode<SmoothedBody<Sys>>(system, start, options, observer);
  }
  outcome.error_estimate = outcome.report.error_sum;
  result.summary.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  // A run that ended early is accounted for up to its last sample.
  if (outcome.report.status != Status::done && !result.trajectory.time.empty()) {
    outcome.work[0] = result.trajectory.work_in.back();
    outcome.work[2] = result.trajectory.dissipated.back();
  }
  const double stored_end =
      result.trajectory.stored.empty() ? stored_start : result.trajectory.stored.back();
  if (record.stopped()) outcome.report.status = Status::cancelled;
  if (outcome.report.status != Status::cancelled && record.not_finite) {
    outcome.report.status = Status::not_finite;
    outcome.report.not_finite = record.not_finite;
  }
  extent = record.extent();
  energy = largest_energy(outcome, stored_start, result.trajectory);
  result.summary.releases = record.releases;
  result.summary.released_energy = record.released_energy;
  finish(outcome, stored_start, stored_end, energy, asked, result.summary);
  if (result.summary.tolerance > 0.0) result.summary.tolerance = tolerance;
  if constexpr (requires { mechanism.lift; }) tell_height(mechanism.lift, result);
  return result;
}

// How large a motion is going to be is predicted from the parameters. A run whose motion was much
// smaller is repeated with an error relative to the motion that was found, and one whose ledger
// does not close with smaller tolerances, as long as one of two in succession helps.
template <class M, bool SetValued>
Simulation run(const AnyLaw& law, const M& mechanism, const Options& options) {
  using L = LawRef<SetValued>;
  using Sys = System<M, L>;
  Sys system(mechanism, L{law});
  typename Sys::State start{}, extent{};
  const auto own = initial_state(mechanism, options.initial);
  std::copy(own.begin(), own.end(), start.begin());
  if constexpr (!SetValued) start[Sys::size - 1] = options.initial.state;

  constexpr double finest = 1e-13;
  const bool adaptive = options.method == Options::rosenbrock || options.method == Options::cvode;
  double energy = 0.0, tolerance = options.tolerance;
  Simulation result = run_once(law, system, start, options, tolerance, extent, energy);
  // An error of a step below 1e-16 of the predicted scale is rounding.
  const double step = options.method == Options::cvode ? step_tolerance(tolerance) : tolerance;
  const double least = std::max(1e-12, 1e-16 / step);
  double used = tolerance;
  // A run that left the range of the equations ended where it should.
  const auto ended = [](const Simulation& s) {
    return s.summary.ok() || s.summary.status == Status::out_of_range;
  };
  int idle = 0;          // repetitions since one helped
  bool limited = false;  // whether one that was needed took too many steps
  for (int i = 0; i < 6 && adaptive && ended(result) && idle < 2; ++i) {
    if (!system.learn(extent, energy, least)) {
      if (!options.repeat || result.summary.ledger.closes || tolerance <= finest) break;
      tolerance = std::max(0.1 * tolerance, finest);
    }
    Simulation next = run_once(law, system, start, options, tolerance, extent, energy);
    next.summary.seconds += result.summary.seconds;
    limited = next.summary.status == Status::step_limit && !result.summary.ledger.closes;
    if (next.summary.status != Status::cancelled && !ended(next)) break;
    const bool helps =
        tolerance == used || next.summary.status == Status::cancelled ||
        next.summary.ledger.relative_error < 0.5 * result.summary.ledger.relative_error;
    idle = helps ? 0 : idle + 1;
    if (!helps) continue;
    result = std::move(next);
    used = tolerance;
  }
  if (used < options.tolerance) tell_tolerance(used, result.summary);
  if (limited)
    warn("a repetition with smaller errors takes more steps than step_limit = " +
             words(options.step_limit),
         result.summary);
  if (adaptive)
    warn_of_method(law, system.motion(0.0, start, system.start(0.0, start)).load,
                   ringing(system, start, law.by_position()), time_in_motion(result.trajectory),
                   options, result.summary);
  return result;
}

template <class M>
Simulation simulate_on(const AnyLaw& law, const M& mechanism, const Options& options) {
  validate(mechanism);
  if constexpr (requires { mechanism.signal; }) validate(mechanism.signal);
  validate(options);
  validate(options.initial);
  check_initial<M>(law, options.initial);
  const bool fixed = steps_are_fixed(options);
  const auto lift = law.lift();
  if (fixed && law.single() && (law.remembers() || lift))
    throw InvalidInput("method", "solve: method = \"" +
                                     std::string(Options::methods[options.method]) +
                                     "\" cannot follow the bristles of " + std::string(law.name()) +
                                     ", use rosenbrock or cvode");
  if (!law.single() || fixed) return simulate_as_machine(law, mechanism, options);
  if (options.method == Options::switch_model && (!law.set_valued() || M::velocity_state < 0))
    throw InvalidInput("method",
                       "solve: method = \"switch\" needs a body that moves and a law "
                       "that is set-valued at rest, not " +
                           std::string(law.name()));
  if (lift) {
    if constexpr (!requires { mechanism.mass; }) {
      throw InvalidInput("name", std::string(law.name()) + " carries its body, and " +
                                     std::string(M::name) + " has none that rises");
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
