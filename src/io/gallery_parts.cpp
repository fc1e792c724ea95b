// SPDX-License-Identifier: MIT
#include "gallery_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "html.hpp"
#include "page.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

std::string sentence_case(std::string_view text) {
  std::string words(text);
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = char(words[0] - 'a' + 'A');
  return words;
}

// The values of curves with marks, as a table to unfold.
std::string value_table(const ordered_json& figure) {
  std::string rows;
  for (const auto& curve : figure.at("curves"))
    if (curve.contains("values"))
      for (const auto& v : curve.at("values"))
        rows += fmt::format("<tr><td>{}<td class=\"n\">{:.6g}<td class=\"n\">{}</tr>",
                            escaped(curve.at("label").get<std::string>()), v[0].get<double>(),
                            v[1].is_null() ? "" : fmt::format("{:.6g}", v[1].get<double>()));
  if (rows.empty()) return "";
  return "<details class=\"small\"><summary>Values</summary><table><thead><tr><th>sweep<th>" +
         escaped(figure.at("x").get<std::string>()) + "<th>" +
         escaped(figure.at("y").get<std::string>()) + "</tr></thead><tbody>" + rows +
         "</tbody></table></details>";
}

std::string figures(const GallerySection& s) {
  if (s.content.at("figures").empty()) return "";
  const std::string key = escaped(s.text("key"));
  std::string h = "<div class=\"figures\">\n";
  for (const auto& f : s.content.at("figures")) {
    const std::string name = escaped(f.at("name").get<std::string>());
    h += "<figure class=\"plot\"><figcaption>" + escaped(f.at("title").get<std::string>()) +
         "</figcaption><script type=\"application/json\">" + inside_script(f.dump()) +
         "</script><noscript><a href=\"../" + key + "/" + name + ".png\">" +
         escaped(f.at("alt").get<std::string>()) + "</a></noscript>" + value_table(f) +
         "</figure>\n";
  }
  return h + "</div>\n";
}

// The name of a fact as people write it, with its case.
std::string claim_name(const Verdict& v) {
  std::string name = v.key;
  for (char& c : name)
    if (c == '_') c = ' ';
  return escaped(name) +
         (v.label.empty() ? "" : " <span class=\"soft\">(" + escaped(v.label) + ")</span>");
}

// One table, its rows in groups by kind.
std::string facts(const GallerySection& s) {
  if (s.verdicts.empty()) return "";
  std::string h =
      "<h3>Facts</h3><div class=\"wide\"><table class=\"cards facts\"><thead><tr>"
      "<th>claim<th>reference<th>tolerance<th>ours<th>verdict<th>source<th>reading</tr></thead>\n";
  for (const auto& info : fact_kinds) {
    std::string rows;
    for (const auto& v : s.verdicts) {
      if (v.kind != info.kind) continue;
      rows += "<tr><td class=\"claim\" data-l=\"claim\">" + claim_name(v) +
              "<td class=\"n\" data-l=\"reference\">" + escaped(v.reference_in_unit()) +
              "<td class=\"n\" data-l=\"tolerance\">" + escaped(v.tolerance) +
              (v.why.empty() ? "" : "<br><small class=\"soft\">" + escaped(v.why) + "</small>") +
              "<td class=\"n\" data-l=\"ours\">" + escaped(v.ours) + "<td>" + chip(&v) +
              "<td data-l=\"source\">" + escaped(v.source) + "<td data-l=\"reading\">" +
              escaped(reading(v)) + "</tr>\n";
    }
    if (rows.empty()) continue;
    h += "<tbody><tr class=\"kind\"><th colspan=\"7\" scope=\"rowgroup\">" +
         escaped(sentence_case(info.words)) + " <span class=\"soft\">" + escaped(info.meaning) +
         "</span></tr>\n" + rows + "</tbody>\n";
  }
  return h + "</table></div>\n";
}

// A text as a sentence: a capital and a full stop.
std::string sentence(const std::string& text) {
  const std::string words = sentence_case(text);
  return words.empty() || words.back() == '.' ? words : words + ".";
}

// The differences in words: what is not reproduced and why, and what was chosen.
std::string differences(const GallerySection& s) {
  std::string items;
  std::set<std::string> said;
  for (const auto& v : s.verdicts)
    if (v.outcome == Outcome::missed)
      items += "<li><b class=\"missed\">" + escaped(sentence_case(v.verdict())) +
               "</b>: " + escaped(v.source) + ": " + escaped(v.reference_in_unit()) + ", ours is " +
               escaped(v.ours) + (v.label.empty() ? "" : " (" + escaped(v.label) + ")") + ". " +
               (v.differs.empty() ? "The reason is not known." : escaped(sentence(v.differs))) +
               "</li>\n";
  for (const auto& v : s.verdicts)
    if (!v.choice.empty() && v.met() && v.choice != "as above" && said.insert(v.choice).second)
      items += "<li><b class=\"choice\">Stated choice</b>: " + escaped(v.choice) + "</li>\n";
  const bool said_by_a_document =
      std::any_of(s.verdicts.begin(), s.verdicts.end(),
                  [](const Verdict& v) { return v.kind == FactKind::document; });
  if (items.empty())
    return said_by_a_document ? "<p class=\"small soft\">As printed: nothing chosen, nothing "
                                "corrected, no differences.</p>\n"
                              : "";
  return "<ul class=\"words small\">\n" + items + "</ul>\n";
}

std::string parameter_table(const GallerySection& s) {
  const auto& rows = s.content.at("parameters");
  if (rows.empty()) return "";
  const auto& cases = s.content.at("cases");
  const std::size_t count = cases.size();
  std::string same, varied;
  for (const auto& row : rows) {
    const std::string name = "<td><code>" + escaped(row.at("name").get<std::string>()) + "</code>";
    const std::string unit = escaped(row.at("unit").get<std::string>());
    const auto& values = row.at("values");
    if (values.size() == 1) {
      same += "<tr>" + name + "<td class=\"n\">" + escaped(values[0].get<std::string>()) + "<td>" +
              unit + "<td>" + escaped(row.at("meaning").get<std::string>()) + "</tr>\n";
      continue;
    }
    varied += "<tr>" + name + "<td>" + unit;
    for (const auto& value : values)
      varied += "<td class=\"n\">" + escaped(value.get<std::string>());
    varied += "</tr>\n";
  }
  std::string h = "<details><summary>Parameters</summary>";
  if (!varied.empty() && count > 1) {
    h += "<div class=\"wide\"><table><caption>What differs between the cases</caption><thead><tr>"
         "<th>field<th>unit";
    for (const auto& label : cases) h += "<th>" + escaped(label.get<std::string>());
    h += "</tr></thead><tbody>" + varied + "</tbody></table></div>";
  }
  for (const auto& sweep : s.content.at("sweeps")) {
    const auto& values = sweep.at("values");
    h += fmt::format(
        "<p class=\"small\">Swept ({}): <code>{}</code>, {} values from {:.6g} to {:.6g}</p>",
        escaped(sweep.at("name").get<std::string>()), escaped(sweep.at("field").get<std::string>()),
        values.size(), values.front().get<double>(), values.back().get<double>());
  }
  return h + "<div class=\"wide\"><table><caption>" +
         (varied.empty() ? "All fields" : "The same in all cases") +
         "</caption><thead><tr><th>field<th>value<th>unit<th>meaning</tr></thead><tbody>" + same +
         "</tbody></table></div></details>\n";
}

// What lies in the folder of the results. Without its tables the command makes them.
std::string files(const GallerySection& s) {
  const std::string key = s.text("key"), folder = "../" + escaped(key) + "/";
  const bool tables = !s.content.at("files").empty();
  std::string h =
      "<h3>Command and data</h3><pre><code>bristle reproduce " + escaped(key) +
      " --out out</code> <button type=\"button\" class=\"copy more\">copy</button></pre>"
      "<p class=\"small\">" +
      (tables ? "" : "The command writes the tables of all samples as CSV. Here are: ") +
      "<a href=\"" + folder + "report.html\">report</a>, <a href=\"" + folder +
      "experiment.toml\">experiment.toml</a>";
  for (const auto& name : s.content.at("files")) {
    const std::string file = escaped(name.get<std::string>());
    h += ", <a href=\"" + folder + file + "\" download>" + file + "</a>";
  }
  for (const auto& f : s.content.at("figures")) {
    if (!s.content.value("drawn", true)) break;
    const std::string name = escaped(f.at("name").get<std::string>());
    h += ", <a href=\"" + folder + name + ".png\">" + name + ".png</a>";
  }
  return h + "</p>\n";
}

}  // namespace

OutcomeLook outcome_look(Outcome outcome) {
  switch (outcome) {
    case Outcome::met: return {"reproduced", "✓"};
    case Outcome::met_with_choice: return {"choice", "◐"};
    case Outcome::missed: return {"missed", "✗"};
    case Outcome::undefined: break;
  }
  return {"undefined", "–"};
}

std::string chip(const Verdict* verdict) {
  if (!verdict) return "<span class=\"chip undefined\">·&nbsp;no verdict</span>";
  const auto look = outcome_look(verdict->outcome);
  return "<span class=\"chip " + look.style + "\">" + look.mark + "&nbsp;" +
         escaped(verdict->verdict()) + "</span>";
}

std::string page_head(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><title>" +
         escaped(title) + "</title><link rel=\"icon\" href=\"data:,\"><style>" +
         std::string(page::gallery_css) +
         "</style></head><body>\n<a class=\"skip\" "
         "href=\"#main\">To the content</a>\n";
}

std::string page_navigation(const std::string& links) {
  return "<nav class=\"pages\">" + links +
         "<button type=\"button\" id=\"scheme\">Dark</button></nav>\n";
}

std::string short_source(const ordered_json& section) {
  const std::string document = section.at("document"), figure = section.at("figure");
  return document.size() > 1 && document[1] == ':' ? document.substr(0, 1) + " " + figure : figure;
}

std::string listed(const ordered_json& words) {
  std::string all;
  for (const auto& word : words)
    all += (all.empty() ? "" : ", ") + escaped(word.get<std::string>());
  return all;
}

std::string reading(const Verdict& v) {
  if (!v.differs.empty()) return v.verdict() + ": " + v.differs;
  const bool corrected = v.source.find("corrected") != std::string::npos ||
                         v.choice.find("corrected") != std::string::npos;
  if (corrected) return "corrected" + (v.choice.empty() ? "" : ": " + v.choice);
  if (!v.choice.empty()) return "chosen: " + v.choice;
  return v.kind == FactKind::document ? "as printed" : "";
}

std::string claim_cells(const Verdict& v) {
  const auto colon = v.source.find(": ");
  return "<td class=\"claim\" data-l=\"claim\">" + claim_name(v) + "<br><small class=\"soft\">" +
         escaped(info(v.kind).words) +
         (colon != std::string::npos ? ": " + escaped(v.source.substr(colon + 2)) : "") +
         "</small><td class=\"n\" data-l=\"reference\">" + escaped(v.reference_in_unit()) +
         "<br><small class=\"soft\">" + escaped(v.tolerance) +
         "</small><td class=\"n\" data-l=\"ours\">" + escaped(v.ours) + "<td>" + chip(&v);
}

std::string filter_words(const Verdict& v) {
  return std::string(info(v.kind).key) + ":" + v.verdict();
}

std::string filter_attributes(const GallerySection& s) {
  std::set<std::string> verdicts;
  std::string words = s.text("title") + " " + s.text("document") + " " + s.text("figure") + " " +
                      s.text("note") + " " + listed(s.content.at("models"));
  for (const auto& v : s.verdicts) {
    verdicts.insert(filter_words(v));
    words += " " + v.key + " " + v.reference + " " + v.differs;
  }
  for (const auto& name : s.content.at("covers")) words += " " + name.get<std::string>();
  std::string all, models;
  for (const auto& v : verdicts) all += (all.empty() ? "" : "|") + v;
  for (const auto& m : s.content.at("models"))
    models += (models.empty() ? "" : " ") + m.get<std::string>();
  return " data-document=\"" + escaped(s.text("document")) + "\" data-models=\"" + escaped(models) +
         "\" data-facts=\"" + escaped(all) + "\" data-words=\"" + escaped(words) + "\"";
}

Covering covering_of(const std::vector<GallerySection>& sections) {
  Covering covering;
  for (const auto& s : sections)
    for (const auto& name : s.content.at("covers"))
      covering[name.get<std::string>()].push_back(s.text("key"));
  return covering;
}

std::string section_html(const GallerySection& s, const Covering& covering) {
  const std::string key = s.text("key");
  std::set<std::string> related;
  for (const auto& name : s.content.at("covers"))
    if (const auto at = covering.find(name.get<std::string>()); at != covering.end())
      for (const auto& other : at->second)
        if (other != key) related.insert(other);
  std::string h = "<section class=\"experiment\" id=\"" + escaped(key) + "\" aria-label=\"" +
                  escaped(s.text("title")) + "\">\n";
  h += "<p class=\"soft small\">" + escaped(s.text("document")) +
       (s.text("figure").empty() ? "" : ", " + escaped(s.text("figure"))) + " · <code>" +
       escaped(key) + "</code> · " + chip(headline(s.verdicts)) + "</p>\n";
  if (!s.text("error").empty()) h += "<p class=\"error\">" + escaped(s.text("error")) + "</p>\n";
  if (!s.text("note").empty()) h += "<p>" + escaped(s.text("note")) + "</p>\n";
  if (!related.empty()) {
    h += "<p class=\"small\">See also: ";
    bool first = true;
    for (const auto& other : related) {
      h += (first ? "" : ", ") + ("<a href=\"" + escaped(other)) + ".html\">" + escaped(other) +
           "</a>";
      first = false;
    }
    h += "</p>\n";
  }
  return h + figures(s) + differences(s) + facts(s) + parameter_table(s) + files(s) +
         "</section>\n";
}

}  // namespace bristle::io
