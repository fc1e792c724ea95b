// SPDX-License-Identifier: MIT
// A body over a shaken base: its motion with measured friction, the kind of that motion, and the
// friction found again from what could be measured.
#include <bristle/analysis/indirect_force.hpp>
#include <bristle/analysis/spectrum.hpp>
#include <bristle/model/hysteretic_static.hpp>
#include <bristle/solve/simulate.hpp>
#include <cmath>
#include <cstdio>

int main() {
  bristle::BaseExcitedMass body;
  body.signal.amplitude = 0.003;
  body.signal.frequency = 62.83;
  const bristle::HystereticStatic<> friction{
      .roughness = 0.05, .roughness_decay = 100.0, .roughness_seed = 7.0};

  const auto run = simulate(friction, body, {.end = 3.0, .samples = 6001.0, .record_from = 1.0});
  std::puts(run.summary.message.c_str());
  const bristle::Trajectory& t = run.trajectory;

  const double drive[]{body.signal.frequency / 6.283185307179586};
  for (const auto& peak : bristle::spectrum(t.time, t.position, drive).peaks)
    if (!peak.name.empty())
      std::printf("%-6s %8.4f Hz %10.3g m\n", peak.name.c_str(), peak.frequency, peak.amplitude);

  // Position of body and base alone: velocity and acceleration are differentiated.
  const auto found = indirect_force(body, {t.time, t.position, {}, {}, t.input}, {4.0, 4.0});
  double sum = 0.0;
  for (std::size_t i = 0; i < found.force.size(); ++i)
    sum += std::pow(found.force[i] - t.force[i], 2) / double(found.force.size());
  std::printf("friction from positions: %.2f N off, root mean square\n", std::sqrt(sum));
  return run.summary.ok() ? 0 : 1;
}
