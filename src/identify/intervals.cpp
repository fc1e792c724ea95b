// SPDX-License-Identifier: MIT
#include "intervals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bristle {

double student(double freedom) {
  constexpr double z = 1.959963984540054;
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4.0 * freedom) +
         (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom * freedom);
}

std::vector<double> covariance(const NormalEquations& e, const std::vector<bool>& stopped,
                               double variance, std::vector<bool>& loose) {
  const int n = e.n;
  std::vector<int> free;
  for (int i = 0; i < n; ++i)
    if (!stopped[std::size_t(i)] && e.at(i, i) > 0.0) free.push_back(i);
  const int m = int(free.size());
  std::vector<double> scaled(std::size_t(m * m));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j)
      scaled[std::size_t(i * m + j)] = e.at(free[std::size_t(i)], free[std::size_t(j)]) /
                                       std::sqrt(e.at(free[std::size_t(i)], free[std::size_t(i)]) *
                                                 e.at(free[std::size_t(j)], free[std::size_t(j)]));
  const EigenPairs pairs = symmetric_eigen(scaled, m);
  std::vector<double> c(std::size_t(n * n), 0.0);
  loose.assign(std::size_t(n), false);
  for (int k = 0; k < m; ++k) {
    const bool flat = pairs.values[std::size_t(k)] < 1e-12;
    const double inverse = variance / std::max(pairs.values[std::size_t(k)], 1e-15);
    for (int i = 0; i < m; ++i) {
      const int fi = free[std::size_t(i)];
      const double vi = pairs.vectors[std::size_t(k * m + i)];
      if (flat && std::abs(vi) > 0.1) loose[std::size_t(fi)] = true;
      for (int j = 0; j < m; ++j) {
        const int fj = free[std::size_t(j)];
        c[std::size_t(fi * n + fj)] += inverse * vi * pairs.vectors[std::size_t(k * m + j)] /
                                       std::sqrt(e.at(fi, fi) * e.at(fj, fj));
      }
    }
  }
  for (int i = 0; i < n; ++i)
    if (!stopped[std::size_t(i)] && !(e.at(i, i) > 0.0)) loose[std::size_t(i)] = true;
  return c;
}

Whiteness whiteness(std::span<const double> r) {
  Whiteness found;
  const double n = double(r.size());
  const double power = std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
  if (!(power > 0.0) || r.size() < 60) return found;
  const auto at_lag = [&](std::size_t lag) {
    return std::inner_product(r.begin() + long(lag), r.end(), r.begin(), 0.0) / power;
  };
  double q = 0.0;
  for (std::size_t lag = 1; lag <= 20; ++lag) {
    const double rho = at_lag(lag);
    q += rho * rho / (n - double(lag));
  }
  found.white = n * (n + 2.0) * q <= 31.410432844230918;  // chi-square, 20 degrees, 95 %
  if (found.white) return found;
  for (std::size_t lag = 1; lag < std::min<std::size_t>(r.size() / 10, 2000); ++lag) {
    const double rho = at_lag(lag);
    if (rho <= 0.0) break;
    found.correlation_time += 2.0 * rho;
  }
  return found;
}

}  // namespace bristle
