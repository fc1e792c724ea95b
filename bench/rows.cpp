// SPDX-License-Identifier: MIT
// Rows of bristles: the event-driven solver against the Switch Model, and the cost of one force.
//
//   hysteresis   the map of the discontinuous rotating bristles (thesis Fig. 3.9, half the printed
//   spacing,
//                0.001 rad/s, some hundred and thirty slips a period), three periods; the error is
//                that of the mean area of the last two against 0.378238 J
//   force        one evaluation of a row of few and of very many bristles
//
//   rows [--short]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <numbers>

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

double area_error(const bristle::Simulation& run) {
  const auto& p = run.trajectory.periods;
  return p.size() < 3 ? NAN : std::abs(0.5 * (p[2].work_in - p[0].work_in) / 0.378238 - 1.0);
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
  const bench::Effort effort = brief ? bench::Effort{1, 0.0} : bench::Effort{5, 0.5};

  std::printf("Hysteresis map of the discontinuous rotating bristles, three periods\n");
  std::printf("%-34s %10s %12s %9s\n", "", "tolerance", "area error", "[ms]");
  const auto line = [&](const char* name, int method, double tolerance) {
    const double error = area_error(hysteresis(method, tolerance));
    const double time = bench::best_seconds([&] { hysteresis(method, tolerance); }, effort);
    std::printf("%-34s %10.0e %12.1e %9.1f\n", name, tolerance, error, 1e3 * time);
    return time;
  };
  std::map<double, double> events, smooth;
  for (const double tolerance : {1e-5, 1e-6, 1e-7})
    events[tolerance] = line("event-driven", Options::rosenbrock, tolerance);
  for (const double tolerance : {1e-4, 1e-5, 1e-6})
    smooth[tolerance] = line("Switch Model by CVODE", Options::switch_model, tolerance);
  std::printf("%-34s %10s %12s %9.1f\n\n", "ratio at 1e-5", "", "", smooth[1e-5] / events[1e-5]);

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
