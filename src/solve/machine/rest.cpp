// SPDX-License-Identifier: MIT
#include "rest.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::detail {

Rest::Rest(const Machine& machine) : machine_(machine) {
  const auto most = machine.lines.size();
  for (auto* v : {&lines_, &alone_, &joint_, &ties_}) v->reserve(most);
  for (auto* v : {&lower, &upper, &force, &left, &resistance_}) v->reserve(most);
  disc_.reserve(most);
  users_.assign(machine.inertia.size(), 0);
  resolved_.assign(machine.inertia.size(), 0);
  known_.reserve(machine.inertia.size());
  // Room for every contact at rest, so that stepping allocates nothing; where very many contacts
  // may form one problem, room is made as it is needed.
  std::vector<int> all;
  std::size_t several = 0;
  for (std::size_t c = 0; c < machine.contacts.size(); ++c) {
    const Machine::Contact& one = machine.contacts[c];
    if (!one.may_hold) continue;
    all.push_back(int(c));
    for (int axis = 0; axis < one.dimension; ++axis)
      several += one.dimension == 2 || machine.line(one, axis).coordinates.size() > 1;
  }
  if (several <= 64) build(all);
  build({});
}

void Rest::build(const std::vector<int>& contacts) {
  lines_.clear();
  any_disc_ = false;
  for (const int c : contacts) {
    const Machine::Contact& one = machine_.contacts[std::size_t(c)];
    for (int axis = 0; axis < one.dimension; ++axis) lines_.push_back(one.line + axis);
    any_disc_ = any_disc_ || one.dimension == 2;
  }
  const auto n = lines_.size();
  for (auto* v : {&lower, &upper, &force, &left, &resistance_}) v->assign(n, 0.0);
  alone_.assign(n, -1);
  joint_.clear();
  std::fill(users_.begin(), users_.end(), 0);
  for (std::size_t k = 0; k < n; ++k)
    for (const auto& term : row(int(k)).coordinates) ++users_[std::size_t(term.index)];
  for (std::size_t k = 0; k < n; ++k) {
    const MotionRow& own = row(int(k));
    for (const auto& term : own.coordinates)
      resistance_[k] += term.weight * term.weight / machine_.inertia[std::size_t(term.index)];
    if (own.coordinates.size() == 1 && users_[std::size_t(own.coordinates[0].index)] == 1 &&
        !planar(k))
      alone_[k] = own.coordinates[0].index;
    else joint_.push_back(int(k));
  }
  const int m = int(joint_.size());
  disc_.clear();
  for (const int k : joint_) {
    const int line = lines_[std::size_t(k)];
    const auto& one = machine_.contacts[std::size_t(contact(std::size_t(k)))];
    disc_.push_back(one.dimension == 2 && one.line == line);
  }
  box_.resize(m);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b)
      for (const auto& x : row(joint_[std::size_t(a)]).coordinates)
        for (const auto& y : row(joint_[std::size_t(b)]).coordinates)
          if (x.index == y.index)
            box_.g(a, b) += x.weight * y.weight / machine_.inertia[std::size_t(x.index)];
  if (m > 0) box_.prepare();
  if (any_disc_) room_.resize(std::size_t(m));
  find_constraints();
}

void Rest::find_constraints() {
  known_.clear();
  ties_.clear();
  std::fill(resolved_.begin(), resolved_.end(), char(0));
  const int n = int(lines_.size());
  for (bool moved = true; moved;) {
    moved = false;
    for (int k = 0; k < n; ++k) {
      int open = 0, last = -1;
      for (const auto& term : row(k).coordinates)
        if (!resolved_[std::size_t(term.index)]) ++open, last = term.index;
      if (open != 1) continue;
      resolved_[std::size_t(last)] = 1;
      known_.push_back({k, last});
      moved = true;
    }
  }
  // Rows that follow from others are left out: Cholesky factors of the products of the rows, where
  // a pivot that vanishes says so.
  const std::size_t most = joint_.size();
  if (factor_.size() < most * most) factor_.resize(most * most);
  if (tie_force_.size() < most) tie_force_.resize(most);
  for (const int k : joint_) {
    const std::size_t a = ties_.size();
    double own = 0.0;
    for (const auto& x : row(k).coordinates)
      if (!resolved_[std::size_t(x.index)])
        own += square(x.weight) / machine_.inertia[std::size_t(x.index)];
    if (own == 0.0) continue;
    double pivot = own;
    for (std::size_t b = 0; b < a; ++b) {
      double sum = 0.0;
      for (const auto& x : row(k).coordinates)
        for (const auto& y : row(ties_[b]).coordinates)
          if (x.index == y.index && !resolved_[std::size_t(x.index)])
            sum += x.weight * y.weight / machine_.inertia[std::size_t(x.index)];
      for (std::size_t i = 0; i < b; ++i) sum -= factor_[a * most + i] * factor_[b * most + i];
      factor_[a * most + b] = sum / factor_[b * most + b];
      pivot -= square(factor_[a * most + b]);
    }
    if (!(pivot > 1e-12 * own)) continue;
    factor_[a * most + a] = std::sqrt(pivot);
    ties_.push_back(k);
  }
}

double Rest::free_acceleration(std::size_t k, std::span<const double> push) const {
  double sum = 0.0;
  for (const auto& term : row(k).coordinates)
    sum += term.weight * push[std::size_t(term.index)] / machine_.inertia[std::size_t(term.index)];
  return sum;
}

void Rest::hold(std::span<const double> push, std::span<const double> wanted) {
  for (std::size_t k = 0; k < lines_.size(); ++k)
    if (alone_[k] >= 0)
      force[k] = (free_acceleration(k, push) - wanted[k]) / resistance_[k], left[k] = 0.0;
  if (joint_.empty()) return;
  if (box_.singular()) return joint_within(push, wanted);
  for (std::size_t a = 0; a < joint_.size(); ++a) {
    const auto k = std::size_t(joint_[a]);
    box_.b[a] = free_acceleration(k, push) - wanted[k];
  }
  box_.free_forces();
  for (std::size_t a = 0; a < joint_.size(); ++a) {
    force[std::size_t(joint_[a])] = box_.force[a];
    left[std::size_t(joint_[a])] = 0.0;
  }
}

// Known coordinates follow one after the other, the others from the forces that keep their ties.
void Rest::accelerate(std::span<const double> push, std::span<const double> wanted,
                      std::span<double> acceleration) {
  for (std::size_t i = 0; i < push.size(); ++i) acceleration[i] = push[i] / machine_.inertia[i];
  for (const auto& one : known_) {
    double sum = wanted[std::size_t(one.place)], weight = 1.0;
    for (const auto& term : row(one.place).coordinates) {
      if (term.index == one.coordinate) weight = term.weight;
      else sum -= term.weight * acceleration[std::size_t(term.index)];
    }
    acceleration[std::size_t(one.coordinate)] = sum == 0.0 ? 0.0 : sum / weight;
  }
  const std::size_t m = ties_.size(), most = joint_.size();
  for (std::size_t a = 0; a < m; ++a) {
    double& x = tie_force_[a];
    x = -wanted[std::size_t(ties_[a])];
    for (const auto& term : row(ties_[a]).coordinates)
      x += term.weight * acceleration[std::size_t(term.index)];
    for (std::size_t k = 0; k < a; ++k) x -= factor_[a * most + k] * tie_force_[k];
    x /= factor_[a * most + a];
  }
  for (std::size_t a = m; a-- > 0;) {
    for (std::size_t k = a + 1; k < m; ++k) tie_force_[a] -= factor_[k * most + a] * tie_force_[k];
    tie_force_[a] /= factor_[a * most + a];
  }
  for (std::size_t a = 0; a < m; ++a)
    for (const auto& term : row(ties_[a]).coordinates)
      if (!is_known(term.index))
        acceleration[std::size_t(term.index)] -=
            term.weight * tie_force_[a] / machine_.inertia[std::size_t(term.index)];
}

void Rest::within(std::span<const double> push, std::span<const double> wanted) {
  for (std::size_t k = 0; k < lines_.size(); ++k) {
    if (alone_[k] < 0) continue;
    const double need = free_acceleration(k, push) - wanted[k];
    const double held = need / resistance_[k];
    const double slack = 5e-15 * std::max(std::abs(lower[k]), std::abs(upper[k]));
    const bool holds = held >= lower[k] - slack && held <= upper[k] + slack;
    force[k] = std::clamp(held, lower[k], upper[k]);
    left[k] = holds ? 0.0 : need - resistance_[k] * force[k];
  }
  if (!joint_.empty()) joint_within(push, wanted);
}

void Rest::joint_within(std::span<const double> push, std::span<const double> wanted) {
  for (std::size_t a = 0; a < joint_.size(); ++a) {
    const auto k = std::size_t(joint_[a]);
    box_.b[a] = free_acceleration(k, push) - wanted[k];
    box_.lower[a] = lower[k];
    box_.upper[a] = upper[k];
  }
  const double size = joint_size();
  if (any_disc_) solve_with_discs(box_, disc_, room_);
  else box_.solve();
  for (std::size_t a = 0; a < joint_.size(); ++a) {
    const auto k = std::size_t(joint_[a]);
    force[k] = box_.force[a];
    const double noise = 1e-14 * (resistance_[k] * size + std::abs(box_.b[a]));
    left[k] = std::abs(box_.rest[a]) <= noise ? 0.0 : box_.rest[a];
  }
}

double Rest::joint_size() const {
  double size = 0.0;
  for (const int k : joint_)
    size = std::max({size, std::abs(lower[std::size_t(k)]), std::abs(upper[std::size_t(k)])});
  return size;
}

}  // namespace bristle::detail
