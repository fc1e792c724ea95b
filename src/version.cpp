// SPDX-License-Identifier: MIT
#include "bristle/version.hpp"

namespace bristle {

const char* const version = BRISTLE_VERSION;
#ifdef __clang__
const char* const compiler = __VERSION__;
#else
const char* const compiler = "g++ " __VERSION__;
#endif
const char* const build_type = BRISTLE_BUILD_TYPE;

}  // namespace bristle
