// SPDX-License-Identifier: MIT
#include "rollout_plots.hpp"

#include <limits>

namespace bristle::io {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

void add(Line& line, double x, double y) { line.xs.push_back(x), line.ys.push_back(y); }

}  // namespace

std::string_view simple_name(const FitSummary& fit) {
  return fit.problem.kind == FitKind::rollout ? "a straight line of the input"
                                              : "a force by the sign of the velocity";
}

std::vector<Plot> rollout_plots(const FitReport& r) {
  const FitProblem& problem = r.fit.problem;
  const auto predicted = fit_predict(problem, r.fit.x);
  const std::string output(problem.measured_name());
  const std::string label = output + " [" + r.fit.problem.measured_unit() + "]";
  const std::string input = r.measurement.input_name.empty() ? "input" : r.measurement.input_name;
  Line measured{.label = "measured"}, fitted{.label = "fitted"},
      held{.label = "predicted (held out)"}, residual{.label = "fitted"},
      residual_held{.label = "held out"}, drive{.label = input}, map{.label = "measured"},
      map_fit{.label = r.fit.law};
  double clock = 0.0;
  for (std::size_t k = 0; k < predicted.size(); ++k) {
    const auto& samples = problem.runs[k].samples;
    // Runs stand one after the other.
    const double shift = k == 0 ? 0.0 : clock - samples.front().time;
    std::size_t at = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Sample& s = samples[i];
      at += 2 * std::size_t(s.steps);
      const double t = s.time + shift, y = problem.measured(s), p = predicted[k][i];
      const double u = problem.runs[k].drive[at];
      const bool out = s.weight == 0.0;
      clock = t;
      add(measured, t, y);
      add(fitted, t, out ? gap : p), add(held, t, out ? p : gap);
      add(residual, t, out ? gap : y - p), add(residual_held, t, out ? y - p : gap);
      add(drive, t, u);
      add(map, u, y), add(map_fit, u, p);
    }
    add(map, gap, gap), add(map_fit, gap, gap);
  }
  std::vector<Plot> plots{{.name = output,
                           .title = "Measured and fitted " + output,
                           .x_label = "time [s]",
                           .y_label = label,
                           .lines = {measured, fitted}},
                          {.name = "residuals",
                           .title = "Residuals: measured less fitted",
                           .x_label = "time [s]",
                           .y_label = label,
                           .lines = {residual}}};
  if (r.fit.held_out.samples > 0) {
    plots[0].lines.push_back(held);
    plots[1].lines.push_back(residual_held);
  }
  plots.push_back({.name = "input",
                   .title = "Input",
                   .x_label = "time [s]",
                   .y_label = input,
                   .lines = {drive}});
  plots.push_back({.name = "map",
                   .title = "Output over input",
                   .x_label = input,
                   .y_label = label,
                   .lines = {map, map_fit}});
  return plots;
}

}  // namespace bristle::io
