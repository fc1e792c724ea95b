// SPDX-License-Identifier: MIT
// Spectra, sections, exponents and diagrams, on signals and maps whose answers are known.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "bristle/analysis/bifurcation.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/motion_kind.hpp"
#include "bristle/analysis/spectrum.hpp"

namespace bristle::motion_test {
namespace {

constexpr double pi = std::numbers::pi;

std::vector<double> times(std::size_t n, double step) {
  std::vector<double> t(n);
  for (std::size_t i = 0; i < n; ++i) t[i] = double(i) * step;
  return t;
}
template <class F>
std::vector<double> over(const std::vector<double>& t, const F& f) {
  std::vector<double> x;
  for (const double s : t) x.push_back(f(s));
  return x;
}
std::vector<double> logistic(double r, std::size_t n, double x = 0.3) {
  std::vector<double> series;
  for (std::size_t i = 0; i < n + 200; ++i) {
    x = r * x * (1.0 - x);
    if (i >= 200) series.push_back(x);
  }
  return series;
}

TEST(Fourier, EqualsTheSumForAnyLength) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t n : {1u, 2u, 3u, 8u, 15u, 64u, 97u, 120u}) {
    std::vector<std::complex<double>> x(n), y(n);
    for (auto& z : x) z = {normal(random), normal(random)};
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i)
        y[k] += x[i] * std::polar(1.0, -2.0 * pi * double((i * k) % n) / double(n));
    auto z = x;
    fourier(z);
    for (std::size_t k = 0; k < n; ++k) EXPECT_LT(std::abs(z[k] - y[k]), 1e-11) << n;
    fourier(z, true);
    for (std::size_t k = 0; k < n; ++k) EXPECT_LT(std::abs(z[k] / double(n) - x[k]), 1e-13) << n;
  }
}

TEST(Spectrum, FindsFrequencyAndAmplitudeOfSinesAndNamesThem) {
  const auto t = times(5000, 0.001);
  const auto x = over(t, [](double s) {
    return 3.0 + 2.0 * std::sin(2.0 * pi * 8.3 * s) + 0.5 * std::sin(2.0 * pi * 31.7 * s) +
           0.1 * std::cos(2.0 * pi * 40.0 * s);
  });
  const double named[]{8.3, 31.7};
  const Spectrum s = spectrum(t, x, named);
  ASSERT_GE(s.peaks.size(), 3u);
  EXPECT_NEAR(s.peaks[0].frequency, 8.3, 0.003);
  EXPECT_NEAR(s.peaks[0].amplitude, 2.0, 0.02);
  EXPECT_EQ(s.peaks[0].name, "f1");
  EXPECT_NEAR(s.peaks[1].frequency, 31.7, 0.003);
  EXPECT_EQ(s.peaks[1].name, "f2");
  EXPECT_EQ(s.peaks[2].name, "f1 + f2");
  EXPECT_EQ(s.dominant(), 2);
  double area = 0.0;
  for (const double p : s.power) area += p * s.resolution;
  EXPECT_NEAR(area, s.variance, 0.01 * s.variance);
}

TEST(Spectrum, RefusesWhatItCannotSee) {
  const auto t = times(100, 0.01);
  const auto x = over(t, [](double s) { return std::sin(s); });
  const double fast[]{60.0};
  try {
    spectrum(t, x, fast);
    FAIL();
  } catch (const InvalidInput& e) {
    EXPECT_STREQ(e.what(),
                 "frequency = 60 Hz cannot be resolved by samples 0.01 s apart, it must be "
                 "greater than 0 Hz and less than 50 Hz");
  }
  EXPECT_THROW(spectrum(times(5, 0.1), std::vector<double>(5)), InvalidInput);
  EXPECT_THROW(spectrum({}, {}), InvalidInput);
  auto uneven = t;
  uneven[50] += 0.004;
  EXPECT_THROW(spectrum(uneven, x), InvalidInput);
}

TEST(Motion, OfASineIsPeriodic) {
  const auto t = times(20001, 0.01);
  const auto x = over(t, [](double s) { return std::sin(2.0 * pi * s); });
  const auto v = over(t, [](double s) { return std::cos(2.0 * pi * s); });
  const auto one = classify_motion(strobe(t, x, v, 1.0, 50.0), {.width = 2.0});
  EXPECT_EQ(one.kind, MotionKind::periodic);
  EXPECT_EQ(one.beats, 1);
  const auto three = classify_motion(strobe(t, x, v, 1.0 / 3.0, 50.0));
  EXPECT_EQ(three.kind, MotionKind::periodic);
  EXPECT_EQ(three.beats, 3);
  EXPECT_NEAR(upward_crossings(t, v, x).x[3], 1.0, 1e-9);
}

TEST(Motion, OfTwoFrequenciesWithoutCommonPeriodIsQuasiPeriodic) {
  const auto t = times(60001, 0.01);
  const auto f = [](double s) {
    return std::sin(2.0 * pi * s) + std::sin(2.0 * pi * s * std::sqrt(2.0));
  };
  const auto x = over(t, f);
  const auto v = over(t, [&](double s) { return (f(s + 1e-6) - f(s - 1e-6)) / 2e-6; });
  const auto found = classify_motion(strobe(t, x, v, 1.0, 0.0));
  EXPECT_EQ(found.kind, MotionKind::quasi_periodic);
  EXPECT_LT(found.chaos, 0.1);
}

TEST(Motion, OfTheLogisticMapIsKnown) {
  EXPECT_GT(chaos_test(logistic(4.0, 500)), 0.9);
  EXPECT_GT(chaos_test(logistic(3.97, 500)), 0.9);
  EXPECT_LT(std::abs(chaos_test(logistic(3.55, 500))), 0.1);
}

TEST(Motion, RefusesADrivePeriodShorterThanTheSamples) {
  const auto t = times(100, 0.1);
  EXPECT_THROW(strobe(t, t, t, 0.1, 0.0), InvalidInput);
}

TEST(Lyapunov, ExponentsOfMapsAreKnown) {
  const double one[]{1.0}, two[]{1.0, 1.0};
  const auto map = [](const std::vector<double>& x) {
    return std::vector<double>{4.0 * x[0] * (1.0 - x[0])};
  };
  const auto l = largest_exponent(map, {0.3}, one, {.beats = 20000, .distance = 1e-9});
  EXPECT_NEAR(l.exponent, std::numbers::ln2, 0.01);
  EXPECT_LT(l.difference, 0.02);
  const auto henon = [](const std::vector<double>& x) {
    return std::vector<double>{1.0 - 1.4 * x[0] * x[0] + x[1], 0.3 * x[0]};
  };
  EXPECT_NEAR(largest_exponent(henon, {0.1, 0.1}, two, {.beats = 20000}).exponent, 0.4192, 0.01);
  const auto falling = [](const std::vector<double>& x) { return std::vector<double>{0.5 * x[0]}; };
  EXPECT_NEAR(largest_exponent(falling, {1.0}, one).exponent, -std::numbers::ln2, 1e-6);
}

TEST(Lyapunov, ExponentOfASeriesIsThatOfItsMap) {
  const double l = series_exponent(logistic(4.0, 2000), 1.0, {.dimension = 2, .follow = 4});
  EXPECT_NEAR(l, std::numbers::ln2, 0.1);
  EXPECT_THROW(series_exponent(logistic(4.0, 20), 1.0), InvalidInput);
}

Section logistic_section(double r) {
  Section s;
  s.x = logistic(r, 200);
  s.y.assign(s.x.size(), 0.0);
  s.time = s.x;
  return s;
}

TEST(Bifurcation, OfTheLogisticMapDoublesWhereItIsKnownTo) {
  const auto b =
      bifurcation(logistic_section, {.from = 2.8, .to = 4.0, .values = 121, .threads = 2});
  EXPECT_EQ(b.done(), 121u);
  const auto beats = [&](double r) {
    return b.columns[std::size_t(std::lround((r - 2.8) / 0.01))].motion;
  };
  EXPECT_EQ(beats(2.9).beats, 1);
  EXPECT_EQ(beats(3.2).beats, 2);   // from 3 to 3.449
  EXPECT_EQ(beats(3.5).beats, 4);   // from 3.449 to 3.544
  EXPECT_EQ(beats(3.84).beats, 3);  // the window from 3.828
  EXPECT_EQ(beats(4.0).kind, MotionKind::chaotic);
}

TEST(Bifurcation, ThatWasCancelledGoesOnAndEndsTheSame) {
  const BifurcationOptions options{.from = 2.8, .to = 4.0, .values = 60, .threads = 2};
  const auto whole = bifurcation(logistic_section, options);
  BifurcationHooks hooks;
  int kept = 0;
  hooks.progress = [](double part) { return part < 0.3; };
  hooks.checkpoint = [&](const Bifurcation& b) { kept = int(b.done()); };
  hooks.checkpoint_seconds = 0.0;
  auto part = bifurcation(logistic_section, options, hooks);
  EXPECT_EQ(part.status, Status::cancelled);
  EXPECT_GE(part.done(), 17u);
  EXPECT_LT(part.done(), 25u);
  EXPECT_GE(kept, 17);
  const std::size_t before = part.done();
  int asked = 0;
  const auto counted = [&](double r) {
    ++asked;
    return logistic_section(r);
  };
  const auto rest =
      bifurcation(counted, {.from = 2.8, .to = 4.0, .values = 60, .threads = 1}, {}, part);
  EXPECT_EQ(rest.status, Status::done);
  EXPECT_EQ(std::size_t(asked) + before, 60u);
  for (std::size_t i = 0; i < 60; ++i)
    EXPECT_EQ(rest.columns[i].section.x, whole.columns[i].section.x);
}

TEST(Bifurcation, RefusesInputWithoutADiagram) {
  EXPECT_THROW(bifurcation(logistic_section, {.from = 1.0, .to = 1.0}), InvalidInput);
  EXPECT_THROW(bifurcation(logistic_section, {.values = 1.0}), InvalidInput);
  EXPECT_THROW(bifurcation(logistic_section, {.periods = 10.0, .keep = 10.0}), InvalidInput);
  const auto b = bifurcation(logistic_section, {.from = 2.8, .to = 3.0, .values = 5});
  EXPECT_THROW(bifurcation(logistic_section, {.from = 2.8, .to = 3.0, .values = 6}, {}, b),
               InvalidInput);
  EXPECT_THROW(bifurcation(logistic_section, {.from = 2.8, .to = 3.1, .values = 5}, {}, b),
               InvalidInput);
  EXPECT_THROW(bifurcation([](double) -> Section { throw InvalidInput("x", "no"); }, {}),
               InvalidInput);
}

}  // namespace
}  // namespace bristle::motion_test
