// SPDX-License-Identifier: MIT
// A pendulum on a servo as a machine, and runs of it for tests: measured ones, and some made from
// known parameters.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "bristle/identify/machine_fit.hpp"
#include "bristle/machine/parameters.hpp"
#include "bristle/machine/servo.hpp"
#include "bristle/model/registry.hpp"

namespace bristle::test {

// As in data/xl330-pendulum/servo.toml.
inline MachineParts servo_pendulum() {
  MachineParts p;
  p.bodies = {{"armature", {.inertia = 0.002, .motion = Body::rotation}},
              {"arm", {.inertia = 0.0049, .motion = Body::rotation}}};
  p.couplings = {
      {"gear", {"armature", "arm"}, couple(Gear{1.0})},
      {"weight", {"arm", std::string(ground)}, couple(PendulumWeight{0.49 * 9.81 * 0.1, 0.0})},
      {"servo", {"armature", std::string(ground)}, couple(Servo{})}};
  p.contacts = {{"teeth", between("armature", std::string(ground)),
                 make_law("gear_friction", {{"driving", 0.0}, {"backdriving", 0.0}})}};
  p.contacts[0].load_from = "gear";
  return p;
}

// A gear whose friction has all terms.
inline MachineParts loaded_pendulum() {
  MachineParts p = servo_pendulum();
  set_parameters(p, {{"contact.teeth.coulomb_torque", 0.005},
                     {"contact.teeth.coulomb_rise", 0.002},
                     {"contact.teeth.viscous", 0.01},
                     {"contact.teeth.stribeck_velocity", 0.35},
                     {"contact.teeth.driving", 0.05},
                     {"contact.teeth.driving_rise", 0.5},
                     {"contact.teeth.driving_growth", 2.0},
                     {"contact.teeth.backdriving", 0.1},
                     {"contact.teeth.backdriving_rise", 0.4}});
  return p;
}

inline Signal through(const std::vector<double>& times, const std::vector<double>& values) {
  Signal signal;
  signal.shape = Signal::samples;
  signal.curve = std::make_shared<const SampledCurve>(times, values);
  return signal;
}

// A goal that starts, stops and turns, and a motor that goes off near the end.
inline MachineRecord goal_run(int number, double gain, double end = 6.0, double step = 5e-3) {
  MachineRecord run;
  run.name = std::to_string(number);
  run.values["coupling.servo.gain"] = gain;
  run.readings.resize(1);
  for (double t = 0.0; t < end; t += step) {
    run.time.push_back(t);
    run.inputs["servo.goal"].push_back(
        (1.0 + 0.2 * (number % 3)) * std::sin((1.2 + 0.3 * number) * t) + 0.4 * std::sin(3.0 * t));
    run.inputs["servo.enabled"].push_back(t < 0.75 * end ? 1.0 : 0.0);
    run.readings[0].push_back(0.0);
  }
  return run;
}

// The machine in a run, from its first reading on.
inline MachineParts in_run(MachineParts parts, const MachineRecord& run) {
  set_parameters(parts, run.values);
  parts.couplings[2].signals = {through(run.time, run.inputs.at("servo.goal")),
                                through(run.time, run.inputs.at("servo.enabled"))};
  for (auto& body : parts.bodies) body.body.position = run.readings[0].front();
  return parts;
}

inline std::vector<double> rolled(const MachineParts& parts, const MachineRecord& run,
                                  double step) {
  std::vector<double> values;
  Rollout rollout(Machine(in_run(parts, run)), {{"arm"}});
  EXPECT_EQ(rollout.run(run.time, step, values), Status::done);
  return values;
}

// The run as the machine would have it, to the step of an encoder (0: exactly).
inline MachineRecord simulated(MachineRecord run, const MachineParts& parts, double step,
                               double encoder = 0.0) {
  run.readings[0] = rolled(parts, run, step);
  for (double& x : run.readings[0])
    if (encoder > 0.0) x = encoder * std::round(x / encoder);
  return run;
}

using NumberTable = std::vector<std::vector<double>>;  // by column

inline NumberTable read_numbers(const std::string& path,
                                std::vector<std::string>* names = nullptr) {
  std::ifstream in(path);
  EXPECT_TRUE(in.good()) << path;
  NumberTable columns;
  std::string line, cell;
  std::getline(in, line);
  for (std::istringstream head(line); names && std::getline(head, cell, ',');)
    names->push_back(cell);
  while (std::getline(in, line)) {
    std::istringstream row(line);
    for (std::size_t i = 0; std::getline(row, cell, ','); ++i) {
      if (columns.size() <= i) columns.emplace_back();
      columns[i].push_back(std::stod(cell));
    }
  }
  return columns;
}

// The times of a run are counted from its first sample.
inline std::vector<MachineRecord> measured_runs() {
  const auto c = read_numbers(BRISTLE_DATA "/xl330-pendulum/runs.csv");
  std::vector<MachineRecord> runs;
  for (std::size_t i = 0; i < c.at(0).size(); ++i) {
    if (runs.empty() || runs.back().name != words(c[0][i])) {
      runs.emplace_back().name = words(c[0][i]);
      runs.back().values["coupling.servo.gain"] = c[2][i];
      runs.back().readings.resize(1);
    }
    MachineRecord& run = runs.back();
    const double first = run.time.empty() ? c[3][i] : c[3][i - run.time.size()];
    run.time.push_back(c[3][i] - first);
    run.inputs["servo.goal"].push_back(c[4][i]);
    run.inputs["servo.enabled"].push_back(c[10][i]);
    run.readings[0].push_back(c[5][i]);
  }
  return runs;
}

}  // namespace bristle::test
