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

void Skyline::shape(int n, const std::vector<std::pair<int, int>>& pairs) {
  n_ = n;
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
  start_.resize(size);
  long next = 0;
  for (int k = 0; k < n; ++k) {
    start_[std::size_t(k)] = next - first_[std::size_t(k)];
    next += k - first_[std::size_t(k)] + 1;
  }
  values_.assign(std::size_t(next), 0.0);
  held_.assign(std::size_t(next), 0.0);
  inverse_.assign(size, 0.0);
  work_.assign(size, 0.0);
  fixed_.assign(size, 0);
}

void Skyline::clear() { std::fill(values_.begin(), values_.end(), 0.0); }
void Skyline::release_all() { std::fill(fixed_.begin(), fixed_.end(), char(0)); }

void Skyline::add(int i, int j, double value) {
  const int a = place_[std::size_t(i)], b = place_[std::size_t(j)];
  at(std::max(a, b), std::min(a, b)) += value;
}

bool Skyline::factor(std::span<const double> floor) {
  any_fixed_ = std::find(fixed_.begin(), fixed_.end(), char(1)) != fixed_.end();
  for (int i = 0; i < n_; ++i) work_[std::size_t(place_[std::size_t(i)])] = floor[std::size_t(i)];
  if (any_fixed_) {
    // The columns of known coordinates go to the right-hand side.
    held_ = values_;
    for (int i = 0; i < n_; ++i) {
      for (int j = first_[std::size_t(i)]; j < i; ++j)
        if (fixed_[std::size_t(i)] || fixed_[std::size_t(j)]) at(i, j) = 0.0;
      if (fixed_[std::size_t(i)]) at(i, i) = 1.0, work_[std::size_t(i)] = 0.0;
    }
  }
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
        const double value = held_[std::size_t(start_[std::size_t(i)] + j)];
        const bool row = fixed_[std::size_t(i)], column = fixed_[std::size_t(j)];
        if (row && !column) work_[std::size_t(j)] -= value * work_[std::size_t(i)];
        if (column && !row) work_[std::size_t(i)] -= value * work_[std::size_t(j)];
      }
  }
  for (int i = 0; i < n_; ++i) {
    double sum = work_[std::size_t(i)];
    for (int j = first_[std::size_t(i)]; j < i; ++j) sum -= at(i, j) * work_[std::size_t(j)];
    work_[std::size_t(i)] = sum;
  }
  for (int i = 0; i < n_; ++i) work_[std::size_t(i)] *= inverse_[std::size_t(i)];
  for (int i = n_ - 1; i >= 0; --i)
    for (int j = first_[std::size_t(i)]; j < i; ++j)
      work_[std::size_t(j)] -= at(i, j) * work_[std::size_t(i)];
  for (int i = 0; i < n_; ++i) b[std::size_t(i)] = work_[std::size_t(place_[std::size_t(i)])];
}

}  // namespace bristle::detail
