// SPDX-License-Identifier: MIT
// All that a file can name: laws, systems, mechanisms, other sections, parts of machines.
#pragma once

#include <string>
#include <vector>

#include "bristle/model/describe.hpp"

namespace bristle::io {

struct CatalogueEntry {
  Description description;
  std::string kind{};  // "one state", "operator", "between two bodies"; empty where there is none
};

struct CatalogueGroup {
  std::string key;    // "models"
  std::string title;  // "Models ([model] name = ...)"
  std::vector<CatalogueEntry> entries;
};

// In the order in which they are listed. The couplings come last.
const std::vector<CatalogueGroup>& catalogue();

// The entries of a name; a law and a system may share one. Throws InputError with the nearest name.
std::vector<CatalogueEntry> catalogue_entries(const std::string& name);

}  // namespace bristle::io
