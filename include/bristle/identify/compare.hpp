// SPDX-License-Identifier: MIT
// Several laws fitted to the same runs and ranked by samples none of them has seen.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

struct CompareOptions {
  std::vector<std::string> laws;  // empty: all that apply
  FitOptions fit;                 // the same for all; hold_out 0 and no run named: the last 30 %
  std::function<bool(double)> progress;  // part done; false stops
};

struct Compared {
  FitSummary fit;
  std::string refused;  // why the law was not fitted, empty if it was
  double seconds = 0.0;
};

struct Comparison {
  // Best held-out error first, refused ones last. Only the first keeps the samples of its problem.
  std::vector<Compared> ranking;
  double best_static = 0.0, best_dynamic = 0.0;  // held-out rmse of laws without and with a state
};

Comparison compare(const std::vector<Track>& runs, const CompareOptions& options = {});

}  // namespace bristle
