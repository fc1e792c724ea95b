// SPDX-License-Identifier: MIT
// The cost of one LuGre step at given velocity, in units of one std::exp on the same machine.
//
//   online     as a controller does it, one step after another: the state advanced with the
//              velocity in the middle of the step, then the force, either at that velocity (states
//              half a step off the samples) or at the end of the step (FrictionElement)
//   regimes    the same with speeds that stay in stick, around the Stribeck velocity, and in fast
//              slip, to see how far the worst case is from the mean
//   offline    many independent runs through the lanes of a Pack
//
//   fixed_step [--short]
#include "bristle/solve/fixed_step.hpp"

#include <cstdio>
#include <cstring>
#include <numbers>
#include <vector>

#include "bristle/model/lugre.hpp"
#include "bristle/scalar/pack.hpp"
#include "timing.hpp"

namespace {

using bench::best_seconds;
using bench::Effort;
using bristle::LuGre;
using bristle::Motion;
using bristle::Pack;

constexpr int samples = 4096;
constexpr double step = 1e-3;  // [s]

// Velocities of a servo axis: a slow reciprocating motion with a ripple, through zero every cycle.
std::vector<double> velocities(double amplitude) {
  std::vector<double> v(samples);
  for (int i = 0; i < samples; ++i) {
    const double phase = 2.0 * std::numbers::pi * i / samples;
    v[i] = amplitude * (std::sin(4.0 * phase) + 0.1 * std::sin(61.0 * phase + 0.3));
  }
  return v;
}

double nanoseconds(double seconds) { return 1e9 * seconds / samples; }

// One exp of an array of them, the unit of cost.
template <class Exp>
double exp_cost(const Effort& effort, const Exp& exp) {
  std::vector<double> x(samples), y(samples);
  for (int i = 0; i < samples; ++i) x[i] = -4.0 * i / samples;
  return nanoseconds(best_seconds(
      [&] {
        for (int i = 0; i < samples; ++i) y[i] = exp(x[i]);
        bench::keep(y[0]);
      },
      effort));
}

// State and force over the whole signal, each sample the velocity in the middle of a step. Each
// step needs the state before it.
double middle_cost(const std::vector<double>& v, const Effort& effort) {
  const LuGre<> law;
  std::vector<double> force(samples);
  return nanoseconds(best_seconds(
      [&] {
        double z = 0.0;
        for (int i = 0; i < samples; ++i) {
          const Motion<double> middle{0.0, v[i], 1.0, 0.0};
          const auto now = bristle::take_step(law, z, middle, step);
          z = now.state;
          force[i] = now.force;
        }
        bench::keep(force[0]);
      },
      effort));
}

// The same with the force at the end of the step, where the velocity is that of the sample.
double end_cost(const std::vector<double>& v, const Effort& effort) {
  std::vector<double> force(samples);
  return nanoseconds(best_seconds(
      [&] {
        bristle::FrictionElement<LuGre<>> element(LuGre<>{}, step);
        for (int i = 0; i < samples; ++i) force[i] = element.advance(v[i]);
        bench::keep(force[0]);
      },
      effort));
}

// The same step in every lane, each lane a run of its own; the cost of one sample of one run.
double offline_cost(const std::vector<double>& v, const Effort& effort) {
  constexpr int lanes = int(Pack::size);
  const LuGre<> law;
  std::vector<Pack, xsimd::aligned_allocator<Pack>> velocity(samples), force(samples);
  for (int i = 0; i < samples; ++i) {
    alignas(64) double run[lanes];
    for (int k = 0; k < lanes; ++k) run[k] = v[(i + 97 * k) % samples];
    velocity[i] = Pack::load_aligned(run);
  }
  const double whole = best_seconds(
      [&] {
        Pack z(0.0);
        for (int i = 0; i < samples; ++i) {
          const Motion<Pack> middle{Pack(0.0), velocity[i], Pack(1.0), Pack(0.0)};
          const auto now = bristle::take_step(law, z, middle, Pack(step));
          z = now.state;
          force[i] = now.force;
        }
        bench::keep(force[0]);
      },
      effort);
  return nanoseconds(whole) / lanes;
}

}  // namespace

int main(int count, char** words) {
  const bool brief = count > 1 && std::strcmp(words[1], "--short") == 0;
  const Effort effort = brief ? Effort{3, 0.0} : Effort{50, 1.0};
  const std::vector<double> mixed = velocities(0.02);

  const double unit = exp_cost(effort, [](double x) { return std::exp(x); }),
               online = middle_cost(mixed, effort);
  std::printf("Velocity-driven fixed step, LuGre, %.0f us\n", 1e6 * step);
  std::printf("%-40s %8s %8s\n", "", "[ns]", "[exp]");
  const auto line = [&](const char* name, double cost) {
    std::printf("%-40s %8.2f %8.2f\n", name, cost, cost / unit);
  };
  line("one std::exp", unit);
  line("one bristle::exp", exp_cost(effort, [](double x) { return bristle::exp(x); }));
  line("online, force at the velocity of the step", online);
  line("online, force at the end of the step", end_cost(mixed, effort));
  line("offline, one sample of one run", offline_cost(mixed, effort));

  std::printf(
      "\nBy regime, force at the velocity of the step; the mean is that of the signal above\n");
  std::printf("%-40s %8s %8s\n", "", "[ns]", "/ mean");
  const struct {
    const char* name;
    double amplitude;
  } regimes[] = {{"stick, 1e-5 m/s", 1e-5}, {"Stribeck, 1e-3 m/s", 1e-3}, {"slip, 1 m/s", 1.0}};
  for (const auto& regime : regimes) {
    const double cost = middle_cost(velocities(regime.amplitude), effort);
    std::printf("%-40s %8.2f %8.2f\n", regime.name, cost, cost / online);
  }
}
