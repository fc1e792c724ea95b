// SPDX-License-Identifier: MIT
// The sliding force of a law near a position, as a power series in the displacement.
//
//   F(x + d) = sum_k coefficient[k] d^k    for |d| <= span, ahead as far as `end`
//
// A set-valued law whose force depends on the position alone may offer it, as
//   expand(position, branch, allowed)   with an error of at most `allowed` [N] within the span
// The number of terms is up to the law: a sawtooth needs two, bristles as many as the way to the
// end of their piece asks for; where the room does not do, the span is shorter than that way. The
// first coefficient equals sliding() to rounding. A solver then needs no other evaluation of the
// law until the body leaves the piece or the span.
#pragma once

#include <array>
#include <limits>

#include "bristle/model/motion.hpp"

namespace bristle {

struct Expansion {
  static constexpr int room = 14;

  std::array<double, room> coefficient{};  // [N/m^k]
  int terms = 1;
  double span = std::numeric_limits<double>::infinity();  // [m]
  // Where the piece of the law ends in the direction of the branch [m].
  double end = std::numeric_limits<double>::infinity();
};

template <class L>
concept ExpandableLaw = requires(const L& law, double x, Branch<double> branch) {
  { law.expand(x, branch, 1e-12) } -> std::same_as<Expansion>;
};

}  // namespace bristle
