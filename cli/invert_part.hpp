// SPDX-License-Identifier: MIT
// The inverse of a structural loop that was fitted: displacements for given forces.
#pragma once

#include <string>

namespace bristle::cli {

struct PartInversion {
  std::string part, forces, out;  // forces: FILE or FILE:COLUMN
  bool json = false;
};
// Verifies the inverse of the part by round trips within its domain; with a table of forces also
// writes the displacements. Throws InputError.
int invert_part(const PartInversion& a);

}  // namespace bristle::cli
