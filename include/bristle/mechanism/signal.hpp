// SPDX-License-Identifier: MIT
// A signal of time: the motion or the force that drives a mechanism.
//
//   sine       offset + rate t + amplitude sin(frequency t + phase)
//   triangle   the same with a triangle wave of the same period and phase
//   ramp       offset + rate t
//   samples    through given points by monotone cubics (no overshoot between points)
//   two_sines  the sine, and second_amplitude sin(second_frequency t + second_phase) added
//   duffing    offset + rate t + amplitude q(t), q the motion of a Duffing oscillator (duffing.hpp)
//
// From change_time on the amplitude is amplitude_after (0: no change). A signal is smooth on
// numbered pieces; a solver steps from kink to kink and freezes the piece within a step. Limits:
// outside the given points a sampled signal keeps its end value.
#pragma once

#include <array>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "bristle/mechanism/duffing.hpp"
#include "bristle/model/field.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

// Points in time with the slopes of the monotone cubics through them (Fritsch and Butland).
struct SampledCurve {
  std::vector<double> times;
  std::vector<double> values;
  std::vector<double> slopes;
  std::vector<double> areas;  // under the curve, from the first point to each

  // Throws InvalidInput unless times increase and all numbers are finite.
  SampledCurve(std::vector<double> t, std::vector<double> v);
  // The area from the first point to a time, with the end values beyond the points.
  double area(double t) const;
};

struct Signal {
  using Number = double;
  static constexpr std::string_view name = "input";
  static constexpr std::string_view summary = "signal of time that drives a mechanism";

  enum Shape : int { sine, triangle, ramp, samples, two_sines, duffing };
  static constexpr std::array<std::string_view, 6> shapes{"sine",    "triangle",  "ramp",
                                                          "samples", "two_sines", "duffing"};

  int shape = sine;
  double amplitude = 1.0;
  double frequency = 1.0;
  double phase = 0.0;
  double offset = 0.0;
  double rate = 0.0;
  double change_time = 0.0;
  double amplitude_after = 1.0;
  double second_amplitude = 0.0;
  double second_frequency = 1.0;
  double second_phase = 0.0;
  double duffing_force = 3000.0;
  std::shared_ptr<const SampledCurve> curve{};    // the points of `samples`
  std::shared_ptr<const DuffingMotion> motion{};  // of `duffing`, see prepare()

  static constexpr auto fields() {
    using F = Field<Signal>;
    return std::array{
        F{"shape", "shape of the signal", shapes, &Signal::shape},
        F{"amplitude", "N or m", "amplitude of the wave", any_number, &Signal::amplitude},
        F{"frequency", "rad/s", "angular frequency of the wave", non_negative, &Signal::frequency},
        F{"phase", "rad", "phase of the wave", any_number, &Signal::phase},
        F{"offset", "N or m", "value added", any_number, &Signal::offset},
        F{"rate", "N/s or m/s", "slope added", any_number, &Signal::rate},
        F{"change_time", "s", "time from which the amplitude is amplitude_after, 0: never",
          non_negative, &Signal::change_time},
        F{"amplitude_after", "N or m", "amplitude after change_time", any_number,
          &Signal::amplitude_after},
        F{"second_amplitude", "N or m", "amplitude of the second wave of two_sines", any_number,
          &Signal::second_amplitude},
        F{"second_frequency", "rad/s", "angular frequency of the second wave", non_negative,
          &Signal::second_frequency},
        F{"second_phase", "rad", "phase of the second wave", any_number, &Signal::second_phase},
        F{"duffing_force", "1/s2", "drive of the oscillator of duffing", any_number,
          &Signal::duffing_force}};
  }

  void check() const {
    if (shape == samples && !curve)
      throw InvalidInput("shape", "input: shape = \"samples\" needs a file with the points");
    if (shape == duffing && !motion)
      throw InvalidInput("shape",
                         "input: shape = \"duffing\" needs its motion, made by prepare(end)");
    if (shape == triangle && frequency <= 0.0)
      throw InvalidInput("frequency", "input: frequency = " + words(frequency) +
                                          " rad/s must be greater than 0 for a triangle");
  }

  // The number of the smooth piece that begins at or contains t.
  int piece(double t) const;
  // The next time after t at which a new piece or a new period begins; infinity if there is none.
  double next_kink(double t) const;
  // [s], 0 if the signal has none: of two sines the common one, if their frequencies are in the
  // ratio of whole numbers up to 64.
  double period() const;
  // The distance at which an irregular signal is looked at stroboscopically [s]: the period, or
  // that of the first of two sines or of the drive of a Duffing oscillator, or 0.
  double beat() const;
  // Makes the motion of a Duffing oscillator up to a time; does nothing for other shapes.
  void prepare(double end);
  // The longest step that cannot miss a swing of the signal.
  double longest_step() const;
  // The size of the signal and of its slope, for error control.
  double scale() const;

  template <class S>
  S value(const S& t, int piece) const {
    if (shape == sine) {  // by far the commonest, and without its slope
      const double height = (piece & 1) ? amplitude_after : amplitude;
      return offset + rate * t + height * sin(frequency * t + phase);
    }
    return evaluate(t, piece).first;
  }
  template <class S>
  S slope(const S& t, int piece) const {
    return evaluate(t, piece).second;
  }
  // The second derivative; at a kink of the slope that of the piece.
  template <class S>
  S curvature(const S& t, int piece) const {
    const double height = (piece & 1) ? amplitude_after : amplitude;
    switch (shape) {
      case sine: return -height * square(frequency) * sin(frequency * t + phase);
      case two_sines:
        return -height * square(frequency) * sin(frequency * t + phase) -
               second_amplitude * square(second_frequency) *
                   sin(second_frequency * t + second_phase);
      case duffing: {
        const auto q = motion->at(double(value_of(t)));
        return height * (q.curvature + q.third * (t - S(value_of(t))));
      }
      case samples: return bend(t, piece >> 1);
      default: return S(0.0);
    }
  }
  // The area under the signal from time zero on; not of the motion of a Duffing oscillator.
  double integral(double t) const;
  bool has_integral() const { return shape != duffing; }
  // The coefficients of the powers of s in the signal at t + s.
  void expand(double t, int piece, std::span<double> coefficient) const;
  // Whether it can be expanded: the motion of a Duffing oscillator is kept in pieces of its own.
  bool has_series() const { return shape != duffing; }
  // Whether its slope changes within a piece.
  bool bends() const {
    return shape == samples || shape == duffing || shape == two_sines ||
           (shape == sine && amplitude != 0.0);
  }

 private:
  template <class S>
  std::pair<S, S> evaluate(const S& t, int piece) const {
    const double height = (piece & 1) ? amplitude_after : amplitude;
    const S angle = frequency * t + phase;
    switch (shape) {
      case sine:
        return {offset + rate * t + height * sin(angle), rate + height * frequency * cos(angle)};
      case triangle: {
        // Piece by piece a straight line from -1 to 1 or back.
        const int half = piece >> 1;
        const double up = (half & 1) ? -2.0 / std::numbers::pi : 2.0 / std::numbers::pi;
        return {offset + rate * t + height * up * (angle - half * std::numbers::pi),
                S(rate + height * up * frequency)};
      }
      case samples: return hermite(t, piece >> 1);
      case two_sines: {
        const S second = second_frequency * t + second_phase;
        return {offset + rate * t + height * sin(angle) + second_amplitude * sin(second),
                rate + height * frequency * cos(angle) +
                    second_amplitude * second_frequency * cos(second)};
      }
      case duffing: {
        // By its Taylor series at the time: exact for the numbers and their first derivatives.
        const auto q = motion->at(double(value_of(t)));
        const S off = t - S(value_of(t));
        return {offset + rate * t + height * (q.value + q.slope * off),
                rate + height * (q.slope + q.curvature * off)};
      }
      default: return {offset + rate * t, S(rate)};
    }
  }

  // The second derivative between two points.
  template <class S>
  S bend(const S& t, int segment) const {
    const auto& c = *curve;
    if (segment < 0 || segment + 1 >= int(c.times.size())) return S(0.0);
    const double width = c.times[segment + 1] - c.times[segment];
    const double rise = (c.values[segment + 1] - c.values[segment]) / width;
    const double left = c.slopes[segment], right = c.slopes[segment + 1];
    const S s = (t - c.times[segment]) / width;
    return (6.0 * rise - 4.0 * left - 2.0 * right + 6.0 * s * (left + right - 2.0 * rise)) *
           (1.0 / width);
  }

  template <class S>
  std::pair<S, S> hermite(const S& t, int segment) const {
    const auto& c = *curve;
    const int last = int(c.times.size()) - 1;
    if (segment < 0) return {S(offset + c.values.front()), S(0.0)};
    if (segment >= last) return {S(offset + c.values.back()), S(0.0)};
    const double width = c.times[segment + 1] - c.times[segment];
    const S s = (t - c.times[segment]) / width;
    const double rise = c.values[segment + 1] - c.values[segment];
    const double left = width * c.slopes[segment];
    const double right = width * c.slopes[segment + 1];
    const double b = 3.0 * rise - 2.0 * left - right;
    const double a = left + right - 2.0 * rise;
    return {offset + c.values[segment] + s * (left + s * (b + s * a)),
            (left + s * (2.0 * b + s * (3.0 * a))) / width};
  }
};

}  // namespace bristle
