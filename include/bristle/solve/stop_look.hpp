// SPDX-License-Identifier: MIT
// Checks in every round of a long loop whether a stop was requested.
#pragma once

#include "bristle/solve/cancel.hpp"
#include "bristle/solve/pacer.hpp"

namespace bristle {

// Called once per round; throws Cancelled if a stop was asked for. Rounds may be quick or slow: it
// checks every few hundredths of a second, or after every round that takes longer.
class StopLook {
 public:
  void operator()() {
    if (pacer_.due()) stop_if_asked();
  }

 private:
  Pacer pacer_;
};

// The same for rounds of less than some ten microseconds in loops that must cost nothing.
class QuickLook {
 public:
  void operator()() {
    if ((++rounds_ & 1023u) == 0) stop_if_asked();
  }

 private:
  unsigned rounds_ = 0;
};

}  // namespace bristle
