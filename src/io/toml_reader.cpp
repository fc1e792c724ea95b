// SPDX-License-Identifier: MIT
#include "toml_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/measure.hpp"
#include "shown.hpp"
#include "toml_limits.hpp"

#define TOML_HEADER_ONLY 0
#define TOML_SHARED_LIB 1
#include <toml++/toml.h>

namespace bristle::io {

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names{
      "model",     "mechanism", "input",    "initial", "solve",    "steady",
      "system",    "curve",     "map",      "bode",    "planar",   "planar_body",
      "roughness", "surface",   "map_down", "unfold",  "identify", "bias"};
  return names;
}

namespace {

class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  std::string at(const toml::node& node) const {
    return path_ + ":" + std::to_string(node.source().begin.line);
  }

  [[noreturn]] void refuse_key(const toml::node& node, std::string_view key, std::string_view owner,
                               const std::vector<std::string>& known) const {
    const std::string near = nearest(key, known);
    std::string all;
    for (const auto& name : known) all += (all.empty() ? "" : ", ") + name;
    throw InputError(at(node) + ": unknown key '" + shown(key) + "' in " + std::string(owner) +
                     (near.empty() ? "" : ", did you mean '" + near + "'?") + " (known: " + all +
                     ")");
  }

  const toml::table& table(const toml::node& node, std::string_view key) const {
    if (const auto* t = node.as_table()) return *t;
    throw InputError(at(node) + ": '" + std::string(key) + "' must be a table");
  }
  std::string text(const toml::node& node, std::string_view key) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    throw InputError(at(node) + ": " + std::string(key) + " must be a text in quotes");
  }
  double number(const toml::node& node, std::string_view key) const {
    if (node.is_number() && std::isfinite(*node.value<double>())) return *node.value<double>();
    throw InputError(at(node) + ": " + std::string(key) + " must be a finite number");
  }
  double distance(const toml::node& node, std::string_view key) const {
    const double value = number(node, key);
    if (value >= 0.0) return value;
    throw InputError(at(node) + ": " + std::string(key) + " = " + words(value) +
                     " must be at least 0");
  }
  // Which one, counted from the first.
  double ordinal(const toml::node& node, std::string_view key) const {
    const double value = number(node, key);
    if (value >= 1.0 && value <= 1e9 && value == std::floor(value)) return value;
    throw InputError(
        at(node) + ": " + std::string(key) + " = " + words(value) +
        " must be a whole number of at least 1 and at most 1e9 (time, velocity, input and "
        "frequency say where a quantity is taken)");
  }
  bool flag(const toml::node& node, std::string_view key) const {
    if (const auto value = node.value_exact<bool>()) return *value;
    throw InputError(at(node) + ": " + std::string(key) + " must be true or false");
  }
  const toml::array& list(const toml::node& node, std::string_view key) const {
    if (const auto* a = node.as_array()) return *a;
    throw InputError(at(node) + ": '" + std::string(key) + "' must be a list, written [[" +
                     std::string(key) + "]]");
  }

  Section section(const toml::table& source) const {
    Section section;
    for (const auto& [key, node] : source) {
      const std::string name(key.str());
      if (node.is_number()) section[name] = {*node.value<double>(), at(node)};
      else if (node.is_string()) section[name] = {*node.value<std::string>(), at(node)};
      else if (const auto* a = node.as_array()) {
        std::vector<double> numbers;
        for (const auto& one : *a) numbers.push_back(number(one, name));
        section[name] = {std::move(numbers), at(node)};
      } else
        throw InputError(at(node) + ": " + name +
                         " must be a number, a text in quotes or a list of numbers");
    }
    return section;
  }

  FactKind kind(const toml::node& node) const {
    const std::string given = text(node, "kind");
    if (const auto known = fact_kind(given)) return *known;
    std::string all;
    for (const auto& k : fact_kinds) all += (all.empty() ? "" : ", ") + std::string(k.key);
    throw InputError(at(node) + ": kind = \"" + shown(given) +
                     "\" is not a kind of fact (known: " + all + ")");
  }

  // A name that stays inside the result directory.
  std::string file_name(const toml::node& node, std::string_view key) const {
    const std::string name = text(node, key);
    if (name.starts_with("animation"))
      throw InputError(at(node) + ": " + std::string(key) + " = \"" + shown(name) +
                       "\" is the name of the moving picture, choose another");
    if (is_plain_name(name)) return name;
    throw InputError(
        at(node) + ": " + std::string(key) + " = \"" + shown(name) +
        "\" must be the name of a file: at most 100 letters, digits, '_', '-' and '.', "
        "the first a letter, a digit or '_'");
  }
  std::string range(const toml::node& node, std::string_view key) const {
    const std::string given = text(node, key);
    const auto colon = given.find(':');
    const auto end = [](const std::string& side) {
      double value = 0.0;
      const char* const last = side.data() + side.size();
      const auto read = std::from_chars(side.data(), last, value);
      return side.empty() || side == "*" ||
             (read.ec == std::errc() && read.ptr == last && std::isfinite(value));
    };
    if (colon != std::string::npos && end(given.substr(0, colon)) && end(given.substr(colon + 1)))
      return given;
    throw InputError(at(node) + ": " + std::string(key) + " = \"" + shown(given) +
                     "\" must have the form low:high, each a finite number, * or nothing");
  }
  void check_label(const std::string& where, const std::string& label, const Document& d) const;

  std::vector<Expectation> expectations(const toml::table& source) const;
  FigureSpec figure(const toml::table& source, std::size_t index) const;
  ClosedForm closed_form(const toml::table& source) const;
  CaseChanges variant(const toml::table& source) const;
  std::vector<CaseChanges> sweep(const toml::table& source) const;
  Document document(const toml::table& root) const;

 private:
  std::string path_;
};

const std::vector<std::string>& sections_known = section_names();

std::vector<Expectation> Reader::expectations(const toml::table& source) const {
  static const std::vector<std::string> comparisons{"like", "unlike", "less_than", "more_than"};
  static const std::vector<std::string> known{
      "kind",      "value",     "is",     "like",   "unlike",   "less_than", "more_than", "at_most",
      "at_least",  "tolerance", "within", "why",    "quantity", "time",      "velocity",  "input",
      "frequency", "number",    "source", "choice", "differs",  "sweep"};
  std::vector<Expectation> all;
  for (const auto& [key, node] : source) {
    Expectation e;
    e.key = e.quantity = std::string(key.str());
    e.where = at(node);
    std::string relation;  // the key that says what to compare with
    bool relative = false;
    const auto relates = [&](const std::string& name) {
      if (!relation.empty())
        throw InputError(e.where + ": [expect] " + e.key + " gives both " + relation + " and " +
                         name + ", it must have one relation; make two entries of it");
      relation = name;
    };
    for (const auto& [k, v] : table(node, key.str())) {
      const std::string name(k.str());
      if (name == "kind") e.kind = kind(v), e.kind_given = true;
      else if (name == "value") relates(name), e.value = number(v, name);
      else if (name == "is") relates(name), e.is = text(v, name);
      else if (name == "at_most" || name == "at_least")
        relates(name), e.relation = name, e.bound = number(v, name);
      else if (std::find(comparisons.begin(), comparisons.end(), name) != comparisons.end())
        relates(name), e.relation = name, e.other = text(v, name);
      else if (name == "tolerance") e.tolerance = distance(v, name), relative = true;
      else if (name == "within") e.within = distance(v, name), e.tolerance_given = true;
      else if (name == "why") e.why = text(v, name);
      else if (name == "quantity") e.quantity = text(v, name);
      else if (name == "time" || name == "velocity" || name == "input" || name == "frequency")
        e.argument = number(v, name), e.has_argument = true;
      else if (name == "number") e.argument = ordinal(v, name), e.has_argument = true;
      else if (name == "source") e.source = text(v, name);
      else if (name == "choice") e.choice = text(v, name);
      else if (name == "differs") e.differs = text(v, name);
      else if (name == "sweep") e.sweep = text(v, name);
      else refuse_key(v, name, "[expect] " + e.key, known);
    }
    if (e.tolerance_given && !relative) e.tolerance = 0.0;
    e.tolerance_given = e.tolerance_given || relative;
    if (relation.empty())
      throw InputError(
          e.where + ": " + e.key +
          " says nothing to compare with: give value, is, at_most, at_least, like, unlike, "
          "less_than or more_than");
    // A bound and a word are exact; a tolerance beside them would be read and not used.
    if (e.tolerance_given && (e.is || e.relation.starts_with("at_")))
      throw InputError(e.where + ": [expect] " + e.key + " gives " +
                       (relative ? "tolerance" : "within") + " beside " + relation +
                       ", which is exact; leave the tolerance out");
    if (!e.sweep.empty() && !e.relation.starts_with("at_"))
      throw InputError(e.where + ": " + e.key + " speaks of a sweep, it needs at_most or at_least");
    // Less and more need no tolerance; one that is given is the margin.
    if (!e.tolerance_given && (relation == "less_than" || relation == "more_than"))
      e.tolerance = 0.0;
    const auto& quantities = quantity_names();
    if (std::find(quantities.begin(), quantities.end(), e.quantity) == quantities.end())
      refuse_key(node, e.quantity, "[expect] as a quantity", quantities);
    all.push_back(std::move(e));
  }
  return all;
}

ClosedForm Reader::closed_form(const toml::table& source) const {
  static const std::vector<std::string> known{"label", "formula", "from", "to"};
  std::string label;
  std::optional<double> from, to;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "label") label = text(v, key);
    else if (key == "formula") text(v, key);
    else if (key == "from") from = number(v, key);
    else if (key == "to") to = number(v, key);
    else refuse_key(v, key, "[[figure.curve]]", known);
  }
  const toml::node* formula = source.get("formula");
  if (!formula || label.empty())
    throw InputError(at(source) + ": a [[figure.curve]] needs a label and a formula");
  try {
    return {label, Formula(text(*formula, "formula")), from, to};
  } catch (const InvalidInput& error) {
    throw InputError(at(*formula) + ": " + error.what());
  }
}

FigureSpec Reader::figure(const toml::table& source, std::size_t index) const {
  static const std::vector<std::string> known{
      "name",       "title",   "x",         "y",       "from",  "to",       "cases",
      "equilibria", "overlay", "x_range",   "y_range", "fit",   "equal",    "sweeps",
      "quantity",   "over",    "published", "log_x",   "log_y", "spectrum", "section",
      "with",       "mean",    "peaks",     "curve"};
  FigureSpec f;
  f.name = "figure" + std::to_string(index + 1);
  const auto column = [&](const toml::node& v, const std::string& key) {
    const std::string name = text(v, key);
    const auto& columns = column_names();
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      refuse_key(v, name, "[[figure]] as a column", columns);
    return name;
  };
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "name") f.name = file_name(v, key);
    else if (key == "title") f.title = text(v, key);
    else if (key == "x") f.x = column(v, key);
    else if (key == "y") f.y = column(v, key);
    else if (key == "with")
      for (const auto& one : list(v, key)) f.with.push_back(column(one, key));
    else if (key == "from") f.from = number(v, key);
    else if (key == "to") f.to = number(v, key);
    else if (key == "equilibria") f.equilibria = flag(v, key);
    else if (key == "overlay") f.overlay = flag(v, key);
    else if (key == "equal") f.equal = flag(v, key);
    else if (key == "spectrum") f.spectrum = column(v, key);
    else if (key == "section") f.section = flag(v, key);
    else if (key == "mean") f.mean = flag(v, key);
    else if (key == "peaks") f.peaks = flag(v, key);
    else if (key == "curve")
      for (const auto& one : list(v, "figure.curve"))
        f.curves.push_back(closed_form(table(one, key)));
    else if (key == "fit") {
      f.fit = text(v, key);
      if (f.fit != "sech" && f.fit != "gaussian")
        throw InputError(at(v) + ": fit = \"" + shown(f.fit) +
                         "\" is not allowed, it must be sech or gaussian");
    } else if (key == "x_range") f.x_range = range(v, key);
    else if (key == "y_range") f.y_range = range(v, key);
    else if (key == "published") f.published = number(v, key);
    else if (key == "log_x") f.log_x = flag(v, key);
    else if (key == "log_y") f.log_y = flag(v, key);
    else if (key == "quantity" || key == "over") {
      std::string& name = key == "over" ? f.over : f.quantity;
      name = text(v, key);
      const auto& all = quantity_names();
      if (std::find(all.begin(), all.end(), name) == all.end())
        refuse_key(v, name, "[[figure]] as a quantity", all);
    } else if (key == "cases" || key == "sweeps") {
      auto& names = key == "cases" ? f.cases : f.sweeps;
      for (const auto& label : list(v, key)) names.push_back(text(label, key));
    } else refuse_key(v, key, "[[figure]]", known);
  }
  if (f.mean && f.x != "velocity")
    throw InputError(at(source) + ": figure '" + f.name +
                     "' asks for the mean over velocity, its x must be velocity");
  if (f.sweeps.empty() != f.quantity.empty())
    throw InputError(at(source) + ": figure '" + f.name +
                     "' needs both sweeps and quantity, or neither");
  if (!f.over.empty() && f.sweeps.empty())
    throw InputError(at(source) + ": figure '" + f.name + "': over has no meaning without sweeps");
  return f;
}

CaseChanges Reader::variant(const toml::table& source) const {
  CaseChanges changes;
  std::vector<std::string> known = sections_known;
  known.insert(known.end(), {"label", "expect"});
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "label") changes.label = text(v, key);
    else if (key == "expect") changes.expectations = expectations(table(v, key));
    else if (std::find(sections_known.begin(), sections_known.end(), key) != sections_known.end())
      changes.changes[key] = section(table(v, key));
    else refuse_key(v, key, "[[case]]", known);
  }
  if (changes.label.empty()) throw InputError(at(source) + ": a [[case]] needs a label");
  return changes;
}

// One case for each value of a field; whatever else the sweep changes is the same in all of them.
std::vector<CaseChanges> Reader::sweep(const toml::table& source) const {
  std::vector<std::string> known = sections_known;
  known.insert(known.end(), {"name", "field", "values"});
  CaseChanges common;
  std::vector<double> values;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "name") common.sweep = text(v, key);
    else if (key == "field") common.swept = text(v, key);
    else if (key == "values")
      for (const auto& one : list(v, key)) values.push_back(number(one, key));
    else if (std::find(sections_known.begin(), sections_known.end(), key) != sections_known.end())
      common.changes[key] = section(table(v, key));
    else refuse_key(v, key, "[[sweep]]", known);
  }
  const auto dot = common.swept.find('.');
  const std::string owner = common.swept.substr(0, dot);
  if (common.sweep.empty() || values.empty() || dot == std::string::npos)
    throw InputError(at(source) +
                     ": a [[sweep]] needs a name, a field such as "
                     "\"model.spacing\", and values");
  if (std::find(sections_known.begin(), sections_known.end(), owner) == sections_known.end())
    refuse_key(*source.get("field"), owner, "[[sweep]] as a section", sections_known);
  std::vector<CaseChanges> all;
  for (const double value : values) {
    CaseChanges one = common;
    one.label = common.sweep + ": " + common.swept + " = " + words(value);
    one.changes[owner][common.swept.substr(dot + 1)] = {value, at(source)};
    one.swept_value = value;
    all.push_back(std::move(one));
  }
  return all;
}

// Refuses the label of a case that does not exist.
void Reader::check_label(const std::string& where, const std::string& label,
                         const Document& d) const {
  std::vector<std::string> labels;
  for (const auto& c : d.cases) labels.push_back(c.label);
  if (label.empty() || std::find(labels.begin(), labels.end(), label) != labels.end()) return;
  const std::string near = nearest(label, labels);
  throw InputError(where + ": there is no case '" + shown(label) + "'" +
                   (near.empty() ? "" : ", did you mean '" + near + "'?"));
}

Document Reader::document(const toml::table& root) const {
  Document d;
  d.experiment.path = path_;
  d.experiment.key = std::filesystem::path(path_).stem().string();
  std::vector<std::string> known = sections_known;
  known.insert(known.end(), {"title", "document", "figure_number", "note", "covers", "case",
                             "sweep", "figure", "expect"});
  for (const auto& [k, v] : root) {
    const std::string key(k.str());
    if (key == "title") d.experiment.title = text(v, key);
    else if (key == "document") d.experiment.document = text(v, key);
    else if (key == "figure_number") d.experiment.figure = text(v, key);
    else if (key == "note") d.experiment.note = text(v, key);
    else if (key == "covers")
      for (const auto& one : list(v, key)) d.experiment.covers.push_back(text(one, key));
    else if (key == "expect") d.expectations = expectations(table(v, key));
    else if (key == "figure") {
      for (const auto& f : list(v, key)) {
        auto& all = d.experiment.figures;
        FigureSpec one = figure(table(f, key), all.size());
        if (std::any_of(all.begin(), all.end(),
                        [&](const auto& other) { return other.name == one.name; }))
          throw InputError((table(f, key).get("name") ? at(*table(f, key).get("name")) : at(f)) +
                           ": there are two figures of the name '" + one.name + "'");
        all.push_back(std::move(one));
      }
    } else if (key == "case") {
      for (const auto& c : list(v, key)) d.cases.push_back(variant(table(c, key)));
    } else if (key == "sweep") {
      list(v, key);  // read below, so that sweeps come after the cases
    } else if (std::find(sections_known.begin(), sections_known.end(), key) !=
               sections_known.end()) {
      d.sections[key] = section(table(v, key));
    } else {
      refuse_key(v, key, "the file", known);
    }
  }
  if (const auto* sweeps = root["sweep"].as_array())
    for (const auto& one : *sweeps)
      for (auto& c : sweep(table(one, "sweep"))) d.cases.push_back(std::move(c));
  if (d.cases.empty()) d.cases.emplace_back();
  for (const auto& f : d.experiment.figures)
    for (const auto& name : f.sweeps)
      if (std::none_of(d.cases.begin(), d.cases.end(),
                       [&](const auto& c) { return c.sweep == name; }))
        throw InputError(path_ + ": figure '" + f.name + "': there is no sweep '" + name + "'");
  for (const auto& e : d.expectations) check_label(e.where, e.other, d);
  for (const auto& c : d.cases)
    for (const auto& e : c.expectations) check_label(e.where, e.other, d);
  if (const auto* figures = root["figure"].as_array())
    for (const auto& f : *figures)
      if (const auto* cases = (*f.as_table())["cases"].as_array())
        for (const auto& label : *cases) check_label(at(label), text(label, "cases"), d);
  if (d.experiment.title.empty()) d.experiment.title = d.experiment.key;
  return d;
}

}  // namespace

Document read_document(const std::string& path) {
  const std::string text = read_text(path);
  Document document;
  try {
    check_toml_size(text, path);
    const toml::table root = toml::parse(text, path);
    document = Reader(path).document(root);
  } catch (const toml::parse_error& error) {
    throw InputError(path + ":" + std::to_string(error.source().begin.line) +
                     ": is not valid TOML: " + std::string(error.description()));
  }
  document.experiment.text = text;
  return document;
}

}  // namespace bristle::io
