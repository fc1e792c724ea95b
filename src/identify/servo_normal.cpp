// SPDX-License-Identifier: MIT
#include "servo_normal.hpp"

#include <cmath>

namespace bristle {
namespace detail {
namespace {

constexpr int lanes = 4;  // directions per rollout with derivatives

std::size_t longest(std::span<const ServoRun> runs) {
  std::size_t most = 0;
  for (const auto& run : runs) most = std::max(most, run.time.size());
  return most;
}

// Writes the derivatives of the positions, row by row; returns the number of rollouts.
int derivatives(const ServoRun& run, const ServoModel<>& model,
                std::span<const ServoParameter> parameters, double step,
                std::span<Dual<double, lanes>> lifted, std::span<double> rows) {
  const int count = int(parameters.size());
  int rollouts = 0;
  for (int first = 0; first < count; first += lanes, ++rollouts) {
    const auto slopes = with_slopes<lanes>(model, parameters, first);
    ServoRollout roll(slopes.friction, slopes.pendulum);
    roll(run, step, lifted.first(run.time.size()));
    for (std::size_t k = 0; k < run.time.size(); ++k)
      for (int i = 0; i < lanes && first + i < count; ++i)
        rows[k * count + first + i] = lifted[k].slope[i];
  }
  return rollouts;
}

}  // namespace

ServoCost::ServoCost(std::span<const ServoRun> runs, const ServoFitOptions& options)
    : runs_(runs),
      parameters_(servo_parameters(options.free)),
      step_(options.step),
      scale_(options.robust_scale),
      plain_(longest(runs)),
      lifted_(longest(runs)),
      rows_(longest(runs) * parameters_.size()) {}

double ServoCost::cost(const ServoModel<>& model) {
  double sum = 0.0;
  for (const auto& run : runs_) {
    servo_rollout(model.friction, model.pendulum, run, step_, plain_);
    ++rollouts;
    double own = 0.0;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double e = (plain_[k] - run.position[k]) / scale_;
      own += std::sqrt(1.0 + e * e) - 1.0;
    }
    sum += own / double(run.time.size());
  }
  const double mean = 2.0 * scale_ * scale_ * sum / double(runs_.size());
  return std::isfinite(mean) ? mean : largest;
}

ServoNormal ServoCost::normal(const ServoModel<>& model) {
  const int n = int(parameters_.size());
  ServoNormal out;
  out.cost = cost(model);
  out.gradient.assign(n, 0.0);
  out.matrix.assign(n, std::vector<double>(n, 0.0));
  const SquareMatrix none = out.matrix;
  std::vector<double> stretch(n, 1.0);
  for (int i = 0; i < n; ++i)
    if (logarithmic(parameters_[i])) stretch[i] = servo_value(model, parameters_[i].index);
  for (const auto& run : runs_) {
    servo_rollout(model.friction, model.pendulum, run, step_, plain_);
    rollouts += 1 + derivatives(run, model, parameters_, step_, lifted_, rows_);
    const double share = 1.0 / double(run.time.size() * runs_.size());
    auto& own = out.run_gradient.emplace_back(n, 0.0);
    auto& matrix = out.run_matrix.emplace_back(none);
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      double* row = &rows_[k * n];
      const double e = plain_[k] - run.position[k];
      const double weight = share / std::sqrt(1.0 + e * e / (scale_ * scale_));
      for (int i = 0; i < n; ++i) row[i] *= stretch[i];
      for (int i = 0; i < n; ++i) {
        own[i] += weight * e * row[i];
        for (int j = 0; j <= i; ++j) matrix[i][j] += weight * row[i] * row[j];
      }
    }
    for (int i = 0; i < n; ++i) {
      out.gradient[i] += own[i];
      for (int j = 0; j < i; ++j) matrix[j][i] = matrix[i][j];
      for (int j = 0; j < n; ++j) out.matrix[i][j] += matrix[j][i];
    }
  }
  return out;
}

}  // namespace detail

std::vector<ServoError> servo_errors(std::span<const ServoRun> runs, const ServoModel<>& model,
                                     double step) {
  std::vector<ServoError> errors;
  std::vector<double> positions(detail::longest(runs));
  for (const auto& run : runs) {
    servo_rollout(model.friction, model.pendulum, run, step, positions);
    errors.push_back(servo_error(run, positions));
  }
  return errors;
}

double servo_step_error(std::span<const ServoRun> runs, const ServoModel<>& model, double step) {
  double sum = 0.0;
  for (auto run : runs) {
    std::vector<double> coarse(run.time.size());
    servo_rollout(model.friction, model.pendulum, run, step, coarse);
    servo_rollout(model.friction, model.pendulum, run, 0.25 * step, run.position);
    sum += servo_error(run, coarse).mean_absolute;
  }
  return sum / double(runs.size());
}

std::vector<double> servo_derivatives(const ServoRun& run, const ServoModel<>& model,
                                      std::span<const std::string> names, double step,
                                      double difference) {
  const auto parameters = detail::servo_parameters(names);
  const std::size_t n = parameters.size(), samples = run.time.size();
  std::vector<double> rows(samples * n);
  if (difference <= 0.0) {
    std::vector<Dual<double, detail::lanes>> lifted(samples);
    detail::derivatives(run, model, parameters, step, lifted, rows);
    return rows;
  }
  std::vector<double> up(samples), down(samples);
  for (std::size_t i = 0; i < n; ++i) {
    const double value = detail::servo_value(model, parameters[i].index);
    const double width = difference * (value != 0.0 ? std::abs(value) : 1.0);
    ServoModel<> moved = model;
    detail::servo_value(moved, parameters[i].index) = value + width;
    servo_rollout(moved.friction, moved.pendulum, run, step, up);
    detail::servo_value(moved, parameters[i].index) = value - width;
    servo_rollout(moved.friction, moved.pendulum, run, step, down);
    for (std::size_t k = 0; k < samples; ++k) rows[k * n + i] = (up[k] - down[k]) / (2.0 * width);
  }
  return rows;
}

}  // namespace bristle
