// SPDX-License-Identifier: MIT
// Linearisation, passivity and laws made from rheologies.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analysis/linearise.hpp"
#include "bristle/analysis/passivity.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/rheology.hpp"
#include "bristle/solve/simulate.hpp"
#include "close.hpp"

namespace bristle::friction_analysis_test {
namespace {

// With Table II.
TEST(Linearise, FrbdMatchesTheReference) {
  const auto law = erase(FrBD<>{});
  const struct {
    double v, pole, input, direct;
    // oracle: curves.linear.pole_5 .input_gain_5 .direct_gain_5 .pole_10 .input_gain_10
    // .direct_gain_10 .pole_50 .input_gain_50 .direct_gain_50
  } rows[]{{0.005, -29.20389496, -0.1136032657, -7.327410641},
           {0.01, -54.66453217, -0.2008809173, -12.95681917},
           {0.05, -118.2872013, 4.731487232e-4, 0.03051809264}};
  for (const auto& row : rows) {
    const Linearised l = linearise(*law, row.v);
    EXPECT_NEAR(l.pole, row.pole, 1e-8 * std::abs(row.pole));
    EXPECT_NEAR(l.input, row.input, 1e-8);
    EXPECT_NEAR(l.direct, row.direct, 1e-7);
  }
}

TEST(Linearise, TheResponseAtRestIsTheSlopeOfTheSteadyForce) {
  for (const auto& law : {erase(FrBD<>{}), erase(LuGre<>{})})
    for (const double v : {0.003, 0.02, 0.4}) {
      const double h = 1e-6 * v;
      const auto steady = [&](double at) { return law->steady(Motion<double>{0.0, at, 1.0, 0.0}); };
      const double slope = (steady(v + h) - steady(v - h)) / (2.0 * h);
      EXPECT_NEAR(linearise(*law, v).at(0.0).real(), slope, 1e-5 * std::abs(slope) + 1e-6);
      EXPECT_EQ(linearise(*law, v).at(0.0).imag(), 0.0);
    }
}

// A small sine on a constant velocity, simulated, against the gain and the phase.
TEST(Linearise, ASimulatedSmallSineHasTheGainAndThePhase) {
  const double v = 0.02, w = 60.0, small = 1e-5;
  const FrBD<> law;
  const auto expected = linearise(*erase(law), v).at(w);
  PrescribedMotion motion;
  // The velocity is v + small cos(w t).
  motion.signal = Signal{.amplitude = small / w, .frequency = w, .rate = v};
  Options o;
  o.end = 40.0 * 2.0 * M_PI / w;
  o.tolerance = 1e-12;
  o.record_from = o.end - 2.0 * M_PI / w;
  o.samples = 2001;
  o.initial.state = linearise(*erase(law), v).state;
  const auto run = simulate(law, motion, o);
  std::complex<double> sum(0.0);
  const auto& t = run.trajectory;
  for (std::size_t i = 0; i + 1 < t.size(); ++i)
    sum += 2.0 / 2000.0 * t.force[i] * std::exp(std::complex<double>(0.0, -w * t.time[i]));
  EXPECT_NEAR(std::abs(sum / small - expected), 0.0, 1e-4 * std::abs(expected));
}

TEST(Linearise, APatchAtRestHasTheSlopeOfItsSteadyForce) {
  const auto law = erase(FrBD<>{.stiffness = 252.0,
                                .damping = 0.01,
                                .viscous = 0.0018,
                                .dynamic_coefficient = 0.2,
                                .static_coefficient = 0.6,
                                .stribeck_velocity = 10.0});
  for (const int pressure : {PatchShape::constant, PatchShape::parabolic}) {
    PatchShape s;
    s.pressure = pressure;
    const ContactPatch patch(law, s);
    for (const double v : {0.5, 3.0, 8.0}) {
      const double slope = (patch.steady_force(v + 1e-4) - patch.steady_force(v - 1e-4)) / 2e-4;
      EXPECT_NEAR(patch_response(patch, v, 0.0).real(), slope, 2e-6) << v;
    }
    // Fast changes find bristles that cannot follow.
    EXPECT_LT(std::abs(patch_response(patch, 0.5, 1e5)),
              0.1 * std::abs(patch_response(patch, 0.5, 0.0)));
  }
}

TEST(PatchResponse, IsRefusedForThePartialDerivative) {
  const ContactPatch patch(erase(FrBD<>{}), {.derivative = 1});
  EXPECT_THROW(patch_response(patch, 0.5, 1.0), InvalidInput);
}

TEST(Linearise, RefusesRestAndLawsWithoutState) {
  EXPECT_THROW(linearise(*erase(FrBD<>{}), 0.0), InvalidInput);
  EXPECT_THROW(linearise(*erase(Coulomb<>{}), 0.1), InvalidInput);
}

// R III: FrBD with constant stiffness is passive; LuGre with Table II up to 0.0620540 m/s.
TEST(Passivity, OfFrbdIsUnconditional) {
  EXPECT_EQ(certify(*erase(FrBD<>{})).kind, Certificate::always);
  EXPECT_FALSE(certify(*erase(FrBD<>{})).searched);
}

TEST(Passivity, OfTenThousandRandomFrbdNeverFails) {
  test::Random random(11);
  for (int i = 0; i < 10000; ++i) {
    FrBD<> law;
    law.stiffness = random.log_uniform(1.0, 1e8);
    law.damping = random.below(10) == 0 ? 0.0 : random.log_uniform(1e-4, 1e5);
    law.viscous = random.below(5) == 0 ? 0.0 : random.log_uniform(1e-5, 1e3);
    law.dynamic_coefficient = random.log_uniform(1e-2, 1e2);
    law.static_coefficient = law.dynamic_coefficient * random.log_uniform(0.2, 5.0);
    law.stribeck_velocity = random.log_uniform(1e-5, 10.0);
    law.stribeck_exponent = random.uniform(0.3, 4.0);
    law.regularisation = random.below(3) == 0 ? random.log_uniform(1e-12, 1e-2) : 0.0;
    EXPECT_EQ(certify(ErasedLaw<FrBD<>>(law)).kind, Certificate::always) << i;
  }
}

TEST(Passivity, OfLuGreEndsAtItsKnownVelocity) {
  LuGre<> law;
  law.stiffness = 1e4;
  law.damping = 64.5;
  law.viscous = 0.04;
  law.coulomb_force = 1.0;
  law.static_force = 1.5;
  law.stribeck_velocity = 0.01;
  const Certificate c = certify(*erase(law));
  EXPECT_EQ(c.kind, Certificate::below);
  EXPECT_NEAR(c.speed, 0.0620539631, 2e-9);  // oracle: curves.passive.lugre
  // The counterexample gives energy away.
  const auto r = law.respond(c.state, Motion<double>{0.0, c.velocity, 1.0, 0.0},
                             Branch<>{c.velocity < 0.0 ? -1.0 : 1.0, 0.0});
  EXPECT_LT(r.dissipation, 0.0);
  EXPECT_NE(c.words().find("passive for |v| < 0.06205"), std::string::npos) << c.words();
}

// The same with the viscous part in the curve, and where a given state first gives energy away.
TEST(Passivity, OfLuGreDependsOnWhereTheViscousPartSits) {
  LuGre<> law{.stiffness = 1e4, .damping = 64.5, .viscous = 0.04};
  law.stribeck_velocity = 0.01;
  law.viscous_form = 1;
  // oracle: curves.passive.lugre_in_curve
  EXPECT_NEAR(certify(*erase(law)).speed, 0.0621697233, 2e-9);
  law.viscous_form = 0;
  const auto power = [&](double v) {
    return law.respond(1.5e-4, Motion<double>{0.0, v, 1.0, 0.0}, Branch<>{1.0, 0.0}).dissipation;
  };
  EXPECT_GT(power(0.0698540826 - 1e-8), 0.0);  // oracle: curves.passive.lugre_turns
  EXPECT_LT(power(0.0698540826 + 1e-8), 0.0);  // oracle: curves.passive.lugre_turns
  EXPECT_NEAR(power(0.3), -2.2239, 1e-4);
}

TEST(Passivity, OfLuGreWithoutDampingIsUnconditional) {
  EXPECT_EQ(certify(*erase(LuGre<>{.damping = 0.0})).kind, Certificate::always);
  EXPECT_EQ(certify(*erase(Dahl<>{})).kind, Certificate::always);
}

TEST(Passivity, OfAPatchFollowsItsPressure) {
  PatchShape s;
  EXPECT_TRUE(certify(s).shown);
  s.pressure = PatchShape::exponential;
  EXPECT_TRUE(certify(s).shown);
  s.pressure = PatchShape::parabolic;
  EXPECT_FALSE(certify(s).shown);
  s.pressure = PatchShape::constant;
  s.transport_table = {1.0, 1.2};
  EXPECT_FALSE(certify(s).shown);
}

TEST(Rheology, ASpringAndADamperAreFrbd) {
  const Constructed<LinearBristle<>> made;
  const FrBD<> law;
  for (const double v : {-0.3, -0.01, 0.002, 0.5})
    for (const double z : {-1e-4, 0.0, 1.3e-4}) {
      const Motion<double> m{0.0, v, 2.0, 0.0};
      const Branch<> b{v < 0.0 ? -1.0 : 1.0, 0.0};
      EXPECT_NEAR(made.respond(z, m, b).rate, law.respond(z, m, b).rate, 1e-12);
      EXPECT_NEAR(made.respond(z, m, b).force, law.respond(z, m, b).force, 1e-12);
      EXPECT_NEAR(made.respond(z, m, b).dissipation, law.respond(z, m, b).dissipation, 1e-12);
    }
}

template <class R>
void expect_sound() {
  const Constructed<R> made;
  const auto law = erase(made);
  // Steady sliding is the friction curve, whatever the bristle.
  for (const double v : {0.004, 0.1, -0.6}) {
    const Linearised l = linearise(*law, v);
    EXPECT_NEAR(l.force, law->steady(Motion<double>{0.0, v, 1.0, 0.0}), 1e-9) << R::law_name;
    EXPECT_LT(l.pole, 0.0);
  }
  // It runs in a mechanism, and its ledger closes.
  Options o;
  o.end = 20.0;
  const auto run = simulate(made, DraggedMass{.spring = 2.0}, o);
  EXPECT_TRUE(run.summary.ok());
  EXPECT_TRUE(run.summary.ledger.closes) << run.summary.ledger.relative_error;
}

TEST(Rheology, EveryOneSlidesByTheCurveAndClosesItsLedger) {
  expect_sound<LinearBristle<>>();
  expect_sound<HardeningSpring<>>();
  expect_sound<ThinningDamper<>>();
}

// g is made with the damping at rest; a damper that thins takes less than that.
TEST(Rheology, IsPassiveWithALinearDamperButNotWithOneThatThins) {
  EXPECT_EQ(certify(*erase(Constructed<LinearBristle<>>{})).kind, Certificate::always);
  EXPECT_EQ(certify(*erase(Constructed<HardeningSpring<>>{})).kind, Certificate::always);
  const Certificate c = certify(*erase(Constructed<ThinningDamper<>>{}));
  EXPECT_EQ(c.kind, Certificate::below);
  EXPECT_NEAR(c.speed, 0.05, 0.01);
}

// The exact root of (6): a held tip moves the bristle with the body; in steady sliding the first
// step is exact; between them it is off.
TEST(Rheology, TheExactInversionSticksAndAgreesInSteadySliding) {
  const Constructed<LinearBristle<>> law;
  EXPECT_EQ(law.exact_rate(0.0, 1e-4), 1e-4);  // nothing pulls yet
  const auto law2 = erase(law);
  const double v = 0.3, z = linearise(*law2, v).state;
  EXPECT_NEAR(law.exact_rate(z, v), 0.0, 1e-6);
  const double there = 0.9 * z;
  const double first =
      law.respond(there, Motion<double>{0.0, v, 1.0, 0.0}, Branch<>{1.0, 0.0}).rate;
  const double exact = law.exact_rate(there, v);
  EXPECT_GT(exact, 0.0);
  EXPECT_GT(first, 0.0);
  EXPECT_LT(std::abs(first - exact), 0.2 * exact);
  // Both sides balance at the root.
  const double tip = v - exact;
  EXPECT_NEAR(law.bristle.force(exact, there, v), law.coefficient(tip, tip), 1e-9);
}

}  // namespace
}  // namespace bristle::friction_analysis_test
