// SPDX-License-Identifier: MIT
// The right-hand side of a stage: forces and rates, what earlier stages leave, and what is known of
// the change of the forces before the velocities are.
#include <algorithm>
#include <array>

#include "bristle/solve/rosenbrock.hpp"
#include "machine_step.hpp"

namespace bristle::detail {

void MachineStep::find_rates(int i) {
  if (i == 0) {
    sys_.look_at(t0_, *mode_);
    sys_.find_wanted(sys_.held(), target_);
    push_ = push0_;
    if (!sys_.accelerated.empty()) sys_.felt = felt0_;
    std::copy(f0_.begin() + sys_.p_at(), f0_.begin() + sys_.z_at(), p_rate_.begin());
    std::copy(f0_.begin() + sys_.z_at(), f0_.begin() + sys_.states, z_rate_.begin());
    std::copy(f0_.begin() + sys_.states, f0_.end(), power_.begin());
  } else {
    sys_.evaluate(t0_ + rodas::alpha[i] * h_, at_.data(), *mode_, push_.data(), p_rate_.data(),
                  z_rate_.data(), power_.data());
    target_ = sys_.wanted();
    if (!mass0_.varies()) return;
    sys_.held().accelerate(push_, target_, acceleration_);
    mass0_.multiply(acceleration_.data(), push_.data());
  }
}

// r_ is the combination of earlier stages and the slopes in time, to which the rates are added.
void MachineStep::combine(int i) {
  const Machine& m = sys_.machine();
  const int n = sys_.n;
  std::fill(r_.begin(), r_.end(), 0.0);
  add_stages(r_, rodas::c[i], h_, i);
  const double slope = slope_ = rodas::time_slope[i] * h_;
  const double inverse = 1.0 / shift_;
  double* const p_r = r_.data() + sys_.p_at();
  double* const z_r = r_.data() + sys_.z_at();
  double* const power_r = r_.data() + sys_.states;
  const double* const p_t = slope_t_.data();
  const double* const z_t = p_t + sys_.lags;
  const double* const power_t = z_t + sys_.laws;
  // What the constraints ask of the velocities of this stage.
  const Rest& held = sys_.held();
  for (std::size_t k = 0; k < held.lines().size(); ++k)
    target_[k] =
        (target_[k] + MachineSystem::sum(held.row(k), r_.data() + n) + slope * wanted0_t_[k]) *
        inverse;
  for (int k = 0; k < n; ++k) {
    r_[std::size_t(k)] += at_[std::size_t(n + k)];
    right_[std::size_t(k)] = push_[std::size_t(k)] + slope * push_t_[std::size_t(k)] +
                             m.inertia[std::size_t(k)] * r_[std::size_t(n + k)];
  }
  for (int block = 0; block < mass0_.blocks(); ++block)
    for (const int i : mass0_.members(block)) {
      double& sum = right_[std::size_t(i)];
      sum -= m.inertia[std::size_t(i)] * r_[std::size_t(n + i)];
      for (const int j : mass0_.members(block)) sum += mass0_.at(i, j) * r_[std::size_t(n + j)];
    }
  for (int k = 0; k < sys_.lags; ++k) p_r[k] += p_rate_[std::size_t(k)] + slope * p_t[k];
  for (int k = 0; k < sys_.laws; ++k) z_r[k] += z_rate_[std::size_t(k)] + slope * z_t[k];
  for (int k = 0; k < sys_.powers; ++k) power_r[k] += power_[std::size_t(k)] + slope * power_t[k];
}

// What is known of the change of the forces: that of lagged inputs, and that from the positions of
// this stage.
void MachineStep::add_known_forces(double* u) {
  const Machine& m = sys_.machine();
  const double inverse = 1.0 / shift_;
  const double* const p_r = r_.data() + sys_.p_at();
  const double* const z_r = r_.data() + sys_.z_at();
  for (const auto& input : m.inputs)
    if (input.state >= 0) {
      u[sys_.p_at() + input.state] = p_r[input.state] / (shift_ + 1.0 / input.settings.lag);
      right_[std::size_t(input.coordinate)] += input.weight * u[sys_.p_at() + input.state];
    }
  FlatCouplings& linear = sys_.linear;
  for (std::size_t k = 0; k < linear.all.size(); ++k)
    linear.force[k] = linear.all[k].stiffness * linear.all[k].sum(r_.data()) * inverse;
  linear.pull(right_.data());
  mass0_.pull_slopes(r_.data(), nullptr, inverse, right_.data());
  for (std::size_t k = 0; k < m.others.size(); ++k)
    MachineSystem::pull(m.others[k].row,
                        sys_.bent[k].f_s * MachineSystem::sum(m.others[k].row, r_.data()) * inverse,
                        right_.data());
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const auto& contact = m.contacts[c];
    if (sys_.sticks(int(c), *mode_)) continue;
    if (contact.block) {
      std::array<double, 2> s{}, force{};
      for (int axis = 0; axis < contact.dimension; ++axis)
        s[std::size_t(axis)] = MachineSystem::sum(m.line(contact, axis), r_.data()) * inverse;
      // What the acceleration of a stage is but for the change of its own velocity.
      if (sys_.feels(int(c), *mode_))
        known_a_[c] = sys_.line_sum(contact.line, r_.data() + sys_.n) + sys_.felt[c] -
                      sys_.drive_bend(m.line(contact)) + slope_ * felt_free0_[c];
      sys_.wide[std::size_t(sys_.wide_of[c])].known_force(
          s.data(), z_r + std::max(contact.state, 0), force.data(), known_a_[c]);
      for (int axis = 0; axis < contact.dimension; ++axis)
        MachineSystem::pull(m.line(contact, axis), force[std::size_t(axis)], right_.data());
      continue;
    }
    const Local& l = sys_.local[c];
    const double s = sys_.line_sum(contact.line, r_.data()) * inverse;
    double force = l.f_s * s;
    if (contact.state >= 0) force += l.f_z * inverse_z_[c] * (z_r[contact.state] + l.g_s * s);
    sys_.line_pull(contact.line, force, right_.data());
  }
}

}  // namespace bristle::detail
