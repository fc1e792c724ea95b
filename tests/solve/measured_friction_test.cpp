// SPDX-License-Identifier: MIT
// Friction that knows the acceleration or the past, on mechanisms and machines, against independent
// computations (oracle/hysteretic.py, oracle/seven.py) and other laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/machine/short_forms.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/hysteretic_static.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/seven_parameter.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/run.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::measured_friction_test {
namespace {

using Law = HystereticStatic<>;
constexpr double pi = std::numbers::pi;

BaseExcitedMass shaken(double amplitude, double hertz) {
  BaseExcitedMass b;
  b.signal.amplitude = amplitude;
  b.signal.frequency = 2.0 * pi * hertz;
  return b;
}
BaseExcitedMass shaken_twice(double first, double hertz, double second, double other) {
  BaseExcitedMass b = shaken(first, hertz);
  b.signal.shape = Signal::two_sines;
  b.signal.second_amplitude = second;
  b.signal.second_frequency = 2.0 * pi * other;
  return b;
}
Options between(double from, double end, double samples, double tolerance = 1e-11) {
  Options o{.end = end, .tolerance = tolerance, .samples = samples, .record_from = from};
  o.initial.velocity = 1e-3;
  return o;
}
double most(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }
double least(const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); }
double rms(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double a : x) sum += a * a;
  return std::sqrt(sum / double(x.size()));
}
// The size of a harmonic over the whole record.
double harmonic(const Trajectory& t, double hertz) {
  double c = 0.0, s = 0.0;
  const std::size_t n = t.size() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    c += t.position[i] * std::cos(2.0 * pi * hertz * t.time[i]);
    s += t.position[i] * std::sin(2.0 * pi * hertz * t.time[i]);
  }
  return 2.0 * std::hypot(c, s) / double(n);
}

TEST(MeasuredFriction, UnderAHarmonicBaseMatchesTheReference) {
  const auto run = simulate(Law{}, shaken(0.003, 10.0), between(5.8, 6.0, 20001));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const Trajectory& t = run.trajectory;
  EXPECT_NEAR(most(t.position), 0.004413077, 1e-9);  // oracle: hysteretic.periodic.max_position
  EXPECT_NEAR(most(t.velocity), 0.27783966, 1e-8);   // oracle: hysteretic.periodic.max_velocity
  // oracle: hysteretic.periodic.max_coefficient
  EXPECT_NEAR(most(t.force) / 35.0, 0.33252369, 2e-5);
  // oracle: hysteretic.periodic.work
  EXPECT_NEAR((t.friction_work.back() - t.friction_work.front()) / 2.0, 0.15484996, 1e-7);
  EXPECT_NEAR(harmonic(t, 10.0), 4.4120477e-3, 1e-9);  // oracle: hysteretic.periodic.harmonic_1
  EXPECT_NEAR(harmonic(t, 30.0), 3.33129e-5, 1e-9);    // oracle: hysteretic.periodic.harmonic_3
  int seen = 0;
  for (const auto& e : t.events) {
    if (e.kind != EventKind::slip || e.time < 5.8) continue;
    // oracle: hysteretic.periodic.breakaway_velocity
    EXPECT_NEAR(std::abs(e.velocity), 0.02442228, 1e-8);
    // oracle: hysteretic.periodic.breakaway_coefficient
    EXPECT_NEAR(std::abs(e.force) / 35.0, 0.330629477, 1e-8);
    ++seen;
  }
  EXPECT_EQ(seen, 4);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(MeasuredFriction, AConsistentStartMatchesTheReference) {
  const auto run =
      simulate(Law{.start = Law::consistent}, shaken(0.003, 10.0), between(5.8, 6.0, 20001));
  const Trajectory& t = run.trajectory;
  // oracle: hysteretic.consistent.max_position
  EXPECT_NEAR(most(t.position), 0.0044291065, 2e-9);
  // oracle: hysteretic.consistent.min_position
  EXPECT_NEAR(least(t.position), -0.0044291065, 2e-9);
  const double work = (t.friction_work.back() - t.friction_work.front()) / 2.0;
  EXPECT_NEAR(work, 0.1553331185, 1e-8);  // oracle: hysteretic.consistent.work
  // There is no jump of the force at a reversal.
  for (std::size_t i = 1; i < t.size(); ++i)
    EXPECT_LT(std::abs(t.force[i] - t.force[i - 1]), 0.4) << t.time[i];
}

TEST(MeasuredFriction, UnderTwoFrequenciesMatchesTheReference) {
  const auto two = simulate(Law{}, shaken_twice(0.002, 8.0, 0.001, 16.0), between(5.0, 6.0, 2001));
  ASSERT_TRUE(two.summary.ok()) << two.summary.message;
  // oracle: hysteretic.two.sampled.max_position
  EXPECT_NEAR(most(two.trajectory.position), 0.0024258008, 2e-9);
  // oracle: hysteretic.two.sampled.min_position
  EXPECT_NEAR(least(two.trajectory.position), -0.0046979549, 2e-9);
  // oracle: hysteretic.two.sampled.rms
  EXPECT_NEAR(rms(two.trajectory.position), 2.5965929e-3, 2e-9);
  const auto quasi = simulate(Law{}, shaken_twice(0.002, 8.0, 0.001, 8.0 * std::sqrt(2.0)),
                              between(0.0, 30.0, 60001, 1e-10));
  // oracle: hysteretic.quasi.early.max_position
  EXPECT_NEAR(most(quasi.trajectory.position), 0.0053032331, 2e-9);
  // oracle: hysteretic.quasi.early.rms
  EXPECT_NEAR(rms(quasi.trajectory.position), 2.5700768e-3, 2e-9);
}

TEST(MeasuredFriction, CvodeAgreesWithTheDefaultMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const int kind : {Law::hysteretic, Law::non_reversible, Law::acceleration}) {
    Options o = between(0.0, 0.5, 51, 1e-9);
    const auto one = simulate(Law{.kind = kind}, shaken(0.003, 10.0), o);
    o.method = Options::cvode;
    const auto other = simulate(Law{.kind = kind}, shaken(0.003, 10.0), o);
    ASSERT_TRUE(one.summary.ok() && other.summary.ok()) << kind << ": " << other.summary.message;
    for (std::size_t i = 0; i < one.trajectory.size(); ++i)
      EXPECT_NEAR(other.trajectory.position[i], one.trajectory.position[i], 1e-7)
          << kind << " " << i;
  }
}

// With equal coefficients the family is Coulomb friction, which the engine for one body runs.
TEST(MeasuredFriction, WithEqualCoefficientsIsCoulombFriction) {
  Law law{.kind = Law::non_reversible};
  law.static_coefficient = law.coulomb_coefficient;
  for (const double amplitude : {0.0012, 0.003}) {
    Options o = between(0.0, 1.0, 101, 1e-10);
    o.initial.velocity = 0.0;
    const auto run = simulate(law, shaken(amplitude, 10.0), o);
    const auto other = simulate(Coulomb<>{.coulomb_force = 8.75}, shaken(amplitude, 10.0), o);
    ASSERT_TRUE(run.summary.ok() && other.summary.ok()) << run.summary.message;
    for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
      EXPECT_NEAR(run.trajectory.position[i], other.trajectory.position[i], 1e-8) << i;
      EXPECT_NEAR(run.trajectory.velocity[i], other.trajectory.velocity[i], 1e-6) << i;
      EXPECT_EQ(run.trajectory.mode[i] == 0.0, run.trajectory.velocity[i] == 0.0) << i;
    }
    EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  }
}

// Without rise and delay the seven-parameter model is a spring up to the Coulomb force: Dahl's
// model with the exponent zero.
TEST(MeasuredFriction, SevenParametersWithoutRiseAreAClippedSpring) {
  const SevenParameter law{.stiffness = 1e5, .static_rise = 0.0, .delay = 0.0};
  Options o = between(0.0, 1.0, 101);
  o.initial.velocity = 0.0;
  const auto run = simulate(law, shaken(0.003, 10.0), o);
  const auto other = simulate(Dahl<>{.stiffness = 1e5, .coulomb_force = 8.75, .exponent = 0.0},
                              shaken(0.003, 10.0), o);
  ASSERT_TRUE(run.summary.ok() && other.summary.ok()) << run.summary.message;
  for (std::size_t i = 0; i < run.trajectory.size(); ++i)
    EXPECT_NEAR(run.trajectory.position[i], other.trajectory.position[i], 2e-7) << i;
}

// The delayed model against the method of steps.
TEST(MeasuredFriction, SevenParametersWithDelayMatchTheReference) {
  // oracle: seven.soft.x .v seven.stiff.x .v
  const double rows[][3]{{2e5, -0.00232945074195, -0.22393190024},
                         {1e6, -0.00234057662652, -0.21979593395}};
  for (const auto& [stiffness, x, v] : rows) {
    const auto run = simulate(SevenParameter{.stiffness = stiffness}, shaken(0.003, 10.0),
                              between(0.0, 0.3, 11));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_NEAR(run.trajectory.position.back(), x, 1e-9) << stiffness;
    EXPECT_NEAR(run.trajectory.velocity.back(), v, 1e-8) << stiffness;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
  }
}

TEST(MeasuredFriction, OverAGivenMotionIsTheLawItself) {
  PrescribedMotion motion;
  motion.load = 35.0;
  motion.signal = shaken(0.003, 10.0).signal;
  const Law law;
  Options o{.end = 0.4, .samples = 4001, .record_from = 0.3};
  const auto run = simulate(law, motion, o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  const Trajectory& t = run.trajectory;
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double v = t.velocity[i], a = motion.signal.curvature(t.time[i], 0);
    if (v * a < -1e-6) {
      EXPECT_NEAR(t.force[i], 35.0 * sign(v) * law.kinetic(std::abs(v), a * sign(v), -1.0), 1e-9)
          << i;
    } else if (t.mode[i] != 0.0 && v * a > 1e-6) {
      EXPECT_NEAR(t.force[i], 35.0 * sign(v) * law.kinetic(std::abs(v), a * sign(v), 1.0), 1e-9)
          << i;
    }
  }
}

// A stiff and light rig moves as one degree of freedom does.
TEST(MeasuredFriction, TheRigWithStiffTongueAndPadsIsOneDegreeOfFreedom) {
  const Options o = between(0.9, 1.0, 1001, 1e-9);
  const auto one = simulate(Law{}, shaken(0.003, 10.0), o);
  Rig rig;
  rig.signal = shaken(0.003, 10.0).signal;
  rig.tongue_spring = rig.pad_spring = 1e8;
  rig.tongue_damping = 2000.0;
  const auto run = simulate(Law{}, rig, o);
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_NEAR(most(run.trajectory.position), most(one.trajectory.position),
              0.01 * most(one.trajectory.position));
  EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
}

// The speed is kept exactly while friction can keep it.
TEST(MeasuredFriction, HoldsASpeedExactly) {
  MachineParts parts = parts_of(shaken(0.003, 10.0), erase(Law{.kind = Law::non_reversible}));
  const auto run = simulate(Machine(parts), between(0.0, 0.2, 200001, 1e-9));
  const auto &time = run["time"], &w = run["contact.velocity"];
  double held = 0.0;
  for (std::size_t i = 1; i < time.size(); ++i)
    if (w[i] == w[i - 1] && w[i] != 0.0) held += time[i] - time[i - 1];
  EXPECT_GT(held, 5e-5);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
}

TEST(MeasuredFriction, SmallMotionsDoNotChatter) {
  for (const double amplitude : {0.0006, 0.0008, 0.00095, 0.001, 0.0011}) {
    const auto run = simulate(Law{}, shaken(amplitude, 10.0), between(0.0, 20.0, 2, 1e-7));
    EXPECT_TRUE(run.summary.ok()) << amplitude << ": " << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-5);
  }
}

// Chaos meets every corner of the law: borders of pieces passed at once, or two within a short
// while.
TEST(MeasuredFriction, AChaoticBaseDoesNotChatter) {
  const auto expect_done = [&](double force) {
    BaseExcitedMass b;
    b.signal = Signal{.shape = Signal::duffing, .amplitude = 0.001, .duffing_force = force};
    const Options o = between(0.0, 220.0 * 2.0 * pi / 90.0, 61, 1e-6);
    b.signal.prepare(o.end);
    const auto run = simulate(Law{}, b, o);
    EXPECT_TRUE(run.summary.ok()) << force << ": " << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-4) << force;
  };
  expect_done(1564.5645645645646);
  expect_done(2501.5015015015015);
  for (int i = 0; i < 12; ++i) expect_done(1000.0 + 330.1 * i);
}

TEST(MeasuredFriction, EveryKindRunsOnEveryMechanismAndBase) {
  for (const int shape : {Signal::sine, Signal::two_sines, Signal::duffing}) {
    BaseExcitedMass b = shaken_twice(0.003, 10.0, 0.001, 14.0);
    b.signal.shape = shape;
    if (shape == Signal::duffing) b.signal.amplitude = 0.001;
    b.signal.prepare(0.5);
    Rig rig;
    rig.signal = b.signal;
    PrescribedMotion motion{35.0, b.signal};
    const Options o = between(0.0, 0.5, 51, 1e-7);
    const auto expect_runs = [&](const auto& law) {
      for (const auto& run : {simulate(law, b, o), simulate(law, rig, o)}) {
        EXPECT_TRUE(run.summary.ok()) << shape << ": " << run.summary.message;
        EXPECT_LT(run.summary.ledger.relative_error, 1e-5) << shape;
      }
      Options still = o;
      still.initial = {};
      EXPECT_TRUE(simulate(law, motion, still).summary.ok()) << shape;
      EXPECT_TRUE(
          simulate(law, DraggedMass{.spring = 100.0, .drag_velocity = 0.1, .load = 35.0}, still)
              .summary.ok());
    };
    for (const int kind : {0, 1, 2}) expect_runs(Law{.kind = kind});
    expect_runs(SevenParameter{});
  }
}

TEST(MeasuredFriction, RandomPartsAreSeeded) {
  Law law{.roughness = 0.05,
          .roughness_decay = 100.0,
          .roughness_terms = 200.0,
          .roughness_spacing = 5.0};
  const Options o = between(0.0, 0.3, 31, 1e-8);
  const auto one = simulate(law, shaken(0.003, 10.0), o);
  const auto same = simulate(law, shaken(0.003, 10.0), o);
  law.roughness_seed = 2.0;
  const auto other = simulate(law, shaken(0.003, 10.0), o);
  EXPECT_EQ(one.trajectory.position, same.trajectory.position);
  EXPECT_NE(one.trajectory.position, other.trajectory.position);
}

// Two bodies side by side on one base move as each of them alone, and two contacts that share a
// body as one of twice the load.
TEST(MeasuredFriction, SeveralContactsAreSolvedTogether) {
  const BaseExcitedMass b = shaken(0.003, 10.0);
  const auto law = erase(Law{});
  const Options o = between(0.0, 0.5, 51, 1e-10);
  const auto one = simulate(Machine(parts_of(b, law)), o);
  MachineParts half = parts_of(b, law);
  half.contacts[0].settings.load = 17.5;
  half.contacts.push_back(half.contacts[0]);
  half.contacts[1].name = "other";
  // The stiffness of a yielding contact is its own, so that two of them are twice as stiff.
  const auto soft = erase(Law{.contact_stiffness = 5e5});
  for (auto& contact : half.contacts) contact.law = soft;
  const auto shared = simulate(Machine(half), o);
  ASSERT_TRUE(one.summary.ok() && shared.summary.ok()) << shared.summary.message;
  for (std::size_t i = 0; i < one["time"].size(); ++i)
    EXPECT_NEAR(shared["body.position"][i], one["body.position"][i], 2e-9) << i;
  EXPECT_LT(shared.summary.ledger.relative_error, 1e-8);
}

// Beside a set-valued contact and one of bristles on a second body.
TEST(MeasuredFriction, MixesWithOtherLawsInOneMachine) {
  MachineParts parts = parts_of(shaken(0.003, 10.0), erase(Law{}));
  parts.bodies.push_back({"second", {.inertia = 2.0}});
  parts.couplings.push_back({"link", {"body", "second"}, couple(SpringDamper{2e4, 5.0})});
  parts.contacts.push_back(
      {"dry", bristle::between("second", "base"), erase(Coulomb<>{.coulomb_force = 30.0})});
  parts.contacts.push_back(
      {"bristles", bristle::between("second", "ground"),
       erase(
           LuGre<>{.stiffness = 1e4, .damping = 10.0, .coulomb_force = 1.0, .static_force = 1.5})});
  const auto run = simulate(Machine(parts), between(0.0, 1.0, 1001, 1e-9));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
  bool stuck = false;
  for (std::size_t i = 0; i < run["time"].size(); ++i)
    if (run["dry.mode"][i] == 0.0) {
      stuck = true;
      EXPECT_EQ(run["dry.velocity"][i], 0.0);
    }
  EXPECT_TRUE(stuck);
}

// Without any body that moves there is nothing to push.
TEST(MeasuredFriction, AMachineOfOneGivenMotionRunsWithEveryKindOfLaw) {
  const PrescribedMotion motion{35.0, shaken(0.003, 10.0).signal};
  for (const auto& law : {erase(LuGre<>{}), erase(Law{}), erase(SevenParameter{})}) {
    const auto run = simulate(Machine(parts_of(motion, law)), Options{.end = 0.2});
    EXPECT_TRUE(run.summary.ok()) << law->name() << ": " << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7) << law->name();
  }
}

TEST(MeasuredFriction, NumbersThatAreNotFiniteEndARun) {
  BaseExcitedMass b = shaken(1e-3, 3.0);
  b.spring = 1e308;
  Options o{.end = 0.1};
  o.initial.position = 10.0;
  EXPECT_FALSE(simulate(Law{}, b, o).summary.ok());
}

TEST(MeasuredFriction, ARunThatIsRestoredEndsTheSame) {
  for (const auto& law : {erase(Law{}), erase(SevenParameter{})}) {
    const Machine machine(parts_of(shaken(0.003, 10.0), law));
    bristle::Run run(machine, {.tolerance = 1e-10});
    ASSERT_EQ(run.step(0.2137), Status::done);
    RunSnapshot here;
    run.save(here);
    ASSERT_EQ(run.step(0.3), Status::done);
    const double x = run.position(0), v = run.velocity(0);
    bristle::Run copy(machine, {.tolerance = 1e-10});
    copy.restore(here);
    ASSERT_EQ(copy.step(0.3), Status::done);
    EXPECT_EQ(copy.position(0), x) << law->name();
    EXPECT_EQ(copy.velocity(0), v) << law->name();
  }
}

TEST(MeasuredFriction, RefusesWhatHasNoMeaning) {
  const auto sentence = [](const auto& run) {
    try {
      run();
    } catch (const InvalidInput& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const BaseExcitedMass b = shaken(0.003, 10.0);
  EXPECT_NE(sentence([&] { simulate(Law{.delay = 0.1}, b); }).find("must be greater than"),
            std::string::npos);
  EXPECT_EQ(sentence([&] { simulate(Law{.static_coefficient = 0.1}, b); }),
            "hysteretic_static: static_coefficient = 0.1 must be at least coulomb_coefficient = "
            "0.25");
  Options cvode;
  cvode.method = Options::cvode;
  EXPECT_NE(sentence([&] { simulate(SevenParameter{}, b, cvode); }).find("laws with a delay"),
            std::string::npos);
  Options coupled;
  coupled.method = Options::coupled;
  EXPECT_NE(sentence([&] { simulate(Law{}, b, coupled); }).find("use rosenbrock"),
            std::string::npos);
  MachineParts parts = parts_of(b, erase(Law{}));
  parts.contacts[0].settings.states = {0.0, 0.0};
  EXPECT_NE(sentence([&] { Machine{parts}; }).find("follows from the motion at the start"),
            std::string::npos);
  // Two contacts that are each allowed are too much for one body together.
  MachineParts twice = parts_of(b, erase(Law{.delay = 0.02}));
  EXPECT_EQ(sentence([&] { Machine{twice}; }), "");
  twice.contacts.push_back(twice.contacts[0]);
  twice.contacts[1].name = "other";
  EXPECT_NE(sentence([&] { Machine{twice}; }).find("together with other contacts"),
            std::string::npos);
}

}  // namespace
}  // namespace bristle::measured_friction_test
