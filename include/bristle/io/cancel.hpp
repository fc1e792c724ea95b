// SPDX-License-Identifier: MIT
// Requests to stop (solve/cancel.hpp) under the names that files and reports use.
#pragma once

#include "bristle/solve/cancel.hpp"

namespace bristle::io {

using bristle::stop_asked;
using bristle::stop_if_asked;
using bristle::stop_when;

}  // namespace bristle::io
