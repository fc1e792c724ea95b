// SPDX-License-Identifier: MIT
// Derivatives of the forces of a machine.
#include <algorithm>
#include <cmath>

#include "machine_system.hpp"

namespace bristle::detail {

void MachineSystem::linearise_contact(std::size_t c, double t, const double* y,
                                      const MachineMode& mode) {
  const auto& contact = m_.contacts[c];
  const MotionRow& row = m_.line(contact);
  Local& l = local[c];
  l.w = rate(row, y + v_at());
  Motion<LocalDual> seen;
  seen.position = variable<5>(stretch(row, y), 0);
  seen.velocity = variable<5>(l.w, 1);
  seen.load = variable<5>(loads[c].value, 3);
  seen.time = LocalDual(t);
  const LocalDual z = variable<5>(contact.state >= 0 ? y[z_at() + contact.state] : 0.0, 2);
  Response<LocalDual> r = contact.law->respond(z, seen, branch_at(c, l.w, mode));
  if (contact.per_load) r.force *= seen.load, r.dissipation *= seen.load;
  l.f = r.force.value, l.f_s = r.force.slope[0], l.f_w = r.force.slope[1];
  l.f_z = contact.state >= 0 ? r.force.slope[2] : 0.0;
  l.rate = r.rate.value, l.g_s = r.rate.slope[0], l.g_w = r.rate.slope[1];
  l.g_z = r.rate.slope[2];
  l.loss = r.dissipation.value, l.l_s = r.dissipation.slope[0];
  l.l_w = r.dissipation.slope[1], l.l_z = contact.state >= 0 ? r.dissipation.slope[2] : 0.0;
  l.f_load = r.force.slope[3], l.g_load = r.rate.slope[3], l.l_load = r.dissipation.slope[3];
}

void MachineSystem::linearise_wide(std::size_t c, double t, const double* y,
                                   const Branch<>& branch) {
  const auto& contact = m_.contacts[c];
  const BlockMotion<double> seen = block_motion(c, t, y, y + v_at());
  BlockSlopes& b = wide[std::size_t(wide_of[c])].slopes;
  contact.block->linearise(states_of(c, y), seen, branch, b);
  if (!contact.per_load) return;
  for (int row = 0; row <= b.loss_row(); ++row) {
    if (row >= b.d && row < b.loss_row()) continue;  // rates of states do not scale
    double& value = b.value[std::size_t(row)];
    for (int column = 0; column < b.columns(); ++column) {
      double& slope = b.slope[std::size_t(row * b.columns() + column)];
      slope = slope * seen.load + (column == b.by_load() ? value : 0.0);
    }
    value *= seen.load;
  }
}

void MachineSystem::linearise(double t, const double* y, const MachineMode& mode, double* push_t,
                              double* p_t, double* z_t, double* power_t) {
  look_at(t, mode, true);
  const double *q = y, *v = y + v_at();
  std::fill(push_t, push_t + n, 0.0);
  std::fill(push_.begin(), push_.end(), 0.0);
  double work = 0.0, loss = 0.0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    if (input.state >= 0) {
      p_t[input.state] = inputs[i].slope / input.settings.lag;
      push_[std::size_t(input.coordinate)] += input.weight * y[p_at() + input.state];
      continue;
    }
    push_[std::size_t(input.coordinate)] += input.weight * inputs[i].value;
    push_t[input.coordinate] += input.weight * inputs[i].slope;
    work += inputs[i].slope * input.weight * v[input.coordinate];
  }
  // What the drives alone do to a row: s_t = e', w_t = e''.
  for (const auto& one : m_.linear) {
    const double s_t = drive_rate(one.row), w_t = drive_bend(one.row), w = rate(one.row, v);
    const double f =
        one.pull.stiffness * (stretch(one.row, q) - one.pull.rest) + one.pull.damping * w;
    const double f_t = one.pull.stiffness * s_t + one.pull.damping * w_t;
    pull(one.row, f, push_.data());
    if (one.row.drives.empty()) continue;
    pull(one.row, f_t, push_t);
    loss += 2.0 * one.pull.damping * w * w_t;
    work += f_t * s_t + f * w_t;
  }
  if (mass.varies()) {
    mass.look(q, v);
    mass.pull(push_.data());
  }
  const auto add = [&](const MotionRow& row, const Local& l, double& power) {
    pull(row, l.f, push_.data());
    if (row.drives.empty()) return;
    const double s_t = drive_rate(row), w_t = drive_bend(row);
    const double f_t = l.force_along(s_t, w_t, 0.0);
    pull(row, f_t, push_t);
    loss += l.loss_along(s_t, w_t, 0.0);
    work += f_t * s_t + l.f * w_t;
    power = f_t * l.w + l.f * w_t;
  };
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    Local& l = bent[i];
    l.w = rate(one.row, v);
    const Pull p = one.coupling->pull(stretch(one.row, q), l.w, mode.piece[i]);
    l.f = p.force, l.f_s = p.by_stretch, l.f_w = p.by_rate;
    l.loss = p.loss, l.l_s = p.loss_by_stretch, l.l_w = p.loss_by_rate;
    double own = 0.0;
    add(one.row, l, own);
  }
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const auto& contact = m_.contacts[c];
    Local& l = local[c];
    power_t[2 + c] = 0.0;
    std::fill(z_t + std::max(contact.state, 0), z_t + std::max(contact.state, 0) + contact.states,
              0.0);
    if (sticks(int(c), mode) || feels(int(c), mode)) {
      l = {};
      continue;
    }
    const double load_t = contact.load_part >= 0 ? loads[c].slope : 0.0;
    if (contact.block) {
      linearise_wide(c, t, y, mode.branch[c]);
      const BlockSlopes& b = wide[std::size_t(wide_of[c])].slopes;
      std::array<double, 2> s_t{}, w_t{}, w{};
      for (int axis = 0; axis < b.d; ++axis) {
        const MotionRow& row = m_.line(contact, axis);
        const auto k = std::size_t(axis);
        s_t[k] = drive_rate(row), w_t[k] = drive_bend(row), w[k] = rate(row, v);
        pull(row, b.value[k], push_.data());
      }
      const auto slope = [&](int r) {
        double sum = b.at(r, b.by_load()) * load_t + (b.more > 0 ? b.at(r, b.by_time()) : 0.0);
        for (int axis = 0; axis < b.d; ++axis)
          sum += b.at(r, axis) * s_t[std::size_t(axis)] +
                 b.at(r, b.by_velocity(axis)) * w_t[std::size_t(axis)];
        return sum;
      };
      for (int axis = 0; axis < b.d; ++axis) {
        const auto k = std::size_t(axis);
        const double f = b.value[k], f_t = slope(axis);
        pull(m_.line(contact, axis), f_t, push_t);
        work += f_t * s_t[k] + f * w_t[k];
        power_t[2 + c] += f_t * w[k] + f * w_t[k];
      }
      for (int i = 0; i < b.n; ++i) z_t[contact.state + i] = slope(b.rate_row(i));
      loss += slope(b.loss_row());
    } else {
      linearise_contact(c, t, y, mode);
      add(m_.line(contact), l, power_t[2 + c]);
      if (load_t != 0.0) {
        const double f_t = l.f_load * load_t;
        pull(m_.line(contact), f_t, push_t);
        loss += l.l_load * load_t;
        work += f_t * drive_rate(m_.line(contact));
        power_t[2 + c] += f_t * l.w;
      }
      if (contact.state >= 0)
        z_t[contact.state] = l.g_s * drive_rate(m_.line(contact)) +
                             l.g_w * drive_bend(m_.line(contact)) + l.g_load * load_t;
    }
    if (contact.load_part >= 0 && contact.states > 0) {
      const int part = contact.load_part;
      const Signal& load = m_.parts().loads[std::size_t(part)].load;
      work += per_load(c, t, y, mode) * load.curvature(t, mode.load_piece[std::size_t(part)]);
    }
  }
  if (!accelerated.empty()) {
    Powers sum{work, loss};
    linearise_accelerated(t, y, mode, push_t, power_t, sum);
    work = sum.work, loss = sum.loss;
  }
  if (mass.varies()) {
    find_wanted(held_, wanted_);
    held_.accelerate(push_, wanted_, acceleration_);
    mass.linearise(q, v, acceleration_.data());
  }
  if (held_move_ && !held_.redundant()) {
    find_wanted(held_, wanted_);
    held_.hold(push_, wanted_);
    for (std::size_t k = 0; k < held_.lines().size(); ++k) {
      const MotionRow& row = held_.row(k);
      work += held_.force[k] * drive_bend(row);
      wanted_[k] = -drive_third(row);
    }
    held_.hold({push_t, std::size_t(n)}, wanted_);
    for (std::size_t k = 0; k < held_.lines().size(); ++k) {
      const int c = held_.contact(k);
      const double own = held_.force[k] * held_speed(c, mode);
      work += held_.force[k] * drive_rate(held_.row(k));
      loss += own;
      power_t[2 + c] += own;
    }
  }
  power_t[0] = work;
  power_t[1] = loss;
}

}  // namespace bristle::detail
