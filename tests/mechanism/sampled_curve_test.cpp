// SPDX-License-Identifier: MIT
#include "bristle/mechanism/signal.hpp"
#include "close.hpp"

namespace bristle::sampled_curve_test {
namespace {

using test::Random;

Signal through(const std::vector<double>& times, const std::vector<double>& values) {
  Signal s;
  s.shape = Signal::samples;
  s.curve = std::make_shared<const SampledCurve>(times, values);
  return s;
}

std::string complaint(std::vector<double> times, std::vector<double> values) {
  try {
    SampledCurve(std::move(times), std::move(values));
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.field, "samples");
    return error.what();
  }
  return "";
}

struct Points {
  std::vector<double> times, values;
};
Points random_points(Random& random) {
  Points p;
  double t = 0.0;
  for (int i = 0; i < 30; ++i) {
    p.times.push_back(t += random.log_uniform(1e-3, 1.0));
    p.values.push_back(i % 7 == 3 ? p.values.back() : random.uniform(-1.0, 1.0));
  }
  return p;
}

TEST(SampledCurve, PassesThroughItsPoints) {
  Random random(111);
  const Points p = random_points(random);
  const Signal s = through(p.times, p.values);
  for (std::size_t i = 0; i < p.times.size(); ++i)
    EXPECT_NEAR(s.value(p.times[i], s.piece(p.times[i])), p.values[i], 1e-15);
}

// Between two points the curve never leaves their values nor turns back.
TEST(SampledCurve, DoesNotOvershootBetweenItsPoints) {
  Random random(112);
  for (int trial = 0; trial < 100; ++trial) {
    const Points p = random_points(random);
    const Signal s = through(p.times, p.values);
    for (std::size_t i = 0; i + 1 < p.times.size(); ++i) {
      const double rise = p.values[i + 1] - p.values[i];
      double last = p.values[i];
      for (int k = 1; k <= 50; ++k) {
        const double t = p.times[i] + (p.times[i + 1] - p.times[i]) * k / 50.0;
        const double value = s.value(t, int(2 * i));
        // Rounding of values of order one.
        ASSERT_GE((value - last) * (rise >= 0.0 ? 1.0 : -1.0), -2e-15)
            << "trial " << trial << ", segment " << i << ", t = " << t;
        last = value;
      }
      ASSERT_NEAR(s.value(p.times[i + 1], int(2 * i)), p.values[i + 1], 2e-15);
    }
  }
}

TEST(SampledCurve, IsSmoothAcrossItsPoints) {
  Random random(113);
  const Points p = random_points(random);
  const Signal s = through(p.times, p.values);
  for (std::size_t i = 1; i + 1 < p.times.size(); ++i) {
    const double left = s.slope(p.times[i], int(2 * (i - 1)));
    const double right = s.slope(p.times[i], int(2 * i));
    EXPECT_TRUE(test::close(left, right, 1e-12, 1.0)) << "point " << i;
  }
}

TEST(SampledCurve, ReproducesAStraightLine) {
  const Signal s = through({0.0, 0.3, 1.0, 1.1}, {1.0, 1.6, 3.0, 3.2});
  for (double t = 0.0; t < 1.1; t += 0.05) {
    EXPECT_NEAR(s.value(t, s.piece(t)), 1.0 + 2.0 * t, 1e-14);
    EXPECT_NEAR(s.slope(t, s.piece(t)), 2.0, 1e-13);
  }
}

// A sine through equally spaced points, away from its turning points: third order in the spacing.
TEST(SampledCurve, ApproachesASmoothCurveWithTheSpacing) {
  const auto error = [](int points) {
    std::vector<double> times, values;
    for (int i = 0; i <= points; ++i) {
      times.push_back(i / double(points));
      values.push_back(std::sin(times.back()));
    }
    const Signal s = through(times, values);
    double worst = 0.0;
    for (double t = 0.3; t < 0.7; t += 0.001)
      worst = std::max(worst, std::abs(s.value(t, s.piece(t)) - std::sin(t)));
    return worst;
  };
  EXPECT_LT(error(40), error(20) / 7.0);
  EXPECT_LT(error(40), 1e-6);
}

TEST(SampledCurve, RefusesPointsThatDoNotGoForwardInTime) {
  EXPECT_EQ(complaint({0.0, 1.0, 0.5}, {1.0, 2.0, 3.0}),
            "time must increase: point 3 at 0.5 s follows 1 s");
  EXPECT_EQ(complaint({0.0, 1.0, 1.0}, {1.0, 2.0, 3.0}),
            "time must increase: point 3 at 1 s follows 1 s");
}

TEST(SampledCurve, RefusesNumbersThatAreNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(complaint({0.0, 1.0}, {1.0, std::nan("")}), "point 2 is not a finite number");
  EXPECT_EQ(complaint({0.0, std::nan("")}, {1.0, 2.0}), "point 2 is not a finite number");
  EXPECT_EQ(complaint({-inf, 1.0}, {1.0, 2.0}), "point 1 is not a finite number");
}

TEST(SampledCurve, RefusesFewerThanTwoPoints) {
  const std::string sentence = "a sampled signal needs at least two points";
  EXPECT_EQ(complaint({}, {}), sentence);
  EXPECT_EQ(complaint({1.0}, {1.0}), sentence);
  EXPECT_EQ(complaint({0.0, 1.0}, {1.0}), sentence);
}

}  // namespace
}  // namespace bristle::sampled_curve_test
