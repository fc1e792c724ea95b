// SPDX-License-Identifier: MIT
#include "bristle/analysis/steady.hpp"

#include <limits>

#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// Small enough that no curve has begun to fall, large enough to have a sign.
constexpr double vanishing = 1e-200;

}  // namespace

SteadyCurve steady_curve(const AnyLaw& law, double from, double to, int points, double load) {
  SteadyCurve curve;
  const auto add = [&](double v) {
    curve.velocity.push_back(v);
    curve.force.push_back(law.steady(Motion<double>{0.0, v, load, 0.0}));
  };
  double last = from;
  StopLook stop;
  for (int i = 0; i < points; ++i) {
    stop();
    const double v = points > 1 ? from + (to - from) * double(i) / double(points - 1) : from;
    if ((last < 0.0 && v >= 0.0) || (i == 0 && v == 0.0)) {
      add(-vanishing);
      add(vanishing);
    }
    if (v != 0.0) add(v);
    last = v;
  }
  return curve;
}

Interval<double> rest_interval(const AnyLaw& law, double position, double load) {
  return {law.steady(Motion<double>{position, -vanishing, load, 0.0}),
          law.steady(Motion<double>{position, vanishing, load, 0.0})};
}

}  // namespace bristle
