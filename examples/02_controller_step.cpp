// SPDX-License-Identifier: MIT
// Friction at the fixed step of a drive: a millisecond, no allocation, no exception.
#include <bristle/model/frbd.hpp>
#include <bristle/solve/fixed_step.hpp>
#include <cmath>
#include <cstdio>

int main() {
  const double step = 1e-3;
  bristle::FrictionElement friction(bristle::FrBD<>{.stiffness = 1e4, .damping = 64.5}, step);

  // The velocity a drive measures: back and forth, with rests.
  double largest = 0.0;
  for (int i = 0; i < 4000; ++i) {
    const double velocity = 0.02 * std::sin(2.0 * 3.141592653589793 * i * step);
    // force_at() is a trial that changes nothing; its tangent lets an implicit host converge.
    const auto trial = friction.force_at(velocity);
    const double force = friction.advance(velocity);
    if (std::fabs(trial.force - force) > 1e-12) return 1;
    largest = std::fmax(largest, std::fabs(force));
    if (i % 250 == 0)
      std::printf("t = %5.3f s   v = %8.5f m/s   F = %8.5f   dF/dv = %9.3f\n", i * step, velocity,
                  force, trial.tangent);
  }
  std::printf("largest friction force %.4f N\n", largest);
  return largest < 3.0 ? 0 : 1;
}
