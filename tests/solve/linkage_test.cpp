// SPDX-License-Identifier: MIT
// Machines whose inertia depends on where they are: closed forms of pendulums, and the two-link arm
// by Newton and Euler (oracle/arm.py).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../sundials.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/run.hpp"

namespace bristle::linkage_test {
namespace {

std::shared_ptr<const AnyLaw> coulomb(double torque) {
  return make_law("coulomb", {{"coulomb_force", torque}});
}
std::shared_ptr<const AnyLaw> stribeck(double coulomb_torque, double static_torque) {
  return make_law("stribeck", {{"coulomb_force", coulomb_torque},
                               {"static_force", static_torque},
                               {"stribeck_velocity", 0.1},
                               {"curve", std::string("gaussian")}});
}
Signal sine(double amplitude, double frequency) {
  Signal s;
  s.amplitude = amplitude;
  s.frequency = frequency;
  return s;
}
Options until(double end, double samples, double tolerance = 1e-11) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
const TwoLinkArm links{.upper_mass = 2.0,
                       .upper_length = 0.5,
                       .upper_centre = 0.25,
                       .upper_inertia = 0.05,
                       .lower_mass = 1.5,
                       .lower_centre = 0.2,
                       .lower_inertia = 0.03};
MachineParts arm(double shoulder, double elbow) {
  MachineParts p;
  p.bodies = {{"shoulder", {.inertia = 0.02, .position = shoulder, .motion = Body::rotation}},
              {"elbow", {.inertia = 0.01, .position = elbow, .motion = Body::rotation}}};
  p.couplings = {{"links", {"shoulder", "elbow"}, couple(links)}};
  return p;
}
double last(const MachineResult& run, const char* column) { return run[column].back(); }

TEST(Linkage, HasTheDerivativesOfItsEquations) {
  using E = LinkageEquations<TwoLinkArm>;
  const double q[2] = {0.7, -1.1}, v[2] = {1.3, -0.4}, a[2] = {2.0, 0.9}, h = 1e-6;
  double by_q[4], by_v[4];
  E::slopes(links, q, v, a, by_q, by_v);
  const auto value = [&](const double* at, const double* rate, int i) {
    double m[4], force[2];
    E::forces(links, at, rate, m, force);
    return m[2 * i] * a[0] + m[2 * i + 1] * a[1] + force[i];
  };
  for (int i = 0; i < 2; ++i)
    for (int k = 0; k < 2; ++k) {
      double low[2] = {q[0], q[1]}, high[2] = {q[0], q[1]};
      low[k] -= h, high[k] += h;
      EXPECT_NEAR(by_q[2 * i + k], (value(high, v, i) - value(low, v, i)) / (2.0 * h), 1e-8);
      double slow[2] = {v[0], v[1]}, fast[2] = {v[0], v[1]};
      slow[k] -= h, fast[k] += h;
      EXPECT_NEAR(by_v[2 * i + k], (value(q, fast, i) - value(q, slow, i)) / (2.0 * h), 1e-8);
    }
}

TEST(Linkage, OfAFreeArmKeepsItsEnergy) {
  const auto run = simulate(Machine(arm(2.5, -1.0)), until(20.0, 2001));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  const auto& stored = run["stored"];
  double top = 0.0;
  for (const double speed : run["elbow.velocity"]) top = std::max(top, std::abs(speed));
  EXPECT_GT(top, 10.0) << "it tumbles";
  for (const double e : stored) EXPECT_NEAR(e, stored[0], 1e-8 * stored[0]);
}

TEST(Linkage, OfAnArmSwingsALittleWithTheFrequenciesOfTheLinearProblem) {
  // M x'' + K x = 0 with M and K at rest.
  const auto& l = links;
  const double reach = l.lower_mass * l.upper_length * l.lower_centre;
  const double lower = l.lower_inertia + l.lower_mass * l.lower_centre * l.lower_centre;
  const double upper = l.upper_inertia + l.upper_mass * l.upper_centre * l.upper_centre +
                       l.lower_mass * l.upper_length * l.upper_length;
  const double m11 = upper + lower + 2.0 * reach + 0.02, m12 = lower + reach, m22 = lower + 0.01;
  const double k22 = l.lower_mass * l.lower_centre * l.gravity;
  const double k11 =
      (l.upper_mass * l.upper_centre + l.lower_mass * l.upper_length) * l.gravity + k22;
  // det(K - w^2 M) = 0
  const double a = m11 * m22 - m12 * m12, b = -(k11 * m22 + k22 * m11 - 2.0 * k22 * m12);
  const double c = k11 * k22 - k22 * k22;
  for (const double sign : {-1.0, 1.0}) {
    const double square = (-b + sign * std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    const double ratio = -(k11 - square * m11) / (k22 - square * m12);
    const double size = 1e-5, period = 2.0 * std::numbers::pi / std::sqrt(square);
    const auto run = simulate(Machine(arm(size, ratio * size)), until(5.0 * period, 11, 1e-12));
    EXPECT_NEAR(last(run, "shoulder.position"), size, 1e-8 * size);
    EXPECT_NEAR(last(run, "elbow.position"), ratio * size, 1e-8 * size);
    EXPECT_NEAR(run["shoulder.position"][1], -size, 1e-8 * size) << "half a period";
  }
}

TEST(Linkage, WithTheElbowStuckSwingsAsOnePendulum) {
  MachineParts p = arm(1.0, 0.6);
  p.contacts = {{"brake", between("elbow", "ground"), coulomb(50.0)}};
  // One body: its inertia about the shoulder, and the torque of its weight, which hangs at an
  // angle.
  const auto& l = links;
  const double across = l.lower_mass * l.lower_centre * std::sin(0.6);
  const double along = l.upper_mass * l.upper_centre + l.lower_mass * l.upper_length +
                       l.lower_mass * l.lower_centre * std::cos(0.6);
  const double weight = l.gravity * std::hypot(across, along);
  const double hang = -std::atan2(across, along);
  const double inertia =
      0.02 + l.upper_inertia + l.upper_mass * l.upper_centre * l.upper_centre + l.lower_inertia +
      l.lower_mass * (l.upper_length * l.upper_length + l.lower_centre * l.lower_centre +
                      2.0 * l.upper_length * l.lower_centre * std::cos(0.6));
  const double amplitude = 1.0 - hang;
  const double period =
      4.0 * std::sqrt(inertia / weight) * std::comp_ellint_1(std::sin(0.5 * amplitude));
  const auto run = simulate(Machine(p), until(3.0 * period, 601));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  EXPECT_NEAR(last(run, "shoulder.position"), 1.0, 1e-9);
  EXPECT_NEAR(run["shoulder.position"][100], 2.0 * hang - 1.0, 1e-8) << "half a period";
  for (const double speed : run["elbow.velocity"]) EXPECT_EQ(speed, 0.0);
  for (const double angle : run["elbow.position"]) EXPECT_EQ(angle, 0.6);
  for (const double e : run["stored"]) EXPECT_NEAR(e, run["stored"][0], 1e-9 * run["stored"][0]);
}

TEST(Linkage, AtRestIsHeldByTheTorquesOfItsWeight) {
  MachineParts p = arm(0.7, -0.4);
  p.contacts = {{"s", between("shoulder", "ground"), coulomb(20.0)},
                {"e", between("elbow", "ground"), coulomb(20.0)}};
  const auto run = simulate(Machine(p), until(1.0, 11));
  const auto& l = links;
  const double lower = l.lower_mass * l.lower_centre * l.gravity * std::sin(0.3);
  const double upper =
      (l.upper_mass * l.upper_centre + l.lower_mass * l.upper_length) * l.gravity * std::sin(0.7);
  for (std::size_t i = 0; i < run["time"].size(); ++i) {
    EXPECT_EQ(run["shoulder.velocity"][i], 0.0);
    EXPECT_EQ(run["elbow.velocity"][i], 0.0);
    EXPECT_NEAR(run["s.force"][i], -(upper + lower), 1e-13 * upper);
    EXPECT_NEAR(run["e.force"][i], -lower, 1e-13 * upper);
  }
  EXPECT_EQ(run.events.size(), 0u);
}

// The arm of oracle/arm.py.
MachineParts driven_arm() {
  MachineParts p = arm(1.0, -0.6);
  p.contacts = {{"s", between("shoulder", "ground"), stribeck(1.5, 2.5)},
                {"e", between("elbow", "ground"), stribeck(0.5, 0.8)}};
  p.inputs = {{"first", "shoulder", sine(3.0, 2.5)}, {"second", "elbow", sine(0.9, 4.0)}};
  return p;
}

TEST(Linkage, WithFrictionInBothJointsMovesAsByNewtonAndEuler) {
  const auto run = simulate(Machine(driven_arm()), until(8.0, 801));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  // oracle: arm.driven.shoulder_1
  EXPECT_NEAR(run["shoulder.position"][100], -0.16399899075803898, 1e-9);
  // oracle: arm.driven.elbow_1
  EXPECT_NEAR(run["elbow.position"][100], -0.3816302709615704, 1e-9);
  EXPECT_EQ(run["elbow.velocity"][100], 0.0) << "stuck while the shoulder moves";
  // oracle: arm.driven.shoulder_8
  EXPECT_NEAR(last(run, "shoulder.position"), 0.0693620582342051, 1e-8);
  // oracle: arm.driven.elbow_8
  EXPECT_NEAR(last(run, "elbow.position"), -0.357120859032373, 1e-8);
  // oracle: arm.driven.shoulder_work
  EXPECT_NEAR(last(run, "s.work"), 9.20129940239586, 1e-8);
  // oracle: arm.driven.elbow_work
  EXPECT_NEAR(last(run, "e.work"), 4.867373153667784, 1e-8);
  for (const char* joint : {"s", "e"}) {
    const auto &mode = run[std::string(joint) + ".mode"],
               &speed = run[std::string(joint) + ".velocity"];
    for (std::size_t i = 0; i < mode.size(); ++i)
      EXPECT_TRUE(mode[i] != 0.0 || speed[i] == 0.0) << joint << " " << i;
  }
}

TEST(Linkage, MovesAlikeByCvode) {
  BRISTLE_NEEDS_SUNDIALS();
  Options o = until(3.0, 31, 1e-9);
  const auto one = simulate(Machine(driven_arm()), o);
  o.method = Options::cvode;
  const auto other = simulate(Machine(driven_arm()), o);
  ASSERT_EQ(other.summary.status, Status::done) << other.summary.message;
  for (std::size_t i = 0; i < one["time"].size(); ++i) {
    EXPECT_NEAR(one["shoulder.position"][i], other["shoulder.position"][i], 1e-6);
    EXPECT_NEAR(one["elbow.position"][i], other["elbow.position"][i], 1e-6);
  }
}

TEST(Linkage, WhoseJointHasAGearMovesAsWithItsInertiaOnTheJoint) {
  MachineParts p = driven_arm(), geared = driven_arm();
  p.bodies[0].body.inertia = 0.02 + 100.0 * 4e-4;
  geared.bodies.push_back({"motor", {.inertia = 4e-4, .motion = Body::rotation}});
  geared.couplings.push_back({"box", {"motor", "shoulder"}, couple(Gear{10.0})});
  geared.inputs[0].on = "motor";
  geared.inputs[0].signal.amplitude = 0.3;
  const auto one = simulate(Machine(p), until(3.0, 31)),
             other = simulate(Machine(geared), until(3.0, 31));
  for (std::size_t i = 0; i < one["time"].size(); ++i) {
    EXPECT_NEAR(one["shoulder.position"][i], other["shoulder.position"][i], 1e-10);
    EXPECT_NEAR(one["elbow.position"][i], other["elbow.position"][i], 1e-10);
  }
}

TEST(Linkage, OfACartHoldsItWhileThePendulumSwings) {
  MachineParts p;
  p.bodies = {{"cart", {.inertia = 2.0}},
              {"pendulum", {.inertia = 0.0, .position = 1.2, .motion = Body::rotation}}};
  p.couplings = {{"pivot", {"cart", "pendulum"}, couple(CartPendulum{.mass = 1.0, .centre = 0.4})}};
  p.contacts = {{"rail", between("cart", "ground"), coulomb(8.5)}};
  const auto run = simulate(Machine(p), until(3.0, 3001));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  // The rod pulls with m g (3 cos q - 2 cos q0) until its part along the rail reaches the friction.
  const double g = 9.81;
  const auto along = [&](double q) {
    return g * (3.0 * std::cos(q) - 2.0 * std::cos(1.2)) * std::sin(q);
  };
  ASSERT_FALSE(run.events.empty());
  const double slips = run.events[0].time;
  EXPECT_GT(slips, 0.1);
  for (std::size_t i = 0; i < run["time"].size() && run["time"][i] < slips; ++i) {
    EXPECT_EQ(run["cart.velocity"][i], 0.0);
    EXPECT_NEAR(run["rail.force"][i], along(run["pendulum.position"][i]), 1e-8);
  }
  EXPECT_NEAR(run.events[0].force, 8.5, 1e-9);
  double moved = 0.0;
  for (const double x : run["cart.position"]) moved = std::max(moved, std::abs(x));
  EXPECT_GT(moved, 1e-3);
}

TEST(Linkage, CarriedByADriveIsGivenTheWorkItTakes) {
  MachineParts p = arm(0.5, 0.2);
  p.drives = {{"hand", sine(0.3, 3.0)}};
  p.contacts = {{"grip", between("shoulder", "hand"), coulomb(500.0)},
                {"e", between("elbow", "ground"), coulomb(0.4)}};
  p.bodies[0].body.velocity = 0.3 * 3.0;  // that of the hand
  const auto run = simulate(Machine(p), until(6.0, 601));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  for (const double slip : run["grip.velocity"]) EXPECT_EQ(slip, 0.0);
  EXPECT_GT(last(run, "dissipated"), 0.1);
}

// Point masses at the ends of three links, by their absolute angles.
struct Chain {
  using Number = double;
  static constexpr std::string_view name = "chain_of_links";
  static constexpr std::string_view summary = "three links with a point mass each";
  static constexpr int joints = 3;
  double mass = 1.0, length = 0.3;
  static constexpr auto fields() {
    return std::array{Field<Chain>{"mass", "kg", "mass of each link", positive, &Chain::mass},
                      Field<Chain>{"length", "m", "length of each", positive, &Chain::length}};
  }
  template <class S>
  S kinetic(const std::array<S, 3>& q, const std::array<S, 3>& w) const {
    S x(0.0), y(0.0), sum(0.0);
    for (std::size_t i = 0; i < 3; ++i) {
      x += length * cos(q[i]) * w[i], y += length * sin(q[i]) * w[i];
      sum += 0.5 * mass * (x * x + y * y);
    }
    return sum;
  }
  template <class S>
  S potential(const std::array<S, 3>& q) const {
    S sum(0.0);
    for (std::size_t i = 0; i < 3; ++i) sum -= 9.81 * mass * length * double(3 - i) * cos(q[i]);
    return sum;
  }
};

TEST(Linkage, OfThreeLinksOfYourOwnSticksAndKeepsItsLedger) {
  MachineParts p;
  for (const char* body : {"a", "b", "c"})
    p.bodies.push_back({body, {.inertia = 0.0, .position = 1.3, .motion = Body::rotation}});
  p.couplings = {{"links", {"a", "b", "c"}, couple(Chain{})}};
  p.contacts = {{"first", between("a", "ground"), coulomb(1.0)},
                {"second", between("b", "a"), coulomb(0.6)},
                {"third", between("c", "b"), coulomb(0.3)}};
  const auto run = simulate(Machine(p), until(10.0, 1001));
  ASSERT_EQ(run.summary.status, Status::done) << run.summary.message;
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  for (const char* body : {"a.velocity", "b.velocity", "c.velocity"})
    EXPECT_EQ(last(run, body), 0.0) << "all at rest in the end";
}

TEST(Linkage, IsRefusedWhereItsBodiesDoNotFit) {
  const auto refusal = [](const MachineParts& p) -> std::string {
    try {
      const Machine machine(p);
    } catch (const InvalidPart& error) {
      return error.list + " " + error.field + ": " + error.what();
    }
    return "accepted";
  };
  auto p = arm(0.0, 0.0);
  p.couplings[0].between = {"shoulder", "ground"};
  EXPECT_EQ(refusal(p),
            "coupling between: coupling: the joints of a two_link_arm are bodies that move freely, "
            "\"ground\" is not");
  p.couplings[0].between = {"shoulder", "elbow", "shoulder"};
  EXPECT_EQ(refusal(p), "coupling between: coupling: two_link_arm joins 2 bodies, between has 3");
  p = arm(0.0, 0.0);
  p.couplings[0].coupling = couple(TwoLinkArm{.lower_mass = 0.0});
  p.bodies[1].body.inertia = 0.0;
  EXPECT_EQ(refusal(p),
            "body inertia: body: inertia = 0 of \"elbow\" is not allowed, it must be greater than "
            "0: only a body to which a linkage gives inertia may have none of its own");
  Options fixed = until(1.0, 11);
  fixed.method = Options::coupled;
  EXPECT_THROW(simulate(Machine(arm(1.0, 0.0)), fixed), InvalidInput);
}

TEST(Linkage, IsSteppedByARunAndGoesBackToASnapshot) {
  bristle::Run run{Machine(driven_arm())};
  for (int i = 0; i < 300; ++i) ASSERT_EQ(run.step(0.01), Status::done);
  RunSnapshot here;
  run.save(here);
  run.step(0.05);
  const double later = run.position(0);
  run.restore(here);
  run.step(0.05);
  EXPECT_EQ(run.position(0), later);
}

}  // namespace
}  // namespace bristle::linkage_test
