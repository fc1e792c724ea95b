// SPDX-License-Identifier: MIT
// Experiment files, what is set beside them, models as files, and the list of figures.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/model_file.hpp"
#include "bristle/io/overrides.hpp"
#include "bristle/io/part.hpp"
#include "bristle/io/runner.hpp"
#include "entries.hpp"

namespace bristle::fuzz {
namespace {

// What an [input] may name as its file.
void write_samples() {
  static const bool once = [] {
    scratch().write("samples.csv", "time [s],value [mm]\n0,0\n0.5,2\n1,-1\n2,3\n");
    return true;
  }();
  (void)once;
}

// So short that a run takes milliseconds.
void shorten(io::Case& c) {
  Options& o = c.options;
  o.samples = std::min(o.samples, 40.0);
  o.step_limit = std::min(o.step_limit, 200.0);
  if (o.method == Options::coupled || o.method == Options::bristle_only)
    o.end = std::min(o.end, 200.0 * o.step);
  if (!(o.record_from < o.end)) o.record_from = 0.0;
  c.steady.points = std::min(c.steady.points, 20.0);
  c.bode.points = std::min(c.bode.points, 20.0);
  c.surface.points = std::min(c.surface.points, 20.0);
  c.surface.draws = std::min(c.surface.draws, 3.0);
}

// Runs what was read and makes all that is said about it.
void run_shortened(io::Experiment& e) {
  if (e.cases.size() > 4) return;
  for (auto& c : e.cases) shorten(c);
  int calls = 0;
  io::ExperimentResult result;
  try {
    result = io::run_experiment(e, [&](double) { return ++calls < 50; });
  } catch (const io::Interrupted&) {
    return;
  }
  require(result.cases.size() == e.cases.size(), "every case has a result");
  const std::string summary = io::summary_json(e, result, {.command = "bristle run x.toml"});
  require(nlohmann::json::accept(summary), "the summary of a run is JSON");
  const std::string page =
      io::gallery_html({{io::make_section(e, result, {}, "mark")}, {}, "", {}});
  require(io::utf8(page) == page, "a page is UTF-8");
}

void require_same(const Values& a, const Values& b, const std::string& what) {
  require(a == b, what + " that is written to a file reads back the same");
}

// Writes a system as the program does and reads it again.
void write_and_read(const SystemModel& model) {
  const std::string text = io::model_text(model, "Written", -1.0, 1.0);
  const io::Experiment again = io::read_experiment(scratch().write("again.toml", text));
  require(again.cases.size() == 1 && again.cases[0].system, "a written system is a system");
  require(again.cases[0].system->name() == model.name, "a written system keeps its name");
  const Values values = again.cases[0].system->values();
  for (const auto& [key, value] : model.values)
    require(values.contains(key) && values.at(key) == value,
            "the field " + key + " of a written system reads back the same");
}

constexpr std::array bases{
    std::pair{"run",
              "[model]\nname = \"lugre\"\n[mechanism]\nname = \"wall_spring_mass\"\n"
              "[solve]\nend = 1.0\nmethod = \"cvode\"\n[expect]\n"
              "a = { quantity = \"max_velocity\", at_most = 9.0 }\n"},
    std::pair{"oscillator",
              "[model]\nname = \"hysteretic_static\"\n[mechanism]\nname = "
              "\"base_excited_mass\"\n[input]\namplitude = 0.01\n"},
    std::pair{"planar",
              "[[body]]\nname = \"x\"\n[[body]]\nname = \"y\"\n[[contact]]\nname = \"pad\"\non = "
              "[\"x\", \"y\"]\nlaw = \"planar_reset\"\n"},
    std::pair{"steady", "[model]\nname = \"stribeck\"\n[steady]\n[bias]\noffset = 0.1\n"},
    std::pair{"system", "[system]\nname = \"multiplay\"\n[input]\n[map]\n"},
    std::pair{"curve", "[curve]\n[map]\n[unfold]\n"},
    std::pair{"wheel", "[model]\nname = \"frbd\"\n[mechanism]\nname = \"braked_wheel\"\n"}};

}  // namespace

void experiment(std::string_view input) {
  write_samples();
  const std::string path = scratch().write("x.toml", input);
  accepts([&] {
    const io::Experiment e = io::read_experiment(path);
    require(!e.cases.empty(), "an experiment has a case");
    for (const auto& c : e.cases) {
      (void)c.description();
      (void)c.values();
    }
  });
}

void run(std::string_view input) {
  write_samples();
  const std::string path = scratch().write("x.toml", input);
  accepts([&] {
    io::Experiment e = io::read_experiment(path);
    run_shortened(e);
  });
}

void setting(std::string_view input) {
  write_samples();
  const std::string_view name = first_line(input).first;
  std::string_view lines = first_line(input).second;
  std::string base = bases.front().second;
  for (const auto& [key, text] : bases)
    if (key == name) base = text;
  const std::string path = scratch().write("base.toml", base);
  accepts([&] {
    std::vector<io::Setting> settings;
    while (!lines.empty()) {
      const auto [line, rest] = first_line(lines);
      // An argument of a program ends at a byte of value 0.
      settings.push_back(io::parse_setting(std::string(line.substr(0, line.find('\0')))));
      lines = rest;
    }
    const io::Experiment e = io::read_experiment(path, settings);
    for (const auto& s : settings) (void)io::other_texts(e, s.section, s.field, s.value);
  });
}

void model(std::string_view input) {
  write_samples();
  const std::string path = scratch().write("model.toml", input);
  io::Experiment e;
  if (!accepts([&] { e = io::read_experiment(path); })) return;
  for (const auto& c : e.cases) {
    if (c.law)
      require_same(make_law(c.law->name(), c.law->values())->values(), c.law->values(), "a law");
    if (c.kind != io::CaseKind::system || c.law) continue;
    require_same(make_system(c.system->name(), c.system->values())->values(), c.system->values(),
                 "a system");
    write_and_read({std::string(c.system->name()), c.system->values(), ""});
    SystemModel back;
    if (accepts([&] { back = c.system->inverse(); })) write_and_read(back);
  }
}

void part(std::string_view input) {
  io::Part p;
  if (!accepts([&] { p = io::parse_part(std::string(input), "p.toml"); })) return;
  const std::string text = io::part_text(p);
  const io::Part again = io::parse_part(text, "p.toml");
  require(io::part_text(again) == text, "a part that is written reads back the same");
  require(again.parameters == p.parameters && again.covariance == p.covariance,
          "every number of a part reads back the same");
  io::PartRandom random(1);
  const auto drawn = p.draw(random);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const io::PartParameter& one = p.parameters[i];
    require(std::isfinite(drawn[i]), "what is drawn is finite");
    require(!one.above.empty() || !one.fitted || (drawn[i] >= one.least && drawn[i] <= one.most),
            "what is drawn is within its bounds");
  }
}

void figures(std::string_view input) {
  scratch().write("documents/figures.toml", input);
  accepts([&] {
    for (const auto& figure : io::listed_figures(scratch().root()))
      require(!figure.document.empty() && !figure.item.empty(), "a figure has a name");
  });
  // The number of a figure is free text.
  io::Experiment e;
  e.document = "T: a document";
  e.figure = std::string(input);
  for (const auto& name : io::covered(e)) require(name.starts_with("T "), "a name has a document");
}

}  // namespace bristle::fuzz
