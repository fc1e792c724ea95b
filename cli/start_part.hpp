// SPDX-License-Identifier: MIT
// A fit that begins where another one ended.
#pragma once

#include "fit_arguments.hpp"

namespace bristle::cli {

// The options as if law, held values, choices and starts of the part named by --start had been
// given by hand; options that were given win. Throws InputError.
FitArguments with_start(FitArguments a);

}  // namespace bristle::cli
