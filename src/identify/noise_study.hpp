// SPDX-License-Identifier: MIT
// What noise of the position does to a fit, by repeating it.
//
// Noise of the motion is no noise of the force: the law is bent with it, the error it makes lasts
// as long as the bristles remember, and where friction counts the way slid it does not average out.
// So records are made of the fit itself: the law as found led along the smoothed motion, with white
// noise on the force and the noise of the position on the motion, which is smoothed again as the
// data were. Fits to them, from the parameters found, scatter and are shifted as the fit to the
// data is (parametric bootstrap).
//
// The choice of the filter is uncertain as well. Smoothing bends the motion: a fit along the motion
// smoothed once more tells by how much that may have moved the parameters; where the motion is used
// as measured, it is a fit along the smoothed one. A fit with twice the bandwidth tells what the
// noise does that is left; one with half of it counts unless the force is met worse along it. None
// of these moves is taken off, since they are computed for motion that was smoothed before; all are
// added to the uncertainty.
//
// Residuals of the data that are larger or correlated for longer than those of every repetition
// show that the law misses something; the covariance is then multiplied by how much.
#pragma once

#include <array>

#include "bristle/identify/fit.hpp"

namespace bristle {

struct NoiseStudy {
  int fits = 0;                    // that have a minimum
  std::vector<double> covariance;  // of the unknowns, around their mean
  double widening = 1.0;           // of the covariance for what the law misses
  // What moves the unknowns, by how much: the noise, on average; smoothing; the bandwidth.
  std::vector<double> shift, bend, halved, doubled;
  // Each with the standard deviations it counts for: a factor of two in the bandwidth is as far off
  // as the choice of it can be; a law without a state shows it more at once, by its jumps.
  double bandwidth_deviations = 3.0;
  struct Move {
    const std::vector<double>& by;
    double deviations;
  };
  std::array<Move, 4> moves() const {
    return {Move{shift, 1.0}, Move{bend, 1.0}, Move{halved, bandwidth_deviations},
            Move{doubled, bandwidth_deviations}};
  }
};

// Samples whose predicted force is made uncertain by the noise of the motion weigh less in the fit:
// by s2 / (s2 + n2), s the size of the residuals, n the scatter of the prediction along motions
// with that noise. False where no motion is smoothed.
bool weigh_by_noise(FitProblem& problem, const std::vector<double>& x, const FitOptions& options);

// No fits where no noise of a position is seen.
NoiseStudy repeat_with_noise(const FitProblem& problem, const std::vector<double>& x,
                             const FitOptions& options);

}  // namespace bristle
