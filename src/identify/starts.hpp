// SPDX-License-Identifier: MIT
// Where least squares begins.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

// The first n points of a shifted Halton set in the box of search, best cost first. The initial
// states follow the sign and size of the first measured force.
std::vector<std::vector<double>> best_starts(const FitProblem& problem, int count, int kept,
                                             unsigned seed, int threads = 1);

// The k-th number of Halton's low-discrepancy set along a dimension, 0 to 1; and shifted by a seed.
double halton(unsigned k, int dimension);
double spread(unsigned k, int dimension, unsigned seed);

// The best of several starts of a fit of motion. A long rollout far from the truth has minima
// wherever some of its jumps meet the measured ones. One that is drawn to the measured motion like
// an observer (FitProblem::follow) has hardly any: the law is fitted so first, drawn within a few
// samples, then within more and more.
std::vector<std::vector<double>> rollout_starts(const FitProblem& problem,
                                                const FitOptions& options);

// A run that is held out as a whole has no part in the fit, so nothing has moved its start: the
// state is set to the one that meets its first ten forces, with the law as fitted.
void start_held_out_runs(const FitProblem& problem, std::vector<double>& x);

// Least squares from several starts side by side.
std::vector<LeastSquaresSummary> refine(const FitProblem& problem,
                                        const std::vector<std::vector<double>>& starts,
                                        const LeastSquaresOptions& solver, int threads);

// In stages: the steady curve from sliding samples, then the rest with that held.
std::vector<double> staged_start(const FitProblem& problem, const FitOptions& options);

// Unknowns without any influence on the residuals at the given points, all of them.
std::vector<bool> without_effect(const FitProblem& problem,
                                 const std::vector<std::vector<double>>& points);

}  // namespace bristle
