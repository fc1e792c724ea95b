// SPDX-License-Identifier: MIT
// Fixed steps of machines and the derivatives along them.
#include "bristle/solve/rollout.hpp"

#include <gtest/gtest.h>

#include "bristle/machine/parameters.hpp"
#include "bristle/machine/short_forms.hpp"
#include "bristle/solve/machine_run.hpp"
#include "solve/random_machines.hpp"

namespace bristle::rollout_test {
namespace {

using namespace testing_machines;

std::vector<double> instants(double end, int count) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) all.push_back(end * i / (count - 1));
  return all;
}

// A motor and a load on a shaft, with a bearing each, one input with a lag.
MachineParts two_mass_drive(std::shared_ptr<const AnyLaw> motor,
                            std::shared_ptr<const AnyLaw> load) {
  MachineParts parts;
  parts.bodies = {{"motor", {.inertia = 0.2}}, {"load", {.inertia = 1.1}}};
  parts.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{120.0, 0.2})}};
  parts.contacts = {{"front", between("motor", "ground"), std::move(motor)},
                    {"rear", between("load", "ground"), std::move(load)}};
  Signal torque;
  torque.shape = Signal::two_sines;
  torque.amplitude = 6.0, torque.frequency = 3.0;
  torque.second_amplitude = 3.0, torque.second_frequency = 7.3;
  parts.inputs = {{"torque", "motor", torque, {.lag = 0.02}}};
  return parts;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

std::vector<double> read(const MachineParts& parts, double end, int count, double step) {
  Rollout rollout(Machine(parts), {{"motor"}, {"load", true}});
  std::vector<double> values;
  EXPECT_EQ(rollout.run(instants(end, count), step, values), Status::done);
  return values;
}

TEST(Rollout, ErrorFallsWithTheSquareOfTheStepWhileNothingSticks) {
  const auto smooth =
      make_law("lugre", {{"stiffness", 300.0}, {"damping", 5.0}, {"stribeck_velocity", 1.0}});
  const MachineParts parts = two_mass_drive(smooth, smooth);
  Options o;
  o.end = 2.0, o.samples = 41.0, o.tolerance = 1e-12;
  const auto want = simulate(Machine(parts), o);
  ASSERT_TRUE(want.summary.ok()) << want.summary.message;
  std::vector<double> errors;
  for (const double step : {4e-3, 2e-3, 1e-3}) {
    const auto got = read(parts, 2.0, 41, step);
    double most = 0.0;
    for (std::size_t i = 0; i < 41; ++i) {
      most = std::max(most, std::abs(got[2 * i] - want["motor.position"][i]));
      most = std::max(most, std::abs(got[2 * i + 1] - want["load.velocity"][i]));
    }
    errors.push_back(most);
  }
  EXPECT_LT(errors[2], 2e-4);
  // A kink of the bristle where the velocity turns costs a little of the order.
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.3);
}

TEST(Rollout, SetValuedContactsComeToTheSameStickAsTheDefaultMethod) {
  const auto dry = make_law("stribeck", {{"coulomb_force", 1.0}, {"static_force", 1.4}});
  const MachineParts parts = two_mass_drive(dry, make_law("coulomb", {{"coulomb_force", 2.0}}));
  Options o;
  o.end = 4.0, o.samples = 401.0, o.tolerance = 1e-10;
  const auto want = simulate(Machine(parts), o);
  Rollout rollout(Machine(parts), {{"motor"}, {"load", true}});
  std::vector<double> got;
  ASSERT_EQ(rollout.run(instants(4.0, 401), 2e-4, got), Status::done);
  int still = 0;
  double most = 0.0, size = 0.0;
  for (std::size_t i = 0; i < 401; ++i) {
    most = std::max(most, std::abs(got[2 * i] - want["motor.position"][i]));
    size = std::max(size, std::abs(want["motor.position"][i]));
    if (want["rear.mode"][i] == 0.0 && got[2 * i + 1] == 0.0) ++still;
  }
  EXPECT_LT(most, 1e-3 * size);
  EXPECT_GT(still, 20);
}

// Derivatives against central differences of whole rollouts.
void compare_slopes(const MachineParts& parts, const std::vector<std::string>& names,
                    double allowed) {
  const auto times = instants(1.5, 31);
  const std::vector<Reading> readings{{"motor"}, {"load", true}};
  Rollout rollout(Machine(parts), readings, names);
  std::vector<double> values, slopes;
  ASSERT_EQ(rollout.run(times, 1e-3, values, &slopes), Status::done);
  for (std::size_t j = 0; j < names.size(); ++j) {
    double value = 0.0;
    for (const auto& one : parameters_of(parts))
      if (one.field.name == names[j]) value = std::get<double>(one.value);
    const double width = 1e-6 * std::max(std::abs(value), 1e-2);
    std::vector<double> sides[2];
    for (int k : {0, 1}) {
      MachineParts other = parts;
      set_parameters(other, {{names[j], value + (k == 0 ? -width : width)}});
      sides[k] = std::vector<double>();
      Rollout plain(Machine(other), readings);
      ASSERT_EQ(plain.run(times, 1e-3, sides[k]), Status::done);
    }
    double off = 0.0, size = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double want = (sides[1][i] - sides[0][i]) / (2.0 * width);
      size = std::max(size, std::abs(want));
      off = std::max(off, std::abs(slopes[i * names.size() + j] - want));
    }
    EXPECT_GT(size, 0.0) << names[j];
    EXPECT_LT(off, allowed * size) << names[j];
  }
}

TEST(Rollout, DerivativesAreThoseOfTheStepsForEveryLawWithAState) {
  for (const auto& entry : laws()) {
    if (entry.set_valued) continue;
    const std::string& name = entry.description.name;
    const auto law = gentle_law(name);
    if (law->single() && (law->remembers() || law->lift())) continue;
    if (const auto block = law->block(1); !law->single() && (!block || block->pieces())) continue;
    SCOPED_TRACE(name);
    MachineParts parts = two_mass_drive(law, law);
    std::vector<std::string> names{"body.motor.inertia",     "coupling.shaft.stiffness",
                                   "coupling.shaft.damping", "input.torque.gain",
                                   "input.torque.lag",       "body.load.velocity"};
    for (const auto& [key, value] : law->values())
      if (const auto* number = std::get_if<double>(&value);
          number && *number > 0.0 && (key.ends_with("force") || key == "stiffness"))
        names.push_back("contact.front." + key);
    compare_slopes(parts, names, 2e-3);
  }
}

TEST(Rollout, DerivativesHoldThroughStickOfSetValuedContacts) {
  const auto dry = make_law("stribeck", {{"coulomb_force", 1.0}, {"static_force", 1.4}});
  const MachineParts parts = two_mass_drive(dry, make_law("coulomb", {{"coulomb_force", 2.0}}));
  compare_slopes(parts,
                 {"body.motor.inertia", "coupling.shaft.stiffness", "contact.front.coulomb_force",
                  "contact.rear.coulomb_force", "input.torque.bias"},
                 2e-3);
}

TEST(Rollout, RefusesParametersWithoutADerivative) {
  const MachineParts parts = two_mass_drive(gentle_law("lugre"), gentle_law("dahl"));
  const auto refused = [&](const std::string& name) {
    try {
      Rollout rollout(Machine(parts), {{"motor"}}, {name});
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refused("contact.front.stifness").find("contact.front.stiffness"), std::string::npos);
  EXPECT_NE(refused("contact.front.law"), "");
  EXPECT_THROW(Rollout(Machine(parts), {{"moter"}}), InvalidInput);
}

// How far the end of a run at a fixed step is from that of the default method.
double end_error(const MachineParts& parts, double end, double step, const char* column) {
  Options o;
  o.end = end, o.samples = 11.0, o.tolerance = 1e-10;
  const auto want = simulate(Machine(parts), o);
  EXPECT_TRUE(want.summary.ok()) << want.summary.message;
  o.method = Options::coupled;
  o.step = step;
  const auto got = simulate(Machine(parts), o);
  EXPECT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
  return largest_difference(got[column], want[column]);
}

TEST(FixedSteps, EndWhereAControllerSamples) {
  MachineParts parts;
  parts.bodies = {{"axis", {.inertia = 0.5}}};
  parts.contacts = {
      {"rail", between("axis", "ground"), make_law("coulomb", {{"coulomb_force", 0.4}})}};
  Signal reference;
  reference.amplitude = 0.02, reference.frequency = 5.0;
  ControllerPart control{"servo", "axis", "axis", {}, reference};
  control.controller.position_gain = 400.0, control.controller.velocity_gain = 20.0;
  control.controller.integral_gain = 500.0, control.controller.delay = 1.0;
  parts.controllers = {control};
  // Samples at whole milliseconds fall inside of steps of 0.7 ms and at the end of others.
  const double coarse = end_error(parts, 2.0, 7e-4, "axis.position");
  const double fine = end_error(parts, 2.0, 1e-4, "axis.position");
  EXPECT_LT(coarse, 2e-4);
  EXPECT_LT(fine, 0.2 * coarse);
}

TEST(FixedSteps, KnowLawsWithSeveralStatesAndCouplingsWithPieces) {
  MachineParts parts = two_mass_drive(make_law("regularised"), gentle_law("lugre"));
  parts.couplings.push_back({"gap", {"load", "ground"}, find_coupling("backlash").make({})});
  EXPECT_LT(end_error(parts, 1.0, 1e-4, "load.position"), 1e-4);
}

TEST(FixedSteps, RefuseWhatTheyCannotFollow) {
  Options o;
  o.method = Options::coupled;
  const auto message = [&](const char* law) {
    try {
      simulate(Machine(two_mass_drive(make_law(law), gentle_law("lugre"))), o);
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(message("gms").find("cannot follow the bristles of gms at \"front\""),
            std::string::npos);
  EXPECT_NE(message("rotating_bristle").find("use rosenbrock"), std::string::npos);
  EXPECT_EQ(message("dahl"), "");
}

}  // namespace
}  // namespace bristle::rollout_test
