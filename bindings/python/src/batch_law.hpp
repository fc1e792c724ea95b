// SPDX-License-Identifier: MIT
// A law on many joints at once: one call computes arrays, lane by lane.
//
// The kernels are compiled once for every processor and once more for processors with wide lanes,
// in a module of their own (wide.cpp) that is loaded where the processor has them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "bristle/model/describe.hpp"

namespace bristle::python {

enum class BatchTask { advance, force, rate, force_slopes, step, slopes };
inline constexpr int most_outputs = 6;

// Inputs are state, velocity, step, position and load. One that is `single` is a number for all.
struct BatchCall {
  std::size_t size = 0;
  std::array<const double*, 5> in{};
  std::array<bool, 5> single{};
  std::array<double*, most_outputs> out{};
};

class BatchLaw {
 public:
  virtual ~BatchLaw() = default;
  // Outputs: the new state; the force; the rate; the force and its derivatives with respect to
  // state and velocity; new state and force; these two and their derivatives, of the state with
  // respect to state and velocity, then of the force.
  virtual void run(BatchTask task, const BatchCall& call) const = 0;
  // One joint, of which `in` and `out` are single numbers.
  virtual void run_one(BatchTask task, const BatchCall& call) const = 0;
};

inline constexpr int outputs(BatchTask task) {
  return task == BatchTask::slopes         ? 6
         : task == BatchTask::force_slopes ? 3
         : task == BatchTask::step         ? 2
                                           : 1;
}

using BatchMaker = std::unique_ptr<const BatchLaw> (*)(const std::string& law,
                                                       const Values& values);

// Null for a law without such a form: one of several states, or that remembers more than its
// state.
std::unique_ptr<const BatchLaw> make_batch(const std::string& law, const Values& values);

}  // namespace bristle::python
