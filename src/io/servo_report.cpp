// SPDX-License-Identifier: MIT
#include "bristle/io/servo_report.hpp"

#include <fmt/format.h>

#include "html.hpp"
#include "report_parts.hpp"

namespace bristle::io {
namespace {

std::vector<std::string> error_row(const std::string& name, const ServoError& e) {
  return {name, fmt::format("{:.4f}", e.mean_absolute), fmt::format("{:.4f}", e.root_mean_square),
          fmt::format("{:.3f}", e.largest)};
}

// "run 3, gain 800", with the value of the column that was left out.
std::string run_title(const ServoReport& r, std::size_t i) {
  const ServoRun& run = r.study.runs[i];
  std::string title = "Run " + run.name + fmt::format(", gain {:g}", run.gain);
  if (!r.left_out.empty() && r.left_out != "run" && r.left_out != "gain")
    title += ", " + r.left_out + " " + r.measurement.records[i].group;
  return title;
}

// Goal and position of one run, measured and rolled out.
Plot run_plot(const ServoReport& r, std::size_t i) {
  const ServoStudy& s = r.study;
  const ServoRun& run = s.runs[i];
  Plot plot{.name = "run-" + std::to_string(i + 1),
            .title = run_title(r, i),
            .x_label = "time [s]",
            .y_label = "position [rad]"};
  const auto add = [&](const char* label, const std::vector<double>& values, bool faint) {
    plot.lines.push_back({.label = label, .faint = faint, .xs = run.time, .ys = values});
  };
  add("goal", run.goal, true);
  add("measured", run.position, false);
  add(s.held_out[i] ? "predicted (held out)" : "fitted", s.positions[i], false);
  if (!s.folds.empty()) add("predicted (left out)", s.unseen_positions[i], false);
  return plot;
}

// The mean absolute error of each run.
Plot error_plot(const ServoStudy& s) {
  Line fitted{.label = "fitted", .points = true}, held{.label = "held out", .points = true},
      left{.label = "left out", .points = true};
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    Line& own = s.held_out[i] ? held : fitted;
    own.xs.push_back(double(i + 1)), own.ys.push_back(s.errors[i].mean_absolute);
    if (s.folds.empty()) continue;
    left.xs.push_back(double(i + 1)), left.ys.push_back(s.unseen_errors[i].mean_absolute);
  }
  Plot plot{.name = "errors",
            .title = "Mean absolute error of each run",
            .x_label = "run, in the order of the data",
            .y_label = "error [rad]",
            .lines = {fitted}};
  if (!held.xs.empty()) plot.lines.push_back(held);
  if (!left.xs.empty()) plot.lines.push_back(left);
  return plot;
}

std::string run_table(const ServoReport& r) {
  const ServoStudy& s = r.study;
  std::vector<std::vector<std::string>> cells;
  for (std::size_t i = 0; i < s.runs.size(); ++i) {
    cells.push_back(error_row(escaped(run_title(r, i)), s.errors[i]));
    if (s.folds.empty()) {
      cells.back().push_back(s.held_out[i] ? "held out" : "fitted");
    } else {
      cells.back().push_back(fmt::format("{:.4f}", s.unseen_errors[i].mean_absolute));
      cells.back().push_back(fmt::format("{:.4f}", s.unseen_errors[i].root_mean_square));
    }
  }
  return table("<th>run<th>mean absolute error [rad]<th>root mean square<th>largest" +
                   std::string(s.folds.empty() ? "<th>" : "<th>left out: mean absolute<th>rms"),
               cells);
}

std::string error_table(const ServoReport& r) {
  const ServoStudy& s = r.study;
  std::vector<std::vector<std::string>> cells{error_row("fitted runs", s.fitted)};
  if (s.any_held_out()) cells.push_back(error_row("held-out runs", s.held));
  if (!s.folds.empty())
    cells.push_back(error_row("each " + escaped(r.left_out) + " left out in turn", s.unseen));
  cells.push_back(error_row("staying at the mean of the run", s.at_mean));
  cells.push_back(error_row("being at the goal", s.at_goal));
  return table("<th>mean over runs<th>mean absolute error [rad]<th>root mean square<th>largest",
               cells);
}

std::string card(const std::string& title, const std::string& content) {
  return "<section class=\"card\"><h2>" + title + "</h2>\n" + content + "</section>\n";
}

}  // namespace

std::string servo_html(const ServoReport& r) {
  const ServoStudy& s = r.study;
  std::string h = opening(std::string(GearFriction<>::name) + " of a servo fitted to " + r.data);
  const bool unseen = !s.folds.empty() || s.any_held_out();
  const ServoError& judged = !s.folds.empty() ? s.unseen : s.any_held_out() ? s.held : s.fitted;
  h += fmt::format("<p>Mean absolute error of position {:.4f} rad{}. {}</p>\n",
                   judged.mean_absolute, unseen ? " on runs that were not fitted" : "",
                   s.converged() ? "" : "<b class=\"missed\">The fit did not converge.</b>");
  h += card("Parameters", parameter_table(all_estimates(s.fit)));
  if (!s.warnings.empty()) h += card("What to doubt", list(s.warnings));
  h += card("How good it is",
            error_table(r) +
                fmt::format("<p class=\"small soft\">A quarter of the step moves the rollouts by "
                            "{:.2g} rad on average; {} rollouts of a run in the search.</p>\n",
                            s.step_error, s.fit.rollouts));
  h += card("Error of each run",
            "<div class=\"figures\">\n" + figure(error_plot(s)) + "</div>\n" + run_table(r));
  std::string figures;
  for (std::size_t i = 0; i < s.runs.size(); ++i) figures += figure(run_plot(r, i));
  h += card("Rollouts and data", "<div class=\"figures\">\n" + figures + "</div>\n");
  h += data_card(r.measurement);
  return h + closing(r.command);
}

}  // namespace bristle::io
