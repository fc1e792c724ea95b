// SPDX-License-Identifier: MIT
// What a fit says about itself: intervals, agreement, what the data do not determine.
#pragma once

#include <optional>

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

// How well the fitted or the held-out samples are met at given unknowns.
Agreement agreement_at(const FitProblem& problem, std::span<const double> x, bool held);

// What was not asked for, tried one after the other from where the fit ended: offset, asymmetry,
// both, a force that grows with the load, backlash, a curve that rises from rest.
// The whole force as a function of a load that the law does not know of, if there is one that
// changes.
std::optional<DependOption> load_dependence_of(const FitProblem& problem,
                                               const FitOptions& options);
// Whether a gap can be fitted before the law.
bool may_have_backlash(const FitProblem& problem);
std::vector<TriedForm> try_forms(const FitSummary& summary, const FitOptions& options);
// The simplest of them that halves the error, in words; empty if none does.
std::string form_words(const FitSummary& summary);

// Fills the summary of a solved problem; a study of the noise takes the place of the linearised
// problem.
void judge(FitSummary& summary, const LeastSquaresSummary& solved, const NoiseStudy& study,
           const FitOptions& options);

// Puts intervals by profile where the cost does not rise as the linearised problem predicts: by the
// square of t standard deviations.
void follow_profiles(FitSummary& summary, double variance, double t, int threads);

// Why a fit must not be used; empty if there is no such reason.
std::string unusable_because(const FitSummary& summary);

// True of a stiffness if hardly a sample lies where bristles bend: the interval of the linearised
// problem then speaks of noise.
bool bends_unseen(const FittedParameter& parameter, const std::vector<Track>& runs,
                  const DataScales& data);

// Sentences on parameters that depend on columns: where they do not, or leave their bounds.
std::vector<std::string> dependence_doubts(const FitSummary& summary);

// Sentences on parameters the data do not determine, with the reason as far as it can be seen.
std::vector<std::string> doubts(const FitSummary& summary, const DataScales& data);

}  // namespace bristle
