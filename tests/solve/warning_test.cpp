// SPDX-License-Identifier: MIT
// A summary says what the method cannot promise of the run.
#include <gtest/gtest.h>

#include "bristle/model/dahl.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/gms.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/model/stribeck.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::warning_test {
namespace {

template <class L>
Summary dragged(const L& law, int method, double end = 2.0) {
  Options o;
  o.end = end;
  o.method = method;
  o.tolerance = 1e-5;
  o.step_limit = 5000;
  return simulate(law, DraggedMass{}, o).summary;
}

bool says(const Summary& s, const char* words) {
  return s.warning.find(words) != std::string::npos && s.message.find(words) != std::string::npos;
}

TEST(Warning, OfCvodeNamesBristlesThatRingWithoutDamping) {
  BRISTLE_NEEDS_SUNDIALS();
  EXPECT_TRUE(says(dragged(Dahl<>{}, Options::cvode), "ring"));
  EXPECT_TRUE(says(dragged(Ffbm<>{}, Options::cvode), "ring"));
  EXPECT_TRUE(says(dragged(LuGre<>{.damping = 0.0}, Options::cvode), "ring"));
  EXPECT_TRUE(says(dragged(Sawtooth<>{.spacing = 1e-4}, Options::cvode, 4.0), "ring"));
}

TEST(Warning, OfCvodeNamesSteadyForceThatFallsAlmostAsAStep) {
  BRISTLE_NEEDS_SUNDIALS();
  const LuGre<> steep{.coulomb_force = 0.5, .static_force = 5.0, .stribeck_exponent = 10.0};
  EXPECT_TRUE(says(dragged(steep, Options::cvode), "falls almost as a step"));
  EXPECT_TRUE(dragged(steep, Options::rosenbrock).warning.empty());
}

TEST(Warning, OfCvodeNamesToleranceAtWhichRoundingAddsUp) {
  BRISTLE_NEEDS_SUNDIALS();
  Options o;
  o.end = 2.0;
  for (const double tolerance : {1e-9, 1e-10}) {
    o.tolerance = tolerance;
    o.method = Options::cvode;
    EXPECT_EQ(says(simulate(LuGre<>{}, DraggedMass{}, o).summary, "rounding"), tolerance < 1e-9);
    EXPECT_EQ(says(simulate(Gms{}, DraggedMass{}, o).summary, "rounding"), tolerance < 1e-9);
    o.method = Options::rosenbrock;
    EXPECT_EQ(simulate(LuGre<>{}, DraggedMass{}, o).summary.warning, "");
  }
}

TEST(Warning, IsEmptyForDampedBristlesAndPlainFriction) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const int method : {int(Options::rosenbrock), int(Options::cvode)}) {
    EXPECT_EQ(dragged(LuGre<>{}, method).warning, "");
    EXPECT_EQ(dragged(Stribeck<>{}, method).warning, "");
  }
}

// 50,000 rings in some ten thousand steps: the ringing is below the tolerance of a step, and what
// it does to break-away is not.
TEST(Warning, OfTheDefaultMethodNamesRingingItsStepsDoNotFollow) {
  const Ffbm<> stiff{.stiffness = 4.7e6};
  Options o;
  o.end = 20.0;
  o.tolerance = 1e-6;
  const auto loose = simulate(stiff, DraggedMass{}, o).summary;
  EXPECT_LT(loose.counts.steps, 6900);
  EXPECT_TRUE(says(loose, "more often than there are steps")) << loose.message;
}

TEST(Warning, OfRingingIsNotGivenToABodyThatNeverLeavesItsRowOfBristles) {
  Options o;
  o.end = 0.05;
  const auto run = simulate(Drbm<>{.spacing = 1e-9}, DraggedMass{}, o);
  EXPECT_EQ(run.trajectory.position.back(), 0.0);
  EXPECT_EQ(run.summary.warning, "");
}

// The ledger of the first run does not close; the run that would close it takes too many steps.
TEST(Warning, NamesARepetitionThatTakesTooManySteps) {
  WallSpringMass body;
  body.signal.amplitude = 0.1;
  body.signal.frequency = 0.08;
  Options o;
  o.end = 500.0;
  o.step_limit = 2e4;
  const auto s = simulate(Ffbm<>{.maximum_force = 0.8}, body, o).summary;
  ASSERT_TRUE(s.ok()) << s.message;
  EXPECT_FALSE(s.ledger.closes);
  EXPECT_TRUE(says(s, "step_limit")) << s.message;
}

}  // namespace
}  // namespace bristle::warning_test
