// SPDX-License-Identifier: MIT
// The search for the least cost: many starts, the best of them refined.
#pragma once

#include "in_parallel.hpp"
#include "servo_normal.hpp"

namespace bristle::detail {

struct ServoFound {
  ServoModel<> model;
  double cost = 0.0;
  bool converged = false;
};

// The refined starts, best first; if it was stopped, what was found by then.
std::vector<ServoFound> search_servo(ServoCost& cost, const ServoModel<>& start,
                                     const ServoFitOptions& options, Work& work);

// What a search adds to the work, all told.
double search_size(const ServoFitOptions& options);

// Of the rows and columns chosen, with a diagonal larger by 1e-12, so that what is singular comes
// out huge.
std::vector<std::vector<double>> inverse_of(const std::vector<std::vector<double>>& matrix,
                                            std::span<const int> chosen);

}  // namespace bristle::detail
