// SPDX-License-Identifier: MIT
// Identifies the parameters of a law from measured runs, with confidence intervals and warnings.
//
// Starts are found in two ways and the better is kept: in stages (the steady curve from the samples
// that slide, then what bends before sliding, then all together), and from a low-discrepancy set
// over ranges that follow from the data. The best starts are refined by least squares.
//
// Intervals are those of the linearised problem with Student's t, in the terms in which a parameter
// is searched (logarithms for positive ones). Where the cost, with all other parameters fitted
// again, rises otherwise than that predicts, they are those of the profile: the values up to which
// it rises by as much. They end at the bounds, beyond which nothing was searched. They assume
// independent residuals; where these are correlated, variances are multiplied by the correlation
// time in samples, and the summary says so. Where the position has noise the law is fitted along
// the motion as measured and as smoothed (identify/smooth_motion.hpp), and the one along which the
// force is met better is kept. Intervals then come from fits repeated with that noise, and include
// what the noise and the filter move the parameters by (src/identify/noise_study.hpp).
#pragma once

#include <cmath>
#include <map>
#include <set>

#include "bristle/identify/dependence.hpp"
#include "bristle/identify/terms.hpp"

namespace bristle {

// A fit of motion: the mechanism is simulated under the measured input.
struct RolloutOptions {
  std::string mechanism;  // empty: no fit of motion
  Values values;          // of the mechanism, held; the others stay at their defaults
  FitOutput output = FitOutput::position;
  int steps = 4;  // per median time between samples; what they cost in accuracy is in the summary
};

// Parameters of the mechanism are named mechanism.mass and so on; they are held unless freed.
struct FitOptions {
  Values values;                        // of the law: fixed numbers and choices
  std::set<std::string> free;           // held parameters to be fitted as well
  std::map<std::string, double> guess;  // starting values
  std::map<std::string, std::pair<double, double>> bounds;
  bool offset = false;      // a constant is added to the force
  bool asymmetric = false;  // forces of the two directions differ by a factor
  bool backlash = false;    // a gap between the measured motion and a law with a state
  bool steady = false;      // fit the steady curve
  bool robust = false;      // Huber's loss from 1.345 standard deviations on
  int starts = 256;         // of the low-discrepancy set; 0: from the guess only
  int refined = 10;         // of them, by least squares; about half of them find the best minimum
  unsigned seed = 1;        // shifts the set
  int threads = 2;
  double hold_out = 0.0;  // last part of each run that is not fitted, 0 to 0.9
  std::set<std::string> hold_out_runs;
  // Fits repeated with the noise of the position, where there is some: they show how far it moves
  // and scatters the parameters. 0: intervals are those of the force alone.
  int repetitions = 40;
  bool profiles = true;                     // intervals by profile where the cost is not quadratic
  bool forms = true;                        // what offset and asymmetry would gain is tried
  TermOptions terms;                        // mechanics beside the friction, in a measured torque
  std::vector<ConditionColumn> conditions;  // what Record::others hold
  std::vector<DependOption> depends;        // parameters as functions of them
  RolloutOptions rollout;
  DataUnits units;  // of what is said; those of a pendulum are N m and rad
  LeastSquaresOptions solver;
};

struct FittedParameter {
  std::string name, unit, meaning;
  double value = 0.0;
  bool free = false;
  double deviation = 0.0;           // standard deviation
  double lower = 0.0, upper = 0.0;  // 95 % interval
  bool at_bound = false;            // stopped by a bound, without an interval
  bool determined = true;           // the data determine it at least within a factor of two
  double noise_move = 0.0;          // by noise of the position, or by another filter against it
  bool noise_decides = false;       // that is more than the value scatters otherwise
  double widening = 1.0;            // of the deviation by that noise
  // The bounds it was searched within, from the law and the data or as given.
  double least = -INFINITY, most = INFINITY;
  bool by_profile = false;                      // the interval follows the profile of the cost
  bool open_below = false, open_above = false;  // up to the bound the data set no limit

  // The interval ends at a bound, where nothing else ends it.
  bool no_lower_limit() const { return open_below || lower <= least; }
  bool no_upper_limit() const { return open_above || upper >= most; }
};

// The agreement of predictions with the measurement, in its unit.
struct Agreement {
  long samples = 0;
  double rmse = 0.0;
  double nrmse = 0.0;  // over the range of what was measured
  double r2 = 0.0;     // 1 - squared errors / squared deviations from the mean
  double worst = 0.0;
};

// The same of one run.
struct RunAgreement {
  std::string run;
  Agreement fitted, held_out;
};

// Something beside the law that was tried after the fit, from where it ended.
struct TriedForm {
  std::string option;   // that fits it, "--offset"
  std::string meaning;  // "a constant beside the force"
  double error = 0.0;   // root mean square, on held-out samples if there are any
};

struct FitSummary {
  FitStatus status = FitStatus::not_defined;
  std::string message;
  std::string law;
  Values values;            // of the law, ready to be run
  Values mechanism;         // of the mechanism of a rollout
  double step_error = 0.0;  // of a rollout: how far halved steps move it, root mean square
  std::vector<FittedParameter> parameters;
  std::vector<std::string> unknowns;  // names of the free parameters
  std::vector<double> correlation;    // between them
  // Of the unknowns behind them, in the terms they are searched in (fit_problem.hpp); zero where a
  // bound stopped one.
  std::vector<double> covariance;
  Agreement fitted, held_out;
  std::vector<RunAgreement> runs;
  std::vector<TriedForm> tried;
  // Baselines, on the held-out samples if there are any: a constant; a force by the sign of the
  // velocity, in a rollout a straight line of the input.
  Agreement constant, coulomb;
  double aic = 0.0, bic = 0.0;
  double correlation_time = 1.0;  // of the residuals, in samples
  bool white = true;              // Ljung-Box over 20 lags at 95 %
  double widened = 1.0;           // the intervals, for residuals that are not white
  int repeated = 0;               // fits with the noise of the position, for the intervals
  int distinct_minima = 0;        // among the refined starts
  int evaluations = 0;
  std::vector<std::string> warnings;
  std::string unusable;   // why the fit must not be used, empty if there is no such reason
  FitProblem problem;     // as solved
  std::vector<double> x;  // the unknowns found
  bool converged() const { return status == FitStatus::converged; }
  double of(std::string_view parameter) const;  // its value; throws if there is none
};

// The problem of a fit before it is solved: parameters with bounds and ranges of search.
FitProblem make_problem(std::string_view law, std::vector<Track> runs, const FitOptions& options);
FitSummary fit(std::string_view law, std::vector<Track> runs, const FitOptions& options = {});

// The cost above its minimum along one parameter, the others fitted again at each value.
struct ProfilePoint {
  double value, rise;  // rise of the sum of squares over the residual variance
};
struct Profile {
  std::string parameter;
  std::vector<ProfilePoint> points;
  double lower = 0.0, upper = 0.0;              // 95 %, where it is closed
  bool open_below = false, open_above = false;  // the data set no limit on that side
};
Profile profile(const FitSummary& fit, std::string_view parameter, int points = 21);

}  // namespace bristle
