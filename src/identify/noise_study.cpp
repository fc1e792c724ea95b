// SPDX-License-Identifier: MIT
#include "noise_study.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/identify/smooth_motion.hpp"
#include "bristle/model/registry.hpp"
#include "judge_fit.hpp"

namespace bristle {
namespace {

// Normal deviates, the same with every library (Box and Muller).
class Deviates {
 public:
  explicit Deviates(unsigned seed) : engine_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2.0 * std::log(unit()));
    return radius * std::cos(2.0 * std::numbers::pi * unit());
  }

 private:
  double unit() { return (double(engine_() >> 11) + 0.5) * 0x1p-53; }
  std::mt19937_64 engine_;
};

// The white part of the residuals: what third differences leave of them.
double white_deviation(const FitProblem& problem,
                       const std::vector<std::vector<double>>& predicted) {
  std::vector<double> sizes;
  for (std::size_t k = 0; k < predicted.size(); ++k) {
    const auto& samples = problem.runs[k].samples;
    const auto off = [&](std::size_t i) { return predicted[k][i] - samples[i].force; };
    for (std::size_t i = 3; i < samples.size(); ++i)
      if (samples[i].weight > 0.0 && samples[i - 3].weight > 0.0)
        sizes.push_back(std::abs(off(i) - 3.0 * off(i - 1) + 3.0 * off(i - 2) - off(i - 3)));
  }
  if (sizes.empty()) return 0.0;
  const auto middle = sizes.begin() + long(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return 1.482602218505602 * *middle / std::sqrt(20.0);
}

std::vector<double> times_of(const Track& run) {
  std::vector<double> time;
  for (const Sample& s : run.samples) time.push_back(s.time);
  return time;
}
std::vector<double> motion_of(const Track& run) {
  std::vector<double> position;
  for (const Sample& s : run.samples) position.push_back(s.position);
  return position;
}

// The motion as it might have been measured as well.
void move_again(const FitSetup& problem, Track& run, Deviates& normal) {
  const MotionFilter& filter = run.filter;
  const auto motion = motion_of(run);
  auto position = motion;
  for (double& x : position) x += filter.noise * normal();
  if (filter.used) {
    // The motion was smoothed before: what a second time does to it is taken off.
    const auto time = times_of(run);
    const auto before = smooth_again(time, motion, filter.bandwidth);
    const SmoothMotion smooth = smooth_motion(time, position, filter.noise, filter.bandwidth);
    for (std::size_t i = 0; i < motion.size(); ++i)
      position[i] = motion[i] + (smooth.position[i] - before[i]);
  }
  lead_along(run, position, filter.used);
  refresh_terms(problem, run);
}

// A run with other forces.
void set_force(Track& run, const std::vector<double>& force) {
  for (std::size_t i = 0; i < run.samples.size(); ++i) run.samples[i].force = force[i];
}

long samples_of(const FitProblem& problem) {
  long count = 0;
  for (const Track& run : problem.runs)
    for (const Sample& s : run.samples) count += s.weight > 0.0;
  return std::max(count, 1L);
}

bool noisy(const FitProblem& problem) {
  return problem.kind == FitKind::direct &&
         std::any_of(problem.runs.begin(), problem.runs.end(),
                     [](const Track& run) { return run.filter.noise > 0.0; });
}

// Near enough to its minimum, from a start that was one before.
bool usable(const LeastSquaresSummary& f) {
  return f.status == FitStatus::converged || f.status == FitStatus::iterations_used_up;
}

// How large residuals are, and for how long they stay so.
double weight_of(const FitProblem& problem, const std::vector<std::vector<double>>& predicted) {
  double squares = 0.0;
  for (std::size_t k = 0; k < predicted.size(); ++k)
    for (std::size_t i = 0; i < predicted[k].size(); ++i) {
      const Sample& s = problem.runs[k].samples[i];
      squares += s.weight * (predicted[k][i] - s.force) * (predicted[k][i] - s.force);
    }
  return squares * whiteness(problem, predicted).correlation_time;
}

// The weight of samples whose predicted force may be off by the largest force there is.
double least_weight(const FitProblem& problem, const std::vector<double>& x) {
  double largest = 0.0;
  for (const auto& forces : fit_predict(problem, x))
    for (const double f : forces) largest = std::max(largest, std::abs(f));
  const double size = robust_deviation(problem, x);
  return size * size / (size * size + largest * largest);
}

// The force of a law without a state jumps with the direction of motion. Samples at rest or within
// three decay times of the filter, 1 / (2 pi bandwidth), of a rest or a reversal may move either
// way or not at all, whatever the smoothed velocity says: they get the least weight.
void weigh_down_undecided(FitProblem& problem, double weight, double bandwidth_factor = 1.0) {
  if (!find_law(problem.law).set_valued) return;
  for (Track& run : problem.runs) {
    if (!run.filter.used) continue;
    auto& samples = run.samples;
    const double reach = 3.0 / (2.0 * std::numbers::pi * bandwidth_factor * run.filter.bandwidth);
    run.filter.undecided = 0;
    std::size_t next = 0;  // the first sample that has not been weighed
    for (std::size_t i = 1; i < samples.size(); ++i) {
      if (samples[i].velocity * samples[i - 1].velocity > 0.0) continue;
      while (samples[next].time < samples[i - 1].time - reach) ++next;
      for (; next < samples.size() && samples[next].time <= samples[i].time + reach; ++next) {
        run.filter.undecided += samples[next].weight > 0.0;
        samples[next].weight *= weight;
      }
      if (next == samples.size()) break;
    }
  }
}

// True if the residuals of samples above a weight are less than twice the white noise of the force.
// A law that misses more, such as presliding, does not tell where the measured force jumps.
bool meets_the_force(const FitProblem& problem, const std::vector<double>& x, double weight) {
  const auto predicted = fit_predict(problem, x);
  std::vector<double> sizes;
  for (std::size_t k = 0; k < predicted.size(); ++k)
    for (std::size_t i = 0; i < predicted[k].size(); ++i)
      if (const Sample& s = problem.runs[k].samples[i]; s.weight > weight)
        sizes.push_back(std::abs(predicted[k][i] - s.force));
  if (sizes.empty()) return false;
  const auto middle = sizes.begin() + long(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return 1.482602218505602 * *middle < 2.0 * white_deviation(problem, predicted);
}

}  // namespace

bool weigh_by_noise(FitProblem& problem, const std::vector<double>& x, const FitOptions& options) {
  const bool smoothed = std::any_of(problem.runs.begin(), problem.runs.end(),
                                    [](const Track& run) { return run.filter.used; });
  if (!noisy(problem) || !smoothed) return false;
  const auto predicted = fit_predict(problem, x);
  const double size = robust_deviation(problem, x);
  if (!(size > 0.0)) return false;
  constexpr int draws = 16;
  std::vector<std::vector<std::vector<double>>> drawn(draws);
  in_parallel(draws, std::max(options.threads, 1), [&](int i) {
    Deviates normal(options.seed * 104729u + unsigned(i));
    FitProblem again = problem;
    for (Track& run : again.runs) move_again(again, run, normal);
    drawn[std::size_t(i)] = fit_predict(again, x);
  });
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    auto& samples = problem.runs[k].samples;
    std::vector<double> variance(samples.size(), 0.0);
    for (const auto& other : drawn)
      for (std::size_t i = 0; i < samples.size(); ++i)
        variance[i] += std::pow(other[k][i] - predicted[k][i], 2) / draws;
    // A sample takes the largest variance around it, since few draws may miss what its neighbours
    // show.
    constexpr std::size_t beside = 2;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const std::size_t from = i < beside ? 0 : i - beside,
                        to = std::min(i + beside + 1, samples.size());
      const double most =
          *std::max_element(variance.begin() + long(from), variance.begin() + long(to));
      samples[i].weight *= size * size / (size * size + most);
    }
  }
  if (!find_law(problem.law).set_valued) return true;
  // Samples of open direction are left out if the law meets the force of the others.
  FitProblem decided = problem;
  const double least = least_weight(problem, x);
  weigh_down_undecided(decided, least);
  std::vector<double> lower, upper;
  decided.bounds(lower, upper);
  const auto f = minimise(
      [&](std::span<const double> u, NormalEquations* e) { return fit_cost(decided, u, e); }, x,
      lower, upper, options.solver);
  if (meets_the_force(decided, f.x, least)) problem = std::move(decided);
  return true;
}

NoiseStudy repeat_with_noise(const FitProblem& problem, const std::vector<double>& x,
                             const FitOptions& options) {
  NoiseStudy study;
  if (!noisy(problem) || options.repetitions < 2) return study;
  const auto predicted = fit_predict(problem, x);
  const double force_noise = white_deviation(problem, predicted);
  const bool leaves_out = std::any_of(problem.runs.begin(), problem.runs.end(),
                                      [](const Track& run) { return run.filter.undecided > 0; });
  const double least = leaves_out ? least_weight(problem, x) : 1.0;
  std::vector<double> lower, upper;
  problem.bounds(lower, upper);
  LeastSquaresOptions solver = options.solver;
  // A minimum to a hundredth of what noise makes of the cost.
  solver.iterations = 12;
  solver.cost_tolerance = 1e-6;
  const auto solve = [&](const FitProblem& p) {
    return minimise(
        [&](std::span<const double> u, NormalEquations* e) { return fit_cost(p, u, e); }, x, lower,
        upper, solver);
  };

  const std::size_t n = x.size();
  std::vector<LeastSquaresSummary> found(std::size_t(options.repetitions));
  std::vector<double> weights(found.size(), 0.0);
  in_parallel(options.repetitions, std::max(options.threads, 1), [&](int i) {
    Deviates normal(options.seed * 7919u + unsigned(i));
    FitProblem again = problem;
    for (std::size_t k = 0; k < again.runs.size(); ++k) {
      move_again(again, again.runs[k], normal);
      set_force(again.runs[k], predicted[k]);
      for (Sample& s : again.runs[k].samples) s.force += force_noise * normal();
    }
    weigh_down_undecided(again, least);
    auto& f = found[std::size_t(i)] = solve(again);
    if (usable(f)) weights[std::size_t(i)] = weight_of(again, fit_predict(again, f.x));
  });

  study.shift.assign(n, 0.0), study.covariance.assign(n * n, 0.0);
  double weight = 0.0, heaviest = 0.0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!usable(found[k])) continue;
    ++study.fits;
    weight += weights[k], heaviest = std::max(heaviest, weights[k]);
    for (std::size_t i = 0; i < n; ++i) study.shift[i] += found[k].x[i] - x[i];
  }
  if (study.fits < 2) return {};
  for (double& shift : study.shift) shift /= study.fits;
  for (const auto& f : found) {
    if (!usable(f)) continue;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        study.covariance[i * n + j] +=
            (f.x[i] - x[i] - study.shift[i]) * (f.x[j] - x[j] - study.shift[j]) / (study.fits - 1);
  }
  const double here = weight_of(problem, predicted);
  if (here > heaviest) study.widening = here / (weight / study.fits);

  // By how much the unknowns move in a fit to a similar problem.
  const auto moved = [&](const LeastSquaresSummary& f) {
    std::vector<double> by(n, 0.0);
    for (std::size_t i = 0; i < n && usable(f); ++i) by[i] = f.x[i] - x[i];
    return by;
  };
  // What smoothing once more does is about what it did the first time. Where the motion is used as
  // measured, it is what smoothing would do.
  FitProblem bent = problem;
  for (std::size_t k = 0; k < bent.runs.size(); ++k) {
    Track& run = bent.runs[k];
    if (run.filter.used) {
      set_force(run, predicted[k]);
      lead_along(run, smooth_again(times_of(run), motion_of(run), run.filter.bandwidth), true);
    } else if (run.filter.bandwidth > 0.0) {
      follow(run, run.filter.bandwidth);
    }
    refresh_terms(bent, run);
  }
  weigh_down_undecided(bent, least);
  study.bend = moved(solve(bent));

  // Twice the bandwidth lets more of the noise pass. Half of it may bend the motion, which the
  // forces then tell: it counts only if they are met about as well, at the same weights.
  const auto along = [&](double factor) {
    FitProblem other = problem;
    for (Track& run : other.runs)
      if (run.filter.used) {
        follow(run, factor * run.filter.bandwidth);
        refresh_terms(other, run);
      }
    weigh_down_undecided(other, least, factor);
    return other;
  };
  study.doubled = moved(solve(along(2.0)));
  const FitProblem narrow = along(0.5);
  FitProblem as_found = problem;
  for (std::size_t k = 0; k < narrow.runs.size(); ++k)
    for (std::size_t i = 0; i < narrow.runs[k].samples.size(); ++i)
      as_found.runs[k].samples[i].weight = narrow.runs[k].samples[i].weight;
  const double limit =
      fit_cost(as_found, x, nullptr) * (1.0 + 4.0 * std::sqrt(2.0 / double(samples_of(problem))));
  const auto halved = solve(narrow);
  study.halved = halved.cost <= limit ? moved(halved) : std::vector<double>(n, 0.0);
  return study;
}

}  // namespace bristle
