// SPDX-License-Identifier: MIT
// The search for the least cost: many starts, the best of them refined.
#pragma once

#include "servo_normal.hpp"

namespace bristle::detail {

struct ServoFound {
  ServoModel<> model;
  double cost = 0.0;
  bool converged = false;
};

// The refined starts, best first.
std::vector<ServoFound> search_servo(ServoCost& cost, const ServoModel<>& start,
                                     const ServoFitOptions& options);

// Of the rows and columns chosen, with a diagonal larger by 1e-12, so that what is singular comes
// out huge.
std::vector<std::vector<double>> inverse_of(const std::vector<std::vector<double>>& matrix,
                                            std::span<const int> chosen);

}  // namespace bristle::detail
