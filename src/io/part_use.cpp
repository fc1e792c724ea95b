// SPDX-License-Identifier: MIT
#include "part_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "field_path.hpp"
#include "quantities.hpp"
#include "section_values.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

// "coulomb_force, static_force" of the parameters that meet a condition.
template <class Condition>
std::string names_where(const Part& part, const Condition& condition) {
  std::string all;
  for (const PartParameter& p : part.parameters)
    if (condition(p)) all += (all.empty() ? "" : ", ") + p.name;
  return all;
}

class PartExpansion {
 public:
  PartExpansion(Sections& sections, const std::string& path, PartsRead& read)
      : sections_(sections), path_(path), read_(read) {
    for (const auto& [name, entry] : sections["conditions"]) {
      const auto* number = std::get_if<double>(&entry.value);
      if (!number)
        throw InputError(entry.where + ": [conditions] " + shown(name) + " must be a number");
      at_[name] = *number;
    }
  }

  // A condition that no part depends on is a mistake; what is used is used up.
  void finish() {
    for (const auto& [name, entry] : sections_.at("conditions"))
      if (std::find(columns_.begin(), columns_.end(), name) == columns_.end())
        throw InputError(entry.where + ": [conditions] " + shown(name) +
                         (columns_.empty()
                              ? " has no meaning: no part depends on a column"
                              : ": " + not_found("column that a part depends on", name, columns_)));
    sections_.at("conditions").clear();
  }

  void expand(const std::string& name, Section& section) {
    const auto at = section.find("part");
    const bool may_have =
        name == "model" || name == "mechanism" || name == "system" || name.starts_with("contact.");
    if (at == section.end() || !may_have) return;
    const std::string file = text_of(section, "part", ""), where = at->second.where;
    const Part part = read(file, where);
    if ((part.kind == "system") != (name == "system"))
      throw InputError(where + ": part = \"" + shown(file) + "\" is that of a " + part.kind +
                       ", which [" + shown(name) + "] has no use for");
    if (part.kind == "machine")
      throw InputError(where + ": part = \"" + shown(file) +
                       "\" is that of a machine: write part = \"FILE\" at the top of its file");
    section.erase("part");
    if (name == "system") return fill_system(section, part, file);
    if (name == "mechanism") return fill_mechanism(section, part, file, where);
    const std::string key = name == "model" ? "name" : "law";
    const std::string law = text_of(section, key, part.law);
    if (law != part.law)
      throw InputError(section.at(key).where + ": " + key + " = \"" + shown(law) +
                       "\" is another law than that of part = \"" + shown(file) + "\", " +
                       part.law);
    section[key] = {part.law, file};
    meet_conditions(part, file);
    fill(section, part.values("law", {}, at_), file);
    doubt(part, file);
    const Values bias = part.values("bias", {}, at_);
    if (name == "model") {
      fill(sections_["bias"], bias, file);
    } else if (!bias.empty()) {
      warn(file, "the " + names_where(part, [](const auto& p) { return p.of == "bias"; }) +
                     " of the part are left out: a contact has its law alone");
    }
    read_.uses.push_back(
        {file, name == "model" ? "" : name.substr(name.find('.') + 1), part.domain});
  }

  // The parameters of a machine that its part names.
  void expand_machine(const Entry& entry) {
    const std::string file = words(entry.value);
    const Part part = read(file, entry.where);
    if (part.kind != "machine")
      throw InputError(entry.where + ": part = \"" + shown(file) +
                       "\" is that of a law: write it into [model] or into the law of a contact");
    for (const auto& [path, value] : part.values("machine")) {
      const auto [name, field] = split_path(path);
      const auto section = sections_.find(name);
      if (section == sections_.end())
        throw InputError(entry.where + ": part = \"" + shown(file) +
                         "\" is of another machine: " + "there is no " + shown(name) + " here");
      section->second[field] = {value, file};
    }
    doubt(part, file);
    read_.uses.push_back({file, "", part.domain});
  }

 private:
  Part read(const std::string& file, const std::string& where) {
    const std::filesystem::path given(file);
    if (file.empty()) throw InputError(where + ": part must name a file");
    const std::string from =
        given.is_absolute() ? file : (std::filesystem::path(path_).parent_path() / given).string();
    std::string& text = read_.attachments[file];
    if (text.empty()) text = read_text(from);
    return parse_part(text, from);
  }

  static void fill(Section& section, const Values& values, const std::string& file) {
    for (const auto& [key, value] : values) section.emplace(key, Entry{value, file});
  }

  static void fill_system(Section& section, const Part& part, const std::string& file) {
    const std::string name = text_of(section, "name", part.system);
    if (name != part.system)
      throw InputError(section.at("name").where + ": name = \"" + shown(name) +
                       "\" is another operator than that of part = \"" + shown(file) + "\", " +
                       part.system);
    section["name"] = {part.system, file};
    fill(section, part.values("system"), file);
  }

  void fill_mechanism(Section& section, const Part& part, const std::string& file,
                      const std::string& where) {
    const std::string name = text_of(section, "name", part.mechanism);
    if (part.mechanism.empty() || name != part.mechanism)
      throw InputError(where + ": part = \"" + shown(file) + "\" " +
                       (part.mechanism.empty()
                            ? "has no mechanism"
                            : "has the mechanism " + part.mechanism + ", not " + shown(name)));
    section["name"] = {part.mechanism, file};
    fill(section, part.values("mechanism"), file);
  }

  void warn(const std::string& file, const std::string& sentence) {
    std::string all = file + ": " + sentence;
    if (std::find(read_.warnings.begin(), read_.warnings.end(), all) == read_.warnings.end())
      read_.warnings.push_back(std::move(all));
  }

  // Says where the columns of a part are, and whether its data have been there.
  void meet_conditions(const Part& part, const std::string& file) {
    for (const PartDependence& d : part.depends) {
      if (std::find(columns_.begin(), columns_.end(), d.column) != columns_.end()) continue;
      columns_.push_back(d.column);
      const std::string unit = d.unit.empty() ? "" : " " + d.unit;
      const auto given = at_.find(d.column);
      if (given == at_.end()) {
        warn(file, fmt::format("its parameters depend on {}, taken at {:g}{}: [conditions] with {} "
                               "= NUMBER says where it is",
                               d.column, d.reference, unit, d.column));
        continue;
      }
      if (const PartRange* seen = part.range(d.column);
          seen && (given->second < seen->from || given->second > seen->to))
        warn(file, fmt::format("{} is {:g}{}, the data of the part cover {:g} to {:g}{}", d.column,
                               given->second, unit, seen->from, seen->to, unit));
    }
  }

  void doubt(const Part& part, const std::string& file) {
    if (!part.unusable.empty()) warn(file, "this part must not be used: " + part.unusable);
    const std::string open =
        names_where(part, [](const auto& p) { return p.fitted && !p.determined; });
    if (!open.empty()) warn(file, "the data of the part do not determine " + open);
    const std::string terms = names_where(part, [](const auto& p) { return p.of == "terms"; });
    if (!terms.empty())
      warn(file,
           "the part was fitted with mechanics beside its law, which do not act here: " + terms);
  }

  Sections& sections_;
  const std::string& path_;
  PartsRead& read_;
  Conditions at_;                     // as given
  std::vector<std::string> columns_;  // that parts depend on
};

// The largest speed of a contact, or of the body of a case.
double fastest(const Case& c, const CaseResult& r, const std::string& contact) {
  std::vector<std::string> names{contact.empty() ? "velocity" : contact + ".velocity"};
  if (!contact.empty()) names = {names[0], names[0] + "_1", names[0] + "_2"};
  std::vector<double> squares;
  for (const auto& name : names) {
    const auto* held = held_column(c, r, name);
    const auto own = held || !contact.empty() ? std::vector<double>{} : column(c, r, name);
    const auto& values = held ? *held : own;
    squares.resize(std::max(squares.size(), values.size()), 0.0);
    for (std::size_t i = 0; i < values.size(); ++i) squares[i] += values[i] * values[i];
  }
  return squares.empty() ? 0.0 : std::sqrt(*std::max_element(squares.begin(), squares.end()));
}

// The load of a contact, NaN where it is no constant.
double constant_load(const Case& c, const std::string& contact) {
  const MachineParts& parts = c.machine->parts();
  for (const auto& one : parts.loads)
    if (one.on == contact) return NAN;
  for (const auto& one : parts.contacts)
    if (one.name == contact && one.load_from.empty()) return one.settings.load;
  return NAN;
}

}  // namespace

void expand_machine_part(Sections& sections, const Entry& part, const std::string& path,
                         PartsRead& into) {
  PartExpansion(sections, path, into).expand_machine(part);
}

void expand_parts(Sections& sections, const std::string& path, PartsRead& into) {
  PartExpansion expansion(sections, path, into);
  std::vector<std::string> names;
  for (const auto& [name, section] : sections) names.push_back(name);
  for (const auto& name : names) expansion.expand(name, sections.at(name));
  expansion.finish();
}

std::vector<std::string> beyond_domain(const Case& c, const CaseResult& r) {
  std::vector<std::string> all;
  const bool simulated =
      c.kind == CaseKind::run || c.kind == CaseKind::machine || c.kind == CaseKind::steady;
  for (const PartUse& use : c.parts) {
    const std::string who = (c.label.empty() ? "" : c.label + ": ") + use.file +
                            (use.contact.empty() ? "" : " on " + use.contact) + ": ";
    for (const PartRange& seen : use.domain) {
      // Of a fitted machine: positions and velocities of its bodies.
      if (const auto* reached = held_column(c, r, seen.quantity);
          c.kind == CaseKind::machine && use.contact.empty()) {
        if (!reached || reached->empty()) continue;
        const auto [least, most] = std::minmax_element(reached->begin(), reached->end());
        const double margin = 1e-6 * (seen.to - seen.from);
        if (*least < seen.from - margin || *most > seen.to + margin)
          all.push_back(fmt::format(
              "{}{} goes from {:.4g} to {:.4g} {}, the data of the part cover "
              "{:.4g} to {:.4g} {}",
              who, seen.quantity, *least, *most, seen.unit, seen.from, seen.to, seen.unit));
        continue;
      }
      if (seen.quantity == "speed" && simulated) {
        const double most = fastest(c, r, use.contact);
        if (most > seen.to * (1.0 + 1e-6))
          all.push_back(
              fmt::format("{}the speed reaches {:.4g} {}, the data of the part cover "
                          "at most {:.4g} {}",
                          who, most, seen.unit, seen.to, seen.unit));
      }
      if (seen.quantity != "load" || !simulated) continue;
      const double load = use.contact.empty() ? load_of(c) : constant_load(c, use.contact);
      if (load < seen.from * (1.0 - 1e-6) || load > seen.to * (1.0 + 1e-6))
        all.push_back(
            fmt::format("{}the load is {:.4g} N, the data of the part cover {:.4g} "
                        "to {:.4g} N",
                        who, load, seen.from, seen.to));
    }
  }
  return all;
}

}  // namespace bristle::io
