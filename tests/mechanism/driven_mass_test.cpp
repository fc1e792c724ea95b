// SPDX-License-Identifier: MIT
#include "bristle/mechanism/driven_mass.hpp"

#include "bristle/model/describe.hpp"
#include "close.hpp"

namespace bristle::driven_mass_test {
namespace {

// The body of a mechanism with the given parameters.
template <class M>
DrivenMass<double> its_body(const M& mechanism) {
  const auto values = values_of(mechanism);
  return *driven_mass<double>(
      M::name, [&](std::string_view name) { return std::get<double>(values.find(name)->second); });
}

TEST(DrivenMass, AcceleratesAsTheMechanismsDo) {
  test::Random random(3);
  for (int k = 0; k < 50; ++k) {
    const double t = random.uniform(0.1, 2.0), x = random.uniform(-1.0, 1.0),
                 f = random.uniform(-2.0, 2.0);
    const auto expect = [&](const DrivenMass<double>& body, double lagged, double acceleration) {
      EXPECT_TRUE(test::close((body.push(x, lagged) - f) / body.mass, acceleration, 1e-12, 1.0));
    };
    std::array<double, 2> y{x, 0.3}, rate{};
    const DraggedMass dragged{.mass = random.uniform(0.5, 2.0),
                              .spring = random.uniform(1.0, 9.0),
                              .drag_velocity = random.uniform(-1.0, 1.0)};
    dragged.rates(t, y, f, 0, rate);
    expect(its_body(dragged), dragged.drag_velocity * t, rate[1]);
    WallSpringMass wall{.mass = random.uniform(0.5, 2.0), .spring = random.uniform(0.0, 9.0)};
    wall.rates(t, y, f, 0, rate);
    expect(its_body(wall), wall.signal.value(t, 0), rate[1]);
    Pendulum arm{.inertia = random.uniform(0.5, 2.0),
                 .weight = random.uniform(0.1, 9.0),
                 .tilt = random.uniform(-0.5, 0.5)};
    arm.rates(t, y, f, 0, rate);
    expect(its_body(arm), arm.signal.value(t, 0), rate[1]);
    const auto turning = its_body(arm);
    const auto push = [&](double q) { return turning.push(q, 0.0); };
    EXPECT_TRUE(
        test::close(turning.stiffness(x), -test::central_difference(push, x, 1e-6), 1e-7, 1.0));
    // The lagged command is the pressure less the least one, over the gain.
    DiaphragmValve valve{.mass = random.uniform(0.5, 2.0), .area = random.uniform(0.01, 0.1)};
    const double command = random.uniform(0.0, 100.0);
    std::array<double, 3> stem{x, 0.3, valve.gain * command + valve.least_pressure}, stem_rate{};
    valve.rates(t, stem, f, 0, stem_rate);
    const auto body = its_body(valve);
    EXPECT_TRUE(test::close((body.push(x, command) - f) / body.mass, stem_rate[1], 1e-10, 1e5));
    EXPECT_EQ(body.lag, valve.time_constant);
  }
}

TEST(DrivenMass, HasTheInputInPlaceOfTheDragVelocityOnly) {
  for_each_driven([](const auto& mechanism) {
    const bool dragged = std::is_same_v<std::remove_cvref_t<decltype(mechanism)>, DraggedMass>;
    EXPECT_EQ(input_replaces_parameter(mechanism.name), dragged) << mechanism.name;
  });
  EXPECT_FALSE(input_replaces_parameter("prescribed_motion"));
}

TEST(DrivenMass, IsNothingForOtherMechanisms) {
  EXPECT_FALSE(driven_mass<double>("prescribed_motion", [](std::string_view) { return 1.0; }));
}

}  // namespace
}  // namespace bristle::driven_mass_test
