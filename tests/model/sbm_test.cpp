// SPDX-License-Identifier: MIT
#include "bristle/model/sbm.hpp"

#include "close.hpp"

namespace bristle::sbm_test {
namespace {

using test::close;
using test::epsilon;

TEST(Sbm, SechCurveFallsMoreSlowlyThanTheExponentialAndCannotOverflow) {
  Sbm<> sech, exponential;
  sech.curve = Sbm<>::sech;
  const auto steady = [](const Sbm<>& law, double v) {
    return steady_force(law, Motion<double>{0.0, v});
  };
  for (const double v : {0.01, 0.1, 0.3}) {
    EXPECT_TRUE(close(steady(sech, v), 1.0 + 0.5 / std::cosh(v / 0.1), 2.0 * epsilon));
    EXPECT_GT(steady(sech, v), steady(exponential, v));
  }
  EXPECT_EQ(steady(sech, 1e6), 1.0);
}

}  // namespace
}  // namespace bristle::sbm_test
