// SPDX-License-Identifier: MIT
#include "bristle/solve/run.hpp"

#include <algorithm>

#include "bristle/solve/cancel.hpp"
#include "machine_drive.hpp"

namespace bristle {
namespace detail {

struct SilentObserver final : MachineObserver {
  void step(MachinePath&, const MachineMode&, double, double) override {}
  void event(double, const std::vector<double>&, const MachineMode&, const MachineMode&) override {}
  bool cancelled(double) override { return stop_asked(); }
};

}  // namespace detail

struct Run::State {
  State(const Machine& m, const RunOptions& o)
      : machine(m),
        options(o),
        system(machine),
        driver(system, {o.tolerance, o.step_limit, 1.0}),
        force(machine.lines.size()),
        slip(force) {
    for (std::size_t i = 0; i < machine.parts().bodies.size(); ++i)
      bodies.push_back(machine.row_of_body(i));
    driver.reset();
    look();
  }
  // Forces and relative velocities at the present instant.
  void look() {
    system.contact_forces(driver.time(), driver.state().data(), driver.mode(), force, slip);
  }

  Machine machine;
  RunOptions options;
  detail::MachineSystem system;
  detail::MachineDriver driver;
  std::vector<double> force, slip;
  std::vector<MotionRow> bodies;
  detail::SilentObserver silent;
};

Run::Run(const Machine& machine, const RunOptions& options)
    : state_(std::make_unique<State>(machine, options)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

Run::Run(const Run& other)
    : state_(std::make_unique<State>(other.state_->machine, other.state_->options)) {
  state_->system.extra = other.state_->system.extra;
  RunSnapshot here;
  other.save(here);
  restore(here);
}
Run& Run::operator=(const Run& other) {
  if (this != &other) *this = Run(other);
  return *this;
}

const Machine& Run::machine() const { return state_->machine; }

void Run::reset() {
  std::fill(state_->system.extra.begin(), state_->system.extra.end(), 0.0);
  state_->driver.reset();
  state_->look();
}

Status Run::step(double h) {
  if (!(h > 0.0)) return Status::step_too_small;
  const StepReport report = state_->driver.run(state_->driver.time() + h, state_->silent);
  state_->look();
  return report.status;
}

double Run::time() const { return state_->driver.time(); }
std::span<const double> Run::state() const { return state_->driver.state(); }
double Run::position(std::size_t body) const {
  const MotionRow& row = state_->bodies[body];
  return row.offset + detail::MachineSystem::sum(row, state().data());
}
double Run::velocity(std::size_t body) const {
  return detail::MachineSystem::sum(state_->bodies[body], state().data() + state_->system.v_at());
}
double Run::force(std::size_t contact, int axis) const {
  return state_->force[std::size_t(state_->machine.contacts[contact].line + axis)];
}
double Run::slip(std::size_t contact, int axis) const {
  return state_->slip[std::size_t(state_->machine.contacts[contact].line + axis)];
}
double Run::mode(std::size_t contact) const {
  return state_->system.mode_of(contact, state_->slip.data(), state_->driver.mode());
}
double Run::stored() const {
  return state_->system.stored(time(), state().data(), state_->driver.mode());
}
double Run::work_in() const { return state()[std::size_t(state_->system.states)]; }
double Run::dissipated() const { return state()[std::size_t(state_->system.states) + 1]; }

void Run::set_input(std::size_t input, double force) {
  double& extra = state_->system.extra[input];
  if (extra == force) return;
  extra = force;
  state_->driver.disturb();
}

void Run::save(RunSnapshot& snapshot) const {
  const auto& driver = state_->driver;
  const auto memory = driver.memory();
  const auto& y = driver.state();
  const auto& extra = state_->system.extra;
  snapshot.time = driver.time();
  snapshot.values.assign(y.begin(), y.end());
  snapshot.values.insert(snapshot.values.end(), extra.begin(), extra.end());
  for (const double one : {memory.step, memory.last_step, memory.last_error})
    snapshot.values.push_back(one);
  const auto& mode = driver.mode();
  snapshot.branches = mode.branch;
  snapshot.controllers = mode.controllers;
  snapshot.past.clear();
  for (const auto& one : mode.past) one.save(snapshot.past);
  snapshot.pieces.clear();
  for (const auto* list : {&mode.piece, &mode.drive_piece, &mode.input_piece, &mode.load_piece})
    snapshot.pieces.insert(snapshot.pieces.end(), list->begin(), list->end());
}

void Run::restore(const RunSnapshot& snapshot) {
  auto& s = *state_;
  const auto n = s.driver.state().size();
  auto& extra = s.system.extra;
  detail::MachineMode mode = s.driver.mode();
  if (snapshot.values.size() != n + extra.size() + 3 ||
      snapshot.branches.size() != mode.branch.size() ||
      snapshot.controllers.size() != mode.controllers.size() ||
      snapshot.past.size() != mode.past.size() * detail::VelocityHistory::numbers())
    return;
  const std::size_t pieces = mode.piece.size() + mode.drive_piece.size() + mode.input_piece.size() +
                             mode.load_piece.size();
  if (snapshot.pieces.size() != pieces) return;
  const double* const from = snapshot.values.data();
  std::copy(from + n, from + n + extra.size(), extra.begin());
  const double* const memory = from + n + extra.size();
  mode.branch = snapshot.branches;
  mode.controllers = snapshot.controllers;
  for (std::size_t k = 0; k < mode.past.size(); ++k)
    mode.past[k].restore(
        std::span(snapshot.past)
            .subspan(k * detail::VelocityHistory::numbers(), detail::VelocityHistory::numbers()));
  auto piece = snapshot.pieces.begin();
  for (auto* list : {&mode.piece, &mode.drive_piece, &mode.input_piece, &mode.load_piece})
    for (int& one : *list) one = *piece++;
  s.driver.resume(snapshot.time, {from, n}, mode, {memory[0], memory[1], memory[2]});
  s.look();
}

}  // namespace bristle
