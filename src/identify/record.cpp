// SPDX-License-Identifier: MIT
#include "bristle/identify/record.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/identify/smooth_motion.hpp"
#include "bristle/model/field.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// Frequency times window at which the gain of the differentiator is 1 / sqrt(2).
constexpr double parabola_corner = 0.3911509141409227;

// A step of a motion without noise over which the velocity changes by more than a tenth is taken in
// so many parts.
constexpr int parts_of_uneven_steps = 6;

// Steps within which a sample has its two neighbours and no others.
constexpr double central_window = 1.5;

[[noreturn]] void refuse(const Record& record, const std::string& field, const std::string& what) {
  throw InvalidInput(field, (record.name.empty() ? "the data" : record.name) + ": " + what);
}

// The column all others are as long as.
struct Leading {
  const std::vector<double>& values;
  const char* name;
};
Leading leading(const Record& record, const PrepareOptions& options) {
  if (options.motion) return {record.time, "time"};
  return {record.force, "force"};
}

void check_column(const Record& record, const std::vector<double>& column, const char* name,
                  const Leading& first) {
  if (!column.empty() && column.size() != first.values.size())
    refuse(record, name,
           std::string(name) + " has " + std::to_string(column.size()) + " values where " +
               first.name + " has " + std::to_string(first.values.size()));
  for (std::size_t i = 0; i < column.size(); ++i)
    if (!std::isfinite(column[i]))
      refuse(record, name,
             std::string(name) + " of sample " + std::to_string(i + 1) + " is not a finite number");
}

bool constant(const std::vector<double>& x) {
  return std::all_of(x.begin(), x.end(), [&](double v) { return v == x.front(); });
}

// The input must be known wherever the body was seen.
void check_input(const Record& record) {
  if (record.input.size() < 2)
    refuse(record, "input",
           "the input has " + std::to_string(record.input.size()) +
               " values, a fit of motion needs at least 2");
  if (record.input_time.size() != record.input.size())
    refuse(record, "input",
           "the input has " + std::to_string(record.input.size()) + " values at " +
               std::to_string(record.input_time.size()) + " times");
  const double slack = 1e-9 * (record.time.back() - record.time.front());
  if (record.input_time.front() > record.time.front() + slack ||
      record.input_time.back() < record.time.back() - slack)
    refuse(record, "input",
           "the input is given from " + words(record.input_time.front()) + " to " +
               words(record.input_time.back()) + " s, which does not cover the motion from " +
               words(record.time.front()) + " to " + words(record.time.back()) + " s");
}

void check(const Record& record, const PrepareOptions& options) {
  const std::size_t least = options.steady ? 3 : 10;
  const Leading first = leading(record, options);
  if (first.values.size() < least)
    refuse(record, first.name,
           (first.values.size() == 1
                ? "there is 1 sample"
                : "there are " + std::to_string(first.values.size()) + " samples") +
               ", a fit needs at least " + std::to_string(least));
  check_column(record, first.values, first.name, first);
  check_column(record, record.time, "time", first);
  check_column(record, record.position, "position", first);
  check_column(record, record.velocity, "velocity", first);
  check_column(record, record.load, "load", first);
  if (options.motion) check_input(record);
  if (record.velocity.empty() && (options.steady || record.position.empty()))
    refuse(record, "velocity",
           options.steady ? "a steady map needs a column of velocity"
                          : "a column of velocity or of position is needed");
  if (!options.motion && constant(record.force))
    refuse(record, "force",
           "the force is " + words(record.force.front()) +
               " N in every sample, there is nothing to fit");
  if (options.steady) return;
  if (record.time.empty() && (options.motion || record.position.empty()))
    refuse(record, "time",
           options.motion ? "a column of time is needed"
                          : "a column of time is needed, or one of position for a law that is "
                            "rate-independent");
  for (std::size_t i = 1; i < record.time.size(); ++i)
    if (!(record.time[i] > record.time[i - 1]))
      refuse(record, "time",
             "time = " + words(record.time[i]) + " s of sample " + std::to_string(i + 1) +
                 " does not come after " + words(record.time[i - 1]) + " s");
}

// Looks for noise of the position and chooses the bandwidth of the filter against it.
void look_for_noise(const Record& record, const PrepareOptions& options, Track& run) {
  MotionFilter& filter = run.filter;
  filter.noise = position_noise(record.time, record.position);
  filter.asked = options.bandwidth > 0.0;
  if (const double half = 0.5 / median_step(record.time); options.bandwidth > half)
    refuse(record, "bandwidth",
           "bandwidth = " + words(options.bandwidth) + " Hz is not allowed, at " +
               words(2.0 * half) + " samples per second it must be at most " + words(half) + " Hz");
  if (!filter.asked && filter.noise == 0.0) return;
  run.measured = record.position;
  if (filter.asked) filter.bandwidth = options.bandwidth;
  else if (options.smooth)
    filter.bandwidth = smooth_motion(record.time, record.position, filter.noise).bandwidth;
}

// A velocity that belongs to the position shows what happens within a step, unless there is a
// corner in it: then the step is taken in parts.
bool is_uneven(const Sample& s, double velocity_before) {
  const double change = std::abs(s.velocity - velocity_before);
  return change > 0.1 * std::max(std::abs(s.velocity), std::abs(velocity_before)) &&
         std::abs(0.5 * (s.velocity + velocity_before) - s.middle_velocity) < 0.1 * change;
}

}  // namespace

double smoothing_window(double bandwidth) { return parabola_corner / bandwidth; }
double smoothing_bandwidth(double window) { return parabola_corner / window; }

std::vector<double> smooth_slope(const std::vector<double>& time, const std::vector<double>& x,
                                 double window, std::vector<double>* smoothed) {
  std::vector<double> slope(x.size());
  if (smoothed) smoothed->resize(x.size());
  std::size_t first = 0;
  StopLook stop;
  for (std::size_t i = 0; i < x.size(); ++i) {
    stop();
    while (time[first] < time[i] - window) ++first;
    // Moments of the weighted parabola a + b t + c t^2 around this sample, in units of the window.
    double m[5] = {}, y[3] = {};
    for (std::size_t k = first; k < x.size() && time[k] <= time[i] + window; ++k) {
      const double t = (time[k] - time[i]) / window, w = (1.0 - t * t) * (1.0 - t * t);
      const double value = x[k] - x[i];
      double p = w;
      for (int j = 0; j < 5; ++j, p *= t) {
        m[j] += p;
        if (j < 3) y[j] += p * value;
      }
    }
    // Gaps may leave too few samples for a parabola: then a line through the neighbours.
    const double d = m[0] * (m[2] * m[4] - m[3] * m[3]) - m[1] * (m[1] * m[4] - m[2] * m[3]) +
                     m[2] * (m[1] * m[3] - m[2] * m[2]);
    double a = 0.0, b = 0.0;
    if (d > 1e-9 * m[0] * m[0] * m[0]) {
      a = (y[0] * (m[2] * m[4] - m[3] * m[3]) - m[1] * (y[1] * m[4] - y[2] * m[3]) +
           m[2] * (y[1] * m[3] - y[2] * m[2])) /
          d;
      b = (m[0] * (y[1] * m[4] - y[2] * m[3]) - y[0] * (m[1] * m[4] - m[2] * m[3]) +
           m[2] * (m[1] * y[2] - m[2] * y[1])) /
          d / window;
    } else {
      const std::size_t before = i > 0 ? i - 1 : i, after = std::min(i + 1, x.size() - 1);
      b = (x[after] - x[before]) / (time[after] - time[before]);
    }
    slope[i] = b;
    if (smoothed) (*smoothed)[i] = x[i] + a;
  }
  return slope;
}

namespace {

// The other columns row by row.
std::shared_ptr<const std::vector<double>> conditions_of(const Record& record, std::size_t n) {
  if (record.others.empty()) return nullptr;
  const std::size_t columns = record.others.size();
  auto rows = std::make_shared<std::vector<double>>(n * columns);
  for (std::size_t k = 0; k < columns; ++k) {
    if (record.others[k].size() != n)
      refuse(record, "others",
             "column " + std::to_string(k + 1) + " of the others has " +
                 std::to_string(record.others[k].size()) + " numbers for " + std::to_string(n) +
                 " samples");
    for (std::size_t i = 0; i < n; ++i) (*rows)[i * columns + k] = record.others[k][i];
  }
  return rows;
}

}  // namespace

Track prepare(const Record& record, const PrepareOptions& options) {
  check(record, options);
  if (record.time.empty() && !options.steady) {
    Record counted = record;
    for (std::size_t i = 0; i < record.position.size(); ++i) counted.time.push_back(double(i));
    counted.velocity.clear();
    Track run = prepare(counted, options);
    run.timed = false;
    return run;
  }
  const std::size_t n = leading(record, options).values.size();
  Track run{record.name, std::vector<Sample>(n), 0.0};
  run.loaded = !record.load.empty();
  run.conditions = conditions_of(record, n);
  run.input_time = record.input_time, run.input = record.input;
  std::vector<double> velocity = record.velocity, position = record.position;
  if (!options.steady) {
    if (velocity.empty()) {
      const bool central = options.differentiator == Differentiator::central;
      run.exact = !central && options.bandwidth == 0.0 && !options.motion &&
                  without_noise(record.time, position, 2);
      run.window = options.bandwidth > 0.0 && !central
                       ? smoothing_window(options.bandwidth)
                       : (central ? central_window : 4.5) * median_step(record.time);
      velocity = run.exact ? exact_slope(record.time, position)
                           : smooth_slope(record.time, position, run.window);
    } else {
      run.exact = !options.motion && without_noise(record.time, velocity, 1);
    }
    if (position.empty()) {
      position.assign(n, 0.0);
      for (std::size_t i = 1; i < n; ++i)
        position[i] = position[i - 1] +
                      0.5 * (velocity[i - 1] + velocity[i]) * (record.time[i] - record.time[i - 1]);
    }
    if (constant(velocity))
      refuse(record, "velocity",
             "the velocity is " + words(velocity.front()) +
                 " m/s in every sample: that is one point of a steady map, not "
                 "a motion");
  }
  for (std::size_t i = 0; i < n; ++i) {
    Sample& s = run.samples[i];
    s.row = int(i);
    s.velocity = velocity[i];
    if (!options.motion) s.force = record.force[i];
    if (!record.load.empty()) s.load = record.load[i];
    if (options.steady) continue;
    s.time = record.time[i];
    s.position = s.middle_position = position[i];
    if (i == 0) continue;
    s.step = record.time[i] - record.time[i - 1];
    s.middle_velocity = (position[i] - position[i - 1]) / s.step;
    s.middle_position = 0.5 * (position[i] + position[i - 1]);
    if (run.exact && is_uneven(s, velocity[i - 1])) s.steps = parts_of_uneven_steps;
  }
  // In a fit of motion the position is what is fitted: its noise is that of the residuals.
  if (!options.steady && !options.motion && !record.position.empty()) {
    look_for_noise(record, options, run);
    if (run.filter.asked) follow(run, run.filter.bandwidth);
  }
  return run;
}

namespace {

// The cubic through four samples around a time, of fewer at the ends a line.
double read_between(const std::vector<double>& t, const std::vector<double>& y, std::size_t at,
                    double time) {
  if (at < 1 || at + 2 >= t.size()) {
    const double part = (time - t[at]) / (t[at + 1] - t[at]);
    return y[at] + part * (y[at + 1] - y[at]);
  }
  double sum = 0.0;
  for (std::size_t j = at - 1; j <= at + 2; ++j) {
    double weight = 1.0;
    for (std::size_t k = at - 1; k <= at + 2; ++k)
      if (k != j) weight *= (time - t[k]) / (t[j] - t[k]);
    // Counted from one of them, so that what does not move stays exactly where it is.
    sum += weight * (y[j] - y[at]);
  }
  return y[at] + sum;
}

// The part of a delay that the force is read ahead by. Between its samples the noise of a position
// is less and no longer white, so a noisy one is moved by whole steps if these are even.
double part_for_force(const Record& record, double delay) {
  if (record.position.empty() || delay == 0.0 ||
      position_noise(record.time, record.position) == 0.0)
    return 0.0;
  const double step = median_step(record.time);
  for (std::size_t i = 1; i < record.time.size(); ++i)
    if (std::abs(record.time[i] - record.time[i - 1] - step) > 1e-3 * step) return 0.0;
  return delay - step * std::round(delay / step);
}

}  // namespace

Record delayed(const Record& record, double delay) {
  const auto& t = record.time;
  if (t.empty()) refuse(record, "delay", "a delay needs a column of time");
  Record r{.name = record.name, .group = record.group};
  r.others.resize(record.others.size());
  const double ahead = part_for_force(record, delay), motion = delay - ahead;
  std::size_t at = 0, force_at = 0;
  StopLook stop;
  for (std::size_t i = 0; i < t.size(); ++i) {
    stop();
    const double time = t[i] - motion, force_time = t[i] + ahead;
    if (time < t.front() || time > t.back()) continue;
    if (force_time < t.front() || force_time > t.back()) continue;
    while (at + 2 < t.size() && t[at + 1] <= time) ++at;
    while (force_at + 2 < t.size() && t[force_at + 1] <= force_time) ++force_at;
    r.time.push_back(t[i]);
    if (!record.position.empty()) r.position.push_back(read_between(t, record.position, at, time));
    if (!record.velocity.empty()) r.velocity.push_back(read_between(t, record.velocity, at, time));
    if (!record.force.empty())
      r.force.push_back(ahead == 0.0 ? record.force[i]
                                     : read_between(t, record.force, force_at, force_time));
    if (!record.load.empty()) r.load.push_back(record.load[i]);
    for (std::size_t k = 0; k < r.others.size(); ++k) r.others[k].push_back(record.others[k][i]);
  }
  if (r.time.size() < 10)
    refuse(record, "delay",
           "a delay of " + words(delay) + " s leaves " + std::to_string(r.time.size()) +
               " samples of a motion from " + words(t.front()) + " to " + words(t.back()) + " s");
  return r;
}

void lead_along(Track& track, const std::vector<double>& position, bool smooth) {
  auto& samples = track.samples;
  const bool differentiated = track.window > 0.0;
  if (differentiated) {
    std::vector<double> time(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) time[i] = samples[i].time;
    const auto velocity = smooth || track.exact ? exact_slope(time, position)
                                                : smooth_slope(time, position, track.window);
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i].velocity = velocity[i];
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Sample& s = samples[i];
    s.position = s.middle_position = position[i];
    s.steps = 0;
    if (i == 0) continue;
    s.middle_velocity = (position[i] - position[i - 1]) / s.step;
    s.middle_position = 0.5 * (position[i] + position[i - 1]);
    const bool uneven = is_uneven(s, samples[i - 1].velocity);
    if (smooth && differentiated) s.steps = uneven ? parts_of_uneven_steps : 1;
    else if (track.exact && uneven) s.steps = parts_of_uneven_steps;
  }
}

void follow(Track& track, double bandwidth) {
  track.filter.used = bandwidth > 0.0;
  track.filter.rest = 0.0;
  if (!track.filter.used) return lead_along(track, track.measured, false);
  std::vector<double> time;
  for (const Sample& s : track.samples) time.push_back(s.time);
  const SmoothMotion smooth = smooth_motion(time, track.measured, track.filter.noise, bandwidth);
  track.filter.rest = smooth.rest;
  lead_along(track, smooth.position, true);
}

DataScales scales_of(const std::vector<Track>& runs) {
  DataScales s;
  double load = 0.0, load_square = 0.0, least = 1e300, most = -1e300, total = 0.0;
  for (const Track& run : runs) {
    double direction = 0.0;
    for (const Sample& x : run.samples) {
      if (x.step > 0.0)
        s.least_step = s.least_step == 0.0 ? x.step : std::min(s.least_step, x.step);
      load += x.load;
      load_square += x.load * x.load;
      total += x.force;
      least = std::min(least, x.position);
      most = std::max(most, x.position);
      // A reversal counts once the motion goes the other way.
      if (x.velocity * direction < 0.0) ++s.reversals;
      if (x.velocity != 0.0) direction = x.velocity;
    }
    s.samples += long(run.samples.size());
  }
  // Quantiles of one kind of number at a time: a long run has many.
  std::vector<double> some;
  const auto collect = [&](const auto& wanted, const auto& number) {
    some.clear();
    for (const Track& run : runs)
      for (const Sample& x : run.samples)
        if (wanted(x)) some.push_back(number(x));
  };
  const auto part = [&](double q) {
    if (some.empty()) return 0.0;
    const auto at = some.begin() + long(q * double(some.size() - 1));
    std::nth_element(some.begin(), at, some.end());
    return *at;
  };
  const double count = double(s.samples);
  some.reserve(std::size_t(s.samples));
  collect([](const Sample&) { return true; }, [](const Sample& x) { return x.force; });
  const double high = part(0.995);
  s.force = std::max(0.5 * (high - part(0.005)), 1e-300);
  s.mean_force = total / count;
  s.load = load / count;
  const double variance = std::max(load_square / count - s.load * s.load, 0.0);
  s.load_spread = s.load != 0.0 ? std::sqrt(variance) / std::abs(s.load) : 0.0;
  collect([](const Sample& x) { return x.velocity != 0.0; },
          [](const Sample& x) { return std::abs(x.velocity); });
  s.fastest = std::max(part(0.995), 1e-300);
  s.slowest = std::clamp(part(0.02), 1e-5 * s.fastest, 0.1 * s.fastest);
  s.longest = most > least ? most - least : s.fastest;
  collect([](const Sample& x) { return x.step > 0.0 && x.middle_velocity != 0.0; },
          [](const Sample& x) { return std::abs(x.middle_velocity) * x.step; });
  s.shortest = std::clamp(part(0.05), 1e-6 * s.longest, 1e-2 * s.longest);
  return s;
}

long samples_after_reversals(const std::vector<Track>& runs, double distance) {
  long count = 0;
  for (const Track& run : runs) {
    double direction = 0.0, moved = 0.0;
    for (const Sample& s : run.samples) {
      const double step = s.middle_velocity * s.step;
      if (step == 0.0) continue;
      moved = step * direction < 0.0 ? std::abs(step) : moved + std::abs(step);
      direction = step;
      count += s.weight > 0.0 && moved < distance;
    }
  }
  return count;
}

std::string DataUnits::of(std::string_view unit) const {
  // A law of gears, and mechanics beside a law, speak of torques and inertias by themselves.
  if (unit.starts_with("kg") || unit.find("N m") != unit.npos || unit.find("rad") != unit.npos)
    return std::string(unit);
  std::string there;
  for (const char c : unit) there += c == 'N' ? force : c == 'm' ? way : std::string(1, c);
  return there;
}

}  // namespace bristle
