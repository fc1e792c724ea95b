// SPDX-License-Identifier: MIT
// The hysteresis map of a system whose equilibria fold: it follows a stable branch to the fold and
// snaps to the next one. The limit of the maps as the input slows down, without simulating.
#pragma once

#include <functional>
#include <vector>

#include "bristle/scalar/dual.hpp"

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

// The input under which a system rests, as a function of its output, and the derivative of that
// function. The derivative makes folds exact: they are its roots, found to rounding, where a search
// for the extreme input alone would stop at the square root of rounding.
struct RestingCurve {
  std::function<double(double)> input, slope;
};
// Of a function that takes plain numbers and numbers with a derivative.
template <class F>
RestingCurve resting_curve(F f) {
  return {[f](double y) { return f(y); }, [f](double y) { return f(variable<1>(y, 0)).slope[0]; }};
}

// Outputs are searched between `low` and `high`; the input swings between -amplitude and amplitude.
// With `other`, the area is that of other(y) instead of y. Throws InvalidInput if the branches do
// not reach the ends of the swing.
SnapMap snap_map(const RestingCurve& curve, double low, double high, double amplitude,
                 const std::function<double(double)>& other = {});

}  // namespace bristle
