// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "bristle/io/gallery.hpp"
#include "bristle/version.hpp"
#include "gallery_parts.hpp"
#include "html.hpp"
#include "page.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

using Choices = std::vector<std::pair<std::string, std::string>>;  // value and words

std::string select(const std::string& name, const std::string& all, const Choices& choices) {
  std::string h = "<select name=\"" + name + "\" aria-label=\"" + name + "\"><option value=\"\">" +
                  all + "</option>";
  for (const auto& [value, words] : choices)
    h += "<option value=\"" + escaped(value) + "\">" + escaped(words) + "</option>";
  return h + "</select>";
}

constexpr std::array outcomes{Outcome::met, Outcome::met_with_choice, Outcome::missed,
                              Outcome::undefined};

// The verdicts there can be, each once.
Choices verdict_choices() {
  Choices all;
  for (const auto& info : fact_kinds)
    for (const Outcome outcome : outcomes) {
      const std::string word(verdict_words(info.kind, outcome));
      if (std::none_of(all.begin(), all.end(), [&](const auto& c) { return c.first == word; }))
        all.emplace_back(word, word);
    }
  return all;
}

// One card for each kind of fact: how many, and a button for each verdict that occurs.
std::string tiles(const GalleryPage& page) {
  const FactCounts counts = count(page.sections);
  double seconds = 0.0;
  for (const auto& s : page.sections) seconds += s.content.at("seconds").get<double>();
  std::string h = "<ul class=\"counts\">";
  for (const auto& info : fact_kinds) {
    const KindCounts& k = counts[info.kind];
    h += fmt::format(
        "<li><h2>{}</h2><b>{}</b><p class=\"soft small\">{}</p><div class=\"verdicts\">",
        info.plural, k.total(), info.meaning);
    for (const Outcome outcome : outcomes) {
      if (k.of(outcome) == 0) continue;
      const auto look = outcome_look(outcome);
      const std::string word(verdict_words(info.kind, outcome));
      h += fmt::format(
          "<button type=\"button\" data-kind=\"{}\" data-pick=\"{}\" title=\"Show these\">"
          "<span class=\"{}\">{}</span> {}{}<b>{}</b></button>",
          info.key, word, look.style, look.mark, word,
          outcome == Outcome::missed && k.explained == k.missed ? ", explained" : "",
          k.of(outcome));
    }
    h += "</div></li>";
  }
  return h + fmt::format(
                 "</ul>\n<p class=\"soft\">{} facts in {} experiments, {:.0f} s of computing. Only "
                 "what a document says can be reproduced; the other kinds are references to agree "
                 "with, and our own checks. Every table gives the tolerance.</p>\n",
                 counts.total(), page.sections.size(), seconds);
}

std::string filter(const GalleryPage& page) {
  std::map<std::string, std::string> documents, models;
  for (const auto& s : page.sections) {
    const std::string document = s.text("document");
    if (!document.empty()) documents[document] = shortened(document, 40);
    for (const auto& model : s.content.at("models"))
      models[model.get<std::string>()] = model.get<std::string>();
  }
  Choices kinds;
  for (const auto& info : fact_kinds) kinds.emplace_back(info.key, info.plural);
  return "<form id=\"filter\" role=\"search\" aria-label=\"Filter the experiments\">"
         "<input type=\"search\" name=\"search\" placeholder=\"Search\" "
         "aria-label=\"Search titles, figures, models and facts\">" +
         select("document", "all documents", {documents.begin(), documents.end()}) +
         select("model", "all models", {models.begin(), models.end()}) +
         select("kind", "all kinds of facts", kinds) +
         select("verdict", "all verdicts", verdict_choices()) +
         "<button type=\"reset\">Reset</button>"
         "<span id=\"matches\" class=\"soft small\" aria-live=\"polite\"></span></form>\n";
}

// One group of rows for each experiment: the fact that stands for it, then the others.
std::string summary(const GalleryPage& page) {
  std::string h =
      "<section class=\"card\" aria-labelledby=\"summary-title\"><h2 "
      "id=\"summary-title\">All verdicts</h2>"
      "<p class=\"soft small\">One row per experiment, with the fact that decides its verdict. "
      "<button type=\"button\" id=\"unfold\" class=\"more\" aria-pressed=\"false\">show every "
      "fact</button></p><div class=\"wide\"><table id=\"summary\" class=\"cards\"><thead><tr>"
      "<th>experiment<th>claim<th>reference,<br>tolerance<th>ours<th>verdict<th>method<th>time "
      "[s]<th>ledger error</tr></thead>\n";
  for (const auto& s : page.sections) {
    const std::string key = escaped(s.text("key"));
    const Verdict* main = headline(s.verdicts);
    h += "<tbody id=\"row-" + key + "\"><tr><td class=\"name\"><a href=\"pages/" + key +
         ".html\">" + escaped(s.text("title")) + "</a><small>" + key +
         (s.text("figure").empty() ? "" : ", " + escaped(short_source(s.content))) + "</small>";
    const std::string cells = fmt::format(
        "<td class=\"m\" data-l=\"method\">{}<td class=\"n m\" data-l=\"time\">{:.2f}<td "
        "class=\"n\" "
        "data-l=\"ledger error\">{}</tr>\n",
        listed(s.content.at("methods")), s.content.at("seconds").get<double>(),
        s.content.at("ledger_error").is_null()
            ? ""
            : fmt::format("{:.1e}", s.content.at("ledger_error").get<double>()));
    if (!s.text("error").empty()) {
      h += "<td colspan=\"3\" class=\"missed\">failed: " + escaped(s.text("error")) +
           "<td><span class=\"chip missed\">failed</span>" + cells + "</tbody>\n";
      continue;
    }
    if (!main) {
      h += "<td>no fact to compare with<td><td><td>" + cells + "</tbody>\n";
      continue;
    }
    h += claim_cells(*main);
    if (s.verdicts.size() > 1)
      h += fmt::format(
          "<button type=\"button\" class=\"more\" aria-expanded=\"false\" aria-controls=\"row-{}\" "
          "aria-label=\"All facts of {}\">{} facts</button>",
          key, key, s.verdicts.size());
    h += cells;
    for (const auto& v : s.verdicts) {
      if (&v == main) continue;
      h += "<tr class=\"claim\" data-fact=\"" + filter_words(v) + "\"><td>" + claim_cells(v) +
           "<td><td><td></tr>\n";
    }
    h += "</tbody>\n";
  }
  return h + "</table></div></section>\n";
}

// Every figure and table of the documents: where it is, or why there is nothing to reproduce.
std::string figure_index(const GalleryPage& page) {
  if (page.figures.empty()) return "";
  std::map<std::string, std::vector<const GallerySection*>> covering;
  for (const auto& s : page.sections)
    for (const auto& name : s.content.at("covers")) covering[name.get<std::string>()].push_back(&s);
  std::vector<std::string> letters;
  for (const auto& f : page.figures)
    if (std::find(letters.begin(), letters.end(), f.document) == letters.end())
      letters.push_back(f.document);
  std::string h =
      "<section class=\"card\" id=\"figures\" aria-labelledby=\"figures-title\"><h2 "
      "id=\"figures-title\">Figures and tables of the documents</h2>\n";
  for (const auto& letter : letters) {
    std::string items, title = letter;
    long there = 0, total = 0;
    for (const auto& s : page.sections)
      if (s.text("document").starts_with(letter + ":")) title = s.text("document");
    for (const auto& f : page.figures) {
      if (f.document != letter) continue;
      std::string where;
      if (const auto at = covering.find(f.name()); at != covering.end())
        for (const GallerySection* s : at->second) {
          const Verdict* main = headline(s->verdicts);
          const auto look = outcome_look(main ? main->outcome : Outcome::undefined);
          where += (where.empty() ? "" : ", ") + ("<a href=\"pages/" + escaped(s->text("key"))) +
                   ".html\">" + escaped(s->text("key")) + "</a> <span class=\"" + look.style +
                   "\" title=\"" + overall(s->verdicts) + "\">" + look.mark + "</span>";
        }
      const bool data = f.no_data.empty();
      total += data;
      there += data && !where.empty();
      if (where.empty())
        where = data
                    ? "<span class=\"soft\">not yet covered</span>"
                    : "<span class=\"no\">no data in the figure: " + escaped(f.no_data) + "</span>";
      else if (!data) where += " <span class=\"no\">(" + escaped(f.no_data) + ")</span>";
      items +=
          "<li><b>" + escaped(f.item) + "</b> " + escaped(f.caption) + "<br>" + where + "</li>\n";
    }
    h += "<details" + std::string(letter == letters.front() ? " open" : "") + "><summary>" +
         escaped(title) +
         fmt::format(" <span class=\"soft\">{} of {} with data</span>", there, total) +
         "</summary><ul class=\"index\">\n" + items + "</ul></details>\n";
  }
  return h + "</section>\n";
}

// One card with a small picture for each experiment.
// What the letters in front of the figures stand for: "T: hysteresis and bristle models".
std::string letters(const GalleryPage& page) {
  std::set<std::string> documents;
  for (const auto& s : page.sections)
    if (const std::string name = s.text("document"); name.size() > 2 && name[1] == ':')
      documents.insert(name);
  std::string listed;
  for (const auto& name : documents) listed += (listed.empty() ? "" : "; ") + escaped(name);
  return listed.empty()
             ? ""
             : "<p class=\"soft small\">The letter in front of a figure names its document. " +
                   listed + ".</p>";
}

std::string overview(const GalleryPage& page) {
  std::string h = "<ul class=\"overview\" aria-label=\"Experiments\">\n";
  for (const auto& s : page.sections) {
    const std::string key = escaped(s.text("key"));
    std::string picture;
    for (const auto& figure : s.content.at("figures"))
      if (picture.empty()) picture = thumbnail(figure);
    h += "<li class=\"experiment\" id=\"" + key + "\"" + filter_attributes(s) +
         "><a href=\"pages/" + key + ".html\">" +
         (picture.empty() ? "<span class=\"empty\">no figure</span>" : picture) + "<b>" +
         escaped(s.text("title")) + "</b></a><small>" +
         (s.text("figure").empty() ? key : escaped(short_source(s.content))) + "</small>" +
         (s.text("error").empty() ? chip(headline(s.verdicts))
                                  : std::string("<span class=\"chip missed\">failed</span>")) +
         "</li>\n";
  }
  return h + "</ul>\n<p id=\"none\" hidden>No experiment matches.</p>\n";
}

// By document as the list of figures has them, what has none last.
void sort_by_document(GalleryPage& page) {
  std::vector<std::string> letters;
  for (const auto& f : page.figures)
    if (std::find(letters.begin(), letters.end(), f.document) == letters.end())
      letters.push_back(f.document);
  const auto rank = [&](const GallerySection& s) {
    const std::string document = s.text("document");
    const bool lettered = document.size() > 1 && document[1] == ':';
    return std::find(letters.begin(), letters.end(), lettered ? document.substr(0, 1) : "?") -
           letters.begin();
  };
  std::stable_sort(
      page.sections.begin(), page.sections.end(),
      [&](const GallerySection& a, const GallerySection& b) { return rank(a) < rank(b); });
}

std::string page_foot(const GalleryPage& page) {
  return fmt::format(
             "</main>\n<footer class=\"soft small\"><p>bristle {}, {}, {} build. Made by "
             "<code>{}</code>.</p></footer>\n",
             version, escaped(compiler), build_type, escaped(page.command)) +
         "<script>" + std::string(page::figure_js) + "</script>\n<script>" +
         std::string(page::gallery_js) + "</script>\n</body></html>\n";
}

// The experiments before and after.
std::string neighbours(const GalleryPage& page, std::size_t i) {
  std::string h = "<a href=\"../index.html\">All experiments</a>";
  const auto link = [&](std::size_t other, const char* words) {
    h += "<a href=\"" + escaped(page.sections[other].text("key")) + ".html\" title=\"" +
         escaped(page.sections[other].text("title")) + "\">" + words + "</a>";
  };
  if (i > 0) link(i - 1, "← previous");
  if (i + 1 < page.sections.size()) link(i + 1, "next →");
  return h;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> experiment_pages(const GalleryPage& given) {
  GalleryPage page = given;
  sort_by_document(page);
  const Covering covering = covering_of(page.sections);
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < page.sections.size(); ++i) {
    const GallerySection& s = page.sections[i];
    const std::string title = s.text("title");
    all.emplace_back(s.text("key"), page_head("Bristle: " + title) + "<header class=\"top\">" +
                                        page_navigation(neighbours(page, i)) + "<h1>" +
                                        escaped(title) + "</h1></header>\n<main id=\"main\">\n" +
                                        section_html(s, covering) + page_foot(page));
  }
  return all;
}

std::string gallery_html(const GalleryPage& given) {
  GalleryPage page = given;
  sort_by_document(page);
  return page_head("Bristle: the documents reproduced") +
         "<header class=\"top\"><h1>The documents, reproduced</h1><p>Every figure and table of "
         "five "
         "documents on friction and hysteresis, computed again: the published values, the computed "
         "ones, and "
         "the reason where they differ.</p>" +
         letters(page) +
         page_navigation(
             std::string(page.models ? "<a href=\"models.html\">Models compared</a>" : "") +
             "<a href=\"#summary-title\">All verdicts</a>"
             "<a href=\"#figures\">Index by figure</a>" +
             (page.models ? "<a href=\"reproduce.json\">JSON</a>" : "")) +
         tiles(page) + "</header>\n<main id=\"main\">\n" + filter(page) + overview(page) +
         summary(page) + figure_index(page) + page_foot(page);
}

}  // namespace bristle::io
