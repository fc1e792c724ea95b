// SPDX-License-Identifier: MIT
// Identifies the gear friction of a servo from runs of a pendulum, and tests the result on runs the
// fit has not seen. The runs are made here from known parameters; for measured ones see
//   bristle fit data/xl330-pendulum/runs.csv --model gear_friction --mechanism servo_pendulum
#include <bristle/identify/servo_fit.hpp>
#include <bristle/identify/servo_rollout.hpp>
#include <cmath>
#include <cstdio>

using namespace bristle;

// A sine as the goal; the motor goes off for the last second.
ServoRun make_run(int i) {
  ServoRun run;
  run.name = std::to_string(i);
  run.gain = i < 2 ? 200.0 : 400.0;
  run.kind = i / 2;  // runs of one gain are held out together
  for (double t = 0.0; t < 4.0; t += 5e-3) {
    run.time.push_back(t);
    run.goal.push_back(1.2 * std::sin((1.5 + 2.0 * (i % 2)) * t));
    run.position.push_back(0.0);
    run.enabled.push_back(t < 3.0);
  }
  std::vector<double> positions(run.time.size());
  servo_rollout(GearFriction<>{}, ServoPendulum<>{}, run, 1e-3, positions);
  run.position = positions;
  return run;
}

int main() {
  std::vector<ServoRun> runs;
  for (int i = 0; i < 4; ++i) runs.push_back(make_run(i));

  // From a wrong start back to the parameters that made the runs.
  ServoModel<> start;
  start.friction.driving = 0.4;
  const ServoFitOptions options{
      .free = {"viscous", "driving", "driving_rise"}, .starts = 8, .refined = 1, .threads = 2};
  const auto fit = fit_servo(runs, start, options);
  std::printf("%s\n", fit.message.c_str());
  for (const auto& e : fit.estimates)
    std::printf("  %-14s %8.4f %s\n", e.name.c_str(), e.value, e.unit.c_str());

  // The runs of each gain as foretold without them.
  double worst = 0.0;
  for (const auto& fold : cross_validate_servo(runs, start, options))
    for (std::size_t i = 0; i < fold.errors.size(); ++i) {
      const ServoRun& run = runs[fold.held_out[i]];
      std::printf("held out: run %s at gain %.0f, mean error %.1e rad\n", run.name.c_str(),
                  run.gain, fold.errors[i].mean_absolute);
      worst = std::max(worst, fold.errors[i].mean_absolute);
    }
  return fit.converged() && worst < 1e-3 ? 0 : 1;
}
