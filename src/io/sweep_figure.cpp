// SPDX-License-Identifier: MIT
#include "sweep_figure.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/io/csv.hpp"
#include "section_fields.hpp"

namespace bristle::io {

namespace {

// The unit in the list of quantities; empty for words, and where it depends on a column.
std::string listed_unit(const std::string& name) {
  const QuantityWords* about = quantity_words(name);
  if (!about || about->unit == "word" || about->unit.starts_with("of the ")) return "";
  return std::string(about->unit);
}

}  // namespace

std::string quantity_label(std::string name) {
  const std::string unit = listed_unit(name);
  return label_with_unit(std::move(name), unit);
}

std::string label_with_unit(std::string name, const std::string& unit) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return unit.empty() ? name : name + " [" + unit + "]";
}

namespace {

// The same with the unit it has in a case, and of a machine with what it is taken of.
std::string label_in(const Case& c, const CaseResult& r, std::string name, const Argument& asked) {
  std::string unit = quantity_unit(c, r, name, asked);
  if (unit.empty() && c.kind == CaseKind::run) unit = listed_unit(name);
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
  plot.y_label = label_in(experiment.cases.front(), result.cases.front(), f.quantity, asked);
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
                                    : label_in(c, result.cases[i], f.over, asked);
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
