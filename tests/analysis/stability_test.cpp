// SPDX-License-Identifier: MIT
// Bounds of the state and input-to-state stability, and what breaks them.
#include "bristle/analysis/stability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/analysis/passivity.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"

namespace bristle::stability_test {
namespace {

const FrBD<> tyre{.stiffness = 252.0,
                  .damping = 0.01,
                  .viscous = 0.0018,
                  .dynamic_coefficient = 0.2,
                  .static_coefficient = 0.6,
                  .stribeck_velocity = 10.0};

// A bristle that breaks the assumptions: z' = gain v - decay |v| z / 1 mm, F = 100 z. The source
// wants gain <= 1 (mu / g) and decay >= 0; no law that can be named may leave these ranges.
struct WrongBristle {
  using Number = double;
  static constexpr std::string_view name = "wrong_bristle";
  static constexpr std::string_view summary = "a bristle without the properties of one";

  double gain = 1.0;
  double decay = 1.0;

  static constexpr auto fields() {
    using F = Field<WrongBristle>;
    return std::array{F{"gain", "", "drive over velocity", any_number, &WrongBristle::gain},
                      F{"decay", "", "relaxation", any_number, &WrongBristle::decay}};
  }
  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& motion, const Branch<V>& branch) const {
    const S& v = motion.velocity;
    const S rate = gain * v - (decay / 1e-3) * (branch.direction * v) * z;
    return spring_response(rate, S(100.0 * z), v, 100.0, z);
  }
  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& branch) const {
    return S(100.0 * gain / decay * 1e-3 * branch.direction);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 50.0 * z * z;
  }
  double state_scale() const { return 1e-3; }
};

template <class Law>
PatchStability tried(const Law& law, PatchShape shape) {
  return certify_stability(ContactPatch(erase(law), std::move(shape)));
}

TEST(StateBound, IsTheLargestCoefficientOverTheStiffness) {
  const StateBound b = certify_bound(*erase(FrBD<>{.viscous = 0.0}));
  EXPECT_NEAR(b.bound, 1.5e-4, 1e-10);
  EXPECT_TRUE(b.premise);
  EXPECT_TRUE(b.holds()) << b.worst;
  EXPECT_GT(b.worst, 0.9);
  EXPECT_EQ(b.trials, StabilityOptions{}.trials);
}

TEST(StateBound, HoldsForLuGreAsWell) {
  const StateBound b = certify_bound(*erase(LuGre<>{.viscous = 0.5}));
  EXPECT_TRUE(b.premise);  // the viscous force stands beside the bristles
  EXPECT_TRUE(b.holds()) << b.worst;
}

// Lemma III.1 wants mu / stiffness bounded.
TEST(StateBound, HasNoPremiseWhereTheCoefficientGrowsWithTheSpeed) {
  const StateBound b = certify_bound(*erase(FrBD<>{.viscous = 2.0}));
  EXPECT_FALSE(b.premise);
  EXPECT_NEAR(b.bound, (1.0 + 2.0 * 10.0) / 1e4, 1e-9);
  EXPECT_TRUE(b.holds()) << b.worst;
  // The bound of the static coefficient, which the lemma would give, is left.
  EXPECT_GT(b.worst * b.bound, 2.0 * 1.5e-4);
}

// And a bristle that relaxes: one that grows leaves its steady deflection behind.
TEST(StateBound, IsLeftByABristleThatDoesNotRelax) {
  const StabilityOptions few{.trials = 4, .top_speed = 0.1};
  EXPECT_TRUE(certify_bound(*erase(WrongBristle{}), few).holds());
  const StateBound b = certify_bound(*erase(WrongBristle{.decay = -1.0}), few);
  EXPECT_FALSE(b.holds()) << b.worst;
}

TEST(PatchStability, TakesItsConstantsFromTheParameters) {
  const PatchStability s = tried(tyre, {.transport = 200.0, .load = 3.0});
  EXPECT_NEAR(s.passage, 0.005, 1e-12);
  EXPECT_DOUBLE_EQ(s.spread, 1.0);
  EXPECT_NEAR(s.gain, 0.005 / std::sqrt(3.0), 1e-8);
  EXPECT_NEAR(s.elastic, 3.0 * 252.0, 1e-3);
  EXPECT_NEAR(s.direct, 3.0 * 0.01, 1e-6);
}

TEST(PatchStability, HoldsForEveryPressure) {
  for (const int pressure :
       {PatchShape::constant, PatchShape::exponential, PatchShape::parabolic}) {
    const PatchStability s = tried(tyre, {.pressure = pressure});
    EXPECT_TRUE(s.state_holds()) << pressure << ": " << s.worst_state;
    EXPECT_TRUE(s.force_holds()) << pressure << ": " << s.worst_force;
    // The bound is not empty: trials come near to it.
    EXPECT_GT(s.worst_state, 0.3) << pressure;
  }
}

TEST(PatchStability, HoldsWhereTheTransportVariesAlongThePatch) {
  const PatchStability s = tried(tyre, {.transport_table = {1.0, 2.0, 0.5}});
  EXPECT_NEAR(s.spread, 2.0, 0.01);
  EXPECT_TRUE(s.state_holds()) << s.worst_state;
}

// The partial derivative lets the deflection at the end of the patch into the force, which the
// norm along the patch does not bound.
TEST(PatchStability, LosesTheBoundOfTheForceWithThePartialDerivative) {
  FrBD<> damped = tyre;
  damped.damping = 4.0;
  const PatchStability s = tried(damped, {.derivative = 1});
  EXPECT_TRUE(s.state_holds()) << s.worst_state;
  EXPECT_FALSE(s.force_holds()) << s.worst_force;
  EXPECT_TRUE(tried(damped, {}).force_holds());
}

// Lemma IV.1 rests on mu / g <= 1 and on a bristle that relaxes.
TEST(PatchStability, LosesTheBoundOfTheStateWithoutItsAssumptions) {
  EXPECT_TRUE(tried(WrongBristle{}, {}).state_holds());
  EXPECT_FALSE(tried(WrongBristle{.gain = 3.0, .decay = 0.01}, {}).state_holds());
  EXPECT_FALSE(tried(WrongBristle{.decay = -1.0}, {}).state_holds());
}

Signal pulses() {
  Signal s;
  s.shape = Signal::samples;
  s.curve = std::make_shared<SampledCurve>(std::vector{0.0, 1e-4, 2e-4, 7e-4, 8e-4, 9e-4, 7.5e-3},
                                           std::vector{0.0, 1.0, 0.0, 0.0, -1.0, 0.0, 0.0});
  return s;
}

double largest_fall(const std::vector<double>& lost) {
  double fall = 0.0;
  for (std::size_t i = 1; i < lost.size(); ++i) fall = std::max(fall, lost[i - 1] - lost[i]);
  return fall;
}

TEST(PatchEnergy, NeverFallsWithAPressureThatDoesNotRise) {
  for (const int pressure : {PatchShape::constant, PatchShape::exponential}) {
    const ContactPatch patch(erase(tyre), {.pressure = pressure, .points = 400.0});
    const auto lost = dissipated(patch, pulses(), 0.0075, 301);
    EXPECT_GT(lost.back(), 0.0);
    EXPECT_LT(largest_fall(lost), 1e-3 * lost.back()) << pressure;
  }
}

TEST(PatchEnergy, FallsAsABunchOfBentBristlesNearsTheTopOfAParabolicPressure) {
  const ContactPatch patch(erase(tyre), {.pressure = PatchShape::parabolic, .points = 400.0});
  const auto lost = dissipated(patch, pulses(), 0.0075, 301);
  EXPECT_GT(largest_fall(lost), 1e-3 * lost.back());
}

}  // namespace
}  // namespace bristle::stability_test
