// SPDX-License-Identifier: MIT
// The hysteresis map of a system whose equilibria fold: it follows a stable branch to the fold and
// snaps to the next one. The limit of the maps as the input slows down, without simulating.
#pragma once

#include <functional>
#include <vector>

namespace bristle {

struct Snap {
  double input = 0.0;           // of the fold
  double from = 0.0, to = 0.0;  // outputs before and after
};

struct SnapMap {
  std::vector<double> input, output;  // one period: up, then down, with the snaps as jumps
  std::vector<Snap> snaps;            // in the order they happen
  double area = 0.0;                  // integral of y du
  double positive_area = 0.0;         // the part of it from positive inputs
};

// `resting_input` is the input under which the system rests with an output between `low` and
// `high`; the input swings between -amplitude and amplitude. With `other`, the area is that of
// other(y) instead of y. Throws InvalidInput if the branches do not reach the ends of the swing.
SnapMap snap_map(const std::function<double(double)>& resting_input, double low, double high,
                 double amplitude, const std::function<double(double)>& other = {});

}  // namespace bristle
