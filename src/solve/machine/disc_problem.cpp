// SPDX-License-Identifier: MIT
#include "disc_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "small_factors.hpp"

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
  if (!(radius > 0.0)) return {0.0, 0.0};
  if (g11 * g22 - g12 * g12 > 1e-14 * g11 * g22) {
    const auto free = at(0.0);
    if (size(free) <= radius) return free;
  } else {
    // Both axes see one motion: the force of least norm, along its direction.
    const bool first = g11 >= g22;
    const double x = first ? g11 : g12, y = first ? g12 : g22, norm = std::hypot(x, y);
    if (!(norm > 0.0)) return {0.0, 0.0};
    const double along =
        std::clamp((x * r1 + y * r2) / (norm * (g11 + g22)), -radius, radius) / norm;
    return {along * x, along * y};
  }
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

// What is left of the acceleration on line i.
double rest_of(BoxProblem& p, int i) {
  double sum = p.b[std::size_t(i)];
  for (int j = 0; j < p.size(); ++j) sum -= p.g(i, j) * p.force[std::size_t(j)];
  return sum;
}

// Contact by contact until nothing changes: exact, and quick unless contacts hold each other.
bool by_contacts(BoxProblem& p, const std::vector<char>& disc) {
  const int n = p.size();
  std::fill(p.force.begin(), p.force.end(), 0.0);
  for (int sweep = 0; sweep < 100; ++sweep) {
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n; ++i) {
      const auto k = std::size_t(i);
      const double before = p.force[k];
      if (!disc[k]) {
        p.force[k] = std::clamp(before + rest_of(p, i) / p.g(i, i), p.lower[k], p.upper[k]);
      } else {
        const double other = p.force[k + 1];
        const double r1 = rest_of(p, i) + p.g(i, i) * before + p.g(i, i + 1) * other;
        const double r2 = rest_of(p, i + 1) + p.g(i + 1, i) * before + p.g(i + 1, i + 1) * other;
        const auto f = in_disc(p.g(i, i), p.g(i, i + 1), p.g(i + 1, i + 1), r1, r2, p.upper[k]);
        p.force[k] = f[0], p.force[k + 1] = f[1];
        change = std::max(change, std::abs(f[1] - other));
        size = std::max(size, std::abs(f[1]));
        ++i;
      }
      change = std::max(change, std::abs(p.force[k] - before));
      size = std::max(size, std::abs(p.force[k]));
    }
    if (change <= 1e-15 * size) return true;
  }
  return false;
}

// All contacts at once by an interior-point method: minimises f G f / 2 - b f - mu sum of the
// logarithms of the distances from the bounds, for mu falling to rounding. Where forces are not
// unique it finds those farthest from the bounds, which move smoothly as the problem does.
class Interior {
 public:
  Interior(BoxProblem& problem, const std::vector<char>& disc, DiscRoom& room)
      : p_(problem), disc_(disc), room_(room), n_(problem.size()) {
    room.resize(std::size_t(n_));
  }

  bool solve() {
    auto& f = p_.force;
    double force = 0.0, acceleration = 0.0;
    for (int i = 0; i < n_; ++i) {
      const auto k = std::size_t(i);
      f[k] = disc_[k] || (i > 0 && disc_[k - 1]) ? 0.0 : 0.5 * (p_.lower[k] + p_.upper[k]);
      force = std::max(force, p_.upper[k]);
      acceleration = std::max({acceleration, std::abs(p_.b[k]), p_.g(i, i) * p_.upper[k]});
    }
    const double whole = force * acceleration;
    if (!(whole > 0.0)) return true;
    for (int i = 0; i < n_; ++i) firm_ = std::max(firm_, 1e-13 * p_.g(i, i));
    // Rounding ends it earlier where contacts hold each other; what was found until then is kept.
    for (double mu = whole; mu > 1e-17 * whole; mu *= 0.1)
      if (!centre(mu)) return mu < 1e-9 * whole;
    return true;
  }

 private:
  // Newton's method for one mu, with steps that stay inside the bounds.
  bool centre(double mu) {
    for (int k = 0; k < 60; ++k) {
      newton(mu);
      double decrement = 0.0;
      for (std::size_t i = 0; i < std::size_t(n_); ++i) decrement += room_.step[i] * room_.down[i];
      if (!std::isfinite(decrement)) return false;
      double length = 1.0;
      while (length > 1e-12 && !inside(length)) length *= 0.5;
      if (decrement > 0.25 * mu) length = std::min(length, 1.0 / (1.0 + std::sqrt(decrement / mu)));
      for (std::size_t i = 0; i < std::size_t(n_); ++i) p_.force[i] += length * room_.step[i];
      if (decrement <= 1e-6 * mu) return true;
    }
    return true;
  }

  bool inside(double length) const {
    const auto at = [&](std::size_t k) { return p_.force[k] + length * room_.step[k]; };
    for (std::size_t k = 0; k < std::size_t(n_); ++k) {
      if (disc_[k]) {
        if (!(std::hypot(at(k), at(k + 1)) < p_.upper[k])) return false;
        ++k;
      } else if (!(at(k) > p_.lower[k] && at(k) < p_.upper[k])) {
        return false;
      }
    }
    return true;
  }

  void newton(double mu) {
    const auto n = std::size_t(n_);
    auto& h = room_.matrix;
    for (std::size_t i = 0; i < n; ++i) {
      room_.down[i] = rest_of(p_, int(i));
      for (std::size_t j = 0; j < n; ++j) h[i * n + j] = p_.g(int(i), int(j));
      h[i * n + i] += firm_;
    }
    for (std::size_t k = 0; k < n; ++k) {
      if (disc_[k]) {
        const double x = p_.force[k], y = p_.force[k + 1];
        const double gap = square(p_.upper[k]) - x * x - y * y;
        const double by = 2.0 * mu / gap, bend = 4.0 * mu / (gap * gap);
        room_.down[k] -= by * x, room_.down[k + 1] -= by * y;
        h[k * n + k] += by + bend * x * x;
        h[(k + 1) * n + k + 1] += by + bend * y * y;
        h[k * n + k + 1] += bend * x * y, h[(k + 1) * n + k] += bend * x * y;
        ++k;
      } else {
        const double above = p_.upper[k] - p_.force[k], below = p_.force[k] - p_.lower[k];
        room_.down[k] -= mu / above - mu / below;
        h[k * n + k] += mu / (above * above) + mu / (below * below);
      }
    }
    room_.step = room_.down;
    factor_lu(h.data(), n);
    solve_lu(h.data(), n, room_.step.data());
  }

  static double square(double x) { return x * x; }

  BoxProblem& p_;
  const std::vector<char>& disc_;
  DiscRoom& room_;
  int n_;
  // Added to the matrix of each step: shares of a force that change nothing move slowly.
  double firm_ = 0.0;
};

// Whether anything accelerates beyond the error of an interior point. A slip that is taken for one
// too early would end at once.
bool surely_slips(BoxProblem& p) {
  constexpr double surely = 3e-8;
  double most = 0.0, whole = 0.0;
  for (int i = 0; i < p.size(); ++i) {
    most = std::max(most, std::abs(p.rest[std::size_t(i)]));
    whole = std::max(whole, p.g(i, i) * p.upper[std::size_t(i)]);
  }
  return most > surely * whole;
}

}  // namespace

bool solve_with_discs(BoxProblem& p, const std::vector<char>& disc, DiscRoom& room) {
  const int n = p.size();
  const bool exact = by_contacts(p, disc);
  if (!exact && !Interior(p, disc, room).solve()) return false;
  for (int i = 0; i < n; ++i) p.rest[std::size_t(i)] = rest_of(p, i);
  if (!exact && !surely_slips(p)) {
    std::fill(p.rest.begin(), p.rest.end(), 0.0);
    return true;
  }
  // Inside its bounds a contact holds, whatever is left by rounding. An interior point is never on
  // its bounds: what counts is whether more is left of the distance or of the acceleration.
  const auto holds = [&](double gap, double left, double limit, double g) {
    return exact ? gap > 1e-12 * limit : std::abs(left) < g * gap;
  };
  for (int i = 0; i < n; ++i) {
    const auto k = std::size_t(i);
    if (disc[k]) {
      const double gap = p.upper[k] - std::hypot(p.force[k], p.force[k + 1]);
      if (holds(gap, std::hypot(p.rest[k], p.rest[k + 1]), p.upper[k], p.g(i, i)))
        p.rest[k] = p.rest[k + 1] = 0.0;
      ++i;
    } else {
      const double gap = std::min(p.upper[k] - p.force[k], p.force[k] - p.lower[k]);
      if (holds(gap, p.rest[k], p.upper[k], p.g(i, i))) p.rest[k] = 0.0;
    }
  }
  return true;
}

}  // namespace bristle::detail
