// SPDX-License-Identifier: MIT
// A machine of two bodies and two contacts: a motor in a bearing turns a load through an elastic
// shaft that stiffens, a coupling of our own.
#include <bristle/model/coulomb.hpp>
#include <bristle/model/erase.hpp>
#include <bristle/model/lugre.hpp>
#include <bristle/solve/machine_run.hpp>
#include <cmath>
#include <cstdio>

// A shaft that stiffens as it is twisted: torque = stiffness s + hardening s^3, and a damper.
struct HardeningShaft {
  using Number = double;
  static constexpr std::string_view name = "hardening_shaft";
  static constexpr std::string_view summary = "shaft that stiffens as it is twisted";

  double stiffness = 120.0;
  double hardening = 3e7;
  double damping = 0.02;

  static constexpr auto fields() {
    using C = HardeningShaft;
    using F = bristle::Field<C>;
    return std::array{
        F{"stiffness", "N/m", "stiffness at rest", bristle::positive, &C::stiffness},
        F{"hardening", "N/m3", "cubic part", bristle::non_negative, &C::hardening},
        F{"damping", "N s/m", "coefficient of the damper", bristle::non_negative, &C::damping}};
  }
  template <class S>
  S force(const S& s, const S& w, int) const {
    return stiffness * s + hardening * s * s * s + damping * w;
  }
  template <class S>
  S stored(const S& s, int) const {
    return 0.5 * stiffness * s * s + 0.25 * hardening * s * s * s * s;
  }
  template <class S>
  S loss(const S&, const S& w, int) const {
    return damping * w * w;
  }
};

int main() {
  using namespace bristle;
  const LuGre<> bearing{.stiffness = 40.0,
                        .damping = 0.02,
                        .viscous = 0.0,
                        .coulomb_force = 0.02,
                        .static_force = 0.03,
                        .stribeck_velocity = 0.1};
  MachineParts parts;
  parts.bodies = {{"motor", {.inertia = 2e-4, .motion = Body::rotation}},
                  {"load", {.inertia = 1.1e-3, .motion = Body::rotation}}};
  parts.couplings = {{"shaft", {"motor", "load"}, couple(HardeningShaft{})}};
  parts.contacts = {{"bearing", between("motor", "ground"), erase(bearing)},
                    {"guide", between("load", "ground"), erase(Coulomb<>{.coulomb_force = 0.05})}};
  parts.inputs = {{"torque", "motor", {.amplitude = 0.2, .frequency = 3.0}}};

  // The machine is checked as a whole, const, and may be shared by many runs.
  const Machine machine(parts);
  const MachineResult run = simulate(machine, {.end = 4.0, .tolerance = 1e-9, .samples = 401.0});
  std::printf("%s\n", run.summary.message.c_str());
  for (std::size_t i = 0; i < run["time"].size(); i += 50)
    std::printf("t = %3.1f s   motor %9.4f rad   load %9.4f rad   twist %8.5f rad\n",
                run["time"][i], run["motor.position"][i], run["load.position"][i],
                run["motor.position"][i] - run["load.position"][i]);
  for (const MachineEvent& e : run.events)
    if (e.contact == 1)
      std::printf("t = %8.6f s   %s: %s\n", e.time, parts.contacts[1].name.c_str(),
                  std::string(words(e.kind)).c_str());
  return run.summary.ok() && run.summary.ledger.closes && run.events.front().contact == 1 ? 0 : 1;
}
