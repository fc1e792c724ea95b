// SPDX-License-Identifier: MIT
#include "bristle/io/report.hpp"

#include <fmt/format.h>

#include "bristle/io/fact_counts.hpp"
#include "html.hpp"
#include "report_parts.hpp"
#include "section_fields.hpp"

namespace bristle::io {
namespace {

// What is shown of every run, as a table; empty where nothing of it is defined.
std::string quantities(const Case& c, const CaseResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& name : main_quantities()) {
    const Measured value = measure(c, result, name);
    if (std::holds_alternative<std::monostate>(value)) continue;
    const QuantityWords* about = quantity_words(name);
    rows.push_back({escaped(name), escaped(words(value)),
                    about ? escaped(std::string(about->unit)) : "",
                    about ? escaped(std::string(about->meaning)) : ""});
  }
  return rows.empty() ? "" : table("<th>quantity<th>value<th>unit<th>meaning", rows);
}

}  // namespace

std::string report_html(const Experiment& experiment, const ExperimentResult& result,
                        const std::vector<Plot>& plots, const std::string& command) {
  std::string h = opening(experiment.title);
  if (!experiment.document.empty())
    h += "<p class=soft>" + escaped(experiment.document) + ", " + escaped(experiment.figure) +
         "</p>\n";
  if (!experiment.note.empty()) h += "<p>" + escaped(experiment.note) + "</p>\n";
  if (!plots.empty()) h += "<div class=\"figures\">\n";
  for (const Plot& plot : plots) h += figure(plot);
  if (!plots.empty()) h += "</div>\n";

  if (!result.verdicts.empty()) {
    h += "<h2>Facts</h2><div "
         "class=wide><table><tr><th>case<th>quantity<th>kind<th>reference<th>tolerance<th>ours<th>"
         "verdict<th>source</tr>\n";
    for (const auto& v : result.verdicts)
      h += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{}{}<td>{}<td class={}>{}<td>{}{}</tr>\n",
                       escaped(v.label), escaped(v.key), info(v.kind).words,
                       escaped(v.reference_in_unit()), escaped(v.tolerance),
                       v.why.empty() ? "" : ": " + escaped(v.why), escaped(v.ours),
                       v.met() ? "reproduced" : "missed", escaped(v.verdict()), escaped(v.source),
                       (v.choice.empty() ? "" : "<br>chosen: " + escaped(v.choice)) +
                           (v.differs.empty() ? "" : "<br>why: " + escaped(v.differs)));
    h += "</table></div>\n";
    FactCounts counts;
    counts.add(result.verdicts);
    h += "<p class=soft>";
    for (const auto& kind : fact_kinds)
      if (const KindCounts& k = counts[kind.kind]; k.total() > 0)
        h += fmt::format("{} {}, {} of them reproduced or passed. ", k.total(),
                         k.total() == 1 ? kind.words : kind.plural, k.met + k.with_choice);
    h += "</p>\n";
  }

  h += "<h2>Runs</h2>\n";
  for (const auto* all : {&experiment.warnings, &result.warnings})
    for (const auto& warning : *all) h += "<p>Warning: " + escaped(warning) + "</p>\n";
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    if (!c.label.empty()) h += "<h3>" + escaped(c.label) + "</h3>\n";
    if (const std::string said = result.cases[i].message(c); !said.empty())
      h += "<p>" + escaped(said) + "</p>\n";
    h += quantities(c, result.cases[i]);
    std::vector<std::vector<std::string>> rows;
    const Description subject = c.description();
    const Values values = c.values();
    for (const auto& field : subject.fields) {
      if (!is_shown(c, field, values.at(field.name))) continue;
      // The parameters of a machine have whole names.
      const std::string owner = c.kind == CaseKind::machine ? "" : escaped(subject.name) + ".";
      rows.push_back({owner + escaped(field.name), escaped(bristle::words(values.at(field.name))),
                      escaped(field.unit), escaped(field.meaning)});
    }
    for (const auto& [section, given] : c.sections) {
      if (section == c.subject() || is_part_of_machine(c, section)) continue;
      for (const auto& [key, value] : given)
        rows.push_back({escaped(section) + "." + escaped(key), escaped(bristle::words(value)),
                        escaped(unit_of(c, section + "." + key)),
                        escaped(field_of(c, section, key).meaning)});
    }
    h += table("<th>field<th>value<th>unit<th>meaning", rows);
  }
  return h + closing(command);
}

}  // namespace bristle::io
