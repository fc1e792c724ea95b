// SPDX-License-Identifier: MIT
// Files of others: whatever stands in a text of an experiment or of a table, nothing runs, no page
// takes it for markup, and nothing is written outside of the result directory.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bristle/io/errors.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/report.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::hostile_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::lacks;
using test::refusal;
using test::TemporaryDirectory;

// What shells, gnuplot, pages and file systems would take for more than text. Each would make a
// file PWNED or run a script if it were.
const std::vector<std::string> corpus{"|touch PWNED",
                                      "<touch PWNED",
                                      "`touch PWNED`",
                                      "$(touch PWNED)",
                                      "'; system('touch PWNED'); '",
                                      "\"; system(\"touch PWNED\"); \"",
                                      "x'\n!touch PWNED\n'",
                                      "@x ; !touch PWNED",
                                      "\\",
                                      "'",
                                      "''",
                                      "<script>alert(1)</script>",
                                      "</script><script>alert(1)</script>",
                                      "\" onload=\"alert(1)\" x=\"",
                                      "' onload='alert(1)' x='",
                                      "]]><script>alert(1)</script>",
                                      "../PWNED",
                                      "/tmp/PWNED",
                                      "..",
                                      "-e system('touch PWNED')",
                                      "a,b\r\nc",
                                      "%s%n{}{0}",
                                      "Gr\xc3\xbc\xc3\x9f\x65 \xe2\x80\xae"};

// A text as TOML has it, every byte that is not a plain letter escaped.
std::string quoted(const std::string& text) {
  std::string q = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04X", byte);
    if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f) q += c;
    else q += escape;
  }
  return q + "\"";
}

// The text in every place where any text is allowed.
std::string everywhere(const std::string& text) {
  const std::string q = quoted(text);
  return "title = " + q + "\ndocument = " + q + "\nfigure_number = " + q + "\nnote = " + q +
         "\ncovers = [" + q +
         "]\n[model]\nname = \"coulomb\"\n[mechanism]\nname = \"dragged_mass\"\n"
         "[solve]\nend = 0.2\nsamples = 5\n"
         "[[case]]\nlabel = " +
         q + "\n[[case]]\nlabel = " + quoted(text + " 2") + "\n[[sweep]]\nname = " + q +
         "\nfield = \"mechanism.spring\"\nvalues = [1.0, 2.0]\n"
         "[[figure]]\nname = \"one\"\ntitle = " +
         q + "\nx = \"time\"\ny = \"velocity\"\ncases = [" + q +
         "]\n[[figure]]\nname = \"two\"\nsweeps = [" + q +
         "]\nquantity = \"max_force\"\n"
         "[expect]\n" +
         q + " = { kind = \"check\", quantity = \"max_velocity\", at_most = 9.0, source = " + q +
         ", choice = " + q + ", differs = " + q + " }\n";
}

// A page without the data that its scripts read: there only '<' could end them, and none is left.
std::string markup(std::string page) {
  const std::string open = "<script type=\"application/json\">", close = "</script>";
  for (auto at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    const auto from = at + open.size(), to = page.find(close, from);
    EXPECT_EQ(page.substr(from, to - from).find('<'), std::string::npos);
    page.erase(at, to + close.size() - at);
  }
  return page;
}

// Where a page would take the text for markup.
void expect_harmless(const std::string& whole, const std::string& text) {
  const std::string page = markup(whole);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  // A picture of gnuplot has texts between tags alone, where quotes have no meaning.
  if (page.starts_with("<!doctype html>")) {
    EXPECT_EQ(page.find("\" onload=\"alert"), std::string::npos);
    EXPECT_EQ(page.find("' onload='alert"), std::string::npos);
  }
  if (contains(text, "<")) {
    EXPECT_EQ(page.find(text), std::string::npos);
  }
}

void expect_nothing_ran(const TemporaryDirectory& dir) {
  for (const auto& entry : fs::recursive_directory_iterator(dir.root()))
    EXPECT_NE(entry.path().filename(), "PWNED") << entry.path();
  EXPECT_FALSE(fs::exists("/tmp/PWNED"));
  EXPECT_FALSE(fs::exists("PWNED"));
}

TEST(HostileText, IsTextEverywhere) {
  for (const auto& text : corpus) {
    SCOPED_TRACE(text);
    const TemporaryDirectory dir;
    const Experiment experiment = read_experiment(dir.write("x.toml", everywhere(text)));
    const ExperimentResult result = run_experiment(experiment);
    const std::string trouble =
        write_results(experiment, result, dir.path("out"), {.command = text, .stamp = "mark"});
    EXPECT_PRED2(lacks, trouble, "failed");
    expect_nothing_ran(dir);
    EXPECT_EQ(dir.names(), (std::set<std::string>{"out", "x.toml"}));
    for (const auto& name : dir.names("out")) {
      const bool page = name.ends_with(".html") || name.ends_with(".svg");
      if (page) expect_harmless(dir.text("out/" + name), text);
    }
    // The whole gallery, with the list of figures.
    const auto section = stored_section(dir.path("out"), "mark");
    ASSERT_TRUE(section);
    expect_harmless(gallery_html({{*section}, {{"T", text, text, text}}, text, true}), text);
    EXPECT_TRUE(nlohmann::json::accept(dir.text("out/summary.json")));
  }
}

// A terminal obeys them: clears the screen, moves to another line, changes its title.
TEST(HostileText, WithControlCharactersIsRefusedInEveryTextAndKey) {
  const std::string law = "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"dragged_mass\"\n";
  const std::string body = "[[body]]\nname = \"a\"\n[[contact]]\non = \"a\"\nlaw = \"coulomb\"\n";
  const std::pair<std::string, std::string> hostile[] = {{std::string("nul\0byte", 8), "U+0000"},
                                                         {"\x1b[2J", "U+001B"},
                                                         {"a\ab", "U+0007"},
                                                         {"over\rwritten", "U+000D"},
                                                         {"\x7f", "U+007F"},
                                                         {"\xc2\x9b"
                                                          "2J",
                                                          "U+009B"}};
  for (const auto& [text, code] : hostile) {
    const std::string q = quoted(text);
    for (const std::string& file :
         {"title = " + q + "\n" + law, "note = " + q + "\n" + law,
          law + "[[case]]\nlabel = " + q + "\n",
          law + "[expect]\n" + q + " = { quantity = \"max_velocity\", at_most = 9.0 }\n",
          law + "[[figure]]\ntitle = " + q + "\nx = \"time\"\ny = \"velocity\"\n",
          body + "[[load]]\nname = " + q + "\non = \"contact1\"\n",
          body + "[[controller]]\nname = " + q + "\non = \"a\"\n",
          body + "[[coupling]]\nkind = " + q + "\n", q + " = 1\n" + law}) {
      const TemporaryDirectory dir;
      const std::string words =
          refusal<InputError>([&] { read_experiment(dir.write("x.toml", file)); });
      EXPECT_PRED2(contains, words, code) << file;
      EXPECT_PRED2(lacks, words, text) << file;
    }
  }
}

// A command line may hold them, and a page shows it.
TEST(HostileText, WithControlCharactersIsShownWithoutThemInPages) {
  const std::string page = gallery_html({{}, {}, "a\x1b[2J\x7f\x01z", true});
  EXPECT_EQ(page.find_first_of("\x1b\x7f\x01"), std::string::npos);
  EXPECT_PRED2(contains, page, "a\xef\xbf\xbd[2J\xef\xbf\xbd\xef\xbf\xbdz");
}

TEST(HostileText, IsNoNameOfAFigure) {
  for (const auto& text : corpus) {
    const TemporaryDirectory dir;
    const std::string path = dir.write(
        "x.toml",
        "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"dragged_mass\"\n[[figure]]\nname = " +
            quoted(text) + "\nx = \"time\"\ny = \"velocity\"\n");
    EXPECT_PRED2(contains, refusal<InputError>([&] { read_experiment(path); }), "x.toml:6: name = ")
        << text;
  }
}

TEST(HostileText, IsNoKeySectionRangeColumnOrQuantity) {
  const std::string head =
      "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 0.2\n";
  for (const auto& text : corpus) {
    const std::string q = quoted(text);
    for (const std::string& more :
         {q + " = 1\n", "[" + q + "]\nx = 1\n", "[surface]\n" + q + " = 1\n",
          "[bode]\n" + q + " = 1\n", "[[figure]]\nx = " + q + "\n",
          "[[figure]]\ny_range = " + q + "\n", "[[figure]]\nquantity = " + q + "\n",
          "[[figure]]\nfit = " + q + "\n", "[[case]]\n" + q + " = 1\n",
          "[input]\nshape = " + q + "\n",
          "[expect]\nx = { kind = \"check\", quantity = " + q + ", value = 1 }\n",
          "[expect]\nmax_force = { kind = " + q + ", value = 1 }\n"}) {
      const TemporaryDirectory dir;
      const std::string path = dir.write("x.toml", head + more);
      EXPECT_PRED2(contains, refusal<InputError>([&] { read_experiment(path); }), "x.toml") << more;
    }
  }
}

TEST(HostileText, IsANameOfAnInputFileAndOfItsColumns) {
  for (const auto& text : corpus) {
    // Names that a file system has.
    if (text.find('/') != std::string::npos || text.find('\0') != std::string::npos || text == "..")
      continue;
    SCOPED_TRACE(text);
    const TemporaryDirectory dir;
    std::ofstream(dir.root() / text) << "time,\"u\"\n0,0\n1,1\n";
    const Experiment experiment = read_experiment(
        dir.write("experiment.toml",
                  "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"wall_spring_mass\"\n"
                  "[input]\nfile = " +
                      quoted(text) + "\n[solve]\nend = 0.2\nsamples = 5\n"));
    const ExperimentResult result = run_experiment(experiment);
    write_results(experiment, result, dir.path("out"), {.figures = false});
    expect_nothing_ran(dir);
    EXPECT_EQ(dir.names(), (std::set<std::string>{"experiment.toml", "out", text}));
  }
}

}  // namespace
}  // namespace bristle::io::hostile_test
