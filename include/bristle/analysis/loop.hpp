// SPDX-License-Identifier: MIT
// Closed loops: area, orientation, how well they close.
#pragma once

#include <cmath>
#include <span>
#include <string_view>

#include "bristle/solve/trajectory.hpp"

namespace bristle {

// A loop in a plane, one period of samples (x_i, y_i). The area is the integral of y dx around the
// loop: positive if the loop is run through clockwise. For force against displacement that is the
// energy lost.
struct Loop {
  double area = 0.0;
  double width = 0.0;          // largest minus smallest x
  double height = 0.0;         // largest minus smallest y
  double closing_error = 0.0;  // distance of the ends in y, as a part of the height

  bool clockwise() const { return area > 0.0; }
  // A line, or lobes that cancel, go neither way round.
  bool has_orientation() const { return std::abs(area) > 1e-9 * width * height; }
  std::string_view orientation() const {
    return !has_orientation() ? "none" : clockwise() ? "clockwise" : "counterclockwise";
  }
};

// Of the polygon through the samples, closed by a straight line.
Loop polygon_loop(std::span<const double> x, std::span<const double> y);

// Of one period of a run ending at `end`: polygon_loop() of the samples of that period.
Loop last_loop(const Trajectory& run, std::span<const double> x, std::span<const double> y,
               double period, double end);

// The value of a sampled column at a time between samples, by cubics through four neighbours.
double sample_at(std::span<const double> time, std::span<const double> column, double t);

// The work of the drive between two times, from the quadratures of the solver: for prescribed
// motion the loop integral of force over displacement, for a force input that of input over
// position. Much more accurate than a polygon.
double work_between(const Trajectory& run, double from, double to);

// Smallest and largest value of a column, refined between samples by parabolas.
struct Range {
  double least = 0.0;
  double most = 0.0;
};
Range range_of(std::span<const double> column);

}  // namespace bristle
