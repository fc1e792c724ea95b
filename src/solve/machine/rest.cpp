// SPDX-License-Identifier: MIT
#include "rest.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::detail {

Rest::Rest(const Machine& machine, const MassMatrix& mass) : machine_(machine), mass_(mass) {
  const auto most = machine.lines.size();
  for (auto* v : {&lines_, &alone_, &joint_, &ties_}) v->reserve(most);
  for (auto* v : {&lower, &upper, &force, &left, &resistance_}) v->reserve(most);
  disc_.reserve(most);
  users_.assign(machine.inertia.size(), 0);
  resolved_.assign(machine.inertia.size(), 0);
  known_.reserve(machine.inertia.size());
  std::size_t block = 0;
  for (int b = 0; b < mass.blocks(); ++b) {
    const std::size_t size = mass.members(b).size();
    reduced_.emplace_back(size * size, 0.0);
    block = std::max(block, size * size);
  }
  pivot_.assign(block, 0.0);
  // Room for every contact at rest, so that stepping allocates nothing; where very many contacts
  // may form one problem, room is made as it is needed.
  std::vector<int> all;
  std::size_t several = 0;
  for (std::size_t c = 0; c < machine.contacts.size(); ++c) {
    const Machine::Contact& one = machine.contacts[c];
    if (!one.may_hold) continue;
    all.push_back(int(c));
    for (int axis = 0; axis < one.dimension; ++axis)
      several +=
          one.dimension == 2 || mass.varies() || machine.line(one, axis).coordinates.size() > 1;
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
    const auto& terms = row(int(k)).coordinates;
    if (terms.size() == 1 && users_[std::size_t(terms[0].index)] == 1 && !planar(k) &&
        mass_.block(terms[0].index) < 0)
      alone_[k] = terms[0].index;
    else joint_.push_back(int(k));
  }
  disc_.clear();
  for (const int k : joint_) {
    const int line = lines_[std::size_t(k)];
    const auto& one = machine_.contacts[std::size_t(contact(std::size_t(k)))];
    disc_.push_back(one.dimension == 2 && one.line == line);
  }
  weigh();
  if (any_disc_) room_.resize(joint_.size());
  find_constraints();
}

// row M^-1 row' of the lines, and the matrix of the joint problem.
void Rest::weigh() {
  for (std::size_t k = 0; k < lines_.size(); ++k)
    resistance_[k] = product(row(int(k)), row(int(k)));
  const int m = int(joint_.size());
  box_.resize(m);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b)
      box_.g(a, b) = product(row(joint_[std::size_t(a)]), row(joint_[std::size_t(b)]));
  if (m > 0) box_.prepare();
  stamp_ = mass_.stamp();
}

void Rest::refresh() {
  if (stamp_ == mass_.stamp()) return;
  weigh();
  reduce();
  factor_ties(false);
}

double Rest::product(const MotionRow& a, const MotionRow& b) const {
  double sum = 0.0;
  for (const auto& x : a.coordinates)
    for (const auto& y : b.coordinates)
      if (mass_.block(x.index) >= 0) sum += x.weight * y.weight * mass_.inverse(x.index, y.index);
      else if (x.index == y.index)
        sum += x.weight * y.weight / machine_.inertia[std::size_t(x.index)];
  return sum;
}

double Rest::reduced(int i, int j) const {
  const int block = mass_.block(i);
  if (is_known(i) || is_known(j) || block != mass_.block(j)) return 0.0;
  if (block < 0) return i == j ? 1.0 / machine_.inertia[std::size_t(i)] : 0.0;
  const auto size = mass_.members(block).size();
  return reduced_[std::size_t(block)][mass_.place(i) * size + mass_.place(j)];
}

double Rest::reduced_product(const MotionRow& a, const MotionRow& b) const {
  double sum = 0.0;
  for (const auto& x : a.coordinates) {
    if (is_known(x.index)) continue;
    for (const auto& y : b.coordinates)
      if (mass_.block(x.index) >= 0) sum += x.weight * y.weight * reduced(x.index, y.index);
      else if (x.index == y.index)
        sum += x.weight * y.weight / machine_.inertia[std::size_t(x.index)];
  }
  return sum;
}

// Gauss-Jordan steps on the rows and columns that are not known: positive, so without pivoting.
void Rest::reduce() {
  for (std::size_t b = 0; b < reduced_.size(); ++b) {
    const auto members = mass_.members(int(b));
    const std::size_t n = members.size();
    auto &inverse = reduced_[b], &left = pivot_;
    const auto open = [&](std::size_t i) { return !is_known(members[i]); };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        left[i * n + j] = mass_.at(members[i], members[j]);
        inverse[i * n + j] = i == j ? 1.0 : 0.0;
      }
    for (std::size_t k = 0; k < n; ++k) {
      if (!open(k)) continue;
      const double scale = 1.0 / left[k * n + k];
      for (std::size_t j = 0; j < n; ++j) left[k * n + j] *= scale, inverse[k * n + j] *= scale;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == k || !open(i)) continue;
        const double part = left[i * n + k];
        for (std::size_t j = 0; j < n; ++j) {
          left[i * n + j] -= part * left[k * n + j];
          inverse[i * n + j] -= part * inverse[k * n + j];
        }
      }
    }
  }
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
  reduce();
  factor_ties(true);
}

// Cholesky factors of the products of the rows. Rows that follow from others have a pivot that
// vanishes: they are left out when ties are chosen.
void Rest::factor_ties(bool choose) {
  const std::size_t most = joint_.size();
  if (factor_.size() < most * most) factor_.resize(most * most);
  if (tie_force_.size() < most) tie_force_.resize(most);
  const auto add = [&](int k, std::size_t a) {
    const double own = reduced_product(row(k), row(k));
    double pivot = own;
    for (std::size_t b = 0; b < a; ++b) {
      double sum = reduced_product(row(k), row(ties_[b]));
      for (std::size_t i = 0; i < b; ++i) sum -= factor_[a * most + i] * factor_[b * most + i];
      factor_[a * most + b] = sum / factor_[b * most + b];
      pivot -= square(factor_[a * most + b]);
    }
    factor_[a * most + a] = std::sqrt(pivot);
    return pivot > 1e-12 * own;
  };
  if (!choose) {
    for (std::size_t a = 0; a < ties_.size(); ++a) add(ties_[a], a);
    return;
  }
  for (const int k : joint_)
    if (add(k, ties_.size())) ties_.push_back(k);
}

double Rest::free_acceleration(std::size_t k, std::span<const double> push) const {
  double sum = 0.0;
  for (const auto& term : row(k).coordinates) {
    const int block = mass_.block(term.index);
    if (block < 0) {
      sum +=
          term.weight * push[std::size_t(term.index)] / machine_.inertia[std::size_t(term.index)];
      continue;
    }
    for (const int j : mass_.members(block))
      sum += term.weight * mass_.inverse(term.index, j) * push[std::size_t(j)];
  }
  return sum;
}

void Rest::hold(std::span<const double> push, std::span<const double> wanted) {
  refresh();
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
  refresh();
  for (std::size_t i = 0; i < push.size(); ++i)
    if (mass_.block(int(i)) < 0) acceleration[i] = push[i] / machine_.inertia[i];
  for (const auto& one : known_) {
    double sum = wanted[std::size_t(one.place)], weight = 1.0;
    for (const auto& term : row(one.place).coordinates) {
      if (term.index == one.coordinate) weight = term.weight;
      else sum -= term.weight * acceleration[std::size_t(term.index)];
    }
    acceleration[std::size_t(one.coordinate)] = sum == 0.0 ? 0.0 : sum / weight;
  }
  // Of a block what is known pushes the others.
  for (int b = 0; b < mass_.blocks(); ++b)
    for (const int i : mass_.members(b)) {
      if (is_known(i)) continue;
      double sum = 0.0;
      for (const int j : mass_.members(b)) {
        double force = push[std::size_t(j)];
        for (const int k : mass_.members(b))
          if (is_known(k)) force -= mass_.at(j, k) * acceleration[std::size_t(k)];
        sum += reduced(i, j) * force;
      }
      acceleration[std::size_t(i)] = sum;
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
    for (const auto& term : row(ties_[a]).coordinates) {
      if (is_known(term.index)) continue;
      const double force = term.weight * tie_force_[a];
      const int block = mass_.block(term.index);
      if (block < 0)
        acceleration[std::size_t(term.index)] -= force / machine_.inertia[std::size_t(term.index)];
      else
        for (const int i : mass_.members(block))
          acceleration[std::size_t(i)] -= reduced(i, term.index) * force;
    }
}

void Rest::within(std::span<const double> push, std::span<const double> wanted) {
  refresh();
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
  solved_ = any_disc_ ? solve_with_discs(box_, disc_, room_) : box_.solve();
  for (std::size_t a = 0; a < joint_.size(); ++a) {
    const auto k = std::size_t(joint_[a]);
    force[k] = box_.force[a];
    const double noise = 1e-14 * (resistance_[k] * size + std::abs(box_.b[a]));
    left[k] = std::abs(box_.rest[a]) <= noise ? 0.0 : box_.rest[a];
  }
}

// Forces that change nothing are those in the null space of the matrix of the joint problem: each
// row that elimination leaves empty gives one of them.
void Rest::mark_shared(std::span<char> contacts) {
  refresh();
  const std::size_t n = joint_.size();
  if (!box_.singular() || n == 0) return;
  std::vector<double> a(n * n);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    for (std::size_t j = 0; j < n; ++j) a[i * n + j] = box_.g(int(i), int(j));
  }
  // Positive semidefinite: the largest entry left is on the diagonal.
  std::size_t rank = 0;
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return a[order[i] * n + order[j]];
  };
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, a[i * n + i]);
  for (; rank < n; ++rank) {
    std::size_t best = rank;
    for (std::size_t i = rank; i < n; ++i)
      if (at(i, i) > at(best, best)) best = i;
    if (!(at(best, best) > 1e-12 * largest)) break;
    std::swap(order[rank], order[best]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == rank) continue;
      const double part = at(i, rank) / at(rank, rank);
      for (std::size_t j = 0; j < n; ++j) at(i, j) -= part * at(rank, j);
    }
  }
  for (std::size_t free = rank; free < n; ++free) {
    const auto mark = [&](std::size_t i) {
      contacts[std::size_t(contact(std::size_t(joint_[order[i]])))] = 1;
    };
    mark(free);
    for (std::size_t i = 0; i < rank; ++i)
      if (std::abs(at(i, free)) > 1e-9 * std::sqrt(at(i, i) * largest)) mark(i);
  }
}

double Rest::joint_size() const {
  double size = 0.0;
  for (const int k : joint_)
    size = std::max({size, std::abs(lower[std::size_t(k)]), std::abs(upper[std::size_t(k)])});
  return size;
}

}  // namespace bristle::detail
