// SPDX-License-Identifier: MIT
#include "bristle/io/machine_fit_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "html.hpp"
#include "plot_look.hpp"
#include "report_parts.hpp"

namespace bristle::io {
namespace {

std::string card(const std::string& title, const std::string& content) {
  return "<section class=\"card\"><h2>" + title + "</h2>\n" + content + "</section>\n";
}

std::vector<std::string> error_row(const std::string& name, const RunError& e) {
  return {name, fmt::format("{:.4g}", e.mean_absolute), fmt::format("{:.4g}", e.root_mean_square),
          fmt::format("{:.4g}", e.largest)};
}

// "Run 3, gain 800" if gains were left out in turn.
std::string run_title(const MachineFitReport& r, std::size_t k) {
  std::string title = "Run " + r.runs[k].name;
  for (const auto& [name, value] : r.runs[k].values)
    title += fmt::format(", {} {:g}", name.substr(name.rfind('.') + 1), value);
  if (!r.left_out.empty() && r.left_out != "run")
    title += ", " + r.left_out + " " + r.measurement.records[k].group;
  return title;
}

// A reading of a run, measured and simulated.
Plot run_plot(const MachineFitReport& r, std::size_t k, std::size_t reading) {
  const std::string name = name_of(r.readings[reading]);
  Plot plot{.name = fmt::format("run-{}-{}", k + 1, reading + 1),
            .title = run_title(r, k),
            .x_label = "time [s]",
            .y_label = name};
  const auto add = [&](const char* label, const std::vector<double>& values) {
    plot.lines.push_back({.label = label, .xs = r.runs[k].time, .ys = values});
  };
  add("measured", r.runs[k].readings[reading]);
  const bool held = r.held_out.contains(r.runs[k].name);
  add(held ? "predicted (held out)" : "fitted", r.fit.predicted[k][reading]);
  for (const auto& fold : r.folds)
    if (std::find(fold.held_out.begin(), fold.held_out.end(), k) != fold.held_out.end())
      add("predicted (left out)", fold.fit.predicted[k][reading]);
  choose_units(plot);
  return plot;
}

std::string reading_card(const MachineFitReport& r, std::size_t reading) {
  const MeanErrors mean = mean_errors(r, reading);
  std::vector<std::vector<std::string>> cells{error_row("mean of fitted runs", mean.fitted)};
  if (!r.held_out.empty()) cells.push_back(error_row("mean of held-out runs", mean.held_out));
  if (!r.folds.empty())
    cells.push_back(error_row("mean of runs, each " + escaped(r.left_out) + " left out in turn",
                              mean.left_out));
  cells.push_back({"staying at the mean of the run", fmt::format("{:.4g}", mean.at_mean), "", ""});
  for (std::size_t k = 0; k < r.runs.size(); ++k) {
    const std::string title = escaped(run_title(r, k));
    const bool held = r.held_out.contains(r.runs[k].name);
    cells.push_back(error_row(title + (held ? ", held out" : ""), fitted_error(r, k, reading)));
    if (!r.folds.empty())
      cells.push_back(error_row(title + ", left out", unseen_error(r, k, reading)));
  }
  return card("Errors of " + escaped(name_of(r.readings[reading])),
              table("<th><th>mean absolute error<th>root mean square<th>largest", cells));
}

}  // namespace

std::string machine_fit_html(const MachineFitReport& r) {
  std::string h = opening(r.machine + " fitted to " + r.data);
  if (!r.fit.converged()) h += "<p><b class=\"missed\">The fit did not converge.</b></p>\n";
  h += card("Parameters", parameter_table(r.fit.parameters));
  if (!r.fit.warnings.empty()) h += card("Warnings", list(r.fit.warnings));
  std::string figures;
  for (std::size_t i = 0; i < r.readings.size(); ++i) {
    h += reading_card(r, i);
    for (std::size_t k = 0; k < r.runs.size(); ++k) figures += figure(run_plot(r, k, i));
  }
  h += card("Simulations and data", "<div class=\"figures\">\n" + figures + "</div>\n");
  h += data_card(r.measurement);
  return h + closing(r.command);
}

}  // namespace bristle::io
