// SPDX-License-Identifier: MIT
// Adaptive runs of one machine with different parameters in the lanes of the processor.
//
// A mass dragged by a spring, m x'' = k (w t - x) - F, with a law of one state that has no pieces
// but the sign of the velocity (lugre, frbd). Every lane has its own step, error control and
// reversals of velocity, and takes the next run as soon as it has ended one: no lane waits for
// another. The method is that of solve/rosenbrock.hpp with the error control of
// solve/integrate.hpp, without the energy ledger and without the repetition of runs that move less
// than their parameters let expect.
//
// A run has the same bits whatever runs beside it, and whatever instructions the processor has:
// AVX-512 (16 lanes, two vectors), AVX2 (8), or none of them (4, slow since fma is a call then).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/model/any_law.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle {

// One run, ready to be stepped.
struct LaneRun {
  static constexpr int most_parameters = 12;
  double mass = 1.0, spring = 2.0, drag_velocity = 0.0, load = 1.0;
  double parameters[most_parameters] = {};  // numbers of the law, in the order of its fields
  double start[3] = {};                     // position, velocity, state of the law
  double scales[3] = {1.0, 1.0, 1.0};       // sizes of the states, see StepControl
  double end = 1.0, tolerance = 1e-8, step_limit = 2e7;
};

struct LaneEnd {
  enum Status : int { done, step_too_small, step_limit };
  double time = 0.0;
  double state[3] = {};
  double extent[3] = {};  // how far each state went from its start, the velocity from rest
  double steps = 0.0, rejected = 0.0;
  Status status = done;
};

// A step that was taken: the states at its ends, and what bends them in between (Rosenbrock).
struct LaneStep {
  double time, step, direction;
  double start[3], end[3], bend[3][3];
};

class LaneObserver {
 public:
  virtual ~LaneObserver() = default;
  virtual void step(std::uint64_t run, const LaneStep& step) = 0;
};

// The instructions in use, "AVX-512", "AVX2" or "no vector instructions", and how many runs are
// stepped at once. lane_sets() lists all that this processor has, the widest first.
struct LaneSet {
  std::string_view name;
  int lanes;
};
std::vector<LaneSet> lane_sets();

// Why a law cannot be run in lanes, or the empty text. Other laws have pieces or several states.
std::string lanes_refuse(const AnyLaw& law);

// Makes a run from its parts; the law must be one that lanes take.
LaneRun lane_run(const AnyLaw& law, const DraggedMass& body, const Options& options);
// Steps runs of one law to their ends. `set` counts the lane sets. Throws Cancelled where a stop is
// asked for.
void run_in_lanes(const AnyLaw& law, std::span<const LaneRun> runs, std::span<LaneEnd> ends,
                  LaneObserver* observer = nullptr, std::size_t set = 0);

// One simulation as `simulate` would make it: samples, without energies and events.
struct LaneCase {
  const AnyLaw* law = nullptr;
  DraggedMass body;
  Options options;
};
// Empty where a run has to be simulated otherwise: it failed, or it moved so much less than its
// parameters let expect that its errors are to be weighed anew.
std::vector<std::optional<Simulation>> simulate_in_lanes(std::span<const LaneCase> cases,
                                                         std::size_t set = 0);

}  // namespace bristle
