// SPDX-License-Identifier: MIT
// Parameters of a servo pendulum from measured runs, by the error of free rollouts.
//
// Minimises the mean over runs and samples of 2 c^2 (sqrt(1 + (e / c)^2) - 1), e the error of
// position and c robust_scale: e^2 for small errors, 2 c |e| for large ones. Starts are taken from
// a Halton set over the allowed range (halved about the default; a factor of four either way where
// the range is not bounded), ranked by the cost of their rollouts, and the best are refined by
// Levenberg and Marquardt's method, reweighted each time, inside the bounds of the field tables;
// parameters that must be positive are fitted in their logarithm. Derivatives come with the rollout
// (servo_rollout.hpp). Stops that appear and vanish make the cost jump, so a refined start ends at
// a minimum nearby; several are needed.
//
// Intervals are of 95 %, from the derivatives at the minimum, with whole runs as the independent
// observations: how far the parameters would move with one run left out, each in turn, to first
// order. Errors within one run are far from independent, and intervals that count samples would be
// too short. There is none for a parameter at a bound, for one the data do not determine, and for
// fewer than four runs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bristle/identify/fit.hpp"
#include "bristle/identify/servo_run.hpp"
#include "bristle/mechanism/servo_pendulum.hpp"
#include "bristle/model/gear_friction.hpp"

namespace bristle {

template <class T = double>
struct ServoModel {
  ServoPendulum<T> pendulum{};
  GearFriction<T> friction{};
};

struct ServoFitOptions {
  std::vector<std::string> free;  // fields of the gear, and mechanism.NAME of the pendulum
  double step = 2e-3;             // half a sample; servo_step_error says what it costs
  double robust_scale = 0.02;     // [rad] some thirteen steps of the encoder
  int starts = 64;                // beside the model given
  unsigned seed = 1;              // which stretch of the set of starts is taken
  int refined = 4;                // of the starts
  int iterations = 40;            // each, most of them end earlier
  double tolerance = 1e-4;        // relative change of the cost at which a refinement ends
  int threads = 1;                // for starts and folds; the result does not depend on it
  // Told the part that is done, from any of the threads; the fit stops once it says false.
  std::function<bool(double)> progress;
};

struct ServoFit {
  ServoModel<> model;
  FitStatus status = FitStatus::iterations_used_up;
  std::string message;
  double cost = 0.0;           // [rad2]
  double mean_absolute = 0.0;  // [rad], mean over runs, as is the next
  double root_mean_square = 0.0;
  std::vector<FittedParameter> estimates;  // of the free ones; no interval: limits are no numbers
  std::vector<double> refined_costs;       // of each refined start, best first
  long rollouts = 0;                       // of one run, with or without derivatives
  std::vector<std::string> warnings;       // what to doubt, in sentences
  bool converged() const { return status == FitStatus::converged; }
};

// Throws InvalidInput for a name that is no field, for no runs, and for values out of bounds.
ServoFit fit_servo(std::span<const ServoRun> runs, const ServoModel<>& start,
                   const ServoFitOptions& options);

// All parameters of a fit in the order of their tables, the gear first; those held as such.
std::vector<FittedParameter> all_estimates(const ServoFit& fit);

// The error of free rollouts of each run.
std::vector<ServoError> servo_errors(std::span<const ServoRun> runs, const ServoModel<>& model,
                                     double step);

// The mean over runs of the mean distance between rollouts with the step and with a quarter of it.
double servo_step_error(std::span<const ServoRun> runs, const ServoModel<>& model, double step);

// Derivatives of the positions of one run with respect to the named fields, row by row: with the
// rollout, or by central differences of the given relative width.
std::vector<double> servo_derivatives(const ServoRun& run, const ServoModel<>& model,
                                      std::span<const std::string> names, double step,
                                      double difference = 0.0);

// Fits without some of the runs, and the errors of those.
struct ServoFold {
  std::vector<int> held_out;  // indices of runs
  ServoFit fit;
  std::vector<ServoError> errors;  // of the held-out runs
};

// Holds out all runs of one kind, each kind in turn.
std::vector<ServoFold> cross_validate_servo(std::span<const ServoRun> runs,
                                            const ServoModel<>& start,
                                            const ServoFitOptions& options);

}  // namespace bristle
