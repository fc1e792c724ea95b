// SPDX-License-Identifier: MIT
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "bristle/io/figure_data.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/kept.hpp"
#include "bristle/io/verdict_json.hpp"
#include "bristle/version.hpp"
#include "case_names.hpp"
#include "section_fields.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

// Changes whenever what gallery.json holds changes its form.
constexpr int section_form = 3;

void add_once(ordered_json& list, const std::string& word) {
  if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end())
    list.push_back(word);
}

std::string method_of(const Case& c, const CaseResult& r) {
  switch (c.kind) {
    case CaseKind::run: return r.run.summary.method;
    case CaseKind::machine: return r.machine.summary.method;
    case CaseKind::system: return r.response.method;
    case CaseKind::steady:
    case CaseKind::bode:
    case CaseKind::curve: return "closed form";
    case CaseKind::surface: return "random draws";
  }
  return "";
}

// The fields of the cases side by side: one value where all agree, else one for each case.
ordered_json parameters(const std::vector<const Case*>& cases) {
  struct Row {
    FieldInfo info;
    std::vector<std::string> values;
  };
  std::vector<std::string> order;
  std::map<std::string, Row> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = *cases[i];
    const auto put = [&](const std::string& section, const std::string& field,
                         const std::string& value, const FieldInfo& info) {
      const std::string name = section.empty() ? field : section + "." + field;
      if (rows.try_emplace(name, Row{info, std::vector<std::string>(cases.size())}).second)
        order.push_back(name);
      rows[name].values[i] = value;
    };
    const Description subject = c.description();
    const Values values = c.values();
    put(c.subject(), "name", subject.name, {.name = "name", .meaning = subject.summary});
    // The parameters of a machine have whole names.
    const std::string owner = c.kind == CaseKind::machine ? "" : c.subject();
    for (const auto& field : subject.fields)
      if (is_shown(c, field, values.at(field.name)))
        put(owner, field.name, bristle::words(values.at(field.name)), field);
    for (const auto& [section, given] : c.sections)
      if (section != c.subject() && !is_part_of_machine(c, section))
        for (const auto& [field, value] : given)
          put(section, field, bristle::words(value), field_of(c, section, field));
  }
  ordered_json all = ordered_json::array();
  for (const auto& name : order) {
    Row& row = rows[name];
    if (std::all_of(row.values.begin(), row.values.end(),
                    [&](const auto& v) { return v == row.values.front(); }))
      row.values.resize(1);
    all.push_back({{"name", name},
                   {"unit", row.info.unit},
                   {"meaning", row.info.meaning},
                   {"values", row.values}});
  }
  return all;
}

ordered_json head(const std::string& key, const Experiment& e) {
  return {
      {"form", section_form},   {"key", key},         {"title", e.title.empty() ? key : e.title},
      {"document", e.document}, {"figure", e.figure}, {"note", e.note},
      {"covers", covered(e)}};
}

// The worse the larger.
int badness(Outcome outcome) {
  switch (outcome) {
    case Outcome::met: return 0;
    case Outcome::met_with_choice: return 1;
    case Outcome::undefined: return 2;
    case Outcome::missed: break;
  }
  return 3;
}

}  // namespace

std::string stamp(const Experiment& experiment, const std::string& program,
                  const std::string& settings) {
  std::string all = std::string(version) + "\n" + compiler + "\n" + build_type + "\n" + program +
                    "\n" + settings + "\n" + experiment.text;
  for (const auto& c : experiment.cases)
    for (const auto& [name, text] : c.attachments) all += "\n" + name + "\n" + fingerprint(text);
  // Whatever stands in quotes and is a file counts, whichever section reads it.
  const fs::path folder = fs::path(experiment.path).parent_path();
  const std::string& text = experiment.text;
  for (std::size_t from = text.find('"'); from != std::string::npos;) {
    const std::size_t to = text.find('"', from + 1);
    if (to == std::string::npos) break;
    const std::string word = text.substr(from + 1, to - from - 1);
    std::error_code none;
    if (!word.empty() && word.size() < 200 && fs::is_regular_file(folder / word, none))
      all += "\n" + word + "\n" + fingerprint(read_text((folder / word).string()));
    from = text.find('"', to + 1);
  }
  return fingerprint(all);
}

GallerySection make_section(const Experiment& experiment, const ExperimentResult& result,
                            const std::vector<Plot>& plots, const std::string& stamp) {
  GallerySection s;
  s.verdicts = result.verdicts;
  s.content = head(experiment.key, experiment);
  s.content["stamp"] = stamp;
  s.content["seconds"] = result.seconds;
  ordered_json models = ordered_json::array(), methods = models, labels = models, files = models;
  std::map<std::string, std::pair<std::string, std::vector<double>>> sweeps;
  std::vector<const Case*> shown;
  double ledger = -1.0;
  const auto names = file_names(experiment);
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    const CaseResult& r = result.cases[i];
    if (c.kind == CaseKind::machine)
      for (const auto& contact : c.machine->parts().contacts)
        add_once(models, std::string(contact.law->name()));
    else add_once(models, c.law ? std::string(c.law->name()) : c.description().name);
    add_once(methods, method_of(c, r));
    if (c.kind == CaseKind::run) ledger = std::max(ledger, r.run.summary.ledger.relative_error);
    if (c.kind == CaseKind::machine)
      ledger = std::max(ledger, r.machine.summary.ledger.relative_error);
    if (!c.sweep.empty()) {
      auto& [field, values] = sweeps[c.sweep];
      field = c.swept + bracketed_unit_of(c, c.swept);
      values.push_back(c.swept_value);
      continue;
    }
    shown.push_back(&c);
    labels.push_back(c.label);
    files.push_back(names[i]);
  }
  if (shown.empty()) shown.push_back(&experiment.cases.front()), labels.push_back("");
  s.content["models"] = models;
  s.content["methods"] = methods;
  s.content["ledger_error"] = ledger < 0.0 ? ordered_json(nullptr) : ordered_json(ledger);
  s.content["verdict"] = overall(result.verdicts);
  s.content["facts"] = ordered_json::array();
  for (const auto& v : result.verdicts) s.content["facts"].push_back(as_json(v));
  s.content["cases"] = labels;
  s.content["parameters"] = parameters(shown);
  s.content["sweeps"] = ordered_json::array();
  for (const auto& [name, sweep] : sweeps)
    s.content["sweeps"].push_back(
        {{"name", name}, {"field", sweep.first}, {"values", sweep.second}});
  s.content["figures"] = ordered_json::array();
  for (const auto& plot : plots) {
    s.content["figures"].push_back(figure_data(plot));
    for (const auto& line : plot.lines) add_once(files, line.file);
  }
  s.content["files"] = files;
  return s;
}

GallerySection failed_section(const std::string& key, const Experiment& experiment,
                              const std::string& error) {
  GallerySection s;
  s.content = head(key, experiment);
  s.content["error"] = error;
  s.content["seconds"] = 0.0;
  s.content["ledger_error"] = nullptr;
  s.content["verdict"] = "";
  for (const char* list :
       {"models", "methods", "facts", "cases", "parameters", "sweeps", "figures", "files"})
    s.content[list] = ordered_json::array();
  return s;
}

std::optional<GallerySection> stored_section(const std::string& directory,
                                             const std::string& stamp) {
  const std::string path = directory + "/" + std::string(section_name);
  std::error_code none;
  if (!fs::is_regular_file(path, none)) return {};
  try {
    auto kept = unsealed(read_text(path));
    if (!kept) return {};
    GallerySection s{std::move(*kept), {}};
    if (s.content.value("form", 0) != section_form || s.text("stamp") != stamp) return {};
    for (const auto& fact : s.content.at("facts")) {
      s.verdicts.push_back(verdict_from(fact));
      s.verdicts.back().experiment = s.content.at("key");
      s.verdicts.back().document = s.content.at("document");
      s.verdicts.back().figure = s.content.at("figure");
    }
    return s;
  } catch (const std::exception&) {
    return {};  // damaged: it is made again
  }
}

const Verdict* headline(const std::vector<Verdict>& verdicts) {
  const auto worst =
      std::max_element(verdicts.begin(), verdicts.end(), [](const Verdict& a, const Verdict& b) {
        const int x = badness(a.outcome), y = badness(b.outcome);
        return x != y ? x < y : a.kind > b.kind;
      });
  return worst == verdicts.end() ? nullptr : &*worst;
}

std::string overall(const std::vector<Verdict>& verdicts) {
  const Verdict* main = headline(verdicts);
  return main ? main->verdict() : "";
}

FactCounts count(const std::vector<GallerySection>& sections) {
  FactCounts c;
  for (const auto& s : sections) c.add(s.verdicts);
  return c;
}

}  // namespace bristle::io
