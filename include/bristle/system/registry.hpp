// SPDX-License-Identifier: MIT
// The list of systems: the only place that names them all.
#pragma once

#include "bristle/system/system.hpp"

namespace bristle {

struct SystemEntry {
  Description description;
  bool knows_no_time;
  std::shared_ptr<const AnySystem> (*make)(const Values& values);
};

std::span<const SystemEntry> systems();
// Throws InvalidInput with the nearest name if there is no such system.
const SystemEntry& find_system(std::string_view name);
std::shared_ptr<const AnySystem> make_system(std::string_view name, const Values& values = {});

}  // namespace bristle
