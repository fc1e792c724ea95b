// SPDX-License-Identifier: MIT
// Bodies on a bristle in the plane, against the independent numbers of oracle/planar.py and closed
// forms.
#include "bristle/model/planar_reset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/model/erase.hpp"
#include "bristle/model/erase_block.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::planar_reset_test {
namespace {

using LawPointer = std::shared_ptr<const AnyLaw>;
using Plane = std::array<double, 2>;

Options until(double end, double samples = 2.0, double tolerance = 1e-11) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.tolerance = tolerance;
  return o;
}
Signal ramp(double rate) {
  Signal s;
  s.shape = Signal::ramp;
  s.rate = rate;
  return s;
}

// 1 kg on springs of 100 N/m whose ends move at a constant velocity, on ground that may shake.
struct Mass {
  Plane x{}, v{}, z{}, drag{};
  Signal shake = ramp(0.0);  // velocity of the ground
  double direction = 0.0;    // along which it shakes [rad]

  MachineParts on(LawPointer law) const {
    MachineParts p;
    p.bodies = {{"x", {.position = x[0], .velocity = v[0]}},
                {"y", {.position = x[1], .velocity = v[1]}}};
    p.drives = {{"ex", ramp(drag[0])},
                {"ey", ramp(drag[1])},
                {"ground_", shake, {.gives = DriveSettings::velocity}}};
    p.couplings = {{"sx", {"x", "ex"}, couple(SpringDamper{100.0})},
                   {"sy", {"y", "ey"}, couple(SpringDamper{100.0})}};
    ContactPart pad{"pad", {{{"x", 1.0}, {"ground_", -std::cos(direction)}}}, std::move(law)};
    pad.across = {{{"y", 1.0}, {"ground_", -std::sin(direction)}}};
    pad.settings.states = {z[0], z[1]};
    p.contacts = {pad};
    return p;
  }
  MachineResult run(const PlanarReset& law, const Options& options) const {
    return simulate(Machine(on(erase(law))), options);
  }
};

const double bend = 1e-4 / std::numbers::sqrt2;

Mass oscillator() { return {.x = {0.08, 0.08}, .v = {-0.8, 0.8}, .z = {-bend, bend}}; }

TEST(PlanarReset, OscillatorMatchesTheReference) {
  const auto run = oscillator().run({}, until(2.5, 6.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  ASSERT_GE(run.events.size(), 2u);
  EXPECT_EQ(run.events[0].kind, EventKind::slip);
  EXPECT_EQ(run.events[1].kind, EventKind::stick);
  EXPECT_NEAR(run.events[0].time, 0.008766045, 1e-9);  // oracle: planar.oscillator.slip_1
  EXPECT_NEAR(run.events[1].time, 2.232942862, 1e-8);  // oracle: planar.oscillator.stick_1
  const auto near = [&](const char* column, std::size_t at, double value, double within) {
    EXPECT_NEAR(run[column][at], value, within) << column << " at " << run["time"][at];
  };
  near("x.position", 1, 0.0751214128, 3e-10);   // oracle: planar.oscillator.x_1_0_5
  near("y.position", 1, -0.0439561357, 3e-10);  // oracle: planar.oscillator.x_2_0_5
  near("x.velocity", 1, 0.3763316451, 3e-9);    // oracle: planar.oscillator.v_1_0_5
  near("y.velocity", 1, 0.8173051824, 3e-9);    // oracle: planar.oscillator.v_2_0_5
  near("pad.state_1", 1, 0.0051501355, 3e-10);  // oracle: planar.oscillator.z_1_0_5
  near("pad.state_2", 1, 0.0085718204, 3e-10);  // oracle: planar.oscillator.z_2_0_5
  near("x.position", 4, -0.0080222884, 3e-10);  // oracle: planar.oscillator.x_1_2
  near("y.position", 4, 0.0118462926, 3e-10);   // oracle: planar.oscillator.x_2_2
  near("x.velocity", 4, -0.0871144290, 3e-9);   // oracle: planar.oscillator.v_1_2
  near("y.velocity", 4, -0.1430260076, 3e-9);   // oracle: planar.oscillator.v_2_2
  EXPECT_EQ(run["pad.mode"].front(), 0.0);
  EXPECT_EQ(run["pad.mode"][2], 1.0);
  EXPECT_EQ(run["pad.mode"].back(), 0.0);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
}

// Damping by the norm vanishes above damping_velocity: the last swing on the bristle goes on. By a
// constant it dies.
TEST(PlanarReset, WithDampingByTheNormTheOscillatorSwingsOn) {
  PlanarReset law;
  const auto speed = [](const MachineResult& r) {
    return std::hypot(r["x.velocity"].back(), r["y.velocity"].back());
  };
  EXPECT_GT(speed(oscillator().run(law, until(20.0))), 0.02);
  law.damping_by = PlanarReset::constant;
  EXPECT_LT(speed(oscillator().run(law, until(20.0))), 1e-5);
}

TEST(PlanarReset, DraggedMassSticksAndSlipsAsTheReference) {
  const Mass mass{.z = {-bend, bend}, .drag = {0.01, 0.005}};
  const auto run = mass.run({}, until(12.0));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  std::vector<double> slips;
  for (const auto& e : run.events)
    if (e.kind == EventKind::slip) slips.push_back(e.time);
  // oracle: planar.dragged.slip_1 .slip_2 .slip_3 .slip_4 .slip_5 .slip_6
  const double expected[]{2.14705177, 3.18245104, 4.19369473, 5.19615974, 6.1958775, 7.19475315};
  ASSERT_GE(slips.size(), 10u);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(slips[std::size_t(i)], expected[i], 2e-8);
  EXPECT_NEAR(run["x.position"].back(), 0.1091724949, 1e-8);  // oracle: planar.dragged.x_1
  EXPECT_NEAR(run["y.position"].back(), 0.0545860084, 1e-8);  // oracle: planar.dragged.x_2
  EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
}

// The bend stays on the circle while it slips, however long.
TEST(PlanarReset, KeepsASlippingBristleOnItsCircle) {
  const Mass mass{.z = {-bend, bend}, .drag = {0.3, 0.1}};
  const auto run = mass.run({}, until(60.0, 601.0, 1e-7));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  ASSERT_EQ(run["pad.mode"].back(), 1.0);
  EXPECT_NEAR(std::hypot(run["pad.state_1"].back(), run["pad.state_2"].back()), 0.01, 1e-12);
}

// A bristle that is bent too far at the start is unloaded in stick, or led back as it slips.
TEST(PlanarReset, StartsBeyondItsRangeAsWell) {
  for (const double v : {-0.5, 0.5}) {
    const Mass mass{.v = {v, 0.1}, .z = {0.02, 0.0}};
    const auto run = mass.run({}, until(0.3, 31.0, 1e-9));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_EQ(run["pad.mode"].front(), v > 0.0 ? 1.0 : 0.0);
    EXPECT_LE(std::hypot(run["pad.state_1"].back(), run["pad.state_2"].back()), 0.01 + 1e-12);
    EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
  }
}

LawPointer random_law(int kind, double static_force, double damping, double stiffness) {
  const char* names[]{"planar_reset", "lugre", "elasto_plastic"};
  if (kind == 0) {
    PlanarReset law;
    law.gradient = 0.0;
    law.stiffness = stiffness;
    law.damping = damping;
    return erase(law);
  }
  return make_law(names[kind], {{"stiffness", stiffness},
                                {"damping", damping},
                                {"viscous", 0.0},
                                {"coulomb_force", 1.0},
                                {"static_force", static_force},
                                {"stribeck_velocity", 0.01}});
}

TEST(PlanarBristles, NoRandomContactCreatesEnergy) {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  for (int i = 0; i < 40; ++i) {
    const double stiffness = 50.0 + 400.0 * part(random);
    const int kind = i % 3;
    const double damping = kind ? 0.2 * part(random) : 80.0 * part(random);
    Mass mass{.x = {0.1 * part(random), -0.1 * part(random)}, .v = {part(random), part(random)}};
    const double angle = 6.0 * part(random);
    mass.z = {1e-4 * std::cos(angle), 1e-4 * std::sin(angle)};
    const auto run = simulate(Machine(mass.on(random_law(kind, 1.0, damping, stiffness))),
                              until(1.5, 301.0, 1e-9));
    ASSERT_TRUE(run.summary.ok()) << i << ": " << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7) << i;
    const auto& lost = run["dissipated"];
    for (std::size_t k = 1; k < lost.size(); ++k)
      ASSERT_GE(lost[k], lost[k - 1] - 1e-9) << "case " << i;
  }
}

// The bend stays within the largest steady one, whatever the slip.
TEST(PlanarBristles, BendsStayBounded) {
  for (const int kind : {1, 2}) {
    Mass mass = oscillator();
    mass.shake = Signal{.amplitude = 0.7, .frequency = 31.0};
    mass.direction = 0.4;
    const auto run =
        simulate(Machine(mass.on(random_law(kind, 1.5, 1.0, 100.0))), until(3.0, 3001.0, 1e-10));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    for (std::size_t i = 0; i < run["time"].size(); ++i)
      EXPECT_LE(std::hypot(run["pad.state_1"][i], run["pad.state_2"][i]),
                1.5 / 100.0 * (1.0 + 1e-9));
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
  }
}

TEST(PlanarBristles, TurningTheAxesTurnsTheMotion) {
  for (const int kind : {0, 1, 2}) {
    const LawPointer law = kind == 0 ? erase(PlanarReset{}) : random_law(kind, 1.4, 1.0, 100.0);
    const double turn = 0.7, c = std::cos(turn), s = std::sin(turn);
    const auto turned = [&](const Plane& a) {
      return Plane{c * a[0] - s * a[1], s * a[0] + c * a[1]};
    };
    const Mass mass = oscillator();
    const Mass other{.x = turned(mass.x), .v = turned(mass.v), .z = turned(mass.z)};
    const auto one = simulate(Machine(mass.on(law)), until(1.0));
    const auto two = simulate(Machine(other.on(law)), until(1.0));
    const Plane want = turned({one["x.position"].back(), one["y.position"].back()});
    EXPECT_NEAR(two["x.position"].back(), want[0], 1e-9) << kind;
    EXPECT_NEAR(two["y.position"].back(), want[1], 1e-9) << kind;
  }
}

TEST(PlanarReset, TakesEnergyAndNeverGivesIt) {
  for (const double ratio : {1.0, 0.5}) {
    PlanarReset law;
    law.stiffness_ratio = ratio;
    law.gradient = 0.0;
    const auto run = oscillator().run(law, until(2.0, 2001.0));
    EXPECT_LT(run.summary.ledger.relative_error, 1e-7);
    const auto& lost = run["dissipated"];
    for (std::size_t i = 1; i < lost.size(); ++i) EXPECT_GE(lost[i], lost[i - 1] - 1e-9) << ratio;
  }
}

TEST(PlanarReset, EndsARunOfNumbersThatOverflow) {
  PlanarReset law;
  law.stiffness = 1e308;
  const Mass mass{.x = {0.08, 0.0}, .v = {1e10, 0.0}};
  const auto run = mass.run(law, until(1.0));
  EXPECT_EQ(run.summary.status, Status::not_finite) << run.summary.message;
}

// The shaken ground does the work that the body on its springs and friction take.
TEST(PlanarReset, OnShakenGroundTheLedgerCloses) {
  Mass mass = oscillator();
  mass.shake = Signal{.amplitude = 0.5, .frequency = 40.0};
  mass.direction = 1.1;
  const auto run = mass.run({}, until(2.0, 2.0, 1e-10));
  ASSERT_TRUE(run.summary.ok()) << run.summary.message;
  EXPECT_GT(std::abs(run.summary.ledger.work_in), 0.1);
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
}

}  // namespace
}  // namespace bristle::planar_reset_test
