// SPDX-License-Identifier: MIT
#include "bristle/io/gallery.hpp"

#include <gtest/gtest.h>

#include <set>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/kept.hpp"
#include "io/support.hpp"

namespace bristle::io::gallery_test {
namespace {

using test::contains;
using test::lacks;
using test::TemporaryDirectory;

const std::string small =
    "title = \"A <b> & \\\"c\\\"\"\ndocument = \"T: thesis\"\nfigure_number = \"Fig. 1.4\"\n"
    "[model]\nname = \"coulomb\"\n[steady]\nfrom = 0\n"
    "[expect]\n"
    "a = { kind = \"closed_form\", quantity = \"steady_force\", velocity = 1, value = 1, source = "
    "\"closed form\" }\n"
    "b = { kind = \"document\", quantity = \"steady_force\", velocity = 1, value = 2, source = "
    "\"T (1.1)\", differs = \"it is one\" }\n";

GallerySection section_of(const TemporaryDirectory& bench, const std::string& text) {
  bench.write("e.toml", text);
  const Experiment e = read_experiment(bench.path("e.toml"));
  return make_section(e, run_experiment(e), {}, "stamp");
}

Experiment about(const std::string& document, const std::string& figure) {
  Experiment e;
  e.document = document;
  e.figure = figure;
  return e;
}

TEST(Covered, ReadsFiguresAndTablesFromTheNumber) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(covered(about("T: x", "Figs. 3.13, 3.14")), (Names{"T Fig. 3.13", "T Fig. 3.14"}));
  EXPECT_EQ(covered(about("R: x", "Fig. 9, Tables III and IV")),
            (Names{"R Fig. 9", "R Table III", "R Table IV"}));
  EXPECT_EQ(covered(about("P: x", "Fig. 12(a)")), (Names{"P Fig. 12"}));
  EXPECT_EQ(covered(about("H: x", "Fig. 1b and 1c")), (Names{"H Fig. 1"}));
  EXPECT_EQ(covered(about("R: x", "(23)-(32), (55)-(59)")), Names{});
  EXPECT_EQ(covered(about("Bristle", "Fig. 1")), Names{});
  Experiment e = about("T: x", "Fig. 1");
  e.covers = {"T Fig. 2"};
  EXPECT_EQ(covered(e), (Names{"T Fig. 2"}));
}

TEST(Covered, ReadsANumberOfAnyLength) {
  const std::string remark = "Fig. 7 (" + std::string(300000, 'a') + "), 8";
  EXPECT_EQ(covered(about("T: x", remark)), (std::vector<std::string>{"T Fig. 7", "T Fig. 8"}));
  EXPECT_EQ(covered(about("T: x", "Fig. 7 " + std::string(300000, '('))),
            std::vector<std::string>{"T Fig. 7"});
}

TEST(Shipped, EveryFigureWithDataIsCovered) {
  std::set<std::string> there;
  for (const auto& file : test::fs::directory_iterator(BRISTLE_EXPERIMENTS))
    if (file.path().extension() == ".toml")
      for (const auto& name : covered(read_experiment(file.path().string()))) there.insert(name);
  std::set<std::string> listed;
  for (const auto& figure : listed_figures(BRISTLE_EXPERIMENTS)) {
    listed.insert(figure.name());
    EXPECT_TRUE(!figure.no_data.empty() || there.contains(figure.name())) << figure.name();
  }
  EXPECT_GE(listed.size(), 90u);
  for (const auto& name : there) EXPECT_TRUE(listed.contains(name)) << name << " is not listed";
}

TEST(Shipped, EveryExperimentIsJudgedByAtLeastOneFact) {
  for (const auto& file : test::fs::directory_iterator(BRISTLE_EXPERIMENTS)) {
    if (file.path().extension() != ".toml") continue;
    std::size_t facts = 0;
    for (const auto& c : read_experiment(file.path().string()).cases)
      facts += c.expectations.size();
    EXPECT_GT(facts, 0u) << file.path();
  }
}

TEST(FigureList, RefusesAnEntryWithoutAName) {
  const TemporaryDirectory bench;
  test::fs::create_directory(bench.path("documents"));
  bench.write("documents/figures.toml", "[[figure]]\ndocument = \"T\"\n");
  EXPECT_THROW(listed_figures(bench.path("")), InputError);
  EXPECT_TRUE(listed_figures(bench.path("documents")).empty());
}

TEST(Stamp, ChangesWithWhatTheResultDependsOn) {
  const TemporaryDirectory bench;
  bench.write("data.csv", "time,input\n0,0\n1,1\n");
  const std::string text = small + "# see \"data.csv\"\n";
  bench.write("e.toml", text);
  const auto now = [&](const std::string& program, const std::string& settings) {
    return stamp(read_experiment(bench.path("e.toml")), program, settings);
  };
  const std::string first = now("p", "");
  EXPECT_EQ(now("p", ""), first);
  EXPECT_NE(now("q", ""), first);
  EXPECT_NE(now("p", "no figures"), first);
  bench.write("data.csv", "time,input\n0,0\n1,2\n");
  EXPECT_NE(now("p", ""), first);
  bench.write("data.csv", "time,input\n0,0\n1,1\n");
  EXPECT_EQ(now("p", ""), first);
  bench.write("e.toml", text + "\n");
  EXPECT_NE(now("p", ""), first);
}

TEST(Gallery, IsUtf8WhereverATextIsCut) {
  const TemporaryDirectory bench;
  for (std::size_t plain = 0; plain < 4; ++plain) {
    std::string document = "T: " + std::string(plain, 'x');
    for (int i = 0; i < 40; ++i) document += "\u20ac";
    const std::string page =
        gallery_html({{section_of(bench, "document = \"" + document +
                                             "\"\n[model]\nname = \"coulomb\"\n[steady]\n")},
                      {},
                      "",
                      false});
    EXPECT_EQ(utf8(page), page);
  }
}

TEST(StoredSection, ComesBackOnlyWithItsStamp) {
  const TemporaryDirectory bench;
  const GallerySection made = section_of(bench, small);
  bench.write("gallery.json", sealed(made.content));
  const auto back = stored_section(bench.path(""), "stamp");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->content, made.content);
  ASSERT_EQ(back->verdicts.size(), 2u);
  EXPECT_EQ(back->verdicts[1].differs, "it is one");
  EXPECT_FALSE(stored_section(bench.path(""), "other"));
  bench.write("gallery.json", "{ broken");
  EXPECT_FALSE(stored_section(bench.path(""), "stamp"));
  EXPECT_FALSE(stored_section(bench.path("nowhere"), "stamp"));
}

TEST(StoredSection, DoesNotComeBackIfOneByteOfItWasChanged) {
  const TemporaryDirectory bench;
  const std::string kept = sealed(section_of(bench, small).content);
  for (std::size_t at = 0; at < kept.size(); at += 7) {
    std::string damaged = kept;
    damaged[at] = damaged[at] == '1' ? '2' : '1';
    bench.write("gallery.json", damaged);
    EXPECT_FALSE(stored_section(bench.path(""), "stamp")) << damaged;
    bench.write("gallery.json", kept.substr(0, at));
    EXPECT_FALSE(stored_section(bench.path(""), "stamp")) << at;
  }
}

TEST(Kept, JsonOfAnyDepthIsReadOrRefused) {
  EXPECT_TRUE(parse_kept(R"({"a": [1, {"b": null}]})"));
  EXPECT_FALSE(parse_kept("{"));
  EXPECT_FALSE(parse_kept(std::string(200000, '[')));
  EXPECT_FALSE(parse_kept(std::string(200000, '[') + std::string(200000, ']')));
}

TEST(Verdicts, AnExperimentIsAsGoodAsItsWorstFact) {
  const TemporaryDirectory bench;
  const GallerySection s = section_of(bench, small);
  EXPECT_EQ(overall(s.verdicts), "not reproduced");
  EXPECT_EQ(headline(s.verdicts)->key, "b");
  EXPECT_EQ(overall({}), "");
  EXPECT_EQ(headline({}), nullptr);
}

TEST(Verdicts, StandForAnExperimentByOutcomeFirstAndThenByKind) {
  std::vector<Verdict> all(3);
  all[0].kind = FactKind::check, all[0].outcome = Outcome::met;
  all[1].kind = FactKind::computed, all[1].outcome = Outcome::met;
  all[2].kind = FactKind::document, all[2].outcome = Outcome::met;
  EXPECT_EQ(overall(all), "reproduced");
  all[2].outcome = Outcome::met_with_choice;
  EXPECT_EQ(overall(all), "reproduced with stated choice");
  all[1].outcome = Outcome::missed;
  EXPECT_EQ(overall(all), "differs");
  all[0].outcome = Outcome::missed;
  EXPECT_EQ(headline(all), &all[1]);
}

TEST(Counts, ListEachKindOfItsOwn) {
  const TemporaryDirectory bench;
  const FactCounts c = count({section_of(bench, small)});
  EXPECT_EQ(c[FactKind::closed_form].met, 1);
  EXPECT_EQ(c[FactKind::document].missed, 1);
  EXPECT_EQ(c[FactKind::document].explained, 1);
  EXPECT_EQ(c.total(), 2);
  EXPECT_EQ(c.open(), 0);
  const std::string table = counts_markdown(c);
  EXPECT_PRED2(contains, table, "| said by the documents | 1 | 0 | 0 | 1 | 1 | 0 |");
  EXPECT_PRED2(contains, table, "| closed forms | 1 | 1 | 0 | 0 | 0 | 0 |");
  EXPECT_EQ(as_json(c).at("document").at("explained"), 1);
}

TEST(Counts, AnExplanationDoesNotCloseAFactOfAnotherKind) {
  FactCounts c;
  Verdict v;
  v.kind = FactKind::check;
  v.outcome = Outcome::missed;
  c.add({v});
  v.kind = FactKind::document;
  v.differs = "known";
  c.add({v});
  EXPECT_EQ(c.open(), 1);
}

TEST(Page, StandsAloneAndKeepsTextsAsTheyAre) {
  const TemporaryDirectory bench;
  const GalleryPage gallery{{section_of(bench, small)},
                            {{"T", "Fig. 1.4", "a force", ""},
                             {"T", "Fig. 1.6", "a thing", "a sketch"},
                             {"T", "Fig. 9.9", "far away", ""}},
                            "bristle reproduce --all",
                            false};
  const std::string overview = gallery_html(gallery);
  const auto pages = experiment_pages(gallery);
  ASSERT_EQ(pages.size(), 1u);
  EXPECT_EQ(pages[0].first, "e");
  for (const std::string& page : {overview, pages[0].second}) {
    EXPECT_PRED2(contains, page, "A &lt;b&gt; &amp; &quot;c&quot;");
    EXPECT_PRED2(lacks, page, "A <b>");
    for (const char* outside :
         {"src=\"http", "href=\"http", "@import", "url(http", "<link rel=\"style"})
      EXPECT_PRED2(lacks, page, outside);
    EXPECT_PRED2(contains, page, "prefers-color-scheme");
  }
  EXPECT_PRED2(contains, overview, "no data in the figure: a sketch");
  EXPECT_PRED2(contains, overview, "not yet covered");
  EXPECT_PRED2(contains, overview, "href=\"pages/e.html\"");
  for (const auto& kind : fact_kinds) EXPECT_PRED2(contains, overview, std::string(kind.plural));
  EXPECT_PRED2(contains, pages[0].second, "It is one.");
  EXPECT_PRED2(contains, pages[0].second, "± 1 %");
  EXPECT_PRED2(contains, pages[0].second, "../index.html");
}

TEST(Page, ShowsTheErrorOfAnExperimentThatFailed) {
  const GallerySection failed = failed_section("bad", {}, "bad.toml:1: is not <valid>");
  const auto pages = experiment_pages({{failed}, {}, "", false});
  EXPECT_PRED2(contains, pages[0].second, "bad.toml:1: is not &lt;valid&gt;");
}

TEST(Page, LeadsFromEachExperimentToItsNeighbours) {
  const auto pages = experiment_pages(
      {{failed_section("a", {}, "x"), failed_section("b", {}, "x")}, {}, "", false});
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_PRED2(contains, pages[0].second, "href=\"b.html\"");
  EXPECT_PRED2(contains, pages[1].second, "href=\"a.html\"");
}

TEST(Sweep, RunsOneCaseForEachValue) {
  const TemporaryDirectory bench;
  const std::string base = "[model]\nname = \"coulomb\"\n[steady]\nfrom = 0\n";
  bench.write("s.toml",
              base +
                  "[[sweep]]\nname = \"force\"\nfield = \"model.coulomb_force\"\nvalues = [1, 2, "
                  "4]\n[expect]\n"
                  "all = { quantity = \"peak_force\", sweep = \"force\", at_most = 4 }\n"
                  "some = { quantity = \"peak_force\", sweep = \"force\", at_least = 2 }\n"
                  "[[case]]\nlabel = \"one\"\n");
  const Experiment e = read_experiment(bench.path("s.toml"));
  ASSERT_EQ(e.cases.size(), 4u);
  EXPECT_EQ(e.cases[3].swept_value, 4.0);
  const auto verdicts = run_experiment(e).verdicts;
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0].verdict(), "passes");
  EXPECT_EQ(verdicts[0].ours, "1 to 4 over 3 values");
  EXPECT_EQ(verdicts[1].verdict(), "fails");
  for (const char* wrong :
       {"[[sweep]]\nname = \"a\"\nvalues = [1]\n", "[[sweep]]\nfield = \"model.x\"\nvalues = [1]\n",
        "[[sweep]]\nname = \"a\"\nfield = \"modle.x\"\nvalues = [1]\n",
        "[[figure]]\nsweeps = [\"a\"]\n",
        "[[figure]]\nsweeps = [\"a\"]\nquantity = \"peak_force\"\n"}) {
    bench.write("s.toml", base + wrong);
    EXPECT_THROW(read_experiment(bench.path("s.toml")), InputError) << wrong;
  }
}

}  // namespace
}  // namespace bristle::io::gallery_test
