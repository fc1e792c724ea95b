// SPDX-License-Identifier: MIT
// Machines fitted to records that were made by the adaptive method, with noise added.
#include "bristle/identify/machine_fit.hpp"

#include <gtest/gtest.h>

#include <random>

#include "bristle/machine/parameters.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::machine_fit_test {
namespace {

MachineParts two_mass_drive() {
  MachineParts parts;
  parts.bodies = {{"motor", {.inertia = 2e-4, .motion = Body::rotation}},
                  {"load", {.inertia = 1.1e-3, .motion = Body::rotation}}};
  parts.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{12.0, 2e-3})}};
  parts.contacts = {
      {"bearing", between("motor", "ground"),
       make_law("lugre", {{"stiffness", 40.0},
                          {"damping", 0.02},
                          {"viscous", 1e-3},
                          {"coulomb_force", 0.02},
                          {"static_force", 0.03},
                          {"stribeck_velocity", 0.5}})},
      {"gearbox", between("load", "ground"), make_law("coulomb", {{"coulomb_force", 0.05}})}};
  Signal torque;
  torque.shape = Signal::two_sines;
  torque.amplitude = 0.15, torque.frequency = 6.0;
  torque.second_amplitude = 0.08, torque.second_frequency = 17.3;
  parts.inputs = {{"torque", "motor", torque, {.bias = 0.004, .delay = 3e-3}}};
  return parts;
}

// What an encoder and a torque sensor would have written.
MachineRecord record_of(const MachineParts& truth, double end, double rate, double noise,
                        unsigned seed, double phase) {
  MachineParts parts = truth;
  parts.inputs[0].signal.phase = phase;
  Options o;
  o.end = end, o.samples = std::round(end * rate) + 1.0, o.tolerance = 1e-9;
  const auto run = simulate(Machine(parts), o);
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0.0, noise);
  MachineRecord record;
  record.name = "run " + std::to_string(seed);
  record.time = run["time"];
  const Signal& torque = parts.inputs[0].signal;
  for (const double t : record.time)
    record.inputs["torque"].push_back(torque.value(t, torque.piece(t)));
  record.readings.resize(2);
  for (std::size_t i = 0; i < record.time.size(); ++i) {
    record.readings[0].push_back(run["motor.position"][i] + normal(random));
    record.readings[1].push_back(run["load.position"][i] + normal(random));
  }
  return record;
}

TEST(MachineFit, RecoversInertiaFrictionDelayAndOffsetOfATwoMassDrive) {
  const MachineParts truth = two_mass_drive();
  constexpr double noise = 2e-3;  // an encoder of some 1000 lines
  const std::vector<MachineRecord> runs{record_of(truth, 1.0, 500.0, noise, 1, 0.3)};
  const std::map<std::string, double> want{{"body.load.inertia", 1.1e-3},
                                           {"contact.bearing.coulomb_force", 0.02},
                                           {"contact.gearbox.coulomb_force", 0.05},
                                           {"input.torque.bias", 0.004},
                                           {"input.torque.delay", 3e-3}};
  MachineParts guess = truth;
  set_parameters(guess, {{"body.load.inertia", 1.6e-3},
                         {"contact.bearing.coulomb_force", 0.013},
                         {"contact.gearbox.coulomb_force", 0.035},
                         {"input.torque.bias", 0.0},
                         {"input.torque.delay", 2e-3}});
  MachineFitOptions o;
  o.readings = {{"motor"}, {"load"}};
  for (const auto& [name, value] : want) o.free.push_back(name);
  o.starts = 6, o.refined = 2;
  const MachineFit fit = fit_machine(guess, runs, o);
  EXPECT_TRUE(fit.converged()) << fit.message;
  ASSERT_EQ(fit.parameters.size(), want.size());
  for (const auto& p : fit.parameters) {
    SCOPED_TRACE(p.name + " = " + words(p.value) + " (" + words(p.lower) + " to " + words(p.upper) +
                 ")");
    EXPECT_TRUE(p.determined);
    EXPECT_LT(std::abs(p.value - want.at(p.name)), 3.0 * p.deviation);
    EXPECT_LT(p.upper - p.lower, 0.5 * std::abs(p.value));
  }
  for (const double found : fit.noise) EXPECT_NEAR(found, noise, 0.1 * noise);
  EXPECT_EQ(fit.of("body.load.inertia"), fit.parts.bodies[1].body.inertia);
}

TEST(MachineFit, SaysWhatTheDataDoNotDetermine) {
  // While everything slides one way, a constant force and a bias are the same.
  MachineParts truth = two_mass_drive();
  truth.inputs[0].signal.offset = 1.0;
  truth.bodies[0].body.velocity = truth.bodies[1].body.velocity = 50.0;
  const std::vector<MachineRecord> runs{record_of(truth, 0.3, 500.0, 1e-3, 3, 0.0)};
  MachineFitOptions o;
  o.readings = {{"motor"}, {"load"}};
  o.free = {"contact.gearbox.coulomb_force", "input.torque.bias"};
  o.starts = 0, o.refined = 1;
  const MachineFit fit = fit_machine(truth, runs, o);
  std::string all;
  for (const auto& w : fit.warnings) all += w + "; ";
  EXPECT_TRUE(all.find("nearly the same effect") != all.npos ||
              all.find("do not determine") != all.npos)
      << all;
}

// A rack on its pinion: 24.7 kg with Coulomb, viscous and Stribeck friction, 400 samples of force
// and position. The file of the machine knows none of it: its forces are wrong by forty, its mass
// by 25 in the first case.
TEST(MachineFit, FindsTheMassOfARackFromForcesThatAreWrongByForty) {
  const auto rack = [](double mass, double coulomb, double added, double velocity, double viscous) {
    MachineParts parts;
    parts.bodies = {{"rack", {.inertia = mass}}};
    parts.contacts = {{"guide", between("rack", "ground"),
                       make_law("stribeck", {{"coulomb_force", coulomb},
                                             {"static_force", coulomb + added},
                                             {"stribeck_velocity", velocity},
                                             {"viscous", viscous}})}};
    Signal force;
    force.shape = Signal::two_sines;
    force.amplitude = 130.0, force.frequency = 3.1;
    force.second_amplitude = 60.0, force.second_frequency = 8.2, force.second_phase = 0.7;
    parts.inputs = {{"force", "rack", force}};
    return parts;
  };
  const MachineParts truth = rack(24.7, 42.0, 13.0, 0.02, 160.0);
  MachineRecord run;
  run.name = "rack";
  for (int i = 0; i < 400; ++i) run.time.push_back(0.01 * i);
  for (const double t : run.time)
    run.inputs["force"].push_back(truth.inputs[0].signal.value(t, truth.inputs[0].signal.piece(t)));
  MachineParts measured = truth;
  measured.inputs[0].signal = {};
  measured.inputs[0].signal.shape = Signal::samples;
  measured.inputs[0].signal.curve =
      std::make_shared<const SampledCurve>(run.time, run.inputs["force"]);
  run.readings.resize(1);
  ASSERT_EQ(read_machine(Machine(measured), {{"rack"}}, run.time, 1e-10, run.readings[0]),
            Status::done);
  std::mt19937 engine(7);
  std::normal_distribution<double> noise(0.0, 2e-4);
  for (double& x : run.readings[0]) x += noise(engine);
  MachineFitOptions o;
  o.readings = {{"rack"}};
  o.free = {"body.rack.inertia", "contact.guide.coulomb_force", "contact.guide.static_force",
            "contact.guide.stribeck_velocity", "contact.guide.viscous"};
  for (const double start : {1.0, 10.0}) {
    const MachineFit fit = fit_machine(rack(start, 1.0, 0.5, 0.05, 1.0), {run}, o);
    EXPECT_TRUE(fit.converged()) << fit.message;
    const auto& mass = fit.parameters[0];
    EXPECT_LT(mass.lower, 24.7) << start;
    EXPECT_GT(mass.upper, 24.7) << start;
    EXPECT_LT(mass.upper - mass.lower, 0.2) << start;
    EXPECT_NEAR(fit.of("contact.guide.coulomb_force"), 42.0, 0.2) << start;
    EXPECT_NEAR(fit.noise[0], 2e-4, 2e-5) << start;
  }
}

TEST(MachineFit, RefusesWhatCannotBeFitted) {
  const MachineParts parts = two_mass_drive();
  auto run = record_of(parts, 0.02, 500.0, 1e-3, 4, 0.0);
  MachineFitOptions o;
  o.readings = {{"motor"}, {"load"}};
  const auto message = [&](const MachineFitOptions& options, const MachineRecord& record) {
    try {
      fit_machine(parts, {record}, options);
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message(o, run).find("at least one free parameter"), std::string::npos);
  o.free = {"body.lod.inertia"};
  EXPECT_NE(message(o, run).find("body.load.inertia"), std::string::npos);
  o.free = {"body.load.inertia"};
  auto wrong = run;
  wrong.time[3] = wrong.time[2];
  EXPECT_NE(message(o, wrong).find("time must increase"), std::string::npos);
  wrong = run;
  wrong.inputs["force"] = wrong.inputs["torque"];
  EXPECT_NE(message(o, wrong).find("torque"), std::string::npos);
  wrong = run;
  wrong.readings[1].pop_back();
  EXPECT_NE(message(o, wrong).find("load"), std::string::npos);
}

}  // namespace
}  // namespace bristle::machine_fit_test
