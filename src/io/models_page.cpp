// SPDX-License-Identifier: MIT
#include "bristle/io/models_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bristle/analysis/law_traits.hpp"
#include "bristle/analysis/steady.hpp"
#include "bristle/ensemble/parallel.hpp"
#include "bristle/io/figure_data.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/solve/simulate.hpp"
#include "bristle/system/registry.hpp"
#include "bristle/version.hpp"
#include "gallery_parts.hpp"
#include "html.hpp"
#include "page.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

// An answer in a cell: whether it is a yes, and in words with a number.
ordered_json cell(bool yes, const std::string& words) { return {{"yes", yes}, {"words", words}}; }

ordered_json answers(const LawTraits& t) {
  ordered_json a;
  a["at rest"] = t.rests_exactly() ? cell(true, "exactly at rest")
                 : t.rests()       ? cell(true, "comes to rest")
                 : t.held_speed    ? cell(false, fmt::format("moves at {:.1e} m/s", *t.held_speed))
                                   : cell(false, "unknown");
  a["Stribeck"] =
      t.stribeck() ? cell(true, fmt::format("falls {:.0f} %, half of it by {:.2g} m/s",
                                            100.0 * t.fall, t.fall_speed))
      : t.falls_with_height()
          ? cell(true, fmt::format("as the body rises (correlation {:.2f})", t.with_height))
          : cell(false, "does not fall");
  a["force by position"] = cell(t.by_position, t.by_position ? "yes" : "no");
  a["presliding"] = std::isinf(t.stiffness) ? cell(false, "rigid")
                    : t.stiffness > 0.0     ? cell(true, fmt::format("{:.3g} N/m", t.stiffness))
                                            : cell(false, "no force at first");
  a["drift"] = !t.drift ? cell(false, "unknown")
               : t.deflection > 0.0
                   ? cell(!t.drifts(), fmt::format("{:.2g} deflections", *t.drift / t.deflection))
                   : cell(*t.drift == 0.0, fmt::format("{:.2g} m", *t.drift));
  a["stick-slip"] = t.stick_slip ? cell(*t.stick_slip != StickSlip::none,
                                        std::string(bristle::words(*t.stick_slip)))
                                 : cell(false, "unknown");
  const auto answer = [](Answer x) {
    return cell(x == Answer::yes, std::string(bristle::words(x)));
  };
  a["hysteretic"] = answer(t.map.hysteretic);
  a["rate dependent"] = answer(t.map.rate_dependent);
  a["memory"] = cell(t.map.local_memory == Answer::no, std::string(memory_words(t.map)));
  a["continuity"] =
      t.continuity ? cell(t.continuity->lipschitz(), std::string(bristle::words(*t.continuity)))
                   : cell(false, "unknown");
  const std::string how = t.passivity.searched ? " (search)" : "";
  a["passive"] = t.passivity.kind == Certificate::always ? cell(true, "always" + how)
                 : t.passivity.kind == Certificate::below
                     ? cell(false, fmt::format("below {:.3g} m/s", t.passivity.speed) + how)
                     : cell(false, "no" + how);
  return a;
}

ordered_json fields_json(const Description& d) {
  ordered_json fields = ordered_json::array();
  for (const auto& f : d.fields)
    fields.push_back({{"name", f.name},
                      {"unit", f.unit},
                      {"meaning", f.meaning},
                      {"default", f.default_text()},
                      {"allowed", f.allowed()},
                      {"usual", f.usual_text()}});
  return fields;
}

ordered_json entry_of(const Description& d, const char* kind) {
  const auto& comments = page::header_comments();
  const auto at = comments.find(d.name);
  return {{"name", d.name},
          {"kind", kind},
          {"summary", d.summary},
          {"equations", at == comments.end() ? std::string() : std::string(at->second)},
          {"fields", fields_json(d)}};
}

// Steady force over velocity, and force over displacement, back and forth.
ordered_json figures_of(const AnyLaw& law, const LawTraits& t) {
  ordered_json all = ordered_json::array();
  const double top = t.stribeck() ? 8.0 * t.fall_speed : 0.01;
  const SteadyCurve steady = steady_curve(law, -top, top, 401);
  Plot plot{"steady", "Steady force", "velocity v [m/s]", "friction force F [N]", "", "", {}};
  plot.lines.push_back(
      {.label = std::string(law.name()), .xs = steady.velocity, .ys = steady.force});
  all.push_back(figure_data(plot));
  if (law.lift()) return all;
  // Out and back twice, so that the start is forgotten.
  PrescribedMotion motion;
  motion.signal.amplitude = t.deflection > 0.0 ? 5.0 * t.deflection
                            : law.remembers()  ? 3.0
                            : law.single()     ? 0.4837
                                               : 0.01;
  motion.signal.frequency = (t.stribeck() ? t.fall_speed : 1e-2) / motion.signal.amplitude;
  Options o;
  o.end = 4.0 * std::numbers::pi / motion.signal.frequency;
  o.record_from = 0.5 * o.end;
  o.samples = 3001.0;
  // A figure of a page is not worth more.
  if (!law.single()) o.step_limit = 2e5;
  const Simulation run = simulate(law, motion, o);
  if (!run.summary.ok()) return all;
  plot.name = "loop";
  plot.title = "Force over displacement, back and forth";
  plot.x_label = "displacement x [m]";
  plot.lines[0].xs = run.trajectory.position;
  plot.lines[0].ys = run.trajectory.force;
  all.push_back(figure_data(plot));
  return all;
}

ordered_json law_entry(const LawEntry& entry) {
  ordered_json j = entry_of(entry.description, "law");
  const auto law = entry.make({});
  LawTraits t;
  if (entry.single) {
    t = law_traits(law);
    j["answers"] = answers(t);
  } else {
    // The questions are not put to laws with several states yet, and there is no curve or loop of a
    // law that acts in the plane only.
    t.deflection = law->state_scale();
    if (!law->block(1)) return j;
  }
  j["figures"] = figures_of(*law, t);
  return j;
}

std::string comparison(const ordered_json& entries) {
  std::string head, rows;
  for (const auto& e : entries) {
    if (!e.contains("answers")) continue;
    const std::string name = escaped(e.at("name").get<std::string>());
    if (head.empty())
      for (const auto& [title, unused] : e.at("answers").items()) head += "<th>" + escaped(title);
    rows += "<tr><th scope=\"row\"><a href=\"#" + name + "\">" + name + "</a>";
    for (const auto& [title, a] : e.at("answers").items())
      rows += "<td data-l=\"" + escaped(title) + "\" class=\"" +
              (a.at("yes").get<bool>() ? "yes" : "no") + "\">" +
              escaped(a.at("words").get<std::string>());
    rows += "</tr>\n";
  }
  return "<div class=\"wide\"><table id=\"comparison\"><thead><tr><th>law" + head +
         "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

// The laws that are not in the comparison, with links to their sections.
std::string not_compared(const ordered_json& entries) {
  std::string names;
  for (const auto& e : entries) {
    if (e.at("kind") != "law" || e.contains("answers")) continue;
    const std::string name = escaped(e.at("name").get<std::string>());
    names += (names.empty() ? "" : ", ") + ("<a href=\"#" + name + "\">" + name + "</a>");
  }
  if (names.empty()) return "";
  return "<p class=\"small soft\">The comparison holds laws with one state or none. Other laws "
         "(with several states, in the plane, regularised) are described below: " +
         names + ".</p>\n";
}

std::string model_section(const ordered_json& e,
                          const std::map<std::string, std::vector<std::string>>& used) {
  const std::string name = e.at("name");
  // A law and a system may have one name.
  const auto known = laws();
  const bool second =
      e.at("kind") == "system" && std::any_of(known.begin(), known.end(), [&](const LawEntry& law) {
        return law.description.name == name;
      });
  std::string h = "<section class=\"card\" id=\"" + escaped(name) + (second ? "_system" : "") +
                  "\"><h2>" + escaped(name) + (second ? " (system)" : "") + "</h2><p>" +
                  escaped(e.at("summary").get<std::string>()) + "</p>\n";
  if (const auto at = used.find(name); at != used.end()) {
    h += "<p class=\"small\">Experiments: ";
    for (std::size_t i = 0; i < at->second.size(); ++i)
      h += (i ? ", " : "") + ("<a href=\"pages/" + escaped(at->second[i])) + ".html\">" +
           escaped(at->second[i]) + "</a>";
    h += "</p>\n";
  }
  if (const std::string text = e.at("equations"); !text.empty())
    h += "<pre>" + escaped(text) + "</pre>\n";
  if (e.contains("figures")) {
    h += "<div class=\"figures\">";
    for (const auto& f : e.at("figures"))
      h += "<figure class=\"plot\"><figcaption>" + escaped(f.at("title").get<std::string>()) +
           "</figcaption><script type=\"application/json\">" + inside_script(f.dump()) +
           "</script></figure>\n";
    h += "</div>\n";
  }
  h += "<div class=\"wide\"><table class=\"cards\"><thead><tr><th>parameter<th>unit<th>default"
       "<th>allowed<th>meaning</tr></thead><tbody>\n";
  for (const auto& f : e.at("fields")) {
    const auto text = [&](const char* key) { return escaped(f.at(key).get<std::string>()); };
    h += "<tr><td><code>" + text("name") + "</code><td data-l=\"unit\">" + text("unit") +
         "<td class=\"n\" data-l=\"default\">" + text("default") + "<td data-l=\"allowed\">" +
         text("allowed") + (text("usual").empty() ? "" : ", " + text("usual")) + "<td>" +
         text("meaning") + "</tr>\n";
  }
  return h + "</tbody></table></div></section>\n";
}

}  // namespace

ordered_json model_entries() {
  std::vector<ordered_json> made(laws().size());
  in_parallel(made.size(), available_threads(),
              [&](std::uint64_t i) { made[i] = law_entry(laws()[i]); });
  ordered_json all = ordered_json::array();
  for (auto& one : made) all.push_back(std::move(one));
  for (const auto& entry : systems()) all.push_back(entry_of(entry.description, "system"));
  return all;
}

std::string models_html(const ordered_json& entries,
                        const std::map<std::string, std::vector<std::string>>& used) {
  std::string h = page_head("Bristle: models compared");
  h +=
      "<header class=\"top\"><h1>Models compared</h1><p>What each friction law shows and what it "
      "does not, found out by running it with its default parameters at a load of 1 N. Nothing "
      "in the table is written by hand.</p>" +
      page_navigation(
          "<a href=\"index.html\">The documents, reproduced</a>"
          "<a href=\"#systems\">Systems</a>") +
      "</header>\n<main id=\"main\">\n<section class=\"card\"><h2>Laws</h2>" + comparison(entries) +
      "<p class=\"small soft\"><b>At rest</b>: the speed left while half the break-away force is "
      "held for 100 s. <b>Stribeck</b>: the fall of the steady force over speed. "
      "<b>Presliding</b>: force over displacement at a hundredth of the break-away deflection. "
      "<b>Drift</b>: the way of twenty waves between zero and half the break-away force; green is "
      "none. <b>Stick-slip</b>: of a mass dragged by a soft spring. <b>Hysteretic</b>, <b>rate</b> "
      "and <b>memory</b>: of displacement to force by the definitions of the thesis, 1.1; unknown "
      "where a map does not close. <b>Continuity</b>: of the rate of the state over the state, or "
      "of "
      "the force over the velocity where there is no state. <b>Passive</b>: with the stored energy "
      "of the bristles.</p>" +
      not_compared(entries) + "</section>\n";
  bool systems_begun = false;
  for (const auto& e : entries) {
    if (e.at("kind") == "system" && !systems_begun) {
      h += "<h2 id=\"systems\">Systems with an input and an output</h2>\n";
      systems_begun = true;
    }
    h += model_section(e, used);
  }
  h += fmt::format(
      "</main>\n<footer class=\"soft small\"><p>bristle {}, {}, {} build</p></footer>\n", version,
      escaped(compiler), build_type);
  return h + "<script>" + std::string(page::figure_js) + "</script>\n<script>" +
         std::string(page::gallery_js) + "</script>\n</body></html>\n";
}

}  // namespace bristle::io
