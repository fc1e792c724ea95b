// SPDX-License-Identifier: MIT
#include "disc_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace bristle::detail {
namespace {

// The force f in a disc with (G + multiplier) f = r for a multiplier that is zero inside the disc.
// G is symmetric and positive; the norm of f falls with the multiplier.
std::array<double, 2> in_disc(double g11, double g12, double g22, double r1, double r2,
                              double radius) {
  const auto at = [&](double m) {
    const double a = g11 + m, c = g22 + m, det = a * c - g12 * g12;
    return std::array<double, 2>{(c * r1 - g12 * r2) / det, (a * r2 - g12 * r1) / det};
  };
  const auto size = [](const std::array<double, 2>& f) { return std::hypot(f[0], f[1]); };
  if (g11 * g22 - g12 * g12 > 1e-14 * g11 * g22) {
    const auto free = at(0.0);
    if (size(free) <= radius) return free;
  }
  if (!(radius > 0.0)) return {0.0, 0.0};
  // Newton's method for 1 / |f| = 1 / radius, which is nearly linear in the multiplier.
  double low = 0.0, high = std::hypot(r1, r2) / radius, m = high;
  for (int k = 0; k < 200; ++k) {
    const auto f = at(m);
    const double norm = size(f);
    (norm > radius ? low : high) = m;
    if (std::abs(norm - radius) <= 4e-16 * radius) break;
    const double a = g11 + m, c = g22 + m, det = a * c - g12 * g12;
    const double h1 = (c * f[0] - g12 * f[1]) / det, h2 = (a * f[1] - g12 * f[0]) / det;
    const double slope = (f[0] * h1 + f[1] * h2) / (norm * norm * norm);  // of 1 / norm
    double next = m + (1.0 / radius - 1.0 / norm) / slope;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == m) break;
    m = next;
  }
  auto f = at(m);
  const double scale = radius / size(f);
  return {f[0] * scale, f[1] * scale};
}

}  // namespace

bool solve_with_discs(BoxProblem& p, const std::vector<char>& disc) {
  const int n = p.size();
  const auto rest = [&](int i) {
    double sum = p.b[std::size_t(i)];
    for (int j = 0; j < n; ++j) sum -= p.g(i, j) * p.force[std::size_t(j)];
    return sum;
  };
  std::fill(p.force.begin(), p.force.end(), 0.0);
  bool ended = false;
  for (int sweep = 0; sweep < 20'000 && !ended; ++sweep) {
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
      const auto k = std::size_t(i);
      const double before = p.force[k];
      if (!disc[k]) {
        p.force[k] = std::clamp(before + rest(i) / p.g(i, i), p.lower[k], p.upper[k]);
      } else {
        const double other = p.force[k + 1];
        const double r1 = rest(i) + p.g(i, i) * before + p.g(i, i + 1) * other;
        const double r2 = rest(i + 1) + p.g(i + 1, i) * before + p.g(i + 1, i + 1) * other;
        const auto f =
            in_disc(p.g(i, i), p.g(i, i + 1), p.g(i + 1, i + 1), r1, r2, p.upper[k]);
        p.force[k] = f[0], p.force[k + 1] = f[1];
        change = std::max(change, std::abs(f[1] - other));
        size = std::max(size, std::abs(f[1]));
        ++i;
      }
      change = std::max(change, std::abs(p.force[k] - before));
      size = std::max(size, std::abs(p.force[k]));
    }
    ended = change <= 1e-15 * size;
  }
  // Inside its bounds a contact holds, whatever is left by rounding.
  for (int i = 0; i < n; ++i) {
    const auto k = std::size_t(i);
    if (disc[k]) {
      const bool inside =
          std::hypot(p.force[k], p.force[k + 1]) < p.upper[k] * (1.0 - 1e-12);
      p.rest[k] = inside ? 0.0 : rest(i);
      p.rest[k + 1] = inside ? 0.0 : rest(i + 1);
      ++i;
    } else {
      const bool inside = p.force[k] > p.lower[k] && p.force[k] < p.upper[k];
      p.rest[k] = inside ? 0.0 : rest(i);
    }
  }
  return ended;
}

}  // namespace bristle::detail
