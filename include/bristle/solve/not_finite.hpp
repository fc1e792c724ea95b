// SPDX-License-Identifier: MIT
// The first number of a run that is NaN or infinite: which column it belongs to, and when.
//
// A run with such a number failed, whether or not it reached its end. Samples are checked
// as they are taken, states where a step fails; a step that succeeds costs nothing.
#pragma once

#include <array>
#include <cmath>
#include <string_view>

namespace bristle {

struct NotFinite {
  std::string_view column{};  // empty while all numbers are finite
  double time = 0.0;          // [s]

  explicit operator bool() const { return !column.empty(); }

  // Checks the numbers of one instant by one comparison if all are finite.
  template <std::size_t N>
  void look(double t, const std::array<double, N>& values,
            const std::array<std::string_view, N>& names) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    if (sum - sum == 0.0 || *this) return;
    // The sum of finite numbers may overflow, so each is checked.
    for (std::size_t i = 0; i < N && !*this; ++i)
      if (!std::isfinite(values[i])) column = names[i], time = t;
  }
};

// The column of a state of a System, or of one of the three works behind the states.
template <class Sys>
constexpr std::string_view state_column(int i) {
  using M = typename Sys::Body;
  constexpr std::array<std::string_view, 3> works{"work_in", "friction_work", "dissipated"};
  if (i >= Sys::size) return works[std::size_t(i - Sys::size)];
  if (!Sys::set_valued && i == Sys::size - 1) return "state";
  if (i == 0) return "position";
  if (i == 1) return "velocity";
  if constexpr (requires { M::rate_state; }) return i == M::rate_state ? "height_rate" : "height";
  return "pressure";
}

// What is not finite at an instant: a state, the friction force, or the rates and powers that
// follow from them; empty if all of that is finite.
template <class Sys, class State, class Mode>
std::string_view not_finite_at(const Sys& system, double t, const State& y, const Mode& mode) {
  for (int i = 0; i < Sys::size; ++i)
    if (!std::isfinite(y[std::size_t(i)])) return state_column<Sys>(i);
  if (!std::isfinite(system.friction(t, y, mode))) return "force";
  typename Sys::State rate{};
  std::array<double, 3> power{};
  system.evaluate(t, y, mode, rate, power);
  for (int i = 0; i < Sys::size; ++i)
    if (!std::isfinite(rate[std::size_t(i)])) return state_column<Sys>(i);
  for (int i = 0; i < 3; ++i)
    if (!std::isfinite(power[std::size_t(i)])) return state_column<Sys>(Sys::size + i);
  return {};
}

// The same a little later, for a step that fails however short it is: along the rates, which are
// finite, over times that grow from rounding to a millionth of the time gone.
template <class Sys, class State, class Mode>
std::string_view not_finite_after(const Sys& system, double t, const State& y, const Mode& mode) {
  std::string_view column = not_finite_at(system, t, y, mode);
  if (!column.empty()) return column;
  typename Sys::State rate{};
  std::array<double, 3> power{};
  system.evaluate(t, y, mode, rate, power);
  for (double part = 1e-16; part < 1e-5 && column.empty(); part *= 10.0) {
    const double by = part * (std::abs(t) + 1e-3);
    State ahead = y;
    for (int i = 0; i < Sys::size; ++i) ahead[std::size_t(i)] += by * rate[std::size_t(i)];
    column = not_finite_at(system, t + by, ahead, mode);
  }
  return column;
}

}  // namespace bristle
