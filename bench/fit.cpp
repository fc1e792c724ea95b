// SPDX-License-Identifier: MIT
// Six parameters of LuGre from 5000 samples with noise, from the same start to the same minimum:
// Bristle's least squares against Ceres with its automatic derivatives through the same time loop.
#include "bristle/identify/fit.hpp"

#include <ceres/ceres.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>

#include "bristle/model/advance.hpp"
#include "bristle/model/lugre.hpp"
#include "timing.hpp"

namespace {

using namespace bristle;

constexpr double step = 1e-3;

Record make_data(int samples) {
  const LuGre<> truth{.stiffness = 1e4,
                      .damping = 30.0,
                      .viscous = 4.0,
                      .coulomb_force = 1.0,
                      .static_force = 1.5,
                      .stribeck_velocity = 0.002};
  Record r{.name = "bench"};
  std::mt19937_64 engine(1);
  std::normal_distribution<double> noise(0.0, 0.02);
  double z = 0.0;
  for (int i = 0; i < samples; ++i) {
    const double t = i * step, s = std::sin(4.0 * t);
    r.time.push_back(t);
    r.velocity.push_back(0.02 * s * s * s + 2e-4 * std::sin(23.0 * t));
    const double middle = i ? 0.5 * (r.velocity[std::size_t(i) - 1] + r.velocity.back()) : 0.0;
    if (i) z = advance(truth, z, Motion<double>{0.0, middle, 1.0, t}, step);
    r.force.push_back(force(truth, z, Motion<double>{0.0, r.velocity.back(), 1.0, t}) +
                      noise(engine));
  }
  return r;
}

// As a user of Ceres writes it: the unknowns are logarithms where the parameter is positive.
struct Residuals {
  const Record& data;

  template <class T>
  bool operator()(const T* x, T* residual) const {
    using std::exp;
    const T stiffness = exp(x[0]), damping = x[1], viscous = x[2], low = exp(x[3]),
            high = exp(x[4]), scale = exp(x[5]);
    T z(0.0);
    const auto curve = [&](double v) {
      const T u = v / scale;
      return low + (high - low) * exp(-(u * u));
    };
    for (std::size_t i = 0; i < data.force.size(); ++i) {
      const double v = data.velocity[i];
      if (i > 0) {
        const double middle = 0.5 * (data.velocity[i - 1] + v);
        const T decay = stiffness * std::abs(middle) / curve(middle);
        const T left = exp(-decay * step);
        z = middle == 0.0 ? z : z * left + middle / decay * (1.0 - left);
      }
      const T rate = v - stiffness * std::abs(v) / curve(v) * z;
      residual[i] = stiffness * z + damping * rate + viscous * v - data.force[i];
    }
    return true;
  }
};

struct Result {
  double cost = 0.0;
  int evaluations = 0;
};

Result by_ceres(const Record& data, std::vector<double> x, ceres::LinearSolverType linear) {
  ceres::Problem problem;
  problem.AddResidualBlock(new ceres::AutoDiffCostFunction<Residuals, ceres::DYNAMIC, 6>(
                               new Residuals{data}, int(data.force.size())),
                           nullptr, x.data());
  problem.SetParameterLowerBound(x.data(), 1, 0.0);
  problem.SetParameterLowerBound(x.data(), 2, 0.0);
  ceres::Solver::Options options;
  options.linear_solver_type = linear;
  options.logging_type = ceres::SILENT;
  options.max_num_iterations = 200;
  options.function_tolerance = 1e-10;
  ceres::Solver::Summary summary;
  ceres::Solve(options, &problem, &summary);
  return {summary.final_cost, summary.num_residual_evaluations};
}

Result by_bristle(const FitProblem& problem, const std::vector<double>& start) {
  std::vector<double> lower, upper;
  problem.bounds(lower, upper);
  const auto cost = [&](std::span<const double> x, NormalEquations* e) {
    return fit_cost(problem, x, e);
  };
  const auto s = minimise(cost, start, lower, upper, {.cost_tolerance = 1e-10});
  return {s.cost, s.evaluations};
}

}  // namespace

int main(int argc, char** argv) {
  const bool brief = argc > 1 && std::strcmp(argv[argc - 1], "--short") == 0;
  const bench::Effort effort{brief ? 1 : 15, brief ? 0.0 : 2.0};
  const Record data = make_data(5000);
  FitProblem problem = make_problem("lugre", {prepare(data)}, {});
  problem.free_start = false;
  const std::vector<double> start{std::log(5e3), 60.0,          8.0,
                                  std::log(1.5), std::log(1.9), std::log(4e-3)};
  if (argc > 2 && std::strcmp(argv[1], "--data") == 0) {
    std::ofstream file(argv[2]);
    file.precision(17);
    for (std::size_t i = 0; i < data.force.size(); ++i)
      file << data.velocity[i] << ' ' << data.force[i] << '\n';
  }

  Result ours, qr, normal;
  const double a = bench::best_seconds([&] { ours = by_bristle(problem, start); }, effort);
  const double b =
      bench::best_seconds([&] { qr = by_ceres(data, start, ceres::DENSE_QR); }, effort);
  const double c = bench::best_seconds(
      [&] { normal = by_ceres(data, start, ceres::DENSE_NORMAL_CHOLESKY); }, effort);
  std::printf("six parameters of LuGre from 5000 samples\n%-34s %10s %8s %12s %6s\n", "",
              "time [ms]", "ratio", "cost", "evals");
  const auto line = [&](const char* name, double t, const Result& r) {
    std::printf("%-34s %10.3f %8.1f %12.9f %6d\n", name, 1e3 * t, t / a, r.cost, r.evaluations);
  };
  line("Bristle", a, ours);
  line("Ceres, automatic, dense QR", b, qr);
  line("Ceres, automatic, dense normal", c, normal);
  for (const Result& r : {qr, normal})
    if (std::abs(r.cost / ours.cost - 1.0) > 1e-6) {
      std::printf("the minima differ\n");
      return 1;
    }
  return 0;
}
