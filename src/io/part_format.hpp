// SPDX-License-Identifier: MIT
// The words of a part.toml, for those who read and write it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

inline constexpr std::string_view part_format = "bristle part 1";
inline constexpr std::array<std::string_view, 3> part_kinds{"law", "machine", "system"};
inline constexpr std::array<std::string_view, 2> part_scales{"linear", "log"};
inline constexpr std::array<std::string_view, 7> part_owners{
    "law", "bias", "terms", "dependence", "mechanism", "machine", "system"};
inline constexpr std::array<std::string_view, 3> part_forms{"linear", "quadratic", "exponential"};

// Why a matrix is no covariance, in words that follow its name; empty if it is one.
std::string covariance_flaw(const std::vector<double>& matrix, int n);

}  // namespace bristle::io
