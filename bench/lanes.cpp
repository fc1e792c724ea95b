// SPDX-License-Identifier: MIT
// Ensembles of LuGre stick-slip: the scalar loop of 40,000 steps against adaptive runs in lanes.
//
// The problem of stick_slip.hpp with its parameters drawn between 0.9 and 1.1 of their values, over
// 40 s. The error of a run is that of its last position against integrate() at a tolerance of
// 1e-12. Times are those of the processor, the best of several passes.
#include "bristle/ensemble/lanes.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/ensemble/random.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"

namespace {

using namespace bristle;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

template <class F>
double best_time(int passes, const F& f) {
  double best = 1e300;
  for (int k = 0; k < passes; ++k) {
    const double began = processor_seconds();
    f();
    best = std::fmin(best, processor_seconds() - began);
  }
  return best;
}

struct Runs {
  std::vector<std::shared_ptr<const AnyLaw>> laws;
  std::vector<LaneRun> runs;
  std::vector<DraggedMass> bodies;
};
Runs make_runs(int count) {
  Runs all;
  Options options;
  options.end = 40.0;
  for (int i = 0; i < count; ++i) {
    const auto about = [&](double value, std::uint32_t dimension) {
      return value *
             (0.9 + 0.2 * random_uniform(1, RandomStream::draws, std::uint64_t(i), dimension));
    };
    all.laws.push_back(make_law("lugre", {{"stiffness", about(1e5, 0)},
                                          {"damping", about(std::sqrt(1e5), 1)},
                                          {"viscous", about(0.4, 2)},
                                          {"coulomb_force", about(1.0, 3)},
                                          {"static_force", about(1.5, 4)},
                                          {"stribeck_velocity", about(0.001, 5)}}));
    DraggedMass body;
    body.spring = about(2.0, 6), body.drag_velocity = about(0.1, 7);
    all.bodies.push_back(body);
    all.runs.push_back(lane_run(*all.laws.back(), body, options));
  }
  return all;
}

// Strang's splitting: bristle exact at constant velocity, body exact at constant bristle.
double scalar_loop(const LaneRun& r, int steps) {
  const double *p = r.parameters, h = r.end / steps, c = p[1] + p[2];
  const double left = std::exp(-c * h / r.mass);
  double x = 0.0, v = 0.0, z = 0.0;
  for (int i = 0; i < steps; ++i) {
    const double ratio = v / p[5], g = p[3] + (p[4] - p[3]) * std::exp(-ratio * ratio);
    const double decay = p[0] * std::fabs(v) / g;
    const double next =
        decay * h < 1e-8 ? z + h * v : v / decay + (z - v / decay) * std::exp(-decay * h);
    const double middle = 0.5 * (z + next);
    z = next;
    x += 0.5 * h * v;
    const double pull = r.spring * (r.drag_velocity * (i + 0.5) * h - x);
    v = v * left + (pull - (p[0] - p[1] * decay) * middle) / c * (1.0 - left);
    x += 0.5 * h * v;
  }
  return x;
}

// The error below which 99 % of the last positions lie.
double error_99(const std::vector<LaneEnd>& ends, const std::vector<double>& reference) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < ends.size(); ++i)
    errors.push_back(std::fabs(ends[i].state[0] - reference[i]));
  std::sort(errors.begin(), errors.end());
  return errors[errors.size() * 99 / 100];
}

}  // namespace

int main(int argc, char** argv) {
  const bool short_run = argc > 1 && std::strcmp(argv[1], "--short") == 0;
  const int count = short_run ? 64 : 1024, passes = short_run ? 1 : 9;
  Runs all = make_runs(count);
  std::vector<double> reference;
  for (int i = 0; i < count; ++i) {
    Options tight;
    tight.end = 40.0, tight.tolerance = 1e-12, tight.samples = 2.0;
    reference.push_back(simulate(*all.laws[std::size_t(i)], all.bodies[std::size_t(i)], tight)
                            .trajectory.position[1]);
  }
  volatile double sink = 0.0;
  const double scalar = best_time(passes,
                                  [&] {
                                    for (int i = 0; i < 8; ++i)
                                      sink = sink + scalar_loop(all.runs[std::size_t(i)], 40000);
                                  }) /
                        8.0;
  std::printf("scalar loop of 40,000 steps: %.0f us a run\n", 1e6 * scalar);
  std::vector<LaneEnd> ends(all.runs.size());
  const auto sets = lane_sets();
  for (std::size_t set = 0; set < sets.size(); ++set)
    for (const double tolerance : {1e-6, 3e-7, 1e-7}) {
      if (sets[set].name == "no vector instructions" && tolerance != 3e-7) continue;
      for (auto& run : all.runs) run.tolerance = tolerance;
      const double one =
          best_time(set + 1 == sets.size() ? 1 : passes,
                    [&] { run_in_lanes(*all.laws[0], all.runs, ends, nullptr, set); }) /
          count;
      double steps = 0.0;
      for (const auto& e : ends) steps += (e.steps + e.rejected) / count;
      std::printf(
          "%s, %d lanes, tolerance %.0e: %.1f us a run, %.0f steps, 99 %% of errors below "
          "%.1e m, %.1f times the scalar loop\n",
          std::string(sets[set].name).c_str(), sets[set].lanes, tolerance, 1e6 * one, steps,
          error_99(ends, reference), scalar / one);
    }
  // Two threads beside one: what sharing costs in processor time.
  for (auto& run : all.runs) run.tolerance = 3e-7;
  const auto threads = [&](int n) {
    return best_time(passes, [&] {
      in_parallel(16, n, [&](std::uint64_t piece) {
        const std::size_t part = all.runs.size() / 16;
        run_in_lanes(*all.laws[0], std::span(all.runs).subspan(piece * part, part),
                     std::span(ends).subspan(piece * part, part));
      });
    });
  };
  const double one = threads(1), two = threads(2);
  std::printf("processor time on two threads: %.3f of that on one\n", two / one);
  return 0;
}
