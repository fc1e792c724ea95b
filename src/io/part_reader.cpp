// SPDX-License-Identifier: MIT
// part.toml as it is read.
#include <algorithm>
#include <tuple>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/part.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "part_format.hpp"
#include "shown.hpp"
#include "toml_limits.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {
namespace {

// Reads one table of a part; every key has to be taken or is refused.
class PartTable {
 public:
  PartTable(const Nodes& nodes, const toml::table& source, std::string owner)
      : nodes_(nodes), source_(source), owner_(std::move(owner)) {}

  const toml::node* take(const std::string& key) {
    known_.push_back(key);
    return source_.get(key);
  }
  const toml::node& needed(const std::string& key) {
    if (const auto* node = take(key)) return *node;
    throw InputError(nodes_.at(source_) + ": " + owner_ + " needs " + key);
  }
  std::string text(const std::string& key) { return nodes_.text(needed(key), key); }
  void text(const std::string& key, std::string& into) {
    if (const auto* node = take(key)) into = nodes_.text(*node, key);
  }
  void flag(const std::string& key, bool& into) {
    if (const auto* node = take(key)) into = nodes_.flag(*node, key);
  }
  double number(const std::string& key) { return nodes_.number(needed(key), key); }
  double distance(const std::string& key) { return nodes_.distance(needed(key), key); }
  // Two numbers, the first at most the second; `open`: they may be infinite.
  std::pair<double, double> pair(const std::string& key, bool open) {
    const toml::node& node = needed(key);
    const auto* two = node.as_array();
    const auto fits = [&](const toml::node& one) {
      return one.is_number() && !std::isnan(number_in(one)) &&
             (open || std::isfinite(number_in(one)));
    };
    if (!two || two->size() != 2 || !fits((*two)[0]) || !fits((*two)[1]) ||
        !(number_in((*two)[0]) <= number_in((*two)[1])))
      throw InputError(nodes_.at(node) + ": " + key + " must be a list of two numbers" +
                       (open ? ", inf among them," : "") + " with the smaller one first");
    return {number_in((*two)[0]), number_in((*two)[1])};
  }
  void finish() const {
    for (const auto& [k, v] : source_)
      if (std::find(known_.begin(), known_.end(), k.str()) == known_.end())
        nodes_.refuse_key(v, k.str(), owner_, known_);
  }
  std::string where() const { return nodes_.at(source_); }

 private:
  const Nodes& nodes_;
  const toml::table& source_;
  std::string owner_;
  std::vector<std::string> known_;
};

// Each table of a list; none if the file has no such list.
template <class Read>
void each_table(const Nodes& nodes, const toml::node* node, const std::string& key,
                const Read& read) {
  if (!node) return;
  for (const auto& one : nodes.list(*node, key)) {
    PartTable table(nodes, nodes.table(one, key), "[[" + key + "]]");
    read(table);
    table.finish();
  }
}

template <std::size_t N>
std::string one_of_words(PartTable& table, const std::string& key,
                         const std::array<std::string_view, N>& allowed) {
  const std::string word = table.text(key);
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return word;
  std::string all;
  for (const auto& one : allowed) all += (all.empty() ? "" : ", ") + std::string(one);
  throw InputError(table.where() + ": " + key + " = \"" + shown(word) + "\" must be one of " + all);
}

// What a held parameter must not have.
constexpr std::array fitted_keys{
    "scale",       "above",          "bounds",         "standard_deviation",
    "interval_95", "no_lower_limit", "no_upper_limit", "determined",
    "at_bound"};

PartParameter read_part_parameter(PartTable& table, const Part& part) {
  PartParameter p;
  p.name = table.text("name");
  if (p.name.empty()) throw InputError(table.where() + ": name must not be empty");
  if (part.find(p.name))
    throw InputError(table.where() + ": there are two parameters of the name " + shown(p.name));
  p.of = one_of_words(table, "of", part_owners);
  p.value = table.number("value");
  table.text("unit", p.unit);
  table.flag("fitted", p.fitted);
  if (!p.fitted) {
    std::string first;
    for (const char* key : fitted_keys)
      if (table.take(key) && first.empty()) first = key;
    table.finish();
    if (first.empty()) return p;
    throw InputError(table.where() + ": parameter " + shown(p.name) + ": " + first +
                     " has no meaning without fitted = true");
  }
  p.logarithmic = one_of_words(table, "scale", part_scales) == "log";
  table.text("above", p.above);
  std::tie(p.least, p.most) = table.pair("bounds", true);
  p.deviation = table.distance("standard_deviation");
  std::tie(p.lower, p.upper) = table.pair("interval_95", false);
  table.flag("no_lower_limit", p.no_lower_limit);
  table.flag("no_upper_limit", p.no_upper_limit);
  table.flag("determined", p.determined);
  table.flag("at_bound", p.at_bound);
  // What a draw relies on.
  const std::string where = table.where() + ": parameter " + shown(p.name) + ": ";
  if (!p.above.empty() && (p.logarithmic || !part.find(p.above)))
    throw InputError(where + "above = \"" + shown(p.above) +
                     "\" must name a parameter that stands before it, with scale = \"linear\"");
  if (p.logarithmic && !(p.value > 0.0 && p.least >= 0.0))
    throw InputError(where + "scale = \"log\" needs a value and bounds that are positive");
  if (!(p.value >= p.least && p.value <= p.most))
    throw InputError(where + "value = " + words(p.value) + " must be within its bounds " +
                     words(p.least) + " to " + words(p.most));
  return p;
}

Agreement read_agreement(const Nodes& nodes, const toml::node* node, const std::string& key) {
  Agreement a;
  if (!node) return a;
  PartTable table(nodes, nodes.table(*node, key), key);
  a.samples = long(nodes.ordinal(table.needed("samples"), "samples"));
  a.rmse = table.distance("rmse");
  a.nrmse = a.r2 = NAN;
  if (const auto* one = table.take("rmse_over_range"))
    a.nrmse = nodes.number(*one, "rmse_over_range");
  if (const auto* one = table.take("r2")) a.r2 = nodes.number(*one, "r2");
  a.worst = table.distance("largest_error");
  table.finish();
  return a;
}

std::vector<double> read_covariance(const Nodes& nodes, const toml::node* node, const Part& part) {
  const std::size_t n = part.fitted().size();
  if (!node) {
    if (n == 0) return {};
    throw InputError(nodes.path() + ": needs covariance, that of the fitted parameters");
  }
  std::vector<double> all;
  const auto* rows = node->as_array();
  bool square = rows && rows->size() == n;
  if (square)
    for (const auto& row : *rows) {
      const auto* numbers = row.as_array();
      square = square && numbers && numbers->size() == n;
      if (!square) break;
      for (const auto& one : *numbers) all.push_back(nodes.number(one, "covariance"));
    }
  if (!square)
    throw InputError(nodes.at(*node) +
                     ": covariance must have one row and one column for each of " + "the " +
                     std::to_string(n) + " fitted parameters");
  if (const std::string flaw = covariance_flaw(all, int(n)); !flaw.empty())
    throw InputError(nodes.at(*node) + ": covariance " + flaw);
  return all;
}

PartDependence read_dependence(PartTable& table, const Part& part) {
  PartDependence d{table.text("parameter"), table.text("column")};
  table.text("unit", d.unit);
  d.form = dependence_form(one_of_words(table, "form", part_forms));
  d.reference = table.number("reference");
  const std::string where = table.where() + ": [[dependence]] of " + shown(d.parameter) + ": ";
  const PartParameter* p = part.find(d.parameter);
  if (d.parameter != whole_force && (!p || (p->of != "law" && p->name != "offset")))
    throw InputError(where + "there is no such parameter of the law");
  for (const auto& name : coefficient_names(d.parameter, d.column, d.form))
    if (const auto* one = part.find(name); !one || one->of != "dependence")
      throw InputError(where + "needs a [[parameter]] " + shown(name) +
                       " with of = \"dependence\"");
  return d;
}

// The law exists and takes the values; so does the bias.
void check_part_law(const Nodes& nodes, const toml::node& law, const Part& part) {
  try {
    make_law(part.law, part.values());
    make<ForceBias>(part.values("bias"));
  } catch (const InvalidInput& error) {
    throw InputError(nodes.at(law) + ": " + error.what());
  }
}

// The operator exists and takes the values.
void check_part_system(const Nodes& nodes, const toml::node& system, const Part& part) {
  try {
    make_system(part.system, part.values("system"));
  } catch (const InvalidInput& error) {
    throw InputError(nodes.at(system) + ": " + error.what());
  }
}

Part read_part_root(const Nodes& nodes, const toml::table& root) {
  Part part;
  PartTable top(nodes, root, "a part");
  if (!root.get("format"))
    throw InputError(nodes.path() + ": is not a part, it needs format = \"" +
                     std::string(part_format) + "\" as bristle fit --out writes it");
  if (const std::string format = top.text("format"); format != part_format)
    throw InputError(nodes.at(root) + ": format = \"" + shown(format) + "\" must be \"" +
                     std::string(part_format) + "\"");
  part.kind = one_of_words(top, "kind", part_kinds);
  const bool is_law = part.kind == "law";
  top.text("law", part.law), top.text("mechanism", part.mechanism);
  top.text("machine", part.machine), top.text("system", part.system);
  for (const auto& [kind, text] :
       {std::pair{"law", &part.law}, {"machine", &part.machine}, {"system", &part.system}})
    if ((part.kind == kind) == text->empty() || (!is_law && !part.mechanism.empty()))
      throw InputError(nodes.path() + ": kind = \"" + part.kind + "\" needs " + part.kind +
                       ", and none of " +
                       (is_law                   ? "machine and system"
                        : part.kind == "machine" ? "law, mechanism and system"
                                                 : "law, mechanism and machine"));
  if (const auto* node = top.take("choices"))
    for (const auto& [key, entry] : nodes.section(nodes.table(*node, "choices")))
      part.choices[key] = entry.value;
  each_table(nodes, top.take("parameter"), "parameter",
             [&](PartTable& t) { part.parameters.push_back(read_part_parameter(t, part)); });
  part.covariance = read_covariance(nodes, top.take("covariance"), part);
  each_table(nodes, top.take("dependence"), "dependence",
             [&](PartTable& t) { part.depends.push_back(read_dependence(t, part)); });
  each_table(nodes, top.take("domain"), "domain", [&](PartTable& t) {
    PartRange r{t.text("quantity")};
    std::tie(r.from, r.to) = t.pair("range", false);
    t.text("unit", r.unit);
    part.domain.push_back(r);
  });
  each_table(nodes, top.take("data"), "data", [&](PartTable& t) {
    PartData d{t.text("file"), ""};
    t.text("fingerprint", d.fingerprint);
    part.data.push_back(d);
  });
  each_table(nodes, top.take("run"), "run", [&](PartTable& t) {
    PartRun r{t.text("name"), t.text("quantity"), t.text("unit"), {}, {}};
    r.fitted = read_agreement(nodes, t.take("fitted"), "fitted");
    r.held_out = read_agreement(nodes, t.take("held_out"), "held_out");
    part.runs.push_back(r);
  });
  if (const auto* node = top.take("warnings"))
    for (const auto& one : nodes.list(*node, "warnings"))
      part.warnings.push_back(nodes.text(one, "warnings"));
  top.text("unusable_because", part.unusable);
  top.text("bristle", part.version), top.text("command", part.command);
  top.text("licence", part.licence), top.text("source", part.source);
  top.finish();
  for (const PartParameter& p : part.parameters)
    if ((is_law ? p.of == "machine" || p.of == "system" : p.of != part.kind) ||
        (p.of == "mechanism" && part.mechanism.empty()))
      throw InputError(nodes.path() + ": parameter " + shown(p.name) + ": of = \"" + p.of +
                       "\" has no meaning in this part");
  if (is_law) check_part_law(nodes, *root.get("law"), part);
  if (part.kind == "system") check_part_system(nodes, *root.get("system"), part);
  return part;
}

}  // namespace

Part parse_part(const std::string& text, const std::string& path) {
  return read_part_root(Nodes(path), parse_toml(text, path));
}

Part read_part(const std::string& path) { return parse_part(read_text(path), path); }

bool is_part(const std::string& text) {
  if (text.find("bristle part") == std::string::npos) return false;
  try {
    const toml::table root = parse_toml(text, "");
    const auto format = root["format"].value<std::string>();
    return format && format->starts_with("bristle part");
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace bristle::io
