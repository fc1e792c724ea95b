// SPDX-License-Identifier: MIT
// Laws that contain one another: equal runs for equal parameters.
#include "law_suite.hpp"

namespace bristle::kinship_test {
namespace {

using test::close;
using test::epsilon;
using test::Random;

// Forces of two laws along the same random motion, each with its own state in the same unit.
template <class A, class B>
void expect_equal_runs(const A& a, const B& b, double tolerance) {
  Random random(61);
  double za = 0.0, zb = 0.0, x = 0.0;
  for (int i = 0; i < 5000; ++i) {
    const double v = random.sign() * random.log_uniform(1e-5, 1.0);
    const double step = random.log_uniform(1e-3, 3.0) * 1e-5 / std::abs(v);
    const Motion<double> m{x + 0.5 * v * step, v};
    const auto ra = respond(a, za, m);
    const auto rb = respond(b, zb, m);
    ASSERT_TRUE(close(ra.force, rb.force, tolerance, 1.0)) << "step " << i << ", v = " << v;
    ASSERT_TRUE(close(ra.rate, rb.rate, tolerance, std::abs(v))) << "step " << i << ", v = " << v;
    za = advance(a, za, m, step);
    zb = advance(b, zb, m, step);
    x += v * step;
  }
}

LuGre<> undamped() {
  LuGre<> law;
  law.damping = 0.0;
  law.viscous = 0.0;
  return law;
}

// The defaults agree in F_c = 1 N, F_s = 1.5 N and stiffness; the rounding differs by a few units.
TEST(LuGre, EqualsDahlOfExponentOneWithoutStribeckEffectAndDamping) {
  LuGre<> law = undamped();
  law.static_force = law.coulomb_force;
  expect_equal_runs(law, Dahl<>{}, 1e-13);
}

TEST(LuGre, WithoutDampingEqualsTheExponentialSbm) {
  Sbm<> sbm;
  sbm.bristle_stiffness = 2.0;
  sbm.free_height = 2.5;
  sbm.maximum_height = 2.0;
  sbm.height_drop = 0.25;
  sbm.stribeck_velocity = 0.001;
  expect_equal_runs(undamped(), sbm, 4.0 * epsilon);
}

TEST(LuGre, WithoutDampingEqualsTheMeanPivotAngleModel) {
  Mpabm<> mpabm;
  mpabm.angle_gain = 0.5 * mpabm.stiffness;
  expect_equal_runs(undamped(), mpabm, 4.0 * epsilon);
}

TEST(LuGre, WithoutDampingEqualsFrBDWithoutDamping) {
  FrBD<> frbd;
  frbd.stiffness = 1e5;
  frbd.damping = 0.0;
  frbd.viscous = 0.0;
  frbd.stribeck_velocity = 0.001;
  expect_equal_runs(undamped(), frbd, 2e-14);
}

TEST(Ffbm, WithEqualForcesIsDahlOfExponentOne) {
  Ffbm<> ffbm;
  ffbm.maximum_force = ffbm.minimum_force;
  expect_equal_runs(ffbm, Dahl<>{}, 1e-13);
}

}  // namespace
}  // namespace bristle::kinship_test
