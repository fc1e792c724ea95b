// SPDX-License-Identifier: MIT
#include "bristle/mechanism/signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

SampledCurve::SampledCurve(std::vector<double> t, std::vector<double> v)
    : times(std::move(t)), values(std::move(v)), slopes(times.size(), 0.0) {
  if (times.size() != values.size() || times.size() < 2)
    throw InvalidInput("samples", "a sampled signal needs at least two points");
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!std::isfinite(times[i]) || !std::isfinite(values[i]))
      throw InvalidInput("samples", "point " + std::to_string(i + 1) + " is not a finite number");
    if (i > 0 && times[i] <= times[i - 1])
      throw InvalidInput("samples", "time must increase: point " + std::to_string(i + 1) + " at " +
                                        words(times[i]) + " s follows " + words(times[i - 1]) +
                                        " s");
  }
  // Inner slopes: the weighted harmonic mean of the neighbouring secants, zero at a turning point.
  const std::size_t n = times.size();
  std::vector<double> width(n - 1), secant(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    width[i] = times[i + 1] - times[i];
    secant[i] = (values[i + 1] - values[i]) / width[i];
  }
  slopes.front() = secant.front();
  slopes.back() = secant.back();
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (secant[i - 1] * secant[i] <= 0.0) continue;
    const double w1 = 2.0 * width[i] + width[i - 1];
    const double w2 = width[i] + 2.0 * width[i - 1];
    slopes[i] = (w1 + w2) / (w1 / secant[i - 1] + w2 / secant[i]);
  }
  areas.assign(n, 0.0);
  for (std::size_t i = 0; i + 1 < n; ++i)
    areas[i + 1] = areas[i] + 0.5 * width[i] * (values[i] + values[i + 1]) +
                   square(width[i]) * (slopes[i] - slopes[i + 1]) / 12.0;
}

double SampledCurve::area(double t) const {
  if (t <= times.front()) return values.front() * (t - times.front());
  if (t >= times.back()) return areas.back() + values.back() * (t - times.back());
  const auto i = std::size_t(std::upper_bound(times.begin(), times.end(), t) - times.begin()) - 1;
  const double width = times[i + 1] - times[i], s = (t - times[i]) / width;
  const double left = width * slopes[i], right = width * slopes[i + 1];
  const double rise = values[i + 1] - values[i];
  const double b = 3.0 * rise - 2.0 * left - right, a = left + right - 2.0 * rise;
  return areas[i] + width * s * (values[i] + s * (left / 2.0 + s * (b / 3.0 + s * a / 4.0)));
}

namespace {
// Pieces are numbered by an int, twice.
constexpr double most_pieces = 5e8;
}  // namespace

int Signal::piece(double t) const {
  int base = 0;
  if (shape == triangle) {
    const double half_turns = std::floor((frequency * t + phase) / std::numbers::pi + 0.5);
    base = int(std::clamp(half_turns, -most_pieces, most_pieces));
    // A kink time is rounded: a time within rounding of the next kink belongs to the next piece.
    const double next = ((base + 0.5) * std::numbers::pi - phase) / frequency;
    if (t >= next - 4e-16 * std::abs(next)) ++base;
  } else if (shape == samples) {
    const auto& times = curve->times;
    base = int(std::upper_bound(times.begin(), times.end(), t) - times.begin()) - 1;
  }
  const bool after = change_time > 0.0 && t >= change_time;
  return 2 * base + (after ? 1 : 0);
}

double Signal::next_kink(double t) const {
  double next = std::numeric_limits<double>::infinity();
  if (change_time > t) next = change_time;
  // The end of the period counts as well, so that what is taken per period falls between steps.
  if (const double length = period(); length > 0.0) {
    double end = (std::floor(t / length) + 1.0) * length;
    if (end <= t * (1.0 + 4e-16)) end += length;
    next = std::min(next, end);
  }
  if (shape == triangle) {
    const int base = piece(t) >> 1;
    next = std::min(next, ((base + 0.5) * std::numbers::pi - phase) / frequency);
  } else if (shape == samples) {
    const auto& times = curve->times;
    const auto at = std::upper_bound(times.begin(), times.end(), t);
    if (at != times.end()) next = std::min(next, *at);
  }
  return next;
}

double Signal::period() const {
  if (shape <= triangle) return frequency > 0.0 ? 2.0 * std::numbers::pi / frequency : 0.0;
  if (shape != two_sines) return 0.0;
  if (second_amplitude == 0.0 || second_frequency == 0.0)
    return frequency > 0.0 ? 2.0 * std::numbers::pi / frequency : 0.0;
  for (int n = 1; n <= 64; ++n) {
    const double m = n * second_frequency / frequency;
    if (std::round(m) >= 1.0 && std::round(m) <= 64.0 && std::abs(m - std::round(m)) < 1e-9 * m)
      return n * 2.0 * std::numbers::pi / frequency;
  }
  return 0.0;
}

double Signal::beat() const {
  if (period() > 0.0) return period();
  if (shape == two_sines && frequency > 0.0) return 2.0 * std::numbers::pi / frequency;
  return shape == duffing && motion ? 2.0 * std::numbers::pi / motion->frequency() : 0.0;
}

void Signal::prepare(double end) {
  if (shape == triangle && !((frequency * end + std::abs(phase)) / std::numbers::pi < most_pieces))
    throw InvalidInput("frequency", "input: a triangle of frequency = " + words(frequency) +
                                        " rad/s turns too often until end = " + words(end) +
                                        " s, it may turn " + words(most_pieces) + " times");
  if (shape != duffing || (motion && motion->end() >= end)) return;
  motion = std::make_shared<DuffingMotion>(Duffing{.force = duffing_force}, end);
}

double Signal::longest_step() const {
  double fastest = beat();
  if (shape == two_sines && second_frequency > 0.0)
    fastest =
        std::min(2.0 * std::numbers::pi / frequency, 2.0 * std::numbers::pi / second_frequency);
  return fastest > 0.0 ? fastest / 24.0 : std::numeric_limits<double>::infinity();
}

void Signal::expand(double t, int piece, std::span<double> coefficient) const {
  std::fill(coefficient.begin(), coefficient.end(), 0.0);
  const auto add_wave = [&](double height, double omega, double angle) {
    const double per_square = -omega * omega;
    double even = height * std::sin(angle), odd = height * omega * std::cos(angle);
    for (std::size_t k = 0; k < coefficient.size() && (even != 0.0 || odd != 0.0); k += 2) {
      coefficient[k] += even;
      if (k + 1 < coefficient.size()) coefficient[k + 1] += odd;
      even *= per_square / double((k + 1) * (k + 2));
      odd *= per_square / double((k + 2) * (k + 3));
    }
  };
  if (shape == sine || shape == two_sines) {
    add_wave((piece & 1) ? amplitude_after : amplitude, frequency, frequency * t + phase);
    if (shape == two_sines)
      add_wave(second_amplitude, second_frequency, second_frequency * t + second_phase);
    coefficient[0] += offset + rate * t;
    if (coefficient.size() > 1) coefficient[1] += rate;
    return;
  }
  // Piece by piece of the first or the third degree.
  const auto [value, slope] = evaluate(t, piece);
  std::array<double, 4> terms{value, slope, 0.0, 0.0};
  const int segment = piece >> 1;
  if (shape == samples && segment >= 0 && segment + 1 < int(curve->times.size())) {
    const auto& c = *curve;
    const double width = c.times[segment + 1] - c.times[segment];
    const double s = (t - c.times[segment]) / width;
    const double rise = c.values[segment + 1] - c.values[segment];
    const double left = width * c.slopes[segment], right = width * c.slopes[segment + 1];
    const double b = 3.0 * rise - 2.0 * left - right, a = left + right - 2.0 * rise;
    terms[2] = (b + 3.0 * a * s) / (width * width);
    terms[3] = a / (width * width * width);
  }
  std::copy_n(terms.begin(), std::min(terms.size(), coefficient.size()), coefficient.begin());
}

double Signal::integral(double t) const {
  const double straight = offset * t + 0.5 * rate * t * t;
  if (shape == ramp) return straight;
  if (shape == samples) return offset * t + curve->area(t) - curve->area(0.0);
  // The area under a wave of height one.
  const auto area = [&](double omega, double angle, double until) {
    if (omega == 0.0) return std::sin(angle) * until;
    if (shape != triangle) return (std::cos(angle) - std::cos(omega * until + angle)) / omega;
    const auto bow = [](double at) {
      const double half = std::floor(at / std::numbers::pi + 0.5);
      const double part = square(at - half * std::numbers::pi) / std::numbers::pi;
      return std::fmod(half, 2.0) == 0.0 ? part : 0.5 * std::numbers::pi - part;
    };
    return (bow(omega * until + angle) - bow(angle)) / omega;
  };
  const double change = change_time > 0.0 ? std::min(t, change_time) : t;
  double sum = straight + amplitude * area(frequency, phase, change);
  if (change < t)
    sum += amplitude_after * (area(frequency, phase, t) - area(frequency, phase, change));
  if (shape == two_sines) sum += second_amplitude * area(second_frequency, second_phase, t);
  return sum;
}

double Signal::scale() const {
  if (shape == samples) {
    double size = 0.0;
    for (const double v : curve->values) size = std::max(size, std::abs(v));
    return size;
  }
  if (shape == ramp) return std::abs(offset);
  const double more = shape == two_sines ? std::abs(second_amplitude) : 0.0;
  const double unit = shape == duffing && motion ? motion->scale() : 1.0;
  return more +
         unit * std::max(std::abs(amplitude), change_time > 0.0 ? std::abs(amplitude_after) : 0.0);
}

}  // namespace bristle
