// SPDX-License-Identifier: MIT
// What friction acts on: equations of motion and the balance of power.
#include "bristle/mechanism/mechanism.hpp"

#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/mechanism/pendulum.hpp"
#include "bristle/mechanism/prescribed_motion.hpp"
#include "bristle/mechanism/wall_spring_mass.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/scalar/dual.hpp"
#include "close.hpp"

namespace bristle::mechanism_test {
namespace {

using test::close;
using test::Random;

static_assert(Mechanism<DraggedMass> && Mechanism<WallSpringMass> && Mechanism<PrescribedMotion> &&
              Mechanism<Pendulum>);

template <class M>
class EveryMechanism : public ::testing::Test {};

struct MechanismName {
  template <class M>
  static std::string GetName(int) {
    return std::string(M::name);
  }
};
using Mechanisms = ::testing::Types<DraggedMass, WallSpringMass, PrescribedMotion, Pendulum>;
TYPED_TEST_SUITE(EveryMechanism, Mechanisms, MechanismName);

// Random parameters and a random drive of any shape but samples.
template <class M>
M random_mechanism(Random& random) {
  M m{};
  for (const auto& field : M::fields()) m.*field.number *= random.log_uniform(0.1, 10.0);
  if constexpr (requires { m.signal; }) {
    m.signal.shape = random.below(3);
    m.signal.amplitude = random.uniform(-3.0, 3.0);
    m.signal.frequency = random.log_uniform(0.1, 10.0);
    m.signal.offset = random.uniform(-1.0, 1.0);
    m.signal.rate = random.uniform(-1.0, 1.0);
  }
  return m;
}

template <class M>
std::array<double, M::size> random_state(Random& random) {
  std::array<double, M::size> y{};
  for (auto& x : y) x = random.uniform(-2.0, 2.0);
  return y;
}

// Along any trajectory: what the drive delivers goes into the mass, the springs and the friction.
// The derivative of the energy is taken in time with the states moving at their rates.
TYPED_TEST(EveryMechanism, PowerFromTheDriveGoesIntoEnergyAndFriction) {
  Random random(121);
  using D = Dual<double, 1>;
  for (int trial = 0; trial < 1000; ++trial) {
    const TypeParam mechanism = random_mechanism<TypeParam>(random);
    const auto y = random_state<TypeParam>(random);
    const double t = random.uniform(0.0, 20.0), friction = random.uniform(-3.0, 3.0);
    const int piece = mechanism.piece(t);
    std::array<double, TypeParam::size> dydt{};
    mechanism.rates(t, y, friction, piece, dydt);
    std::array<D, TypeParam::size> moving{};
    for (int i = 0; i < TypeParam::size; ++i) moving[i] = D(y[i], {dydt[i]});
    const D energy = mechanism.energy(variable<1>(t, 0), moving, piece);
    const double velocity = mechanism.motion(t, y, piece).velocity;
    const double power_in = mechanism.power_in(t, y, friction, piece);
    const double terms = std::abs(power_in) + std::abs(friction * velocity) + 10.0 * energy.value;
    ASSERT_TRUE(close(power_in - friction * velocity, energy.slope[0], 1e-14, terms))
        << "trial " << trial << ", t = " << t;
  }
}

TYPED_TEST(EveryMechanism, GivesTheLawMotionTimeAndLoad) {
  Random random(122);
  using D = Dual<double, 1>;
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam mechanism = random_mechanism<TypeParam>(random);
    const auto y = random_state<TypeParam>(random);
    const double t = random.uniform(0.0, 20.0);
    const int piece = mechanism.piece(t);
    const auto m = mechanism.motion(t, y, piece);
    EXPECT_EQ(m.load, mechanism.load);
    EXPECT_EQ(m.time, t);
    // The velocity is the derivative of the position.
    std::array<double, TypeParam::size> dydt{};
    mechanism.rates(t, y, 0.7, piece, dydt);
    std::array<D, TypeParam::size> moving{};
    for (int i = 0; i < TypeParam::size; ++i) moving[i] = D(y[i], {dydt[i]});
    const D position = mechanism.motion(variable<1>(t, 0), moving, piece).position;
    ASSERT_TRUE(close(m.velocity, position.slope[0], 1e-14, 1.0)) << "trial " << trial;
    if constexpr (TypeParam::velocity_state >= 0) {
      EXPECT_EQ(m.velocity, y[TypeParam::velocity_state]);
    }
  }
}

TYPED_TEST(EveryMechanism, HasDefaultsAndBoundsThatHold) {
  EXPECT_NO_THROW(validate(TypeParam{}));
  for (const auto& info : describe<TypeParam>().fields)
    EXPECT_THROW(make<TypeParam>({{info.name, std::nan("")}}), InvalidInput) << info.name;
  EXPECT_THROW(make<TypeParam>({{"load", 0.0}}), InvalidInput);
}

template <class M>
class MovingMass : public ::testing::Test {};
using Masses = ::testing::Types<DraggedMass, WallSpringMass>;
TYPED_TEST_SUITE(MovingMass, Masses, MechanismName);

// The hold force is the one that leaves the mass without acceleration.
TYPED_TEST(MovingMass, StaysAtRestUnderTheHoldForce) {
  Random random(123);
  for (int trial = 0; trial < 200; ++trial) {
    const TypeParam mechanism = random_mechanism<TypeParam>(random);
    const auto y = random_state<TypeParam>(random);
    const double t = random.uniform(0.0, 20.0);
    const int piece = mechanism.piece(t);
    std::array<double, 2> dydt{};
    mechanism.rates(t, y, mechanism.hold(t, y, piece), piece, dydt);
    ASSERT_EQ(dydt[1], 0.0) << "trial " << trial;
    ASSERT_EQ(dydt[0], y[1]);
  }
}

TYPED_TEST(MovingMass, HasPositiveScalesForItsStates) {
  Random random(124);
  for (int trial = 0; trial < 50; ++trial) {
    TypeParam mechanism = random_mechanism<TypeParam>(random);
    for (const double scale : mechanism.scales(1.5)) {
      EXPECT_GT(scale, 0.0);
      EXPECT_TRUE(std::isfinite(scale));
    }
  }
}

// m v' = k (w t - x) - F with numbers done by hand.
TEST(DraggedMass, FollowsNewtonsLaw) {
  DraggedMass m;
  m.mass = 2.0;
  m.spring = 4.0;
  m.drag_velocity = 0.5;
  const std::array<double, 2> y{0.3, 0.1};
  std::array<double, 2> dydt{};
  m.rates(2.0, y, 0.6, 0, dydt);
  EXPECT_DOUBLE_EQ(dydt[0], 0.1);
  EXPECT_DOUBLE_EQ(dydt[1], (4.0 * (1.0 - 0.3) - 0.6) / 2.0);
  EXPECT_DOUBLE_EQ(m.energy(2.0, y, 0), 0.5 * (2.0 * 0.01 + 4.0 * 0.49));
  EXPECT_DOUBLE_EQ(m.power_in(2.0, y, 0.6, 0), 0.5 * 4.0 * 0.7);
  EXPECT_DOUBLE_EQ(m.input(2.0, 0), 1.0);
  EXPECT_DOUBLE_EQ(m.section(), 0.25);
}

// m v' = u(t) - K x - F with numbers done by hand.
TEST(WallSpringMass, FollowsNewtonsLaw) {
  WallSpringMass m;
  m.mass = 2.0;
  m.spring = 3.0;
  m.signal.amplitude = 5.0;
  const std::array<double, 2> y{0.3, -0.1};
  std::array<double, 2> dydt{};
  const double push = 5.0 * std::sin(0.4);
  m.rates(0.4, y, 0.6, 0, dydt);
  EXPECT_DOUBLE_EQ(dydt[0], -0.1);
  EXPECT_DOUBLE_EQ(dydt[1], (push - 0.9 - 0.6) / 2.0);
  EXPECT_DOUBLE_EQ(m.energy(0.4, y, 0), 0.5 * (2.0 * 0.01 + 3.0 * 0.09));
  EXPECT_DOUBLE_EQ(m.power_in(0.4, y, 0.6, 0), -0.1 * push);
  EXPECT_DOUBLE_EQ(m.input(0.4, 0), push);
}

TEST(PrescribedMotion, IsTheSignalAndTakesAllThePowerOfTheFriction) {
  PrescribedMotion m;
  m.signal.amplitude = 0.2;
  m.signal.frequency = 3.0;
  const std::array<double, 0> none{};
  const auto motion = m.motion(0.4, none, 0);
  EXPECT_DOUBLE_EQ(motion.position, 0.2 * std::sin(1.2));
  EXPECT_DOUBLE_EQ(motion.velocity, 0.6 * std::cos(1.2));
  EXPECT_DOUBLE_EQ(m.power_in(0.4, none, 1.5, 0), 1.5 * 0.6 * std::cos(1.2));
  EXPECT_EQ(m.next_kink(0.1), m.signal.next_kink(0.1));
}

TEST(DraggedMass, RefusesAMassThatIsNotPositive) {
  try {
    make<DraggedMass>({{"mass", 0.0}});
    FAIL() << "a mass must be positive";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "dragged_mass: mass = 0 kg is not allowed, it must be greater than 0 kg");
  }
}

}  // namespace
}  // namespace bristle::mechanism_test
