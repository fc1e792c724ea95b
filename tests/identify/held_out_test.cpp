// SPDX-License-Identifier: MIT
// Runs that are held out as a whole: they start from their own force.
#include <gtest/gtest.h>

#include "bristle/identify/compare.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "identify/simulated.hpp"

namespace bristle::held_out_test {
namespace {

const Dahl<> dahl{.stiffness = 1e4, .coulomb_force = 1.0};
const LuGre<> lugre{.stiffness = 1e4,
                    .damping = 30.0,
                    .viscous = 20.0,
                    .coulomb_force = 1.0,
                    .static_force = 1.5,
                    .stribeck_velocity = 0.002};
const FrBD<> frbd{.stiffness = 1e4,
                  .damping = 30.0,
                  .viscous = 20.0,
                  .dynamic_coefficient = 1.0,
                  .static_coefficient = 1.5,
                  .stribeck_velocity = 0.002};
const ElastoPlastic<> elasto_plastic{.stiffness = 1e4,
                                     .damping = 30.0,
                                     .viscous = 20.0,
                                     .coulomb_force = 1.0,
                                     .static_force = 1.5,
                                     .stribeck_velocity = 0.002,
                                     .breakaway_fraction = 0.8};

constexpr double noise = 0.02;  // [N]
constexpr double weight = 3.0;  // beside the friction [N]

// A run that slides in both directions and one that only bends the bristles, from a bent state on:
// what it starts with it never forgets.
template <class L>
std::vector<Track> slides_and_bends(const L& law) {
  Record slides = test::motion(), bends = test::motion({.duration = 5.0});
  slides.name = "slides", bends.name = "bends";
  // Pushed to 70 um first, then back and forth by 20 um.
  for (std::size_t i = 0; i < bends.time.size(); ++i) {
    const double t = bends.time[i];
    bends.velocity[i] = t < 1.0 ? 7e-5 : 2e-5 * 12.0 * std::cos(12.0 * (t - 1.0));
  }
  test::add_force(slides, law), test::add_force(bends, law);
  for (auto* run : {&slides, &bends})
    for (double& f : run->force) f += weight;
  slides = test::noisy(slides, noise, 1), bends = test::noisy(bends, noise, 2);
  for (auto* column : {&bends.time, &bends.velocity, &bends.force})
    column->erase(column->begin(), column->begin() + 501);
  return {prepare(slides), prepare(bends)};
}

template <class L>
void starts_where_it_was(const L& law) {
  const auto runs = slides_and_bends(law);
  ASSERT_GT(std::abs(runs[1].samples.front().force - weight), 0.3);
  const auto f = fit(L::name, runs, {.offset = true, .starts = 64, .hold_out_runs = {"bends"}});
  EXPECT_EQ(f.held_out.samples, long(runs[1].samples.size()));
  EXPECT_LT(f.held_out.rmse, 1.15 * noise) << L::name;
  EXPECT_GT(f.held_out.r2, 0.8) << L::name;
}

TEST(RunsHeldOut, OfDahlStartFromTheirOwnForce) { starts_where_it_was(dahl); }
TEST(RunsHeldOut, OfLuGreStartFromTheirOwnForce) { starts_where_it_was(lugre); }
TEST(RunsHeldOut, OfFrbdStartFromTheirOwnForce) { starts_where_it_was(frbd); }
TEST(RunsHeldOut, OfElastoPlasticStartFromTheirOwnForce) { starts_where_it_was(elasto_plastic); }

TEST(RunsHeldOut, RankTheTrueLawFirst) {
  CompareOptions options{.laws = {"coulomb", "stribeck", "dahl", "lugre", "elasto_plastic"}};
  options.fit.starts = 64;
  options.fit.offset = true;
  options.fit.hold_out_runs = {"bends"};
  const auto bent = compare(slides_and_bends(elasto_plastic), options);
  EXPECT_EQ(bent.ranking.front().fit.law, "elasto_plastic");
  EXPECT_LT(bent.ranking.front().fit.held_out.rmse, 1.15 * noise);
  // Among laws of which none contains another.
  options.laws = {"coulomb", "stribeck", "reset_integrator", "dahl"};
  const auto plain = compare(slides_and_bends(dahl), options);
  EXPECT_EQ(plain.ranking.front().fit.law, "dahl");
  EXPECT_LT(plain.ranking.front().fit.held_out.rmse, 1.15 * noise);
}

}  // namespace
}  // namespace bristle::held_out_test
