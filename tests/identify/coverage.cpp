// SPDX-License-Identifier: MIT
// Coverage of the 95 % intervals of fits to records with noise on the position, for five laws, four
// motions, two sampling rates and two sizes of the noise:
//
//   fit_coverage [RECORDS [SEED [LAW [RATE [NOISE [INERTIA]]]]]]
//
// prints a line per law, rate, noise and motion, and one for all motions. 20 records take minutes.
//
//   fit_coverage force [RECORDS [SEED]]
//
// the same for noise of the force, white and coloured, with and without an inertia beside the law.
#include "identify/coverage.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace bristle;
using namespace bristle::test;

struct Asked {
  CoverageOptions options{.records = 20};
  std::string law;
  double rate = 0.0, noise = 0.0;  // 0: all
  double inertia = 0.0;            // beside the law [kg]
};

void print(std::string_view law, const std::string& motion, const Measuring& m, const Coverage& c) {
  std::printf(
      "%-14s %-8s %5.0f Hz %6g m %6.1f %% of %4d intervals, %3d of %3d smoothed, %3d warned:",
      std::string(law).c_str(), motion.c_str(), 1.0 / m.step, m.position_noise, 100.0 * c.part(),
      c.intervals(), c.smoothed, c.records, c.warned);
  for (const auto& [name, count] : c.inside)
    std::printf(" %s %.0f", name.c_str(), 100.0 * count / c.records);
  std::printf("\n");
  std::fflush(stdout);
}

template <class L>
void run(const L& law, const Asked& asked) {
  if (!asked.law.empty() && asked.law != L::name) return;
  for (const double rate : {1000.0, 5000.0})
    for (const double noise : {1e-7, 1e-6}) {
      if (asked.rate > 0.0 && asked.rate != rate) continue;
      if (asked.noise > 0.0 && asked.noise != noise) continue;
      const Measuring m{.duration = rate > 2000.0 ? 3.0 : 6.0,
                        .step = 1.0 / rate,
                        .position_noise = noise,
                        .inertia = asked.inertia};
      Coverage all;
      for (const auto& motion : noisy_motions()) {
        const Coverage c = coverage(law, motion, m, asked.options);
        print(L::name, motion.name, m, c);
        all.add(c);
      }
      print(L::name, "all", m, all);
    }
}

template <class L>
void run_force(const L& law, const CoverageOptions& options) {
  for (const double colour : {0.0, 0.8})
    for (const double inertia : {0.0, 2.0}) {
      const Coverage c = coverage(law, ForceNoise{.colour = colour, .inertia = inertia}, options);
      std::printf("%-14s colour %.1f inertia %g %6.1f %% of %4d intervals:",
                  std::string(L::name).c_str(), colour, inertia, 100.0 * c.part(), c.intervals());
      for (const auto& [name, held] : c.inside)
        std::printf(" %s %.0f", name.c_str(), 100.0 * held / c.records);
      std::printf("\n");
      std::fflush(stdout);
    }
}

int force_noise(int records, unsigned seed) {
  const CoverageOptions options{.records = records, .seed = seed};
  std::apply([&](const auto&... law) { (run_force(law, options), ...); }, covered_laws());
  return 0;
}

}  // namespace

int main(int count, char** words) {
  Asked asked;
  if (count > 1 && std::string(words[1]) == "force")
    return force_noise(count > 2 ? std::atoi(words[2]) : 20,
                       count > 3 ? unsigned(std::atoi(words[3])) : 1u);
  const auto number = [&](int i, double otherwise) {
    return count > i ? std::atof(words[i]) : otherwise;
  };
  asked.options.records = int(number(1, 20)), asked.options.seed = unsigned(number(2, 1));
  if (count > 3 && std::string(words[3]) != "all") asked.law = words[3];
  asked.rate = number(4, 0.0), asked.noise = number(5, 0.0), asked.inertia = number(6, 0.0);
  run(position_lugre, asked);
  run(Dahl<>{.stiffness = 1e5, .coulomb_force = 5.0}, asked);
  run(ElastoPlastic<>{.stiffness = 1e5,
                      .damping = 300.0,
                      .viscous = 10.0,
                      .coulomb_force = 5.0,
                      .static_force = 7.5,
                      .stribeck_velocity = 0.005},
      asked);
  run(
      Stribeck<>{
          .coulomb_force = 5.0, .static_force = 7.5, .stribeck_velocity = 0.005, .viscous = 10.0},
      asked);
  run(FrBD<>{.stiffness = 1e5,
             .damping = 300.0,
             .viscous = 10.0,
             .dynamic_coefficient = 5.0,
             .static_coefficient = 7.5,
             .stribeck_velocity = 0.005},
      asked);
}
