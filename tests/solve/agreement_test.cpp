// SPDX-License-Identifier: MIT
// Every law in every mechanism: two methods agree and the ledger closes.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"
#include "random_machines.hpp"
#include "sundials.hpp"

namespace bristle::agreement_test {
namespace {

using testing_machines::gentle_law;

class EveryLaw : public testing::TestWithParam<std::string> {
 protected:
  static Options options(int method) {
    Options o;
    o.end = 12.0;
    o.samples = 241;
    o.method = method;
    o.tolerance = 1e-10;
    o.step = 2e-4;
    return o;
  }
  // A row that remembers goes through a thousand events, whose errors add up.
  static Options options(int method, const AnyLaw& law) {
    Options o = options(method);
    if (law.remembers()) o.tolerance = 1e-12;
    return o;
  }
  static WallSpringMass wall() {
    WallSpringMass m;
    m.spring = 5.0;
    m.signal.amplitude = 3.0;
    m.signal.frequency = 1.3;
    return m;
  }
  static PrescribedMotion motion() {
    PrescribedMotion m;
    m.signal.amplitude = 0.02;
    m.signal.frequency = 2.0;
    return m;
  }

  static double distance(const Simulation& a, const Simulation& b) {
    double worst = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.trajectory.size(); ++i) {
      worst = std::max(worst, std::abs(a.trajectory.position[i] - b.trajectory.position[i]));
      size = std::max(size, std::abs(a.trajectory.position[i]));
    }
    return worst / size;
  }
};

TEST_P(EveryLaw, RosenbrockAndCvodeAgreeOnADraggedMass) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto law = gentle_law(GetParam());
  const auto a = simulate(*law, DraggedMass{}, options(Options::rosenbrock, *law));
  const auto b = simulate(*law, DraggedMass{}, options(Options::cvode, *law));
  ASSERT_TRUE(a.summary.ok()) << a.summary.message;
  ASSERT_TRUE(b.summary.ok()) << b.summary.message;
  EXPECT_LT(distance(a, b), 2e-6);
}

TEST_P(EveryLaw, RosenbrockAndCvodeAgreeOnAWallSpring) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto law = gentle_law(GetParam());
  const auto a = simulate(*law, wall(), options(Options::rosenbrock, *law));
  const auto b = simulate(*law, wall(), options(Options::cvode, *law));
  ASSERT_TRUE(a.summary.ok()) << a.summary.message;
  ASSERT_TRUE(b.summary.ok()) << b.summary.message;
  EXPECT_LT(distance(a, b), 2e-6);
}

TEST_P(EveryLaw, CoupledFixedStepFollowsTheAdaptiveMethod) {
  const auto law = gentle_law(GetParam());
  if (law->remembers() || law->lift()) {
    EXPECT_THROW(simulate(*law, wall(), options(Options::coupled)), InvalidInput);
    return;
  }
  const auto a = simulate(*law, wall(), options(Options::rosenbrock));
  const auto b = simulate(*law, wall(), options(Options::coupled));
  ASSERT_TRUE(b.summary.ok()) << b.summary.message;
  EXPECT_LT(distance(a, b), 2e-3);
}

TEST_P(EveryLaw, LedgerClosesInEveryMechanism) {
  const auto law = gentle_law(GetParam());
  const auto o = options(Options::rosenbrock);
  std::vector<Simulation> runs{simulate(*law, DraggedMass{}, o), simulate(*law, wall(), o)};
  if (law->lift()) EXPECT_THROW(simulate(*law, motion(), o), InvalidInput);
  else runs.push_back(simulate(*law, motion(), o));
  for (const auto& run : runs) {
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-6) << run.summary.message;
    EXPECT_TRUE(run.summary.ledger.closes);
    EXPECT_GT(run.summary.ledger.work_in, 0.0);
  }
}

TEST_P(EveryLaw, LedgerClosesForTheSecondMethodToo) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto law = gentle_law(GetParam());
  const auto run = simulate(*law, wall(), options(Options::cvode));
  EXPECT_LT(run.summary.ledger.relative_error, 1e-6) << run.summary.message;
}

TEST_P(EveryLaw, HalvingTheToleranceChangesLittle) {
  const auto law = gentle_law(GetParam());
  auto coarse = options(Options::rosenbrock), fine = coarse;
  coarse.tolerance = 1e-6;
  fine.tolerance = 1e-9;
  EXPECT_LT(distance(simulate(*law, wall(), coarse), simulate(*law, wall(), fine)), 1e-3);
}

TEST_P(EveryLaw, SameRunTwiceIsBitForBitTheSame) {
  const auto law = gentle_law(GetParam());
  const auto a = simulate(*law, wall(), options(Options::rosenbrock));
  const auto b = simulate(*law, wall(), options(Options::rosenbrock));
  EXPECT_EQ(a.trajectory.position, b.trajectory.position);
  EXPECT_EQ(a.trajectory.force, b.trajectory.force);
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& law : laws())
    if (law.single) all.push_back(law.description.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Laws, EveryLaw, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace bristle::agreement_test
