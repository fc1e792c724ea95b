// SPDX-License-Identifier: MIT
// What this copy of Bristle is.
#pragma once

namespace bristle {

extern const char* const version;
extern const char* const compiler;
extern const char* const build_type;
extern const bool with_sundials;  // without it the methods cvode and switch are refused

}  // namespace bristle
