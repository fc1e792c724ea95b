// SPDX-License-Identifier: MIT
// The steps of a fixed-step run, as MachineSteps of solve/machine takes them: a whole number of
// equal ones, and shorter ones that end where a controller samples within a step.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "bristle/solve/options.hpp"
#include "loop_table.hpp"

namespace bristle {

class LoopSchedule {
 public:
  // Without a controller its step is 0.
  LoopSchedule(const Options& options, double control_step)
      : end_(options.end),
        count_(std::max(1L, std::lround(options.end / options.step))),
        step_(options.end / double(count_)),
        control_step_(control_step) {}

  // False after the last step; otherwise when it ends, and when the sample there is due.
  bool next(LoopStep& s) {
    if (taken_ >= count_) return false;
    const bool last = taken_ + 1 == count_;
    double stop = last ? end_ : double(taken_ + 1) * step_;
    const double sample = next_sample();
    if (sample < stop - 1e-9 * step_ && sample > t_ + 1e-9 * step_) stop = sample;
    else ++taken_;
    const double length = stop - t_;
    s.w = known(gamma * length);
    s.first = t_ + s.w, s.second = t_ + s.w / gamma;
    t_ = s.end = stop;
    // A sample within rounding of the step is due at its end.
    due_ = std::abs(sample - stop) <= 1e-9 * length ? std::max(sample, stop) : stop;
    s.samples = due_ >= sample * (1.0 - 1e-15);
    if (s.samples) ++samples_;
    return true;
  }
  double sample_time() const { return due_; }

 private:
  static constexpr double gamma = 0.29289321881345254;  // of MachineFixed

  // The first sample is taken at the start.
  double next_sample() const {
    return control_step_ > 0.0 ? control_step_ * double(samples_)
                               : std::numeric_limits<double>::infinity();
  }
  // Steps that differ by rounding are the same one.
  double known(double w) {
    for (const double one : lengths_)
      if (std::abs(w - one) <= 1e-11 * w) return one;
    lengths_[oldest_] = w;
    oldest_ = (oldest_ + 1) % lengths_.size();
    return w;
  }

  double end_;
  long count_;
  double step_, control_step_;
  long taken_ = 0, samples_ = 1;
  double t_ = 0.0, due_ = 0.0;
  std::array<double, 3> lengths_{};
  std::size_t oldest_ = 0;
};

}  // namespace bristle
