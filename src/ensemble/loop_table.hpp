// SPDX-License-Identifier: MIT
// What the fixed-step loop in lanes gets from outside: the numbers of its runs, and step by step
// what acts on them. All of it is compiled once, for every processor.
#pragma once

#include <cstddef>

namespace bristle {

// One axis: M q'' = forces - K q - D q' - pull - line F, with the contact moving by line q.
struct LoopRun {
  static constexpr int most_parameters = 12;
  double inertia = 1.0, stiffness = 0.0, damping = 0.0, pull = 0.0;
  double position = 0.0, velocity = 0.0, state = 0.0;  // at the start
  double line = 1.0, line_offset = 0.0;
  double load = 1.0, scale = 1.0;  // forces of the law are multiplied by the scale
  double force_scale = 1.0;        // the size of the friction force
  double parameters[most_parameters] = {};

  // The controller, its sensor and the force per unit of its output.
  double eye = 1.0, eye_offset = 0.0, hand = 0.0;
  double position_gain = 0.0, velocity_gain = 0.0, integral_gain = 0.0, feedforward = 0.0;
  double saturation = 0.0, resolution = 0.0;
};

// What all runs of a batch have in common.
struct LoopChoices {
  int law[LoopRun::most_parameters] = {};  // choices of the law, in the order of its fields
  bool controlled = false, forced = false;
  int form = 0, sensing = 0;
  double control_step = 0.0, delay = 0.0;
};

struct LoopStep {
  double w = 0.0;                    // length of a stage
  double first = 0.0, second = 0.0;  // times of the stages
  double end = 0.0;                  // the second one but for rounding
  bool samples = false;              // the controller takes a sample at its end
  bool records = false;
};

// What is recorded of each lane; the rest follows from these.
enum LoopChannel : int {
  loop_position,
  loop_velocity,
  loop_state,
  loop_friction,
  loop_mode,
  loop_output,
  loop_channels
};

class LoopHost {
 public:
  virtual ~LoopHost() = default;
  // False after the last step.
  virtual bool next(LoopStep& step) = 0;
  // The given forces on each lane at a time.
  virtual void forces(double t, double* force) = 0;
  // Position or velocity that the controller is to follow at its next sample, and its slope.
  virtual void reference(double* value, double* slope) = 0;
  // One vector of lanes per channel.
  virtual void record(const double* channels) = 0;
};

enum LoopLaw : int { loop_lugre, loop_frbd, loop_coulomb, loop_stribeck, loop_laws };

// Steps one batch of runs, at most one per lane, to the end. `failed` is set for lanes of which a
// stage has no solution that was found. False if it was stopped.
using FixedLoopCall = bool (*)(const LoopRun* runs, int count, const LoopChoices& choices,
                               LoopHost& host, char* failed, bool (*stop)());

}  // namespace bristle
