// SPDX-License-Identifier: MIT
// Distributed bristles against closed forms and the independent numbers of oracle/patch.py.
#include "bristle/system/contact_patch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/dahl.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/system/rolling.hpp"
#include "sundials.hpp"

namespace bristle::contact_patch_test {
namespace {

// Table I of the source; the patch is 0.1 m long, so that LV = 20 m/s is 200 lengths per second.
std::shared_ptr<const AnyLaw> tyre(double damping = 0.0) {
  return erase(FrBD<>{.stiffness = 252.0,
                      .damping = damping,
                      .viscous = 0.0018,
                      .dynamic_coefficient = 0.2,
                      .static_coefficient = 0.6,
                      .stribeck_velocity = 10.0});
}
PatchShape shape(int pressure = PatchShape::constant) {
  PatchShape s;
  s.pressure = pressure;
  return s;
}

const double slips[]{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0};

TEST(ContactPatch, SteadyForcesOfConstantPressureMatchTheReference) {
  // oracle: patch.constant.slip_0_01 .slip_0_02 .slip_0_05 .slip_0_1 .slip_0_2 .slip_0_5 .slip_1
  const double force[]{.110071672, .194085276, .348646915, .452641769,
                       .488466926, .354569569, .240976745};
  const ContactPatch patch(tyre(), shape());
  for (int i = 0; i < 7; ++i) {
    // The patch length is in the stiffness: (34) is written on a patch of length one.
    EXPECT_NEAR(patch.steady_force(20.0 * slips[i]), force[i], 1e-9) << slips[i];
    EXPECT_NEAR(patch.steady_force(-20.0 * slips[i]), -force[i], 1e-9);
  }
}

TEST(ContactPatch, SteadyForcesOfParabolicPressureMatchTheReference) {
  // oracle: patch.parabolic.slip_0_01 .slip_0_02 .slip_0_05 .slip_0_1 .slip_0_2 .slip_0_5 .slip_1
  const double force[]{.111505672, .198779719, .365338591, .481631014,
                       .517625492, .363418374, .243192766};
  const ContactPatch patch(tyre(), shape(PatchShape::parabolic));
  for (int i = 0; i < 7; ++i)
    EXPECT_NEAR(patch.steady_force(20.0 * slips[i]), force[i], 1e-9) << slips[i];
}

TEST(ContactPatch, IsSteadyAfterAStepThatOverflowsTheWayRolled) {
  for (const double transport : {200.0, 1e308})
    for (const double step : {1e12, 1e308}) {
      ContactPatch patch(tyre(), shape());
      patch.advance(step, 0.1, transport);
      EXPECT_NEAR(patch.force(0.1), patch.steady_force(0.1, transport), 1e-6)
          << transport << " " << step;
    }
}

TEST(ContactPatch, AStepOfSlipMatchesTheReference) {
  const double times[]{.0005, .001, .002, .003, .005};
  const struct {
    int pressure;
    double force[5];
    // oracle: patch.step.constant_0_5_ms .constant_1_ms .constant_2_ms .constant_3_ms
    // .constant_5_ms .exponential_0_5_ms .exponential_1_ms .exponential_2_ms .exponential_3_ms
    // .exponential_5_ms .parabolic_0_5_ms .parabolic_1_ms .parabolic_2_ms .parabolic_3_ms
    // .parabolic_5_ms
  } rows[]{{PatchShape::constant, {.108126485, .186503224, .281877284, .326746773, .348646915}},
           {PatchShape::exponential, {.107866680, .185659682, .279649873, .323427932, .344550408}},
           {PatchShape::parabolic, {.112584047, .198973680, .305370792, .350542796, .365338591}}};
  for (const auto& row : rows) {
    PatchShape s = shape(row.pressure);
    s.points = 400;
    ContactPatch patch(tyre(), s);
    double now = 0.0;
    for (int i = 0; i < 5; ++i) {
      for (int k = 0; k < 10; ++k) patch.advance((times[i] - now) / 10.0, 1.0);
      now = times[i];
      EXPECT_NEAR(patch.force(1.0), row.force[i], 1e-9) << row.pressure << " " << now;
    }
  }
}

// The step does not matter for constant slip, and the points converge with order four behind and
// ahead of the front.
TEST(ContactPatch, IsExactInTimeForConstantSlip) {
  ContactPatch once(tyre(), shape()), often(tyre(), shape());
  once.advance(0.0031, 1.0);
  for (int i = 0; i < 310; ++i) often.advance(1e-5, 1.0);
  EXPECT_NEAR(once.force(1.0), often.force(1.0), 1e-12);
}

TEST(ContactPatch, SettlesOnItsSteadyForceWithOrderFour) {
  double before = 0.0;
  for (const double points : {20.0, 40.0, 80.0}) {
    PatchShape s = shape();
    s.points = points;
    ContactPatch patch(tyre(), s);
    for (int i = 0; i < 40; ++i) patch.advance(1.37e-3, 2.0);
    // The largest over many places of the points between the ends.
    double error = 0.0;
    for (int i = 0; i < 50; ++i) {
      patch.advance(1.1e-5, 2.0);
      error = std::max(error, std::abs(patch.force(2.0) - patch.steady_force(2.0)));
    }
    if (before > 0.0) {
      EXPECT_GT(before / error, 12.0) << points;
    }
    before = error;
  }
}

// A jump of the slip in the middle of a run sends a second front.
TEST(ContactPatch, FrontsOfJumpsAreFollowed) {
  const auto run = [](double points, bool marked) {
    PatchShape s = shape(PatchShape::parabolic);
    s.points = points;
    ContactPatch patch(tyre(), s);
    patch.advance(0.0021, 0.4);
    if (marked) patch.mark_front();
    for (int i = 0; i < 7; ++i) patch.advance(0.0003, 3.0);
    return patch.force(3.0);
  };
  const double exact = run(6400, true);
  EXPECT_LT(std::abs(run(200, true) - exact), 1e-8);
  EXPECT_LT(std::abs(run(200, true) - exact), 0.1 * std::abs(run(200, false) - exact));
}

// Also where a front stands a whole number of points before the end, and a point on the end itself.
TEST(ContactPatch, HasAForceWhereverAFrontStands) {
  for (const double points : {100.0, 200.0, 400.0})
    for (const double step : {2.5e-5, 1e-5, 1.37e-5}) {
      PatchShape s = shape();
      s.points = points;
      ContactPatch patch(tyre(0.01), s);
      double before = patch.force(1.0);
      for (int i = 1; i * step < 0.006; ++i) {
        patch.advance(step, 1.0);
        const double now = patch.force(1.0);
        // It rises to the steady force; as a front leaves, the integral of 100 points is good to
        // 4e-5 of the load.
        ASSERT_GE(now, before - 5e-5) << points << " points, step " << step << ", t = " << i * step;
        ASSERT_LE(now, patch.steady_force(1.0) + 5e-5);
        ASSERT_TRUE(std::isfinite(patch.stored()));
        before = now;
      }
    }
}

TEST(ContactPatch, FollowsAVaryingSlipWithOrderTwo) {
  const auto run = [](int steps) {
    PatchShape s = shape();
    s.points = 400;
    ContactPatch patch(tyre(0.01), s);
    const double h = 0.02 / steps;
    for (int i = 0; i < steps; ++i) patch.advance(h, 2.0 + 1.5 * std::sin(300.0 * (i + 0.5) * h));
    return patch.force(2.0 + 1.5 * std::sin(300.0 * 0.02));
  };
  const double exact = run(12800), coarse = run(200) - exact, fine = run(400) - exact;
  EXPECT_NEAR(coarse / fine, 4.0, 0.5);
}

TEST(ContactPatch, StaysPutAtStandstill) {
  ContactPatch patch(tyre(), shape());
  for (int i = 0; i < 100; ++i) patch.advance(1e-4, 1.0);
  const double held = patch.force(0.0);
  for (int i = 0; i < 1000; ++i) patch.advance(1e-2, 0.0, 0.0);
  EXPECT_EQ(patch.force(0.0), held);
}

// With no transport every point is the lumped law.
TEST(ContactPatch, WithoutTransportIsTheLumpedLaw) {
  const auto law = tyre(0.3);
  ContactPatch patch(law, shape(PatchShape::parabolic));
  patch.reset([](double) { return 1e-4; });
  double z = 1e-4;
  for (int i = 0; i < 300; ++i) {
    const double v = 0.2 * std::sin(0.1 * i);
    patch.advance(1e-4, v, 0.0);
    z = law->advance(z, Motion<double>{0.0, v, 1.0, 0.0, 0.0}, 1e-4);
  }
  const double force =
      law->respond(z, Motion<double>{0.0, 0.1, 1.0, 0.0, 0.0}, Branch<>{1.0, 0.0}).force;
  EXPECT_NEAR(patch.force(0.1), force, 1e-3 * std::abs(force));  // z(0) is not 0 here
}

// Varying transport and stiffness against the same patch written out by small pieces.
TEST(ContactPatch, VaryingTransportAndStiffnessSettleOnTheSteadyForce) {
  PatchShape s = shape(PatchShape::hertz);
  s.transport_table = {0.8, 1.0, 1.3};
  s.stiffness_table = {1.0, 0.7};
  s.points = 400;
  ContactPatch patch(tyre(), s);
  for (int i = 0; i < 800; ++i) patch.advance(2.5e-5, 2.0);
  EXPECT_NEAR(patch.force(2.0), patch.steady_force(2.0), 2e-5);
}

TEST(ContactPatch, SlipThatVariesAlongThePatchIsTheSameWhereItDoesNot) {
  ContactPatch one(tyre(), shape()), other(tyre(), shape());
  for (int i = 0; i < 30; ++i) {
    one.advance(1e-4, 1.5);
    other.advance_along(
        1e-4, [](double) { return 1.5; }, 200.0);
  }
  EXPECT_NEAR(one.force(1.5), other.force(1.5), 1e-12);
}

// Passive: with a pressure that does not rise along the patch the stored energy grows by no more
// than the work done; a parabolic pressure is not covered by the condition.
TEST(ContactPatch, StoresNoMoreThanTheWorkDone) {
  for (const int pressure : {PatchShape::constant, PatchShape::exponential}) {
    ContactPatch patch(tyre(0.02), shape(pressure));
    double work = 0.0, stored = 0.0;
    for (int i = 0; i < 4000; ++i) {
      const double v = 3.0 * std::sin(0.02 * i) + std::sin(0.33 * i);
      patch.advance(2e-5, v);
      work += 2e-5 * v * patch.force(v);
      const double now = patch.stored();
      EXPECT_GE(work, now - 1e-6) << i;
      stored = now;
    }
    EXPECT_GT(work, stored);
  }
}

TEST(ContactPatch, ThePartialDerivativeGivesAnotherForce) {
  PatchShape s = shape();
  s.derivative = 1;
  ContactPatch total(tyre(0.02), shape()), partial(tyre(0.02), s);
  for (int i = 0; i < 100; ++i) total.advance(1e-4, 1.0), partial.advance(1e-4, 1.0);
  // In the steady state the total rate is V dz/dxi, the partial one zero.
  EXPECT_GT(total.force(1.0) - partial.force(1.0), 0.005);
}

// A second method: upwind cells by CVODE come closer in proportion to their number.
TEST(ContactPatch, UpwindCellsConvergeToTheCharacteristics) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto run = [](double points, int method) {
    PatchShape s = shape(PatchShape::parabolic);
    s.points = points;
    Options o;
    o.end = 0.02;
    o.samples = 41;
    o.step = 1e-5;
    o.tolerance = 1e-7;
    o.method = method;
    const auto r = patch_system(tyre(0.01), s)
                       ->respond(Signal{.amplitude = 2.0, .frequency = 400.0, .offset = 1.0}, o);
    EXPECT_TRUE(r.ok()) << r.message;
    return r.output;
  };
  const auto exact = run(800, Options::rosenbrock);
  const auto distance = [&](double points) {
    const auto y = run(points, Options::cvode);
    double most = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) most = std::max(most, std::abs(y[i] - exact[i]));
    return most;
  };
  const double coarse = distance(40), fine = distance(80);
  EXPECT_NEAR(coarse / fine, 2.0, 0.4);
  EXPECT_LT(fine, 0.02);
}

// Lemma III.1 and IV.1: deflections stay within the largest of mu / stiffness, whatever the slip.
TEST(ContactPatch, DeflectionsStayBounded) {
  ContactPatch patch(tyre(0.05), shape());
  double v = 0.0, most = 0.0;
  for (int i = 0; i < 20000; ++i) {
    v += 0.3 * std::sin(1.7 * i) + 0.2 * std::cos(0.013 * i * i);
    patch.advance(1e-4, v, 200.0 * (1.0 + std::sin(0.01 * i)));
    for (const double xi : {0.1, 0.5, 1.0}) most = std::max(most, std::abs(patch.state_at(xi)));
  }
  // mu is at most mu_s plus the viscous part of the largest slip.
  EXPECT_LT(most, (0.6 + 0.0018 * 60.0) / 252.0);
  EXPECT_GT(most, 0.1 / 252.0);
}

TEST(BrakedWheel, RollsByItsBalanceAndComesToRest) {
  BrakedWheel wheel;
  wheel.speed = 10.0;
  wheel.patch.load = 3924.0;
  Options o;
  o.end = 8.0;
  o.samples = 801;
  Signal torque{.shape = Signal::ramp, .offset = 300.0};
  const auto r = wheel_system(tyre(4.0), wheel)->respond(torque, o);
  const double a = 300.0 / 0.3 / (400.0 + 1.2 / 0.09);
  EXPECT_NEAR(r.second[200], 10.0 - 2.0 * a, 0.01);
  EXPECT_LT(std::abs(r.second.back()), 1e-9);
  // Halving the step changes nothing that matters.
  o.step = 2e-5;
  const auto finer = wheel_system(tyre(4.0), wheel)->respond(torque, o);
  EXPECT_NEAR(r.second[300], finer.second[300], 1e-4);
}

TEST(ContactPatch, WorksWithLuGreAndRefusesWhatIsNotLinear) {
  EXPECT_NO_THROW(ContactPatch(erase(LuGre<>{}), shape()));
  EXPECT_THROW(ContactPatch(erase(Dahl<>{.exponent = 2.0}), shape()), InvalidInput);
  PatchShape s = shape(PatchShape::table);
  EXPECT_THROW(ContactPatch(tyre(), s), InvalidInput);
  s.pressure_table = {1.0, -1.0};
  EXPECT_THROW(ContactPatch(tyre(), s), InvalidInput);
  s = shape();
  s.transport = 0.0;
  EXPECT_THROW(ContactPatch(tyre(), s), InvalidInput);
}

}  // namespace
}  // namespace bristle::contact_patch_test
