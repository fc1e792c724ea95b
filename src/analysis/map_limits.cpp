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
  const auto& marks = run.trajectory.periods;
  if (!run.summary.ok() || marks.size() < 2) return NAN;
  return marks.back().work_in - marks[marks.size() - 2].work_in;
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
    const std::size_t n = r.marks.size();
    out.frequency.push_back(slower.frequency);
    out.area.push_back(r.ok() && n > 1 ? r.marks[n - 1].area - r.marks[n - 2].area : NAN);
    slower.frequency *= 0.5;
  }
  const std::size_t n = out.area.size();
  out.limit = out.area.back();
  if (n < 3) return out;
  const double first = out.area[n - 2] - out.area[n - 3],
               second = out.area[n - 1] - out.area[n - 2];
  out.error = std::abs(second);
  // Areas that agree to rounding have arrived, whatever their last digits do.
  const bool arrived = std::abs(second) <= 1e-10 * std::abs(out.limit);
  out.converges = std::abs(second) <= 0.9 * std::abs(first) || arrived;
  if (out.converges && !arrived && first != second) {
    const double rest = second * second / (first - second);
    out.limit += rest;
    out.error = std::max(std::abs(rest), 1e-3 * std::abs(second));
  }
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
