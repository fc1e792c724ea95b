// SPDX-License-Identifier: MIT
// What the command says of itself: help, models, completion.
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test::help_test {
namespace {

// Every command, as the help lists them.
const Words& commands() {
  static const Words all = [] {
    std::istringstream help(Bench().bristle({"--help"}).out);
    Words found;
    bool inside = false;
    for (std::string line; std::getline(help, line);) {
      if (inside && line.empty()) break;
      if (inside) found.push_back(line.substr(2, line.find(' ', 2) - 2));
      inside = inside || line == "Subcommands:";
    }
    return found;
  }();
  return all;
}

// Each law has a page of its name.
Words law_names() {
  Words found;
  for (const auto& page :
       std::filesystem::directory_iterator(std::string(BRISTLE_DOCS) + "/models"))
    found.push_back(page.path().stem().string());
  return found;
}

TEST(Help, ShowsWhereToStartAndEveryCommand) {
  const Bench bench;
  const Outcome help = bench.bristle({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_PRED2(contains, help.out, "bristle models");
  EXPECT_PRED2(contains, help.out, "bristle run ");
  EXPECT_GE(commands().size(), 17u);
  for (const char* command : {"run", "fit", "models", "sweep", "reproduce"})
    EXPECT_NE(std::find(commands().begin(), commands().end(), command), commands().end())
        << command;
}

TEST(Help, DocumentsEveryExitCode) {
  const Outcome help = Bench().bristle({"--help"});
  EXPECT_PRED2(contains, help.out, "Exit codes:");
  for (const char* code : {"\n  0 ", "\n  1 ", "\n  2 ", "\n  3 ", "\n  4 ", "\n  130 "})
    EXPECT_PRED2(contains, help.out, code);
}

TEST(Help, OfEveryCommandDocumentsExitCodes) {
  const Bench bench;
  for (const auto& command : commands())
    EXPECT_PRED2(contains, bench.bristle({command, "--help"}).out, "Exit codes:");
}

TEST(Help, OfEveryCommandShowsExamples) {
  const Bench bench;
  for (const auto& command : commands()) {
    const Outcome help = bench.bristle({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.err, "");
    EXPECT_PRED2(contains, help.out, "Example");
    EXPECT_PRED2(contains, help.out, "\n  bristle " + command);
  }
}

TEST(Help, OfEveryCommandFitsATerminalOf120Columns) {
  const Bench bench;
  for (const auto& command : commands()) {
    std::istringstream help(bench.bristle({command, "--help"}).out);
    for (std::string line; std::getline(help, line);)
      EXPECT_LE(line.size(), 120u) << command << ": " << line;
  }
}

TEST(Help, OfFitsShowsTheirOptionsInGroups) {
  const Bench bench;
  for (const char* command : {"fit", "compare"}) {
    const std::string help = bench.bristle({command, "--help"}).out;
    for (const char* group : {"\nColumns of the data:\n", "\nRows of the data:\n", "\nResults:\n"})
      EXPECT_PRED2(contains, help, group);
    // No other option than that of the help is left without a group.
    const auto from = help.find("\nOptions:\n") + 10, to = help.find("\n\n", from);
    const std::string rest = help.substr(from, to - from);
    EXPECT_EQ(rest.find("--"), rest.find("--help")) << rest;
    EXPECT_EQ(rest.rfind("--"), rest.find("--help")) << rest;
  }
  // A comparison refuses to hold or free parameters, so its help does not offer it.
  EXPECT_EQ(bench.bristle({"compare", "--help"}).out.find("--fix"), std::string::npos);
}

TEST(Help, OfRunHoldsAFileThatRuns) {
  const Bench bench;
  const std::string help = bench.bristle({"run", "--help"}).out;
  const auto from = help.find("  [model]"), to = help.find("The result directory");
  ASSERT_LT(from, to);
  bench.write("example.toml", help.substr(from, to - from));
  EXPECT_EQ(bench.bristle({"run", "example.toml", "--no-figures"}).code, 0);
}

TEST(Version, IsOneLine) {
  const Bench bench;
  const Outcome version = bench.bristle({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_PRED2(begins, version.out, "bristle ");
  EXPECT_EQ(version.out.find('\n'), version.out.size() - 1);
}

TEST(CommandLine, ShowsWhereToStartWithoutACommand) {
  const Outcome shown = Bench().bristle({});
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.err, "");
  for (const char* first : {"bristle new ", "bristle run ", "bristle fit ", "bristle models",
                            "bristle reproduce ", "--help"})
    EXPECT_PRED2(contains, shown.out, first);
}

TEST(CommandLine, SuggestsTheNearestCommand) {
  expect_refused(Bench().bristle({"rnu"}), 2, {"'rnu'", "did you mean run?", "bristle --help"});
  expect_refused(Bench().bristle({"rnu", "a.toml"}), 2, {"'rnu'", "did you mean run?"});
}

TEST(CommandLine, KnowsNoHelpOfAnUnknownCommand) {
  for (const Words& words : std::vector<Words>{{"rnu", "--help"}, {"rnu", "-h"}, {"help", "rnu"}}) {
    const Outcome refused = Bench().bristle(words);
    expect_refused(refused, 2, {"there is no command 'rnu', did you mean run?"});
    EXPECT_EQ(refused.out, "");
  }
}

TEST(CommandLine, SuggestsTheNearestOptionAndTheHelpOfItsCommand) {
  expect_refused(Bench().bristle({"run", "a.toml", "--otu", "x"}), 2,
                 {"--otu", "did you mean --out?", "bristle run --help"});
  expect_refused(Bench().bristle({"models", "--jsn"}), 2,
                 {"--jsn", "did you mean --json?", "bristle models --help"});
}

TEST(CommandLine, SaysWhatANumberMustBe) {
  const Bench bench;
  for (const auto& [words, parts] : std::vector<std::pair<Words, Words>>{
           {{"invert", "a", "--amplitude", "-1"}, {"--amplitude: -1 ", "greater than 0"}},
           {{"invert", "a", "--amplitude", "x"}, {"--amplitude: 'x' must be a number"}},
           {{"invert", "a", "--amplitude", "1,5"}, {"'1,5'", "a point in place of a comma"}},
           {{"fit", "a", "--starts", "1e3"}, {"'1e3' must be a whole number, written in digits"}},
           {{"loop", "a", "--fit", "501"}, {"--fit: 501 ", "at least 1 and at most 500"}},
           {{"excite", "--rate", "fast"}, {"--rate: 'fast' must be a number"}},
           {{"spectrum", "a", "--column", "x", "--drive", "1,2,3"},
            {"--drive: takes at most 2 values, not 3"}},
           {{"part", "shw", "a"}, {"one of show, check, diff", "did you mean 'show'?"}}}) {
    const Outcome refused = bench.bristle(words);
    expect_refused(refused, 2, parts);
    EXPECT_PRED2(contains, refused.err, "bristle " + words[0] + " --help");
    EXPECT_LT(refused.err.size(), 200u);
  }
}

TEST(CommandLine, PointsToTheHelpOfTheCommandWhereAnOptionIsWrong) {
  const Bench bench;
  std::string table = "time,position,force\n";
  for (int i = 0; i < 20; ++i)
    table += std::to_string(i) + "," + std::to_string(i % 5) + "," + (i % 2 ? "1\n" : "-1\n");
  bench.write("a.csv", table);
  bench.write("a.toml", stick_slip);
  for (const Words& words :
       std::vector<Words>{{"excite"},
                          {"run", "a.toml", "--method", "euler"},
                          {"completion", "basch"},
                          {"fit", "a.csv", "--model", "dahl", "--hold-out", "1.5"}})
    expect_refused(bench.bristle(words), 2, {"(see bristle " + words[0] + " --help)"});
  // A change of a file is answered by the field, not by the help of the command.
  const Outcome changed = bench.bristle({"run", "a.toml", "--set", "solve.end=-1"});
  EXPECT_EQ(changed.err.find("--help"), std::string::npos) << changed.err;
}

TEST(CommandLine, RefusesAnExperimentFileWhereATableIsRead) {
  const Bench bench;
  bench.write("a.toml", stick_slip);
  expect_refused(bench.bristle({"fit", "a.toml", "--model", "dahl"}), 2,
                 {"a.toml: is a TOML file where a table of data is read"});
}

TEST(CommandLine, SuggestsNoOptionThatHasOnlyDashesInCommon) {
  const Outcome refused = Bench().bristle({"run", "a.toml", "--bogus"});
  expect_refused(refused, 2, {"there is no option --bogus (see bristle run --help)"});
}

TEST(CommandLine, ShowsTheHelpOfACommandByTheWordHelp) {
  const Bench bench;
  EXPECT_EQ(bench.bristle({"help", "run"}).out, bench.bristle({"run", "--help"}).out);
  EXPECT_EQ(bench.bristle({"help"}).out, bench.bristle({"--help"}).out);
}

TEST(CommandLine, NamesWhatIsMissing) {
  expect_refused(Bench().bristle({"fit"}), 2, {"files are required"});
  expect_refused(Bench().bristle({"run"}), 2, {"file"});
  expect_refused(Bench().bristle({"run", "a.toml", "--out"}), 2, {"--out"});
  expect_refused(Bench().bristle({"completion"}), 2, {"shell"});
}

TEST(Models, ListsEveryLaw) {
  const Outcome models = Bench().bristle({"models"});
  EXPECT_EQ(models.code, 0);
  for (const auto& name : law_names()) EXPECT_PRED2(contains, models.out, "\n  " + name + " ");
}

TEST(Models, ShowsEachLawMechanismAndSection) {
  const Bench bench;
  Words all = law_names();
  all.insert(all.end(), {"dragged_mass", "wall_spring_mass", "prescribed_motion", "pendulum",
                         "input", "initial", "solve", "steady"});
  for (const auto& name : all) {
    const Outcome shown = bench.bristle({"models", name});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_PRED2(begins, shown.out, name);
  }
}

// A field as documented: where it has no choices it has bounds, with null for none.
void expect_described(const nlohmann::json& field, const std::string& owner) {
  const std::string name = owner + "." + field.value("name", "?");
  EXPECT_TRUE(field.at("unit").is_string()) << name;
  EXPECT_FALSE(field.at("meaning").get<std::string>().empty()) << name;
  if (field.contains("choices")) {
    const auto& choices = field.at("choices");
    EXPECT_NE(std::find(choices.begin(), choices.end(), field.at("default")), choices.end())
        << name;
    return;
  }
  for (const char* bound : {"lower", "upper"})
    EXPECT_TRUE(field.at(bound).is_null() || field.at(bound).is_number()) << name;
  const auto value = field.at("default");
  for (const double one :
       value.is_array() ? value.get<std::vector<double>>() : std::vector{value.get<double>()}) {
    if (field.at("lower").is_number()) {
      EXPECT_LE(field.at("lower").get<double>(), one) << name;
    }
    if (field.at("upper").is_number()) {
      EXPECT_GE(field.at("upper").get<double>(), one) << name;
    }
  }
  EXPECT_TRUE(field.at("lower_allowed").is_boolean()) << name;
}

TEST(Models, DescribesEveryFieldInJson) {
  const Bench bench;
  const Outcome models = bench.bristle({"models", "--json"});
  EXPECT_EQ(models.code, 0);
  const nlohmann::json all = models.json();
  Words names;
  for (const auto& law : all.at("models")) {
    names.push_back(law.at("name"));
    EXPECT_FALSE(law.at("summary").get<std::string>().empty()) << names.back();
    EXPECT_FALSE(law.at("fields").empty()) << names.back();
  }
  std::sort(names.begin(), names.end());
  Words pages = law_names();
  std::sort(pages.begin(), pages.end());
  EXPECT_EQ(names, pages);
  // What a file may name as its mechanism is what is listed.
  bench.write("m.toml", "[model]\nname = \"dahl\"\n[mechanism]\nmass = 1\n");
  const std::string refused = bench.bristle({"run", "m.toml"}).err;
  for (const auto& mechanism : all.at("mechanisms"))
    EXPECT_PRED2(contains, refused, mechanism.at("name").get<std::string>());
  EXPECT_EQ(std::count(refused.begin(), refused.end(), ','),
            std::ptrdiff_t(all.at("mechanisms").size()) - 1);
  for (const char* kind : {"models", "systems", "mechanisms", "sections"})
    for (const auto& owner : all.at(kind))
      for (const auto& field : owner.at("fields")) expect_described(field, owner.at("name"));
}

TEST(Models, ShowsOneOfThemInJson) {
  const Bench bench;
  const nlohmann::json one = bench.bristle({"models", "dahl", "--json"}).json();
  ASSERT_EQ(one.at("models").size(), 1u);
  EXPECT_EQ(one.at("models")[0].at("name"), "dahl");
  // Its help says "one model, mechanism or section".
  for (const char* name : {"dragged_mass", "solve"}) {
    const Outcome other = bench.bristle({"models", name, "--json"});
    EXPECT_EQ(other.code, 0) << other.err;
    EXPECT_PRED2(contains, other.out, "\"name\": \"" + std::string(name) + "\"");
  }
}

TEST(Models, ListsWhatAFileMayAskFor) {
  const Bench bench;
  const Outcome quantities = bench.bristle({"models", "quantities"});
  EXPECT_EQ(quantities.code, 0);
  for (const char* name : {"  loop_area ", "  slip_time ", "  released_energy "})
    EXPECT_PRED2(contains, quantities.out, name);
  const Outcome columns = bench.bristle({"models", "columns", "--json"});
  EXPECT_EQ(columns.code, 0);
  EXPECT_EQ(columns.json().at(0).at("name"), "time");
  EXPECT_EQ(columns.json().at(0).at("unit"), "s");
  for (const auto& one : bench.bristle({"models", "quantities", "--json"}).json())
    EXPECT_FALSE(one.at("meaning").get<std::string>().empty()) << one.at("name");
  for (const char* group :
       {"Friction laws", "Systems", "Mechanisms", "Parts of machines", "Couplings", "Quantities",
        "Columns"})
    EXPECT_PRED2(contains, bench.bristle({"models"}).out, group);
}

TEST(Models, ShowsOneQuantityOrColumnWithItsUnitAndMeaning) {
  const Bench bench;
  const Outcome quantity = bench.bristle({"models", "loop_area"});
  EXPECT_EQ(quantity.code, 0);
  EXPECT_EQ(quantity.out.rfind("loop_area (quantity)\n  ", 0), 0u) << quantity.out;
  EXPECT_PRED2(contains, bench.bristle({"models", "moving_average"}).out, "[rad]");
  // `input` is a section and a column.
  const Outcome both = bench.bristle({"models", "input"});
  EXPECT_PRED2(contains, both.out, "amplitude");
  EXPECT_PRED2(contains, both.out, "input (column)");
  const Outcome json = bench.bristle({"models", "loop_area", "--json"});
  EXPECT_EQ(json.json().at("quantities").size(), 1u);
  EXPECT_TRUE(json.json().at("columns").empty());
}

TEST(Models, PrintsQuantitiesAndColumnsAsJsonToo) {
  const auto all = Bench().bristle({"models", "--json"}).json();
  EXPECT_GT(all.at("quantities").size(), 100u);
  EXPECT_EQ(all.at("columns").at(0).at("unit"), "s");
}

TEST(Models, SuggestsTheNearestName) {
  const Bench bench;
  expect_refused(bench.bristle({"models", "lugr"}), 2, {"'lugr'", "did you mean 'lugre'?"});
  expect_refused(bench.bristle({"models", "stick_slpi"}), 2, {"did you mean 'stick_slip'?"});
  expect_refused(bench.bristle({"models", "lugr", "--json"}), 2, {"did you mean 'lugre'?"});
  expect_refused(bench.bristle({"models", "draged_mass"}), 2, {"did you mean 'dragged_mass'?"});
}

TEST(Completion, IsAScriptThatBashCanRead) {
  const Bench bench;
  const Outcome script = bench.bristle({"completion", "bash"});
  EXPECT_EQ(script.code, 0);
  for (const auto& name : law_names()) EXPECT_PRED2(contains, script.out, name);
  for (const char* word : {"fit)", "--hold-out", "excite)", "--set", "$(bristle reproduce --list"})
    EXPECT_PRED2(contains, script.out, word);
  bench.write("script", script.out);
  EXPECT_EQ(std::system(("bash -n '" + bench.path("script") + "'").c_str()), 0);
}

TEST(Completion, CompletesInBash) {
  const Bench bench;
  bench.write(
      "script",
      bench.bristle({"completion", "bash"}).out +
          "COMP_WORDS=(bristle models lug); COMP_CWORD=2; _bristle; echo ${COMPREPLY[@]}\n");
  const std::string said = bench.path("said");
  ASSERT_EQ(std::system(("bash '" + bench.path("script") + "' > '" + said + "'").c_str()), 0);
  EXPECT_EQ(bench.text("said"), "lugre\n");
}

TEST(Completion, KnowsZshAndFish) {
  const Bench bench;
  for (const char* shell : {"zsh", "fish"}) {
    const Outcome script = bench.bristle({"completion", shell});
    EXPECT_EQ(script.code, 0);
    EXPECT_PRED2(contains, script.out, "lugre");
  }
  expect_refused(bench.bristle({"completion", "cmd"}), 2, {"\"cmd\"", "bash, zsh, fish"});
}

}  // namespace
}  // namespace bristle::test::help_test
