// SPDX-License-Identifier: MIT
// Residuals of a machine and their derivatives.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/solve/cancel.hpp"
#include "machine_problem.hpp"

namespace bristle::detail {

bool MachineProblem::read_exactly(std::span<const double> x, std::size_t k,
                                  std::span<const double> times,
                                  std::vector<double>& values) const {
  const Status status = read_machine(Machine(parts_at(x, int(k))), options_.readings, times,
                                     options_.tolerance, values);
  if (status == Status::cancelled) stop_if_asked();
  return status == Status::done;
}

std::vector<double> MachineProblem::predict(std::span<const double> x, std::size_t k) const {
  const OneRun& run = runs_[k];
  std::vector<double> values;
  if (exact) {
    read_exactly(x, k, run.time, values);
    return values;
  }
  Rollout rollout(Machine(parts_at(x, int(k))), options_.readings);
  rollout.run(run.time, run.step / steps, values);
  return values;
}

// Derivatives with respect to the unknowns of a run, by central differences of exact runs.
bool MachineProblem::differences(std::span<const double> x, std::size_t k,
                                 const std::vector<std::size_t>& own,
                                 std::vector<double>& slopes) const {
  const auto times = std::span(runs_[k].time).first(runs_[k].fitted);
  const std::size_t rows = times.size() * readings(), count = own.size();
  slopes.assign(rows * count, 0.0);
  std::atomic<bool> fine{true};
  in_parallel(int(count), threads, [&](int j) {
    const std::size_t i = own[std::size_t(j)];
    // Far above the error of a run, far below where curvature matters.
    constexpr double width = 1e-3;
    std::vector<double> sides[2], at(x.begin(), x.end());
    double to = std::min(x[i] + width, unknowns[i].upper);
    double from = std::max(x[i] - width, unknowns[i].lower);
    bool good = true;
    try {
      at[i] = to;
      good = read_exactly(at, k, times, sides[1]);
      at[i] = from;
      good = good && read_exactly(at, k, times, sides[0]);
    } catch (const InvalidInput&) {
      good = false;
    }
    if (!good) {
      fine = false;
      return;
    }
    for (std::size_t r = 0; r < rows; ++r)
      slopes[r * count + std::size_t(j)] = (sides[1][r] - sides[0][r]) / (to - from);
  });
  return fine;
}

double MachineProblem::add_run(std::span<const double> x, std::size_t k,
                               NormalEquations* equations) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const OneRun& run = runs_[k];
  if (run.fitted == 0) return 0.0;
  std::vector<double> values, slopes, row;
  std::vector<std::size_t> own;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < unknowns.size(); ++i)
    if (unknowns[i].run < 0 || unknowns[i].run == int(k))
      own.push_back(i), names.push_back(unknowns[i].name);
  const auto times = std::span(run.time).first(run.fitted);
  try {
    if (exact) {
      if (!read_exactly(x, k, times, values)) return nan;
      if (equations && !differences(x, k, own, slopes)) return nan;
    } else {
      if (!equations) names.clear();
      Rollout rollout(Machine(parts_at(x, int(k))), options_.readings, names);
      if (follow > 0.0) rollout.follow(follow, run.measured);
      const Status status =
          rollout.run(times, run.step / steps, values, equations ? &slopes : nullptr);
      if (status == Status::cancelled) stop_if_asked();
      if (status != Status::done) return nan;
      // With respect to the unknowns, not the values.
      for (std::size_t i = 0; equations && i < slopes.size(); ++i) {
        const std::size_t j = own[i % own.size()];
        slopes[i] *= unknowns[j].slope(x[j]);
      }
    }
  } catch (const InvalidInput&) {
    return nan;  // such as a static force below the Coulomb force
  }
  double sum = 0.0;
  row.resize(own.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double measured = run.measured[i];
    if (!std::isfinite(measured)) continue;
    const double per = 1.0 / noise[i % readings()];
    const double off = (values[i] - measured) * per;
    const double size = options_.robust ? std::sqrt(1.0 + off * off) : 1.0;
    sum += options_.robust ? size - 1.0 : 0.5 * off * off;
    if (!equations) continue;
    const double weight = 1.0 / size;
    for (std::size_t j = 0; j < own.size(); ++j) row[j] = per * slopes[i * own.size() + j];
    for (std::size_t a = 0; a < own.size(); ++a) {
      const double scaled = weight * row[a];
      equations->gradient[own[a]] += scaled * off;
      for (std::size_t b = 0; b <= a; ++b)
        equations->at(int(own[a]), int(own[b])) += scaled * row[b];
    }
  }
  return sum;
}

std::vector<NormalEquations> MachineProblem::shared_equations(std::span<const double> x) const {
  std::vector<NormalEquations> all;
  const auto s = int(shared);
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    if (runs_[k].fitted == 0) continue;
    NormalEquations whole{int(unknowns.size())};
    if (!std::isfinite(add_run(x, k, &whole))) return {};
    std::vector<int> own;
    for (std::size_t i = shared; i < unknowns.size(); ++i) {
      if (unknowns[i].run != int(k)) continue;
      own.push_back(int(i));
      if (unknowns[i].prior) whole.at(int(i), int(i)) += 1.0, whole.gradient[i] += x[i];
    }
    const auto at = [&](int i, int j) { return whole.at(std::max(i, j), std::min(i, j)); };
    std::vector<double> block;
    for (const int i : own)
      for (const int j : own) block.push_back(at(i, j));
    NormalEquations& out = all.emplace_back(s);
    for (int i = 0; i < s; ++i) {
      out.gradient[std::size_t(i)] = whole.gradient[std::size_t(i)];
      for (int j = 0; j < s; ++j) out.at(i, j) = at(i, j);
      if (own.empty()) continue;
      std::vector<double> column;
      for (const int j : own) column.push_back(at(i, j));
      if (!solve_symmetric(block, column)) return {};
      for (std::size_t b = 0; b < own.size(); ++b) {
        out.gradient[std::size_t(i)] -= column[b] * whole.gradient[std::size_t(own[b])];
        for (int j = 0; j < s; ++j) out.at(i, j) -= column[b] * at(own[b], j);
      }
    }
  }
  return all;
}

double MachineProblem::cost(std::span<const double> x, NormalEquations* equations) const {
  const std::size_t n = unknowns.size();
  if (equations) equations->reset(int(n));
  double sum = 0.0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    stop_if_asked();
    sum += add_run(x, k, equations);
    if (!std::isfinite(sum)) return sum;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!unknowns[i].prior) continue;
    sum += 0.5 * x[i] * x[i];
    if (equations) equations->gradient[i] += x[i], equations->at(int(i), int(i)) += 1.0;
  }
  if (equations)
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < a; ++b)
        equations->at(int(b), int(a)) = equations->at(int(a), int(b));
  return sum;
}

}  // namespace bristle::detail
