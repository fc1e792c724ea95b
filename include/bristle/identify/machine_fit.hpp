// SPDX-License-Identifier: MIT
// Parameters of a machine from measured motion under measured inputs.
//
//   fit_machine(parts, runs, {.readings = {{"motor"}, {"load"}},
//                             .free = {"body.load.inertia", "contact.bearing.coulomb_force"}});
//
// The machine is simulated under the measured inputs (solve/rollout.hpp), and the differences
// between simulated and measured positions or velocities are made small by least squares. Any
// number of the flat table of the machine may be free: inertias, stiffnesses, parameters of laws,
// gain, bias, lag and delay of an input. Residuals of a reading count in units of their own noise,
// which is found with the parameters. Each run has its own start: positions, velocities and bristle
// states are unknowns beside the shared parameters.
//
// Positive parameters are searched by their logarithms, from the values given and from a
// low-discrepancy set about them. The search runs at fixed steps with exact derivatives, drawn to
// the measured motion less and less; the best is then refined with adaptive runs, whose events are
// located and whose derivatives are differences. Intervals are of 95 % from the
// derivatives at the minimum; where residuals are correlated, variances are multiplied by the
// correlation time in samples, and the result says so. With four runs or more they follow instead
// from how far the parameters would move without one of the runs, each in turn (a jackknife, to
// first order): errors within one run are not independent, whole runs are. A machine that only
// fixed steps can run is fitted with them to the end.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bristle/identify/fit.hpp"
#include "bristle/machine/machine.hpp"
#include "bristle/solve/rollout.hpp"

namespace bristle {

struct MachineRecord {
  std::string name;
  std::vector<double> time;  // [s], increasing
  // Signals by the name of the input, or as COUPLING.SIGNAL ("servo.goal").
  std::map<std::string, std::vector<double>> inputs;
  std::vector<std::vector<double>> readings;  // in the order of the options
  std::map<std::string, double> values{};     // parameters of the machine in this run
};

struct MachineFitOptions {
  std::vector<Reading> readings;
  std::vector<std::string> free;
  std::map<std::string, double> guess;  // where free ones start
  std::map<std::string, std::pair<double, double>> bounds;
  int steps = 4;            // of the search per median time between samples
  double tolerance = 1e-9;  // of the runs in the end, which are adaptive
  int starts = 64;          // beside the values given
  int refined = 4;          // of them
  unsigned seed = 1;        // shifts the set of starts
  int threads = 2;          // the result does not depend on it
  double hold_out = 0.0;    // last part of each run that is not fitted, 0 to 0.9
  std::set<std::string>
      hold_out_runs{};  // by name: predicted from their measured start, not fitted
  // The start of each run is unknown; otherwise it is where it was measured, with the velocities of
  // the machine given.
  bool free_start = true;
  // Errors count by their squares while they are small and by their size beyond their scale, the
  // median of their sizes times 1.48: 2 c^2 (sqrt(1 + (e / c)^2) - 1).
  bool robust = false;
  // Where contacts stick, the cost has small jumps: it is not worth following it further down.
  LeastSquaresOptions solver{.iterations = 60, .cost_tolerance = 1e-6};
  std::function<bool(double)> progress{};  // called with the fraction done; false stops the fit
};

// How well one reading of one run is met, and how well it would be by its own mean.
struct ReadingAgreement {
  std::string run;
  Reading reading;
  Agreement fitted, held_out;
  double mean_absolute = 0.0, at_mean = 0.0;  // over all samples
};

struct MachineFit {
  FitStatus status = FitStatus::not_defined;
  std::string message;
  MachineParts parts;                       // with the values found
  std::vector<FittedParameter> parameters;  // the free ones
  std::vector<double> correlation;          // between them
  std::vector<bool> logarithmic;            // which of them are searched by their logarithms
  std::vector<double> covariance;           // of them, of the logarithms where these are searched
  std::vector<ReadingAgreement> agreements;
  std::vector<double> noise;  // standard deviation of the residuals of each reading
  // Of each run, reading by reading, sample by sample.
  std::vector<std::vector<std::vector<double>>> predicted;
  double cost = 0.0;              // half the sum of squares, in units of the noise
  double correlation_time = 1.0;  // of the residuals, in samples
  bool by_runs = false;           // intervals count runs, not samples
  double step_error = 0.0;        // of fixed steps: how far halved ones move it, in units of noise
  int distinct_minima = 0, evaluations = 0;
  std::vector<std::string> warnings;
  bool converged() const { return status == FitStatus::converged; }
  double of(std::string_view parameter) const;  // its value; throws if there is none
};

// Throws InvalidInput for a name that is not there or has no derivative, for an input that was not
// measured, columns of different length, and times that do not increase.
MachineFit fit_machine(const MachineParts& parts, const std::vector<MachineRecord>& runs,
                       const MachineFitOptions& options);

// Fits without some of the runs, and those runs as predicted by them.
struct MachineFold {
  std::string group;
  std::vector<std::size_t> held_out;  // indices of runs
  MachineFit fit;                     // its predictions hold all runs
};

// Holds out all runs of one group, each group in turn; `groups` names that of each run. The fits
// start as that of all runs does. Throws InvalidInput as fit_machine, and for a single group.
std::vector<MachineFold> cross_validate(const MachineParts& parts,
                                        const std::vector<MachineRecord>& runs,
                                        const std::vector<std::string>& groups,
                                        const MachineFitOptions& options);

}  // namespace bristle
