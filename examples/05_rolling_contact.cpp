// SPDX-License-Identifier: MIT
// A tyre in a vehicle simulation: four contact patches at the step of the vehicle, from 20 m/s down
// to standstill.
#include <bristle/model/erase.hpp>
#include <bristle/model/frbd.hpp>
#include <bristle/system/contact_patch.hpp>
#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const auto law = bristle::erase(bristle::FrBD<>{.stiffness = 252.0,
                                                  .damping = 4.0,
                                                  .viscous = 0.0018,
                                                  .dynamic_coefficient = 0.6,
                                                  .static_coefficient = 1.0,
                                                  .stribeck_velocity = 10.0});
  const double contact_length = 0.1, load = 4000.0, mass = 1600.0, step = 1e-4;
  std::vector<bristle::ContactPatch> tyres(
      4, bristle::ContactPatch(law, {.load = load, .pressure = bristle::PatchShape::exponential}));

  // Wheels braked to roll five percent slower than the vehicle.
  double speed = 20.0, time = 0.0;
  while (time < 6.0) {
    const double slip = 0.05 * speed, wheel = speed - slip;
    double force = 0.0;
    for (auto& tyre : tyres) {
      tyre.advance(step, slip, std::fmax(0.0, wheel) / contact_length);
      force += tyre.force(slip);
    }
    speed -= step * force / mass;
    time += step;
    if (std::fmod(time, 0.5) < step)
      std::printf("t = %4.1f s   v = %7.3f m/s   F = %8.1f N\n", time, speed, force);
  }
  return std::fabs(speed) < 0.1 ? 0 : 1;
}
