// SPDX-License-Identifier: MIT
#include "bristle/io/bifurcation_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <tuple>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/runner.hpp"
#include "plot_look.hpp"
#include "quantities.hpp"
#include "section_fields.hpp"

namespace bristle::io {
namespace {

Case case_at(const BifurcationPlan& plan, double value) {
  std::vector<Setting> settings = plan.settings;
  const auto dot = plan.parameter.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == plan.parameter.size())
    throw InputError("parameter " + plan.parameter + ": must have the form section.field");
  Setting varied = parse_setting(plan.parameter + "=" + fmt::format("{}", value));
  varied.where = fmt::format("parameter {} = {:g}", plan.parameter, value);
  settings.push_back(std::move(varied));
  Experiment e = plan.text.empty() ? read_experiment(plan.file, settings)
                                   : parse_experiment(plan.text, plan.file, settings);
  if (plan.label.empty()) return std::move(e.cases.front());
  std::vector<std::string> labels;
  for (auto& c : e.cases) {
    if (c.label == plan.label) return std::move(c);
    labels.push_back(c.label);
  }
  throw InputError(plan.file + ": " + not_found("case", plan.label, labels));
}

}  // namespace

SectionAt section_at(const BifurcationPlan& plan, const BifurcationOptions& options) {
  validate(options);
  const Case first = case_at(plan, options.from);
  case_at(plan, options.to);
  const bool machine = first.kind == CaseKind::machine;
  if (!(oscillates(first) || machine) || !(first.beat > 0.0))
    throw InputError(plan.file +
                     ": a bifurcation diagram needs a machine whose drives have one common period, "
                     "or [mechanism] name = \"base_excited_mass\" or \"rig\" with an [input] of "
                     "sine, two_sines or duffing");
  const auto names = columns_of(first, {});
  for (const auto& name : {plan.x, plan.y})
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(not_found("column", name, names));
  return [plan, options](double value) {
    Case c = case_at(plan, value);
    if (c.kind == CaseKind::machine && !(c.beat > 0.0))
      throw InputError(fmt::format("{}: at {} = {:g}: the drives have no common period", plan.file,
                                   plan.parameter, value));
    c.options.end = options.periods * c.beat;
    c.options.record_from = (options.periods - options.keep) * c.beat;
    c.options.samples = options.keep + 1.0;
    if (c.mechanism) prepare_signal(*c.mechanism, c.options.end);
    const CaseResult r = run_case(c, plan.file);
    if (!r.ok(c))
      throw InputError(
          fmt::format("{}: at {} = {:g}: {}", plan.file, plan.parameter, value, r.message(c)));
    return Section{column(c, r, "time"), column(c, r, plan.x), column(c, r, plan.y)};
  };
}

std::pair<std::string, std::string> diagram_labels(const BifurcationPlan& plan, double value) {
  const Case c = case_at(plan, value);
  return {plan.parameter + bracketed_unit_of(c, plan.parameter), axis_label(c, {}, plan.x)};
}

Plot diagram_plot(const Bifurcation& b, const BifurcationPlan& plan) {
  Line points{.file = "bifurcation.csv", .x = "($2)", .y = "($3)", .dots = true};
  for (const auto& column : b.columns) {
    points.xs.insert(points.xs.end(), column.section.x.size(), column.value);
    points.ys.insert(points.ys.end(), column.section.x.begin(), column.section.x.end());
  }
  Plot plot;
  plot.name = "bifurcation";
  plot.title = "Bifurcation diagram: " + plan.x + " once per drive period";
  std::tie(plot.x_label, plot.y_label) =
      diagram_labels(plan, b.columns.empty() ? 0.0 : b.columns.front().value);
  plot.lines.push_back(std::move(points));
  choose_units(plot);
  return plot;
}

std::string fingerprint(const BifurcationPlan& plan, const BifurcationOptions& o) {
  std::string text = (plan.text.empty() ? read_text(plan.file) : plan.text) + "\n" +
                     plan.parameter + "\n" + plan.label + "\n" + plan.x + "\n" + plan.y;
  for (const auto& s : plan.settings) text += "\n" + s.section + "." + s.field + "=" + s.value;
  text += fmt::format("\n{} {} {} {} {}", o.from, o.to, o.values, o.periods, o.keep);
  return fingerprint(text);
}

std::string diagram_csv(const Bifurcation& b, const BifurcationPlan& plan,
                        const std::string& mark) {
  std::string text = mark.empty() ? "" : "# " + mark + "\n";
  text += "number," + plan.parameter + "," + plan.x + "," + plan.y + ",time,kind,beats\n";
  for (std::size_t i = 0; i < b.columns.size(); ++i) {
    const auto& c = b.columns[i];
    if (!c.done) continue;
    for (std::size_t k = 0; k < c.section.x.size(); ++k)
      text += fmt::format("{},{},{},{},{},{},{}\n", i, c.value, c.section.x[k], c.section.y[k],
                          c.section.time[k], int(c.motion.kind), c.motion.beats);
  }
  return text;
}

Bifurcation read_diagram(const std::string& path, const BifurcationOptions& options,
                         const std::string& mark) {
  Bifurcation b;
  const std::string text = read_text(path);
  if (text.rfind("# " + mark + "\n", 0) != 0)
    throw InputError(path + ": belongs to another diagram; give another --out, or remove it");
  b.columns.resize(std::size_t(options.values));
  for (std::size_t i = 0; i < b.columns.size(); ++i) b.columns[i].value = options.value(i);
  // Interrupted before its first value it holds the mark and the header alone.
  if (std::count(text.begin(), text.end(), '\n') <= 2) return b;
  const Table t = read_csv(path);
  if (t.columns.size() < 7 || t.columns[0].empty()) return b;
  for (std::size_t row = 0; row < t.columns[0].size(); ++row) {
    const double number = t.columns[0][row];
    if (!(number >= 0.0 && number < options.values && number == std::floor(number)))
      throw InputError(fmt::format("{}: number = {} must be a whole number from 0 to {}", path,
                                   number, options.values - 1.0));
    auto& c = b.columns[std::size_t(number)];
    c.done = true;
    c.section.x.push_back(t.columns[2][row]);
    c.section.y.push_back(t.columns[3][row]);
    c.section.time.push_back(t.columns[4][row]);
  }
  for (auto& c : b.columns)
    if (c.done) c.motion = classify_motion(c.section);
  return b;
}

}  // namespace bristle::io
