// SPDX-License-Identifier: MIT
// A machine in motion, for a host that owns the time loop: it takes a step, reads the results, and
// may restore an earlier state.
//
//   Run run(machine);
//   for (int k = 0; k < 1000; ++k) {
//     run.set_input(0, torque);               // a force beside the signal of the input
//     if (run.step(1e-3) != Status::done) break;
//     use(run.position(0), run.velocity(0), run.force(0));
//   }
//
// Within a step the machine is integrated adaptively with its events located, so a step may be of
// any length. After construction nothing allocates and nothing throws. The machine is copied, so it
// may go away; a Run can be copied and moved, and copies go on independently of each other.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "bristle/machine/machine.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

struct RunOptions {
  double tolerance = 1e-8;       // as Options::tolerance
  long step_limit = 20'000'000;  // inner steps of one step
};

// A place to go back to: what save() kept. Only a Run of the same machine can use it.
struct RunSnapshot {
  double time = 0.0;
  std::vector<double> values;
  std::vector<Branch<>> branches;
  std::vector<int> pieces;
  std::vector<ControllerState> controllers;
  std::vector<double> past;  // of laws with a delay
};

class Run {
 public:
  explicit Run(const Machine& machine, const RunOptions& options = {});
  Run(const Run& other);
  Run& operator=(const Run& other);
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;
  ~Run();

  const Machine& machine() const;
  // Back to the start of the machine.
  void reset();
  // From time() to time() + h. After a status other than done the state is that of the last good
  // inner step, at time(). It is `cancelled` where a stop was requested (cancel.hpp).
  Status step(double h);

  double time() const;
  // States: coordinates, their velocities, lagged forces, states of the laws; then the energies
  // work in, dissipated and those of each contact.
  std::span<const double> state() const;
  double position(std::size_t body) const;
  double velocity(std::size_t body) const;
  // Of a contact: friction, relative velocity (exactly zero in stick), and mode. A contact in the
  // plane has two axes.
  double force(std::size_t contact, int axis = 0) const;
  double slip(std::size_t contact, int axis = 0) const;
  double mode(std::size_t contact) const;
  double stored() const;
  double work_in() const;
  double dissipated() const;

  // A constant force added to that of an input from now on, in its unit of force. It stays until it
  // is set again.
  void set_input(std::size_t input, double force);

  // save() allocates on the first call with a fresh snapshot, not with one that was used before.
  void save(RunSnapshot& snapshot) const;
  void restore(const RunSnapshot& snapshot);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bristle
