// SPDX-License-Identifier: MIT
// A bifurcation diagram: the section of a motion over one parameter.
//
// For each value of the parameter a run gives its section (one point per drive period, after the
// transient); the values are shared out to threads. What is done so far can be written down at any
// time and handed in again: a diagram that was cancelled goes on where it stopped, and ends the
// same to the last digit, since every value is computed for itself.
#pragma once

#include <functional>
#include <vector>

#include "bristle/analysis/motion_kind.hpp"
#include "bristle/model/field.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

struct BifurcationOptions {
  using Number = double;
  static constexpr std::string_view name = "bifurcation";
  static constexpr std::string_view summary = "section of a motion over one parameter";

  double from = 0.0;
  double to = 1.0;
  double values = 1000.0;
  double periods = 300.0;
  double keep = 60.0;
  double threads = 0.0;

  static constexpr auto fields() {
    using B = BifurcationOptions;
    using F = Field<B>;
    return std::array{
        F{"from", "", "first value of the parameter", any_number, &B::from},
        F{"to", "", "last value of the parameter", any_number, &B::to},
        F{"values", "", "number of values", Bounds{2.0, 1e6, false, true}, &B::values},
        F{"periods", "", "beats of each run", Bounds{4.0, 1e6, false, true}, &B::periods},
        F{"keep", "", "beats at its end that are kept", Bounds{2.0, 1e6, false, true}, &B::keep},
        F{"threads", "", "number of threads, 0: as many as the machine has",
          Bounds{0.0, 1024.0, false, true}, &B::threads}};
  }
  void check() const {
    if (!(from < to))
      throw InvalidInput(
          "to", "bifurcation: to = " + words(to) + " must be greater than from = " + words(from));
    if (!(keep < periods))
      throw InvalidInput("keep", "bifurcation: keep = " + words(keep) +
                                     " must be less than periods = " + words(periods));
  }
  double value(std::size_t i) const {
    return i + 1 == std::size_t(values) ? to : from + (to - from) * double(i) / (values - 1.0);
  }
};

// The section at one value of the parameter. May throw InvalidInput.
using SectionAt = std::function<Section(double value)>;

struct BifurcationColumn {
  double value = 0.0;
  bool done = false;
  Section section;
  MotionVerdict motion;
};

struct Bifurcation {
  std::vector<BifurcationColumn> columns;
  Status status = Status::done;
  std::size_t done() const;
};

struct BifurcationHooks {
  std::function<bool(double)> progress{};                // false cancels
  std::function<void(const Bifurcation&)> checkpoint{};  // called now and then
  double checkpoint_seconds = 5.0;
};

// `earlier` holds columns that were done before. Throws what the section throws, or InvalidInput if
// `earlier` belongs to other values.
Bifurcation bifurcation(const SectionAt& section, const BifurcationOptions& options,
                        const BifurcationHooks& hooks = {}, Bifurcation earlier = {});

}  // namespace bristle
