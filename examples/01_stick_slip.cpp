// SPDX-License-Identifier: MIT
// Stick-slip of a dragged mass with the LuGre law: simulate, look at the cycle, check the ledger.
#include <bristle/analysis/limit_cycle.hpp>
#include <bristle/model/lugre.hpp>
#include <bristle/solve/simulate.hpp>
#include <cstdio>

int main() {
  // A law is an aggregate: name the parameters that differ from their defaults.
  bristle::LuGre<> law{.stiffness = 1e5, .viscous = 0.4};
  bristle::DraggedMass mechanism{.mass = 1.0, .spring = 2.0, .drag_velocity = 0.1};

  const auto run = bristle::simulate(law, mechanism, {.end = 40.0, .tolerance = 1e-9});
  std::printf("%s\n", run.summary.message.c_str());

  // One line per second: the body rests, then jumps.
  for (std::size_t i = 0; i < run.trajectory.size(); i += 50)
    std::printf("t = %5.2f s   x = %7.4f m   v = %8.5f m/s   F = %7.4f N\n", run.trajectory.time[i],
                run.trajectory.position[i], run.trajectory.velocity[i], run.trajectory.force[i]);

  const auto cycle = bristle::find_limit_cycle(run.trajectory);
  std::printf("stick-slip: %s, period %.6f s, at rest %.0f %% of the time\n",
              std::string(bristle::words(cycle.kind)).c_str(), cycle.period,
              100.0 * cycle.stick_fraction);
  return run.summary.ok() && cycle.kind == bristle::StickSlip::exact ? 0 : 1;
}
