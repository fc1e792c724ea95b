// SPDX-License-Identifier: MIT
// The list of laws: the only place that names them all.
#pragma once

#include <memory>
#include <span>

#include "bristle/model/any_law.hpp"

namespace bristle {

struct LawEntry {
  Description description;
  bool set_valued;
  bool single;  // at most one state, along a line (any_law.hpp)
  std::shared_ptr<const AnyLaw> (*make)(const Values& values);
};

std::span<const LawEntry> laws();
// Throws InvalidInput with the nearest name if there is no such law.
const LawEntry& find_law(std::string_view name);
std::shared_ptr<const AnyLaw> make_law(std::string_view name, const Values& values = {});

}  // namespace bristle
