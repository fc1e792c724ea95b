// SPDX-License-Identifier: MIT
#include "machine_step.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/rosenbrock.hpp"
#include "small_factors.hpp"

namespace bristle::detail {

MachineStep::MachineStep(MachineSystem& system) : sys_(system) {
  const auto all = std::size_t(system.states + system.powers);
  for (auto* v : {&y0_, &y1_, &at_, &dense_, &f0_, &r_}) v->assign(all, 0.0);
  u_.assign(8, std::vector<double>(all, 0.0));
  bend_.assign(3, std::vector<double>(all, 0.0));
  const auto n = std::size_t(system.n);
  for (auto* v : {&push0_, &push_t_, &push_, &floor_, &right_}) v->assign(n, 0.0);
  slope_t_.assign(std::size_t(system.lags + system.laws + system.powers), 0.0);
  p_rate_.assign(std::size_t(system.lags), 0.0);
  z_rate_.assign(std::size_t(system.laws), 0.0);
  power_.assign(std::size_t(system.powers), 0.0);
  const auto lines = system.machine().lines.size();
  for (auto* v : {&wanted0_t_, &target_, &zero_, &multiplier_}) v->assign(lines, 0.0);
  inverse_z_.assign(std::size_t(system.contacts), 0.0);
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
  matrix_.shape(system.n, pairs, !m.planar);
  // Room for the ties of contacts that stick, as in rest.cpp.
  std::size_t most = 0;
  for (const auto& one : m.contacts)
    for (int axis = 0; axis < one.dimension && one.set_valued; ++axis)
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
  // The rates at the start are those without the forces of stuck contacts, and zero where they
  // hold: they are only looked at to choose a first step.
  for (int i = 0; i < n; ++i) {
    const auto k = std::size_t(i);
    f0_[k] = y[std::size_t(n + i)];
    f0_[std::size_t(n + i)] = push0_[k] / sys_.machine().inertia[k];
  }
  const Rest& held = sys_.held();
  for (std::size_t k = 0; k < held.lines().size(); ++k)
    for (const auto& term : held.row(k).coordinates) f0_[std::size_t(n + term.index)] = 0.0;
  std::copy(p_rate_.begin(), p_rate_.end(), f0_.begin() + sys_.p_at());
  std::copy(z_rate_.begin(), z_rate_.end(), f0_.begin() + sys_.z_at());
  std::copy(power_.begin(), power_.end(), f0_.begin() + sys_.states);
  sys_.linearise(t, y.data(), mode, push_t_.data(), p_t, z_t, power_t);
  for (std::size_t k = 0; k < held.lines().size(); ++k) {
    wanted0_t_[k] = 0.0;
    for (const auto& term : held.row(k).drives)
      wanted0_t_[k] -= term.weight * sys_.drives[std::size_t(term.index)].third;
  }
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

bool MachineStep::assemble() {
  const Machine& m = sys_.machine();
  matrix_.clear();
  matrix_.release_all();
  for (int i = 0; i < sys_.n; ++i) {
    const double inertia = shift_ * m.inertia[std::size_t(i)];
    matrix_.add(i, i, inertia);
    floor_[std::size_t(i)] = 1e-300;
  }
  const double inverse = 1.0 / shift_;
  const auto add = [&](const MotionRow& row, double value) {
    for (const auto& a : row.coordinates)
      for (const auto& b : row.coordinates)
        if (a.index <= b.index) matrix_.add(a.index, b.index, a.weight * b.weight * value);
  };
  for (const auto& one : m.linear) add(one.row, one.pull.stiffness * inverse + one.pull.damping);
  for (std::size_t i = 0; i < m.others.size(); ++i)
    add(m.others[i].row, sys_.bent[i].f_s * inverse + sys_.bent[i].f_w);
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    if (sys_.sticks(int(c), *mode_)) continue;
    if (m.contacts[c].block) {
      if (!add_wide(c)) return false;
      continue;
    }
    const Local& l = sys_.local[c];
    double value = l.f_s * inverse + l.f_w;
    if (m.contacts[c].state >= 0) {
      const double pivot = shift_ - l.g_z;
      if (!(pivot > 1e-3 * shift_)) return false;
      inverse_z_[c] = 1.0 / pivot;
      value += l.f_z * inverse_z_[c] * (l.g_s * inverse + l.g_w);
    } else {
      // Friction that falls steeply with speed makes a velocity grow. A step in which it grows
      // more than tenfold could turn its sign, which is no reversal.
      for (const auto& term : m.line(m.contacts[c]).coordinates)
        floor_[std::size_t(term.index)] = 0.5 * shift_ * m.inertia[std::size_t(term.index)];
    }
    add(m.line(m.contacts[c]), value);
  }
  for (const auto& known : sys_.held().known()) matrix_.fix(known.coordinate);
  if (!matrix_.factor(floor_)) return false;
  factor_constraints();
  return true;
}

bool MachineStep::add_wide(std::size_t c) {
  const Machine& m = sys_.machine();
  const auto& contact = m.contacts[c];
  WideContact& block = sys_.wide[std::size_t(sys_.wide_of[c])];
  if (!block.condense(shift_)) return false;
  for (int i = 0; i < contact.dimension; ++i)
    for (int j = 0; j < contact.dimension; ++j)
      for (const auto& a : m.line(contact, i).coordinates)
        for (const auto& b : m.line(contact, j).coordinates)
          matrix_.add_at(a.index, b.index, a.weight * b.weight * block.resistance(i, j));
  return true;
}

// A^-1 row' of the joint constraints and the Cholesky factors of row A^-1 row'.
void MachineStep::factor_constraints() {
  const auto& basis = sys_.held().ties();
  const auto m = basis.size();
  const auto n = std::size_t(sys_.n);
  if (columns_.size() < m * n) columns_.resize(m * n);
  if (schur_.size() < m * m) schur_.resize(m * m);
  const auto row = [&](std::size_t a) -> const MotionRow& {
    return sys_.held().row(std::size_t(basis[a]));
  };
  for (std::size_t a = 0; a < m; ++a) {
    const std::span<double> column(columns_.data() + a * n, n);
    std::fill(column.begin(), column.end(), 0.0);
    for (const auto& term : row(a).coordinates)
      if (!sys_.held().is_known(term.index)) column[std::size_t(term.index)] += term.weight;
    matrix_.solve(column);
  }
  if (sys_.machine().planar) {
    // Not symmetric, but positive: factors without pivoting.
    for (std::size_t b = 0; b < m; ++b)
      for (std::size_t a = 0; a < m; ++a)
        schur_[b * m + a] = MachineSystem::sum(row(b), columns_.data() + a * n);
    factor_lu(schur_.data(), m);
    return;
  }
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = MachineSystem::sum(row(b), columns_.data() + a * n);
      for (std::size_t k = 0; k < b; ++k) sum -= schur_[a * m + k] * schur_[b * m + k];
      schur_[a * m + b] = a == b ? std::sqrt(std::max(sum, 0.0)) : sum / schur_[b * m + b];
    }
}

// From the forces of a stage to the velocities, with target_ the sums the stuck contacts ask for.
void MachineStep::solve_velocities(std::vector<double>& x) {
  const Rest& held = sys_.held();
  for (const auto& known : held.known()) {
    const auto k = std::size_t(known.place);
    double sum = target_[k], weight = 1.0;
    for (const auto& term : held.row(k).coordinates) {
      if (term.index == known.coordinate) weight = term.weight;
      else sum -= term.weight * x[std::size_t(term.index)];
    }
    x[std::size_t(known.coordinate)] = sum == 0.0 ? 0.0 : sum / weight;
  }
  matrix_.solve(x);
  const auto& basis = held.ties();
  const auto m = basis.size();
  if (m == 0) return;
  auto& force = multiplier_;
  for (std::size_t a = 0; a < m; ++a) {
    const auto k = std::size_t(basis[a]);
    force[a] = MachineSystem::sum(held.row(k), x.data()) - target_[k];
  }
  if (sys_.machine().planar) solve_lu(schur_.data(), m, force.data());
  else solve_cholesky(schur_.data(), m, force.data());
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= columns_[a * x.size() + i] * force[a];
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
      for (int j = 0; j < i; ++j) {
        const double a = rodas::a[i][j];
        const double* const u = u_[std::size_t(j)].data();
        for (std::size_t k = 0; k < at_.size(); ++k) at_[k] += a * u[k];
      }
    }
    stage(i, u_[std::size_t(i)].data());
  }
  for (std::size_t k = 0; k < at_.size(); ++k) y1_[k] = at_[k] + u_[7][k];
  sys_.snap(t0_ + h, y1_.data(), *mode_);
  return true;
}

void MachineStep::stage(int i, double* u) {
  const Machine& m = sys_.machine();
  const int n = sys_.n;
  if (i == 0) {
    sys_.look_at(t0_, *mode_);
    sys_.find_wanted(sys_.held(), target_);
    push_ = push0_;
    std::copy(f0_.begin() + sys_.p_at(), f0_.begin() + sys_.z_at(), p_rate_.begin());
    std::copy(f0_.begin() + sys_.z_at(), f0_.begin() + sys_.states, z_rate_.begin());
    std::copy(f0_.begin() + sys_.states, f0_.end(), power_.begin());
  } else {
    sys_.evaluate(t0_ + rodas::alpha[i] * h_, at_.data(), *mode_, push_.data(), p_rate_.data(),
                  z_rate_.data(), power_.data());
    target_ = sys_.wanted();
  }
  // r_: the combination of earlier stages and the slopes in time, before the rates are added.
  std::fill(r_.begin(), r_.end(), 0.0);
  for (int j = 0; j < i; ++j) {
    const double c = rodas::c[i][j] / h_;
    const double* const other = u_[std::size_t(j)].data();
    for (std::size_t k = 0; k < r_.size(); ++k) r_[k] += c * other[k];
  }
  const double slope = rodas::time_slope[i] * h_;
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
  for (int k = 0; k < sys_.lags; ++k) p_r[k] += p_rate_[std::size_t(k)] + slope * p_t[k];
  for (int k = 0; k < sys_.laws; ++k) z_r[k] += z_rate_[std::size_t(k)] + slope * z_t[k];
  for (int k = 0; k < sys_.powers; ++k) power_r[k] += power_[std::size_t(k)] + slope * power_t[k];

  for (const auto& input : m.inputs)
    if (input.state >= 0) {
      u[sys_.p_at() + input.state] = p_r[input.state] / (shift_ + 1.0 / input.settings.lag);
      right_[std::size_t(input.coordinate)] += input.weight * u[sys_.p_at() + input.state];
    }
  // What is known of the change of the forces: that from the positions of this stage.
  for (const auto& one : m.linear)
    MachineSystem::pull(one.row,
                        one.pull.stiffness * MachineSystem::sum(one.row, r_.data()) * inverse,
                        right_.data());
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
      sys_.wide[std::size_t(sys_.wide_of[c])].known_force(
          s.data(), z_r + std::max(contact.state, 0), force.data());
      for (int axis = 0; axis < contact.dimension; ++axis)
        MachineSystem::pull(m.line(contact, axis), force[std::size_t(axis)], right_.data());
      continue;
    }
    const Local& l = sys_.local[c];
    const MotionRow& row = m.line(contact);
    const double s = MachineSystem::sum(row, r_.data()) * inverse;
    double force = l.f_s * s;
    if (contact.state >= 0) force += l.f_z * inverse_z_[c] * (z_r[contact.state] + l.g_s * s);
    MachineSystem::pull(row, force, right_.data());
  }
  solve_velocities(right_);
  for (int k = 0; k < n; ++k) {
    u[n + k] = right_[std::size_t(k)];
    u[k] = (r_[std::size_t(k)] + u[n + k]) * inverse;
  }

  // The states of the laws and the powers, which nothing depends on.
  double work = power_r[0], loss = power_r[1];
  const double* const v0 = y0_.data() + n;
  const bool moves = sys_.held_move() && !held.redundant();
  if (moves) std::fill(push_.begin(), push_.end(), 0.0);
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
    const auto& one = m.linear[k];
    const double w = MachineSystem::sum(one.row, u + n);
    loss += 2.0 * one.pull.damping * linear_w_[k] * w;
    if (!moves && linear_drive_[k] == 0.0) continue;
    const double force = one.pull.stiffness * MachineSystem::sum(one.row, u) + one.pull.damping * w;
    work += force * linear_drive_[k];
    if (moves) MachineSystem::pull(one.row, force, push_.data());
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
      const MotionRow& row = m.line(contact);
      const double s = MachineSystem::sum(row, u), w = MachineSystem::sum(row, u + n);
      double z = 0.0;
      if (contact.state >= 0) {
        z = inverse_z_[c] * (z_r[contact.state] + l.g_s * s + l.g_w * w);
        u[sys_.z_at() + contact.state] = z;
      }
      const double force = l.force_along(s, w, z);
      loss += l.loss_along(s, w, z);
      work += force * drive_rate0(row);
      u[place] = (power_r[2 + c] + force * l.w + l.f * w) * inverse;
      if (moves) MachineSystem::pull(row, force, push_.data());
    }
    if (contact.load_part >= 0)
      for (int i = contact.state; i < contact.state + contact.states; ++i)
        work += load_energy_z_[std::size_t(i)] * u[sys_.z_at() + i];
  }
  if (moves) {
    // The forces of contacts that stick to a drive change as well.
    sys_.held().hold(push_, zero_);
    for (std::size_t k = 0; k < held.lines().size(); ++k)
      work += held.force[k] * drive_rate0(held.row(k));
  }
  u[sys_.states] = work * inverse;
  u[sys_.states + 1] = loss * inverse;
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
  WidePowers powers;
  powers.loss = block.along(block.slopes.loss_row(), s.data(), w.data(), z);
  for (int axis = 0; axis < contact.dimension; ++axis) {
    const MotionRow& row = m.line(contact, axis);
    const auto k = std::size_t(axis);
    const double force = block.along(axis, s.data(), w.data(), z);
    const double speed = MachineSystem::sum(row, y0_.data() + n) + drive_rate0(row);
    powers.work += force * drive_rate0(row);
    powers.own += force * speed + block.slopes.value[k] * w[k];
    if (moves) MachineSystem::pull(row, force, push_.data());
  }
  return powers;
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
