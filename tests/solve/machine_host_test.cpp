// SPDX-License-Identifier: MIT
// One implicit step of several contacts for a host. The numbers of the three-contact steps are from
// 50-digit arithmetic with every combination of modes tried.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "bristle/model/registry.hpp"
#include "bristle/solve/host.hpp"

namespace bristle::machine_host_test {
namespace {

std::shared_ptr<const AnyLaw> coulomb(double force) {
  return make_law("coulomb", {{"coulomb_force", force}});
}
std::shared_ptr<const AnyLaw> lugre(double stiffness, double damping, double viscous) {
  return make_law("lugre", {{"stiffness", stiffness},
                            {"damping", damping},
                            {"viscous", viscous},
                            {"coulomb_force", 1.0},
                            {"static_force", 1.5},
                            {"stribeck_velocity", 0.01}});
}

void expect_step(HostFriction& host, const std::vector<double>& free, const std::vector<double>& w,
                 const std::vector<double>& velocity, const std::vector<double>& force) {
  const HostReport report = host.step(free, w, 1e-3);
  EXPECT_TRUE(report.converged) << report.residual;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    EXPECT_NEAR(host.velocities()[i], velocity[i], 1e-15) << i;
    EXPECT_NEAR(host.forces()[i], force[i], 1e-11) << i;
    EXPECT_EQ(host.sticks(i), velocity[i] == 0.0) << i;
  }
}

TEST(Host, StepOfTwoCoulombContactsAroundABristle) {
  HostFriction host(3);
  host.contact(0).law = coulomb(3.0);
  host.contact(1).law = lugre(1e4, 50.0, 0.0);
  host.contact(1).state = 2e-5;
  host.contact(2).law = coulomb(10.0);
  expect_step(host, {0.01, -0.02, 0.005}, {2, 0.3, 0, 0.3, 1.5, 0.2, 0, 0.2, 1},
              {0.004306138917305698134, -0.020410123935778935748, 0.0},
              {3.0, -1.0204630576856604467, 5.2040926115371320893});
  // oracle: machines.host.bristle
  EXPECT_NEAR(host.states()[1], -3.4105096142767411154e-7, 1e-18);
  host.commit();
  EXPECT_EQ(host.contact(1).state, host.states()[1]);
}

TEST(Host, StepWithOneContactThatSlipsBackward) {
  HostFriction host(3);
  host.contact(0).law = lugre(1e5, 100.0, 2.0);
  host.contact(0).state = 1.1e-5;
  host.contact(1).law = coulomb(12.0);
  host.contact(2).law = coulomb(20.0);
  expect_step(host, {0.0117, -0.0162, -0.0079},
              {1.24, 0.16, 0.28, 0.16, 0.54, 0.09, 0.28, 0.09, 0.97},
              {0.014328001001941602731, -0.0092329703572995301005, 0.0},
              {1.0875480506195707501, -12.0, -7.3448592311066802165});
}

TEST(Host, StepWithTwoContactsThatStick) {
  HostFriction host(3);
  host.contact(0).law = coulomb(3.0);
  host.contact(1).law = coulomb(5.0);
  host.contact(2).law = lugre(2e4, 0.0, 2.0);
  host.contact(2).state = -5.1e-6;
  expect_step(host, {-0.0014, -0.0024, 0.0137},
              {1.12, 0.32, 0.33, 0.32, 2.22, 1.40, 0.33, 1.40, 2.03},
              {0.0, 0.0, 0.015128842389771780049},
              {-1.0037466824217217722, -1.0536863962527263517, 0.18598767004000247712});
}

TEST(Host, HoldsALightBodyOnStiffBristlesAtAnyStep) {
  struct Bristle {
    double stiffness, damping;
  };
  for (const double h : {1e-3, 2e-3, 5e-3})
    for (const Bristle b : {Bristle{1e4, 1.0}, Bristle{1e4, 64.5}, Bristle{1e5, 63.0}}) {
      // 10 g under half its break-away force.
      const double mass = 0.01, push = 0.05;
      HostFriction host(1);
      host.contact(0).law = make_law("lugre", {{"stiffness", b.stiffness},
                                               {"damping", b.damping},
                                               {"viscous", 0.0},
                                               {"coulomb_force", 0.0981},
                                               {"static_force", 0.0981},
                                               {"stribeck_velocity", 0.01}});
      double v = 0.0;
      const std::vector<double> w{1.0 / mass};
      for (int k = 0; k < int(std::lround(2.0 / h)); ++k) {
        const std::vector<double> free{v + h * push / mass};
        ASSERT_TRUE(host.step(free, w, h).converged);
        v = host.velocities()[0];
        host.commit();
      }
      EXPECT_LT(std::abs(v), 1e-12) << h << " " << b.stiffness << " " << b.damping;
      EXPECT_NEAR(host.forces()[0], push, 1e-9);
    }
}

// The state of one bristle after an implicit step at a given velocity, z = start + h rate(z), by
// the sign of the difference on the whole range.
TEST(Host, StepFindsTheStateHoweverFastALawUnloads) {
  struct Case {
    const char* law;
    Values values;
    double state;
    std::function<double(double z, double v)> rate;
  };
  const std::vector<Case> cases{
      {"lugre",
       {{"stiffness", 1e4}, {"static_force", 20.0}, {"stribeck_velocity", 0.01}, {"viscous", 0.0}},
       2e-3,
       [](double z, double v) {
         return v - std::abs(v) * 1e4 * z / (1.0 + 19.0 * std::exp(-v * v / 1e-4));
       }},
      {"dahl",
       {{"stiffness", 1e4}, {"exponent", 4.0}},
       -0.99e-4,
       [](double z, double v) {
         return v * std::pow(1.0 - 1e4 * z * (v < 0.0 ? -1.0 : 1.0), 4.0);
       }},
      {"bouc_wen",
       {{"stiffness", 1e4}, {"rise", 2.0}, {"beta", 1e4}, {"gamma", -9e3}},
       -1.9e-3,
       [](double z, double v) { return 2.0 * v - 1e4 * std::abs(v) * z + 9e3 * v * std::abs(z); }}};
  for (const Case& c : cases)
    for (const double v : {0.05, -0.05}) {
      SCOPED_TRACE(std::string(c.law) + (v < 0.0 ? " backward" : " forward"));
      const double h = 1e-3;
      HostFriction host(1);
      host.contact(0).law = make_law(c.law, c.values);
      host.contact(0).state = c.state;
      // A body of 1e12 kg keeps its velocity.
      ASSERT_TRUE(host.step(std::vector<double>{v}, std::vector<double>{1e-12}, h).converged);
      EXPECT_NEAR(host.velocities()[0], v, 1e-12);
      const double z = host.states()[0], velocity = host.velocities()[0];
      EXPECT_NEAR(z, c.state + h * c.rate(z, velocity), 1e-12 * std::abs(c.state));
    }
}

// Coulomb contacts: the answer is the minimum of a convex function, whose conditions are checked.
TEST(Host, StepOfManyCoulombContactsMeetsItsConditions) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  int stuck = 0, slips = 0;
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 2 + std::size_t(k) % 9;
    std::vector<double> a(n * n), w(n * n, 0.0), free(n), limit(n);
    for (double& x : a) x = normal(random);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t m = 0; m < n; ++m) w[i * n + j] += a[i * n + m] * a[j * n + m];
      w[i * n + i] += 0.1;
      free[i] = 0.01 * normal(random);
      limit[i] = std::abs(normal(random)) * 3.0;
    }
    HostFriction host(n);
    for (std::size_t i = 0; i < n; ++i) host.contact(i).law = coulomb(limit[i]);
    const HostReport report = host.step(free, w, 1e-3);
    ASSERT_TRUE(report.converged) << k << " " << report.residual;
    for (std::size_t i = 0; i < n; ++i) {
      double v = free[i];
      for (std::size_t j = 0; j < n; ++j) v -= 1e-3 * w[i * n + j] * host.forces()[j];
      EXPECT_NEAR(v, host.velocities()[i], 1e-14);
      if (host.sticks(i)) {
        EXPECT_EQ(host.velocities()[i], 0.0);
        EXPECT_LE(std::abs(host.forces()[i]), limit[i]);
        ++stuck;
      } else {
        EXPECT_EQ(host.forces()[i], std::copysign(limit[i], host.velocities()[i]));
        ++slips;
      }
    }
  }
  EXPECT_GT(stuck, 100);
  EXPECT_GT(slips, 100);
}

TEST(Host, GoesOnFromItsLastStepToTheAnswerOfAFreshStart) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  constexpr std::size_t n = 5;
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> root(n * n), w(n * n, 0.0);
    for (double& r : root) r = normal(random);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k)
          w[i * n + j] += 0.3 * root[i * n + k] * root[j * n + k] + (i == j ? 0.05 : 0.0);
    HostFriction going(n);
    for (std::size_t i = 0; i < n; ++i) {
      going.contact(i).law = i == 0   ? coulomb(1.0)
                             : i == 1 ? make_law("stribeck", {{"coulomb_force", 0.5},
                                                              {"static_force", 1.0},
                                                              {"stribeck_velocity", 0.01}})
                                      : lugre(1e4, 20.0, 0.5);
    }
    std::vector<double> v(n, 0.0), free(n);
    const double h = 1e-3;
    for (int step = 0; step < 300; ++step) {
      for (std::size_t i = 0; i < n; ++i) {
        const double push = 2.0 * std::sin(0.02 * step + double(i)) + 0.2 * normal(random);
        free[i] = v[i] + h * w[i * n + i] * push + (step % 100 == 50 ? 0.1 * normal(random) : 0.0);
      }
      HostFriction fresh(n);
      for (std::size_t i = 0; i < n; ++i) fresh.contact(i) = going.contact(i);
      ASSERT_TRUE(going.step(free, w, h).converged) << trial << " " << step;
      ASSERT_TRUE(fresh.step(free, w, h).converged) << trial << " " << step;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(going.velocities()[i], fresh.velocities()[i], 1e-12) << trial << " " << step;
        ASSERT_NEAR(going.forces()[i], fresh.forces()[i], 1e-9) << trial << " " << step;
        ASSERT_EQ(going.sticks(i), fresh.sticks(i)) << trial << " " << step;
        v[i] = going.velocities()[i];
      }
      going.commit();
    }
  }
}

TEST(Host, PrefersStickWhereStickAndSlipBothFit) {
  // h W = 1e-3: stick takes |free| <= 2e-3, slip at high speed leaves free - 1e-3.
  HostFriction host(1);
  host.contact(0).law = make_law(
      "stribeck", {{"coulomb_force", 1.0}, {"static_force", 2.0}, {"stribeck_velocity", 1e-6}});
  const std::vector<double> w{1.0};
  const double slip = 1.9e-3 - 1e-3;  // solves the same step
  EXPECT_NEAR(slip, 1.9e-3 - 1e-3 * (1.0 + std::exp(-square(slip / 1e-6))), 1e-18);
  EXPECT_TRUE(host.step(std::vector{1.9e-3}, w, 1e-3).converged);
  EXPECT_TRUE(host.sticks(0));
  EXPECT_EQ(host.velocities()[0], 0.0);
  EXPECT_TRUE(host.step(std::vector{2.1e-3}, w, 1e-3).converged);
  EXPECT_NEAR(host.velocities()[0], 1.1e-3, 1e-15);
}

TEST(Host, AnswersWrongInputWithoutFriction) {
  HostFriction host(2);
  host.contact(0).law = coulomb(1.0);
  EXPECT_FALSE(host.step(std::vector{0.1, 0.2}, std::vector{1.0, 0.0, 0.0, 1.0}, 1e-3).converged);
  host.contact(1).law = coulomb(1.0);
  EXPECT_TRUE(host.step(std::vector{0.1, 0.2}, std::vector{1.0, 0.0, 0.0, 1.0}, 1e-3).converged);
  EXPECT_FALSE(host.step(std::vector{0.1, 0.2}, std::vector{1.0, 0.0, 0.0, 1.0}, 0.0).converged);
  EXPECT_FALSE(host.step(std::vector{0.1}, std::vector{1.0, 0.0, 0.0, 1.0}, 1e-3).converged);
  EXPECT_FALSE(host.step(std::vector{NAN, 0.2}, std::vector{1.0, 0.0, 0.0, 1.0}, 1e-3).converged);
  EXPECT_EQ(host.forces()[0], 0.0);
  const auto with = [](const HostContact& contact) {
    HostFriction one(1);
    one.contact(0) = contact;
    return one.step(std::vector{0.1}, std::vector{1.0}, 1e-3).converged;
  };
  EXPECT_TRUE(with({lugre(1e4, 50.0, 0.0)}));
  EXPECT_FALSE(with({lugre(1e4, 50.0, 0.0), 1.0, NAN}));
  EXPECT_FALSE(with({make_law("frbd"), INFINITY}));
  EXPECT_FALSE(with({coulomb(1.0), 1.0, 0.0, NAN}));
  EXPECT_FALSE(with({make_law("compressed_bristle")})) << "it would lift the body";
}

}  // namespace
}  // namespace bristle::machine_host_test
