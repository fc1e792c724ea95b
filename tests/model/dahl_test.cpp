// SPDX-License-Identifier: MIT
#include "bristle/model/dahl.hpp"

#include "bristle/model/advance.hpp"
#include "close.hpp"

namespace bristle::dahl_test {
namespace {

using test::close;

Dahl<> make_dahl(double stiffness, double coulomb_force, double exponent) {
  Dahl<> law;
  law.stiffness = stiffness;
  law.coulomb_force = coulomb_force;
  law.exponent = exponent;
  return law;
}

// dz/dx integrated by the classical Runge-Kutta method, independent of the closed form.
double integrate(const Dahl<>& law, double z, double displacement, int steps) {
  const double v = displacement > 0.0 ? 1.0 : -1.0;
  const double h = std::abs(displacement) / steps;
  const auto f = [&](double at) { return rate(law, at, Motion<double>{0.0, v}); };
  for (int i = 0; i < steps; ++i) {
    const double k1 = f(z), k2 = f(z + 0.5 * h * k1), k3 = f(z + 0.5 * h * k2), k4 = f(z + h * k3);
    z += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return z;
}

// The force where the input is largest and the area of the loop of u = A sin(w t), after enough
// periods.
struct Loop {
  double peak;
  double area;
};
Loop loop(const Dahl<>& law, double amplitude) {
  double z = 0.0;
  for (int swing = 0; swing < 60; ++swing)
    z = law.advance(z, swing % 2 ? 2.0 * amplitude : -2.0 * amplitude);
  // One branch in parts, by Simpson's rule; the other one is its reflection.
  const int parts = 200000;
  const double h = 2.0 * amplitude / parts;
  double sum = 0.0, state = -z;
  for (int i = 0; i < parts; ++i) {
    const double middle = law.advance(state, 0.5 * h), end = law.advance(state, h);
    sum += h / 6.0 * (state + 4.0 * middle + end);
    state = end;
  }
  return {law.stiffness * z, 2.0 * law.stiffness * sum};
}

// For exponents below one the equation is not Lipschitz where the force saturates: the comparison
// stops short of it. The integration is good to 1e-13 with these steps.
TEST(Dahl, ClosedFormEqualsNumericalIntegration) {
  for (const double gamma : {0.0, 0.25, 0.5, 0.9, 1.0, 1.1, 1.5, 2.0, 3.0}) {
    const Dahl<> law = make_dahl(1.5, 0.75, gamma);
    for (const double z : {-0.45, -0.2, 0.0, 0.1, 0.3}) {
      for (const double displacement : {-0.04, -0.01, 1e-4, 0.02, 0.1}) {
        const double exact = integrate(law, z, displacement, 4000);
        EXPECT_TRUE(close(law.advance(z, displacement), exact, 1e-12, 0.5))
            << "gamma = " << gamma << ", z = " << z << ", displacement = " << displacement;
      }
    }
  }
}

TEST(Dahl, ClosedFormOfTwoPartsEqualsThatOfTheWhole) {
  for (const double gamma : {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0}) {
    const Dahl<> law = make_dahl(1.5, 0.75, gamma);
    for (const double z : {-0.5, -0.2, 0.0, 0.4}) {
      for (const double part : {0.1, 0.35, 2.0}) {
        const double whole = law.advance(z, 1.0 + part);
        EXPECT_TRUE(close(law.advance(law.advance(z, 1.0), part), whole, 1e-14, 0.5)) << gamma;
      }
    }
  }
}

TEST(Dahl, ClosedFormIsContinuousThroughTheExponentOne) {
  const Dahl<> usual = make_dahl(1.5, 0.75, 1.0);
  for (const double gap : {1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-5}) {
    for (const double gamma : {1.0 - gap, 1.0 + gap}) {
      for (const double z : {-0.4, 0.0, 0.3}) {
        // The state changes by less than the change of the exponent.
        EXPECT_TRUE(close(make_dahl(1.5, 0.75, gamma).advance(z, 0.7), usual.advance(z, 0.7),
                          gap + 4.0 * test::epsilon, 0.5))
            << "gamma = 1 +- " << gap << ", z = " << z;
      }
    }
  }
}

// Thesis Figure 1.8: F_c = 0.75 N, sigma = 1.5 N/m, u = sin(0.1 t); independent reference
// computation.
TEST(Dahl, ReproducesTheLoopsOfTheExponents) {
  const auto at = [](double gamma) { return loop(make_dahl(1.5, 0.75, gamma), 1.0); };
  EXPECT_NEAR(at(0.25).peak, 0.75, 1e-13);               // oracle: dahl.fig_1_8.peak_0_25
  EXPECT_NEAR(at(0.5).peak, 0.75, 1e-13);                // oracle: dahl.fig_1_8.peak_0_5
  EXPECT_NEAR(at(1.5).peak, 0.649519052838329, 1e-13);   // oracle: dahl.fig_1_8.peak_1_5
  EXPECT_NEAR(at(2.0).peak, 0.5855823048033113, 1e-13);  // oracle: dahl.fig_1_8.peak_2
  // Simpson's rule with a corner in the curve (gamma = 0) leaves h^2, elsewhere rounding.
  EXPECT_NEAR(at(0.0).area, 1.5, 1e-9);                  // oracle: dahl.fig_1_8.area_0
  EXPECT_NEAR(at(0.5).area, 1.5857864376269046, 1e-11);  // oracle: dahl.fig_1_8.area_0_5
  EXPECT_NEAR(at(1.0).area, 1.5539586298862746, 1e-11);  // oracle: dahl.fig_1_8.area_1
  EXPECT_NEAR(at(2.0).area, 1.4289655895541742, 1e-11);  // oracle: dahl.fig_1_8.area_2
  EXPECT_NEAR(at(3.0).area, 1.2841483320759293, 1e-11);  // oracle: dahl.fig_1_8.area_3
}

// Thesis Figure 1.9: F_c = 1.5 N, sigma = 7.5 N/m, gamma = 1; independent reference computation,
// F_c tanh(A sigma / F_c) and 4 F_c (A - (F_c / sigma) tanh(A sigma / F_c)).
TEST(Dahl, ReproducesMajorAndMinorLoop) {
  const Dahl<> law = make_dahl(7.5, 1.5, 1.0);
  EXPECT_NEAR(loop(law, 5.0).peak, 1.5, 1e-13);                 // oracle: dahl.fig_1_9.peak_5
  EXPECT_NEAR(loop(law, 1.0).peak, 1.4998638063938927, 1e-13);  // oracle: dahl.fig_1_9.peak_1
  EXPECT_NEAR(loop(law, 1.0).area, 4.800108954884886, 1e-11);   // oracle: dahl.fig_1_9.area_1
}

// The same minor loop whatever came before it.
TEST(Dahl, HasLocalMemory) {
  const Dahl<> law = make_dahl(7.5, 1.5, 1.0);
  double from_above = 0.19, from_below = -0.19;
  for (int swing = 0; swing < 40; ++swing) {
    from_above = law.advance(from_above, swing % 2 ? 0.3 : -0.3);
    from_below = law.advance(from_below, swing % 2 ? 0.3 : -0.3);
  }
  EXPECT_NEAR(from_above, from_below, 1e-12);
}

TEST(Dahl, OfExponentZeroIsAClippedSpring) {
  const Dahl<> law = make_dahl(1.5, 0.75, 0.0);
  EXPECT_DOUBLE_EQ(law.advance(0.1, 0.2), 0.3);
  EXPECT_DOUBLE_EQ(law.advance(0.1, 0.7), 0.5);
  EXPECT_DOUBLE_EQ(law.advance(0.5, -0.2), 0.3);
  EXPECT_DOUBLE_EQ(law.advance(0.5, -3.0), -0.5);
}

// Below one the force gets there: with w^(1 - gamma) falling linearly, after F_c / (sigma (1 -
// gamma)).
TEST(Dahl, OfExponentBelowOneSaturatesAfterAFiniteDisplacement) {
  const Dahl<> law = make_dahl(1.5, 0.75, 0.5);
  const double enough = 0.5 / (1.0 - 0.5);
  EXPECT_LT(law.advance(0.0, 0.99 * enough), 0.5);
  EXPECT_DOUBLE_EQ(law.advance(0.0, 1.01 * enough), 0.5);
  EXPECT_EQ(rate(law, 0.5, Motion<double>{0.0, 1.0}), 0.0);
  EXPECT_EQ(rate(law, 0.5, Motion<double>{0.0, -1.0}), -std::pow(2.0, 0.5));
  const Dahl<> usual = make_dahl(1.5, 0.75, 1.0);
  EXPECT_LT(usual.advance(0.0, 10.0 * enough), 0.5);
}

TEST(Dahl, AnOverstretchedBristleRelaxesBackToTheBound) {
  for (const double gamma : {0.5, 1.0, 2.0}) {
    const Dahl<> law = make_dahl(1.5, 0.75, gamma);
    const double z = 0.6;
    EXPECT_LT(law.advance(z, 0.01), z);
    EXPECT_GE(law.advance(z, 0.01), 0.5);
    EXPECT_TRUE(close(law.advance(z, 0.01), integrate(law, z, 0.01, 1000), 1e-12));
  }
}

// At the bound itself every power is of zero: no exponent may produce an infinity or a NaN there.
TEST(Dahl, StaysAtTheBoundOnceThere) {
  for (const double gamma : {0.0, 0.25, 1.0, 1.5, 3.0, 20.0}) {
    const Dahl<> law = make_dahl(1.5, 0.75, gamma);
    EXPECT_EQ(law.advance(0.5, 1.0), 0.5) << gamma;
    EXPECT_EQ(law.advance(-0.5, -1e-9), -0.5) << gamma;
    EXPECT_EQ(law.advance(0.5, 0.0), 0.5) << gamma;
    const auto slope = law.advance(variable<1>(0.5, 0), Dual<double, 1>(1.0)).slope[0];
    EXPECT_TRUE(std::isfinite(slope)) << gamma;
  }
}

}  // namespace
}  // namespace bristle::dahl_test
