// SPDX-License-Identifier: MIT
#include "machine_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {

MachineSystem::MachineSystem(const Machine& machine)
    : n(machine.coordinates()),
      lags(machine.lags),
      laws(machine.law_states),
      contacts(int(machine.contacts.size())),
      states(2 * n + lags + laws),
      powers(2 + contacts),
      m_(machine),
      held_(machine),
      trial_(machine) {
  drives.resize(m_.parts().drives.size());
  inputs.resize(m_.inputs.size());
  extra.assign(m_.inputs.size(), 0.0);
  local.resize(std::size_t(contacts));
  bent.resize(m_.others.size());
  for (const auto& contact : m_.contacts) set_valued.push_back(contact.law->set_valued());
  list_.reserve(std::size_t(contacts));
  wanted_.resize(std::size_t(contacts));
  push_.resize(std::size_t(n));
  acceleration_.resize(std::size_t(n));
  slack_.resize(std::size_t(contacts));
  known_.resize(std::size_t(n));
  placed_.resize(std::size_t(contacts));
  guards_.resize(std::size_t(guards()));
}

void MachineSystem::first_state(std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    y[std::size_t(i)] = m_.position0[std::size_t(i)];
    y[std::size_t(v_at() + i)] = m_.velocity0[std::size_t(i)];
  }
  for (const auto& input : m_.inputs)
    if (input.state >= 0)
      y[std::size_t(p_at() + input.state)] =
          input.settings.gain * input.signal.value(0.0, input.signal.piece(0.0)) +
          input.settings.bias;
  for (const auto& contact : m_.contacts)
    if (contact.state >= 0) y[std::size_t(z_at() + contact.state)] = contact.first_state;
}

void MachineSystem::look_at(double t, const MachineMode& mode, bool with_third) {
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const Signal& e = m_.parts().drives[i].position;
    const int piece = mode.drive_piece[i];
    drives[i] = {e.value(t, piece), e.slope(t, piece), e.curvature(t, piece), 0.0};
    if (with_third) drives[i].third = e.curvature(variable<1>(t, 0), piece).slope[0];
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    const int piece = mode.input_piece[i];
    inputs[i].value =
        input.settings.gain * input.signal.value(t, piece) + input.settings.bias + extra[i];
    inputs[i].slope = with_third ? input.settings.gain * input.signal.slope(t, piece) : 0.0;
  }
}

void MachineSystem::find_wanted(const Rest& rest, std::vector<double>& wanted) const {
  for (std::size_t k = 0; k < rest.contacts().size(); ++k) {
    wanted[k] = 0.0;
    for (const auto& term : m_.contacts[std::size_t(rest.contacts()[k])].row.drives)
      wanted[k] -= term.weight * drives[std::size_t(term.index)].curvature;
  }
}

void MachineSystem::bounds_of(Rest& rest, double t, const double* y) const {
  for (std::size_t k = 0; k < rest.contacts().size(); ++k) {
    const auto c = std::size_t(rest.contacts()[k]);
    const auto& contact = m_.contacts[c];
    const Interval<double> f = contact.law->limits(motion(c, t, stretch(contact.row, y), 0.0));
    rest.lower[k] = f.lower;
    rest.upper[k] = f.upper;
  }
}

void MachineSystem::forces(double t, const double* y, const MachineMode& mode, double* push) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  std::fill(push, push + n, 0.0);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    push[input.coordinate] +=
        input.weight * (input.state >= 0 ? y[p_at() + input.state] : inputs[i].value);
  }
  for (const auto& one : m_.linear)
    pull(one.row,
         one.pull.stiffness * (stretch(one.row, q) - one.pull.rest) +
             one.pull.damping * rate(one.row, v),
         push);
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    pull(one.row, one.coupling->pull(stretch(one.row, q), rate(one.row, v), mode.piece[i]).force,
         push);
  }
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (sticks(int(c), mode)) continue;
    const auto& contact = m_.contacts[c];
    const double z = contact.state >= 0 ? y[z_at() + contact.state] : 0.0;
    const auto r = contact.law->respond(
        z, motion(c, t, stretch(contact.row, q), rate(contact.row, v)), mode.branch[c]);
    pull(contact.row, r.force, push);
  }
}

void MachineSystem::evaluate(double t, const double* y, const MachineMode& mode, double* push,
                             double* p_rate, double* z_rate, double* power) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  std::fill(push, push + n, 0.0);
  double work = 0.0, loss = 0.0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    double force = inputs[i].value;
    if (input.state >= 0) {
      p_rate[input.state] = (force - y[p_at() + input.state]) / input.settings.lag;
      force = y[p_at() + input.state];
    }
    push[input.coordinate] += input.weight * force;
    work += force * input.weight * v[input.coordinate];
  }
  for (const auto& one : m_.linear) {
    const double w = rate(one.row, v);
    const double force =
        one.pull.stiffness * (stretch(one.row, q) - one.pull.rest) + one.pull.damping * w;
    pull(one.row, force, push);
    loss += one.pull.damping * w * w;
    work += force * drive_rate(one.row);
  }
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    const Pull p = one.coupling->pull(stretch(one.row, q), rate(one.row, v), mode.piece[i]);
    pull(one.row, p.force, push);
    loss += p.loss;
    work += p.force * drive_rate(one.row);
  }
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const auto& contact = m_.contacts[c];
    power[2 + c] = 0.0;
    if (sticks(int(c), mode)) continue;
    const double z = contact.state >= 0 ? y[z_at() + contact.state] : 0.0;
    const double w = rate(contact.row, v);
    const auto r =
        contact.law->respond(z, motion(c, t, stretch(contact.row, q), w), mode.branch[c]);
    pull(contact.row, r.force, push);
    if (contact.state >= 0) z_rate[contact.state] = r.rate;
    power[2 + c] = r.force * w;
    loss += r.dissipation;
    work += r.force * drive_rate(contact.row);
  }
  find_wanted(held_, wanted_);
  if (held_move_) {
    if (held_.redundant()) bounds_of(held_, t, y);
    held_.hold({push, std::size_t(n)}, wanted_);
    for (std::size_t k = 0; k < held_.contacts().size(); ++k)
      work += held_.force[k] * drive_rate(m_.contacts[std::size_t(held_.contacts()[k])].row);
  }
  power[0] = work;
  power[1] = loss;
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
  const auto drive_bend = [&](const MotionRow& row) {
    double w = 0.0;
    for (const auto& term : row.drives)
      w += term.weight * drives[std::size_t(term.index)].curvature;
    return w;
  };
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
    if (contact.state >= 0) z_t[contact.state] = 0.0;
    if (sticks(int(c), mode)) {
      l = {};
      continue;
    }
    l.w = rate(contact.row, v);
    Motion<LocalDual> seen;
    seen.position = variable<5>(stretch(contact.row, q), 0);
    seen.velocity = variable<5>(l.w, 1);
    seen.load = LocalDual(contact.load);
    seen.time = LocalDual(t);
    const LocalDual z = variable<5>(contact.state >= 0 ? y[z_at() + contact.state] : 0.0, 2);
    const Response<LocalDual> r = contact.law->respond(z, seen, mode.branch[c]);
    l.f = r.force.value, l.f_s = r.force.slope[0], l.f_w = r.force.slope[1];
    l.f_z = contact.state >= 0 ? r.force.slope[2] : 0.0;
    l.rate = r.rate.value, l.g_s = r.rate.slope[0], l.g_w = r.rate.slope[1];
    l.g_z = r.rate.slope[2];
    l.loss = r.dissipation.value, l.l_s = r.dissipation.slope[0];
    l.l_w = r.dissipation.slope[1], l.l_z = contact.state >= 0 ? r.dissipation.slope[2] : 0.0;
    add(contact.row, l, power_t[2 + c]);
    if (contact.state >= 0 && !contact.row.drives.empty())
      z_t[contact.state] = l.g_s * drive_rate(contact.row) + l.g_w * drive_bend(contact.row);
  }
  if (held_move_ && !held_.redundant()) {
    find_wanted(held_, wanted_);
    held_.hold(push_, wanted_);
    for (std::size_t k = 0; k < held_.contacts().size(); ++k) {
      const MotionRow& row = m_.contacts[std::size_t(held_.contacts()[k])].row;
      work += held_.force[k] * drive_bend(row);
      wanted_[k] = 0.0;
      for (const auto& term : row.drives)
        wanted_[k] -= term.weight * drives[std::size_t(term.index)].third;
    }
    held_.hold({push_t, std::size_t(n)}, wanted_);
    for (std::size_t k = 0; k < held_.contacts().size(); ++k)
      work += held_.force[k] * drive_rate(m_.contacts[std::size_t(held_.contacts()[k])].row);
  }
  power_t[0] = work;
  power_t[1] = loss;
}

double MachineSystem::stored(double t, const double* y, const MachineMode& mode) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += 0.5 * m_.inertia[std::size_t(i)] * v[i] * v[i];
  for (const auto& one : m_.linear)
    sum += 0.5 * one.pull.stiffness * square(stretch(one.row, q) - one.pull.rest);
  for (std::size_t i = 0; i < m_.others.size(); ++i)
    sum += m_.others[i].coupling->stored(stretch(m_.others[i].row, q), mode.piece[i]);
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const auto& contact = m_.contacts[c];
    if (contact.state < 0) continue;
    sum += contact.law->stored(y[z_at() + contact.state],
                               motion(c, t, stretch(contact.row, q), rate(contact.row, v)),
                               mode.branch[c]);
  }
  return sum;
}

void MachineSystem::contact_forces(double t, const double* y, const MachineMode& mode,
                                   std::span<double> force, std::span<double> velocity) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (sticks(int(c), mode)) continue;
    const auto& contact = m_.contacts[c];
    velocity[c] = rate(contact.row, v);
    const double z = contact.state >= 0 ? y[z_at() + contact.state] : 0.0;
    force[c] =
        contact.law->respond(z, motion(c, t, stretch(contact.row, q), velocity[c]), mode.branch[c])
            .force;
  }
  if (held_.contacts().empty()) return;
  forces(t, y, mode, push_.data());
  find_wanted(held_, wanted_);
  if (held_.redundant()) bounds_of(held_, t, y);
  held_.hold(push_, wanted_);
  for (std::size_t k = 0; k < held_.contacts().size(); ++k) {
    const auto c = std::size_t(held_.contacts()[k]);
    force[c] = held_.force[k];
    velocity[c] = 0.0;
  }
}

void MachineSystem::guard_values(double t, const double* y, const MachineMode& mode,
                                 std::span<double> values) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (sticks(int(c), mode)) {
      values[2 * c + 1] = 1.0;
      continue;
    }
    const auto& contact = m_.contacts[c];
    const double w = rate(contact.row, v);
    const double z = contact.state >= 0 ? y[z_at() + contact.state] : 0.0;
    values[2 * c] = mode.branch[c].direction * w;
    values[2 * c + 1] =
        contact.law->margin(z, motion(c, t, stretch(contact.row, q), w), mode.branch[c]);
  }
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    values[std::size_t(2 * contacts) + i] =
        one.coupling->margin(stretch(one.row, q), rate(one.row, v), mode.piece[i]);
  }
  if (held_.contacts().empty()) return;
  forces(t, y, mode, push_.data());
  find_wanted(held_, wanted_);
  bounds_of(held_, t, y);
  held_.hold(push_, wanted_);
  for (std::size_t k = 0; k < held_.contacts().size(); ++k) {
    const auto c = std::size_t(held_.contacts()[k]);
    const bool joint = held_.alone(k) < 0;
    const double size =
        joint ? held_.joint_size() : std::max(std::abs(held_.lower[k]), std::abs(held_.upper[k]));
    slack_[c] = (joint ? 1e-12 : 1e-14) * size;
    if (joint && held_.redundant()) {
      // Redundant contacts give way together: what counts is whether any forces hold them.
      double resistance = 0.0;
      for (const auto& term : m_.contacts[c].row.coordinates)
        resistance += square(term.weight) / m_.inertia[std::size_t(term.index)];
      values[2 * c] = held_.left[k] == 0.0 ? 1e-3 * size : -std::abs(held_.left[k]) / resistance;
    } else {
      values[2 * c] = std::min(held_.upper[k] - held_.force[k], held_.force[k] - held_.lower[k]);
    }
  }
}

double MachineSystem::guard(int index, double t, const double* y, const MachineMode& mode) {
  const int c = index / 2;
  if (index < 2 * contacts && index % 2 == 0 && !sticks(c, mode)) {
    look_at(t, mode);
    return mode.branch[std::size_t(c)].direction *
           rate(m_.contacts[std::size_t(c)].row, y + v_at());
  }
  guard_values(t, y, mode, guards_);
  return guards_[std::size_t(index)];
}

double MachineSystem::next_kink(double t, const MachineMode& mode) const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& drive : m_.parts().drives) next = std::min(next, drive.position.next_kink(t));
  for (const auto& input : m_.inputs) next = std::min(next, input.signal.next_kink(t));
  for (std::size_t i = 0; i < m_.controllers.size(); ++i)
    next = std::min(next, m_.controllers[i].settings.step * double(mode.controllers[i].samples));
  return next;
}
double MachineSystem::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (const auto& drive : m_.parts().drives)
    longest = std::min(longest, drive.position.longest_step());
  for (const auto& input : m_.inputs) longest = std::min(longest, input.signal.longest_step());
  return longest;
}

}  // namespace bristle::detail
