// SPDX-License-Identifier: MIT
#include "bristle/analysis/lyapunov.hpp"

#include <cmath>
#include <limits>

#include "bristle/solve/run.hpp"
#include "bristle/solve/stop_look.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle {
namespace {

double distance(std::span<const double> a, std::span<const double> b,
                std::span<const double> scales) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow((a[i] - b[i]) / scales[i], 2);
  return std::sqrt(sum);
}

// The mean growth of a distance that is pulled back after every drive period.
class LogGrowth {
 public:
  explicit LogGrowth(const LyapunovOptions& o) : o_(o) {}
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

// Pulls b back along the line to a. What contacts remember goes with it where both are in the same
// pieces; elsewhere b takes the pieces and the memory of a.
void pull_back(const RunSnapshot& a, RunSnapshot& b, double part, std::size_t motion,
               const Run& first, const Run& second) {
  bool together = true;
  for (std::size_t c = 0; c < a.branches.size(); ++c)
    together = together && a.branches[c].direction == b.branches[c].direction &&
               a.branches[c].cell == b.branches[c].cell;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (i < motion || together) b.values[i] = a.values[i] + (b.values[i] - a.values[i]) * part;
    else b.values[i] = a.values[i];
  if (!together) b.branches = a.branches, b.past = a.past, b.pieces = a.pieces;
  // A velocity that is held is that of its own motion.
  for (std::size_t c = 0; c < a.branches.size(); ++c)
    if (first.machine().contacts[c].dimension == 1)
      b.branches[c].along[0] = first.slip(c) + (second.slip(c) - first.slip(c)) * part;
}

}  // namespace

Lyapunov largest_exponent(const StateMap& map, std::vector<double> a,
                          std::span<const double> scales, const LyapunovOptions& o) {
  std::vector<double> b = a;
  b[0] += o.distance * scales[0];
  LogGrowth growth(o);
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

Lyapunov largest_exponent(MachineParts parts, double beat, double reach, double tolerance,
                          const LyapunovOptions& o) {
  if (!(beat > 0.0))
    throw InvalidInput("shape",
                       "a Lyapunov exponent needs a periodic drive, a sine, two_sines or "
                       "duffing");
  for (auto& drive : parts.drives) {
    drive.signal.motion.reset();
    drive.signal.prepare(beat * (o.transient + o.beats + 2));
  }
  const Machine machine(std::move(parts));
  const auto n = std::size_t(machine.coordinates());
  const double pace = reach * 2.0 * 3.141592653589793 / beat;
  std::vector<double> scales(n, reach);
  scales.resize(2 * n, pace);
  Run first(machine, {.tolerance = tolerance});
  const auto go = [&](Run& run) {
    if (const Status status = run.step(beat); status != Status::done) {
      stop_if_asked();
      throw InvalidInput("tolerance", "a Lyapunov exponent cannot be found: the run stopped, " +
                                          std::string(words(status)));
    }
  };
  go(first);
  RunSnapshot a, b;
  first.save(b);
  b.values[0] += o.distance * reach;
  Run second = first;
  LogGrowth growth(o);
  for (int k = 0; k < o.transient + o.beats; ++k) {
    stop_if_asked();
    second.restore(b);
    go(first);
    go(second);
    first.save(a);
    second.save(b);
    const double grown = distance({a.values.data(), 2 * n}, {b.values.data(), 2 * n}, scales);
    if (grown == 0.0) return {fell_together, 0.0};
    growth.add(k, grown);
    pull_back(a, b, o.distance / grown, 2 * n, first, second);
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
