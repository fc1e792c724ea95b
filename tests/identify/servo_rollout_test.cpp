// SPDX-License-Identifier: MIT
// A gear that carries the load of its own friction, at fixed steps.
#include "bristle/model/coulomb.hpp"
#include "bristle/solve/machine_run.hpp"
#include "close.hpp"
#include "identify/servo_machine.hpp"

namespace bristle::servo_rollout_test {
namespace {

using test::goal_run;
using test::in_run;
using test::loaded_pendulum;
using test::rolled;

// A swing from an angle with the motor off.
MachineRecord swing(double from, double end) {
  MachineRecord run = goal_run(0, 100.0, end);
  std::fill(run.inputs["servo.enabled"].begin(), run.inputs["servo.enabled"].end(), 0.0);
  run.readings[0].front() = from;
  return run;
}

// Without weight the load is what accelerates the arm: W = -I a, and F = coulomb + driving |W|, so
// (armature + I (1 + driving)) a = T - coulomb.
TEST(CarriedLoad, OfAnArmThatIsAcceleratedIsItsInertia) {
  MachineParts p = test::servo_pendulum();
  p.couplings = {p.couplings[0]};
  p.contacts[0].law = make_law("gear_friction", {{"coulomb_torque", 0.01},
                                                 {"viscous", 0.0},
                                                 {"driving", 0.5},
                                                 {"driving_rise", 0.0},
                                                 {"driving_growth", 0.0},
                                                 {"backdriving", 0.0},
                                                 {"backdriving_rise", 0.0}});
  Signal torque;
  torque.shape = Signal::ramp;
  torque.offset = 0.05;
  p.inputs = {{"torque", "armature", torque}};
  Options o;
  o.method = Options::coupled;
  o.step = 1e-3, o.end = 0.5, o.samples = 11;
  const auto run = simulate(Machine(p), o);
  const double a = (0.05 - 0.01) / (0.002 + 0.0049 * 1.5);
  EXPECT_TRUE(test::close(run["arm.position"].back(), 0.5 * a * 0.25, 1e-12));
  EXPECT_TRUE(test::close(run["arm.velocity"].back(), 0.5 * a, 1e-12));
  EXPECT_TRUE(test::close(run["teeth.force"].back(), 0.01 + 0.5 * 0.0049 * a, 1e-12));
}

// A gear of ratio 3: the arm turns a third as far, its inertia and its torque are felt as a ninth
// and a third.
TEST(CarriedLoad, IsFeltThroughTheRatioOfTheGear) {
  const auto turned = [](double ratio, double inertia, double weight) {
    MachineParts p = loaded_pendulum();
    p.bodies[1].body.inertia = inertia;
    p.couplings[0].coupling = couple(Gear{ratio});
    p.couplings[1].coupling = couple(Weight{weight});
    MachineRecord run = goal_run(1, 400.0, 2.0);
    std::vector<double> values;
    Rollout rollout(Machine(in_run(p, run)), {{"armature"}});
    EXPECT_EQ(rollout.run(run.time, 1e-3, values), Status::done);
    return values;
  };
  const auto direct = turned(1.0, 0.004, 0.2), geared = turned(3.0, 0.036, 0.6);
  for (std::size_t k = 0; k < direct.size(); ++k) EXPECT_NEAR(direct[k], geared[k], 1e-10) << k;
}

TEST(CarriedLoad, HoldsTheArmExactlyWhereTheGearDoes) {
  MachineParts p = loaded_pendulum();
  set_parameters(p, {{"contact.teeth.backdriving_rise", 1.5}});  // held at any angle
  for (const double q : rolled(p, swing(0.7, 2.0), 1e-3)) EXPECT_EQ(q, 0.7);
}

TEST(CarriedLoad, AGearThatJamsStopsAtOnce) {
  MachineParts p = loaded_pendulum();
  set_parameters(p, {{"contact.teeth.backdriving", 1.9}});  // loses more than it is given
  MachineRecord run = goal_run(0, 800.0, 3.0);
  auto& goal = run.inputs["servo.goal"];
  for (std::size_t k = 0; k < goal.size(); ++k) goal[k] = run.time[k] < 1.5 ? 0.8 : -0.8;
  for (const double q : rolled(p, run, 1e-3)) EXPECT_TRUE(std::abs(q) < 1.0) << q;
}

// Small swings under Coulomb friction c lose 2 c / (m g l) of their height each half, exactly for a
// spring; sin(q) bends this by q^2 / 6, some 2e-3 at the angles here.
TEST(CarriedLoad, SwingsWithoutLossOfLoadFallByEqualHeights) {
  MachineParts p = test::servo_pendulum();
  p.contacts[0].law = make_law("gear_friction", {{"coulomb_torque", 0.005},
                                                 {"viscous", 0.0},
                                                 {"driving", 0.0},
                                                 {"driving_rise", 0.0},
                                                 {"driving_growth", 0.0},
                                                 {"backdriving", 0.0},
                                                 {"backdriving_rise", 0.0}});
  const double fall = 2.0 * 0.005 / (0.49 * 9.81 * 0.1);
  const auto q = rolled(p, swing(0.1, 4.0), 1e-3);
  std::vector<double> peaks{0.1};
  for (std::size_t k = 1; k + 1 < q.size(); ++k)
    if ((q[k] - q[k - 1]) * (q[k + 1] - q[k]) < 0.0) peaks.push_back(std::abs(q[k]));
  ASSERT_GE(peaks.size(), 4u);
  // Samples 5 ms apart meet a peak to (8.3 rad/s * 2.5 ms)^2 / 2 of its height.
  for (std::size_t i = 1; i + 1 < peaks.size(); ++i)
    EXPECT_NEAR(peaks[i - 1] - peaks[i], fall, 5e-4) << i;
  EXPECT_LE(std::abs(q.back()), 0.5 * fall * 1.01);
  EXPECT_EQ(q.back(), q[q.size() - 50]);
}

TEST(CarriedLoad, IsOfSecondOrderWhileItSlides) {
  const MachineParts p = loaded_pendulum();
  const MachineRecord run = swing(1.2, 0.3);  // to before the first stop
  const double exact = rolled(p, run, 2e-5).back();
  const double coarse = std::abs(rolled(p, run, 5e-3).back() - exact);
  const double fine = std::abs(rolled(p, run, 1.25e-3).back() - exact);
  EXPECT_NEAR(std::log2(coarse / fine) / 2.0, 2.0, 0.3) << coarse << " " << fine;
}

TEST(CarriedLoad, LedgerClosesToTheErrorOfTheStep) {
  const MachineRecord record = goal_run(2, 400.0);
  const Machine machine(in_run(loaded_pendulum(), record));
  const auto closing = [&](double step) {
    Options o;
    o.method = Options::coupled;
    o.step = step, o.end = record.time.back(), o.samples = 101;
    const auto run = simulate(machine, o);
    EXPECT_GT(run["dissipated"].back(), 0.1);
    const auto& stored = run["stored"];
    return std::abs(run["work_in"].back() - run["dissipated"].back() -
                    (stored.back() - stored.front())) /
           run["work_in"].back();
  };
  const double coarse = closing(2e-3), fine = closing(5e-4);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_LT(fine, 0.35 * coarse);
}

TEST(CarriedLoad, DerivativesThroughStopsEqualCentralDifferences) {
  const MachineRecord run = goal_run(1, 400.0);
  const MachineParts parts = in_run(loaded_pendulum(), run);
  const std::vector<std::string> names{
      "body.armature.inertia",         "body.arm.inertia",
      "coupling.weight.weight",        "coupling.weight.tilt",
      "coupling.servo.motor_constant", "contact.teeth.viscous",
      "contact.teeth.driving_rise",    "contact.teeth.driving_growth",
      "contact.teeth.backdriving_rise"};
  std::vector<double> values, exact, sides[2];
  Rollout with(Machine(parts), {{"arm"}}, names);
  ASSERT_EQ(with.run(run.time, 1e-3, values, &exact), Status::done);
  for (std::size_t i = 0; i < names.size(); ++i) {
    double at = 0.0;
    for (const auto& one : parameters_of(parts))
      if (one.field.name == names[i]) at = std::get<double>(one.value);
    const double width = 1e-6 * std::max(std::abs(at), 0.01);
    for (int k = 0; k < 2; ++k) {
      MachineParts other = parts;
      set_parameters(other, {{names[i], at + (k == 0 ? -width : width)}});
      Rollout({Machine(other), {{"arm"}}}).run(run.time, 1e-3, sides[k]);
    }
    double size = 0.0, error = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double slope = exact[k * names.size() + i];
      size = std::max(size, std::abs(slope));
      error = std::max(error, std::abs(slope - (sides[1][k] - sides[0][k]) / (2.0 * width)));
    }
    // Both are differences of width 1e-6, those of the derivatives of the equations alone.
    EXPECT_LT(error, 2e-5 * size) << names[i];
  }
}

TEST(CarriedLoad, RunsAtFixedStepsOnlyAndSaysSo) {
  const Machine machine(loaded_pendulum());
  try {
    simulate(machine, {});
    FAIL() << "the adaptive method ran it";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "solve: the machine has a load that \"gear\" carries at \"teeth\", which runs at "
              "fixed steps only, use method = \"coupled\"");
  }
}

TEST(CarriedLoad, IsRefusedInOneSentenceWhereItIsNotKnown) {
  const auto complaint = [](auto change) -> std::string {
    MachineParts p = loaded_pendulum();
    change(p);
    try {
      Machine machine(p);
    } catch (const InvalidPart& error) {
      EXPECT_EQ(error.list, "contact");
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(complaint([](MachineParts& p) { p.contacts[0].load_from = "gaer"; }),
            "contact: there is no gear 'gaer', did you mean 'gear'? (gears: gear)");
  EXPECT_EQ(complaint([](MachineParts& p) { p.contacts[0].law = make_law("coulomb", {}); }),
            "contact: coulomb cannot take its load from a gear, whose load changes its sign; use "
            "gear_friction");
  EXPECT_EQ(
      complaint([](MachineParts& p) { p.contacts[0].path = between("arm", std::string(ground)); }),
      "contact: \"teeth\" takes its load from \"gear\", so it must be on the first body of "
      "that gear, \"armature\"");
  EXPECT_EQ(
      complaint([](MachineParts& p) {
        p.couplings.push_back({"spring", {"arm", std::string(ground)}, couple(SpringDamper{1.0})});
      }),
      "contact: the spring_damper \"spring\" acts on \"arm\", beyond the gear");
}

}  // namespace
}  // namespace bristle::servo_rollout_test
