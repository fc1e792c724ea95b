// SPDX-License-Identifier: MIT
#include "bristle/model/mpabm.hpp"

#include "close.hpp"

namespace bristle::mpabm_test {
namespace {

using test::close;
using test::epsilon;

TEST(Mpabm, SteadyForceIsTheMeanAngleTimesStiffnessOverGain) {
  Mpabm<> law;
  law.angle_gain = 2e4;
  const double theta = 0.5 + 0.25 * std::exp(-4.0);
  EXPECT_TRUE(close(steady_force(law, Motion<double>{0.0, 0.002}), 5.0 * theta, 2.0 * epsilon));
}

}  // namespace
}  // namespace bristle::mpabm_test
