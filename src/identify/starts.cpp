// SPDX-License-Identifier: MIT
#include "starts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bristle/ensemble/parallel.hpp"

namespace bristle {
namespace {

// Shifts by a number of the seed, the same on every machine.
double shift(unsigned seed, int dimension) {
  return std::fmod(0.5 + seed * 0.6180339887498949 + dimension * 0.7548776662466927 * seed, 1.0);
}

// Roughly, for points that are far from the law of the data: the first force over the forces met.
void guess_states(const FitProblem& problem, const DataScales& data, std::vector<double>& x) {
  const std::size_t shared = problem.shared().size();
  const std::size_t stride = std::size_t(std::max(problem.starts_per_run(), 1));
  for (std::size_t k = 0; shared + k * stride < x.size(); ++k)
    x[shared + k * stride] =
        std::clamp(problem.runs[k].samples.front().force / data.force, -1.0, 1.0);
}

// The law alone along the first samples of each run: the shared unknowns as they are, then one
// state per run.
FitProblem openings(const FitProblem& problem, std::size_t samples) {
  FitProblem part = first_samples(problem, [&](const Track&) { return samples; });
  part.kind = FitKind::direct;
  return part;
}

// The state of each run that gives its first measured force, for the other unknowns of x. Found by
// the rule of false position (Illinois), for all runs at once: at once exact if the force is linear
// in the state.
void first_states(const FitProblem& problem, const FitProblem& first, std::vector<double>& x) {
  const std::size_t shared = problem.shared().size();
  const std::size_t stride = std::size_t(problem.starts_per_run());
  if (stride == 0 || first.starts_per_run() == 0) return;
  const std::size_t runs = problem.runs.size();
  std::vector<double> at(x.begin(), x.begin() + long(shared));
  at.resize(shared + runs, 0.0);
  const auto misses = [&](const std::vector<double>& states) {
    std::copy(states.begin(), states.end(), at.begin() + long(shared));
    const auto forces = fit_predict(first, at);
    std::vector<double> miss(runs);
    for (std::size_t k = 0; k < runs; ++k)
      miss[k] = forces[k].front() - first.runs[k].samples.front().force;
    return miss;
  };
  std::vector<double> low(runs, -1.0), high(runs, 1.0), middle(runs, 0.0);
  auto below = misses(low), above = misses(high);
  const auto range = [&](std::size_t k) { return std::abs(below[k]) + std::abs(above[k]); };
  for (int i = 0; i < 30; ++i) {
    bool done = true;
    for (std::size_t k = 0; k < runs; ++k) {
      // Outside of what the bristles can bear the nearer end is taken.
      const double part = below[k] / (below[k] - above[k]);
      middle[k] = below[k] >= 0.0   ? low[k]
                  : above[k] <= 0.0 ? high[k]
                                    : low[k] + part * (high[k] - low[k]);
      if (!std::isfinite(middle[k])) middle[k] = 0.0;
    }
    const auto miss = misses(middle);
    for (std::size_t k = 0; k < runs; ++k) {
      if (!(below[k] < 0.0 && above[k] > 0.0) || !(std::abs(miss[k]) > 1e-6 * range(k))) continue;
      done = false;
      if (miss[k] < 0.0) low[k] = middle[k], below[k] = miss[k], above[k] *= 0.5;
      else high[k] = middle[k], above[k] = miss[k], below[k] *= 0.5;
    }
    if (done) break;
  }
  for (std::size_t k = 0; k < runs; ++k) x[shared + k * stride] = middle[k];
}

// A sample of a run, with its terms.
void add_sample(const Track& run, std::size_t i, Track& part) {
  const std::size_t terms = run.terms.size() / run.samples.size();
  part.samples.push_back(run.samples[i]);
  part.terms.insert(part.terms.end(), run.terms.begin() + long(i * terms),
                    run.terms.begin() + long((i + 1) * terms));
}

// The samples of the later half of each stroke: there the law slides.
std::vector<Track> sliding_part(const std::vector<Track>& runs) {
  std::vector<Track> all;
  for (const Track& run : runs) {
    Track part{run.name, {}, run.window};
    part.conditions = run.conditions;
    const auto& s = run.samples;
    for (std::size_t first = 0, end = 0; first < s.size(); first = end) {
      // A stroke: the same sign of the velocity.
      for (end = first + 1; end < s.size() && s[end].velocity * s[first].velocity > 0.0;) ++end;
      const double from = s[first].position, length = std::abs(s[end - 1].position - from);
      for (std::size_t i = first; i < end; ++i)
        if (s[i].weight > 0.0 && std::abs(s[i].position - from) > 0.5 * length)
          add_sample(run, i, part);
    }
    if (!part.samples.empty()) all.push_back(std::move(part));
  }
  return all;
}

std::vector<double> solve_from(const FitProblem& problem, const std::vector<double>& start,
                               const FitOptions& options, int iterations) {
  std::vector<double> lower, upper;
  problem.bounds(lower, upper);
  LeastSquaresOptions solver = options.solver;
  solver.iterations = iterations;
  const auto cost = [&](std::span<const double> x, NormalEquations* e) {
    return fit_cost(problem, x, e);
  };
  return minimise(cost, start, lower, upper, solver).x;
}

}  // namespace

double halton(unsigned k, int dimension) {
  static constexpr unsigned primes[] = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29,
                                        31, 37, 41, 43, 47, 53, 59, 61, 67};
  const unsigned base = primes[std::size_t(dimension) % std::size(primes)];
  // The digits of k, mirrored at the point.
  double value = 0.0, digit = 1.0 / base;
  for (; k > 0; k /= base, digit /= base) value += digit * (k % base);
  return value;
}

double spread(unsigned k, int dimension, unsigned seed) {
  return std::fmod(halton(k + 1, dimension) + shift(seed, dimension), 1.0);
}

std::vector<std::vector<double>> best_starts(const FitProblem& problem, int count, int kept,
                                             unsigned seed, int threads) {
  const auto shared = problem.shared();
  const std::size_t n = std::size_t(problem.unknowns());
  const DataScales data = scales_of(problem.runs);
  std::vector<double> many, costs(std::size_t(count), 0.0);
  std::vector<double> x(n, 0.0);
  for (unsigned k = 0; k < unsigned(count); ++k) {
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const FitParameter& p = problem.parameters[std::size_t(shared[i])];
      const double u = spread(k, int(i), seed);
      x[i] = p.search_from + u * (p.search_to - p.search_from);
      // From zero up, small values are as likely as large ones.
      if (!p.logarithmic && p.search_from == 0.0) x[i] = p.search_to * std::pow(10.0, -4.0 * u);
    }
    guess_states(problem, data, x);
    many.insert(many.end(), x.begin(), x.end());
  }
  // In pieces that fill the lanes.
  constexpr int piece = 16;
  in_parallel((count + piece - 1) / piece, threads, [&](int i) {
    const std::size_t from = std::size_t(i * piece),
                      to = std::size_t(std::min((i + 1) * piece, count));
    fit_costs(problem, std::span(many).subspan(from * n, (to - from) * n),
              std::span(costs).subspan(from, to - from));
  });
  std::vector<int> order(costs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto worth = [&](int i) {
    return std::isfinite(costs[std::size_t(i)]) ? costs[std::size_t(i)] : INFINITY;
  };
  std::sort(order.begin(), order.end(), [&](int i, int j) { return worth(i) < worth(j); });
  std::vector<std::vector<double>> best;
  for (int i = 0; i < std::min(kept, count); ++i) {
    const auto from = many.begin() + long(std::size_t(order[std::size_t(i)]) * n);
    best.emplace_back(from, from + long(n));
  }
  return best;
}

void start_held_out_runs(const FitProblem& problem, std::vector<double>& x) {
  const std::size_t stride = std::size_t(problem.starts_per_run()),
                    shared = problem.shared().size();
  std::vector<bool> held;
  for (const Track& run : problem.runs)
    held.push_back(std::none_of(run.samples.begin(), run.samples.end(),
                                [](const Sample& s) { return s.weight > 0.0; }));
  if (stride == 0 || std::find(held.begin(), held.end(), true) == held.end()) return;

  // The states alone are unknown; the force of the first samples tells them.
  constexpr std::size_t samples = 10;
  FitProblem part = openings(problem, samples);
  if (part.starts_per_run() == 0) return;
  const auto values = problem.values(x);
  for (std::size_t i = 0; i < values.size(); ++i)
    part.parameters[i].value = values[i], part.parameters[i].free = false;
  for (Track& run : part.runs)
    for (Sample& s : run.samples) s.weight = 1.0;
  std::vector<double> states(problem.runs.size(), 0.0);
  first_states(part, part, states);
  std::vector<double> lower, upper;
  part.bounds(lower, upper);
  const auto cost = [&](std::span<const double> u, NormalEquations* e) {
    return fit_cost(part, u, e);
  };
  states = minimise(cost, states, lower, upper, {.iterations = 30}).x;
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k]) x[shared + k * stride] = states[k];
}

std::vector<LeastSquaresSummary> refine(const FitProblem& problem,
                                        const std::vector<std::vector<double>>& starts,
                                        const LeastSquaresOptions& solver, int threads) {
  std::vector<double> lower, upper;
  problem.bounds(lower, upper);
  const auto cost = [&problem](std::span<const double> x, NormalEquations* e) {
    return fit_cost(problem, x, e);
  };
  std::vector<LeastSquaresSummary> found(starts.size());
  in_parallel(int(starts.size()), threads, [&](int i) {
    found[std::size_t(i)] = minimise(cost, starts[std::size_t(i)], lower, upper, solver);
  });
  return found;
}

std::vector<bool> without_effect(const FitProblem& problem,
                                 const std::vector<std::vector<double>>& points) {
  std::vector<bool> idle(std::size_t(problem.unknowns()), true);
  for (const auto& x : points) {
    NormalEquations e;
    const double cost = fit_cost(problem, x, &e);
    if (!std::isfinite(cost)) continue;
    for (int i = 0; i < e.n; ++i)
      if (e.at(i, i) > 0.0) idle[std::size_t(i)] = false;
  }
  return idle;
}

std::vector<double> staged_start(const FitProblem& problem, const FitOptions& options) {
  // The steady curve alone, where the law slides.
  FitProblem curve{problem, sliding_part(problem.runs)};
  curve.kind = FitKind::steady;
  if (curve.runs.empty()) return {};
  const auto seeds = best_starts(curve, options.starts, 4, options.seed);
  const auto idle = without_effect(curve, seeds);
  const auto shared = problem.shared();
  for (std::size_t i = 0; i < shared.size(); ++i)
    if (idle[i]) curve.parameters[std::size_t(shared[i])].free = false;
  if (curve.shared().empty()) return {};
  std::vector<double> best;
  double least = INFINITY;
  for (const auto& start : best_starts(curve, options.starts, 4, options.seed)) {
    auto x = solve_from(curve, start, options, 30);
    const double cost = fit_cost(curve, x, nullptr);
    if (cost < least) least = cost, best = std::move(x);
  }
  if (best.empty()) return {};

  // What bends before it slides, with the curve held; then all is put together.
  FitProblem rest = problem;
  const auto found = curve.values(best);
  std::vector<bool> settled(problem.parameters.size(), false);
  for (const int i : curve.shared()) settled[std::size_t(i)] = true;
  for (std::size_t i = 0; i < rest.parameters.size(); ++i)
    if (settled[i]) rest.parameters[i].free = false, rest.parameters[i].value = found[i];
  std::vector<double> values = found;
  std::vector<double> states;
  if (!rest.shared().empty()) {
    double cost = INFINITY;
    for (const auto& start : best_starts(rest, options.starts / 4 + 1, 2, options.seed)) {
      const auto x = solve_from(rest, start, options, 20);
      const double here = fit_cost(rest, x, nullptr);
      if (!(here < cost)) continue;
      cost = here;
      values = rest.values(x);
      states.assign(x.begin() + long(rest.shared().size()), x.end());
    }
  }
  FitProblem whole = problem;
  for (std::size_t i = 0; i < values.size(); ++i) whole.parameters[i].value = values[i];
  std::vector<double> x = whole.start();
  if (states.empty()) guess_states(problem, scales_of(problem.runs), x);
  else std::copy(states.begin(), states.end(), x.begin() + long(whole.shared().size()));
  return x;
}

}  // namespace bristle
