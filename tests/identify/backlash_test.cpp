// SPDX-License-Identifier: MIT
// Forms beside a law that decide: a gap before it, a load it leaves out, a curve that rises.
#include <gtest/gtest.h>

#include "bristle/identify/compare.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "identify/simulated.hpp"

namespace bristle::backlash_test {
namespace {

using test::all_of;

// The force on a drive that moves a body with Dahl friction through a gap, in steps of 1/200 of a
// sample: the sides part where the force vanishes, and the drive crosses the gap without a force.
Record through_gap(double gap, unsigned seed) {
  Record r = test::motion();
  const Dahl<> law{.stiffness = 1e4, .coulomb_force = 1.0};
  double z = 0.0, place = gap;
  int side = 1;
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    constexpr int parts = 200;
    for (int k = 0; k < parts && i > 0; ++k) {
      const double step = r.time[i] - r.time[i - 1];
      double move = 0.5 * (r.velocity[i] + r.velocity[i - 1]) * step / parts;
      if (side != 0) {
        const double next = law.advance(z, move);
        if (next * side >= 0.0) {
          z = next;
          continue;
        }
        place = side * gap, side = 0, z = 0.0;
      }
      place += move;
      if (std::abs(place) <= gap) continue;
      side = place > 0.0 ? 1 : -1;
      z = law.advance(z, place - side * gap);
      place = side * gap;
    }
    r.force.push_back(side == 0 ? 0.0 : law.stiffness * z);
  }
  return test::noisy(r, 0.01, seed);
}

TEST(Backlash, BeforeALawIsFoundWithIt) {
  const double gap = 4e-4;
  FitOptions o{.starts = 32};
  o.backlash = true;
  const auto f = fit("dahl", {prepare(through_gap(gap, 1))}, o);
  ASSERT_TRUE(f.converged()) << f.message;
  EXPECT_NEAR(f.of("backlash"), gap, 0.02 * gap);
  EXPECT_NEAR(f.of("coulomb_force"), 1.0, 0.01);
  EXPECT_NEAR(f.of("stiffness"), 1e4, 500.0);
  EXPECT_LT(f.fitted.rmse, 0.015);
}

TEST(Backlash, IsNamedWhereItHalvesTheError) {
  const auto f = fit("dahl", {prepare(through_gap(4e-4, 1))}, {.starts = 32});
  EXPECT_NE(all_of(f.warnings)
                .find("a gap between the measured motion and the body would reduce the error from"),
            std::string::npos)
      << all_of(f.warnings);
  EXPECT_NE(all_of(f.warnings).find("try --backlash"), std::string::npos);
}

TEST(Backlash, IsRefusedOfALawWithoutAState) {
  FitOptions o{.starts = 8};
  o.backlash = true;
  EXPECT_THROW(fit("coulomb", {prepare(through_gap(4e-4, 1))}, o), InvalidInput);
}

// Friction in proportion to a load that a Dahl law knows nothing of.
Record loaded(unsigned seed) {
  Record r = test::motion();
  test::add_force(r, Dahl<>{.stiffness = 1e4, .coulomb_force = 1.0});
  r.others = {{}};
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    r.others[0].push_back(20.0 + 10.0 * std::sin(1.3 * r.time[i]));
    r.force[i] *= 1.0 + 0.04 * (r.others[0][i] - 20.0);
  }
  return test::noisy(r, 0.01, seed);
}

FitOptions with_load() {
  FitOptions o{.starts = 32};
  o.conditions = {{"press", "N", true}};
  return o;
}

TEST(LoadDependence, IsNamedWhereItHalvesTheError) {
  const auto f = fit("dahl", {prepare(loaded(5))}, with_load());
  EXPECT_NE(all_of(f.warnings).find("try --depends force=press:linear"), std::string::npos)
      << all_of(f.warnings);
  FitOptions o = with_load();
  o.depends = {{"force", "press", DependenceForm::linear}};
  const auto again = fit("dahl", {prepare(loaded(5))}, o);
  EXPECT_NEAR(again.of("force.press"), 0.04, 2e-3);
  EXPECT_NEAR(again.fitted.rmse, 0.01, 1e-3);
}

TEST(LoadDependence, IsRankedBesideTheLaws) {
  CompareOptions o;
  o.laws = {"coulomb", "dahl"};
  o.fit = with_load(), o.fit.refined = 4, o.forms = true;
  const Comparison c = compare({prepare(loaded(6))}, o);
  EXPECT_EQ(c.ranking.front().name(), "dahl + load");
}

// The steady curve of a law whose static force is below its Coulomb force.
TEST(RisingCurve, IsNamedWhereItHalvesTheError) {
  Record r{.name = "map"};
  for (int i = 1; i <= 60; ++i)
    for (const double sign : {-1.0, 1.0}) r.velocity.push_back(sign * 1e-3 * i);
  test::add_force(
      r,
      LuGre<>{.viscous = 0.4, .coulomb_force = 1.0, .static_force = 0.4, .stribeck_velocity = 0.02},
      true);
  FitOptions o{.starts = 64};
  o.steady = true;
  const auto f = fit("stribeck", {prepare(test::noisy(r, 5e-3, 7), {.steady = true})}, o);
  EXPECT_NE(all_of(f.warnings).find("a curve that first rises"), std::string::npos)
      << all_of(f.warnings);
  EXPECT_NE(all_of(f.warnings).find("try --model lugre"), std::string::npos);
  const auto other = fit("lugre", {prepare(test::noisy(r, 5e-3, 7), {.steady = true})}, o);
  EXPECT_NEAR(other.fitted.rmse, f.tried.back().error, 0.05 * other.fitted.rmse);
}

}  // namespace
}  // namespace bristle::backlash_test
