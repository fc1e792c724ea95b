// SPDX-License-Identifier: MIT
// What needs CVODE is skipped in a build without SUNDIALS.
#pragma once

#include <gtest/gtest.h>

#include "bristle/version.hpp"

// The first line of a test that uses the methods cvode or switch.
#define BRISTLE_NEEDS_SUNDIALS() \
  if (!bristle::with_sundials) GTEST_SKIP() << "this program was built without SUNDIALS"
