// SPDX-License-Identifier: MIT
// What goes into a block law (block_law.hpp) and what comes out of it.
#pragma once

#include <array>
#include <vector>

#include "bristle/model/motion.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

inline constexpr int most_states = 32;  // of one law

template <class S>
struct BlockMotion {
  std::array<S, 2> position{}, velocity{};  // [m], [m/s]; the second one in the plane only
  S load = S(1.0);                          // normal force [N]
  S time{};                                 // [s]
  // For laws with memory (block_memory.hpp) that need them.
  S acceleration{};    // relative, along the line [m/s2]
  S past{};            // the velocity a delay ago [m/s]
  S past_rate{};       // and its derivative [m/s2]
  bool given = false;  // the motion is given: no force changes it
};

template <class S>
struct BlockResponse {
  S* rate = nullptr;  // room for one number per state
  std::array<S, 2> force{};
  S dissipation{};
};

// Values and derivatives of a response. Rows: force along each axis, rate of each state,
// dissipation. Columns: position along each axis, velocity along each axis, states, load, and of a
// law that remembers acceleration and time.
struct BlockSlopes {
  BlockSlopes() = default;
  BlockSlopes(int dimension, int states, bool remembers = false)
      : d(dimension),
        n(states),
        more(remembers ? 2 : 0),
        value(std::size_t(d + n + 1)),
        slope(std::size_t((d + n + 1) * columns())) {}

  int d = 0, n = 0, more = 0;
  std::vector<double> value, slope;

  int columns() const { return 2 * d + n + 1 + more; }
  double at(int row, int column) const { return slope[std::size_t(row * columns() + column)]; }
  int rate_row(int i) const { return d + i; }
  int loss_row() const { return d + n; }
  int by_velocity(int axis) const { return d + axis; }
  int by_state(int i) const { return 2 * d + i; }
  int by_load() const { return 2 * d + n; }
  int by_acceleration() const { return 2 * d + n + 1; }
  int by_time() const { return 2 * d + n + 2; }
};

}  // namespace bristle
