// SPDX-License-Identifier: MIT
// When samples are due: at equal distances in time, the first at Options::record_from and the last
// at the end.
#pragma once

#include <limits>

#include "bristle/solve/options.hpp"
#include "bristle/solve/pacer.hpp"

namespace bristle {

class SampleTimes {
 public:
  explicit SampleTimes(const Options& options)
      : options_(options), last_(std::size_t(options.samples) - 1) {}

  // The time of the next sample; infinity after the last, and after a request to stop.
  double next() const {
    if (stopped_ || taken_ > last_) return std::numeric_limits<double>::infinity();
    if (taken_ == last_) return options_.end;
    const double span = options_.end - options_.record_from;
    return options_.record_from + span * double(taken_) / double(last_);
  }
  // The next sample has been taken, or is left out. One step may hold any number of samples: the
  // run checks for a request to stop between them.
  void taken() {
    const double now = next();
    ++taken_;
    if (looks_.due() && options_.cancelled(now / options_.end)) stopped_ = true;
  }
  // At fixed steps samples fall on the step that ends nearest after them: whether one is taken at
  // the end of a step. Of several within one step one is taken.
  bool due(double end) {
    const double reached = end * (1.0 + 1e-14);
    const bool found = next() <= reached;
    while (next() <= reached) taken();
    return found;
  }
  // Whether a stop was requested while samples were taken.
  bool stopped() const { return stopped_; }

 private:
  const Options& options_;
  std::size_t last_, taken_ = 0;
  bool stopped_ = false;
  Pacer looks_;
};

}  // namespace bristle
