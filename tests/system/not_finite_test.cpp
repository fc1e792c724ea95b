// SPDX-License-Identifier: MIT
// Systems whose numbers become NaN or infinite, by every driver.
#include "bristle/solve/not_finite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/model/erase.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/system/duhem.hpp"
#include "bristle/system/registry.hpp"
#include "bristle/system/rolling.hpp"
#include "sundials.hpp"

namespace bristle::not_finite_test {
namespace {

Options to(double end, int method = Options::rosenbrock) {
  Options o;
  o.end = end;
  o.method = method;
  o.samples = 101;
  return o;
}
Signal ramp(double rate) {
  Signal s;
  s.shape = Signal::ramp;
  s.rate = rate;
  return s;
}

template <class Run>
void expect_not_finite(const Run& r, std::string_view column) {
  EXPECT_EQ(r.status, Status::not_finite) << r.message;
  EXPECT_EQ(r.not_finite.column, column) << r.message;
  EXPECT_EQ(r.message.rfind("not finite: " + std::string(column) + " at t = ", 0), 0u) << r.message;
}

// A Duhem system whose rates have no value above an input of one half.
std::shared_ptr<const AnySystem> torn() {
  return duhem({.states = 1,
                .columns = 1,
                .f = [](auto, double u, auto f) { f[0] = u > 0.5 ? NAN : 1.0; },
                .g = [](double du, auto g) { g[0] = du; },
                .h = [](auto x, double) { return x[0]; }});
}

TEST(NotFinite, EndsADynamicSystemByEitherMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const int method : {Options::rosenbrock, Options::cvode}) {
    const auto r = torn()->respond(Signal{.amplitude = 1.0, .frequency = 1.0}, to(1.0, method));
    expect_not_finite(r, "state");
    EXPECT_NEAR(r.not_finite.time, std::numbers::pi / 6.0, 1e-6);
  }
}

TEST(NotFinite, EndsAnOperator) {
  const auto plays = make_system("prandtl_ishlinskii", {{"direct", 0.0},
                                                        {"thresholds", std::vector{0.0, 0.5}},
                                                        {"weights", std::vector{1e308, 1e308}}});
  expect_not_finite(plays->respond(ramp(1.0), to(2.0)), "output");
}

TEST(NotFinite, EndsARollingContactAndAWheel) {
  const auto law = erase(LuGre<>{.viscous = 1e300});
  PatchShape shape;
  shape.load = 1e300;
  shape.points = 20;
  expect_not_finite(patch_system(law, shape)->respond(ramp(1.0), to(0.1)), "output");
  BrakedWheel wheel;
  wheel.patch.load = 1e300;
  wheel.patch.points = 20;
  Signal torque = ramp(1e3);
  const auto r = wheel_system(law, wheel)->respond(torque, to(0.1));
  EXPECT_EQ(r.status, Status::not_finite) << r.message;
}

}  // namespace
}  // namespace bristle::not_finite_test
