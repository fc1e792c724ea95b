// SPDX-License-Identifier: MIT
#include "skyline.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::detail {
namespace {

// An order in which neighbours stand close together.
std::vector<int> cuthill_mckee(int n, const std::vector<std::vector<int>>& near) {
  std::vector<int> order;
  std::vector<char> seen(std::size_t(n), 0);
  const auto degree = [&](int i) { return near[std::size_t(i)].size(); };
  const auto walk = [&](int root, std::vector<int>& out, std::vector<char>& marks) {
    const std::size_t begin = out.size();
    out.push_back(root);
    marks[std::size_t(root)] = 1;
    for (std::size_t k = begin; k < out.size(); ++k) {
      auto next = near[std::size_t(out[k])];
      std::sort(next.begin(), next.end(), [&](int a, int b) {
        return degree(a) != degree(b) ? degree(a) < degree(b) : a < b;
      });
      for (const int j : next)
        if (!marks[std::size_t(j)]) marks[std::size_t(j)] = 1, out.push_back(j);
    }
  };
  for (int i = 0; i < n; ++i) {
    if (seen[std::size_t(i)]) continue;
    // Start from a coordinate at the rim: the last one a walk from anywhere reaches.
    std::vector<int> trial;
    std::vector<char> marks = seen;
    walk(i, trial, marks);
    walk(trial.back(), order, seen);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

void Skyline::shape(int n, const std::vector<std::pair<int, int>>& pairs, bool symmetric) {
  n_ = n;
  symmetric_ = symmetric;
  const auto size = std::size_t(n);
  std::vector<std::vector<int>> near(size);
  for (const auto& [i, j] : pairs) {
    if (i == j) continue;
    for (const auto& [a, b] : {std::pair{i, j}, std::pair{j, i}}) {
      auto& list = near[std::size_t(a)];
      if (std::find(list.begin(), list.end(), b) == list.end()) list.push_back(b);
    }
  }
  const auto order = cuthill_mckee(n, near);
  place_.assign(size, 0);
  for (int k = 0; k < n; ++k) place_[std::size_t(order[std::size_t(k)])] = k;
  first_.resize(size);
  for (int k = 0; k < n; ++k) first_[std::size_t(k)] = k;
  for (int i = 0; i < n; ++i)
    for (const int j : near[std::size_t(i)]) {
      const int a = place_[std::size_t(i)], b = place_[std::size_t(j)];
      first_[std::size_t(std::max(a, b))] =
          std::min(first_[std::size_t(std::max(a, b))], std::min(a, b));
    }
  narrow_ = symmetric;
  for (int k = 1; k < n; ++k) narrow_ = narrow_ && first_[std::size_t(k)] >= k - 1;
  for (int k = 1; k < n && narrow_; ++k) first_[std::size_t(k)] = k - 1;
  start_.resize(size);
  long next = 0;
  for (int k = 0; k < n; ++k) {
    start_[std::size_t(k)] = next - first_[std::size_t(k)];
    next += k - first_[std::size_t(k)] + 1;
  }
  values_.assign(std::size_t(next), 0.0);
  held_.assign(std::size_t(next), 0.0);
  upper_.assign(symmetric ? 0 : std::size_t(next), 0.0);
  held_upper_ = upper_;
  inverse_.assign(size, 0.0);
  work_.assign(size, 0.0);
  fixed_.assign(size, 0);
}

void Skyline::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
}
void Skyline::release_all() { std::fill(fixed_.begin(), fixed_.end(), char(0)); }

void Skyline::add(int i, int j, double value) {
  const int a = place_[std::size_t(i)], b = place_[std::size_t(j)];
  at(std::max(a, b), std::min(a, b)) += value;
  if (!symmetric_ && a != b) above(std::min(a, b), std::max(a, b)) += value;
}

void Skyline::add_at(int i, int j, double value) {
  const int a = place_[std::size_t(i)], b = place_[std::size_t(j)];
  if (a >= b) at(a, b) += value;
  else if (!symmetric_) above(a, b) += value;
}

bool Skyline::factor(std::span<const double> floor) {
  any_fixed_ = std::find(fixed_.begin(), fixed_.end(), char(1)) != fixed_.end();
  for (int i = 0; i < n_; ++i) work_[std::size_t(place_[std::size_t(i)])] = floor[std::size_t(i)];
  if (any_fixed_) {
    // The columns of known coordinates go to the right-hand side.
    held_ = values_;
    held_upper_ = upper_;
    for (int i = 0; i < n_; ++i) {
      for (int j = first_[std::size_t(i)]; j < i; ++j)
        if (fixed_[std::size_t(i)] || fixed_[std::size_t(j)]) {
          at(i, j) = 0.0;
          if (!symmetric_) above(j, i) = 0.0;
        }
      if (fixed_[std::size_t(i)]) at(i, i) = 1.0, work_[std::size_t(i)] = 0.0;
    }
  }
  return symmetric_ ? factor_symmetric() : factor_general();
}

// L has ones on its diagonal, U is kept above it; inverse_ holds one over the diagonal of U.
bool Skyline::factor_general() {
  for (int i = 0; i < n_; ++i) {
    const int begin = first_[std::size_t(i)];
    double pivot = at(i, i);
    for (int j = begin; j < i; ++j) {
      double low = at(i, j), high = above(j, i);
      for (int k = std::max(begin, first_[std::size_t(j)]); k < j; ++k)
        low -= at(i, k) * above(k, j), high -= at(j, k) * above(k, i);
      at(i, j) = low * inverse_[std::size_t(j)];
      above(j, i) = high;
      pivot -= at(i, j) * high;
    }
    if (!(pivot > work_[std::size_t(i)]) || !std::isfinite(pivot)) return false;
    inverse_[std::size_t(i)] = 1.0 / pivot;
  }
  return true;
}

bool Skyline::factor_symmetric() {
  for (int i = 0; i < n_; ++i) {
    const int begin = first_[std::size_t(i)];
    double pivot = at(i, i);
    for (int j = begin; j < i; ++j) {
      double sum = at(i, j);
      for (int k = std::max(begin, first_[std::size_t(j)]); k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum;  // L D, divided by D below
    }
    for (int j = begin; j < i; ++j) {
      const double scaled = at(i, j) * inverse_[std::size_t(j)];
      pivot -= at(i, j) * scaled;
      at(i, j) = scaled;
    }
    if (!(pivot > work_[std::size_t(i)]) || !std::isfinite(pivot)) return false;
    inverse_[std::size_t(i)] = 1.0 / pivot;
  }
  return true;
}

void Skyline::solve(std::span<double> b) {
  for (int i = 0; i < n_; ++i) work_[std::size_t(place_[std::size_t(i)])] = b[std::size_t(i)];
  if (any_fixed_) {
    for (int i = 0; i < n_; ++i)
      for (int j = first_[std::size_t(i)]; j < i; ++j) {
        const auto place = std::size_t(start_[std::size_t(i)] + j);
        const double low = held_[place], high = symmetric_ ? low : held_upper_[place];
        const bool row = fixed_[std::size_t(i)], column = fixed_[std::size_t(j)];
        if (row && !column) work_[std::size_t(j)] -= high * work_[std::size_t(i)];
        if (column && !row) work_[std::size_t(i)] -= low * work_[std::size_t(j)];
      }
  }
  if (narrow_ && n_ > 0) return solve_narrow(b);
  for (int i = 0; i < n_; ++i) {
    double sum = work_[std::size_t(i)];
    for (int j = first_[std::size_t(i)]; j < i; ++j) sum -= at(i, j) * work_[std::size_t(j)];
    work_[std::size_t(i)] = sum;
  }
  if (symmetric_) {
    for (int i = 0; i < n_; ++i) work_[std::size_t(i)] *= inverse_[std::size_t(i)];
    for (int i = n_ - 1; i >= 0; --i)
      for (int j = first_[std::size_t(i)]; j < i; ++j)
        work_[std::size_t(j)] -= at(i, j) * work_[std::size_t(i)];
  } else {
    for (int i = n_ - 1; i >= 0; --i) {
      work_[std::size_t(i)] *= inverse_[std::size_t(i)];
      for (int j = first_[std::size_t(i)]; j < i; ++j)
        work_[std::size_t(j)] -= above(j, i) * work_[std::size_t(i)];
    }
  }
  for (int i = 0; i < n_; ++i) b[std::size_t(i)] = work_[std::size_t(place_[std::size_t(i)])];
}

void Skyline::solve_narrow(std::span<double> b) {
  const auto n = std::size_t(n_);
  const double *const low = values_.data(), *const inverse = inverse_.data();
  double* const x = work_.data();
  for (std::size_t i = 1; i < n; ++i) x[i] -= low[2 * i - 1] * x[i - 1];
  x[n - 1] *= inverse[n - 1];
  for (std::size_t i = n - 1; i > 0; --i)
    x[i - 1] = x[i - 1] * inverse[i - 1] - low[2 * i - 1] * x[i];
  for (std::size_t i = 0; i < n; ++i) b[i] = x[std::size_t(place_[i])];
}

}  // namespace bristle::detail
