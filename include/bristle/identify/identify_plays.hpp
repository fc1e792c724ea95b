// SPDX-License-Identifier: MIT
// A generalised Prandtl-Ishlinskii model from one measured loop, by nonlinear least squares.
//
//   x_i = max(g(u) - w_i, min(g(u) + w_i, x_i)),   y = q g(u) + sum_i rho exp(-tau w_i) x_i
//   g(u) = scale tanh(rate u + shift) + level,     w_i = i beta,   i = 1 ... plays
//   J = 1/2 sum (y - measured)^2  to be least
//
// The data are one period of a loop; the plays follow it once before they count. Scale,
// level, beta, 1/q, 1/rho and 1/tau can all be multiplied by one factor without any change of the
// output, so that no data determine the scale: it is given, and the other seven follow from it.
// Limits: equal distances of the thresholds; several starts are tried, which does not prove that
// the least of them is the least of all. Source: thesis (5.23)-(5.27), Table 5.1.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bristle/model/field.hpp"
#include "bristle/model/prandtl_ishlinskii.hpp"

namespace bristle {

struct PlayIdentification {
  using Number = double;
  static constexpr std::string_view name = "identify";
  static constexpr std::string_view summary =
      "generalised Prandtl-Ishlinskii model from a measured loop";

  double plays = 3.0;
  double scale = 1.0;
  double noise = 0.0;
  double seed = 1.0;

  static constexpr auto fields() {
    using P = PlayIdentification;
    using F = Field<P>;
    return std::array{
        F{"plays", "", "number of plays", Bounds{1.0, 100.0, false, true}, &P::plays},
        F{"scale", "", "scale of the envelope, which no data determine", positive, &P::scale},
        F{"noise", "", "standard deviation of noise added to the data first, over their range",
          Bounds{0.0, 1.0}, &P::noise},
        F{"seed", "", "seed of the noise", Bounds{0.0, 9e15, false, true}, &P::seed}};
  }
};

struct IdentifiedPlays {
  double q = 0.0, rho = 0.0, tau = 0.0, beta = 0.0;
  PrandtlIshlinskii model;     // with its envelope
  std::vector<double> data;    // what was fitted, with the noise
  std::vector<double> output;  // of the model, sample by sample
  double cost = 0.0;           // J
  double error = 0.0;          // root of the mean square over the range of the data
  // The output of the model over an input that repeats, once the plays have been driven along it.
  std::vector<double> follow(std::span<const double> input) const;

  bool converged = false;
  std::string message;
};

// Throws InvalidInput for columns of unequal length, fewer than ten samples, values that are not
// numbers, or an input or output that does not vary.
IdentifiedPlays identify_plays(std::span<const double> input, std::span<const double> output,
                               const PlayIdentification& options = {});

}  // namespace bristle
