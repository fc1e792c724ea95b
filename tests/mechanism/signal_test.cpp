// SPDX-License-Identifier: MIT
#include "bristle/mechanism/signal.hpp"

#include "bristle/model/describe.hpp"
#include "bristle/scalar/dual.hpp"
#include "close.hpp"

namespace bristle::signal_test {
namespace {

using test::central_difference;
using test::close;
using test::Random;

constexpr double pi = std::numbers::pi;
const double infinity = std::numeric_limits<double>::infinity();

double value_at(const Signal& s, double t) { return s.value(t, s.piece(t)); }
double slope_at(const Signal& s, double t) { return s.slope(t, s.piece(t)); }

Signal sampled(std::vector<double> times, std::vector<double> values) {
  Signal s;
  s.shape = Signal::samples;
  s.curve = std::make_shared<const SampledCurve>(std::move(times), std::move(values));
  return s;
}

// Random signal of a shape, with an offset, a slope, a phase and a change of amplitude.
Signal random_signal(Random& random, int shape) {
  Signal s;
  s.shape = shape;
  s.amplitude = random.sign() * random.log_uniform(0.01, 10.0);
  s.frequency = random.log_uniform(0.1, 100.0);
  s.phase = random.uniform(-7.0, 7.0);
  s.offset = random.uniform(-1.0, 1.0);
  s.rate = random.uniform(-1.0, 1.0);
  s.change_time = random.uniform(0.0, 20.0) / s.frequency;
  s.amplitude_after = random.uniform(-5.0, 5.0);
  if (shape == Signal::samples) {
    std::vector<double> times, values;
    double t = random.uniform(-1.0, 1.0);
    for (int i = 0; i < 20; ++i) {
      times.push_back(t += random.log_uniform(0.01, 2.0));
      // Some points are level with the one before.
      values.push_back(i > 0 && i % 5 == 0 ? values.back() : random.uniform(-3.0, 3.0));
    }
    s.curve = std::make_shared<const SampledCurve>(times, values);
  }
  return s;
}

TEST(Signal, SlopeIsTheDerivativeOfTheValueForEveryShape) {
  Random random(101);
  for (int shape = 0; shape < int(Signal::shapes.size()); ++shape) {
    if (shape == Signal::duffing) continue;  // has a time scale of its own, see duffing_test.cpp
    for (int trial = 0; trial < 200; ++trial) {
      const Signal s = random_signal(random, shape);
      const double t = random.uniform(0.0, 30.0) / s.frequency;
      const int piece = s.piece(t);
      const double h = 1e-3 / s.frequency;
      const auto value = [&](double at) { return s.value(at, piece); };
      const double size = std::abs(value(t)) + 10.0;
      const auto exact = s.value(variable<1>(t, 0), piece);
      ASSERT_TRUE(close(exact.value, value(t), 1e-14, size)) << Signal::shapes[shape];
      ASSERT_TRUE(close(s.slope(t, piece), exact.slope[0], 1e-14, size * s.frequency))
          << Signal::shapes[shape] << ", trial " << trial;
      ASSERT_TRUE(
          close(s.slope(t, piece), central_difference(value, t, h), 1e-11, size * s.frequency))
          << Signal::shapes[shape] << ", trial " << trial;
    }
  }
}

// By Simpson's rule from kink to kink.
TEST(Signal, IntegralIsTheAreaUnderEveryShape) {
  Random random(102);
  for (int shape = 0; shape < int(Signal::shapes.size()); ++shape) {
    if (shape == Signal::duffing) continue;
    for (int trial = 0; trial < 50; ++trial) {
      Signal s = random_signal(random, shape);
      s.second_amplitude = random.uniform(-2.0, 2.0);
      s.second_frequency = 2.0 * s.frequency;
      const double end = random.uniform(0.0, 30.0) / s.frequency;
      double area = 0.0, size = 0.0;
      for (double t = 0.0; t < end;) {
        const double next = std::min(end, s.next_kink(t));
        const int piece = s.piece(t), parts = 400;
        const double h = (next - t) / parts;
        for (int i = 0; i < parts; ++i) {
          const double a = t + i * h;
          const double part =
              h / 6.0 *
              (s.value(a, piece) + 4.0 * s.value(a + 0.5 * h, piece) + s.value(a + h, piece));
          area += part, size += std::abs(part);
        }
        t = next;
      }
      EXPECT_NEAR(s.integral(end), area, 1e-8 * size) << Signal::shapes[shape] << " " << trial;
      EXPECT_EQ(s.integral(0.0), 0.0);
    }
  }
  EXPECT_FALSE(Signal{.shape = Signal::duffing}.has_integral());
}

TEST(Signal, SineHasItsAmplitudeOffsetRateAndPhase) {
  Signal s;
  s.amplitude = 2.0;
  s.frequency = 3.0;
  s.phase = 0.5;
  s.offset = 0.25;
  s.rate = -1.5;
  EXPECT_DOUBLE_EQ(value_at(s, 0.7), 0.25 - 1.5 * 0.7 + 2.0 * std::sin(3.0 * 0.7 + 0.5));
  EXPECT_DOUBLE_EQ(slope_at(s, 0.7), -1.5 + 6.0 * std::cos(3.0 * 0.7 + 0.5));
}

// The triangle of the same period and phase: zero where the sine is, extreme where it is.
TEST(Signal, TriangleTurnsWhereTheSineDoes) {
  Signal s;
  s.shape = Signal::triangle;
  s.amplitude = 2.0;
  s.frequency = 4.0;
  const double quarter = 0.5 * pi / 4.0;
  EXPECT_NEAR(value_at(s, 0.0), 0.0, 1e-15);
  EXPECT_NEAR(value_at(s, quarter), 2.0, 1e-14);
  EXPECT_NEAR(value_at(s, 2.0 * quarter), 0.0, 1e-14);
  EXPECT_NEAR(value_at(s, 3.0 * quarter), -2.0, 1e-14);
  EXPECT_NEAR(value_at(s, 0.5 * quarter), 1.0, 1e-14);
  EXPECT_DOUBLE_EQ(slope_at(s, 0.5 * quarter), 2.0 / quarter);
  EXPECT_DOUBLE_EQ(slope_at(s, 1.5 * quarter), -2.0 / quarter);
}

TEST(Signal, RampIsAStraightLine) {
  Signal s;
  s.shape = Signal::ramp;
  s.offset = 2.0;
  s.rate = 0.5;
  EXPECT_EQ(value_at(s, 6.0), 5.0);
  EXPECT_EQ(slope_at(s, 6.0), 0.5);
  EXPECT_EQ(s.next_kink(0.0), infinity);
}

TEST(Signal, AmplitudeChangesAtTheChangeTime) {
  Signal s;
  s.amplitude = 5.0;
  s.change_time = 2.0;
  s.amplitude_after = 1.0;
  EXPECT_DOUBLE_EQ(value_at(s, 1.9), 5.0 * std::sin(1.9));
  EXPECT_DOUBLE_EQ(value_at(s, 2.0), std::sin(2.0));
  EXPECT_EQ(s.next_kink(0.5), 2.0);
  EXPECT_NE(s.piece(std::nextafter(2.0, 0.0)), s.piece(2.0));
  s.change_time = 0.0;
  EXPECT_DOUBLE_EQ(value_at(s, 100.0), 5.0 * std::sin(100.0));
}

// From kink to kink the piece stays the same, time goes on, and a corner is where two pieces meet.
TEST(Signal, PiecesBeginAtTheKinksAndNowhereElse) {
  Random random(102);
  for (int shape = 0; shape < int(Signal::shapes.size()); ++shape) {
    if (shape == Signal::duffing) continue;  // has a time scale of its own, see duffing_test.cpp
    for (int trial = 0; trial < 50; ++trial) {
      const Signal s = random_signal(random, shape);
      double t = 0.0;
      for (int i = 0; i < 200; ++i) {
        const double next = s.next_kink(t);
        if (next == infinity) break;
        ASSERT_GT(next, t) << Signal::shapes[shape] << ", trial " << trial << ", kink " << i;
        const int piece = s.piece(t);
        for (const double part : {0.001, 0.3, 0.999})
          ASSERT_EQ(s.piece(t + part * (next - t)), piece)
              << Signal::shapes[shape] << ", trial " << trial << ", t = " << t;
        // Continuous but for the change of amplitude.
        if (std::abs(next - s.change_time) > 1e-9) {
          const double size = 10.0 + std::abs(s.rate * next);
          ASSERT_TRUE(close(s.value(next, s.piece(next)), s.value(next, piece), 1e-13, size))
              << Signal::shapes[shape] << ", trial " << trial << ", t = " << next;
        }
        t = next;
      }
    }
  }
}

// The corners of a triangle are where its angle is an odd multiple of pi / 2.
TEST(Signal, TriangleHasAKinkAtEveryCorner) {
  Random random(103);
  for (int trial = 0; trial < 50; ++trial) {
    Signal s = random_signal(random, Signal::triangle);
    s.change_time = 0.0;
    double t = 0.0;
    int corners = 0;
    while (corners < 30) {
      const int before = s.piece(t);
      t = s.next_kink(t);
      if (s.piece(t) == before) continue;
      ++corners;
      const double half_turns = (s.frequency * t + s.phase) / pi - 0.5;
      ASSERT_NEAR(half_turns, std::round(half_turns), 1e-12) << "trial " << trial;
      ASSERT_TRUE(close(slope_at(s, t) - s.rate, s.rate - s.slope(t, before), 1e-12)) << trial;
    }
    // Thirty corners are fifteen periods.
    EXPECT_NEAR(t, 15.0 * 2.0 * pi / s.frequency, 2.0 * pi / s.frequency) << "trial " << trial;
  }
}

TEST(Signal, EndsOfPeriodsAreAmongTheKinks) {
  Signal s;
  s.frequency = 0.7;
  const double period = 2.0 * pi / 0.7;
  double t = 0.0;
  for (int i = 1; i <= 1000; ++i) {
    t = s.next_kink(t);
    ASSERT_TRUE(close(t, i * period, 1e-15)) << "period " << i;
  }
}

TEST(Signal, SamplesHaveAKinkAtEveryPoint) {
  const Signal s = sampled({0.0, 1.0, 2.5, 3.0}, {0.0, 1.0, -1.0, 2.0});
  EXPECT_EQ(s.next_kink(-1.0), 0.0);
  EXPECT_EQ(s.next_kink(0.0), 1.0);
  EXPECT_EQ(s.next_kink(1.7), 2.5);
  EXPECT_EQ(s.next_kink(3.0), infinity);
}

TEST(Signal, SamplesKeepTheirEndValuesOutside) {
  Signal s = sampled({0.0, 1.0, 2.0}, {3.0, 4.0, 7.0});
  s.offset = 0.5;
  EXPECT_EQ(value_at(s, -5.0), 3.5);
  EXPECT_EQ(slope_at(s, -5.0), 0.0);
  EXPECT_EQ(value_at(s, 9.0), 7.5);
  EXPECT_EQ(slope_at(s, 9.0), 0.0);
}

TEST(Signal, SaysHowLongAStepMayBe) {
  Signal s;
  s.frequency = 2.0;
  EXPECT_LT(s.longest_step(), pi / 8.0);
  EXPECT_GT(s.longest_step(), 0.0);
  s.frequency = 0.0;
  EXPECT_EQ(s.longest_step(), infinity);
}

TEST(Signal, HasAPeriodIfItIsAWave) {
  Signal s;
  s.frequency = 2.0;
  EXPECT_DOUBLE_EQ(s.period(), pi);
  s.shape = Signal::triangle;
  EXPECT_DOUBLE_EQ(s.period(), pi);
  s.shape = Signal::ramp;
  EXPECT_EQ(s.period(), 0.0);
  s.shape = Signal::sine;
  s.frequency = 0.0;
  EXPECT_EQ(s.period(), 0.0);
}

TEST(Signal, SaysWhatItsSizeIs) {
  Signal s;
  s.amplitude = -3.0;
  EXPECT_EQ(s.scale(), 3.0);
  s.change_time = 1.0;
  s.amplitude_after = 4.0;
  EXPECT_EQ(s.scale(), 4.0);
  EXPECT_EQ(sampled({0.0, 1.0, 2.0}, {3.0, -8.0, 7.0}).scale(), 8.0);
}

TEST(Signal, RefusesWhatItCannotDraw) {
  Signal s;
  EXPECT_NO_THROW(validate(s));
  s.shape = Signal::samples;
  EXPECT_THROW(validate(s), InvalidInput);
  s.shape = Signal::triangle;
  s.frequency = 0.0;
  try {
    validate(s);
    FAIL() << "a triangle needs a frequency";
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "input: frequency = 0 rad/s must be greater than 0 for a triangle");
  }
  EXPECT_THROW(make<Signal>({{"amplitude", infinity}}), InvalidInput);
  EXPECT_THROW(make<Signal>({{"shape", "square"}}), InvalidInput);
}

// On the piece it is asked for, also where that has ended.
TEST(Signal, EqualsItsPowerSeries) {
  Random random(23);
  const auto compare = [&](const Signal& s, double t, double ahead) {
    // The angle of a sine is rounded itself.
    const double fastest = std::max(s.frequency, s.second_frequency);
    const double allowed = test::epsilon * (50.0 + 2.0 * fastest * t);
    std::array<double, 21> c;
    const int piece = s.piece(t);
    s.expand(t, piece, c);
    double sum = 0.0;
    for (int k = 20; k >= 0; --k) sum = sum * ahead + c[k];
    EXPECT_TRUE(close(sum, s.value(t + ahead, piece), allowed, 1.0)) << t << " + " << ahead;
  };
  for (const int shape : {Signal::sine, Signal::triangle, Signal::ramp, Signal::two_sines})
    for (int i = 0; i < 100; ++i) {
      const Signal s = random_signal(random, shape);
      const double t = random.uniform(0.0, 20.0);
      compare(s, t, random.uniform(0.0, 1.7) / std::max({1.0, s.frequency, s.second_frequency}));
    }
  const Signal s = sampled({0.0, 1.0, 1.5, 4.0}, {0.0, 2.0, 2.5, -1.0});
  for (const double t : {-1.0, 0.2, 1.2, 3.0, 5.0}) compare(s, t, 0.2);
}

}  // namespace
}  // namespace bristle::signal_test
