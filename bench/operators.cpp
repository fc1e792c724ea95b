// SPDX-License-Identifier: MIT
// A sum of N plays, nanoseconds per sample: the loop over all plays, the stack of turning points,
// and the inverse operator, on a random walk and on a sine.
//
//   operators [--short]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "bristle/model/play_sum.hpp"
#include "timing.hpp"

namespace {

using bristle::PlaySum;
using bristle::PrandtlIshlinskii;

PrandtlIshlinskii plays(int n) {
  PrandtlIshlinskii m;
  for (int i = 0; i < n; ++i) {
    m.thresholds.push_back((i + 1.0) / n);
    m.weights.push_back(0.5 / n * (1.0 + 0.3 * std::sin(37.0 * i)));
  }
  return m;
}

std::vector<double> walk(int count) {
  std::mt19937 random(3);
  std::normal_distribution<double> step(0.0, 0.02);
  std::vector<double> u;
  double x = 0.0;
  for (int i = 0; i < count; ++i) u.push_back(x = 0.999 * x + step(random));
  return u;
}
std::vector<double> sine(int count) {
  std::vector<double> u;
  for (int i = 0; i < count; ++i) u.push_back(1.2 * std::sin(6.283185307179586 * i / 1000.0));
  return u;
}

double cost(PlaySum& sum, const std::vector<double>& u, std::size_t samples,
            const bench::Effort& effort) {
  double total = 0.0;
  const double whole = bench::best_seconds(
      [&] {
        for (std::size_t i = 0; i < samples; ++i) total += sum.update(u[i]);
        bench::keep(total);
      },
      effort);
  return 1e9 * whole / double(samples);
}

}  // namespace

int main(int count, char** words) {
  const bool brief = count > 1 && std::strcmp(words[1], "--short") == 0;
  const bench::Effort effort = brief ? bench::Effort{1, 0.0} : bench::Effort{5, 0.3};
  const auto random = walk(20000), swing = sine(20000);
  std::printf("Sum of N plays, [ns] a sample\n%10s %12s %12s %12s %12s %12s %12s\n", "N",
              "loop, walk", "stack, walk", "chosen", "stack, sine", "inverse", "inv / fwd");
  for (const int n : {10, 100, 1000, 10'000, 100'000, 1'000'000}) {
    if (brief && n > 1000) break;
    const auto model = plays(n), undone = model.inverse();
    PlaySum loop(model, 0.0, {}, PlaySum::Way::loop), stack(model, 0.0, {}, PlaySum::Way::stack);
    PlaySum chosen(model), back(undone);
    const std::size_t few = std::size_t(std::max(20.0, std::min(20000.0, 2e7 / n)));
    const double by_loop = cost(loop, random, few, effort);
    const double by_stack = cost(stack, random, random.size(), effort);
    const double by_choice = cost(chosen, random, random.size(), effort);
    const double on_sine = cost(stack, swing, swing.size(), effort);
    const double inverse = cost(back, random, random.size(), effort);
    std::printf("%10d %12.1f %12.1f %12.1f %12.1f %12.1f %12.2f\n", n, by_loop, by_stack, by_choice,
                on_sine, inverse, inverse / by_choice);
  }
}
