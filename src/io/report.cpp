// SPDX-License-Identifier: MIT
#include "bristle/io/report.hpp"

#include <fmt/format.h>

#include "bristle/io/fact_counts.hpp"
#include "bristle/version.hpp"
#include "html.hpp"

namespace bristle::io {
namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--ink:#222;--soft:#667;--line:#ddd;--good:#1c7c43;--bad:#b3261e;--page:#fff}
@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--soft:#9aa;--line:#444;--good:#6fce95;--bad:#ff8a80;--page:#181a1b}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin-bottom:.2rem}.soft{color:var(--soft)}figure{margin:1.5rem 0}
figure svg{width:100%;height:auto;border-radius:6px}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.9rem;margin:1rem 0}
td,th{border-bottom:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
.good{color:var(--good)}.bad{color:var(--bad)}code{font-size:.85em}
)";

// The SVG alone, without the XML head that only files need.
std::string inlined(const std::string& svg) {
  const auto at = svg.find("<svg");
  return at == std::string::npos ? "" : svg.substr(at);
}

}  // namespace

std::string report_html(const Experiment& experiment, const ExperimentResult& result,
                        const std::vector<std::string>& pictures, const std::string& command) {
  std::string h =
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>" +
      escaped(experiment.title) + "</title><style>" + std::string(style) +
      "</style></head><body>\n";
  h += "<h1>" + escaped(experiment.title) + "</h1>\n";
  if (!experiment.document.empty())
    h += "<p class=soft>" + escaped(experiment.document) + ", " + escaped(experiment.figure) +
         "</p>\n";
  if (!experiment.note.empty()) h += "<p>" + escaped(experiment.note) + "</p>\n";
  for (const auto& svg : pictures)
    if (!svg.empty()) h += "<figure>" + inlined(svg) + "</figure>\n";

  if (!result.verdicts.empty()) {
    h += "<h2>Facts</h2><div "
         "class=wide><table><tr><th>case<th>quantity<th>kind<th>reference<th>tolerance<th>ours<th>"
         "verdict<th>source</tr>\n";
    for (const auto& v : result.verdicts)
      h += fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{}{}<td>{}<td class={}>{}<td>{}{}</tr>\n",
                       escaped(v.label), escaped(v.key), info(v.kind).words,
                       escaped(v.reference_in_unit()), escaped(v.tolerance),
                       v.why.empty() ? "" : ": " + escaped(v.why), escaped(v.ours),
                       v.met() ? "good" : "bad", v.verdict(), escaped(v.source),
                       (v.choice.empty() ? "" : "<br>chosen: " + escaped(v.choice)) +
                           (v.differs.empty() ? "" : "<br>why: " + escaped(v.differs)));
    h += "</table></div>\n";
    FactCounts counts;
    counts.add(result.verdicts);
    h += "<p class=soft>";
    for (const auto& kind : fact_kinds)
      if (const KindCounts& k = counts[kind.kind]; k.total() > 0)
        h += fmt::format("{} {}, {} of them met. ", k.total(),
                         k.total() == 1 ? kind.words : kind.plural, k.met + k.with_choice);
    h += "</p>\n";
  }

  h += "<h2>Runs</h2>\n";
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    if (!c.label.empty()) h += "<h3>" + escaped(c.label) + "</h3>\n";
    if (const std::string said = result.cases[i].message(c); !said.empty())
      h += "<p>" + escaped(said) + "</p>\n";
    h += "<div class=wide><table><tr><th>field<th>value<th>unit<th>meaning</tr>\n";
    const Description subject = c.description();
    const Values values = c.values();
    for (const auto& field : subject.fields) {
      h += "<tr><td>" + subject.name + "." + field.name + "<td>" +
           bristle::words(values.at(field.name)) + "<td>" + escaped(field.unit) + "<td>" +
           escaped(field.meaning) + "</tr>\n";
    }
    for (const auto& [section, given] : c.sections) {
      if (section == c.subject()) continue;
      for (const auto& [key, value] : given)
        h += "<tr><td>" + section + "." + key + "<td>" + escaped(bristle::words(value)) +
             "<td><td></tr>\n";
    }
    h += "</table></div>\n";
  }
  h += "<p class=soft>bristle " + std::string(version);
  if (!command.empty()) h += ", <code>" + escaped(command) + "</code>";
  return h + "</p></body></html>\n";
}

}  // namespace bristle::io
