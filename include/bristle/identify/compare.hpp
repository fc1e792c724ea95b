// SPDX-License-Identifier: MIT
// Model comparison: several laws fitted to the same runs and ranked by their held-out error.
//
// With forms, each law is fitted again with an offset, with an asymmetry and with both, with a
// force that changes with a measured load (where the law has none) and with backlash
// (where the law has a state), from where it ended without them, and ranked as a law of its own.
//
// The best of many is chosen on the held-out samples, so its error there is a little too small.
// Nested cross-validation chooses without them: the runs (or, of fewer runs, equal parts of them)
// are held out one after the other, the laws ranked by the others alone, the winner fitted to all
// of these and judged on the one that was held out.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

// Where the fit of one law begins, and what is held of it.
struct LawStart {
  Values values;
  std::set<std::string> free;
  std::map<std::string, double> guess;
};

struct CompareOptions {
  std::vector<std::string> laws;  // empty: all that apply
  FitOptions fit;                 // the same for all; hold_out 0 and no run named: the last 30 %
  std::map<std::string, LawStart> starts;  // by law
  bool forms = false;                      // those above are tried with each law
  int folds = 0;                           // of nested cross-validation, 0: none
  std::function<bool(double)> progress;    // part done; false stops
};

struct Compared {
  FitSummary fit;
  std::string refused;  // why the law was not fitted, empty if it was
  double seconds = 0.0;
  std::string form{};  // "", "offset", "asymmetry", "offset + asymmetry", "load", "backlash"
  double error_deviation = 0.0;  // standard error of the held-out error, from 20 stretches of it
  std::string name() const { return form.empty() ? fit.law : fit.law + " + " + form; }
};

// One fold of nested cross-validation.
struct Fold {
  std::string held_out;  // run
  std::string winner;    // chosen on the others
  double error = 0.0;    // of the winner on what was held out
};

struct Comparison {
  // Best held-out error first, refused ones last. Only the first keeps the samples of its problem.
  std::vector<Compared> ranking;
  double best_static = 0.0, best_dynamic = 0.0;  // held-out rmse of laws without and with a state
  // In the ranking: the fewest unknowns with an error within one standard error of the best.
  std::size_t simplest = 0;
  std::vector<Fold> folds;
  double nested_error = 0.0;  // root mean square over the folds
};

Comparison compare(const std::vector<Track>& runs, const CompareOptions& options = {});

}  // namespace bristle
