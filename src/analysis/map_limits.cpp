// SPDX-License-Identifier: MIT
#include "bristle/analysis/map_limits.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

// The area of the last of some periods; NaN if the run did not get there.
double settled_area(const AnyLaw& law, const WallSpringMass& body, Options options, int periods) {
  options.end = periods * body.signal.period();
  const auto run = simulate(law, body, options);
  stop_if_asked();
  const auto& marks = run.trajectory.periods;
  if (!run.summary.ok() || marks.size() < 2) return NAN;
  return marks.back().work_in - marks[marks.size() - 2].work_in;
}

}  // namespace

namespace {

// Where three numbers that approach a limit by a constant ratio are heading (Aitken's rule). Those
// that agree to a tolerance have arrived.
struct Heading {
  double limit;
  bool converges;
};
Heading heading(double a, double b, double c, double tolerance) {
  const double first = b - a, second = c - b;
  if (std::abs(second) <= tolerance * std::abs(c)) return {c, true};
  if (!(std::abs(second) <= 0.9 * std::abs(first))) return {c, false};
  return {c + second * second / (first - second), true};
}

}  // namespace

FrequencyLimit slow_limit(const AnySystem& system, const Signal& input, const Options& options,
                          int halvings, int periods) {
  FrequencyLimit out;
  Signal slower = input;
  for (int i = 0; i <= halvings; ++i) {
    Options o = options;
    o.end = periods * slower.period();
    const SystemResponse r = system.respond(slower, o);
    stop_if_asked();
    // The area of the last period, or of one before it.
    const auto area = [&](int back) {
      if (!r.ok() || back >= periods) return double(NAN);
      const double period = slower.period();
      return r.area_between((periods - back - 1) * period, (periods - back) * period);
    };
    out.frequency.push_back(slower.frequency);
    out.area.push_back(area(0));
    out.change.push_back(std::abs(area(0) - area(1)));
    slower.frequency *= 0.5;
  }
  const std::size_t n = out.area.size();
  out.limit = out.area.back();
  out.error = INFINITY;
  if (n < 3) return out;
  const double tolerance = std::max(options.tolerance, 1e-14);
  const auto at = [&](std::size_t back) {
    const std::size_t i = n - 1 - back;
    return heading(out.area[i - 2], out.area[i - 1], out.area[i], 10.0 * tolerance);
  };
  const Heading last = at(0);
  out.converges = last.converges && std::isfinite(last.limit);
  // Without a fourth area, or one that fits the others, all that was extrapolated is uncertain.
  double doubt = std::abs(last.limit - out.area.back());
  if (n > 3)
    if (const Heading before = at(1); before.converges) doubt = std::abs(last.limit - before.limit);
  if (!out.converges) doubt = std::abs(out.area[n - 1] - out.area[n - 2]);
  else out.limit = last.limit;
  out.error = doubt + out.change.back() + tolerance * std::abs(out.limit);
  return out;
}

std::vector<SettledLoop> coexisting_loops(const AnyLaw& law, const WallSpringMass& body,
                                          const Options& options, double from, double to, int count,
                                          double apart, int periods) {
  std::vector<std::pair<double, double>> found;  // area, start
  for (int i = 0; i < count; ++i) {
    Options one = options;
    one.initial.position = count > 1 ? from + (to - from) * i / (count - 1) : from;
    const double area = settled_area(law, body, one, periods);
    if (std::isfinite(area)) found.emplace_back(area, one.initial.position);
  }
  std::sort(found.begin(), found.end());
  std::vector<SettledLoop> loops;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [area, start] = found[i];
    if (i == 0 || area - found[i - 1].first > apart * std::abs(area)) loops.emplace_back();
    else loops.back().spread += area - found[i - 1].first;
    loops.back().area += area;
    loops.back().starts.push_back(start);
  }
  for (SettledLoop& loop : loops) loop.area /= double(loop.starts.size());
  std::sort(loops.begin(), loops.end(), [](const SettledLoop& a, const SettledLoop& b) {
    return a.starts.size() > b.starts.size();
  });
  return loops;
}

}  // namespace bristle
