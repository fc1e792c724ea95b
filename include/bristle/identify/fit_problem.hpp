// SPDX-License-Identifier: MIT
// A friction law against measurements: residuals and their derivatives.
//
//   direct, steady   residual = offset + F (1 + asymmetry sign(F)) + terms - measured force
//   rollout          residual = predicted - measured position or velocity
//
// direct: F is the force of the law driven along the measured motion by its exact update
// (model/advance.hpp); steady: its steady force at the measured velocity. rollout: the body of a
// mechanism moves under its input and that friction, and after the first sample nothing measured
// enters but the input.
//
// The terms are in proportion to unknown factors: mechanics around the friction
// (identify/terms.hpp).
//
// The state each run starts from is an unknown of its own, in units of state_scale(); in a rollout
// so are its first position and velocity, around the measured ones. Positive parameters of unknown
// size are searched by their logarithms; one that must not be less than another by its excess over
// that one.
//
// The derivatives are exact for the samples given: forward derivatives carried through the steps.
// Where a law has pieces they are those of the piece taken.
#pragma once

#include <cmath>
#include <functional>
#include <memory>

#include "bristle/identify/least_squares.hpp"
#include "bristle/identify/record.hpp"
#include "bristle/model/describe.hpp"

namespace bristle {

struct FitParameter {
  std::string name, unit;
  double value = 0.0;                         // where it starts, or stays
  double lower = 0.0, upper = 0.0;            // of what is searched: see `logarithmic` and `above`
  double search_from = 0.0, search_to = 0.0;  // where starts are drawn, in the same terms
  bool free = false;
  bool logarithmic = false;
  int above = -1;            // the parameter it is counted from, -1: from zero
  std::string meaning;       // in words
  int term = -1;             // the term it is the factor of, -1: of none
  bool coefficient = false;  // of a dependence, see identify/dependence.hpp
};

// How a parameter depends on a column (identify/dependence.hpp).
enum class DependenceForm { linear, quadratic, exponential };
struct Dependence {
  int parameter = -1;  // -1: the whole force of the law
  int column = 0;      // of the conditions
  DependenceForm form = DependenceForm::linear;
  int first = 0;           // of its coefficients among the parameters
  double reference = 0.0;  // the number of the column at which the parameter has its value
  double least = -INFINITY, most = INFINITY;  // within which the parameter is held
};

enum class FitKind { direct, steady, rollout };
enum class FitOutput { position, velocity };  // what a rollout is measured by

// Names of parameters of a mechanism begin so.
inline constexpr std::string_view mechanism_prefix = "mechanism.";
// Half the width of a gap between the drive, whose motion is measured, and the body.
inline constexpr std::string_view backlash_name = "backlash";

enum class Loss { squares, huber };

// All of a problem but the measured runs, which may be large.
struct FitSetup {
  std::string law;
  std::vector<double> fields;            // of the law, in the order of its table; choices by number
  std::vector<FitParameter> parameters;  // the numbers of the law in order, then offset, asymmetry,
                                         // and backlash, then those of the mechanism
  std::vector<int> field_of;             // the field of the law, -1 if it is none of it
  int terms = 0;                         // linear ones beside the force of the law
  std::vector<Dependence> depends;
  int conditions = 0;  // columns of Track::conditions
  DataUnits units;
  FitKind kind = FitKind::direct;
  std::string mechanism;  // of a rollout
  FitOutput output = FitOutput::position;
  double position_unit = 1.0, velocity_unit = 1.0;  // of unknown starts [m], [m/s]
  double follow = 0.0;     // samples over which a rollout is drawn to the measured motion, 0: never
  bool free_start = true;  // the initial states are unknowns; otherwise zero
  Loss loss = Loss::squares;
  double loss_scale = 0.0;  // residual from which Huber's loss grows linearly [N]
};

struct FitProblem : FitSetup {
  std::vector<Track> runs;

  bool has_backlash() const;

  // What the residuals of a sample are counted from.
  double measured(const Sample& s) const {
    return kind != FitKind::rollout        ? s.force
           : output == FitOutput::position ? s.position
                                           : s.velocity;
  }
  std::string_view measured_name() const;
  std::string measured_unit() const;

  // The unknowns: free parameters first, then the start of each run.
  std::vector<int> shared() const;  // indices of the free parameters
  int starts_per_run() const;       // unknowns of a start: the state; position and velocity
  int unknowns() const;
  std::vector<double> start() const;
  void bounds(std::vector<double>& lower, std::vector<double>& upper) const;
  // The values of all parameters for given unknowns.
  std::vector<double> values(std::span<const double> x) const;
  // d value / d unknown, parameters by unknowns.
  std::vector<double> value_slopes(std::span<const double> x) const;
};

// The problem on the first samples of each run, as many as `length` says; nothing else is copied.
FitProblem first_samples(const FitProblem& problem,
                         const std::function<std::size_t(const Track&)>& length);

// The sum of the loss over the samples with weight, halved; with normal equations if requested.
double fit_cost(const FitProblem& problem, std::span<const double> x, NormalEquations* equations);
// The same cost for many sets of unknowns (one after the other), in SIMD lanes.
void fit_costs(const FitProblem& problem, std::span<const double> many, std::span<double> costs);
// The predicted force (in a rollout: position or velocity) of every sample, run by run.
std::vector<std::vector<double>> fit_predict(const FitProblem& problem, std::span<const double> x);

// The laws that can be fitted: all whose force follows from state and motion alone.
std::vector<std::string> fitted_laws();
// Those that a comparison takes by default.
std::vector<std::string> compared_laws();
// Those that can be fitted to motion: all but gears, whose load follows from the motion.
std::vector<std::string> rolled_laws();
// The mechanisms of rollouts (mechanism/driven_mass.hpp).
std::vector<std::string> rolled_mechanisms();
// Name and unit of the input of one; throws with the nearest name if there is none.
std::pair<std::string, std::string> rolled_input(std::string_view mechanism);

// Where the rollout of a run begins.
struct RolloutStart {
  double position = 0.0, velocity = 0.0, state = 0.0;
};
RolloutStart rollout_start(const FitProblem& problem, std::span<const double> x, std::size_t run);

// The root mean square by which the fitted samples of a rollout move if every step is halved.
double rollout_step_error(const FitProblem& problem, std::span<const double> x);

}  // namespace bristle
