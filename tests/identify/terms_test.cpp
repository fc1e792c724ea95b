// SPDX-License-Identifier: MIT
// Friction, inertia and gravity together, from torque and position.
#include "bristle/identify/terms.hpp"

#include <gtest/gtest.h>

#include "bristle/identify/fit.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "identify/simulated.hpp"

namespace bristle::terms_test {
namespace {

const LuGre<> law{.stiffness = 300.0,
                  .damping = 0.4,
                  .viscous = 0.3,
                  .coulomb_force = 0.8,
                  .static_force = 1.2,
                  .stribeck_velocity = 0.05};

struct Arm {
  double inertia = 0.04, gravity = 1.7, angle = 0.12, offset = 0.15;
};

// Angle and torque of an arm that follows two sines; acceleration and friction in closed form
// and in steps of 1/50 of a sample.
Record swing(const Arm& arm, double noise, unsigned seed, double payload = 0.0,
             double lever = 0.0) {
  constexpr double step = 2e-3;
  constexpr int parts = 50;
  const double a1 = 0.9, w1 = 3.0, a2 = 0.25, w2 = 11.0;
  Record r{.name = "load " + std::to_string(payload)};
  double z = 0.0;
  for (int i = 0; i < 2500; ++i) {
    const double t = i * step;
    for (int k = 0; k < parts && i > 0; ++k) {
      const double u = t - step + (k + 0.5) * step / parts;
      const double v = a1 * w1 * std::cos(w1 * u) + a2 * w2 * std::cos(w2 * u);
      z = advance(law, z, Motion<double>{0.0, v, 1.0, u}, step / parts);
    }
    const double q = a1 * std::sin(w1 * t) + a2 * std::sin(w2 * t);
    const double v = a1 * w1 * std::cos(w1 * t) + a2 * w2 * std::cos(w2 * t);
    const double a = -a1 * w1 * w1 * std::sin(w1 * t) - a2 * w2 * w2 * std::sin(w2 * t);
    r.time.push_back(t), r.position.push_back(q);
    if (payload > 0.0 || lever > 0.0) r.load.push_back(9.80665 * payload);
    const double weight =
        arm.gravity * std::sin(q + arm.angle) + 9.80665 * payload * lever * std::sin(q + arm.angle);
    r.force.push_back((arm.inertia + payload * lever * lever) * a + weight + arm.offset +
                      force(law, z, Motion<double>{0.0, v, 1.0, t}));
  }
  return test::noisy(r, noise, seed);
}

FitOptions torque(bool payload = false) {
  FitOptions o{.offset = true, .starts = 64};
  o.terms = {.inertia = true, .gravity = true, .payload = payload};
  o.units = {"N m", "rad"};
  return o;
}

const FittedParameter& parameter(const FitSummary& f, const std::string& name) {
  for (const auto& p : f.parameters)
    if (p.name == name) return p;
  throw InvalidInput(name, "no such parameter");
}

void expect_within(const FitSummary& f, const std::string& name, double truth, double part) {
  const FittedParameter& p = parameter(f, name);
  EXPECT_NEAR(p.value, truth, part * std::abs(truth)) << name;
  // Three standard deviations: a dozen parameters are looked at.
  EXPECT_LT(std::abs(p.value - truth), 3.0 * p.deviation + 2e-3 * std::abs(truth)) << name;
}

TEST(Terms, OfAnArmAreFoundWithItsFrictionFromTorqueAndAngle) {
  const Arm arm;
  const FitSummary f = fit("lugre", {prepare(swing(arm, 0.02, 7))}, torque());
  ASSERT_TRUE(f.converged()) << f.message;
  expect_within(f, "inertia", arm.inertia, 0.02);
  expect_within(f, "offset", arm.offset, 0.1);
  expect_within(f, "coulomb_force", law.coulomb_force, 0.05);
  expect_within(f, "viscous", law.viscous, 0.05);
  const GravityTerm g = gravity_of(f);
  EXPECT_NEAR(g.torque, arm.gravity, 3.0 * g.torque_deviation);
  EXPECT_NEAR(g.angle, arm.angle, 3.0 * g.angle_deviation);
  EXPECT_LT(g.torque_deviation, 0.02);
  EXPECT_EQ(parameter(f, "inertia").unit, "kg m2");
  EXPECT_NEAR(f.fitted.rmse, 0.02, 0.002);
  // Mechanics with Coulomb friction alone miss the rest of the law.
  EXPECT_GT(f.coulomb.rmse, 2.0 * f.fitted.rmse);
}

TEST(Terms, AreMetAtTheEndsOfARecordToo) {
  const FitSummary f = fit("lugre", {prepare(swing({}, 0.0, 7))}, torque());
  // Half of the acceleration at one of 2500 samples would be 0.6 N m, and 0.012 N m of all.
  EXPECT_LT(f.fitted.rmse, 5e-4);
}

TEST(Terms, OfTwoLoadsShareTheirFriction) {
  const Arm arm;
  const double lever = 0.2;
  const FitSummary f = fit(
      "lugre", {prepare(swing(arm, 0.02, 3, 0.0, lever)), prepare(swing(arm, 0.02, 4, 0.5, lever))},
      torque(true));
  ASSERT_TRUE(f.converged()) << f.message;
  expect_within(f, "inertia", arm.inertia, 0.02);
  expect_within(f, "payload_inertia", lever * lever, 0.05);
  expect_within(f, "payload_sine", lever * std::cos(arm.angle), 0.02);
  expect_within(f, "payload_cosine", lever * std::sin(arm.angle), 0.1);
  expect_within(f, "coulomb_force", law.coulomb_force, 0.05);
}

TEST(Terms, WithADelayOfTheTorqueAreFoundOnceItIsTakenOut) {
  const Record late = delayed(swing({}, 0.0, 1), -0.006);  // the motion is early, the torque late
  const FitSummary f =
      fit("lugre", {prepare(delayed(test::noisy(late, 0.02, 5), 0.006))}, torque());
  expect_within(f, "inertia", Arm{}.inertia, 0.03);
}

TEST(Terms, AreRefusedWhereTheyHaveNoMeaning) {
  const auto said = [](const std::string& name, const FitOptions& o,
                       const Record& r) -> std::string {
    try {
      fit(name, {prepare(r)}, o);
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  const Record r = swing({}, 0.02, 7);
  FitOptions o = torque();
  o.units = {};
  EXPECT_NE(said("lugre", o, r).find("take offset in its place"), std::string::npos);
  o = torque();
  o.terms.viscous = true;
  EXPECT_NE(said("lugre", o, r).find("has a viscous part of its own"), std::string::npos);
  o = torque(true);
  EXPECT_NE(said("lugre", o, swing({}, 0.02, 7, 0.5, 0.2)).find("the same throughout"),
            std::string::npos);
}

}  // namespace
}  // namespace bristle::terms_test
