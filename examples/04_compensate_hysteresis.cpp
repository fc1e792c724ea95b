// SPDX-License-Identifier: MIT
// Hysteresis compensation on a controller: the inverse operator in front of the actuator makes the
// chain follow its command, sample by sample, without looking ahead.
#include <bristle/model/play_sum.hpp>
#include <cmath>
#include <cstdio>

int main() {
  // A piezo stage as a sum of plays; fit_plays() finds such a model from measured loops.
  const auto stage = bristle::exponential_plays(0.8, 0.3, 0.5, 0.1, 20);
  bristle::PlaySum actuator(stage);
  bristle::PlaySum inverse(stage.inverse(), actuator.output(),
                           stage.inverse_states(actuator.states()));

  bristle::PlaySum alone(stage);  // the same stage driven without compensation
  double with = 0.0, without = 0.0;
  for (int i = 0; i < 5000; ++i) {
    const double wanted = std::sin(0.01 * i) * (1.0 - 1.5e-4 * i);
    with = std::fmax(with, std::fabs(actuator.update(inverse.update(wanted)) - wanted));
    without = std::fmax(without, std::fabs(alone.update(wanted / 1.9) - wanted));
  }
  std::printf("largest error without compensation %.3f, with it %.1e\n", without, with);
  return with < 1e-12 && without > 0.05 ? 0 : 1;
}
