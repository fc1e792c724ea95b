// SPDX-License-Identifier: MIT
// What a run leaves behind for programs.
#include <nlohmann/json.hpp>
#include <set>

#include "bristle/io/csv.hpp"
#include "bristle/io/fact_counts.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/io/verdict_json.hpp"
#include "bristle/version.hpp"
#include "case_names.hpp"
#include "machine_tables.hpp"

namespace bristle::io {
namespace {

// Names that differ by capitals alone are one file on some systems.
std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return text;
}

// A file name from a label: letters, digits, dots and dashes. "events" in front is kept for the
// events of cases, and no other result has a name of these letters alone.
std::string slug(const std::string& label, std::size_t index) {
  std::string s;
  for (const char ch : label) {
    const bool letter =
        (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    if (letter || (ch == '.' && !s.empty())) s += ch;
    else if (!s.empty() && s.back() != '-') s += '-';
    if (s.size() >= 80) break;
  }
  while (!s.empty() && s.back() == '-') s.pop_back();
  if (s.empty()) return "case" + std::to_string(index + 1);
  return lower(s).starts_with("events") ? "case-" + s : s;
}

// The seed of the random part of a law, if it has one.
std::optional<double> seed_of(const AnyLaw& law) {
  const Values values = law.values();
  const auto size = values.find("roughness"), seed = values.find("roughness_seed");
  if (size == values.end() || seed == values.end()) return std::nullopt;
  const double* const drawn = std::get_if<double>(&size->second);
  if (!drawn || !(*drawn > 0.0)) return std::nullopt;
  return std::get<double>(seed->second);
}

}  // namespace

std::vector<std::string> file_names(const Experiment& experiment) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    std::string name = experiment.cases.size() == 1 && experiment.cases[0].label.empty()
                           ? "trajectory"
                           : slug(experiment.cases[i].label, i);
    const std::string wanted = name;
    for (std::size_t n = i + 1; !taken.insert(lower(name)).second; ++n)
      name = wanted + "-" + std::to_string(n);
    names.push_back(name + ".csv");
  }
  return names;
}

std::string summary_json(const Experiment& experiment, const ExperimentResult& result,
                         const WriteOptions& options) {
  using nlohmann::ordered_json;
  ordered_json j;
  j["experiment"] = experiment.key;
  j["title"] = experiment.title;
  if (!experiment.document.empty()) j["document"] = experiment.document;
  if (!experiment.figure.empty()) j["figure"] = experiment.figure;
  std::vector<std::string> warnings = experiment.warnings;
  warnings.insert(warnings.end(), result.warnings.begin(), result.warnings.end());
  if (!warnings.empty()) j["warnings"] = warnings;
  const auto files = file_names(experiment);
  ordered_json inputs = ordered_json::array(), seed = nullptr;
  j["cases"] = ordered_json::array();
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    const bool machine = c.kind == CaseKind::machine;
    const Summary& s = machine ? result.cases[i].machine.summary : result.cases[i].run.summary;
    ordered_json one;
    one["label"] = c.label;
    one["file"] = files[i];
    for (const auto& [section, values] : c.sections)
      for (const auto& [key, value] : values)
        std::visit([&into = one["settings"][section][key]](const auto& v) { into = v; }, value);
    ordered_json parameters;
    for (const auto& [key, value] : c.values())
      std::visit([&into = parameters[key]](const auto& v) { into = v; }, value);
    one[c.subject()] = {{"name", c.description().name}, {"parameters", parameters}};
    inputs.push_back({one[c.subject()], one.value("settings", ordered_json::object())});
    for (const PartUse& use : c.parts) {
      one["parts"].push_back({{"file", utf8(use.file)}});
      if (!use.contact.empty()) one["parts"].back()["contact"] = use.contact;
    }
    for (const auto& [name, text] : c.attachments) inputs.push_back({name, fingerprint(text)});
    if (c.kind == CaseKind::run)
      if (const auto drawn = seed_of(*c.law)) seed = *drawn;
    if (c.kind == CaseKind::system) {
      const SystemResponse& r = result.cases[i].response;
      one["status"] = words(r.status);
      one["message"] = r.message;
      one["method"] = r.method;
      one["steps"] = r.steps;
      one["rejected"] = r.rejected;
      one["evaluations"] = r.evaluations;
      if (r.points > 0.0) one["points"] = r.points;
      if (r.error_estimate >= 0.0) one["error_estimate"] = r.error_estimate;
      one["seconds"] = r.seconds;
    }
    if (machine) one["contacts"] = contacts_json(c, result.cases[i]);
    if (c.kind == CaseKind::run || machine) {
      one["status"] = words(s.status);
      one["message"] = s.message;
      one["method"] = s.method;
      one["steps"] = s.counts.steps;
      one["rejected"] = s.counts.rejected;
      one["events"] = s.counts.events;
      one["evaluations"] = s.evaluations;
      one["error_estimate"] = s.error_estimate;
      if (s.global_error >= 0.0) one["global_error"] = s.global_error;
      one["seconds"] = s.seconds;
      const Ledger& l = s.ledger;
      one["ledger"] = {{"work_in", l.work_in},
                       {"friction_work", l.friction_work},
                       {"dissipated", l.dissipated},
                       {"stored_change", l.stored_change},
                       {"closing_error", l.closing_error},
                       {"relative_error", l.relative_error},
                       {"closes", l.closes}};
    }
    ordered_json quantities;
    for (const auto& name : quantity_names()) {
      // Not what needs a time or a number to be asked with, and not what takes many runs.
      static const std::set<std::string> with_argument{
          "position", "velocity", "force",        "state",  "acceleration",         "stretch",
          "height",   "output",   "steady_force", "second", "largest_resting_speed"};
      if (c.kind == CaseKind::steady || c.kind == CaseKind::bode || with_argument.contains(name) ||
          is_map_quantity(name))
        continue;
      const Measured m = measure(c, result.cases[i], name);
      if (const auto* number = std::get_if<double>(&m)) quantities[name] = *number;
      else if (const auto* word = std::get_if<std::string>(&m)) quantities[name] = *word;
    }
    if (!quantities.empty()) one["quantities"] = quantities;
    j["cases"].push_back(std::move(one));
  }
  j["expectations"] = ordered_json::array();
  for (const auto& v : result.verdicts) j["expectations"].push_back(as_json(v));
  FactCounts counts;
  counts.add(result.verdicts);
  j["counts"] = as_json(counts);
  j["provenance"] = {{"bristle", version},
                     {"compiler", compiler},
                     {"build", build_type},
                     {"command", options.command},
                     {"seed", seed},
                     {"fingerprint", fingerprint(std::string(version) + compiler + inputs.dump())}};
  // Names of files may be in any encoding, JSON may not.
  return j.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace bristle::io
