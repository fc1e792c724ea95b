// SPDX-License-Identifier: MIT
#include "bristle/analysis/io_map.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/analysis/loop.hpp"

namespace bristle {
namespace {

Answer answer(bool yes) { return yes ? Answer::yes : Answer::no; }

// The input passes through the given values, a leg each time, as monotone cubics.
Signal route(const std::vector<double>& stops, double leg) {
  std::vector<double> times;
  for (std::size_t i = 0; i < stops.size(); ++i) times.push_back(double(i) * leg);
  Signal s;
  s.shape = Signal::samples;
  s.curve = std::make_shared<SampledCurve>(std::move(times), stops);
  return s;
}

SystemResponse travel(const AnySystem& system, const std::vector<double>& stops, double leg,
                      int samples_a_leg, double tolerance) {
  Options o;
  o.end = leg * double(stops.size() - 1);
  o.samples = double(stops.size() - 1) * samples_a_leg + 1.0;
  o.tolerance = tolerance;
  SystemResponse r = system.respond(route(stops, leg), o);
  stop_if_asked();
  return r;
}

// The output of a branch at an input, the branch given by samples with monotone input.
double on_branch(const std::vector<double>& u, const std::vector<double>& y, std::size_t first,
                 std::size_t last, double at) {
  for (std::size_t i = first; i < last; ++i) {
    const double low = std::min(u[i], u[i + 1]), high = std::max(u[i], u[i + 1]);
    if (at < low || at > high || low == high) continue;
    return y[i] + (y[i + 1] - y[i]) * (at - u[i]) / (u[i + 1] - u[i]);
  }
  return y[last];
}

// The part of the box around a map that lies between its two ways, whichever way round. Samples i
// and half a period less i have the same input.
double open_part(const PeriodicMap& map) {
  if (map.output.size() < 3) return NAN;
  const std::size_t whole = map.output.size() - 1, half = whole / 2;
  double sum = 0.0;
  for (std::size_t i = 0; i < whole; ++i) {
    const std::size_t other = (half + whole - i) % whole;
    sum += 0.25 * std::abs(map.output[i] - map.output[other]) *
           std::abs(map.input[i + 1] - map.input[(i + whole - 1) % whole]);
  }
  const Range u = range_of(map.input);
  const double box = (u.most - u.least) * map.height;
  return box > 0.0 ? sum / box : 0.0;
}

// The map of a part of the amplitude, once the input has gone its full way for some
// periods and then changed.
PeriodicMap map_after(const AnySystem& system, Signal input, double part, double after,
                      const MapOptions& options) {
  input.change_time = after * input.period();
  input.amplitude_after = part * input.amplitude;
  return periodic_map(system, input, options);
}

}  // namespace

std::string_view words(Answer answer) {
  return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "unknown";
}

std::string_view memory_words(const MapProperties& p) {
  return p.local_memory == Answer::yes  ? "local"
         : p.local_memory == Answer::no ? "nonlocal"
                                        : "unknown";
}

PeriodicMap periodic_map(const AnySystem& system, const Signal& input, const MapOptions& options) {
  const double period = input.period();
  if (!(period > 0.0))
    throw InvalidInput("shape", "a map needs an input with a period: a sine or a triangle");
  PeriodicMap map;
  // Periods before the input has its final amplitude do not count.
  const double periods_before = std::ceil(input.change_time / period - 1e-9);
  if (!(periods_before <= 1e6))
    throw InvalidInput("change_time", "input: change_time = " + words(input.change_time) +
                                          " s comes after " + words(periods_before) +
                                          " periods, a map needs it within 1e6 of them");
  const int lead = int(periods_before);
  for (map.periods = 2;; map.periods *= 2) {
    Options o;
    o.end = (lead + map.periods) * period;
    o.record_from = (lead + map.periods - 2) * period;
    o.samples = 2.0 * (options.samples - 1) + 1.0;
    o.tolerance = options.tolerance;
    o.progress = options.progress;
    const SystemResponse r = system.respond(input, o);
    stop_if_asked();
    const auto n = std::size_t(options.samples);
    if (!r.ok() || r.time.size() < 2 * n - 1) return map;
    map.input.assign(r.input.begin() + long(n) - 1, r.input.end());
    map.output.assign(r.output.begin() + long(n) - 1, r.output.end());
    const Range range = range_of(map.output);
    map.height = range.most - range.least;
    double change = 0.0;
    for (std::size_t i = 0; i < n; ++i)
      change = std::max(change, std::abs(r.output[i] - map.output[i]));
    map.closing_error = map.height > 0.0 ? change / map.height : change;
    map.area = r.area_between(o.end - period, o.end);
    map.closed = map.closing_error <= options.closing;
    if (map.closed || map.periods >= options.most_periods) return map;
  }
}

double map_distance(const PeriodicMap& a, const PeriodicMap& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < std::min(a.output.size(), b.output.size()); ++i)
    most = std::max(most, std::abs(a.output[i] - b.output[i]));
  const double height = std::max(a.height, b.height);
  return height > 0.0 ? most / height : most;
}

MapProperties properties(const AnySystem& system, const Signal& given, const MapOptions& options) {
  MapProperties p;
  Signal input = given;
  input.phase = input.rate = input.change_time = 0.0;
  const PeriodicMap map = periodic_map(system, input, options);
  Signal slow = input;
  slow.frequency *= 0.1;
  const PeriodicMap slower = periodic_map(system, slow, options);
  if (map.output.empty() || slower.output.empty()) return p;
  p.rate_change = map_distance(map, slower);
  p.rate_dependent = answer(p.rate_change > 1e-5);

  // Does the loop stay open as the input slows down? By Aitken's rule from three frequencies.
  double open[3]{open_part(slower), NAN, NAN};
  for (int i = 1; i < 3; ++i) {
    Signal still = slow;
    still.frequency *= std::pow(0.25, i);
    open[i] = open_part(periodic_map(system, still, options));
  }
  const double first = open[1] - open[0], second = open[2] - open[1];
  p.open_area = open[2];
  p.open_area_error = std::abs(second);
  if (std::abs(second) < 0.9 * std::abs(first)) {
    const double rest = second * second / (first - second);
    p.open_area += rest;
    p.open_area_error = std::abs(rest);
  }
  if (std::isfinite(p.open_area))
    p.hysteretic = answer(p.open_area > std::max(1e-3, 2.0 * p.open_area_error));

  // Minor loops after one period and after one and a half.
  p.local_memory = Answer::yes;
  for (const double part : {0.25, 0.5, 0.75}) {
    const auto up = map_after(system, slow, part, 1.0, options);
    const auto down = map_after(system, slow, part, 1.5, options);
    if (up.output.empty() || down.output.empty()) continue;
    double apart = 0.0;
    for (std::size_t i = 0; i < up.output.size(); ++i)
      apart = std::max(apart, std::abs(up.output[i] - down.output[i]));
    if (slower.height > 0.0) apart /= slower.height;
    p.history_distance = std::max(p.history_distance, apart);
    if (!up.closed || !down.closed) p.local_memory = Answer::unknown;
  }
  if (p.history_distance > 1e-3) p.local_memory = Answer::no;

  // Excursions on the way up (stops 5 to 8) and on the way down (10 to 12).
  // Turns at odd places, not at the levels of a relay.
  constexpr double high = 0.413, low = -0.227;
  const double a = input.amplitude, leg = 0.5 * slow.period();
  const auto at = [&](double x) { return input.offset + a * x; };
  const auto r = travel(system,
                        {at(0), at(1), at(-1), at(1), at(-1), at(high), at(low), at(high), at(low),
                         at(1), at(low), at(high), at(low), at(-1)},
                        leg, 50, options.tolerance);
  if (r.ok() && slower.height > 0.0) {
    const auto y = [&](int stop) { return r.output[std::size_t(50 * stop)]; };
    p.return_distance = std::max(std::abs(y(5) - y(7)), std::abs(y(10) - y(12))) / slower.height;
    p.return_point = answer(p.return_distance < 1e-3);
    // Both rise from the low to the high turn, with turns at both ends and so alike in time.
    const double shift = y(6) - y(10);
    for (std::size_t i = 0; i <= 50; ++i)
      p.shape_distance =
          std::max(p.shape_distance, std::abs(r.output[300 + i] - r.output[500 + i] - shift));
    p.shape_distance /= slower.height;
    p.congruent = answer(p.shape_distance < 1e-3);
  }
  return p;
}

MinorLoop minor_loop(const AnySystem& system, double amplitude, double turn, double back,
                     double seconds) {
  constexpr int leg = 400;
  const auto r =
      travel(system, {0.0, amplitude, -amplitude, amplitude, -amplitude, turn, turn - back, turn},
             seconds, leg, 1e-10);
  MinorLoop m;
  if (!r.ok()) return m;
  m.input.assign(r.input.begin() + 5 * leg, r.input.end());
  m.output.assign(r.output.begin() + 5 * leg, r.output.end());
  m.area = r.area.back() - r.area[5 * leg];
  const Range range = range_of(std::vector<double>(r.output.begin() + leg, r.output.end()));
  for (std::size_t i = 0; i < m.input.size(); ++i) {
    // The loop it started on: down from the second to the third stop, up from there to the next.
    const double one = on_branch(r.input, r.output, leg, 2 * leg, m.input[i]);
    const double other = on_branch(r.input, r.output, 2 * leg, 3 * leg, m.input[i]);
    const auto [low, high] = std::minmax(one, other);
    m.beyond = std::max({m.beyond, m.output[i] - high, low - m.output[i]});
  }
  m.beyond /= range.most - range.least;
  m.inside = m.beyond < 1e-3;
  return m;
}

}  // namespace bristle
