// SPDX-License-Identifier: MIT
// A machine at fixed steps, read at given times, with the derivatives of what is read with respect
// to its parameters, for fits of machines.
//
//   Rollout rollout(machine, {{"load"}, {"motor", true}}, {"contact.bearing.viscous"});
//   rollout.run(times, 1e-3, values, &slopes);
//
// The steps are those of method "coupled": two implicit stages of order 2, in which every stick
// holds. A parameter is any number of the flat table (machine/parameters.hpp) but ratios of gears
// and belts and the numbers of drives and controllers; starts are parameters as well
// ("body.load.velocity").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bristle/machine/machine.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

struct Reading {
  std::string body;
  bool velocity = false;  // else its position
};

class Rollout {
 public:
  // Throws InvalidInput for a body or parameter that is not there, for one that has no derivative,
  // and for a machine that fixed steps do not support.
  Rollout(const Machine& machine, const std::vector<Reading>& readings,
          const std::vector<std::string>& parameters = {});
  ~Rollout();
  Rollout(Rollout&&) noexcept;

  // Corrects the simulation towards measured values after each time, as an observer with both poles
  // at 1 / samples per sample: a simulation far from the truth stays near the measured motion.
  // Values that are not finite draw nothing. They are time by time, as the values of run().
  void follow(double samples, const std::vector<double>& measured);

  // From the start of the machine at the first time on, in steps of at most `step`. `values` is
  // time by time one number per reading; `slopes`, if given, reading by reading one number per
  // parameter; both before the correction. A run that fails leaves NaN from there on. Stops when
  // all work is cancelled.
  Status run(std::span<const double> times, double step, std::vector<double>& values,
             std::vector<double>* slopes = nullptr);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The same readings by the adaptive method, with events located: `times` begin at 0. Values are NaN
// from where a run fails.
Status read_machine(const Machine& machine, const std::vector<Reading>& readings,
                    std::span<const double> times, double tolerance, std::vector<double>& values);

}  // namespace bristle
