// SPDX-License-Identifier: MIT
// Rolling contacts as systems: what is written does not change what is computed, and the tolerance
// is met where closed forms are known.
#include "bristle/system/rolling.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/erase.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"

namespace bristle::rolling_test {
namespace {

std::shared_ptr<const AnyLaw> tyre(double damping = 0.0) {
  return erase(FrBD<>{.stiffness = 252.0,
                      .damping = damping,
                      .viscous = 0.0018,
                      .dynamic_coefficient = 0.2,
                      .static_coefficient = 0.6,
                      .stribeck_velocity = 10.0});
}

Options options(double end, double samples, double tolerance = 1e-8) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}

// Outputs of runs with few and with many samples, at the times they share.
void expect_same(const AnySystem& system, const Signal& input, double end, double tolerance) {
  const auto few = system.respond(input, options(end, 9, tolerance));
  const auto many = system.respond(input, options(end, 257, tolerance));
  ASSERT_TRUE(few.ok() && many.ok());
  ASSERT_EQ(few.output.size(), 9u);
  ASSERT_EQ(many.output.size(), 257u);
  EXPECT_EQ(few.steps, many.steps);
  for (std::size_t i = 0; i < 9; ++i) {
    ASSERT_EQ(few.time[i], many.time[32 * i]);
    EXPECT_EQ(few.output[i], many.output[32 * i]) << few.time[i];
    EXPECT_EQ(few.area[i], many.area[32 * i]) << few.time[i];
    if (!few.second.empty()) {
      EXPECT_EQ(few.second[i], many.second[32 * i]);
    }
  }
}

TEST(RollingPatch, SamplesDoNotChangeTheValues) {
  PatchShape shape;
  shape.pressure = PatchShape::parabolic;
  expect_same(*patch_system(tyre(0.01), shape),
              Signal{.amplitude = 2.0, .frequency = 400.0, .offset = 1.0}, 0.03, 1e-6);
}

TEST(RollingPatch, RefusesMethodsThatNoSystemHas) {
  BrakedWheel wheel;
  wheel.patch.load = 3924.0;
  for (const auto& system : {patch_system(tyre(0.01), PatchShape{}), wheel_system(tyre(), wheel)})
    for (const int method :
         {int(Options::coupled), int(Options::bristle_only), int(Options::switch_model)}) {
      Options o = options(0.01, 9);
      o.method = method;
      EXPECT_THROW(system->respond(Signal{}, o), InvalidInput) << Options::methods[method];
    }
}

TEST(BrakedWheel, SamplesDoNotChangeTheValues) {
  BrakedWheel wheel;
  wheel.speed = 2.0;
  wheel.patch.load = 3924.0;
  expect_same(*wheel_system(tyre(4.0), wheel), Signal{.shape = Signal::ramp, .offset = 300.0}, 1.0,
              1e-6);
}

// After a step of slip, with constant pressure: behind and ahead of the front in closed form.
TEST(RollingPatch, MeetsTheToleranceAfterAStepOfSlip) {
  const PatchShape shape;
  const auto law = ContactPatch(tyre(), shape).at(1.0);
  const auto exact = [&](double t) {
    const double c = law.decay / 200.0, front = std::min(1.0, 200.0 * t);
    const double behind = front + std::expm1(-c * front) / c;
    return law.slope * law.drive / law.decay *
               (behind + (1.0 - front) * -std::expm1(-law.decay * t)) +
           law.level;
  };
  const auto system = patch_system(tyre(), shape);
  const Signal jump{.shape = Signal::ramp, .offset = 1.0};
  double points = 0.0;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    // Many samples, so that the front is met wherever it may stand, also about to leave.
    const auto r = system->respond(jump, options(0.006, 2401, tolerance));
    double worst = 0.0;
    for (std::size_t i = 0; i < r.time.size(); ++i)
      worst = std::max(worst, std::abs(r.output[i] - exact(r.time[i])));
    EXPECT_LE(worst / exact(0.006), tolerance);
    EXPECT_GE(r.error_estimate, 0.0);
    EXPECT_LE(r.error_estimate, tolerance);
    EXPECT_GE(r.points, points);
    points = r.points;
  }
}

// LuGre with one coefficient and slip of one sign: a bristle's deflection depends only on how far
// it was dragged, z = top (1 - exp(-X / top)). Its mean over the patch by Gauss and Legendre.
TEST(RollingPatch, MeetsTheToleranceUnderAVaryingSlip) {
  LuGre<> lugre;
  lugre.stiffness = 300.0;
  lugre.damping = lugre.viscous = 0.0;
  lugre.coulomb_force = lugre.static_force = 0.6;
  const double transport = 200.0, top = 0.6 / 300.0;
  const Signal slip{.amplitude = 0.4, .frequency = 700.0, .offset = 0.7};
  const auto dragged = [&](double t) {
    return 0.7 * t + 0.4 / 700.0 * (1.0 - std::cos(700.0 * t));
  };
  const auto exact = [&](double t) {
    // All bristles have travelled through by now.
    constexpr int pieces = 200;
    const double node = 0.7745966692414834;
    double sum = 0.0;
    for (int i = 0; i < pieces; ++i)
      for (int k = -1; k <= 1; ++k) {
        const double xi = (i + 0.5 + 0.5 * k * node) / pieces;
        sum += (k == 0 ? 4.0 / 9.0 : 5.0 / 18.0) / pieces *
               -std::expm1(-(dragged(t) - dragged(t - xi / transport)) / top);
      }
    return 0.6 * sum;
  };
  const auto system = patch_system(erase(lugre), {.transport = transport});
  for (const double tolerance : {1e-6, 1e-9}) {
    const auto r = system->respond(slip, options(0.02, 81, tolerance));
    for (std::size_t i = 20; i < r.time.size(); ++i)
      EXPECT_NEAR(r.output[i], exact(r.time[i]), 0.6 * tolerance) << r.time[i];
  }
}

TEST(RollingPatch, TheAreaIsThatOfTheForceOverTheSlip) {
  // One period of the steady loop, from the integrator and from a polygon of many samples.
  const Signal slip{.amplitude = 0.4, .frequency = 700.0, .offset = 0.7};
  const double period = slip.period();
  const auto r = patch_system(tyre(), {})->respond(slip, options(3.0 * period, 12001, 1e-9));
  ASSERT_EQ(r.marks.size(), 3u);
  double polygon = 0.0;
  for (std::size_t i = 8000; i < 12000; ++i)
    polygon += 0.5 * (r.output[i] + r.output[i + 1]) * (r.input[i + 1] - r.input[i]);
  EXPECT_NEAR(r.marks[2].area - r.marks[1].area, polygon, 2e-7);
}

TEST(RollingPatch, PointsThatAreGivenAreKeptAndTheirErrorEstimated) {
  PatchShape shape;
  shape.points = 16.0;
  const Signal jump{.shape = Signal::ramp, .offset = 1.0};
  const auto r = patch_system(tyre(), shape)->respond(jump, options(0.006, 61, 1e-10));
  EXPECT_EQ(r.points, 16.0);
  EXPECT_GT(r.error_estimate, 1e-10);
  EXPECT_NE(r.message.find("more than tolerance"), std::string::npos) << r.message;
  shape.points = 5.0;
  EXPECT_THROW(patch_system(tyre(), shape), InvalidInput);
}

// Infinite slopes of the pressure at the ends, and corners of tables, cost no order.
TEST(RollingPatch, EveryPressureSettlesOnItsSteadyForce) {
  const Signal constant{.shape = Signal::ramp, .offset = 2.0};
  for (const int pressure : {PatchShape::hertz, PatchShape::table}) {
    PatchShape shape;
    shape.pressure = pressure;
    shape.pressure_table = {0.2, 1.0, 0.7, 0.9};
    const auto system = patch_system(tyre(), shape);
    const auto r = system->respond(constant, options(0.012, 13, 1e-9));
    EXPECT_NEAR(r.output.back(), *system->steady(2.0), 2e-9) << pressure;
    EXPECT_LE(r.error_estimate, 1e-9);
  }
  PatchShape shape;
  shape.pressure = PatchShape::hertz;
  shape.transport_table = {0.8, 1.0, 1.3};
  shape.stiffness_table = {1.0, 0.7};
  const auto system = patch_system(tyre(), shape);
  const auto r = system->respond(constant, options(0.012, 13, 1e-6));
  EXPECT_NEAR(r.output.back(), *system->steady(2.0), 1e-6);
}

TEST(BrakedWheel, TheToleranceIsThatOfItsSteps) {
  BrakedWheel wheel;
  wheel.speed = 2.0;
  wheel.patch.load = 3924.0;
  const Signal torque{.shape = Signal::ramp, .offset = 300.0};
  const auto run = [&](double tolerance) {
    return wheel_system(tyre(4.0), wheel)->respond(torque, options(0.5, 11, tolerance));
  };
  const auto exact = run(1e-9), fine = run(1e-7), coarse = run(1e-4);
  EXPECT_GT(fine.steps, coarse.steps);
  double near = 0.0, far = 0.0;
  for (std::size_t i = 0; i < exact.second.size(); ++i) {
    near = std::max(near, std::abs(fine.second[i] - exact.second[i]));
    far = std::max(far, std::abs(coarse.second[i] - exact.second[i]));
  }
  EXPECT_LT(near, 0.3 * far);
  EXPECT_LT(near, 1e-5);
}

}  // namespace
}  // namespace bristle::rolling_test
