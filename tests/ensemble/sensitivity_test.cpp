// SPDX-License-Identifier: MIT
#include "bristle/ensemble/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <set>

namespace bristle::sensitivity_test {
namespace {

using Function = std::function<double(const std::vector<double>&)>;

std::vector<double> values_of(const SensitivityDesign& design, const Function& f) {
  std::vector<double> values;
  for (std::uint64_t k = 0; k < design.runs(); ++k) values.push_back(f(design.point(k)));
  return values;
}

// y = sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 with all x in [-pi, pi].
double ishigami(const std::vector<double>& u) {
  const auto x = [&](std::size_t i) { return std::numbers::pi * (2.0 * u[i] - 1.0); };
  return std::sin(x(0)) + 7.0 * std::pow(std::sin(x(1)), 2) +
         0.1 * std::pow(x(2), 4) * std::sin(x(0));
}

// Closed form: V1 = (1 + b pi^4/5)^2/2, V2 = a^2/8, V13 = b^2 pi^8 (1/18 - 1/50), V3 = 0.
TEST(SobolIndices, AreThoseOfTheIshigamiFunction) {
  const double p4 = std::pow(std::numbers::pi, 4);
  const double v1 = 0.5 * std::pow(1.0 + 0.1 * p4 / 5.0, 2), v2 = 49.0 / 8.0;
  const double v13 = 0.01 * p4 * p4 * (1.0 / 18.0 - 1.0 / 50.0), v = v1 + v2 + v13;
  const SensitivityDesign design{SensitivityDesign::sobol_indices, 3, 1 << 14, 1};
  const auto r = sensitivities(design, values_of(design, ishigami));
  const double first[] = {v1 / v, v2 / v, 0.0}, total[] = {(v1 + v13) / v, v2 / v, v13 / v};
  EXPECT_NEAR(r.mean, 3.5, 0.01);
  EXPECT_NEAR(r.variance, v, 0.01 * v);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(r.inputs[i].first, first[i], 0.01) << i;
    EXPECT_NEAR(r.inputs[i].total, total[i], 0.01) << i;
    // The intervals hold the truth here, and are not wide.
    EXPECT_LT(std::abs(r.inputs[i].first - first[i]), r.inputs[i].first_half_width + 1e-12);
    EXPECT_LT(std::abs(r.inputs[i].total - total[i]), r.inputs[i].total_half_width + 1e-12);
    EXPECT_LT(r.inputs[i].first_half_width, 0.05);
  }
}

TEST(SobolIndices, OfMoreInputsThanTheSequenceHasAreFoundFromRandomPoints) {
  const SensitivityDesign design{SensitivityDesign::sobol_indices, 12, 1 << 13, 1};
  const auto sum = [](const std::vector<double>& u) {
    double y = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) y += (i < 2 ? 2.0 : 1.0) * u[i];
    return y;
  };
  const auto r = sensitivities(design, values_of(design, sum));
  // Weights squared over their sum 18; three standard errors of random points.
  EXPECT_NEAR(r.inputs[0].first, 4.0 / 18.0, 0.05);
  EXPECT_NEAR(r.inputs[11].first, 1.0 / 18.0, 0.05);
  EXPECT_NEAR(r.inputs[0].total, 4.0 / 18.0, 0.02);
}

TEST(SobolIndices, LeaveOutRowsWithARunThatFailed) {
  const SensitivityDesign design{SensitivityDesign::sobol_indices, 3, 4096, 1};
  auto values = values_of(design, ishigami);
  const auto whole = sensitivities(design, values);
  values[7] = values[9] = NAN;  // both of the second row
  values[101] = INFINITY;
  const auto r = sensitivities(design, values);
  EXPECT_EQ(whole.used, 4096u);
  EXPECT_EQ(r.used, 4094u);
  EXPECT_NEAR(r.inputs[0].first, whole.inputs[0].first, 0.01);
}

TEST(SobolIndices, OfAConstantAreNotNumbers) {
  const SensitivityDesign design{SensitivityDesign::sobol_indices, 2, 16, 1};
  for (const double value : {3.0, 0.1}) {
    const auto r = sensitivities(design, std::vector<double>(design.runs(), value));
    EXPECT_TRUE(std::isnan(r.inputs[0].first)) << value;
  }
  EXPECT_TRUE(std::isnan(sensitivities(design, {}).inputs[1].total));
}

// y = 3 x1 - 2 x2 + 10 (x3 - 1/2)^2: effects 3 and -2 everywhere; those of x3 over the steps
// 0 -> 2/3 and 1/3 -> 1 are 10 (x + x' - 1) = -10/3 and 10/3.
TEST(Morris, EffectsOfALinearFunctionAreItsCoefficients) {
  const SensitivityDesign design{SensitivityDesign::morris, 3, 400, 1};
  const auto f = [](const std::vector<double>& x) {
    return 3.0 * x[0] - 2.0 * x[1] + 10.0 * std::pow(x[2] - 0.5, 2);
  };
  const auto r = sensitivities(design, values_of(design, f));
  EXPECT_NEAR(r.inputs[0].first, 3.0, 1e-12);
  EXPECT_NEAR(r.inputs[0].sigma, 0.0, 1e-12);
  EXPECT_NEAR(r.inputs[1].first, -2.0, 1e-12);
  EXPECT_NEAR(r.inputs[1].total, 2.0, 1e-12);
  EXPECT_NEAR(r.inputs[2].first, 0.0, 4.0 * 10.0 / 3.0 / std::sqrt(400.0));
  EXPECT_NEAR(r.inputs[2].total, 10.0 / 3.0, 1e-12);
  EXPECT_NEAR(r.inputs[2].sigma, 10.0 / 3.0, 0.05);
}

TEST(Morris, PathsChangeOneInputAtATimeOnTheLevels) {
  const SensitivityDesign design{SensitivityDesign::morris, 5, 50, 3};
  for (std::uint64_t k = 0; k < design.runs(); ++k) {
    const auto x = design.point(k);
    for (const double one : x) EXPECT_EQ(one, std::round(3.0 * one) / 3.0);
    if (k % design.block() == 0) continue;
    const auto before = design.point(k - 1);
    int changed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) changed += x[i] != before[i];
    EXPECT_EQ(changed, 1);
  }
}

}  // namespace
}  // namespace bristle::sensitivity_test
