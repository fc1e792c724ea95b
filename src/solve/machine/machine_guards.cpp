// SPDX-License-Identifier: MIT
// What is read off a state of a machine: energy, forces of contacts, guards.
#include <algorithm>
#include <cmath>
#include <limits>

#include "machine_system.hpp"

namespace bristle::detail {

double MachineSystem::stored(double t, const double* y, const MachineMode& mode) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  double sum = 0.0;
  if (mass.varies()) {
    mass.look(q);
    sum += mass.kinetic(v) + mass.potential(q);
  } else {
    for (int i = 0; i < n; ++i) sum += 0.5 * m_.inertia[std::size_t(i)] * v[i] * v[i];
  }
  for (const auto& one : m_.linear)
    sum += 0.5 * one.pull.stiffness * square(stretch(one.row, q) - one.pull.rest);
  for (std::size_t i = 0; i < m_.others.size(); ++i)
    sum += m_.others[i].coupling->stored(stretch(m_.others[i].row, q), mode.piece[i]);
  for (std::size_t c = 0; c < std::size_t(contacts); ++c)
    if (m_.contacts[c].states > 0) sum += stored_in(c, t, y, mode, loads[c].value);
  return sum;
}

double MachineSystem::stored_in(std::size_t c, double t, const double* y, const MachineMode& mode,
                                double load) const {
  const auto& contact = m_.contacts[c];
  const double scale = contact.per_load ? load : 1.0;
  if (contact.block) {
    BlockMotion<double> seen = block_motion(c, t, y, y + v_at());
    seen.load = load;
    return scale * contact.block->stored(states_of(c, y), seen);
  }
  const MotionRow& row = m_.line(contact);
  const Motion<double> seen{stretch(row, y), rate(row, y + v_at()), load, t};
  return scale * contact.law->stored(*states_of(c, y), seen, branch_at(c, seen.velocity, mode));
}

// What laws store is proportional to their load.
double MachineSystem::per_load(std::size_t c, double t, const double* y,
                               const MachineMode& mode) const {
  return stored_in(c, t, y, mode, 1.0);
}

void MachineSystem::contact_forces(double t, const double* y, const MachineMode& mode,
                                   std::span<double> force, std::span<double> velocity) {
  if (accelerated.empty()) look_at(t, mode);
  else forces(t, y, mode, push_.data());
  const double *q = y, *v = y + v_at();
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (sticks(int(c), mode)) continue;
    const auto& contact = m_.contacts[c];
    const auto at = std::size_t(contact.line);
    if (contact.block) {
      const BlockMotion<double> seen = block_motion(c, t, q, v);
      BlockResponse<double> r;
      r.rate = moved_.data();
      respond(c, states_of(c, y), seen, mode.branch[c], r);
      for (std::size_t axis = 0; axis < std::size_t(contact.dimension); ++axis)
        velocity[at + axis] = seen.velocity[axis], force[at + axis] = r.force[axis];
      continue;
    }
    const MotionRow& row = m_.line(contact);
    velocity[at] = rate(row, v);
    force[at] = respond(c, *states_of(c, y), motion(c, t, stretch(row, q), velocity[at]),
                        branch_at(c, velocity[at], mode))
                    .force;
  }
  if (held_.empty()) return;
  forces(t, y, mode, push_.data());
  find_wanted(held_, wanted_);
  if (held_.redundant()) bounds_of(held_, t, y, mode);
  held_.hold(push_, wanted_);
  for (std::size_t k = 0; k < held_.lines().size(); ++k) {
    const auto at = std::size_t(held_.lines()[k]);
    force[at] = held_.force[k];
    velocity[at] = held_speed(held_.contact(k), mode);
  }
}

void MachineSystem::guard_values(double t, const double* y, const MachineMode& mode,
                                 std::span<double> values) {
  if (accelerated.empty()) look_at(t, mode);
  else forces(t, y, mode, push_.data());
  const double *q = y, *v = y + v_at();
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (sticks(int(c), mode)) {
      values[2 * c + 1] = 1.0;
      continue;
    }
    if (cornered[c]) {
      values[2 * c] = values[2 * c + 1] = 1.0;
      continue;
    }
    const auto& contact = m_.contacts[c];
    if (contact.block) {
      const BlockMotion<double> seen = block_motion(c, t, q, v);
      values[2 * c] = forward_speed(c, v, mode);
      values[2 * c + 1] = contact.block->margin(states_of(c, y), seen, mode.branch[c]);
      continue;
    }
    const MotionRow& row = m_.line(contact);
    const double w = rate(row, v);
    values[2 * c] = mode.branch[c].direction * w;
    values[2 * c + 1] =
        contact.law->margin(*states_of(c, y), motion(c, t, stretch(row, q), w), mode.branch[c]);
  }
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    values[std::size_t(2 * contacts) + i] =
        one.coupling->margin(stretch(one.row, q), rate(one.row, v), mode.piece[i]);
  }
  if (held_.empty()) return;
  forces(t, y, mode, push_.data());
  find_wanted(held_, wanted_);
  bounds_of(held_, t, y, mode);
  held_.hold(push_, wanted_);
  for (std::size_t k = 0; k < held_.lines().size(); ++k) {
    const auto c = std::size_t(held_.contact(k));
    const bool joint = held_.alone(k) < 0;
    const double size =
        joint ? held_.joint_size() : std::max(std::abs(held_.lower[k]), std::abs(held_.upper[k]));
    slack_[c] = (joint ? 1e-12 : 1e-14) * size;
    if (joint && held_.redundant()) {
      // Redundant contacts give way together: what counts is whether any forces hold them.
      const double left =
          planar(int(c)) ? std::hypot(held_.left[k], held_.left[k + 1]) : std::abs(held_.left[k]);
      values[2 * c] = left == 0.0 ? 1e-3 * size : -left / held_.mobility(k);
    } else if (planar(int(c))) {
      values[2 * c] = held_.upper[k] - std::hypot(held_.force[k], held_.force[k + 1]);
    } else {
      values[2 * c] = std::min(held_.upper[k] - held_.force[k], held_.force[k] - held_.lower[k]);
    }
    if (planar(int(c))) ++k;
  }
}

double MachineSystem::mode_of(std::size_t c, const double* velocity,
                              const MachineMode& mode) const {
  if (m_.contacts[c].tells_stick) return mode_of(c, mode.branch[c]);
  const auto line = std::size_t(m_.contacts[c].line);
  if (!planar(int(c))) return sign(velocity[line]);
  return velocity[line] != 0.0 || velocity[line + 1] != 0.0 ? 1.0 : 0.0;
}

double MachineSystem::mode_of(std::size_t c, const Branch<>& branch) const {
  if (set_valued[c] || !m_.contacts[c].block) return branch.direction;
  return m_.contacts[c].block->stuck(branch).value_or(false) ? 0.0 : branch.direction;
}

double MachineSystem::forward_speed(std::size_t c, const double* v, const MachineMode& mode) const {
  const auto& contact = m_.contacts[c];
  const Branch<>& branch = mode.branch[c];
  if (memory[c] && memory[c]->either_way(branch)) return 1.0;
  if (contact.dimension == 1) return branch.direction * rate(m_.line(contact), v);
  if (contact.block->undirected()) return 1.0;
  return branch.along[0] * rate(m_.line(contact, 0), v) +
         branch.along[1] * rate(m_.line(contact, 1), v);
}

double MachineSystem::guard(int index, double t, const double* y, const MachineMode& mode) {
  const int c = index / 2;
  if (index < 2 * contacts && index % 2 == 0 && !sticks(c, mode)) {
    look_at(t, mode);
    return forward_speed(std::size_t(c), y + v_at(), mode);
  }
  guard_values(t, y, mode, guards_);
  return guards_[std::size_t(index)];
}

double MachineSystem::next_kink(double t, const MachineMode& mode) const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& drive : m_.parts().drives) next = std::min(next, drive.signal.next_kink(t));
  for (const auto& input : m_.inputs) next = std::min(next, input.next_kink(t));
  for (const auto& load : m_.parts().loads) next = std::min(next, load.load.next_kink(t));
  for (std::size_t i = 0; i < m_.controllers.size(); ++i)
    next = std::min(next, m_.controllers[i].settings.step * double(mode.controllers[i].samples));
  return next;
}

double MachineSystem::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (const auto& drive : m_.parts().drives)
    longest = std::min(longest, drive.signal.longest_step());
  for (const auto& input : m_.inputs) longest = std::min(longest, input.signal.longest_step());
  for (const auto& load : m_.parts().loads) longest = std::min(longest, load.load.longest_step());
  // A velocity of a delay ago must be known throughout a step.
  for (const int c : delayed) longest = std::min(longest, memory[std::size_t(c)]->delay());
  return longest;
}

}  // namespace bristle::detail
