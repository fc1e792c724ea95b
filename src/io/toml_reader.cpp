// SPDX-License-Identifier: MIT
#include "toml_reader.hpp"

#include <algorithm>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "field_path.hpp"
#include "shown.hpp"
#include "toml_limits.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names{
      "model",    "mechanism", "input",    "initial", "solve",     "steady",
      "system",   "curve",     "map",      "bode",    "roughness", "surface",
      "map_down", "unfold",    "identify", "bias",    "conditions"};
  return names;
}

std::vector<std::string> section_names(const Document& document) {
  if (document.machine.empty()) return section_names();
  std::vector<std::string> names;
  for (const auto& entry : document.machine) names.push_back(entry.section());
  names.emplace_back("solve");
  names.emplace_back("conditions");
  return names;
}

namespace {

const std::vector<std::string>& sections_known = section_names();

bool is_section(const std::string& key) {
  return std::find(sections_known.begin(), sections_known.end(), key) != sections_known.end();
}

// What may stand in a [[case]] or a [[sweep]], with the keys that are its own.
std::vector<std::string> changeable(const Document& d, std::vector<std::string> own) {
  const auto& lists = machine_lists();
  if (d.machine.empty()) own.insert(own.begin(), sections_known.begin(), sections_known.end());
  else own.insert(own.begin(), lists.begin(), lists.end()), own.emplace_back("solve");
  return own;
}

// Reads a section, or changes of parts of a machine; false if the key is neither.
bool read_changes(const Nodes& nodes, const std::string& key, const toml::node& node,
                  const Document& d, Sections& changes) {
  if (!d.machine.empty() && is_machine_list(key))
    return read_machine_changes(nodes, node, key, d.machine, changes), true;
  if (is_section(key)) return changes[key] = nodes.section(nodes.table(node, key)), true;
  return false;
}

CaseChanges read_variant(const Nodes& nodes, const toml::table& source, const Document& d) {
  CaseChanges changes;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "label") changes.label = nodes.text(v, key);
    else if (key == "expect") changes.expectations = read_facts(nodes, nodes.table(v, key));
    else if (!read_changes(nodes, key, v, d, changes.changes))
      nodes.refuse_key(v, key, "[[case]]", changeable(d, {"label", "expect"}));
  }
  if (changes.label.empty()) throw InputError(nodes.at(source) + ": a [[case]] needs a label");
  return changes;
}

// One case for each value of a field; whatever else the sweep changes is the same in all of them.
std::vector<CaseChanges> read_sweep(const Nodes& nodes, const toml::table& source,
                                    const Document& d) {
  CaseChanges common;
  std::vector<double> values;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "name") common.sweep = nodes.text(v, key);
    else if (key == "field") common.swept = nodes.text(v, key);
    else if (key == "values")
      for (const auto& one : nodes.list(v, key)) values.push_back(nodes.number(one, key));
    else if (!read_changes(nodes, key, v, d, common.changes))
      nodes.refuse_key(v, key, "[[sweep]]", changeable(d, {"name", "field", "values"}));
  }
  const auto [owner, field] = split_path(common.swept);
  if (common.sweep.empty() || values.empty() || field.empty())
    throw InputError(
        nodes.at(source) + ": a [[sweep]] needs a name, a field such as \"" +
        (d.machine.empty() ? "model.spacing" : d.machine.front().section() + ".inertia") +
        "\", and values");
  const auto sections = section_names(d);
  if (std::find(sections.begin(), sections.end(), owner) == sections.end())
    nodes.refuse_key(*source.get("field"), owner, "[[sweep]] as a section", sections);
  std::vector<CaseChanges> all;
  for (const double value : values) {
    CaseChanges one = common;
    one.label = common.sweep + ": " + common.swept + " = " + words(value);
    one.changes[owner][field] = {value, nodes.at(source)};
    one.swept_value = value;
    all.push_back(std::move(one));
  }
  return all;
}

// Refuses the label of a case that does not exist.
void check_label(const std::string& where, const std::string& label, const Document& d) {
  std::vector<std::string> labels;
  for (const auto& c : d.cases) labels.push_back(c.label);
  if (label.empty() || std::find(labels.begin(), labels.end(), label) != labels.end()) return;
  const std::string near = nearest(label, labels);
  throw InputError(where + ": there is no case '" + shown(label) + "'" +
                   (near.empty() ? "" : ", did you mean '" + near + "'?"));
}

Document read_root(const Nodes& nodes, const toml::table& root) {
  Document d;
  d.path = d.experiment.path = nodes.path();
  d.experiment.key = std::filesystem::path(nodes.path()).stem().string();
  std::vector<std::string> known = sections_known;
  known.insert(known.end(),
               {"title", "document", "figure_number", "note", "covers", "case", "sweep", "figure",
                "expect", "part", "vary", "draw", "ensemble", "sensitivity"});
  known.insert(known.end(), machine_lists().begin(), machine_lists().end() - 1);
  read_machine(nodes, root, d);
  for (const auto& [k, v] : root) {
    const std::string key(k.str());
    if (is_machine_list(key) && (key != "input" || v.is_array())) continue;
    if (key == "title") d.experiment.title = nodes.text(v, key);
    else if (key == "document") d.experiment.document = nodes.text(v, key);
    else if (key == "figure_number") d.experiment.figure = nodes.text(v, key);
    else if (key == "note") d.experiment.note = nodes.text(v, key);
    else if (key == "part") d.part = {nodes.text(v, key), nodes.at(v)};
    else if (key == "covers")
      for (const auto& one : nodes.list(v, key))
        d.experiment.covers.push_back(nodes.text(one, key));
    else if (key == "expect") d.expectations = read_facts(nodes, nodes.table(v, key));
    else if (key == "figure") {
      for (const auto& f : nodes.list(v, key)) {
        auto& all = d.experiment.figures;
        FigureSpec one = read_figure(nodes, nodes.table(f, key), all.size(), !d.machine.empty());
        if (std::any_of(all.begin(), all.end(),
                        [&](const auto& other) { return other.name == one.name; }))
          throw InputError((nodes.table(f, key).get("name")
                                ? nodes.at(*nodes.table(f, key).get("name"))
                                : nodes.at(f)) +
                           ": there are two figures of the name '" + one.name + "'");
        all.push_back(std::move(one));
      }
    } else if (key == "case") {
      for (const auto& c : nodes.list(v, key))
        d.cases.push_back(read_variant(nodes, nodes.table(c, key), d));
    } else if (key == "vary" || key == "draw" || key == "ensemble" || key == "sensitivity") {
      continue;  // read below, where the sections are known
    } else if (key == "sweep") {
      nodes.list(v, key);  // read below, so that sweeps come after the cases
    } else if (is_section(key)) {
      d.sections[key] = nodes.section(nodes.table(v, key));
    } else if (key == "planar" || key == "planar_body") {
      throw InputError(nodes.at(v) + ": [" + key +
                       "] is a machine now: write a [[body]] for each " +
                       "axis and a [[contact]] with on = [\"x\", \"y\"] and law = { name = " +
                       "\"planar_reset\" }, \"lugre\" or \"elasto_plastic\"");
    } else {
      nodes.refuse_key(v, key, "the file", known);
    }
  }
  if (const auto* sweeps = root["sweep"].as_array())
    for (const auto& one : *sweeps)
      for (auto& c : read_sweep(nodes, nodes.table(one, "sweep"), d))
        d.cases.push_back(std::move(c));
  if (d.cases.empty()) d.cases.emplace_back();
  d.experiment.ensemble = read_ensemble(nodes, root, section_names(d));
  check_label(d.experiment.ensemble.label_where, d.experiment.ensemble.label, d);
  for (const auto& f : d.experiment.figures)
    for (const auto& name : f.sweeps)
      if (std::none_of(d.cases.begin(), d.cases.end(),
                       [&](const auto& c) { return c.sweep == name; }))
        throw InputError(nodes.path() + ": figure '" + f.name + "': there is no sweep '" +
                         shown(name) + "'");
  for (const auto& e : d.expectations) check_label(e.where, e.other, d);
  for (const auto& c : d.cases)
    for (const auto& e : c.expectations) check_label(e.where, e.other, d);
  if (const auto* figures = root["figure"].as_array())
    for (const auto& f : *figures)
      if (const auto* cases = (*f.as_table())["cases"].as_array())
        for (const auto& label : *cases)
          check_label(nodes.at(label), nodes.text(label, "cases"), d);
  if (d.part && d.machine.empty())
    throw InputError(d.part->where + ": part at the top has no meaning without a [[body]]: a law " +
                     "takes it in [model]");
  if (d.experiment.title.empty()) d.experiment.title = d.experiment.key;
  return d;
}

}  // namespace

Document parse_document(const std::string& text, const std::string& path) {
  Document document = read_root(Nodes(path), parse_toml(text, path));
  document.experiment.text = text;
  return document;
}

}  // namespace bristle::io
