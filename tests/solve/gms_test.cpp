// SPDX-License-Identifier: MIT
// The generalised Maxwell-slip law against rules of elastic-plastic elements and against time
// stepping of every element.
#include "bristle/model/gms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bristle/model/erase_block.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::gms_test {
namespace {

Options until(double end, double samples = 401.0, double tolerance = 1e-10) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
PrescribedMotion swing(double amplitude, double frequency) {
  PrescribedMotion m;
  m.signal.amplitude = amplitude;
  m.signal.frequency = frequency;
  return m;
}

TEST(Gms, WithoutFallIsASumOfElasticPlasticElements) {
  Gms law;
  law.static_force = law.coulomb_force;
  law.viscous = 0.0;
  const double amplitude = 3e-5;  // three of the four elements yield
  const auto run = simulate(*erase(law), swing(amplitude, 1.0), until(4.0 * std::acos(-1.0)));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // Along the first rise from rest, and then by Masing's rule from the last reversal.
  const auto monotone = [&](double x, double limit) {
    double sum = 0.0;
    for (std::size_t i = 0; i < law.share.size(); ++i)
      sum += std::min(law.stiffness[i] * x, limit * law.share[i] * law.coulomb_force);
    return sum;
  };
  const double top = monotone(amplitude, 1.0), quarter = 0.5 * std::acos(-1.0);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    const double t = run.trajectory.time[i], x = run.trajectory.position[i];
    const int turns = int((t + quarter) / (2.0 * quarter));
    double want = monotone(x, 1.0);
    if (turns % 2 == 1) want = top - monotone(amplitude - x, 2.0);
    else if (turns > 0) want = -top + monotone(x + amplitude, 2.0);
    EXPECT_NEAR(run.trajectory.force[i], want, 1e-8) << t;
  }
  EXPECT_LT(run.summary.ledger.relative_error, 1e-9);
}

TEST(Gms, FollowsTimeSteppingOfEveryElement) {
  const Gms law;
  const double amplitude = 2e-4, frequency = 20.0, end = 0.5;
  const auto run = simulate(*erase(law), swing(amplitude, frequency), until(end, 51.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // Small explicit steps with the element rules as they stand in the source.
  const int n = law.states();
  std::vector<double> force(std::size_t(n), 0.0);
  std::vector<char> slips(std::size_t(n), 0);
  const long per_sample = 40'000;
  const double h = end / (50.0 * double(per_sample));
  double before = 0.0, worst = 0.0;
  for (long k = 0; k <= 50 * per_sample; ++k) {
    const double t = h * double(k), v = amplitude * frequency * std::cos(frequency * t);
    if (k % per_sample == 0) {
      double sum = law.viscous * v;
      for (const double f : force) sum += f;
      worst = std::max(worst, std::abs(sum - run.trajectory.force[std::size_t(k / per_sample)]));
    }
    const double g = law.coulomb_force + (law.static_force - law.coulomb_force) *
                                             std::exp(-std::pow(v / law.stribeck_velocity, 2));
    const double way = v < 0.0 ? -1.0 : 1.0;
    for (std::size_t i = 0; i < std::size_t(n); ++i) {
      if (way * before < 0.0) slips[i] = 0;
      if (!slips[i] && way * force[i] >= law.share[i] * g) slips[i] = 1;
      force[i] += h * (slips[i] ? law.attraction * (way * law.share[i] - force[i] / g)
                                : law.stiffness[i] * v);
    }
    before = v;
  }
  EXPECT_LT(worst, 2e-4);
}

TEST(Gms, SlidesAtTheSteadyCurve) {
  const auto law = make_law("gms");
  PrescribedMotion m;
  m.signal.shape = Signal::ramp;
  m.signal.rate = 0.002;
  const auto run = simulate(*law, m, until(1.0));
  EXPECT_NEAR(run.trajectory.force.back(), law->steady({0.0, 0.002, 1.0, 0.0}), 1e-9);
}

TEST(Gms, RunsOnEveryMechanismWithALedgerThatCloses) {
  const auto law = make_law("gms");
  const auto check = [](const Simulation& run) {
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7) << run.summary.message;
    EXPECT_GT(run.summary.counts.events, 5);
  };
  check(simulate(*law, DraggedMass{}, until(20.0, 101.0, 1e-9)));
  WallSpringMass wall;
  wall.signal.amplitude = 3.0;
  check(simulate(*law, wall, until(20.0, 101.0, 1e-9)));
  BaseExcitedMass base;
  base.signal.amplitude = 0.5;
  base.signal.frequency = 3.0;
  check(simulate(*law, base, until(10.0, 101.0, 1e-9)));
  Pendulum pendulum;
  pendulum.signal.amplitude = 3.0;
  check(simulate(*law, pendulum, until(10.0, 101.0, 1e-9)));
}

TEST(Gms, OfOneElementOnADraggedMassStartsAsTheSpring) {
  Gms law;
  law.stiffness = {1e5};
  law.share = {1.0};
  law.viscous = 0.0;
  DraggedMass m;
  const auto run = simulate(*erase(law), m, until(0.2, 201.0));
  // Before the element slips the mass hangs on both springs: x = (k V / K) (t - sin(w t) / w).
  const double both = m.spring + 1e5, w = std::sqrt(both / m.mass);
  for (std::size_t i = 0; i < run.trajectory.size(); ++i) {
    const double t = run.trajectory.time[i];
    EXPECT_NEAR(run.trajectory.position[i],
                m.spring * m.drag_velocity / both * (t - std::sin(w * t) / w), 1e-12);
  }
}

TEST(Gms, IsRefusedWithListsThatDoNotFit) {
  const auto sentence = [](const Values& values) -> std::string {
    try {
      make_law("gms", values);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  using List = std::vector<double>;
  EXPECT_EQ(sentence({{"share", List{0.5, 0.5}}}),
            "gms: share has 2 numbers, it must have as many as stiffness, 4");
  EXPECT_EQ(sentence({{"share", List{0.5, 0.5, 0.25, 0.25}}}),
            "gms: the numbers of share add up to 1.5, they must add up to 1");
  EXPECT_NE(sentence({{"stiffness", List(33, 1.0)}, {"share", List(33, 1.0 / 33)}}), "");
}

TEST(Gms, KeepsItsForceWhileAnotherContactHoldsTheBody) {
  // What is left of the acceleration of a body that is held is rounding, and of any sign.
  for (int k = 0; k < 20; ++k) {
    MachineParts p;
    p.bodies = {{"body", {.inertia = 0.7 + 0.1 * k, .velocity = 0.5}}};
    p.contacts = {{"pad", between("body", "ground"), make_law("coulomb", {{"coulomb_force", 2.0}})},
                  {"seal", between("body", "ground"), make_law("gms")}};
    Signal push;
    push.amplitude = 0.3 + 0.01 * k;
    p.inputs = {{"push", "body", push}};
    const auto run = simulate(Machine(p), until(3.0, 301.0, 1e-8));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    const auto &mode = run["pad.mode"], &force = run["seal.force"];
    ASSERT_EQ(mode.back(), 0.0);
    const auto held = std::size_t(std::find(mode.begin(), mode.end(), 0.0) - mode.begin());
    for (std::size_t i = held; i < force.size(); ++i) EXPECT_EQ(force[i], force[held]) << k;
  }
}

// Bodies that swing on a spring with GMS friction.
MachineParts swinging() {
  Gms law;
  law.stiffness = {220.0, 110.0, 44.0};
  law.share = {0.3, 0.3, 0.4};
  law.attraction = 13.0;  // forces lag far behind the curve
  law.viscous = 0.1;
  law.coulomb_force = 0.55, law.static_force = 0.77, law.stribeck_velocity = 0.2;
  Signal push;
  push.amplitude = 2.8, push.frequency = 2.5;
  MachineParts p;
  p.bodies = {{"body", {.inertia = 1.3}}};
  p.couplings = {{"spring", {"body", "ground"}, couple(SpringDamper{10.8})}};
  p.contacts = {{"pad", between("body", "ground"), erase(law)}};
  p.inputs = {{"push", "body", push}};
  return p;
}

TEST(Gms, SlipsOnWhileAControllerTakesSamplesAndSignalsChangeTheirPieces) {
  const auto plain = simulate(Machine(swinging()), until(4.0, 41.0, 1e-11));
  ASSERT_TRUE(plain.summary.ok()) << plain.summary.message;
  MachineParts p = swinging();
  p.controllers = {{"idle", "body", "body", {.step = 0.01}, {}}};
  Signal still;
  still.shape = Signal::triangle;
  still.amplitude = 0.0, still.frequency = 40.0;
  p.inputs.push_back({"nothing", "body", still});
  const auto sampled = simulate(Machine(p), until(4.0, 41.0, 1e-11));
  ASSERT_TRUE(sampled.summary.ok()) << sampled.summary.message;
  EXPECT_EQ(sampled.events.size(), plain.events.size());
  for (std::size_t i = 0; i < plain["body.position"].size(); ++i) {
    EXPECT_NEAR(sampled["body.position"][i], plain["body.position"][i], 1e-10) << i;
    EXPECT_NEAR(sampled["pad.force"][i], plain["pad.force"][i], 1e-9) << i;
  }
}

TEST(Gms, SlipsMoreWhereTheVelocityOfItsDriveJumps) {
  // The curve falls at the jump: elements that stuck below it are beyond it now, and slip.
  Gms law;
  law.stiffness = {100.0, 50.0}, law.share = {0.5, 0.5};
  law.attraction = 10.0, law.viscous = 0.0, law.stribeck_velocity = 0.2;
  Signal slide;  // 0.1 m/s, then 1 m/s
  slide.frequency = 0.0, slide.phase = 0.5 * std::acos(-1.0);
  slide.amplitude = 0.1, slide.change_time = 0.068, slide.amplitude_after = 1.0;
  MachineParts p;
  p.bodies = {{"body", {.inertia = 1e9}}};
  p.drives = {{"way", slide, {.gives = DriveSettings::velocity}}};
  p.contacts = {{"pad", between("way", "body"), erase(law)}};
  const auto run = simulate(Machine(p), until(0.2, 201.0, 1e-11));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  // Both elements stick at the jump, at 0.68 and 0.34 N, below 0.6947 N; then their share of the
  // curve is 0.5 N. The first one slips from then on, the second one from 0.5 N on.
  for (std::size_t i = 0; i < run["time"].size(); ++i) {
    const double t = run["time"][i], after = t - 0.068;
    const double first = after < 0.0 ? 10.0 * t : 0.5 + 0.18 * std::exp(-10.0 * after);
    const double second = after < 0.0 ? 5.0 * t : std::min(0.34 + 50.0 * after, 0.5);
    EXPECT_NEAR(run["pad.force"][i], first + second, 1e-8) << t;
  }
}

TEST(Gms, IsRefusedByMethodsForOneState) {
  Options o = until(1.0);
  o.method = Options::switch_model;
  EXPECT_THROW(simulate(*make_law("gms"), DraggedMass{}, o), InvalidInput);
}

}  // namespace
}  // namespace bristle::gms_test
