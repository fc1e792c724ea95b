// SPDX-License-Identifier: MIT
// The parts of a machine in an experiment file.
#include <algorithm>
#include <set>

#include "bristle/io/errors.hpp"
#include "field_path.hpp"
#include "shown.hpp"
#include "toml_nodes.hpp"

namespace bristle::io {
namespace {

bool is_part_name(const std::string& name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && name.size() <= 60 && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), allowed);
}

// "[[contact]] 'bearing'"
std::string words_of(const MachineEntry& entry) {
  return "[[" + entry.list + "]]" + (entry.name.empty() ? "" : " '" + entry.name + "'");
}

std::string part_name(const Nodes& nodes, const toml::node& node) {
  const std::string name = nodes.text(node, "name");
  if (is_part_name(name)) return name;
  throw InputError(nodes.at(node) + ": name = \"" + shown(name) +
                   "\" must be at most 60 letters, digits, '_' and '-', the first a letter, a "
                   "digit or '_'");
}

using Ends = std::vector<std::pair<std::string, double>>;

// The keys by which a part of each list may name its bodies, or a load its contact.
std::vector<std::string> end_keys(const std::string& list) {
  if (list == "contact") return {"on", "between", "of"};
  if (list == "coupling") return {"on", "between"};
  if (list == "input" || list == "controller" || list == "load") return {"on"};
  return {};
}

// "on = \"NAME\" or between = [\"A\", \"B\"]"
std::string end_words(const std::string& list) {
  std::string words;
  for (const auto& key : end_keys(list))
    words += (words.empty() ? "" : " or ") + key +
             (key == "on"        ? " = \"NAME\""
              : key == "between" ? " = [\"NAME\", \"OTHER\"]"
                                 : " = { NAME = 1.0, OTHER = -1.0 }");
  return words;
}

void read_ends(const Nodes& nodes, const toml::node& node, const std::string& key,
               MachineEntry& entry) {
  if (!entry.ends_key.empty())
    throw InputError(nodes.at(node) + ": " + words_of(entry) + " gives both " + entry.ends_key +
                     " and " + key + ", it must have one of them");
  entry.ends_key = key;
  entry.ends_where = nodes.at(node);
  // A contact in the plane has a list of two: one entry per axis.
  const auto* axes = entry.list == "contact" && key != "between" ? node.as_array() : nullptr;
  if (axes && axes->size() != 2)
    throw InputError(entry.ends_where + ": " + key +
                     " must be a list of two in the plane, one for each axis");
  const auto on = [&](const toml::node& one) -> Ends {
    return {{nodes.text(one, key), 1.0}, {std::string(ground), -1.0}};
  };
  const auto of = [&](const toml::node& one) {
    Ends ends;
    for (const auto& [name, weight] : nodes.table(one, key))
      ends.emplace_back(std::string(name.str()), nodes.number(weight, name.str()));
    if (ends.empty())
      throw InputError(entry.ends_where + ": of must name at least one body with its weight");
    return ends;
  };
  if (key == "on" || key == "of") {
    const auto read = [&](const toml::node& one) { return key == "on" ? on(one) : of(one); };
    entry.ends = read(axes ? (*axes)[0] : node);
    if (axes) entry.across = read((*axes)[1]);
    return;
  }
  // A coupling may be a linkage of more than two bodies.
  const auto* names = node.as_array();
  const bool linkage = entry.list == "coupling";
  if (!names || names->size() < 2 || (names->size() > 2 && !linkage))
    throw InputError(entry.ends_where + ": between must be a list of two names");
  for (const toml::node& name : *names)
    entry.ends.emplace_back(nodes.text(name, key), entry.ends.empty() ? 1.0 : -1.0);
}

// Puts a field into a section; the fields of a law may stand in its table or beside it, not both.
void put(Section& section, const std::string& key, Entry value, const MachineEntry& entry) {
  const std::string where = value.where;
  if (!section.emplace(key, std::move(value)).second)
    throw InputError(where + ": " + words_of(entry) + " gives " + key +
                     " twice, in law and beside");
}

// law = "coulomb", or law = { name = "coulomb", coulomb_force = 1.0 }.
void read_law(const Nodes& nodes, const toml::node& node, const MachineEntry& entry,
              Section& section) {
  if (!node.is_table()) {
    put(section, "law", {nodes.text(node, "law"), nodes.at(node)}, entry);
    return;
  }
  for (const auto& [k, v] : *node.as_table()) {
    const std::string key(k.str());
    for (const auto& own : ContactSettings::fields())
      if (own.name == key)
        throw InputError(nodes.at(v) + ": " + key + " is a field of the contact, not of its law: " +
                         "write it beside law, not in it");
    put(section, key == "name" ? "law" : key,
        key == "name" ? Entry{nodes.text(v, "name"), nodes.at(v)} : nodes.entry(v, key), entry);
  }
}

// The fields of an entry, without its name and its bodies.
void read_fields(const Nodes& nodes, const toml::table& source, const MachineEntry& entry,
                 Section& section) {
  const auto ends = end_keys(entry.list);
  for (const auto& [k, v] : source) {
    const std::string key(k.str());
    if (key == "name" || std::find(ends.begin(), ends.end(), key) != ends.end()) continue;
    if (key == "law" && entry.list == "contact") read_law(nodes, v, entry, section);
    else if (v.is_table())
      throw InputError(nodes.at(v) + ": " + words_of(entry) + ": " + key + " must not be a table");
    else put(section, key, nodes.entry(v, key), entry);
  }
}

MachineEntry read_entry(const Nodes& nodes, const std::string& list, const toml::table& source,
                        Section& section) {
  MachineEntry entry{list, "", nodes.at(source)};
  if (const auto* name = source.get("name"))
    entry.name = part_name(nodes, *name), entry.name_where = nodes.at(*name);
  for (const auto& key : end_keys(list))
    if (const auto* node = source.get(key)) read_ends(nodes, *node, key, entry);
  if (entry.ends_key.empty() && !end_keys(list).empty())
    throw InputError(
        entry.where + ": " + words_of(entry) +
        (list == "load" ? " needs the contact it acts on: " : " needs the bodies it acts on: ") +
        end_words(list));
  if (entry.name.empty() && (list == "body" || list == "drive"))
    throw InputError(entry.where + ": a " + words_of(entry) +
                     " needs a name, such as name = \"motor\"");
  read_fields(nodes, source, entry, section);
  return entry;
}

// The first of stem1, stem2, ... that is free.
std::string free_name(const std::string& stem, std::set<std::string>& taken) {
  for (int n = 1;; ++n)
    if (const std::string name = stem + std::to_string(n); taken.insert(name).second) return name;
}

}  // namespace

void read_machine(const Nodes& nodes, const toml::table& root, Document& d) {
  std::vector<Section> fields;
  for (const auto& list : machine_lists()) {
    const auto* node = root.get(list);
    if (!node || (list == "input" && !node->is_array())) continue;
    for (const auto& one : nodes.list(*node, list))
      d.machine.push_back(read_entry(nodes, list, nodes.table(one, list), fields.emplace_back()));
  }
  if (!d.machine.empty() && d.machine.front().list != "body")
    throw InputError(d.machine.front().where + ": " + words_of(d.machine.front()) +
                     " has no meaning without a [[body]]");

  // A name stands in columns and in paths of fields: one part of the machine has it.
  std::set<std::string> taken;
  for (const auto& entry : d.machine)
    if (!entry.name.empty() && !taken.insert(entry.name).second)
      throw InputError(entry.name_where + ": " + words_of(entry) +
                       " has the name of another part, every part needs its own");
  for (std::size_t i = 0; i < d.machine.size(); ++i) {
    MachineEntry& entry = d.machine[i];
    std::string stem = entry.list;
    const auto kind = fields[i].find("kind");
    if (entry.list == "coupling" && kind != fields[i].end())
      if (const auto* text = std::get_if<std::string>(&kind->second.value))
        if (is_part_name(*text)) stem = *text;
    if (entry.name.empty()) entry.name = free_name(stem, taken);
    d.sections[entry.section()] = std::move(fields[i]);
  }
}

void read_machine_changes(const Nodes& nodes, const toml::node& node, const std::string& list,
                          const std::vector<MachineEntry>& machine, Sections& changes) {
  for (const auto& [k, v] : nodes.table(node, list)) {
    const std::string name(k.str());
    std::vector<std::string> known;
    const MachineEntry* found = nullptr;
    for (const auto& entry : machine) {
      if (entry.list != list) continue;
      known.push_back(entry.name);
      if (entry.name == name) found = &entry;
    }
    if (!found) throw InputError(nodes.at(v) + ": " + not_found(list, name, known));
    const toml::table& fields = nodes.table(v, list + "." + name);
    auto fixed = end_keys(list);
    fixed.emplace_back("name");
    for (const auto& key : fixed)
      if (const auto* end = fields.get(key))
        throw InputError(nodes.at(*end) + ": " + list + "." + name + "." + key +
                         " cannot be changed: names and connections of a machine are the same in "
                         "all cases");
    read_fields(nodes, fields, *found, changes[found->section()]);
  }
}

}  // namespace bristle::io
