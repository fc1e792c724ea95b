// SPDX-License-Identifier: MIT
#include "result_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analysis/motion_kind.hpp"
#include "bristle/analysis/spectrum.hpp"
#include "bristle/io/csv.hpp"
#include "case_tables.hpp"
#include "drawn_curves.hpp"
#include "machine_tables.hpp"
#include "plot_look.hpp"
#include "sweep_figure.hpp"

namespace bristle::io {
namespace {

// The lines of a figure that shows a spectrum or a section of a case.
void draw_motion(const Case& c, const CaseResult& r, const FigureSpec& f, std::size_t index,
                 ResultDirectory& out, Plot& plot) {
  const std::string number = index ? std::to_string(index + 1) : "";
  if (!f.spectrum.empty()) {
    const Spectrum s = spectrum(column(c, r, "time"), column(c, r, f.spectrum));
    const std::string file = f.name + "_spectrum" + number + ".csv";
    out.write(
        file,
        csv_text({{"frequency", s.frequency}, {"amplitude", s.amplitude}, {"power", s.power}}));
    plot.lines.push_back({file, "($1)", "($3)", c.label});
    plot.lines.back().xs = s.frequency;
    plot.lines.back().ys = s.power;
    plot.x_label = "frequency [Hz]";
    plot.y_label = "power of the " + f.spectrum;
    plot.log_y = true;
  } else {
    const auto s =
        strobe(column(c, r, "time"), column(c, r, f.x), column(c, r, f.y), c.beat, f.from);
    const std::string file = f.name + "_section" + number + ".csv";
    out.write(file, csv_text({{"time", s.time}, {f.x, s.x}, {f.y, s.y}}));
    plot.lines.push_back({.file = file, .x = "($2)", .y = "($3)", .label = c.label, .dots = true});
    plot.lines.back().xs = s.x;
    plot.lines.back().ys = s.y;
    plot.x_label = axis_label(c, r, f.x);
    plot.y_label = axis_label(c, r, f.y);
  }
}

// The column of a case's file as gnuplot reads it, cut to the time range of the figure.
std::string plot_column(const Case& c, const CaseResult& r, const std::string& name,
                        const FigureSpec& f, bool cut) {
  auto order = columns_of(c, r);
  if (c.kind == CaseKind::run) order.emplace_back("moving_average");
  std::string expression;
  if (name == "stretch") expression = "($2-$3)";
  else
    expression =
        "$" + std::to_string(std::find(order.begin(), order.end(), name) - order.begin() + 1);
  cut = cut && order.front() == "time";
  if (!cut || (f.from <= 0.0 && f.to <= 0.0)) return "(" + expression + ")";
  std::string condition = fmt::format("$1>={:.17g}", f.from * (1.0 - 1e-9));
  if (f.to > 0.0) condition += fmt::format(" && $1<={:.17g}", f.to);
  return "(" + condition + " ? " + expression + " : 1/0)";
}

// A column of a figure as it is drawn: cut to the time range, with gaps outside of it.
std::vector<double> drawn_column(const Case& c, const CaseResult& r, const std::string& name,
                                 const FigureSpec& f) {
  auto values = column(c, r, name);
  const auto names = columns_of(c, r);
  if ((f.from <= 0.0 && f.to <= 0.0) || names.front() != "time") return values;
  const auto time = column(c, r, "time");
  for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i)
    if (time[i] < f.from * (1.0 - 1e-9) || (f.to > 0.0 && time[i] > f.to)) values[i] = NAN;
  return values;
}

// The lines of one case: its columns, and what the figure shows beside them.
void draw_case(const Case& c, const CaseResult& r, const FigureSpec& f, std::size_t i,
               const std::string& file_of_case, ResultDirectory& out, Plot& plot) {
  const std::string number = i ? std::to_string(i + 1) : "";
  if (f.peaks) {
    add_peaks(plot, f, c, r, number, out);
    return;
  }
  plot.x_label = axis_label(c, r, f.x);
  plot.y_label = c.kind == CaseKind::machine ? machine_axis(c, r, f) : axis_label(c, r, f.y);
  plot.lines.push_back(
      {file_of_case, plot_column(c, r, f.x, f, true), plot_column(c, r, f.y, f, false), c.label});
  plot.lines.back().xs = drawn_column(c, r, f.x, f);
  plot.lines.back().ys = drawn_column(c, r, f.y, f);
  // Several columns of one case are distinguished by what they are.
  const auto named = [&](const std::string& y) {
    const std::string axis = axis_label(c, r, y);
    return (c.label.empty() ? "" : c.label + ": ") + axis.substr(0, axis.find(" ["));
  };
  if (!f.with.empty()) plot.lines.back().label = named(f.y);
  for (const auto& y : f.with) {
    if (column(c, r, y).empty()) continue;
    plot.lines.push_back(
        {file_of_case, plot_column(c, r, f.x, f, true), plot_column(c, r, y, f, false), named(y)});
    plot.lines.back().xs = drawn_column(c, r, f.x, f);
    plot.lines.back().ys = drawn_column(c, r, y, f);
  }
  if (f.mean && c.kind == CaseKind::run) {
    // The mean is what counts: the loop stays behind it.
    plot.lines.back().behind = true;
    add_mean(plot, f, c, r, number, out);
  }
  if (!f.fit.empty() && f.x == "velocity") {
    plot.lines.back().behind = true;
    const std::string file = f.name + "_fit" + number + ".csv";
    out.write(file, fit_csv(c, r, f));
    plot.lines.push_back({file, "($1)", "($2)", "mean"});
    plot.lines.push_back({file, "($1)", "($3)", f.fit + " fit"});
    const Table fit = read_csv(out.path(file));
    for (const std::size_t k : {1, 2}) {
      Line& line = plot.lines[plot.lines.size() - 3 + k];
      line.xs = fit.columns[0], line.ys = fit.columns[k];
    }
  }
  if (f.equilibria && plot.band_file.empty() && c.as<WallSpringMass>()) {
    plot.band_file = f.name + "_equilibria.csv";
    out.write(plot.band_file, equilibria_csv(c, r));
    const Table band = read_csv(out.path(plot.band_file));
    plot.band_xs = band.columns[0], plot.band_ys = band.columns[1];
  }
  if (f.equilibria && i == 0 && c.kind == CaseKind::system) {
    const std::string file = f.name + "_equilibria.csv";
    out.write(file, resting_csv(c, r, f.y));
    const Table rest = read_csv(out.path(file));
    plot.lines.insert(plot.lines.begin(), {.file = file,
                                           .x = "($1)",
                                           .y = "($2)",
                                           .label = "equilibria",
                                           .faint = true,
                                           .xs = rest.columns[0],
                                           .ys = rest.columns[1]});
  }
}

// The label of an axis as words, without its unit: "force 2 of pad" for "pad.force_2 [N]".
std::string spoken(const std::string& label) {
  const std::string name = label.substr(0, label.find(" ["));
  const auto dot = name.rfind('.');
  if (dot == std::string::npos || name.find(' ') != std::string::npos) return name;
  std::string quantity = name.substr(dot + 1);
  std::replace(quantity.begin(), quantity.end(), '_', ' ');
  return quantity + " of " + name.substr(0, dot);
}

}  // namespace

std::vector<FigureSpec> figures_of(const Experiment& experiment) {
  if (!experiment.figures.empty()) return experiment.figures;
  FigureSpec f;
  f.name = "figure";
  const Case& first = experiment.cases.front();
  const CaseKind kind = first.kind;
  if (kind == CaseKind::machine) return machine_figures(*first.machine);
  if (kind == CaseKind::system) f.x = "input", f.y = "output";
  else if (kind == CaseKind::steady) f.x = "velocity", f.y = "force";
  else if (kind == CaseKind::curve) f.x = "x", f.y = "image";
  else if (kind == CaseKind::surface) f.x = "place", f.y = "roughness";
  else if (kind == CaseKind::bode) f.x = "frequency", f.y = "gain";
  else if (first.as<PrescribedMotion>()) f.x = "input", f.y = "force";
  else if (first.as<WallSpringMass>()) f.x = "input", f.y = "position";
  else f.x = "time", f.y = "velocity";
  return {f};
}

Plot plot_of(const FigureSpec& f, const Experiment& experiment, const ExperimentResult& result,
             const std::vector<std::string>& files, ResultDirectory& out) {
  Plot plot;
  plot.name = f.name;
  plot.title = f.title;
  plot.x_range = f.x_range;
  plot.y_range = f.y_range;
  plot.overlay = f.overlay;
  plot.equal = f.equal;
  plot.log_x = f.log_x || f.x == "frequency";
  plot.log_y = f.log_y || f.y == "gain";
  if (!f.sweeps.empty()) add_sweeps(plot, f, experiment, result, out);
  for (std::size_t i = 0; i < experiment.cases.size() && f.sweeps.empty(); ++i) {
    const Case& c = experiment.cases[i];
    if (!c.sweep.empty()) continue;
    if (!f.cases.empty() && std::find(f.cases.begin(), f.cases.end(), c.label) == f.cases.end())
      continue;
    const CaseResult& r = result.cases[i];
    if (!f.spectrum.empty() || f.section) {
      draw_motion(c, r, f, i, out, plot);
      continue;
    }
    draw_case(c, r, f, i, files[i], out, plot);
  }
  add_closed_forms(plot, f, out);
  if (f.title.empty()) {
    plot.title = spoken(plot.y_label) + " over " + spoken(plot.x_label);
    const char first = plot.title[0];
    if (first >= 'a' && first <= 'z') plot.title[0] = char(first - 'a' + 'A');
  }
  make_envelopes(plot, out);
  tell_apart(plot);
  choose_units(plot);
  return plot;
}

}  // namespace bristle::io
