// SPDX-License-Identifier: MIT
// Lobes from the path of a system, against closed forms.
#include "bristle/analysis/lobes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/system/linear_lag.hpp"
#include "bristle/system/operators.hpp"

namespace bristle::lobes_test {
namespace {

// The lobes of a map of the output over the third period, once from samples and once exactly.
struct Both {
  FoldedCurve samples, exact;
};
Both lobes_of(const AnySystem& system, const Signal& input, const UnimodalMap& map, int samples) {
  Options o;
  o.end = 3.0 * input.period();
  o.record_from = 2.0 * input.period();
  o.samples = samples;
  o.tolerance = 1e-12;
  const SystemResponse r = system.respond(input, o);
  std::vector<double> image;
  for (const double y : r.output) image.push_back(map(y));
  Both both;
  both.samples = classify(split_branches(r.input, image));
  both.exact = exact_lobes(both.samples, system.path(input, o), input,
                           {[&](const PathPoint& p) { return map(p.output); }, map.corners()});
  return both;
}

// y = B sin(wt - p) begins on its closed loop; its square crosses itself at u = 0, and each lobe
// has the area 2/3 a B^2 A sin(2 p).
TEST(ExactLobes, OfTheSquareOfALagAreItsClosedForm) {
  const double w = 0.7, amplitude = 1.3, a = 2.5;
  const double real = 1.0 - w * w, imaginary = 2.0 * w, size = std::hypot(real, imaginary);
  const double b = amplitude / size, p = std::atan2(imaginary, real);
  LinearLag lag;
  lag.states = {-b * std::sin(p), b * w * std::cos(p)};
  const auto system = as_system(lag);
  const Signal input{.amplitude = amplitude, .frequency = w};
  const double area = 2.0 / 3.0 * a * b * b * amplitude * std::sin(2.0 * p);
  for (const int samples : {301, 1000}) {
    const Both both = lobes_of(*system, input, UnimodalMap::quadratic(a, 0.0), samples);
    ASSERT_EQ(both.exact.lobes.size(), 2u);
    EXPECT_EQ(both.exact.kind, CurveKind::butterfly);
    EXPECT_NEAR(both.exact.lobes[0].to, 0.0, 1e-10);
    EXPECT_NEAR(std::abs(both.exact.lobes[0].area), std::abs(area), 1e-10);
    EXPECT_NEAR(std::abs(both.exact.lobes[1].area), std::abs(area), 1e-10);
    EXPECT_LT(both.exact.lobes[0].area * both.exact.lobes[1].area, 0.0);
    // The polygons of the samples are off by far more.
    EXPECT_GT(std::abs(std::abs(both.samples.lobes[1].area) - std::abs(area)), 1e-8);
    // With the corner of an absolute value the crossing is the same.
    const Both bent = lobes_of(*system, input, UnimodalMap::absolute(0.0, 1.0, 1.0), samples);
    ASSERT_EQ(bent.exact.lobes.size(), 2u);
    EXPECT_NEAR(bent.exact.lobes[0].to, 0.0, 1e-10);
    EXPECT_NEAR(bent.exact.lobes[0].area, -bent.exact.lobes[1].area, 1e-10);
  }
}

// A play of threshold w under an amplitude A >= 2 w, squared, piece by piece.
TEST(ExactLobes, OfTheSquareOfAPlayAreTheirClosedForm) {
  PlaysModel play;
  play.direct = 0.0;
  play.thresholds = {0.5};
  play.weights = {1.0};
  const double A = 3.0, w = 0.5;
  const double area = 2.0 * w * std::pow(A - 2.0 * w, 2) + 2.0 * w * std::pow(A - w, 2) -
                      (std::pow(A - w, 3) - std::pow(A - 3.0 * w, 3)) / 3.0;
  const auto system = as_system(play);
  for (const double phase : {0.0, 0.8}) {
    const Signal input{.amplitude = A, .frequency = 1.0, .phase = phase};
    const Both both = lobes_of(*system, input, UnimodalMap::quadratic(1.0, 0.0), 700);
    ASSERT_EQ(both.exact.lobes.size(), 2u) << phase;
    EXPECT_NEAR(both.exact.lobes[0].to, 0.0, 1e-12);
    EXPECT_NEAR(both.exact.lobes[1].area, area, 1e-10);
    EXPECT_NEAR(both.exact.lobes[0].area, -area, 1e-10);
  }
}

TEST(ExactLobes, RefuseAPeriodInWhichTheInputTurnsMoreOften) {
  const auto system = as_system(LinearLag{});
  const Signal input{.shape = Signal::two_sines,
                     .amplitude = 1.0,
                     .frequency = 1.0,
                     .second_amplitude = 1.0,
                     .second_frequency = 3.0};
  Options o;
  o.end = 2.0 * std::numbers::pi;
  const FoldedCurve two{CurveKind::butterfly, {{-1.0, 0.0, 1.0}, {0.0, 1.0, -1.0}}};
  EXPECT_THROW(exact_lobes(two, system->path(input, o), input,
                           {[](const PathPoint& p) { return p.output; }}),
               InvalidInput);
}

}  // namespace
}  // namespace bristle::lobes_test
