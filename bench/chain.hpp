// SPDX-License-Identifier: MIT
// A chain of sliders on LuGre friction, each dragged by a spring of its own:
//
//   m x_i'' = k (x_{i-1} - 2 x_i + x_{i+1}) + k_p (V t - x_i) - F_i,   z_i' = v_i - |v_i| s0 z_i /
//   g_i
//
// with free ends. The static forces differ from block to block, so that no two slip together.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace bench {

struct Chain {
  int blocks = 10;
  double mass = 1.0, between = 20.0, drag_spring = 2.0, drag = 0.1;  // kg, N/m, N/m, m/s
  double stiffness = 1e5, damping = 316.22776601683796, viscous = 0.4;
  double coulomb = 1.0, stribeck_velocity = 0.001;
  double end = 10.0;  // [s]
  int samples = 41;

  double static_force(int i) const {
    return 1.5 + 0.3 * std::sin(2.0 * std::numbers::pi * 0.6180339887498949 * i);
  }
};

// Positions and friction of all blocks at the samples, sample by sample.
struct ChainCurves {
  std::vector<double> position, force;
  long steps = 0, attempts = 0;
  double ledger = 0.0;  // relative error of the energy, of Bristle
};

// Solves to a tolerance; false if the solver gave up.
using ChainSolver = bool(const Chain&, double tolerance, ChainCurves&);
ChainSolver chain_bristle, chain_cvode_band, chain_cvode_klu;

}  // namespace bench
