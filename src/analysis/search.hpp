// SPDX-License-Identifier: MIT
#pragma once

namespace bristle {

// Where a function is smallest between two places, by golden section: each round leaves 0.618 of
// the interval.
template <class F>
double golden_section(const F& f, double low, double high, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    const double a = high - 0.6180339887498949 * (high - low), b = low + high - a;
    if (f(a) < f(b)) high = b;
    else low = a;
  }
  return 0.5 * (low + high);
}

}  // namespace bristle
