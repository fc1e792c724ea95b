// SPDX-License-Identifier: MIT
#include "sweep_figure.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "bristle/io/csv.hpp"
#include "section_fields.hpp"

namespace bristle::io {
std::string quantity_label(std::string name) {
  static const std::map<std::string, std::string> units{{"loop_area", "J"},
                                                        {"mean_loop_area", "J"},
                                                        {"released_energy", "J"},
                                                        {"releases", "1"},
                                                        {"height_frequency", "rad/s"},
                                                        {"min_velocity", "m/s"},
                                                        {"max_velocity", "m/s"},
                                                        {"period", "s"},
                                                        {"dwell_time", "s"},
                                                        {"breakaway_force", "N"},
                                                        {"breakaway_velocity", "m/s"},
                                                        {"max_breakaway_velocity", "m/s"}};
  const auto unit = units.find(name);
  return label_with_unit(std::move(name), unit == units.end() ? "" : unit->second);
}

std::string label_with_unit(std::string name, const std::string& unit) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return unit.empty() ? name : name + " [" + unit + "]";
}

namespace {

// The same of a machine: with what it is taken of.
std::string machine_label(const Case& c, const CaseResult& r, std::string name,
                          const Argument& asked) {
  const std::string unit = quantity_unit(c, r, name, asked);
  std::replace(name.begin(), name.end(), '_', ' ');
  const std::string of = asked.column + asked.contact;
  return name + (of.empty() ? "" : " of " + of) + (unit.empty() ? "" : " [" + unit + "]");
}

}  // namespace

void add_sweeps(Plot& plot, const FigureSpec& f, const Experiment& experiment,
                const ExperimentResult& result, ResultDirectory& out) {
  double least = INFINITY, most = -INFINITY;
  Argument asked;
  asked.column = f.column, asked.contact = f.contact;
  if (f.from > 0.0) asked.from = f.from;
  if (f.to > 0.0) asked.to = f.to;
  plot.y_label = quantity_label(f.quantity);
  if (experiment.cases.front().kind == CaseKind::machine)
    plot.y_label = machine_label(experiment.cases.front(), result.cases.front(), f.quantity, asked);
  for (const auto& sweep : f.sweeps) {
    Line line{f.name + "_" + std::to_string(plot.lines.size() + 1) + ".csv", "($1)", "($2)", sweep};
    line.points = true;
    for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
      const Case& c = experiment.cases[i];
      if (c.sweep != sweep || !result.cases[i].ok(c)) continue;
      const auto number = [&](const std::string& name) {
        const Measured value = measure(c, result.cases[i], name, asked);
        return std::holds_alternative<double>(value) ? std::get<double>(value) : NAN;
      };
      plot.x_label = f.over.empty() ? meaning_of(c, c.swept) + bracketed_unit_of(c, c.swept)
                                    : quantity_label(f.over);
      const double x = f.over.empty() ? c.swept_value : number(f.over);
      line.xs.push_back(x);
      line.ys.push_back(number(f.quantity));
      least = std::min(least, x), most = std::max(most, x);
    }
    out.write(line.file,
              csv_text({{f.over.empty() ? "value" : f.over, line.xs}, {f.quantity, line.ys}}));
    plot.lines.push_back(std::move(line));
  }
  if (!f.published || !(least <= most)) return;
  Line level{f.name + "_published.csv", "($1)", "($2)", "published", true};
  level.xs = {least, most}, level.ys = {*f.published, *f.published};
  out.write(level.file, csv_text({{"value", level.xs}, {"published", level.ys}}));
  plot.lines.insert(plot.lines.begin(), std::move(level));
}

}  // namespace bristle::io
