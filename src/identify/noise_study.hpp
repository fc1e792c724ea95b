// SPDX-License-Identifier: MIT
// The effect of position noise on a fit, by a parametric bootstrap.
//
// Position noise does not act like force noise: it passes through the law, its effect lasts as long
// as the memory of the bristles, and since |v| enters the law it does not average out. So the fit
// is repeated on synthetic records: the fitted law follows the smoothed motion, white noise is
// added to the force, and the position noise to the motion, which is then smoothed like the data.
// The fits to these records start from the fitted parameters; their covariance and mean shift
// estimate those of the fit to the data.
//
// The choice of the filter is uncertain as well. Smoothing bends the motion: a fit along the motion
// smoothed a second time estimates the bias of that (where the motion is used as measured, a fit
// along the smoothed one). A fit with twice the bandwidth shows the effect of the noise that passes
// the filter; one with half of it counts unless it predicts the force worse. None of these shifts
// is subtracted, since they are computed for a motion that was smoothed before; all are added to
// the uncertainty.
//
// If the residuals of the data are larger, or correlated for longer, than those of every
// repetition, the law is incomplete, and the covariance is multiplied by that ratio.
#pragma once

#include <array>

#include "bristle/identify/fit.hpp"

namespace bristle {

struct NoiseStudy {
  int fits = 0;                    // repetitions that converged
  std::vector<double> covariance;  // of the unknowns, around their mean
  double widening = 1.0;           // factor on the covariance for what the law misses
  // Shifts of the unknowns: the mean one by the noise, by smoothing, by half and twice the
  // bandwidth.
  std::vector<double> shift, bend, halved, doubled;
  // Each counts as so many standard deviations: the bandwidth is hardly ever chosen wrong by a
  // factor of two, so that is taken for three of them.
  struct Move {
    const std::vector<double>& by;
    double deviations;
  };
  std::array<Move, 4> moves() const {
    return {Move{shift, 1.0}, Move{bend, 1.0}, Move{halved, 3.0}, Move{doubled, 3.0}};
  }
};

// Gives samples whose predicted force is uncertain because of the position noise the weight
// s2 / (s2 + n2): s is the size of the residuals, n the scatter of the prediction along motions
// with that noise, or the largest force where a set-valued law may jump. Returns false if no motion
// is smoothed.
bool weigh_by_noise(FitProblem& problem, const std::vector<double>& x, const FitOptions& options);

// Makes no fits where no position noise is found.
NoiseStudy repeat_with_noise(const FitProblem& problem, const std::vector<double>& x,
                             const FitOptions& options);

}  // namespace bristle
