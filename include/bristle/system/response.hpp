// SPDX-License-Identifier: MIT
// The response of a system to an input: samples, marks at kinks of the input, how it ended.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "bristle/solve/status.hpp"

namespace bristle {

// The integral of output over input up to a kink of the input, for both outputs, and the outputs
// there. The end of every period is such a kink, so is every corner of a triangle.
struct AreaMark {
  double time = 0.0;
  double area = 0.0;
  double second_area = 0.0;
  double output = 0.0;
  double second = 0.0;
};

// Samples at equal distances in time, one vector per column.
struct SystemResponse {
  std::vector<double> time;    // [s]
  std::vector<double> input;   // u
  std::vector<double> output;  // y
  std::vector<double> second;  // another output, empty if the system has one only
  std::vector<double> area;    // integral of y du so far; of a loop positive if clockwise
  std::vector<AreaMark> marks;
  std::vector<double> states;  // at the end

  Status status = Status::done;
  NotFinite not_finite{};  // with the status of that name: what became so, and when
  std::string message;     // one sentence
  std::string method;
  long steps = 0, rejected = 0, evaluations = 0;
  double points = 0.0;           // along a rolling patch, 0 for other systems
  double error_estimate = -1.0;  // of the output over its largest value; negative if there is none
  double seconds = 0.0;

  bool ok() const { return status == Status::done; }

  // The area between two instants that have marks, such as the ends of two periods; NaN otherwise.
  double area_between(double from, double to) const {
    const auto area_at = [&](double instant) {
      for (const AreaMark& mark : marks)
        if (std::abs(mark.time - instant) <= 1e-9 * to) return mark.area;
      return instant == 0.0 ? 0.0 : double(NAN);
    };
    return area_at(to) - area_at(from);
  }
};

}  // namespace bristle
