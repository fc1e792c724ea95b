// SPDX-License-Identifier: MIT
// Hysteresis operators made of plays: Prandtl-Ishlinskii, its generalised form, Maxwell-slip,
// multiplay.
//
//   x_i <- max(v - w_i, min(v + w_i, x_i)),    y = q v + sum_i p_i x_i + c,    v = envelope(u)
//
// w_i thresholds, p_i weights, q direct, c offset. The output depends on the sequence of turning
// points of the input and not on its speed. Other names for the same sum:
//   Maxwell-slip, multiplay at vanishing frequency: y = sum_i k_i (u - x_i), q = sum k_i, p_i =
//   -k_i play: q = 0, one threshold; stop: q = 1, one threshold, p = -1
// Weights of a multiplay may be negative. Source: thesis (1.20)-(1.21), (2.1)-(2.4), (5.23)-(5.26).
#pragma once

#include <vector>

#include "bristle/model/error.hpp"

namespace bristle {

// gamma(u) = scale tanh(rate u + shift) + level, or the identity if rate is 0.
struct Envelope {
  double scale = 1.0, rate = 0.0, shift = 0.0, level = 0.0;

  bool identity() const { return rate == 0.0; }
  double operator()(double u) const;
  // The input that gives v. Throws InvalidInput for a v the envelope never reaches.
  double inverse(double v) const;

  bool operator==(const Envelope&) const = default;
};

struct PrandtlIshlinskii {
  double direct = 1.0;             // q
  std::vector<double> thresholds;  // w_i >= 0, increasing
  std::vector<double> weights;     // p_i
  Envelope envelope{};
  double offset = 0.0;  // c

  // Refuses thresholds that are negative, not finite or not increasing, and lists of unequal
  // length.
  void check() const;

  // dy/dv while the first n plays follow the input: q, q + p_1, q + p_1 + p_2 ... All positive
  // means that the operator has an inverse.
  std::vector<double> slopes() const;
  bool invertible() const;

  // The inverse operator without the envelope: again a sum of plays, exact for every input and also
  // on minor loops. Throws InvalidInput with the first slope that is not positive. With initial
  // states x_i of this operator inverse_states() are those of the inverse. Source: Krejci and
  // Kuhnen, IEE Proceedings 148 (2001).
  PrandtlIshlinskii inverse() const;
  std::vector<double> inverse_states(const std::vector<double>& states) const;

  bool operator==(const PrandtlIshlinskii&) const = default;
};

// y = sum_i k_i (u - x_i) with dead bands of total width 2 w_i; negative stiffnesses are allowed.
PrandtlIshlinskii maxwell_slip(std::vector<double> thresholds,
                               const std::vector<double>& stiffnesses);

// The inverse of a multiplay by its slopes: again a multiplay, whose slopes are the reciprocals.
// Exact, also on minor loops, while the input stays between -reach and reach, the widest threshold,
// so that the widest play never leaves zero. Throws InvalidInput with the first slope that is not
// positive, and if the widest play does not start at zero. Source: thesis (2.27)-(2.29).
struct MultiplayInverse {
  std::vector<double> thresholds, stiffnesses;
  std::vector<double> states;  // that belong to the given states of the multiplay
  double reach = 0.0;

  PrandtlIshlinskii plays() const { return maxwell_slip(thresholds, stiffnesses); }
};
MultiplayInverse invert_multiplay(const std::vector<double>& thresholds,
                                  const std::vector<double>& stiffnesses,
                                  std::vector<double> states = {});

// Thresholds beta, 2 beta ... n beta with weights rho exp(-tau w): thesis (5.26).
PrandtlIshlinskii exponential_plays(double direct, double rho, double tau, double beta, int n,
                                    const Envelope& envelope = {});

}  // namespace bristle
