// SPDX-License-Identifier: MIT
// Rows of bristles: the event-driven solver against the Switch Model, and the cost of one force.
//
//   hysteresis   the map of the discontinuous rotating bristles (thesis Fig. 3.9, half the printed
//                spacing, 0.001 rad/s), three periods, at many tolerances. The error of a run is
//                the larger one of the areas of its last two periods, relative to the mean area of
//                event-driven runs at tolerances from 1e-8 down. These wander by some 1e-5
//                themselves, because the body rings while it creeps: errors below their scatter
//                mean nothing.
//   force        one evaluation of a row of few and of very many bristles
//
//   rows [--short]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <vector>

#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/solve/simulate.hpp"
#include "timing.hpp"

namespace {

using bristle::Options;

bristle::Simulation hysteresis(int method, double tolerance) {
  bristle::Drbm<> law;
  law.body_length = 1.0;
  bristle::WallSpringMass body;
  body.signal.frequency = 0.001;
  Options o;
  o.end = 6000.0 * std::numbers::pi;
  o.samples = 101;
  o.method = method;
  o.tolerance = tolerance;
  return bristle::simulate(law, body, o);
}

// The areas of the second and the third period [J].
std::array<double, 2> areas(const bristle::Simulation& run) {
  const auto& p = run.trajectory.periods;
  if (p.size() < 3) return {NAN, NAN};
  return {p[1].work_in - p[0].work_in, p[2].work_in - p[1].work_in};
}

struct Reference {
  double area = 0.0, scatter = 0.0;  // [J], and the largest difference relative to the area
};
Reference reference() {
  std::vector<double> all;
  for (const double tolerance : {1e-8, 3e-9, 1e-9, 3e-10, 1e-10, 3e-11, 1e-11, 3e-12, 1e-12, 1e-13})
    for (const double area : areas(hysteresis(Options::rosenbrock, tolerance))) all.push_back(area);
  Reference r;
  for (const double area : all) r.area += area / double(all.size());
  for (const double area : all) r.scatter = std::max(r.scatter, std::abs(area / r.area - 1.0));
  return r;
}

struct Point {
  double tolerance, error, seconds;
};
// One method at three tolerances in a decade, from the loosest on.
std::vector<Point> curve(const char* name, int method, const Reference& r, int count,
                         const bench::Effort& effort) {
  std::vector<Point> all;
  for (int i = 0; i < count; ++i) {
    const double tolerance = std::pow(10.0, -3.0 - i / 3.0);
    double error = 0.0;
    for (const double area : areas(hysteresis(method, tolerance)))
      error = std::fmax(error, std::isnan(area) ? INFINITY : std::abs(area / r.area - 1.0));
    const double time = bench::best_seconds([&] { hysteresis(method, tolerance); }, effort);
    all.push_back({tolerance, error, time});
    std::printf("%-34s %10.1e %12.1e %9.2f\n", name, tolerance, error, 1e3 * time);
  }
  return all;
}
// The time for an error: of the loosest run from which on two in succession meet it, since one
// alone may by chance. NaN if there is none.
double seconds_at(const std::vector<Point>& curve, double error) {
  for (std::size_t i = 0; i + 1 < curve.size(); ++i)
    if (curve[i].error <= error && curve[i + 1].error <= error) return curve[i].seconds;
  return NAN;
}

template <class L>
double force_cost(const L& law, const bench::Effort& effort) {
  constexpr int count = 1000;
  std::array<double, count> force{};
  const double whole = bench::best_seconds(
      [&] {
        for (int i = 0; i < count; ++i) {
          const bristle::Motion<double> m{1e-3 * i, 0.1, 1.0, 0.0, 0.3};
          force[i] = law.sliding(m, bristle::Branch<>{1.0, law.cell(0.0, m, 1.0)});
        }
        bench::keep(force[0]);
      },
      effort);
  return 1e9 * whole / count;
}

}  // namespace

int main(int count, char** words) {
  const bool brief = count > 1 && std::strcmp(words[1], "--short") == 0;
  const bench::Effort effort = brief ? bench::Effort{1, 0.0} : bench::Effort{5, 0.1};

  std::printf("Hysteresis map of the discontinuous rotating bristles, three periods\n");
  const Reference r = reference();
  std::printf("area %.6f J, scatter %.1e\n", r.area, r.scatter);
  std::printf("%-34s %10s %12s %9s\n", "", "tolerance", "area error", "[ms]");
  const auto events = curve("event-driven", Options::rosenbrock, r, brief ? 2 : 19, effort);
  const auto smooth =
      curve("Switch Model by CVODE", Options::switch_model, r, brief ? 2 : 16, effort);
  std::printf("\n%-34s %12s %9s %9s\n", "error", "events [ms]", "switch", "ratio");
  for (const double error : {1e-3, 3e-4, 1e-4, 5e-5, 3e-5, 1e-5}) {
    const double a = seconds_at(events, error), b = seconds_at(smooth, error);
    std::printf("%-34.0e %12.2f %9.1f %9.0f\n", error, 1e3 * a, 1e3 * b, b / a);
  }
  std::printf("\n");

  std::printf("One force of a row, [ns]\n%-34s %12s %12s %9s\n", "", "500", "5,000,000", "ratio");
  const auto pair = [&](const char* name, const auto& few, const auto& many) {
    const double a = force_cost(few, effort), b = force_cost(many, effort);
    std::printf("%-34s %12.1f %12.1f %9.2f\n", name, a, b, b / a);
  };
  bristle::CompressedBristle<> few, many;
  few.spacing = few.slant_length() / 500.0;
  many.spacing = many.slant_length() / 5e6;
  pair("compressed, under the slant", few, many);
  bristle::Drbm<> sparse{.height = 0.098}, dense = sparse;
  sparse.spacing = sparse.touch() / 500.0;
  dense.spacing = dense.touch() / 5e6;
  pair("rotating, before the corner", sparse, dense);
}
