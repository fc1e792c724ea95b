// SPDX-License-Identifier: MIT
#include "box_problem.hpp"

#include <algorithm>
#include <cmath>

#include "small_factors.hpp"

namespace bristle::detail {
namespace {

// Most proximal steps; each leaves a small part of the error, some thousandths as a rule.
constexpr int rounds = 60;

}  // namespace

void BoxProblem::resize(int n) {
  n_ = n;
  const auto size = std::size_t(n);
  for (auto* v : {&b, &lower, &upper, &force, &rest, &near_, &trial_}) v->assign(size, 0.0);
  g_.assign(size * size, 0.0);
  factor_.assign(size * size, 0.0);
  side_.assign(size, 0);
  free_.reserve(size);
  free_.clear();
}

// Cholesky factors of the free part of G, shifted.
bool BoxProblem::factor_free() {
  const auto m = free_.size();
  for (std::size_t a = 0; a < m; ++a)
    for (std::size_t c = 0; c <= a; ++c) {
      double sum = g(free_[a], free_[c]) + (a == c ? shift_ : 0.0);
      for (std::size_t k = 0; k < c; ++k) sum -= factor_[a * m + k] * factor_[c * m + k];
      if (a == c) {
        if (!(sum > 1e-14 * (g(free_[a], free_[a]) + shift_))) return false;
        factor_[a * m + a] = std::sqrt(sum);
      } else {
        factor_[a * m + c] = sum / factor_[c * m + c];
      }
    }
  return true;
}

void BoxProblem::prepare() {
  double trace = 0.0;
  for (int i = 0; i < n_; ++i) trace += g(i, i);
  singular_ = !regular();
  shift_ = singular_ ? 1e-3 * trace / n_ : 0.0;
}

// Whether every direction has resistance: Cholesky factors with the largest pivot first, each line
// measured by its own resistance. In any other order rounding can hide that lines depend on each
// other.
bool BoxProblem::regular() {
  const auto n = std::size_t(n_);
  free_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    free_[i] = int(i);
    for (std::size_t j = 0; j < n; ++j)
      factor_[i * n + j] = g(int(i), int(j)) / std::sqrt(g(int(i), int(i)) * g(int(j), int(j)));
  }
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return factor_[std::size_t(free_[i]) * n + std::size_t(free_[j])];
  };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k; i < n; ++i)
      if (at(i, i) > at(best, best)) best = i;
    if (!(at(best, best) > 1e-11)) return false;
    std::swap(free_[k], free_[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double part = at(i, k) / at(k, k);
      for (std::size_t j = k + 1; j < n; ++j) at(i, j) -= part * at(k, j);
    }
  }
  return true;
}

void BoxProblem::find_rest() {
  for (int i = 0; i < n_; ++i) {
    double sum = b[std::size_t(i)];
    for (int j = 0; j < n_; ++j) sum -= g(i, j) * force[std::size_t(j)];
    rest[std::size_t(i)] = sum;
  }
}

void BoxProblem::free_forces() {
  free_.resize(std::size_t(n_));
  for (int i = 0; i < n_; ++i) free_[std::size_t(i)] = i;
  factor_free();
  force = b;
  solve_cholesky(factor_.data(), std::size_t(n_), force.data());
  std::fill(rest.begin(), rest.end(), 0.0);
}

// Whether the last proximal step changed nothing but by rounding.
bool BoxProblem::settled() const {
  double change = 0.0, size = 0.0;
  for (std::size_t i = 0; i < force.size(); ++i) {
    change = std::max(change, std::abs(force[i] - near_[i]));
    size = std::max(size, std::abs(force[i]));
  }
  return change <= 1e-15 * size;
}

bool BoxProblem::solve() {
  for (std::size_t i = 0; i < std::size_t(n_); ++i) {
    force[i] = std::clamp(0.0, lower[i], upper[i]);
    side_[i] = 0;
  }
  bool ended = true;
  for (int round = 0; round < (singular_ ? rounds : 1) && ended; ++round) {
    near_ = force;
    ended = solve_near();
    if (settled()) break;
  }
  if (!singular_) {
    find_rest();
    return ended;
  }
  find_rest_of_slip();
  // Slip against the force is rounding.
  for (std::size_t i = 0; i < std::size_t(n_); ++i)
    if (lower[i] < upper[i] && side_[i] * rest[i] < 0.0) rest[i] = 0.0;
  return ended;
}

// What is left where forces are not unique: zero at contacts inside their bounds, and at the others
// what remains with those held. Forces near their limit leave the difference of large numbers
// otherwise, and contacts would seem to slip that the others hold.
void BoxProblem::find_rest_of_slip() {
  const auto n = std::size_t(n_);
  const auto inside = [&](std::size_t i) { return side_[i] == 0 && lower[i] < upper[i]; };
  // Cholesky factors of those inside that do not follow from each other.
  free_.clear();
  for (int i = 0; i < n_; ++i) {
    if (!inside(std::size_t(i))) continue;
    const std::size_t a = free_.size();
    double pivot = g(i, i);
    for (std::size_t c = 0; c < a; ++c) {
      double sum = g(i, free_[c]);
      for (std::size_t k = 0; k < c; ++k) sum -= factor_[a * n + k] * factor_[c * n + k];
      factor_[a * n + c] = sum / factor_[c * n + c];
      pivot -= factor_[a * n + c] * factor_[a * n + c];
    }
    if (!(pivot > 1e-12 * g(i, i))) continue;
    factor_[a * n + a] = std::sqrt(pivot);
    free_.push_back(i);
  }
  const auto without = [&](int i) {
    double sum = b[std::size_t(i)];
    for (std::size_t j = 0; j < n; ++j)
      if (!inside(j)) sum -= g(i, int(j)) * force[j];
    return sum;
  };
  const std::size_t m = free_.size();
  for (std::size_t a = 0; a < m; ++a) {
    trial_[a] = without(free_[a]);
    for (std::size_t k = 0; k < a; ++k) trial_[a] -= factor_[a * n + k] * trial_[k];
    trial_[a] /= factor_[a * n + a];
  }
  for (std::size_t a = m; a-- > 0;) {
    for (std::size_t k = a + 1; k < m; ++k) trial_[a] -= factor_[k * n + a] * trial_[k];
    trial_[a] /= factor_[a * n + a];
  }
  for (int i = 0; i < n_; ++i) {
    const auto k = std::size_t(i);
    rest[k] = 0.0;
    if (inside(k)) continue;
    double sum = without(i);
    for (std::size_t a = 0; a < m; ++a) sum -= g(i, free_[a]) * trial_[a];
    rest[k] = sum;
  }
}

// Minimises f' G f / 2 - b' f + shift |f - near|^2 / 2 within the bounds, starting from force.
bool BoxProblem::solve_near() {
  const int most = 50 * (n_ + 1);
  for (int count = 0; count < most; ++count) {
    free_.clear();
    for (int i = 0; i < n_; ++i)
      if (side_[std::size_t(i)] == 0) {
        if (lower[std::size_t(i)] < upper[std::size_t(i)]) free_.push_back(i);
        else side_[std::size_t(i)] = 1;
      }
    if (!factor_free()) return false;
    const auto m = free_.size();
    for (std::size_t a = 0; a < m; ++a) {
      const int i = free_[a];
      double sum = b[std::size_t(i)] + shift_ * near_[std::size_t(i)];
      for (int j = 0; j < n_; ++j)
        if (side_[std::size_t(j)] != 0) sum -= g(i, j) * force[std::size_t(j)];
      trial_[a] = sum;
    }
    solve_cholesky(factor_.data(), m, trial_.data());
    // As far as the bounds allow.
    double along = 1.0;
    int stop = -1;
    for (std::size_t a = 0; a < m; ++a) {
      const auto i = std::size_t(free_[a]);
      const double edge = trial_[a] > upper[i] ? upper[i] : trial_[a] < lower[i] ? lower[i] : NAN;
      if (std::isnan(edge)) continue;
      const double part = (edge - force[i]) / (trial_[a] - force[i]);
      if (part < along) along = std::max(part, 0.0), stop = int(a);
    }
    for (std::size_t a = 0; a < m; ++a) {
      const auto i = std::size_t(free_[a]);
      force[i] = std::clamp(force[i] + along * (trial_[a] - force[i]), lower[i], upper[i]);
    }
    if (stop >= 0) {
      const auto i = std::size_t(free_[std::size_t(stop)]);
      side_[i] = trial_[std::size_t(stop)] > force[i] ? 1 : -1;
      force[i] = side_[i] > 0 ? upper[i] : lower[i];
      continue;
    }
    // Which bound holds back a contact that would leave it inwards?
    find_rest();
    int worst = -1;
    double most_wrong = 0.0;
    for (int i = 0; i < n_; ++i) {
      const auto k = std::size_t(i);
      if (side_[k] == 0 || !(lower[k] < upper[k])) continue;
      const double pull = rest[k] + shift_ * (near_[k] - force[k]);
      const double wrong = side_[k] > 0 ? -pull : pull;
      const double noise = 1e-15 * (std::abs(b[k]) + g(i, i) * std::abs(force[k]));
      if (wrong > noise && wrong > most_wrong) most_wrong = wrong, worst = i;
    }
    if (worst < 0) return true;
    side_[std::size_t(worst)] = 0;
  }
  return false;
}

}  // namespace bristle::detail
