// SPDX-License-Identifier: MIT
// What a method cannot promise of a run, said in its summary.
#pragma once

#include <cmath>
#include <numbers>

#include "bristle/model/any_law.hpp"
#include "bristle/scalar/dual.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/system.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle::detail {

// How a body swings on its bristles: by the part of the Jacobian of its velocity and the state of
// the bristle, or its position on a row of bristles.
struct Ringing {
  double frequency = 0.0;  // [rad/s], 0: it does not
  double decay = 0.0;      // [1/s]

  bool undamped() const { return frequency > 0.0 && decay < 1e-3 * frequency; }
  double rings(double time) const { return frequency * time / (2.0 * std::numbers::pi); }
};

template <class Sys>
Ringing ringing(const Sys& system, typename Sys::State y, bool by_position) {
  if constexpr (Sys::moves) {
    // A row of bristles is a spring along the position, a bristle one of its own.
    constexpr int N = Sys::size, z = Sys::set_valued ? 0 : N - 1;
    if (Sys::set_valued && !by_position) return {};
    using D = Dual<double, N + 1>;
    y[1] = 0.0;
    if (!Sys::set_valued) y[z] = 0.0;
    Mode mode = system.start(0.0, y);
    if (mode.stuck()) mode = system.turned(0.0, y, mode);
    std::array<D, N> at{}, rate{};
    for (int i = 0; i < N; ++i) at[i] = variable<N + 1>(y[i], i);
    system.rates(D(0.0), at, mode, rate);
    const double own = rate[1].slope[1], back = rate[z].slope[z];
    const double square_of = -rate[1].slope[z] * rate[z].slope[1] - 0.25 * square(own - back);
    if (square_of > 0.0) return {std::sqrt(square_of), -0.5 * (own + back)};
  }
  return {};
}

// The largest power by which the steady force falls with speed: -d log F / d log v.
double steepest_fall(const AnyLaw& law, double load);

// The part of a run in which the contact does not stick, by its samples [s].
double time_in_motion(const Trajectory& trajectory);

// Adds a warning to the summary and to its message.
void warn(const std::string& sentence, Summary& summary);
// CVODE at a tolerance at which rounding adds up over its many steps.
void warn_of_rounding(const Options& options, Summary& summary);
// What is known of how far either adaptive method goes astray, from the time the body has moved.
void warn_of_method(const AnyLaw& law, double load, const Ringing& ringing, double moved,
                    const Options& options, Summary& summary);

}  // namespace bristle::detail
