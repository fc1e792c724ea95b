// SPDX-License-Identifier: MIT
// A rig over a shaken base: its motion with measured friction, the kind of that motion, and the
// friction found again from what could be measured.
#include <bristle/analysis/indirect_force.hpp>
#include <bristle/analysis/spectrum.hpp>
#include <bristle/system/friction_oscillator.hpp>
#include <cmath>
#include <cstdio>

int main() {
  bristle::FrictionOscillator rig;
  rig.base.amplitude = 0.003;
  rig.base.frequency = 62.83;
  bristle::MeasuredFriction friction;
  friction.roughness = bristle::Roughness{.decay = 100.0, .seed = 7.0};

  const auto run =
      simulate_oscillator(friction, rig, {.end = 3.0, .samples = 6001.0, .record_from = 1.0});
  std::puts(run.message.c_str());

  const double drive[]{rig.base.frequency / 6.283185307179586};
  for (const auto& peak : bristle::spectrum(run.time, run.position, drive).peaks)
    if (!peak.name.empty())
      std::printf("%-6s %8.4f Hz %10.3g m\n", peak.name.c_str(), peak.frequency, peak.amplitude);

  // Position of body and base alone: velocity and acceleration are differentiated.
  const auto found = indirect_force(rig, {run.time, run.position, {}, {}, run.base}, {4.0, 4.0});
  double sum = 0.0;
  for (std::size_t i = 0; i < found.force.size(); ++i)
    sum += std::pow(found.force[i] - run.force[i], 2) / double(found.force.size());
  std::printf("friction from positions: %.2f N off, root mean square\n", std::sqrt(sum));
  return run.ok() ? 0 : 1;
}
