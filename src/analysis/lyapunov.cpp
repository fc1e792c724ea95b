// SPDX-License-Identifier: MIT
#include "bristle/analysis/lyapunov.hpp"

#include <cmath>
#include <limits>

#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

double distance(const std::vector<double>& a, const std::vector<double>& b,
                std::span<const double> scales) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow((a[i] - b[i]) / scales[i], 2);
  return std::sqrt(sum);
}

// The mean growth of a distance that is pulled back after every beat.
class Growth {
 public:
  explicit Growth(const LyapunovOptions& o) : o_(o) {}
  void add(int beat, double grown) {
    if (beat < o_.transient) return;
    const double rate = std::log(grown / o_.distance);
    sum_ += rate;
    if (2 * (beat - o_.transient) >= o_.beats) late_ += rate, ++late_count_;
  }
  Lyapunov mean(double beat) const {
    const double all = sum_ / o_.beats / beat;
    return {all, std::abs(late_ / std::max(late_count_, 1) / beat - all)};
  }

 private:
  const LyapunovOptions& o_;
  double sum_ = 0.0, late_ = 0.0;
  int late_count_ = 0;
};

constexpr double fell_together = -std::numeric_limits<double>::infinity();

}  // namespace

Lyapunov largest_exponent(const StateMap& map, std::vector<double> a,
                          std::span<const double> scales, const LyapunovOptions& o) {
  std::vector<double> b = a;
  b[0] += o.distance * scales[0];
  Growth growth(o);
  for (int beat = 0; beat < o.transient + o.beats; ++beat) {
    stop_if_asked();
    a = map(a);
    b = map(b);
    const double grown = distance(a, b, scales);
    if (grown == 0.0) return {fell_together, 0.0};
    growth.add(beat, grown);
    for (std::size_t i = 0; i < a.size(); ++i) b[i] = a[i] + (b[i] - a[i]) * o.distance / grown;
  }
  return growth.mean(1.0);
}

Lyapunov largest_exponent(const MeasuredFriction& friction, const FrictionOscillator& given,
                          double tolerance, const LyapunovOptions& o) {
  FrictionOscillator body = given;
  // A Duffing drive has no beat before its motion is made.
  body.base.prepare(1e-3);
  const double beat = body.base.beat();
  if (!(beat > 0.0))
    throw InvalidInput("shape",
                       "oscillator: a Lyapunov exponent needs a base with a beat, a sine, "
                       "two_sines or duffing");
  body.base.motion.reset();
  body.base.prepare(beat * (o.transient + o.beats + 1));
  Options options;
  options.tolerance = tolerance;
  options.samples = 2.0;
  const double reach = std::max(std::abs(body.base.scale()), 1e-6);
  const double pace = reach * 2.0 * 3.141592653589793 / beat;
  std::vector<double> scales;
  for (int i = 0; i < (body.kind == 0 ? 1 : 3); ++i) scales.insert(scales.end(), {reach, pace});
  const auto go = [&](const OscillatorState& from, double end) {
    Options leg = options;
    leg.end = end;
    OscillatorState reached = simulate_oscillator(friction, body, leg, from).last;
    stop_if_asked();
    return reached;
  };
  OscillatorState a = go({}, beat), b = a;
  b.states[0] += o.distance * reach;
  Growth growth(o);
  for (int n = 0; n < o.transient + o.beats; ++n) {
    const double end = beat * double(n + 2);
    a = go(a, end);
    b = go(b, end);
    const double grown = distance(a.states, b.states, scales);
    if (grown == 0.0) return {fell_together, 0.0};
    growth.add(n, grown);
    // Pulled back along the line to the first; what the contact remembers goes with it.
    const double part = o.distance / grown;
    for (std::size_t i = 0; i < a.states.size(); ++i)
      b.states[i] = a.states[i] + (b.states[i] - a.states[i]) * part;
    const bool together = a.mode == b.mode && a.side == b.side;
    const OscillatorState kept = b;
    if (!together) b = a, b.states = kept.states;
    b.anchor = a.anchor + (together ? (kept.anchor - a.anchor) * part : 0.0);
    b.start_coefficient = a.start_coefficient +
                          (together ? (kept.start_coefficient - a.start_coefficient) * part : 0.0);
  }
  return growth.mean(beat);
}

double series_exponent(std::span<const double> x, double step, const SeriesOptions& o) {
  const long span = long(o.dimension - 1) * o.delay;
  const long last = long(x.size()) - span - o.follow;
  if (last < 4L * o.apart || o.follow < 2)
    throw InvalidInput("samples", "a series of " + std::to_string(x.size()) +
                                      " samples is too short for a Lyapunov exponent, at least " +
                                      std::to_string(4L * o.apart + span + o.follow) +
                                      " are needed");
  const auto apart2 = [&](long i, long j) {
    double sum = 0.0;
    for (int k = 0; k < o.dimension; ++k) {
      const double d =
          x[std::size_t(i + long(k) * o.delay)] - x[std::size_t(j + long(k) * o.delay)];
      sum += d * d;
    }
    return sum;
  };
  std::vector<double> mean(std::size_t(o.follow) + 1, 0.0);
  std::vector<long> count(mean.size(), 0);
  StopLook stop;
  for (long i = 0; i < last; ++i) {
    long nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (long j = 0; j < last; ++j) {
      if ((j & 0xfff) == 0) stop();
      if (std::abs(i - j) < o.apart) continue;
      const double d = apart2(i, j);
      if (d > 0.0 && d < least) least = d, nearest = j;
    }
    if (nearest < 0) continue;
    for (int k = 0; k <= o.follow; ++k) {
      const double d = apart2(i + k, nearest + k);
      if (d > 0.0) mean[std::size_t(k)] += 0.5 * std::log(d), ++count[std::size_t(k)];
    }
  }
  // The slope of the mean logarithm over the time followed.
  double st = 0.0, sy = 0.0, stt = 0.0, sty = 0.0, n = 0.0;
  for (int k = 0; k <= o.follow; ++k) {
    if (count[std::size_t(k)] == 0) continue;
    const double t = k * step, y = mean[std::size_t(k)] / double(count[std::size_t(k)]);
    st += t, sy += y, stt += t * t, sty += t * y, n += 1.0;
  }
  return (n * sty - st * sy) / (n * stt - st * st);
}

}  // namespace bristle
