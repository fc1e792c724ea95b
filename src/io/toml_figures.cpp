// SPDX-License-Identifier: MIT
// The figures of an experiment file.
#include <algorithm>

#include "bristle/io/errors.hpp"
#include "bristle/io/measure.hpp"
#include "shown.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {
namespace {

ClosedForm read_closed_form(const Nodes& nodes, const toml::table& source) {
  static const std::vector<std::string> known{"label", "formula", "from", "to"};
  std::string label;
  std::optional<double> from, to;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "label") label = nodes.text(v, key);
    else if (key == "formula") nodes.text(v, key);
    else if (key == "from") from = nodes.number(v, key);
    else if (key == "to") to = nodes.number(v, key);
    else nodes.refuse_key(v, key, "[[figure.curve]]", known);
  }
  const toml::node* formula = source.get("formula");
  if (!formula || label.empty())
    throw InputError(nodes.at(source) + ": a [[figure.curve]] needs a label and a formula");
  try {
    return {label, Formula(nodes.text(*formula, "formula")), from, to};
  } catch (const InvalidInput& error) {
    throw InputError(nodes.at(*formula) + ": " + error.what());
  }
}

}  // namespace

FigureSpec read_figure(const Nodes& nodes, const toml::table& source, std::size_t index,
                       bool any_column) {
  static const std::vector<std::string> known{
      "name",       "title",   "x",         "y",       "from",   "to",       "cases",
      "equilibria", "overlay", "x_range",   "y_range", "fit",    "equal",    "sweeps",
      "quantity",   "over",    "published", "log_x",   "log_y",  "spectrum", "section",
      "with",       "mean",    "peaks",     "curve",   "column", "contact"};
  FigureSpec f;
  f.name = "figure" + std::to_string(index + 1);
  f.where = nodes.at(source);
  const auto column = [&](const toml::node& v, const std::string& key) {
    const std::string name = nodes.text(v, key);
    const auto& columns = column_names();
    f.places.emplace_back(name, nodes.at(v));
    if (!any_column && std::find(columns.begin(), columns.end(), name) == columns.end())
      nodes.refuse_key(v, name, "[[figure]] as a column", columns);
    return name;
  };
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "name") f.name = nodes.file_name(v, key);
    else if (key == "title") f.title = nodes.text(v, key);
    else if (key == "x") f.x = column(v, key);
    else if (key == "y") f.y = column(v, key);
    else if (key == "with")
      for (const auto& one : nodes.list(v, key)) f.with.push_back(column(one, key));
    else if (key == "from") f.from = nodes.number(v, key);
    else if (key == "to") f.to = nodes.number(v, key);
    else if (key == "equilibria") f.equilibria = nodes.flag(v, key);
    else if (key == "overlay") f.overlay = nodes.flag(v, key);
    else if (key == "equal") f.equal = nodes.flag(v, key);
    else if (key == "spectrum") f.spectrum = column(v, key);
    else if (key == "section") f.section = nodes.flag(v, key);
    else if (key == "mean") f.mean = nodes.flag(v, key);
    else if (key == "peaks") f.peaks = nodes.flag(v, key);
    else if (key == "curve")
      for (const auto& one : nodes.list(v, "figure.curve"))
        f.curves.push_back(read_closed_form(nodes, nodes.table(one, key)));
    else if (key == "fit") {
      f.fit = nodes.text(v, key);
      if (f.fit != "sech" && f.fit != "gaussian")
        throw InputError(nodes.at(v) + ": fit = \"" + shown(f.fit) +
                         "\" is not allowed, it must be sech or gaussian");
    } else if (key == "x_range") f.x_range = nodes.range(v, key);
    else if (key == "y_range") f.y_range = nodes.range(v, key);
    else if (key == "column") f.column = column(v, key);
    else if (key == "contact") f.contact = nodes.text(v, key);
    else if (key == "published") f.published = nodes.number(v, key);
    else if (key == "log_x") f.log_x = nodes.flag(v, key);
    else if (key == "log_y") f.log_y = nodes.flag(v, key);
    else if (key == "quantity" || key == "over") {
      std::string& name = key == "over" ? f.over : f.quantity;
      name = nodes.text(v, key);
      const auto& all = quantity_names();
      if (std::find(all.begin(), all.end(), name) == all.end())
        nodes.refuse_key(v, name, "[[figure]] as a quantity", all);
    } else if (key == "cases" || key == "sweeps") {
      auto& names = key == "cases" ? f.cases : f.sweeps;
      for (const auto& label : nodes.list(v, key)) names.push_back(nodes.text(label, key));
    } else nodes.refuse_key(v, key, "[[figure]]", known);
  }
  if (f.mean && f.x != "velocity")
    throw InputError(nodes.at(source) + ": figure '" + f.name +
                     "' asks for the mean over velocity, its x must be velocity");
  if (f.sweeps.empty() != f.quantity.empty())
    throw InputError(nodes.at(source) + ": figure '" + f.name +
                     "' needs both sweeps and quantity, or neither");
  for (const auto& [key, given] : {std::pair{"column", &f.column}, {"contact", &f.contact}})
    if (!given->empty() && f.sweeps.empty())
      throw InputError(nodes.at(source) + ": figure '" + f.name + "': " + key +
                       " has no meaning without sweeps");
  if (!f.over.empty() && f.sweeps.empty())
    throw InputError(nodes.at(source) + ": figure '" + f.name +
                     "': over has no meaning without sweeps");
  return f;
}

}  // namespace bristle::io
