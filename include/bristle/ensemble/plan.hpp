// SPDX-License-Identifier: MIT
// The plan of an ensemble: which values each of its runs has.
//
// Axes make a grid, the product of their values; draws are random numbers, made anew for each draw
// and the same at every point of the grid, so that points differ by their values and not by chance.
// Runs are numbered from 0 with the draw as the slowest index and the last axis as the fastest: the
// first runs of a plan with draws are the whole grid with few draws. Every run can be made alone
// from its number.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bristle/ensemble/sensitivity.hpp"

namespace bristle {

// A field and the values it takes: a list, or `count` values from `from` to `to`.
struct Axis {
  std::string field;
  double from = 0.0, to = 0.0;
  std::uint64_t count = 0;
  bool log = false;            // even in the logarithm
  std::vector<double> values;  // in place of a range

  std::uint64_t size() const { return values.empty() ? count : values.size(); }
  double value(std::uint64_t i) const;
  // Throws InvalidInput where the range is empty or not a range.
  void check() const;
};

// A field and the distribution it is drawn from.
struct RandomField {
  enum Kind { uniform, normal };
  std::string field;
  Kind kind = uniform;
  double first = 0.0, second = 1.0;  // bounds, or mean and standard deviation

  double quantile(double probability) const;
  void check() const;
};

// Fields that are drawn together because they depend on each other: values of all of them from as
// many independent standard normal numbers as there are dimensions, zeros give the middle, and from
// the values of the fields before them in the plan.
struct JointFields {
  std::vector<std::string> fields;
  int dimensions = 0;
  std::function<std::vector<double>(std::span<const double> normals,
                                    std::span<const double> before)>
      values;
};

struct Plan {
  enum Sampling { random, sobol };

  std::vector<Axis> axes;
  std::vector<RandomField> random_fields;
  std::vector<JointFields> joint_fields;
  std::uint64_t draws = 0;  // of the random and joint fields; without them there is one
  Sampling sampling = random;
  std::uint64_t seed = 1;
  std::optional<SensitivityDesign> sensitivity;  // chooses the draws, in place of `sampling`

  std::vector<std::string> fields() const;  // of the axes, of the draws, then of the joint ones
  bool draws_fields() const { return !random_fields.empty() || !joint_fields.empty(); }
  int dimensions() const;  // random numbers of a draw
  std::uint64_t grid_size() const;
  std::uint64_t draw_count() const;
  std::uint64_t size() const;                                      // runs
  std::vector<double> values(std::uint64_t run) const;             // one per field
  std::vector<std::uint64_t> grid_point(std::uint64_t run) const;  // one index per axis
  // The first value of each axis and the middle of what is drawn.
  std::vector<double> middle() const;
  // Throws InvalidInput with a sentence; more than 2^53 runs are refused.
  void check() const;
};

}  // namespace bristle
