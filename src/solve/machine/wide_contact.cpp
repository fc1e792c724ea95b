// SPDX-License-Identifier: MIT
#include "wide_contact.hpp"

#include <cmath>

#include "small_factors.hpp"

namespace bristle::detail {

WideContact::WideContact(const BlockLaw& law)
    : slopes(law.dimension(), law.states(), law.memory() != nullptr),
      still_(law.memory() != nullptr) {
  const auto n = std::size_t(slopes.n), d = std::size_t(slopes.d);
  factor_.assign(n * n, 0.0);
  order_.assign(n, 0);
  resistance_.assign(d * d, 0.0);
  work_.assign(n, 0.0);
  sorted_.assign(n, 0.0);
}

bool WideContact::condense(double shift) {
  shift_ = shift;
  const int n = still_ ? 0 : slopes.n, d = slopes.d;
  const auto at = [&](int i, int j) -> double& { return factor_[std::size_t(i * n + j)]; };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      at(i, j) = (i == j ? shift : 0.0) - slopes.at(slopes.rate_row(i), slopes.by_state(j));
  // A state that grows within the step asks for a shorter one.
  if (!factor_pivoted(factor_.data(), n, order_.data(), 1e-3 * shift)) return false;
  for (int j = 0; j < d; ++j) {
    for (int i = 0; i < n; ++i)
      work_[std::size_t(i)] = slopes.at(slopes.rate_row(i), j) / shift +
                              slopes.at(slopes.rate_row(i), slopes.by_velocity(j));
    solve(work_.data());
    for (int i = 0; i < d; ++i) {
      double sum = slopes.at(i, j) / shift + slopes.at(i, slopes.by_velocity(j));
      if (slopes.more > 0) sum += shift * slopes.at(i, slopes.by_acceleration());
      for (int k = 0; k < n; ++k) sum += slopes.at(i, slopes.by_state(k)) * work_[std::size_t(k)];
      if (!std::isfinite(sum)) return false;
      resistance_[std::size_t(i * d + j)] = sum;
    }
  }
  return true;
}

void WideContact::solve(double* x) {
  if (still_) {
    for (int i = 0; i < slopes.n; ++i) x[i] /= shift_;
    return;
  }
  solve_pivoted(factor_.data(), slopes.n, order_.data(), x, sorted_.data());
}

void WideContact::states(const double* known_z, const double* s, const double* w, double* z) {
  for (int i = 0; i < slopes.n; ++i) {
    const int row = slopes.rate_row(i);
    double sum = known_z[i];
    for (int k = 0; k < slopes.d && !still_; ++k)
      sum += slopes.at(row, k) * s[k] + (w ? slopes.at(row, slopes.by_velocity(k)) * w[k] : 0.0);
    z[i] = sum;
  }
  solve(z);
}

void WideContact::known_force(const double* s, const double* known_z, double* force,
                              double known_a) {
  states(known_z, s, nullptr, work_.data());
  for (int i = 0; i < slopes.d; ++i) {
    force[i] = 0.0;
    for (int k = 0; k < slopes.d; ++k) force[i] += slopes.at(i, k) * s[k];
    for (int k = 0; k < slopes.n; ++k)
      force[i] += slopes.at(i, slopes.by_state(k)) * work_[std::size_t(k)];
    if (slopes.more > 0) force[i] -= slopes.at(i, slopes.by_acceleration()) * known_a;
  }
}

double WideContact::along(int row, const double* s, const double* w, const double* z,
                          double a) const {
  double sum = slopes.more > 0 ? slopes.at(row, slopes.by_acceleration()) * a : 0.0;
  for (int k = 0; k < slopes.d; ++k)
    sum += slopes.at(row, k) * s[k] + slopes.at(row, slopes.by_velocity(k)) * w[k];
  for (int k = 0; k < slopes.n; ++k) sum += slopes.at(row, slopes.by_state(k)) * z[k];
  return sum;
}

}  // namespace bristle::detail
