// SPDX-License-Identifier: MIT
// The matrix of a step, and the velocities of its stages.
#include <algorithm>
#include <cmath>

#include "machine_step.hpp"
#include "small_factors.hpp"

namespace bristle::detail {

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
  for (int block = 0; block < mass0_.blocks(); ++block)
    for (const int i : mass0_.members(block)) {
      matrix_.add_at(i, i, -shift_ * m.inertia[std::size_t(i)]);
      for (const int j : mass0_.members(block)) matrix_.add_at(i, j, shift_ * mass0_.at(i, j));
    }
  mass0_.slopes(
      [&](int i, int j, double by_q, double by_v) { matrix_.add_at(i, j, by_q * inverse + by_v); });
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
        floor_[std::size_t(term.index)] = 0.5 * shift_ / mass0_.inverse(term.index, term.index);
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
  if (!symmetric_) {
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
  if (!symmetric_) solve_lu(schur_.data(), m, force.data());
  else solve_cholesky(schur_.data(), m, force.data());
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= columns_[a * x.size() + i] * force[a];
}

}  // namespace bristle::detail
