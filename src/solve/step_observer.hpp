// SPDX-License-Identifier: MIT
// What every method that steps a System tells of its steps: samples, section crossings, passages of
// watched values and the work at the ends of periods.
#pragma once

#include <algorithm>
#include <functional>

#include "bristle/solve/dissipation.hpp"
#include "bristle/solve/recorder.hpp"

namespace bristle::detail {

// Feeds a Recorder from any method that steps a System.
template <class Sys>
struct StepObserver {
  Recorder<Sys>& record;
  const Options& options;
  double reached = 0.0;
  std::array<double, 3> work{};
  // The mode to show at an instant, where it is not that of the step.
  std::function<Mode(double t, const typename Sys::State& y)> mode_at{};

  template <class Method>
  void step(const Method& method, const Mode& mode, double t, double end) {
    const double h = end - t;
    double least = method.y0()[Method::N + 2];
    const auto at = [&](double s) { return Method::states(method.dense(s)); };
    // A sample within rounding of an event shows what was before it.
    const double reach = end * (1.0 + 1e-14);
    for (double next = record.next_sample(); next <= reach; next = record.next_sample()) {
      const double s = h > 0.0 ? std::clamp((next - t) / h, 0.0, 1.0) : 1.0;
      const auto y = method.dense(s);
      auto powers = powers_of<Method>(y);
      powers[2] = in_order(method, mode, t, h, least, powers[2]);
      least = powers[2];
      const auto states = Method::states(y);
      record.sample(next, states, powers, mode_at ? mode_at(next, states) : mode);
    }
    record.section(t, h, mode, at);
    if (!options.watches.empty()) record.watch(t, h, mode, at);
    reached = end;
    record.extend(Method::states(method.y1()));
    work = powers_of<Method>(method.y1());
    record.mark(reached, work[0]);
  }
  void event(int index, double t, const typename Sys::State& y, const Mode& before,
             const Mode& after) {
    record.event(index, t, y, before, after);
  }
  // What is interpolated of the dissipated energy, kept between its last value and that at the end
  // of the step unless the law gives energy back in between.
  template <class Method>
  double in_order(const Method& method, const Mode& mode, double t, double h, double least,
                  double value) const {
    const double most = method.y1()[Method::N + 2];
    if (value >= least && value <= most) return value;
    const bool orderly =
        least <= most && dissipated_over(record.system(), method, mode, t, h) >= 0.0;
    return orderly ? std::clamp(value, least, most) : value;
  }
  bool cancelled() const { return options.cancelled(reached / options.end); }

  template <class Method>
  static std::array<double, 3> powers_of(const typename Method::Extended& y) {
    return {y[Method::N], y[Method::N + 1], y[Method::N + 2]};
  }
};

}  // namespace bristle::detail
