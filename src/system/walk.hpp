// SPDX-License-Identifier: MIT
// Leads an operator along an input, and integrates its output over the input on the way.
#pragma once

#include <functional>
#include <memory>

#include "bristle/system/system.hpp"

namespace bristle {

// An operator at work.
class Walker {
 public:
  virtual ~Walker() = default;
  virtual double update(double input) = 0;
  // Adds the inputs strictly between two at which the output has a kink or a jump.
  virtual void kinks(double from, double to, std::vector<double>& all) const = 0;
  virtual std::unique_ptr<Walker> copy() const = 0;
};

// `behind` takes the output of `front` and gives the second output; it may be none.
SystemResponse walk(Walker& front, Walker* behind, const Signal& input, const Options& options);

// The same as pieces between turns and kinks, from `record_from` on.
Path walk_path(Walker& front, Walker* behind, const Signal& input, const Options& options);

}  // namespace bristle
