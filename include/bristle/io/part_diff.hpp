// SPDX-License-Identifier: MIT
// Parts against each other, and against the data they were made from.
#pragma once

#include "bristle/io/part.hpp"

namespace bristle::io {

// One parameter in two parts.
struct PartDifference {
  std::string name, unit;
  std::optional<double> one{}, other{};  // none where a part has no such parameter
  // The difference over the combined standard deviation, of logarithms where both are fitted by
  // these; none without a deviation.
  std::optional<double> deviations{};
  bool significant = false;  // by more than 1.96, or at all where neither has a deviation
  std::string verdict{};     // in words
};

// All parameters of both. Throws InputError if they are not of one kind and one law.
std::vector<PartDifference> part_differences(const Part& one, const Part& other);

enum class DataState { same, differs, absent, unknown };
std::string data_words(DataState state);
// Whether a file of data is the one that was fitted. It is looked for as it is named, and from the
// folder of the part upwards.
DataState data_state(const PartData& data, const std::string& part);

}  // namespace bristle::io
