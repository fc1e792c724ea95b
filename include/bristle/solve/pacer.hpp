// SPDX-License-Identifier: MIT
// How often a run checks whether it was cancelled.
#pragma once

#include <algorithm>
#include <chrono>

namespace bristle {

// Called once per step. Where steps are quick it is rarely due, so that it costs nothing; where one
// step takes long it is due at every one of them: a check follows the one before within some
// hundredths of a second, or after one step.
class Pacer {
 public:
  bool due() {
    if (--left_ > 0) return false;
    const auto now = std::chrono::steady_clock::now();
    const double gone = std::chrono::duration<double>(now - last_).count();
    if (gone < 0.005) every_ = std::min(2 * every_, 4096);
    else if (gone > 0.02) every_ = std::max(every_ / 4, 1);
    last_ = now;
    left_ = every_;
    return true;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  int every_ = 1, left_ = 0;
};

}  // namespace bristle
