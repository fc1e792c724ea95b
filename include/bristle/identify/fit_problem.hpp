// SPDX-License-Identifier: MIT
// A friction law against measured force: residuals and their derivatives.
//
//   residual = offset + F (1 + asymmetry sign(F)) - measured force
//
// F is the force of the law led along the measured motion by its exact update (model/advance.hpp),
// or its steady force at the measured velocity (`steady`). The state each run starts from is an
// unknown of its own, in units of state_scale(). Positive parameters of unknown size are searched
// by their logarithms; one that must not be less than another by its excess over that one.
//
// The derivatives are exact for the samples given: forward derivatives carried through the steps.
// Where a law has pieces they are those of the piece taken.
#pragma once

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
  int above = -1;  // the parameter it is counted from, -1: from zero
};

enum class Loss { squares, huber };

struct FitProblem {
  std::string law;
  std::vector<double> fields;            // of the law, in the order of its table; choices by number
  std::vector<FitParameter> parameters;  // the numbers of the law in order, then offset, asymmetry
  std::vector<int> field_of;             // the field of each parameter, -1 for offset and asymmetry
  std::vector<Track> runs;
  bool steady = false;
  bool free_start = true;  // the initial states are unknowns; otherwise zero
  Loss loss = Loss::squares;
  double loss_scale = 0.0;  // residual from which Huber's loss grows linearly [N]

  // The unknowns: free parameters first, then the initial state of each run.
  std::vector<int> shared() const;  // indices of the free parameters
  bool starts_unknown() const;
  int unknowns() const;
  std::vector<double> start() const;
  void bounds(std::vector<double>& lower, std::vector<double>& upper) const;
  // The values of all parameters for given unknowns.
  std::vector<double> values(std::span<const double> x) const;
  // d value / d unknown, parameters by unknowns.
  std::vector<double> value_slopes(std::span<const double> x) const;
};

// The sum of the loss over the samples with weight, halved; with normal equations if asked for.
double fit_cost(const FitProblem& problem, std::span<const double> x, NormalEquations* equations);
// The same cost for many sets of unknowns (one after the other), in SIMD lanes.
void fit_costs(const FitProblem& problem, std::span<const double> many, std::span<double> costs);
// The predicted force of every sample, run by run.
std::vector<std::vector<double>> fit_predict(const FitProblem& problem, std::span<const double> x);

// The laws that can be fitted: all whose force follows from state and motion alone.
std::vector<std::string> fitted_laws();

}  // namespace bristle
