// SPDX-License-Identifier: MIT
#include "bristle/analysis/path_inverse.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/cancel.hpp"

namespace bristle {
namespace {

void lead(const DegradingBoucWen<>& law, double way, double* states) {
  const double sign = way < 0.0 ? -1.0 : 1.0;
  double left = std::abs(way), length = 0.02 * law.yield_force / law.stiffness;
  for (int k = 1; left > 0.0; ++k) {
    const double step = std::min(length, left);
    law.advance(states, sign * step);
    left -= step;
    if (k % 64 == 0) length *= 2.0;
  }
}

}  // namespace

BoucWenInverse::BoucWenInverse(const DegradingBoucWen<>& law) : law_(law) {
  validate(law);
  if (!(law.elastic > 0.0))
    throw InvalidInput(
        "elastic",
        "degrading_bouc_wen: elastic = 0 N/m: beyond the yield force a force belongs "
        "to no single displacement, so the loop has no inverse");
}

BoucWenInverse::Place BoucWenInverse::after(double way) const {
  Place next = now_;
  lead(law_, way, next.states.data());
  next.displacement += way;
  next.force = law_.force(next.states.data(), next.displacement);
  return next;
}

double BoucWenInverse::update(double force) {
  const double scale = std::max({std::abs(force), std::abs(now_.force), law_.yield_force});
  const double missing = force - now_.force;
  if (!std::isfinite(force))
    throw InvalidInput("force", "the force must be finite, it is " + words(force));
  if (!(std::abs(missing) > 1e-14 * scale)) return now_.displacement;
  // The way is at least that of all springs and at most that of the one beside the loop.
  double low = 0.0, high = missing / law_.elastic;
  double below = -missing, above = after(high).force - force;
  while (below * above > 0.0 && std::isfinite(above))
    high *= 2.0, above = after(high).force - force;
  Place found = now_;
  for (int k = 0; k < 200; ++k) {
    stop_if_asked();
    const double part = k % 8 == 7 ? 0.5 : std::clamp(below / (below - above), 1e-6, 1.0 - 1e-6);
    const double way = low + part * (high - low);
    found = after(way);
    const double miss = found.force - force;
    if (std::abs(miss) <= 1e-12 * scale || way == low || way == high) break;
    if (miss * above > 0.0) high = way, above = miss, below *= 0.5;
    else low = way, below = miss, above *= 0.5;
  }
  now_ = found;
  return now_.displacement;
}

std::vector<double> forces_along(const DegradingBoucWen<>& law,
                                 std::span<const double> displacements) {
  std::array<double, 2> states{};
  std::vector<double> forces;
  double before = 0.0;
  for (const double x : displacements) {
    lead(law, x - before, states.data());
    before = x;
    forces.push_back(law.force(states.data(), x));
  }
  return forces;
}

}  // namespace bristle
