// SPDX-License-Identifier: MIT
// The version of Bristle. It stands here and nowhere else: CMake reads it from this file.
#pragma once

#define BRISTLE_VERSION_MAJOR 0
#define BRISTLE_VERSION_MINOR 2
#define BRISTLE_VERSION_PATCH 0

// One number to compare in #if: 102003 is 1.2.3.
#define BRISTLE_VERSION_NUMBER \
  (BRISTLE_VERSION_MAJOR * 100000 + BRISTLE_VERSION_MINOR * 1000 + BRISTLE_VERSION_PATCH)

namespace bristle {

// The version of the compiled library as a text; the macros give that of the headers.
extern const char* const version;
extern const char* const compiler;
extern const char* const build_type;
extern const bool with_sundials;  // without it the methods cvode and switch are refused

}  // namespace bristle
