// SPDX-License-Identifier: MIT
// What a fit says about itself: intervals, agreement, what the data do not determine.
#pragma once

#include "bristle/identify/fit.hpp"
#include "intervals.hpp"
#include "noise_study.hpp"

namespace bristle {

// 1.4826 times the median size of the residuals of the fitted samples.
double robust_deviation(const FitProblem& problem, std::span<const double> x);

// Of the fitted samples.
Whiteness whiteness(const FitProblem& problem, const std::vector<std::vector<double>>& predicted);

// Fills in how well the samples are met, by the fit and by doing nothing, and whether the residuals
// are white.
void agree(FitSummary& summary);

// Fills the summary of a solved problem; a study of the noise takes the place of the linearised
// problem.
void judge(FitSummary& summary, const LeastSquaresSummary& solved, const NoiseStudy& study);

// True of a stiffness if hardly a sample lies where bristles bend: the interval of the linearised
// problem then speaks of noise.
bool bends_unseen(const FittedParameter& parameter, const std::vector<Track>& runs,
                  const DataScales& data);

// Sentences on parameters the data do not determine, with the reason as far as it can be seen.
std::vector<std::string> doubts(const FitSummary& summary, const DataScales& data);

}  // namespace bristle
