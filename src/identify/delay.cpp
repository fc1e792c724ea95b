// SPDX-License-Identifier: MIT
#include "bristle/identify/delay.hpp"

#include <algorithm>
#include <map>

#include "bristle/identify/smooth_motion.hpp"
#include "bristle/model/field.hpp"
#include "intervals.hpp"

namespace bristle {
namespace {

double typical_step(const std::vector<Record>& records) {
  std::vector<double> steps;
  for (const Record& r : records)
    for (std::size_t i = 1; i < r.time.size(); ++i) steps.push_back(r.time[i] - r.time[i - 1]);
  if (steps.empty()) throw InvalidInput("delay", "a delay cannot be found without a time");
  const auto middle = steps.begin() + long(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

// The cost of the law along the motion delayed by some time.
class Delays {
 public:
  Delays(std::string_view law, const std::vector<Record>& records, const DelayOptions& options,
         double longest)
      : law_(law), records_(records), options_(options), longest_(longest) {
    for (Record& r : records_) calm(r);
    options_.fit.repetitions = 0, options_.fit.profiles = options_.fit.forms = false;
    start_ = fit(law, runs(0.0), options_.fit);
    if (start_.x.empty()) throw InvalidInput("delay", start_.message);
  }

  double cost(double delay) {
    const auto [known, fresh] = costs_.try_emplace(delay, 0.0);
    if (!fresh) return known->second;
    FitProblem problem{static_cast<const FitSetup&>(start_.problem), runs(delay)};
    std::vector<double> lower, upper;
    problem.bounds(lower, upper);
    const auto found = minimise(
        [&](std::span<const double> x, NormalEquations* e) { return fit_cost(problem, x, e); },
        start_.x, lower, upper, {.iterations = 40, .cost_tolerance = 1e-10});
    return known->second = std::isfinite(found.cost) ? found.cost : INFINITY;
  }

  const FitSummary& start() const { return start_; }

 private:
  // A noisy position read between its samples has less noise, and friction of a smoother motion
  // fits better whatever the delay: so the motion is smoothed first.
  void calm(Record& r) const {
    if (r.position.empty() || !options_.prepare.smooth) return;
    const double noise = position_noise(r.time, r.position);
    if (noise == 0.0) return;
    auto smooth = smooth_motion(r.time, r.position, noise, options_.prepare.bandwidth);
    if (smooth.bandwidth > 0.0) r.position = std::move(smooth.position);
  }

  // The same samples at every delay: those with a motion at the longest ones.
  std::vector<Track> runs(double delay) const {
    std::vector<Track> all;
    for (std::size_t k = 0; k < records_.size(); ++k) {
      const Record& r = records_[k];
      Record moved = delayed(r, delay);
      const auto cut = [&](std::vector<double>& column) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < column.size(); ++i)
          if (inside(r, moved.time[i])) column[kept++] = column[i];
        if (!column.empty()) column.resize(kept);
      };
      for (auto* column : {&moved.position, &moved.velocity, &moved.force, &moved.load})
        cut(*column);
      for (auto& column : moved.others) cut(column);
      std::erase_if(moved.time, [&](double t) { return !inside(r, t); });
      all.push_back(prepare(moved, options_.prepare));
      // As the first fit has chosen to follow the motion.
      if (start_.x.empty()) continue;
      const MotionFilter& filter = start_.problem.runs[k].filter;
      if (filter.used && !all.back().filter.used && !all.back().measured.empty())
        follow(all.back(), filter.bandwidth);
      refresh_terms(start_.problem, all.back());
      for (std::size_t i = 0; i < all.back().samples.size(); ++i)
        all.back().samples[i].weight = start_.problem.runs[k].samples[i].weight;
    }
    return all;
  }
  bool inside(const Record& r, double time) const {
    return time >= r.time.front() + longest_ && time <= r.time.back() - longest_;
  }

  std::string law_;
  std::vector<Record> records_;
  DelayOptions options_;
  double longest_;
  FitSummary start_;
  std::map<double, double> costs_;
};

}  // namespace

DelayEstimate estimate_delay(std::string_view law, const std::vector<Record>& records,
                             const DelayOptions& options) {
  const double step = typical_step(records);
  DelayEstimate found;
  found.longest = options.longest > 0.0 ? options.longest : 25.0 * step;
  for (const Record& r : records)
    if (const double most = 0.5 * (r.time.back() - r.time.front()) - 5.0 * step;
        !(found.longest < most))
      throw InvalidInput("delay", r.name + ": delays up to " + words(found.longest) +
                                      " s leave no ten samples of it, they must be less than " +
                                      words(most) + " s");
  Delays delays(law, records, options, found.longest);

  // A coarse look, then closer and closer around the best.
  constexpr int parts = 10;
  double best = 0.0, apart = found.longest / parts;
  for (int k = -parts; k <= parts; ++k)
    if (delays.cost(k * apart) < delays.cost(best)) best = k * apart;
  found.at_limit = std::abs(best) > 0.999 * found.longest;
  for (; apart > 0.01 * step && !found.at_limit; apart *= 0.5)
    for (const double near : {best - 0.5 * apart, best + 0.5 * apart})
      if (delays.cost(near) < delays.cost(best)) best = near;

  // A parabola over a distance at which the cost rises by something that can be seen.
  const FitSummary& start = delays.start();
  const double samples = double(start.fitted.samples), least = delays.cost(best);
  const double freedom = std::max(samples - double(start.x.size()) - 1.0, 1.0);
  const double variance = 2.0 * least / freedom * start.correlation_time;
  double reach = 0.05 * step, curvature = 0.0;
  for (; reach < found.longest - std::abs(best); reach *= 2.0) {
    const double rise = 0.5 * (delays.cost(best - reach) + delays.cost(best + reach)) - least;
    curvature = 2.0 * rise / (reach * reach);
    if (2.0 * rise > variance) break;
  }
  const double half =
      curvature > 0.0 ? student(freedom) * std::sqrt(variance / curvature) : INFINITY;
  found.delay = best;
  found.lower = std::max(best - half, -found.longest);
  found.upper = std::min(best + half, found.longest);
  found.without = std::sqrt(2.0 * delays.cost(0.0) / samples);
  found.with = std::sqrt(2.0 * least / samples);
  return found;
}

}  // namespace bristle
