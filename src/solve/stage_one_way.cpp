// SPDX-License-Identifier: MIT
// A stage whose elements all move in proportion to one velocity, with one set-valued law at most.
//
// With x the change of the velocity of the first element by all forces, r_j = free_j + p_j x, and
//
//   R(x) = x + w sum_j G_0j F_j(r_j) = 0
//
// Where the set-valued law is at rest x is known, and its force follows; otherwise R has its root
// on the side to which that force leaves the interval, where Newton's method looks for it inside a
// bracket.
#include <cmath>
#include <limits>

#include "stage_contacts.hpp"

namespace bristle::detail {

bool StageContacts::solve_one_way(std::span<const double> free, std::span<const double> mobility) {
  const std::size_t n = size();
  const double own = mobility[0];
  if (!(own > 0.0)) return false;
  std::size_t rigid = n;
  for (std::size_t i = 0; i < n; ++i)
    if (elements[i].law && elements[i].law->set_valued()) rigid = i;

  // Forces and slopes at x, all but that of the set-valued law if it rests.
  const auto part = [&](std::size_t j) { return mobility[j] / own; };
  const auto look_at = [&](double x, bool rests, double& rise) {
    double sum = x;
    rise = 1.0;
    for (std::size_t j = 0; j < n; ++j) {
      if (rests && j == rigid) continue;
      const double r = free[j] + part(j) * x;
      take(j, r, ask(j, r, trial_.data() + elements[j].state));
      stuck[j] = 0;
      sum += w_ * mobility[j] * force[j];
      rise += w_ * mobility[j] * part(j) * slope[j];
    }
    return sum;
  };
  double low = -std::numeric_limits<double>::infinity(), high = -low, x = 0.0, rise = 1.0;
  if (rigid < n) {
    const double rest = -free[rigid] / part(rigid);
    const double held = -look_at(rest, true, rise) / (w_ * mobility[rigid]);
    const auto edge = edges(elements[rigid]);
    if (held >= edge.lower && held <= edge.upper) {
      stuck[rigid] = 1;
      trial_[std::size_t(elements[rigid].state)] = 0.0;
      take(rigid, 0.0, {held, std::numeric_limits<double>::infinity()});
      return true;
    }
    if (!std::isfinite(held)) return false;
    // It leaves to the side of the force that would have to hold it.
    ((held > edge.upper) == (part(rigid) > 0.0) ? low : high) = rest;
    x = rest;
  }
  // The other end of the bracket.
  double width = std::abs(x) + std::abs(look_at(rigid < n ? 0.0 : x, false, rise)) + 1e-300;
  const double from = x;
  for (int k = 0; k < 200 && !(std::isfinite(low) && std::isfinite(high)); ++k, width *= 2.0) {
    if (!std::isfinite(high)) {
      if (look_at(from + width, false, rise) >= 0.0) high = from + width;
      else low = from + width;
    }
    if (!std::isfinite(low)) {
      if (look_at(from - width, false, rise) <= 0.0) low = from - width;
      else high = from - width;
    }
  }
  if (!(std::isfinite(low) && std::isfinite(high))) return false;
  x = 0.5 * (low + high);
  bool met = false;  // as well as neighbouring numbers can
  for (int k = 0; k < 200; ++k) {
    const double off = look_at(x, false, rise);
    if (!std::isfinite(off)) return false;
    (off < 0.0 ? low : high) = x;
    double next = x - off / rise;
    if (!(rise > 0.0) || !(next > low && next < high) || k > 60) next = 0.5 * (low + high);
    met = off == 0.0 || next == x || next == low || next == high;
    if (met) break;
    x = next;
  }
  return met && (rigid == n || velocity[rigid] != 0.0);
}

}  // namespace bristle::detail
