// SPDX-License-Identifier: MIT
#include "machine_step.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/rosenbrock.hpp"

namespace bristle::detail {

MachineStep::MachineStep(MachineSystem& system)
    : sys_(system),
      mass0_(system.mass),
      symmetric_(!system.machine().planar && !system.mass.varies()) {
  const auto all = std::size_t(system.states + system.powers);
  for (auto* v : {&y0_, &y1_, &at_, &dense_, &f0_, &r_}) v->assign(all, 0.0);
  u_.assign(8, std::vector<double>(all, 0.0));
  bend_.assign(3, std::vector<double>(all, 0.0));
  const auto n = std::size_t(system.n);
  for (auto* v : {&push0_, &push_t_, &push_, &floor_, &right_, &acceleration_}) v->assign(n, 0.0);
  slope_t_.assign(std::size_t(system.lags + system.laws + system.powers), 0.0);
  p_rate_.assign(std::size_t(system.lags), 0.0);
  z_rate_.assign(std::size_t(system.laws), 0.0);
  power_.assign(std::size_t(system.powers), 0.0);
  const auto lines = system.machine().lines.size();
  for (auto* v : {&wanted0_t_, &target_, &zero_, &multiplier_}) v->assign(lines, 0.0);
  for (auto* v : {&inverse_z_, &felt0_, &felt_free0_, &known_a_})
    v->assign(std::size_t(system.contacts), 0.0);
  load_energy_z_.assign(std::size_t(system.laws), 0.0);

  std::vector<std::pair<int, int>> pairs;
  const Machine& m = system.machine();
  const auto add = [&](const MotionRow& row) {
    for (const auto& a : row.coordinates)
      for (const auto& b : row.coordinates)
        if (a.index < b.index) pairs.emplace_back(a.index, b.index);
  };
  for (const auto& one : m.linear) add(one.row);
  for (const auto& one : m.others) add(one.row);
  for (const auto& row : m.lines) add(row);
  // The two axes of a contact in the plane act on each other.
  for (const auto& one : m.contacts)
    for (const auto& a : m.line(one).coordinates)
      for (const auto& b : m.line(one, one.dimension - 1).coordinates)
        if (a.index != b.index)
          pairs.emplace_back(std::min(a.index, b.index), std::max(a.index, b.index));
  for (int block = 0; block < system.mass.blocks(); ++block)
    for (const int a : system.mass.members(block))
      for (const int b : system.mass.members(block))
        if (a < b) pairs.emplace_back(a, b);
  matrix_.shape(system.n, pairs, symmetric_);
  // Room for the ties of contacts that stick, as in rest.cpp.
  std::size_t most = 0;
  for (const auto& one : m.contacts)
    for (int axis = 0; axis < one.dimension && one.may_hold; ++axis)
      most += one.dimension == 2 || m.line(one, axis).coordinates.size() > 1;
  most = std::min<std::size_t>(64, most);
  columns_.resize(most * n);
  schur_.resize(most * most);
  linear_w_.resize(m.linear.size());
  linear_drive_.resize(m.linear.size());
  drive_slope0_.resize(system.drives.size());
  input0_.resize(system.inputs.size());
}

void MachineStep::prepare(double t, const std::vector<double>& y, const MachineMode& mode) {
  t0_ = t;
  y0_ = y;
  mode_ = &mode;
  const int n = sys_.n;
  double* const p_t = slope_t_.data();
  double* const z_t = p_t + sys_.lags;
  double* const power_t = z_t + sys_.laws;
  sys_.evaluate(t, y.data(), mode, push0_.data(), p_rate_.data(), z_rate_.data(), power_.data());
  felt0_ = sys_.felt;
  // The rates at the start are those without the forces of stuck contacts, and zero where they
  // hold: they are only looked at to choose a first step.
  sys_.mass.divide(push0_.data(), f0_.data() + n);
  std::copy(y.begin() + n, y.begin() + 2 * n, f0_.begin());
  const Rest& held = sys_.held();
  for (std::size_t k = 0; k < held.lines().size(); ++k)
    for (const auto& term : held.row(k).coordinates) f0_[std::size_t(n + term.index)] = 0.0;
  std::copy(p_rate_.begin(), p_rate_.end(), f0_.begin() + sys_.p_at());
  std::copy(z_rate_.begin(), z_rate_.end(), f0_.begin() + sys_.z_at());
  std::copy(power_.begin(), power_.end(), f0_.begin() + sys_.states);
  sys_.linearise(t, y.data(), mode, push_t_.data(), p_t, z_t, power_t);
  if (sys_.mass.varies()) mass0_ = sys_.mass;
  for (std::size_t k = 0; k < held.lines().size(); ++k)
    wanted0_t_[k] = -sys_.drive_third(held.row(k));
  for (const int c : sys_.accelerated)
    felt_free0_[std::size_t(c)] =
        sys_.felt_t[std::size_t(c)] -
        sys_.drive_third(sys_.machine().line(sys_.machine().contacts[std::size_t(c)]));
  // What the powers need of the start.
  const Machine& m = sys_.machine();
  for (std::size_t i = 0; i < drive_slope0_.size(); ++i) drive_slope0_[i] = sys_.drives[i].slope;
  for (std::size_t i = 0; i < input0_.size(); ++i) input0_[i] = sys_.inputs[i].value;
  for (std::size_t i = 0; i < m.linear.size(); ++i) {
    const auto& one = m.linear[i];
    linear_w_[i] = sys_.rate(one.row, y.data() + n);
    linear_drive_[i] = sys_.drive_rate(one.row);
  }
  // How the work of loads that vary changes with the states: their energy is quadratic.
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const auto& contact = m.contacts[c];
    if (contact.load_part < 0) continue;
    for (int i = 0; i < contact.states; ++i) {
      double& z = y0_[std::size_t(sys_.z_at() + contact.state + i)];
      const double at = z, size = contact.block ? contact.block->state_scale(i)
                                                : contact.law->state_scale();
      z = at + size;
      const double above = sys_.per_load(c, t, y0_.data(), mode);
      z = at - size;
      const double below = sys_.per_load(c, t, y0_.data(), mode);
      z = at;
      load_energy_z_[std::size_t(contact.state + i)] =
          (above - below) / (2.0 * size) * sys_.loads[c].slope;
    }
  }
}

bool MachineStep::step(double h) {
  h_ = h;
  shift_ = 1.0 / (rodas::gamma * h);
  if (!assemble()) return false;
  at_ = y0_;
  for (int i = 0; i < 8; ++i) {
    if (i == 6 || i == 7) {
      for (std::size_t k = 0; k < at_.size(); ++k) at_[k] += u_[std::size_t(i - 1)][k];
    } else if (i > 0) {
      at_ = y0_;
      add_stages(at_, rodas::a[i], 1.0, i);
    }
    stage(i, u_[std::size_t(i)].data());
  }
  for (std::size_t k = 0; k < at_.size(); ++k) y1_[k] = at_[k] + u_[7][k];
  sys_.snap(t0_ + h, y1_.data(), *mode_);
  return true;
}

// Adds the earlier stages with their weights, part by part so that the sum stays at hand.
void MachineStep::add_stages(std::vector<double>& to, const double* weights, double h, int stages) {
  constexpr std::size_t part = 512;
  for (std::size_t begin = 0; begin < to.size(); begin += part) {
    const std::size_t end = std::min(begin + part, to.size());
    for (int j = 0; j < stages; ++j) {
      const double weight = weights[j] / h;
      const double* const u = u_[std::size_t(j)].data();
      for (std::size_t k = begin; k < end; ++k) to[k] += weight * u[k];
    }
  }
}

void MachineStep::stage(int i, double* u) {
  find_rates(i);
  combine(i);
  add_known_forces(u);
  solve_velocities(right_);
  const auto n = std::size_t(sys_.n);
  const double inverse = 1.0 / shift_;
  for (std::size_t k = 0; k < n; ++k) {
    u[n + k] = right_[k];
    u[k] = (r_[k] + u[n + k]) * inverse;
  }
  finish(u);
}

void MachineStep::open_dense() {
  for (std::size_t i = 0; i < 3; ++i) {
    auto& bend = bend_[i];
    std::fill(bend.begin(), bend.end(), 0.0);
    for (std::size_t j = 0; j < 8; ++j) {
      const double d = rodas::dense[i][j];
      const double* const u = u_[j].data();
      for (std::size_t k = 0; k < bend.size(); ++k) bend[k] += d * u[k];
    }
  }
}

const std::vector<double>& MachineStep::dense(double s) {
  for (int k = 0; k < all(); ++k) dense_[std::size_t(k)] = dense(s, k);
  sys_.snap(t0_ + s * h_, dense_.data(), *mode_);
  return dense_;
}

double MachineStep::lower_bound(const MotionRow& row, double sign, double constant) const {
  double w0 = constant, w1 = constant, b0 = 0.0, b1 = 0.0, b2 = 0.0;
  for (const auto& term : row.coordinates) {
    const auto k = std::size_t(sys_.n + term.index);
    w0 += term.weight * y0_[k], w1 += term.weight * y1_[k];
    b0 += term.weight * bend_[0][k], b1 += term.weight * bend_[1][k];
    b2 += term.weight * bend_[2][k];
  }
  const double slope = w1 - w0 + b0, second = b1 - b0;
  double low = std::min(sign * w0, sign * w1);
  for (const double value : {w0 + 0.25 * slope, w0 + 0.5 * slope + (1.0 / 6.0) * second,
                             w0 + 0.75 * slope + 0.5 * second + 0.25 * (b2 - b1)})
    low = std::min(low, sign * value);
  return low;
}

}  // namespace bristle::detail
