// SPDX-License-Identifier: MIT
#include "bristle/analysis/snap_map.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/model/field.hpp"

namespace bristle {
namespace {

// A stretch of outputs along which the resting input changes one way.
struct Stable {
  double low, high;  // outputs
};

class Equilibria {
 public:
  Equilibria(const RestingCurve& curve, double low, double high) : curve_(curve) {
    // A stable branch goes the way the outermost ones do; branches meet at the folds, where the
    // slope of the input changes its sign.
    constexpr int n = 20000;
    sign_ = curve.input(high) > curve.input(low) ? 1.0 : -1.0;
    const auto rises = [&](double y) { return sign_ * curve.slope(y) > 0.0; };
    const auto place = [&](int i) { return low + (high - low) * i / n; };
    double from = low;
    bool stable = rises(low);
    for (int i = 1; i <= n; ++i) {
      if (rises(place(i)) == stable) continue;
      const double fold = fold_between(place(i - 1), place(i));
      if (stable) branches.push_back({from, fold});
      stable = !stable;
      from = fold;
    }
    if (stable) branches.push_back({from, high});
  }

  // The output on a branch for an input; NaN if the branch does not reach it.
  double output(const Stable& b, double input) const {
    double at = b.low, far = b.high;
    const auto& u = curve_.input;
    if (sign_ * (u(at) - input) > 0.0 || sign_ * (u(far) - input) < 0.0) return NAN;
    for (int i = 0; i < 100; ++i) {
      const double m = 0.5 * (at + far);
      (sign_ * (u(m) - input) < 0.0 ? at : far) = m;
    }
    return 0.5 * (at + far);
  }
  double sign() const { return sign_; }
  std::vector<Stable> branches;

 private:
  // The root of the slope between two outputs, by halving until no number lies between them.
  double fold_between(double a, double b) const {
    const bool rising = curve_.slope(a) > 0.0;
    for (int i = 0;; ++i) {
      const double m = 0.5 * (a + b);
      if (m == a || m == b || i > 2100) return m;  // NaN equals nothing
      ((curve_.slope(m) > 0.0) == rising ? a : b) = m;
    }
  }

  const RestingCurve& curve_;
  double sign_;
};

}  // namespace

SnapMap snap_map(const RestingCurve& curve, double low, double high, double amplitude,
                 const std::function<double(double)>& other) {
  const Equilibria e(curve, low, high);
  SnapMap map;
  const auto start = [&](double input) {
    for (const Stable& b : e.branches)
      if (const double y = e.output(b, input); !std::isnan(y)) return y;
    throw InvalidInput("amplitude", "no equilibrium is known for the input " + words(input) +
                                        ", outputs are searched from " + words(low) + " to " +
                                        words(high));
  };
  // Gauss and Legendre on 400 pieces of a branch: integral of g(y) du over y.
  const auto integrate = [&](double from, double to) {
    constexpr int pieces = 400;
    constexpr double node = 0.7745966692414834;
    const double half = 0.5 * (to - from) / pieces;
    double sum = 0.0;
    for (int i = 0; i < pieces; ++i)
      for (const auto& [place, weight] :
           {std::pair{-node, 5.0 / 9.0}, std::pair{0.0, 8.0 / 9.0}, std::pair{node, 5.0 / 9.0}}) {
        const double y = from + half * (2 * i + 1 + place);
        sum += weight * half * (other ? other(y) : y) * curve.slope(y);
      }
    map.area += sum;
    if (curve.input(0.5 * (from + to)) > 0.0) map.positive_area += sum;
  };
  const auto along = [&](const Stable& branch, double from, double to) {
    // Cut where the input changes sign.
    const double zero = e.output(branch, 0.0);
    const bool cut = !std::isnan(zero) && (zero - from) * (zero - to) < 0.0;
    if (cut) integrate(from, zero), integrate(zero, to);
    else integrate(from, to);
    constexpr int drawn = 200;
    for (int i = 0; i <= drawn; ++i) {
      const double y = from + (to - from) * i / drawn;
      map.output.push_back(y);
      map.input.push_back(curve.input(y));
    }
  };
  double y = start(-amplitude);
  for (const double way : {1.0, -1.0}) {
    const double goal = way * amplitude;
    for (std::size_t round = 0; round <= e.branches.size() + 1; ++round) {
      // The branch the output lies on.
      const auto on = std::find_if(e.branches.begin(), e.branches.end(), [&](const Stable& b) {
        return y >= b.low - 1e-9 * (high - low) && y <= b.high + 1e-9 * (high - low);
      });
      if (on == e.branches.end()) break;
      const double end = e.output(*on, goal);
      if (!std::isnan(end)) {
        along(*on, y, end);
        y = end;
        break;
      }
      const double fold = (way * e.sign() > 0.0) ? on->high : on->low;
      along(*on, y, fold);
      const double input = curve.input(fold);
      // The next stable branch in the direction of the snap that has this input.
      double landed = NAN;
      for (const Stable& b : e.branches)
        if (&b != &*on)
          if (const double at = e.output(b, input); !std::isnan(at)) landed = at;
      if (std::isnan(landed)) landed = start(goal);
      map.snaps.push_back({input, fold, landed});
      y = landed;
    }
  }
  return map;
}

}  // namespace bristle
