// SPDX-License-Identifier: MIT
// Identifies the gear friction of a servo from runs of a pendulum, and tests the result on runs the
// was held out of the fit. The runs are made here from known parameters; for measured ones see
// docs/tasks/servo-pendulum.md.
#include <bristle/identify/machine_fit.hpp>
#include <bristle/machine/parameters.hpp>
#include <bristle/machine/servo.hpp>
#include <bristle/model/registry.hpp>
#include <cmath>
#include <cstdio>

using namespace bristle;

// The motor and the arm, joined by a gear whose friction depends on the torque it carries.
MachineParts pendulum() {
  MachineParts p;
  p.bodies = {{"armature", {.inertia = 0.002, .motion = Body::rotation}},
              {"arm", {.inertia = 0.0049, .motion = Body::rotation}}};
  p.couplings = {{"gear", {"armature", "arm"}, couple(Gear{1.0})},
                 {"weight", {"arm", "ground"}, couple(PendulumWeight{0.48})},
                 {"servo", {"armature", "ground"}, couple(Servo{})}};
  p.contacts = {{"teeth", between("armature", "ground"), make_law("gear_friction", {})}};
  p.contacts[0].load_from = "gear";
  return p;
}

// A sine as the goal, at one of two gains; the pendulum starts as it hangs.
MachineRecord make_run(int i) {
  MachineRecord run;
  run.name = std::to_string(i);
  run.values["coupling.servo.gain"] = i < 2 ? 200.0 : 400.0;
  run.readings.resize(1);
  auto& goal = run.inputs["servo.goal"];
  for (double t = 0.0; t < 3.0; t += 0.01) {
    run.time.push_back(t);
    goal.push_back(1.2 * std::sin((1.5 + 2.0 * (i % 2)) * t));
  }
  MachineParts parts = pendulum();
  set_parameters(parts, run.values);
  Signal signal;
  signal.shape = Signal::samples;
  signal.curve = std::make_shared<const SampledCurve>(run.time, goal);
  parts.couplings[2].signals = {signal};
  Rollout(Machine(parts), {{"arm"}}).run(run.time, 1e-2, run.readings[0]);
  return run;
}

int main() {
  std::vector<MachineRecord> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(make_run(i));

  // From a wrong start back to the parameters that made the runs.
  MachineParts start = pendulum();
  set_parameters(start, {{"contact.teeth.driving", 0.3}});
  MachineFitOptions options;
  options.readings = {{"arm"}};
  options.free = {"contact.teeth.viscous", "contact.teeth.driving", "contact.teeth.driving_rise"};
  options.steps = 1, options.starts = 8, options.refined = 2;
  options.free_start = false;
  const auto fit = fit_machine(start, runs, options);
  std::printf("%s\n", fit.message.c_str());
  for (const auto& p : fit.parameters)
    std::printf("  %-26s %8.4f %s\n", p.name.c_str(), p.value, p.unit.c_str());

  // The runs of each gain as predicted without them.
  double worst = 0.0;
  for (const auto& fold : cross_validate(start, runs, {"200", "200", "400", "400"}, options))
    for (const std::size_t k : fold.held_out) {
      const double error = fold.fit.agreements[k].mean_absolute;
      std::printf("held out: run %s at gain %s, mean error %.6f rad\n", runs[k].name.c_str(),
                  fold.group.c_str(), error);
      worst = std::max(worst, error);
    }
  return fit.converged() && worst < 1e-3 ? 0 : 1;
}
