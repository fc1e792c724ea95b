// SPDX-License-Identifier: MIT
// Forces along relative velocities over one implicit stage, solved together.
//
// An element is a friction law or a coupling. Over a stage of length w it sees
//
//   r = free - w G F,     s = position + w r,     z = base + w rate(z, s, r),     F = force(z, s,
//   r)
//
// r its relative velocity, s its relative position, z its states; F lies in the interval of a
// set-valued law where r = 0. G says how the velocities answer to the forces. The state of a law
// that follows the displacement alone may be taken in closed form from the start of the step.
//
// A stage that is like one before (keep()) is solved by Newton's method on all elements from there.
// Otherwise, where all elements move in proportion, the one equation of the stage is solved inside
// a bracket (stage_one_way.cpp); else element after element is solved for its own velocity until
// the answer settles, then Newton's method on all of them removes what is left. Where friction
// falls with speed so steeply that several velocities fit one stage, a contact that can stick does.
// Nothing here allocates or throws but the constructor and resize().
#pragma once

#include <span>
#include <vector>

#include "bristle/machine/coupling.hpp"
#include "bristle/model/any_law.hpp"
#include "machine/wide_contact.hpp"

namespace bristle::detail {

// A load that a gear carries to a contact: that of couplings beyond the gear and of constant
// forces, less what accelerates the inertia there.
struct StageLoad {
  struct Share {
    const AnyCoupling* coupling;
    double factor;    // its rate over that of the contact
    double position;  // at velocity zero
    const double* signals;
  };
  std::vector<Share> shares;
  double constant = 0.0, inertia = 0.0;
  double base_rate = 0.0;  // of the contact, where the stage starts from

  struct Value {
    double load, by_rate, by_base;  // by_base: by the positions at velocity zero
  };
  Value at(double r, double w) const;
};

struct StageElement {
  const AnyLaw* law = nullptr;            // with at most one state,
  const BlockLaw* block = nullptr;        // or with several along a line,
  const AnyCoupling* coupling = nullptr;  // or a coupling
  const double* signals = nullptr;        // of the coupling
  double load = 1.0;
  int carried = -1;       // number of the gear that gives the load, -1 for none
  bool per_load = false;  // forces are multiplied by the load
  double position = 0.0;  // at velocity zero
  double time = 0.0;
  int state = 0;           // place of its first state
  bool displaced = false;  // the state follows in closed form from that at the start of the step
  double start_state = 0.0, start_position = 0.0;

  // Its displacement since the start of the step, where the stage adds the given one. The positions
  // themselves may be large beside it.
  double moved(double by_stage) const { return (position - start_position) + by_stage; }

  // A law with at most one state has room for one.
  int states() const { return block ? block->states() : coupling ? 0 : 1; }
};

struct StageReport {
  bool converged = false;
  int sweeps = 0;         // over all elements
  int newton = 0;         // iterations
  double residual = 0.0;  // largest |r - free + w G F|
};

class StageContacts {
 public:
  void resize(std::vector<StageElement> elements);

  std::size_t size() const { return elements.size(); }
  std::vector<StageElement> elements;
  std::vector<double> base;      // states that the stage starts from
  std::vector<StageLoad> loads;  // that gears carry
  // All elements move in proportion to one velocity, and at most one of them is set-valued: the
  // stage is then one equation.
  bool one_way = false;

  // From the velocities as they are now. `mobility` is G, row by row.
  StageReport solve(std::span<const double> free, std::span<const double> mobility, double w);

  // Keeps the solution as one that the next stage may be like: solve() then tries to go on from it.
  void keep();
  void forget() { kept_ = false; }

  std::vector<double> velocity, force, state;
  std::vector<double> slope;  // d force / d velocity over the stage, infinite in stick
  std::vector<char> stuck;

  // Takes the length of a stage that is not solved here.
  void hold(double w) { w_ = w; }
  // Takes where an element stands from others of the same kind, which may have other parameters.
  void take_over(const StageContacts& other, std::size_t i);
  // Force and states of one element at a velocity, for the length that was taken last.
  struct Answer {
    double force = 0.0, slope = 0.0;
  };
  Answer ask(std::size_t i, double r, double* states);
  Answer pull_of(const StageElement& e, double r) const;  // of a coupling

  // How forces and states answer to small changes about the solution. open() makes ready. known()
  // gives the change of the force of an element at held velocity, and of its states, for changes of
  // its base position, rate and states, and of where the step started if it is displaced.
  // solve_changes() then turns changes of the free velocities into those of the velocities, with
  // the forces beyond known() that go with them, and add_states() adds what a velocity does to the
  // states.
  bool open(std::span<const double> mobility);
  double known(std::size_t i, double position, double rate, double start_position,
               const double* states, double* answer);
  void solve_changes(std::span<double> change, std::span<double> pull);
  void add_states(std::size_t i, double velocity, double* states);

 private:
  StageLoad::Value load_of(const StageElement& e, double r) const {
    if (e.carried < 0) return {e.load, 0.0, 0.0};
    return loads[std::size_t(e.carried)].at(r, w_);
  }
  Interval<double> edges(const StageElement& e) const;
  Answer ask_single(const StageElement& e, double s, double r, double* state);
  Answer ask_block(std::size_t i, double s, double r, double* states);
  void take(std::size_t i, double r, const Answer& answer);
  bool solve_alone(std::size_t i, double free, double gain);
  double residual_of(std::span<const double> free, std::span<const double> mobility) const;
  bool correct(std::span<const double> free, std::span<const double> mobility);
  bool newton(std::span<const double> free, std::span<const double> mobility);
  bool look();
  bool go_on(std::span<const double> free, std::span<const double> mobility, StageReport& report);
  bool solve_one_way(std::span<const double> free, std::span<const double> mobility);
  double allowed_residual(std::span<const double> free, std::span<const double> mobility) const;
  bool factor_joint(std::span<const double> mobility);
  void solve_joint(std::span<double> x);

  double w_ = 0.0;
  std::vector<double> trial_, matrix_, right_, sorted_;
  std::vector<double> bend_, tilt_;  // of the states: what is missing, and with the velocity
  std::vector<double> kept_velocity_, kept_force_;
  std::vector<char> kept_stuck_;
  bool kept_ = false, simple_ = false;  // simple: couplings and laws with at most one state
  std::vector<int> order_;
  std::vector<WideContact> wide_;
  std::vector<int> wide_of_;
  // Of a law with one state, or of a coupling: force by position and state, state by position, by
  // the state before and by velocity.
  struct Local {
    double f_s = 0.0, f_z = 0.0, z_s = 0.0, z_b = 0.0, z_r = 0.0;
    double f_base = 0.0;  // force by the rate that the stage starts from
  };
  Local linearise(const StageElement& e, double r, double z) const;
  std::vector<Local> local_;
};

}  // namespace bristle::detail
