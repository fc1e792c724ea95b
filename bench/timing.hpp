// SPDX-License-Identifier: MIT
// Wall time of a piece of work: the best of several runs, since a disturbance can only add.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace bench {

// How long to look for the best run.
struct Effort {
  int least_runs = 5;
  double budget = 0.2;  // [s]
};

template <class Work>
double best_seconds(const Work& work, const Effort& effort) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity(), spent = 0.0;
  for (int run = 0; run < effort.least_runs || spent < effort.budget; ++run) {
    const auto start = Clock::now();
    work();
    const double taken = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, taken);
    spent += taken;
  }
  return best;
}

// Makes the compiler believe that the value is read.
template <class T>
inline void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

}  // namespace bench
