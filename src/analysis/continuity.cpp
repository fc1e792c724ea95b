// SPDX-License-Identifier: MIT
#include "bristle/analysis/continuity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bristle/system/registry.hpp"

namespace bristle {
namespace {

constexpr int lag = 10;  // samples over which a difference is taken

struct Roughest {
  double change = 0.0;  // largest difference over the distance
  double place = 0.0;   // the middle of it
};

// Samples [from, to] so that `lag` of them span the distance.
Roughest look(const std::function<double(double)>& f, double from, double to, double distance) {
  const double step = distance / lag;
  const int n = std::max(lag + 1, int(std::lround((to - from) / step)));
  std::vector<double> y;
  for (int i = 0; i <= n; ++i) y.push_back(f(from + step * i));
  Roughest r{0.0, 0.5 * (from + to)};
  for (int i = 0; i + lag <= n; ++i) {
    const double change = std::abs(y[std::size_t(i + lag)] - y[std::size_t(i)]);
    if (change > r.change) r = {change, from + step * (i + 0.5 * lag)};
  }
  return r;
}

}  // namespace

std::string_view words(const Continuity& c) {
  return c.discontinuous() ? "discontinuous"
         : c.lipschitz()   ? "Lipschitz"
                           : "continuous but not Lipschitz";
}

Continuity continuity(const std::function<double(double)>& f, double low, double high,
                      double finest) {
  const double range = high - low;
  double distance = 1e-3 * range;
  const Roughest first = look(f, low, high, distance);
  Roughest last = first;
  const double begun = distance;
  // Ten times closer each time, around the place found before.
  while (distance > 1.5 * finest * range) {
    const double from = std::max(low, last.place - 1.5 * distance),
                 to = std::min(high, last.place + 1.5 * distance);
    distance *= 0.1;
    last = look(f, from, to, distance);
  }
  if (!(first.change > 0.0)) return {1.0, first.place};
  if (!(last.change > 0.0)) return {1.0, last.place};
  return {std::log(first.change / last.change) / std::log(begun / distance), last.place};
}

std::optional<Continuity> continuity(const AnyLaw& law, double load) {
  require_single(law, "the judgement of continuity");
  if (law.remembers()) return {};
  if (law.set_valued())
    return continuity(
        [&](double v) {
          return law.steady(Motion<double>{0.0, v, load, 0.0});
        },
        -1.0, 1.0);
  std::optional<Continuity> worst;
  const double reach = 1.537 * law.state_scale();  // no edge falls on a sample
  for (const double v : {1e-3, 0.1, 1.0, -0.1}) {
    const Motion<double> motion{0.0, v, load, 0.0};
    const double side = v > 0.0 ? 1.0 : -1.0;
    const Continuity one = continuity(
        [&](double z) { return law.respond(z, motion, law.engage(z, motion, side, {})).rate; },
        -reach, reach);
    if (!worst || one.exponent < worst->exponent) worst = one;
  }
  return worst;
}

std::optional<Continuity> continuity(const AnySystem& system) {
  Values values = system.values();
  const auto list = [&](const char* field) {
    const auto at = values.find(field);
    return at == values.end() ? nullptr : std::get_if<std::vector<double>>(&at->second);
  };
  const auto* thresholds = list("thresholds");
  if (!system.knows_no_time() || !thresholds || thresholds->empty()) return {};
  const double width = thresholds->front(), size = double(thresholds->size());
  const double reach = 1.537 * width, step = 1e-10 * width;
  if (!(width > 0.0)) return {};
  return continuity(
      [&](double x) {
        std::vector<double> states(std::size_t(size), 0.0);
        states[0] = x;
        values["states"] = states;
        const auto y = make_system(system.name(), values)->follow(std::vector<double>{0.0, step});
        return (y[1] - y[0]) / step;
      },
      -reach, reach, 1e-6);
}

}  // namespace bristle
