// SPDX-License-Identifier: MIT
#include "bristle/model/planar_reset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bristle/model/describe.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/planar_form.hpp"
#include "bristle/model/reset_integrator.hpp"

namespace bristle::planar_reset_test {
namespace {

using Plane = std::array<double, 2>;
const Branch<> stick{1.0, 0.0}, slip{1.0, 1.0};

struct Answer {
  Plane rate, force;
  double dissipation;
};
template <class L>
Answer answer(const L& law, const Plane& z, const Plane& v, Branch<> branch) {
  const double speed = std::hypot(v[0], v[1]);
  if (speed > 0.0) branch.along = {v[0] / speed, v[1] / speed};
  Answer a{};
  BlockResponse<double> out;
  out.rate = a.rate.data();
  law.respond(z.data(), BlockMotion<double>{{}, v}, branch, out);
  a.force = out.force;
  a.dissipation = out.dissipation;
  return a;
}

// The polar form of the source: z_r' = v_r or 0, z_phi' = v_phi / z_r.
TEST(PlanarReset, CartesianAndPolarFormAgree) {
  const PlanarReset law;
  for (const double angle : {0.1, 1.0, 2.6, 4.4})
    for (const bool slips : {false, true}) {
      const double r = slips ? law.range : 0.004;
      const Plane z{r * std::cos(angle), r * std::sin(angle)}, v{0.3, -0.2};
      const double radial = v[0] * std::cos(angle) + v[1] * std::sin(angle),
                   turning = -v[0] * std::sin(angle) + v[1] * std::cos(angle);
      const double r_rate = slips ? 0.0 : radial, angle_rate = turning / r;
      const Plane polar{r_rate * std::cos(angle) - r * angle_rate * std::sin(angle),
                        r_rate * std::sin(angle) + r * angle_rate * std::cos(angle)};
      const Plane rate = answer(law, z, v, slips ? slip : stick).rate;
      EXPECT_NEAR(rate[0], polar[0], 1e-15);
      EXPECT_NEAR(rate[1], polar[1], 1e-15);
    }
}

// A bristle under a slip that turns, step by step in both forms with the same method.
TEST(PlanarReset, MotionsInCartesianAndPolarFormAgree) {
  const PlanarReset law;
  const double range = law.range, h = 1e-5;
  const auto slipping = [](double t) {
    return Plane{0.3 * std::cos(4.0 * t), 0.3 * std::sin(4.0 * t)};
  };
  Plane z{range, 0.0}, polar{range, 0.0};
  const auto cartesian = [&](const Plane& at, double t) {
    return answer(law, at, slipping(t), slip).rate;
  };
  const auto turned = [&](const Plane& at, double t) {
    const Plane v = slipping(t);
    return Plane{0.0, (-v[0] * std::sin(at[1]) + v[1] * std::cos(at[1])) / at[0]};
  };
  const auto step = [&](const auto& f, Plane& y, double t) {
    const auto moved = [&](const Plane& k, double part) {
      return Plane{y[0] + part * h * k[0], y[1] + part * h * k[1]};
    };
    const Plane a = f(y, t), b = f(moved(a, 0.5), t + 0.5 * h), c = f(moved(b, 0.5), t + 0.5 * h),
                d = f(moved(c, 1.0), t + h);
    for (std::size_t i = 0; i < 2; ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  };
  for (int i = 0; i < 20000; ++i) {
    step(cartesian, z, i * h);
    step(turned, polar, i * h);
  }
  EXPECT_NEAR(z[0], polar[0] * std::cos(polar[1]), 1e-10 * range);
  EXPECT_NEAR(z[1], polar[0] * std::sin(polar[1]), 1e-10 * range);
}

// Beside the circle: a bend that is too long by a part e comes back as exp(-2 v.z t / range^2).
TEST(PlanarReset, ASlipLeadsBackToTheCircle) {
  const PlanarReset law;
  const Plane z{law.range * (1.0 + 1e-6), 0.0}, v{0.2, 0.0};
  EXPECT_NEAR(answer(law, z, v, slip).rate[0], -2e-6 * v[0], 1e-12);
}

// Stiffness, gradient and damping each have their own value along the second axis.
TEST(PlanarReset, ParametersDifferAlongTheAxes) {
  PlanarReset law;
  law.stiffness_ratio = 2.0;
  law.gradient_ratio = 3.0;
  law.damping_ratio = 0.5;
  law.damping_by = PlanarReset::constant;
  const double z = 0.003, v = 0.01;
  EXPECT_NEAR(answer(law, {z, 0.0}, {v, 0.0}, stick).force[0], 100.0 * 1.1 * z + 74.15 * v, 1e-12);
  EXPECT_NEAR(answer(law, {0.0, z}, {0.0, v}, stick).force[1], 200.0 * 1.3 * z + 0.5 * 74.15 * v,
              1e-12);
  EXPECT_NEAR(answer(law, {0.0, z}, {0.0, v}, slip).force[1], 200.0 * z, 1e-12);
}

// What an anisotropic bristle stores changes as it turns on its circle, and none of it is lost.
TEST(PlanarReset, OfTwoStiffnessesStoresAndGivesBackAsItTurns) {
  PlanarReset law;
  law.stiffness_ratio = 0.5;
  const double r = law.range;
  const Plane first{r, 0.0}, second{0.0, r};
  EXPECT_DOUBLE_EQ(law.stored(first.data(), {}), 0.5 * 100.0 * r * r);
  EXPECT_DOUBLE_EQ(law.stored(second.data(), {}), 0.25 * 100.0 * r * r);
  // Across the bristle there is turning only.
  const Plane z{r * std::sqrt(0.5), r * std::sqrt(0.5)};
  EXPECT_NEAR(answer(law, z, {-0.1, 0.1}, slip).dissipation, 0.0, 1e-16);
}

TEST(PlanarReset, DampingFallsWithTheSpeedOrWithEachComponent) {
  PlanarReset law;
  const Plane v{0.006, 0.008};
  EXPECT_NEAR(answer(law, {}, v, stick).force[0], 74.15 * std::exp(-1.0) * 0.006, 1e-14);
  law.damping_by = PlanarReset::component;
  EXPECT_NEAR(answer(law, {}, v, stick).force[0], 74.15 * std::exp(-0.36) * 0.006, 1e-14);
  EXPECT_NEAR(answer(law, {}, v, stick).force[1], 74.15 * std::exp(-0.64) * 0.008, 1e-14);
}

TEST(PlanarReset, SlipsOnItsCircleWhereTheMotionStretchesIt) {
  const PlanarReset law;
  const Plane full{law.range, 0.0}, less{0.9 * law.range, 0.0};
  const auto cell = [&](const Plane& z, const Plane& v) {
    return law.cell(z.data(), BlockMotion<double>{{}, v}, 1.0);
  };
  EXPECT_EQ(cell(full, {0.1, 0.3}), 1.0);
  EXPECT_EQ(cell(full, {-0.1, 0.3}), 0.0);
  EXPECT_EQ(cell(less, {0.1, 0.3}), 0.0);
  EXPECT_TRUE(law.stuck(stick));
  EXPECT_FALSE(law.stuck(slip));
}

TEST(PlanarReset, AlongOneAxisIsTheResetIntegrator) {
  PlanarReset law;
  const ResetIntegrator<> line;
  for (const double v : {-0.02, 0.003, 0.4})
    for (const double z : {-0.008, 0.0, 0.005})
      for (const Branch<>& branch : {stick, slip}) {
        // In slip the bristle is as long as it gets.
        const double at = branch == slip ? std::copysign(line.range, v) : z;
        const Branch<> along{v < 0.0 ? -1.0 : 1.0, branch.cell};
        const auto want = line.respond(at, Motion<double>{0.0, v}, along);
        const Answer got = answer(law, {0.0, at}, {0.0, v}, branch);
        EXPECT_NEAR(got.rate[1], want.rate, 1e-15);
        EXPECT_NEAR(got.force[1], want.force, 1e-14);
        EXPECT_EQ(got.force[0], 0.0);
      }
}

// The planar LuGre and elasto-plastic equations written out, and the forms of the laws.
TEST(PlanarForms, OfLuGreAndElastoPlasticAreTheirEquations) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  const LuGre<> lugre{.stiffness = 1e5, .damping = 300.0, .viscous = 0.4};
  const ElastoPlastic<> plastic{.stiffness = 1e5, .damping = 300.0, .viscous = 0.4};
  for (int i = 0; i < 2000; ++i) {
    const Plane z{1.4e-5 * part(random), 1.4e-5 * part(random)};
    const Plane v{0.01 * part(random), 0.01 * part(random)};
    const double speed = std::hypot(v[0], v[1]), length = std::hypot(z[0], z[1]);
    const double g = lugre.coulomb_force + (lugre.static_force - lugre.coulomb_force) *
                                               std::exp(-std::pow(speed / 0.001, 2));
    const double most = g / 1e5, elastic = 0.7 * plastic.coulomb_force / 1e5;
    double alpha = length < most
                       ? 0.5 + 0.5 * std::sin(std::numbers::pi * (length - 0.5 * (most + elastic)) /
                                              (most - elastic))
                       : 1.0;
    if (length <= elastic || v[0] * z[0] + v[1] * z[1] <= 0.0) alpha = 0.0;
    const auto compare = [&](const auto& form, double flow) {
      const Answer got = answer(form, z, v, stick);
      for (std::size_t k = 0; k < 2; ++k) {
        const double rate = v[k] - flow * speed / most * z[k];
        EXPECT_NEAR(got.rate[k], rate, 1e-14) << i;
        EXPECT_NEAR(got.force[k], 1e5 * z[k] + 300.0 * rate + 0.4 * v[k], 1e-11) << i;
      }
    };
    compare(PlanarAffine<LuGre<>>{{lugre}}, 1.0);
    compare(PlanarBristle<ElastoPlastic<>>{{plastic}}, alpha);
  }
}

TEST(PlanarForms, ForcesAndRatesTurnWithTheAxes) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  for (int i = 0; i < 3000; ++i) {
    const double high = 1.0 + std::abs(part(random));
    const double turn = 3.0 * part(random), c = std::cos(turn), s = std::sin(turn);
    const auto turned = [&](const Plane& a) {
      return Plane{c * a[0] - s * a[1], s * a[0] + c * a[1]};
    };
    const Plane z{0.01 * part(random), 0.01 * part(random)};
    const Plane v{0.02 * part(random), 0.02 * part(random)};
    const auto compare = [&](const auto& law, const Branch<>& branch) {
      const Answer a = answer(law, z, v, branch), b = answer(law, turned(z), turned(v), branch);
      for (std::size_t k = 0; k < 2; ++k) {
        ASSERT_NEAR(turned(a.force)[k], b.force[k], 1e-12) << "case " << i;
        ASSERT_NEAR(turned(a.rate)[k], b.rate[k], 1e-12) << "case " << i;
      }
      ASSERT_NEAR(a.dissipation, b.dissipation, 1e-12) << "case " << i;
    };
    compare(PlanarReset{}, i % 2 ? slip : stick);
    compare(
        PlanarAffine<LuGre<>>{{LuGre<>{
            .stiffness = 100.0, .damping = 1.0, .static_force = high, .stribeck_velocity = 0.01}}},
        stick);
    compare(
        PlanarBristle<ElastoPlastic<>>{{ElastoPlastic<>{
            .stiffness = 100.0, .damping = 1.0, .static_force = high, .stribeck_velocity = 0.01}}},
        stick);
  }
}

TEST(PlanarReset, RefusesNegativeAnisotropyWithValueAndBound) {
  for (const auto member :
       {&PlanarReset::stiffness_ratio, &PlanarReset::gradient_ratio, &PlanarReset::damping_ratio}) {
    PlanarReset law;
    law.*member = -0.5;
    try {
      validate(law);
      FAIL();
    } catch (const InvalidInput& e) {
      EXPECT_NE(std::string(e.what()).find("= -0.5 is not allowed, it must be"), std::string::npos)
          << e.what();
    }
  }
}

}  // namespace
}  // namespace bristle::planar_reset_test
