// SPDX-License-Identifier: MIT
// The end of a stage: the states of the laws and the energies, which nothing else depends on.
#include <algorithm>
#include <array>

#include "machine_step.hpp"

namespace bristle::detail {

void MachineStep::finish(double* u) {
  const Rest& held = sys_.held();
  const double* const power_r = r_.data() + sys_.states;
  const double inverse = 1.0 / shift_;
  Powers sum{power_r[0], power_r[1]};
  const bool moves = sys_.held_move() && !held.redundant();
  if (moves) std::fill(push_.begin(), push_.end(), 0.0);
  add_powers_of_couplings(u, moves, sum);
  add_powers_of_contacts(u, moves, sum);
  if (moves) {
    // The forces of contacts that stick to a drive change as well.
    if (mass0_.varies()) {
      mass0_.pull_slopes(u, u + sys_.n, 1.0, push_.data());
      sys_.mass.look(y0_.data());
    }
    sys_.held().hold(push_, zero_);
    for (std::size_t k = 0; k < held.lines().size(); ++k) {
      const int c = held.contact(k);
      const double own = held.force[k] * sys_.held_speed(c, *mode_);
      sum.work += held.force[k] * drive_rate0(held.row(k));
      sum.loss += own;
      u[sys_.states + 2 + c] += own * inverse;
    }
  }
  u[sys_.states] = sum.work * inverse;
  u[sys_.states + 1] = sum.loss * inverse;
}

// Inputs count among the couplings.
void MachineStep::add_powers_of_couplings(const double* u, bool moves, Powers& sum) {
  const Machine& m = sys_.machine();
  const int n = sys_.n;
  const double* const v0 = y0_.data() + n;
  double work = sum.work, loss = sum.loss;
  for (std::size_t k = 0; k < m.inputs.size(); ++k) {
    const auto& input = m.inputs[k];
    const double force =
        input.state >= 0 ? y0_[std::size_t(sys_.p_at() + input.state)] : input0_[k];
    work += force * input.weight * u[n + input.coordinate];
    if (input.state < 0) continue;
    const double change = u[sys_.p_at() + input.state];
    work += change * input.weight * v0[input.coordinate];
    if (moves) push_[std::size_t(input.coordinate)] += input.weight * change;
  }
  for (std::size_t k = 0; k < m.linear.size(); ++k) {
    const FlatCoupling& one = sys_.linear.all[k];
    if (!moves && one.damping == 0.0 && linear_drive_[k] == 0.0) continue;
    const double w = one.sum(u + n);
    loss += 2.0 * one.damping * linear_w_[k] * w;
    if (!moves && linear_drive_[k] == 0.0) continue;
    const double force = one.stiffness * one.sum(u) + one.damping * w;
    work += force * linear_drive_[k];
    if (moves) MachineSystem::pull(m.linear[k].row, force, push_.data());
  }
  for (std::size_t k = 0; k < m.others.size(); ++k) {
    const MotionRow& row = m.others[k].row;
    const Local& l = sys_.bent[k];
    const double s = MachineSystem::sum(row, u), w = MachineSystem::sum(row, u + n);
    const double force = l.force_along(s, w, 0.0);
    loss += l.loss_along(s, w, 0.0);
    work += force * drive_rate0(row);
    if (moves) MachineSystem::pull(row, force, push_.data());
  }
  sum = {work, loss};
}

void MachineStep::add_powers_of_contacts(double* u, bool moves, Powers& sum) {
  const Machine& m = sys_.machine();
  const int n = sys_.n;
  const double inverse = 1.0 / shift_;
  const double* const z_r = r_.data() + sys_.z_at();
  const double* const power_r = r_.data() + sys_.states;
  double work = sum.work, loss = sum.loss;
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const auto& contact = m.contacts[c];
    const Local& l = sys_.local[c];
    const auto place = std::size_t(sys_.states + 2) + c;
    if (sys_.sticks(int(c), *mode_)) {
      u[place] = power_r[2 + c] * inverse;
      continue;
    }
    if (contact.block) {
      const WidePowers powers = finish_wide(c, z_r, u, moves);
      loss += powers.loss;
      work += powers.work;
      u[place] = (power_r[2 + c] + powers.own) * inverse;
    } else {
      const int line = contact.line;
      const double s = sys_.line_sum(line, u), w = sys_.line_sum(line, u + n);
      double z = 0.0;
      if (contact.state >= 0) {
        z = inverse_z_[c] * (z_r[contact.state] + l.g_s * s + l.g_w * w);
        u[sys_.z_at() + contact.state] = z;
      }
      const double force = l.force_along(s, w, z);
      loss += l.loss_along(s, w, z);
      if (sys_.driven(line)) work += force * drive_rate0(m.line(contact));
      u[place] = (power_r[2 + c] + force * l.w + l.f * w) * inverse;
      if (moves) sys_.line_pull(line, force, push_.data());
    }
    if (contact.load_part >= 0)
      for (int i = contact.state; i < contact.state + contact.states; ++i)
        work += load_energy_z_[std::size_t(i)] * u[sys_.z_at() + i];
  }
  sum = {work, loss};
}

// The states of a wide contact over a stage, and how its powers change.
MachineStep::WidePowers MachineStep::finish_wide(std::size_t c, const double* z_r, double* u,
                                                 bool moves) {
  const Machine& m = sys_.machine();
  const auto& contact = m.contacts[c];
  WideContact& block = sys_.wide[std::size_t(sys_.wide_of[c])];
  const int n = sys_.n, at = std::max(contact.state, 0);
  std::array<double, 2> s{}, w{};
  for (int axis = 0; axis < contact.dimension; ++axis) {
    s[std::size_t(axis)] = MachineSystem::sum(m.line(contact, axis), u);
    w[std::size_t(axis)] = MachineSystem::sum(m.line(contact, axis), u + n);
  }
  double* const z = u + sys_.z_at() + at;
  block.states(z_r + at, s.data(), w.data(), z);
  const double a = sys_.feels(int(c), *mode_) ? shift_ * w[0] - known_a_[c] : 0.0;
  WidePowers powers;
  powers.loss = block.along(block.slopes.loss_row(), s.data(), w.data(), z, a);
  for (int axis = 0; axis < contact.dimension; ++axis) {
    const MotionRow& row = m.line(contact, axis);
    const auto k = std::size_t(axis);
    const double force = block.along(axis, s.data(), w.data(), z, a);
    const double speed = MachineSystem::sum(row, y0_.data() + n) + drive_rate0(row);
    powers.work += force * drive_rate0(row);
    powers.own += force * speed + block.slopes.value[k] * w[k];
    if (moves) MachineSystem::pull(row, force, push_.data());
  }
  return powers;
}

}  // namespace bristle::detail
