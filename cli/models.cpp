// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "bristle/io/catalogue.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/units.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

// An absent bound is null: JSON has no infinity.
ordered_json bound(double value) {
  return std::abs(value) >= largest ? ordered_json(nullptr) : ordered_json(value);
}

ordered_json as_json(const Description& d) {
  ordered_json j{{"name", d.name}, {"summary", d.summary}};
  j["fields"] = ordered_json::array();
  for (const auto& f : d.fields) {
    ordered_json one{{"name", f.name}, {"unit", f.unit}, {"meaning", f.meaning}};
    if (f.choices.empty()) {
      if (f.list) one["default"] = f.default_list, one["list"] = true;
      else one["default"] = f.default_value;
      one["lower"] = bound(f.bounds.lower);
      one["upper"] = bound(f.bounds.upper);
      one["lower_allowed"] = !f.bounds.open_below;
      one["usual"] = f.usual.limits() ? ordered_json{f.usual.smallest, f.usual.most} : nullptr;
    } else {
      one["default"] = f.default_text();
      one["choices"] = f.choices;
    }
    j["fields"].push_back(std::move(one));
  }
  return j;
}

void print(const Description& d, std::string_view kind) {
  fmt::print("{}{}\n  {}\n\n", d.name, kind.empty() ? "" : fmt::format(" ({})", kind), d.summary);
  for (const auto& f : d.fields)
    fmt::print("  {:<22} {:<12} {}\n  {:<22} {:<12}   {}{}\n", f.name, f.default_text(), f.meaning,
               "", f.unit.empty() ? "" : "[" + f.unit + "]", f.allowed(),
               f.usual.limits() ? ", " + f.usual_text() : "");
  fmt::print("\n");
}

// The name, the unit and the meaning of what is not described by a table of fields.
struct Listed {
  std::string name, unit, meaning;
};

// What an [expect] may ask for.
std::vector<Listed> listed_quantities() {
  std::vector<Listed> all;
  for (const auto& name : io::quantity_names()) {
    const io::QuantityWords* words = io::quantity_words(name);
    all.push_back(
        {name, words ? std::string(words->unit) : "", words ? std::string(words->meaning) : ""});
  }
  return all;
}

// What a [[figure]] may draw; the unit stands at the end of the label of its axis.
std::vector<Listed> listed_columns() {
  // What is said of a column whose label on an axis is too short to explain it.
  static const std::map<std::string, std::string> meanings{
      {"input", "input of the mechanism, the law or the system"},
      {"mode", "mode of the contact: 0 sticks or yields, 1 and -1 slip forward and backward"},
      {"work_in", "work done by the drive since the start"},
      {"dissipated", "energy dissipated since the start"},
      {"stored", "energy stored in bodies, springs and bristles"},
      {"image", "output f(y) folded by the map of [map]"},
      {"unfolded", "loop unfolded by one map"},
      {"unfolded_each", "loop unfolded by one map for each direction"},
      {"x", "first coordinate of the curve of [curve]"},
      {"y", "second coordinate of the curve of [curve]"},
      {"rising", "curve of a loop over rising input"},
      {"falling", "curve of a loop over falling input"},
      {"place", "velocity or distance at which the random part of [surface] is drawn"},
      {"correlation", "autocorrelation of the random part, over the draws"},
      {"expected", "autocorrelation that is expected, exp(-lambda distance)"},
      {"indirect_force", "friction force from measured signals by H (5.3)"}};
  std::vector<Listed> all;
  for (const auto& name : io::column_names()) {
    std::string words = io::column_words(name), unit;
    if (const auto at = words.rfind(" ["); at != std::string::npos && words.back() == ']') {
      unit = words.substr(at + 2, words.size() - at - 3);
      words.erase(at);
    }
    if (const auto longer = meanings.find(name); longer != meanings.end()) words = longer->second;
    all.push_back({name, unit, words});
  }
  return all;
}

void print(const std::vector<Listed>& all) {
  for (const auto& one : all)
    fmt::print("  {:<32} {:<15} {}\n", one.name, one.unit.empty() ? "" : "[" + one.unit + "]",
               one.meaning);
}

void print(const Listed& one, std::string_view kind) {
  fmt::print("{} ({})\n  {}{}\n\n", one.name, kind, one.meaning,
             one.unit.empty() ? "" : " [" + one.unit + "]");
}

ordered_json as_json(const std::vector<Listed>& all) {
  ordered_json list = ordered_json::array();
  for (const auto& one : all)
    list.push_back({{"name", one.name}, {"unit", one.unit}, {"meaning", one.meaning}});
  return list;
}

int list_names(const std::vector<Listed>& all, bool json) {
  if (json) fmt::print("{}\n", as_json(all).dump(2));
  else print(all);
  return 0;
}

// Those of this name; all of them if it is empty.
std::vector<Listed> named(std::vector<Listed> all, const std::string& name) {
  if (!name.empty()) std::erase_if(all, [&](const Listed& one) { return one.name != name; });
  return all;
}

// The entries of a name; none where it is that of a quantity or a column alone.
std::vector<io::CatalogueEntry> entries_of(const std::string& name) {
  const auto is_it = [&](const auto& entry) { return entry.description.name == name; };
  const bool listed = std::ranges::any_of(io::catalogue(), [&](const auto& group) {
    return std::ranges::any_of(group.entries, is_it);
  });
  if (!listed &&
      (!named(listed_quantities(), name).empty() || !named(listed_columns(), name).empty()))
    return {};
  return io::catalogue_entries(name);  // refuses a name that there is not
}

// The units a column may be in, by quantity.
int list_units(bool json) {
  ordered_json all = ordered_json::array();
  for (const auto& q : io::quantities()) {
    if (!json) fmt::print("{}{}\n", q.name, q.unit.empty() ? "" : fmt::format(" [{}]", q.unit));
    for (const auto& text : io::usual_units()) {
      const io::Unit unit = *io::parse_unit(text);
      if (unit.dimension != q.dimension) continue;
      all.push_back(
          {{"unit", text}, {"quantity", q.name}, {"factor", unit.factor}, {"si", q.unit}});
      if (!json) fmt::print("  {:<8} {}\n", text, words(unit.factor));
    }
  }
  if (json) fmt::print("{}\n", all.dump(2));
  else
    fmt::print(
        "\nPrefixes n, u (or µ), m, c, k and M go with m, s, rad, N, Pa, A and V where they make "
        "sense;\nproducts and quotients of all these are units too: N mm, mm/s^2, kN/m, oz-in.\n");
  return 0;
}

// Everything, or all of one name.
int list_as_json(const std::string& name) {
  if (!name.empty()) entries_of(name);
  ordered_json all;
  for (const char* key : {"models", "systems", "mechanisms", "sections", "couplings", "machine"})
    all[key] = ordered_json::array();
  for (const auto& group : io::catalogue())
    for (const auto& entry : group.entries) {
      if (!name.empty() && entry.description.name != name) continue;
      ordered_json one = as_json(entry.description);
      if (group.key == "models")
        one["kind"] = entry.kind == "set-valued at rest" ? "set_valued"
                      : entry.kind == "no state"         ? "no_state"
                                                         : "state";
      if (group.key == "systems") one["kind"] = entry.kind;
      all[group.key].push_back(std::move(one));
    }
  all["quantities"] = as_json(named(listed_quantities(), name));
  all["columns"] = as_json(named(listed_columns(), name));
  fmt::print("{}\n", all.dump(2));
  return 0;
}

int list(const std::string& name, bool json) {
  if (name == "units") return list_units(json);
  if (name == "quantities") return list_names(listed_quantities(), json);
  if (name == "columns") return list_names(listed_columns(), json);
  if (json) return list_as_json(name);
  if (!name.empty()) {
    for (const auto& entry : entries_of(name)) print(entry.description, entry.kind);
    for (const auto& one : named(listed_quantities(), name)) print(one, "quantity");
    for (const auto& one : named(listed_columns(), name)) print(one, "column");
    return 0;
  }
  for (const auto& group : io::catalogue()) {
    fmt::print("{}{}:\n", &group == &io::catalogue().front() ? "" : "\n", group.title);
    for (const auto& entry : group.entries)
      fmt::print("  {:<18} {}{}\n", entry.description.name, entry.description.summary,
                 entry.kind.empty() ? "" : " (" + entry.kind + ")");
  }
  fmt::print("\nQuantities (what [expect] and `bristle sweep --quantity` may ask for):\n");
  print(listed_quantities());
  fmt::print(
      "\nColumns (what [[figure]] may draw; of machines BODY.position, CONTACT.force ...):\n");
  print(listed_columns());
  fmt::print(
      "\n`bristle models NAME` shows the fields of one entry with units and bounds,\n"
      "`bristle models units` the units that columns of data may have.\n"
      "--json prints the lists for programs.\n");
  return 0;
}

}  // namespace

void add_models(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "models", "List the laws, machines, operators, systems, quantities and columns, with units");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option(
      "name", *name,
      "one model, system, mechanism, coupling, section, quantity or column, or the word "
      "quantities, columns or units; without a name all are listed");
  command->add_flag("--json", *json, "names, units, defaults, bounds and meanings as JSON");
  command->footer("Examples:\n  bristle models\n  bristle models frbd\n  bristle models --json");
  command->callback([&action, name, json] { action = [=] { return list(*name, *json); }; });
}

}  // namespace bristle::cli
