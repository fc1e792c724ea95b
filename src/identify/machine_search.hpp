// SPDX-License-Identifier: MIT
// The search for the parameters of a machine: where it starts, and from there to a minimum.
#pragma once

#include "work.hpp"
#include "machine_problem.hpp"

namespace bristle::detail {

inline constexpr int search_stages = 5;  // of a climb, which it tells the work

struct Start {
  double cost = 0.0;
  std::vector<double> x{};
  bool led = true;  // refined through simulations that are drawn to the data
};

// The starts to be refined: the values given first.
std::vector<Start> find_starts(const MachineProblem& problem, const MachineFitOptions& options);
// From a start to a simulation that runs free.
LeastSquaresSummary climb(MachineProblem problem, const Start& start,
                          const LeastSquaresOptions& solver, Work& work);
// Tries to bring back parameters that ran away.
void call_back(const MachineProblem& problem, const MachineFitOptions& options,
               LeastSquaresSummary& best);
// The minimum near a point.
LeastSquaresSummary solve(const MachineProblem& problem, std::vector<double> x,
                          const LeastSquaresOptions& solver);

}  // namespace bristle::detail
