// SPDX-License-Identifier: MIT
// A rolling contact after a step of slip: characteristics against first-order upwind cells, at equal
// error of the force.
//
//   patch [--short]
//
// The error is the largest over ten times up to the passage of the front, relative to the steady
// force; the reference is the closed form for constant pressure. Upwind cells take the longest step
// they are stable with, one cell a step, and the exact exponential for the bristles.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "bristle/model/erase.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/system/contact_patch.hpp"
#include "timing.hpp"

namespace {

using namespace bristle;

constexpr double transport = 200.0, slip = 1.0, end = 0.005;
constexpr int looks = 10;

std::shared_ptr<const AnyLaw> tyre() {
  return erase(FrBD<>{.stiffness = 252.0,
                      .damping = 0.0,
                      .viscous = 0.0018,
                      .dynamic_coefficient = 0.2,
                      .static_coefficient = 0.6,
                      .stribeck_velocity = 10.0});
}

// Mean of the deflection behind and ahead of the front, in closed form.
double exact(const ContactPatch::Linear& law, double t) {
  const double c = law.decay / transport, front = std::min(1.0, transport * t);
  const double top = law.drive / law.decay;
  const double behind = front + std::expm1(-c * front) / c;
  return law.slope * top * (behind + (1.0 - front) * -std::expm1(-law.decay * t)) + law.level;
}

double by_characteristics(int points, int steps, double* forces) {
  PatchShape s;
  s.points = points;
  s.transport = transport;
  static const auto law = tyre();
  ContactPatch patch(law, s);
  double last = 0.0;
  for (int i = 1; i <= looks; ++i) {
    for (int k = 0; k < steps; ++k) patch.advance(end / looks / steps, slip);
    last = patch.force(slip);
    if (forces) forces[i - 1] = last;
  }
  return last;
}

double by_upwind(int cells, const ContactPatch::Linear& law, double* forces, double courant) {
  std::vector<double> z(std::size_t(cells), 0.0);
  const double h = courant / (cells * transport);
  const double left = std::exp(-law.decay * h), gain = law.drive / law.decay * (1.0 - left);
  double t = 0.0, last = 0.0;
  for (int i = 1; i <= looks; ++i) {
    for (const double goal = end * i / looks; t < goal - 0.5 * h; t += h) {
      for (std::size_t k = z.size(); k-- > 1;) z[k] += courant * (z[k - 1] - z[k]);
      z[0] -= courant * z[0];
      for (double& one : z) one = one * left + gain;
    }
    double sum = 0.0;
    for (const double one : z) sum += one;
    last = law.slope * sum / cells + law.level;
    if (forces) forces[i - 1] = last;
  }
  return last;
}

double error_of(const double* forces, const ContactPatch::Linear& law) {
  double most = 0.0;
  for (int i = 1; i <= looks; ++i)
    most = std::max(most, std::abs(forces[i - 1] - exact(law, end * i / looks)));
  return most / exact(law, end);
}

}  // namespace

int main(int count, char** words) {
  const bool brief = count > 1 && std::strcmp(words[1], "--short") == 0;
  const bench::Effort effort = brief ? bench::Effort{1, 0.0} : bench::Effort{5, 0.3};
  PatchShape shape;
  shape.transport = transport;
  const auto law = ContactPatch(tyre(), shape).at(slip);
  double forces[looks];
  std::printf("Step of slip on a rolling contact\n%-34s %10s %12s %12s\n", "", "points", "error",
              "[us]");
  double best = 0.0, other = 0.0;
  for (const int points : {12, 16, 25, 50, 200}) {
    by_characteristics(points, 1, forces);
    const double error = error_of(forces, law);
    const double time = bench::best_seconds([&] { by_characteristics(points, 1, nullptr); }, effort);
    std::printf("%-34s %10d %12.1e %12.2f\n", "characteristics", points, error, 1e6 * time);
    if (error <= 1e-4 && best == 0.0) best = time;
  }
  // Half a cell a step: at a whole cell upwind is exact for constant speed, which no varying one is.
  for (const int cells : {100, 1000, 2000, 4000, 8000}) {
    if (brief && cells > 1000) break;
    by_upwind(cells, law, forces, 0.5);
    const double error = error_of(forces, law);
    const double time = bench::best_seconds([&] { by_upwind(cells, law, nullptr, 0.5); }, effort);
    std::printf("%-34s %10d %12.1e %12.0f\n", "upwind, half a cell a step", cells, error, 1e6 * time);
    if (error <= 1e-4 && other == 0.0) other = time;
  }
  if (best > 0.0 && other > 0.0) std::printf("%-34s %35.0f\n", "ratio at 1e-4", other / best);

  // What a vehicle simulation pays for one step of one patch, and for a curve.
  ContactPatch patch(tyre(), shape);
  double total = 0.0;
  const double step = bench::best_seconds(
      [&] {
        for (int i = 0; i < 1000; ++i) {
          patch.advance(1e-4, 1.0 + 1e-3 * i);
          total += patch.force(1.0 + 1e-3 * i);
        }
        bench::keep(total);
      },
      effort);
  const double curve = bench::best_seconds(
      [&] {
        for (int i = 0; i < 1000; ++i) total += patch.steady_force(0.02 * i);
        bench::keep(total);
      },
      effort);
  std::printf("\nOne step of 200 points with its force: %.2f us; a steady curve of 1000 slips: %.3f ms\n",
              1e3 * step, 1e3 * curve);
}
