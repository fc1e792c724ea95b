// SPDX-License-Identifier: MIT
// A run and a finer one beside it: the tolerance of a method bounds the error of a step, and only a
// second run tells how far the errors of all steps carry the motion.
#pragma once

#include <type_traits>

#include "bristle/mechanism/prescribed_motion.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle::detail {

// The options of the second run: a tenth of the tolerance that was used, less where that is no
// finer run, or half of a fixed step.
Options finer(const Options& options, const Summary& first);

// The options of the two runs with the progress of both as one.
Options in_part(const Options& options, double from, double part);

// How far two results are apart, over the largest excursion of the first: positions, or forces
// where the motion is given.
double distance(const Simulation& first, const Simulation& second, bool given_motion);
double distance(const Machine& machine, const MachineResult& first, const MachineResult& second);

// Whether a second run is worth its cost; says why not.
bool worth_verifying(const Options& options, Summary& first);
// Puts the outcome of the second run into the summary of the first.
void tell_error(double distance, bool given_motion, const Options& options, const Summary& second,
                Summary& first);

// Runs, and runs again where the options ask for it.
template <class Run, class Distance>
auto verified(const Options& options, bool given_motion, const Run& run, const Distance& apart) {
  if (options.verify == Options::no) return run(options);
  auto first = run(in_part(options, 0.0, 0.4));
  if (!worth_verifying(options, first.summary)) return first;
  const auto second = run(in_part(finer(options, first.summary), 0.4, 0.6));
  if (second.summary.status == Status::cancelled) first.summary.status = Status::cancelled;
  else
    tell_error(second.summary.ok() ? apart(first, second) : -1.0, given_motion, options,
               second.summary, first.summary);
  return first;
}

template <class M, class Run>
Simulation verified_on(const Options& options, const Run& run) {
  constexpr bool given = std::is_same_v<M, PrescribedMotion>;
  return verified(options, given, run,
                  [](const Simulation& a, const Simulation& b) { return distance(a, b, given); });
}

}  // namespace bristle::detail
