// SPDX-License-Identifier: MIT
// The runs of a sweep: [[vary]], [[draw]], [ensemble] and [sensitivity] of an experiment file.
#include <algorithm>
#include <cmath>

#include "bristle/io/errors.hpp"
#include "field_path.hpp"
#include "shown.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {
namespace {

using Names = std::vector<std::string>;

std::uint64_t whole_number(const Nodes& nodes, const toml::node& node, const std::string& key,
                           double least) {
  const double value = nodes.number(node, key);
  if (value >= least && value <= 0x1p53 && value == std::floor(value)) return std::uint64_t(value);
  throw InputError(nodes.at(node) + ": " + key + " = " + words(value) +
                   " must be a whole number of at least " + words(least) + " and at most 2^53");
}

std::size_t choice(const Nodes& nodes, const toml::node& node, const std::string& key,
                   const Names& known) {
  const std::string given = nodes.text(node, key);
  const auto at = std::find(known.begin(), known.end(), given);
  if (at != known.end()) return std::size_t(at - known.begin());
  throw InputError(nodes.at(node) + ": " + not_found(key, shown(given), known));
}

// The field of a [[vary]] or [[draw]]: its section has to be one of the file.
std::string field_in(const Nodes& nodes, const toml::table& source, const std::string& owner,
                     const Names& sections) {
  const toml::node* node = source.get("field");
  const std::string path = node ? nodes.text(*node, "field") : "";
  const auto [section, field] = split_path(path);
  if (field.empty())
    throw InputError((node ? nodes.at(*node) : nodes.at(source)) + ": " + owner +
                     " needs a field such as \"model.stiffness\"");
  if (std::find(sections.begin(), sections.end(), section) == sections.end())
    throw InputError(nodes.at(*node) + ": " + owner + ": " +
                     not_found("section", shown(section), sections));
  return path;
}

// Runs a check of the plan; what it refuses gains the place.
template <class Checked>
void check_at(const Nodes& nodes, const toml::table& source, const std::string& owner,
              const Checked& checked) {
  try {
    checked.check();
  } catch (const InvalidInput& error) {
    const toml::node* at = source.get(error.field);
    throw InputError((at ? nodes.at(*at) : nodes.at(source)) + ": " + owner + ": " + error.what());
  }
}

Axis read_axis(const Nodes& nodes, const toml::table& source, const Names& sections) {
  const std::string owner = "[[vary]]";
  Axis axis;
  axis.field = field_in(nodes, source, owner, sections);
  bool from = false, to = false, count = false, log = false, list = false;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "field") continue;
    if (key == "from") axis.from = nodes.number(v, key), from = true;
    else if (key == "to") axis.to = nodes.number(v, key), to = true;
    else if (key == "count") axis.count = whole_number(nodes, v, key, 0.0), count = true;
    else if (key == "spacing") log = axis.log = choice(nodes, v, key, {"even", "log"}) == 1;
    else if (key == "values") {
      list = true;
      if (const auto* all = v.as_array())
        for (const auto& one : *all) axis.values.push_back(nodes.number(one, key));
      else throw InputError(nodes.at(v) + ": values must be a list of numbers");
      if (axis.values.empty())
        throw InputError(nodes.at(v) + ": " + owner + ": " + axis.field + ": values is empty");
    } else nodes.refuse_key(v, key, owner, {"field", "from", "to", "count", "spacing", "values"});
  }
  if (list ? from || to || count || log : !(from && to && count))
    throw InputError(nodes.at(source) + ": " + owner + ": " + axis.field +
                     " needs either values, or from, to and count");
  check_at(nodes, source, owner, axis);
  return axis;
}

RandomField read_draw(const Nodes& nodes, const toml::table& source, const Names& sections) {
  const std::string owner = "[[draw]]";
  RandomField drawn;
  drawn.field = field_in(nodes, source, owner, sections);
  int distributions = 0;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "field") continue;
    if (key != "uniform" && key != "normal")
      nodes.refuse_key(v, key, owner, {"field", "uniform", "normal", "posterior", "spread"});
    const auto* pair = v.as_array();
    if (!pair || pair->size() != 2)
      throw InputError(nodes.at(v) + ": " + owner + ": " + key +
                       " must be a list of two numbers, " +
                       (key == "uniform" ? "[from, to]" : "[mean, standard deviation]"));
    drawn.kind = key == "uniform" ? RandomField::uniform : RandomField::normal;
    drawn.first = nodes.number((*pair)[0], key), drawn.second = nodes.number((*pair)[1], key);
    ++distributions;
  }
  if (distributions != 1)
    throw InputError(nodes.at(source) + ": " + owner + ": " + drawn.field +
                     " needs one distribution, uniform = [from, to] or normal = [mean, standard "
                     "deviation]");
  check_at(nodes, source, owner, drawn);
  return drawn;
}

// A draw from the posterior of a part, in place of a field with a distribution.
PosteriorDraw read_posterior(const Nodes& nodes, const toml::table& source, const Names& sections) {
  const std::string owner = "[[draw]]";
  PosteriorDraw drawn;
  drawn.where = nodes.at(source);
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "posterior") {
      Names known{"model", "machine"};
      for (const auto& name : sections)
        if (name.starts_with("contact.")) known.push_back(name);
      drawn.section = known[choice(nodes, v, key, known)];
    } else if (key == "spread") {
      for (const auto& [name, one] : nodes.table(v, key)) {
        const double value = nodes.number(one, name.str());
        if (!(value > 0.0 && value <= 1.0))
          throw InputError(nodes.at(one) + ": " + owner + ": spread: " + shown(name.str()) + " = " +
                           words(value) + " must be greater than 0 and at most 1");
        drawn.spread[std::string(name.str())] = value;
      }
    } else nodes.refuse_key(v, key, owner, {"posterior", "spread"});
  }
  return drawn;
}

// The columns of which whole trajectories are kept; whether a case has them is asked later.
void read_trajectory(const Nodes& nodes, const toml::node& node, EnsemblePlan& plan) {
  plan.trajectory_where = nodes.at(node);
  for (const auto& one : nodes.list(node, "trajectory")) {
    const std::string name = nodes.text(one, "trajectory");
    if (std::find(plan.trajectory.begin(), plan.trajectory.end(), name) != plan.trajectory.end())
      throw InputError(nodes.at(one) + ": trajectory has the column '" + shown(name) + "' twice");
    plan.trajectory.push_back(name);
  }
  if (plan.trajectory.empty())
    throw InputError(nodes.at(node) + ": trajectory must name at least one column");
}

// { quantity = "max_force", level = 1.2, halvings = 4 }; of words without a level.
BoundarySpec read_boundary(const Nodes& nodes, const toml::node& node) {
  BoundarySpec b;
  b.where = nodes.at(node);
  for (const auto& [k, v] : nodes.table(node, "boundary")) {
    const std::string key(k.str());
    if (key == "quantity") b.quantity = nodes.text(v, key);
    else if (key == "level") b.level = nodes.number(v, key);
    else if (key == "halvings") {
      const double value = nodes.number(v, key);
      if (!(value >= 1.0 && value <= 12.0) || value != std::floor(value))
        throw InputError(nodes.at(v) + ": boundary: halvings = " + words(value) +
                         " must be a whole number from 1 to 12");
      b.halvings = int(value);
    } else nodes.refuse_key(v, key, "boundary", {"quantity", "level", "halvings"});
  }
  if (b.quantity.empty()) throw InputError(b.where + ": boundary needs a quantity");
  return b;
}

// "period", or { quantity = "maximum", column = "block.velocity", name = "top_speed" }.
KeptQuantity read_quantity(const Nodes& nodes, const toml::node& node) {
  KeptQuantity kept;
  Expectation& e = kept.asked;
  e.where = nodes.at(node);
  if (node.is_string()) {
    e.quantity = nodes.text(node, "quantity");
  } else {
    static const Names known{"quantity", "name",   "time",    "velocity", "input", "frequency",
                             "number",   "column", "contact", "event",    "from",  "to"};
    for (const auto& [k, v] : nodes.table(node, "quantity")) {
      const std::string key(k.str());
      if (key == "quantity") e.quantity = nodes.text(v, key);
      else if (key == "name") kept.name = nodes.file_name(v, key);
      else if (!read_argument(nodes, key, v, e)) nodes.refuse_key(v, key, "quantity", known);
    }
  }
  check_quantity_name(nodes, node, e.quantity, "[ensemble]");
  e.key = e.quantity;
  const std::string of = e.column + e.contact;
  if (kept.name.empty()) kept.name = e.quantity + (of.empty() ? "" : "." + of);
  return kept;
}

void read_settings(const Nodes& nodes, const toml::table& source, EnsemblePlan& plan) {
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "draws") plan.plan.draws = whole_number(nodes, v, key, 1.0);
    else if (key == "seed") plan.plan.seed = whole_number(nodes, v, key, 0.0);
    else if (key == "sampling")
      plan.plan.sampling = Plan::Sampling(choice(nodes, v, key, {"random", "sobol"}));
    else if (key == "case") plan.label = nodes.text(v, key), plan.label_where = nodes.at(v);
    else if (key == "quantity") {
      if (!v.is_array()) throw InputError(nodes.at(v) + ": quantity must be a list");
      for (const auto& one : *v.as_array()) {
        KeptQuantity kept = read_quantity(nodes, one);
        for (const auto& other : plan.quantities)
          if (other.name == kept.name)
            throw InputError(nodes.at(one) + ": two quantities have the name '" + kept.name +
                             "', give one of them another: { quantity = ..., name = ... }");
        plan.quantities.push_back(std::move(kept));
      }
    } else if (key == "trajectory") read_trajectory(nodes, v, plan);
    else if (key == "boundary") plan.boundary = read_boundary(nodes, v);
    else if (key == "lanes") plan.lanes = nodes.flag(v, key);
    else
      nodes.refuse_key(
          v, key, "[ensemble]",
          {"quantity", "trajectory", "boundary", "lanes", "draws", "seed", "sampling", "case"});
  }
}

void read_sensitivity(const Nodes& nodes, const toml::table& source, EnsemblePlan& plan) {
  SensitivityDesign design;
  design.inputs = int(plan.plan.random_fields.size());
  design.seed = plan.plan.seed;
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "method")
      design.method = SensitivityDesign::Method(choice(nodes, v, key, {"sobol", "morris"}));
    else if (key == "samples") design.samples = whole_number(nodes, v, key, 2.0);
    else nodes.refuse_key(v, key, "[sensitivity]", {"method", "samples"});
  }
  const auto refuse = [&](const std::string& why) {
    throw InputError(nodes.at(source) + ": [sensitivity] " + why);
  };
  if (!plan.posteriors.empty())
    refuse("needs fields that are independent, those of a posterior depend on each other");
  if (plan.plan.random_fields.empty()) refuse("needs at least one [[draw]]");
  if (!plan.plan.axes.empty()) refuse("has no meaning beside [[vary]], leave one of them out");
  if (plan.plan.draws > 0) refuse("chooses the draws by itself, leave draws of [ensemble] out");
  check_at(nodes, source, "[sensitivity]", design);
  plan.plan.sensitivity = design;
}

}  // namespace

EnsemblePlan read_ensemble(const Nodes& nodes, const toml::table& root, const Names& sections) {
  EnsemblePlan plan;
  if (const auto* v = root.get("vary"))
    for (const auto& one : nodes.list(*v, "vary")) {
      plan.plan.axes.push_back(read_axis(nodes, nodes.table(one, "vary"), sections));
      plan.places.push_back(nodes.at(one) + ": [[vary]]");
    }
  if (const auto* v = root.get("draw"))
    for (const auto& one : nodes.list(*v, "draw")) {
      if (nodes.table(one, "draw").contains("posterior")) {
        plan.posteriors.push_back(read_posterior(nodes, nodes.table(one, "draw"), sections));
        continue;
      }
      plan.plan.random_fields.push_back(read_draw(nodes, nodes.table(one, "draw"), sections));
      plan.places.push_back(nodes.at(one) + ": [[draw]]");
    }
  if (const auto* v = root.get("ensemble")) read_settings(nodes, nodes.table(*v, "ensemble"), plan);
  if (const auto* v = root.get("sensitivity"))
    read_sensitivity(nodes, nodes.table(*v, "sensitivity"), plan);
  const bool drawn = !plan.plan.random_fields.empty() || !plan.posteriors.empty();
  if (drawn && !plan.plan.sensitivity && plan.plan.draws == 0)
    throw InputError(nodes.at(*root.get("draw")) +
                     ": [[draw]] needs the number of draws: draws = 1000 in [ensemble]");
  return plan;
}

}  // namespace bristle::io
