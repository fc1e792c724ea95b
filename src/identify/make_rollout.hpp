// SPDX-License-Identifier: MIT
// What a fit of motion adds to a problem: the mechanism, its steps and its input.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

// Makes the problem a rollout and its runs ready for one: the load, the steps between samples, the
// input they meet, and the friction the measured motion asks for, which says where to search.
void lay_rollout(FitProblem& problem, std::vector<Track>& runs, const FitOptions& options);

// The parameters of the mechanism as far as they act beside a measured input, held.
std::vector<FitParameter> mechanism_parameters(const RolloutOptions& options,
                                               const std::map<std::string, double>& guess,
                                               const DataScales& data);

// The problem with so many times as many steps, at least one between samples.
FitProblem with_steps(const FitProblem& problem, double times);

}  // namespace bristle
