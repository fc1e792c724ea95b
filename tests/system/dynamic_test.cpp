// SPDX-License-Identifier: MIT
// Dynamic systems against closed forms and the independent numbers of oracle/.
#include <gtest/gtest.h>

#include <numbers>

#include "bristle/system/cubic.hpp"
#include "bristle/system/duhem.hpp"
#include "bristle/system/linear_lag.hpp"
#include "bristle/system/multiplay.hpp"
#include "bristle/system/nonlinear_feedback.hpp"
#include "bristle/system/two_bar_linkage.hpp"
#include "sundials.hpp"


namespace bristle::dynamic_test {
namespace {

constexpr double pi = std::numbers::pi;

SystemResponse drive(const AnySystem& s, double amplitude, double w, int periods,
                     double tolerance = 1e-12, int method = Options::rosenbrock) {
  Signal input{.amplitude = amplitude, .frequency = w};
  Options o;
  o.end = periods * input.period();
  o.tolerance = tolerance;
  o.method = method;
  o.samples = 101;
  auto r = s.respond(input, o);
  EXPECT_TRUE(r.ok()) << r.message;
  return r;
}
// The area of the last period.
double area(const SystemResponse& r) {
  const std::size_t n = r.marks.size();
  return r.marks[n - 1].area - (n > 1 ? r.marks[n - 2].area : 0.0);
}

}  // namespace

// Counterclockwise, the output lagging behind.
TEST(LinearLag, LoopAreaIsTheClosedForm) {
  for (const double w : {1.0, 0.1, 0.01})
    EXPECT_NEAR(area(drive(*as_system(LinearLag{}), 1.0, w, 12)),
                -2.0 * pi * w / std::pow(1.0 + w * w, 2), 3e-10)
        << w;
}

// Periodic orbits, followed until they close; known to 1e-10.
TEST(Cubic, PeriodicOrbitsMatchTheReference) {
  const struct {
    double w, x, area;
    // oracle: systems.cubic.x_1 -.area_1 .x_0_1 -.area_0_1 .x_0_001 -.area_0_001
  } rows[]{{1.0, -0.8919941801614049, 2.6472343208850937},
           {0.1, -1.021545473980000063, 2.7242519555073765},
           {0.001, -1.000249533160088, 1.563752762297253}};
  for (const auto& row : rows) {
    const auto r = drive(*as_system(Cubic{}), 1.0, row.w, row.w < 0.01 ? 3 : 60);
    EXPECT_NEAR(r.states[0], row.x, 1e-9) << row.w;
    EXPECT_NEAR(std::abs(area(r)), row.area, 1e-9) << row.w;
  }
}

TEST(Cubic, EquilibriaFoldWhereTheClosedFormSays) {
  const Cubic c;
  const double x = 1.0 / std::sqrt(3.0);
  EXPECT_NEAR(c.resting_input(-x), 0.3849001794597505, 1e-15);  // oracle: systems.cubic.fold
  EXPECT_NEAR((c.resting_input(x + 1e-5) - c.resting_input(x - 1e-5)) / 2e-5, 0.0, 1e-9);
}

// Known to 1e-10 from the closed solution of every linear piece.
TEST(Multiplay, AreasOfTwoElementsMatchTheReference) {
  const auto s = as_system(Multiplay{.thresholds = {0.2, 0.8}, .stiffnesses = {1.0, 1.0}});
  // oracle: piecewise.multiplay.area_1
  EXPECT_NEAR(area(drive(*s, 1.0, 1.0, 40)), 2.7713628940984334, 2e-10);
  // oracle: piecewise.multiplay.area_0_01
  EXPECT_NEAR(area(drive(*s, 1.0, 0.01, 6)), 1.3118221556367362, 2e-10);
}

TEST(Multiplay, NegativeStiffnessReversesTheLoop) {
  const auto s = as_system(Multiplay{.thresholds = {1.0, 3.0}, .stiffnesses = {-2.0, -4.0}});
  // As the input slows down the area heads for -128 in proportion to the frequency.
  const double fast = area(drive(*s, 5.0, 2e-3, 3)), slow = area(drive(*s, 5.0, 1e-3, 3));
  EXPECT_NEAR(2.0 * slow - fast, -128.0, 5e-3);
}

TEST(Multiplay, TheAlternativeInverseRecoversTheInputFromTheSameStart) {
  Multiplay m{.thresholds = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19},
              .stiffnesses = {-1, -1, -1, -1, -1, 2, 2, 2, 2, 2},
              .role = 2};
  for (const bool moved : {false, true}) {
    if (moved)
      for (int i = 0; i < 20; ++i) m.states.push_back(i < 10 ? 0.1 * i : 0.0);
    const auto r = drive(*as_system(m), 20.0, 0.01, 2, 1e-11);
    for (std::size_t i = 0; i < r.time.size(); ++i)
      EXPECT_NEAR(r.second[i], r.input[i], 2e-7) << r.time[i];
  }
}

TEST(Multiplay, RefusesWhatCannotWork) {
  EXPECT_THROW(as_system(Multiplay{.thresholds = {3.0, 1.0}}), InvalidInput);
  EXPECT_THROW(as_system(Multiplay{.thresholds = {-1.0, 1.0}}), InvalidInput);
  EXPECT_THROW(as_system(Multiplay{.stiffnesses = {1.0, -1.0}, .role = 1}), InvalidInput);
  EXPECT_THROW(as_system(Multiplay{.masses = {-1.0, 4.0}}), InvalidInput);
  EXPECT_THROW(as_system(Multiplay{.states = {1.0}}), InvalidInput);
}

// A single element of a multiplay is backlash in feedback form.
TEST(NonlinearFeedback, ADeadZoneGivesOneElementOfAMultiplay) {
  const auto one = as_system(Multiplay{.thresholds = {0.5}, .stiffnesses = {1.0}});
  const auto same = as_system(NonlinearFeedback{});
  const auto a = drive(*one, 1.0, 0.3, 3), b = drive(*same, 1.0, 0.3, 3);
  for (std::size_t i = 0; i < a.time.size(); ++i)
    EXPECT_NEAR(a.output[i], b.input[i] - b.output[i], 1e-9);
}

TEST(NonlinearFeedback, ACubeGivesTheCubicExample) {
  const NonlinearFeedback f{
      .a = {1.0}, .b = {-1.0}, .c = {1.0}, .d = {1.0}, .e = {1.0}, .e0 = 0.0, .nonlinearity = 1};
  const auto a = drive(*as_system(f), 1.0, 0.1, 3), b = drive(*as_system(Cubic{}), 1.0, 0.1, 3);
  for (std::size_t i = 0; i < a.time.size(); ++i) EXPECT_NEAR(a.output[i], b.output[i], 1e-9);
}

// Known to 1e-11.
TEST(TwoBarLinkage, AnglesMatchTheReference) {
  const auto s = as_system(TwoBarLinkage{});
  // oracle: systems.linkage.angle_5 .angle_10 .angle_60
  for (const auto& [t, theta] : {std::pair{5.0, 0.6048227563151}, std::pair{10.0, -1.188004457466},
                                 std::pair{60.0, 0.8860230788048}}) {
    Options o;
    o.end = t;
    o.tolerance = 1e-12;
    const auto r = s->respond(Signal{.frequency = 0.1}, o);
    EXPECT_NEAR(r.states[0], theta, 3e-11) << t;
    EXPECT_NEAR(r.second.back(), 2.0 * std::cos(theta), 6e-11);
  }
}

// Work integral of the last period.
TEST(TwoBarLinkage, DissipatedEnergyMatchesTheReference) {
  TwoBarLinkage linkage;
  const auto energy = [&](double w, int periods) {
    return area(drive(*as_system(linkage), 1.0, w, periods, 1e-11));
  };
  // oracle: systems.linkage.printed.energy_5
  EXPECT_NEAR(energy(5.0, 60), 0.0033547896637354715, 1e-9);
  // oracle: systems.linkage.printed.energy_1
  EXPECT_NEAR(energy(1.0, 60), 0.744679364484969, 1e-9);
  // oracle: systems.linkage.printed.energy_0_5
  EXPECT_NEAR(energy(0.5, 40), 3.307906379789487, 2e-9);
  // oracle: systems.linkage.printed.energy_0_05
  EXPECT_NEAR(energy(0.05, 8), 1.5894472948441127, 2e-9);
  // oracle: systems.linkage.printed.energy_0_01
  EXPECT_NEAR(energy(0.01, 4), 1.220864116364009, 2e-9);
  // oracle: systems.linkage.printed.energy_0_001
  EXPECT_NEAR(energy(0.001, 2), 1.0735786784934622, 1e-7);
  linkage.inertia = 1;
  // oracle: systems.linkage.corrected.energy_1
  EXPECT_NEAR(energy(1.0, 60), 0.7170616007395972, 1e-9);
  // oracle: systems.linkage.corrected.energy_0_01
  EXPECT_NEAR(energy(0.01, 4), 1.225511125933344, 2e-9);
  // oracle: systems.linkage.corrected.energy_0_001
  EXPECT_NEAR(energy(0.001, 2), 1.0743080459622658, 1e-7);
}

TEST(TwoBarLinkage, FoldsAreTheClosedForm) {
  const TwoBarLinkage s;
  EXPECT_NEAR(s.fold_force(), 0.3748065504232397, 1e-15);  // oracle: systems.linkage.fold
  EXPECT_NEAR(s.fold_angle(), 0.4714763059565126, 1e-15);  // oracle: systems.linkage.fold_angle
  EXPECT_NEAR(std::abs(s.resting_input(std::sin(s.fold_angle()))), s.fold_force(), 1e-15);
  // oracle: systems.linkage.height_1
  EXPECT_NEAR(s.resting_input(-0.8386177247716328), 1.0, 1e-13);
}

TEST(BoucWen, SettlesAtItsSaturationAndIsRateIndependent) {
  const BoucWenSystem b{.share = 0.0, .beta = 0.7, .gamma = 0.2, .exponent = 1.5};
  const auto s = as_system(b);
  const auto a = drive(*s, 20.0, 1.0, 3), c = drive(*s, 20.0, 0.01, 3);
  for (std::size_t i = 0; i < a.time.size(); ++i) EXPECT_NEAR(a.output[i], c.output[i], 1e-8);
  Options o;
  o.end = 50.0;
  EXPECT_NEAR(s->respond(Signal{.shape = Signal::ramp, .rate = 1.0}, o).states[0], b.saturation(),
              1e-8);
}

// Dahl's law with exponent 1: F = Fc tanh on the loop through both ends.
TEST(Duhem, ThreeFunctionsGiveDahlsLaw) {
  const double stiffness = 7.5, most = 1.5;
  const auto s = duhem({.states = 1,
                        .columns = 2,
                        .f =
                            [=](std::span<const double> x, double, std::span<double> f) {
                              f[0] = stiffness * (1.0 - x[0] / most);
                              f[1] = stiffness * (1.0 + x[0] / most);
                            },
                        .g =
                            [](double du, std::span<double> g) {
                              g[0] = std::max(du, 0.0);
                              g[1] = std::min(du, 0.0);
                            },
                        .h = [](std::span<const double> x, double) { return x[0]; }});
  const auto r = drive(*s, 1.0, 2.0, 12);
  EXPECT_NEAR(area(r), 4.800108954884886, 1e-9);  // oracle: dahl.fig_1_9.area_1
}

TEST(Duhem, RefusesAGThatDoesNotVanishAtRest) {
  EXPECT_THROW(duhem({.f = [](auto, double, auto) {},
                      .g = [](double, std::span<double> g) { g[0] = 1.0; },
                      .h = [](auto, double u) { return u; }}),
               InvalidInput);
}

TEST(DynamicSystems, CvodeIsASecondMethodThatAgrees) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const auto& s : {as_system(Cubic{}), as_system(TwoBarLinkage{}), as_system(Multiplay{}),
                        as_system(NonlinearFeedback{.nonlinearity = 2}), as_system(BoucWenSystem{})}) {
    const auto a = drive(*s, 2.0, 0.2, 2, 1e-11), b = drive(*s, 2.0, 0.2, 2, 1e-11, Options::cvode);
    double most = 0.0;
    for (const double y : a.output) most = std::max(most, std::abs(y));
    for (std::size_t i = 0; i < a.time.size(); ++i)
      EXPECT_NEAR(a.output[i], b.output[i], 1e-6 * most) << s->name() << " " << a.time[i];
    EXPECT_NEAR(area(a), area(b), 1e-6 * most) << s->name();
  }
}

TEST(DynamicSystems, FixedStepsAreRefused) {
  Options o;
  o.method = Options::coupled;
  EXPECT_THROW(as_system(Cubic{})->respond(Signal{}, o), InvalidInput);
}

TEST(DynamicSystems, ARunThatTakesTooManyStepsSaysSo) {
  Options o;
  o.step_limit = 10;
  const auto r = as_system(Cubic{})->respond(Signal{}, o);
  EXPECT_EQ(r.status, Status::step_limit);
  EXPECT_NE(r.message.find("after"), std::string::npos) << r.message;
}
}  // namespace bristle::dynamic_test
