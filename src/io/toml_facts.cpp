// SPDX-License-Identifier: MIT
// The facts of an experiment file.
#include <algorithm>
#include <functional>
#include <map>

#include "bristle/io/errors.hpp"
#include "bristle/io/measure.hpp"
#include "shown.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {
namespace {

FactKind read_kind(const Nodes& nodes, const toml::node& node) {
  const std::string given = nodes.text(node, "kind");
  if (const auto known = fact_kind(given)) return *known;
  std::string all;
  for (const auto& k : fact_kinds) all += (all.empty() ? "" : ", ") + std::string(k.key);
  throw InputError(nodes.at(node) + ": kind = \"" + shown(given) +
                   "\" is not a kind of fact (known: " + all + ")");
}

}  // namespace

bool read_argument(const Nodes& nodes, const std::string& key, const toml::node& node,
                   Expectation& e) {
  if (key == "time" || key == "velocity" || key == "input" || key == "frequency")
    e.argument = nodes.number(node, key), e.has_argument = true;
  else if (key == "number") e.argument = nodes.ordinal(node, key), e.has_argument = true;
  else if (key == "column") e.column = nodes.text(node, key);
  else if (key == "contact") e.contact = nodes.text(node, key);
  else if (key == "event") e.event = nodes.text(node, key);
  else if (key == "from") e.from = nodes.number(node, key);
  else if (key == "to") e.to = nodes.number(node, key);
  else return false;
  return true;
}

void check_quantity_name(const Nodes& nodes, const toml::node& node, const std::string& quantity,
                         const std::string& owner) {
  const auto& known = quantity_names();
  if (std::find(known.begin(), known.end(), quantity) == known.end())
    nodes.refuse_key(node, quantity, owner + " as a quantity", known);
}

std::vector<Expectation> read_facts(const Nodes& nodes, const toml::table& source) {
  static const std::vector<std::string> comparisons{"like", "unlike", "less_than", "more_than"};
  static const std::vector<std::string> known{
      "kind",     "value",    "is",        "like",   "unlike", "less_than", "more_than",
      "at_most",  "at_least", "tolerance", "within", "why",    "quantity",  "time",
      "velocity", "input",    "frequency", "number", "source", "choice",    "differs",
      "sweep",    "column",   "contact",   "event",  "from",   "to"};
  std::vector<Expectation> all;
  for (const auto& [key, node] : source) {
    Expectation e;
    e.key = e.quantity = std::string(key.str());
    e.where = nodes.at(node);
    std::string relation;  // the key that says what to compare with
    bool relative = false;
    const auto relates = [&](const std::string& name) {
      if (!relation.empty())
        throw InputError(e.where + ": [expect] " + e.key + " gives both " + relation + " and " +
                         name + ", it must have one relation; make two entries of it");
      relation = name;
    };
    for (const auto& [k, v] : nodes.table(node, key.str())) {
      const std::string name(k.str());
      if (name == "kind") e.kind = read_kind(nodes, v), e.kind_given = true;
      else if (name == "value") relates(name), e.value = nodes.number(v, name);
      else if (name == "is") relates(name), e.is = nodes.text(v, name);
      else if (name == "at_most" || name == "at_least")
        relates(name), e.relation = name, e.bound = nodes.number(v, name);
      else if (std::find(comparisons.begin(), comparisons.end(), name) != comparisons.end())
        relates(name), e.relation = name, e.other = nodes.text(v, name);
      else if (name == "tolerance") e.tolerance = nodes.distance(v, name), relative = true;
      else if (name == "within") e.within = nodes.distance(v, name), e.tolerance_given = true;
      else if (name == "why") e.why = nodes.text(v, name);
      else if (name == "quantity") e.quantity = nodes.text(v, name);
      else if (name == "source") e.source = nodes.text(v, name);
      else if (name == "choice") e.choice = nodes.text(v, name);
      else if (name == "differs") e.differs = nodes.text(v, name);
      else if (name == "sweep") e.sweep = nodes.text(v, name);
      else if (!read_argument(nodes, name, v, e))
        nodes.refuse_key(v, name, "[expect] " + e.key, known);
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
      throw InputError(e.where + ": " + e.key + " refers to a sweep, it needs at_most or at_least");
    // Less and more need no tolerance; one that is given is the margin.
    if (!e.tolerance_given && (relation == "less_than" || relation == "more_than"))
      e.tolerance = 0.0;
    check_quantity_name(nodes, node, e.quantity, "[expect]");
    all.push_back(std::move(e));
  }
  return all;
}

}  // namespace bristle::io
