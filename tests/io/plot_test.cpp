// SPDX-License-Identifier: MIT
#include "bristle/io/plot.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::plot_test {
namespace {

using test::contains;
using test::lacks;
using test::TemporaryDirectory;

// What gnuplot reads from a text in quotes that begins at a place in a script.
std::string unquoted(const std::string& script, std::size_t at) {
  std::string text;
  if (script.at(at) == '\'') {
    // Between single quotes only the quote itself is special: it is doubled.
    for (++at; at < script.size(); ++at) {
      if (script[at] == '\'' && (at + 1 == script.size() || script[++at] != '\'')) return text;
      text += script[at];
    }
  } else if (script.at(at) == '"') {
    for (++at; at < script.size(); ++at) {
      if (script[at] == '"') return text;
      if (script[at] == '\\') ++at;
      text += script[at];
    }
  }
  return "(no text in quotes)";
}

std::string title_in(const std::string& script) {
  return unquoted(script, script.find("set title ") + 10);
}

Plot plot_titled(const std::string& title) {
  Plot plot{"figure", title, "time [s]", "velocity v [m/s]", "", "", {}};
  plot.lines.push_back({"data.csv", "1", "2", "a"});
  return plot;
}

bool gnuplot_is_there() { return std::system("gnuplot --version >/dev/null 2>&1") == 0; }

TEST(GnuplotScript, NamesDataAxesAndPictures) {
  Plot plot = plot_titled("Slip");
  plot.x_range = "0:1";
  plot.lines.push_back({"more.csv", "($2-$3)", "4", "b"});
  const std::string script = gnuplot_script(plot);
  for (const char* part : {"Slip", "time [s]", "velocity v [m/s]", "set xrange [0:1]", "data.csv",
                           "more.csv", "using ($2-$3):4", "figure.svg", "figure.png"})
    EXPECT_PRED2(contains, script, part);
}

TEST(GnuplotScript, KeepsTitlesAsTheyAre) {
  for (const std::string title :
       {"plain", "say \"hi\"", "back\\slash", "a\\", "\"", "50 % of $1, {x_1} & <y>", "Grüße"})
    EXPECT_EQ(title_in(gnuplot_script(plot_titled(title))), title);
}

TEST(GnuplotScript, MakesApostrophesOfQuotes) {
  for (const std::string title : {"it's", "'", "''", "'; system('x'); '"}) {
    const std::string read = title_in(gnuplot_script(plot_titled(title)));
    EXPECT_EQ(read.find('\''), std::string::npos) << read;
    EXPECT_PRED2(contains, read, "’");
  }
}

TEST(GnuplotScript, KeepsLabelsOfCurvesAsTheyAre) {
  Plot plot = plot_titled("t");
  plot.lines.push_back({"more.csv", "1", "2", "the \"slow\" one's"});
  const std::string script = gnuplot_script(plot);
  EXPECT_EQ(unquoted(script, script.rfind(" title ") + 7), "the \"slow\" one’s");
}

TEST(GnuplotScript, PutsTitlesWithLineEndsOnOneLine) {
  const std::string script = gnuplot_script(plot_titled("one\ntwo\r\nthree"));
  const std::string line = script.substr(script.find("set title "));
  EXPECT_PRED2(contains, line.substr(0, line.find('\n')), "three");
}

TEST(GnuplotScript, QuotesBackticksWhereGnuplotDoesNotRunThem) {
  // gnuplot hands what stands between backticks in double quotes to the shell.
  const std::string script = gnuplot_script(plot_titled("`true`"));
  EXPECT_EQ(title_in(script), "`true`");
  EXPECT_EQ(script.at(script.find("set title ") + 10), '\'');
}

TEST(GnuplotScript, LeavesRoomUnderTheTitleForEveryRowOfTheLegend) {
  // Three labels of 20 characters need two rows, three of 11 characters one.
  for (const auto& [label, columns, rows] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"exponential pressure", "2", "2"}, {"b1.velocity", "4", "1"}}) {
    Plot plot = plot_titled("t");
    plot.lines.clear();
    for (int i = 0; i < 3; ++i) plot.lines.push_back({"data.csv", "1", "2", label});
    const std::string script = gnuplot_script(plot);
    EXPECT_PRED2(contains, script, "maxcols " + columns + "\n");
    EXPECT_PRED2(contains, script, "offset 0," + rows + ".4\n");
  }
}

TEST(Draw, MakesBothPictures) {
  if (!gnuplot_is_there()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryDirectory dir;
  dir.write("data.csv", "x,y\n0,0\n1,1\n");
  dir.write("figure.gp", gnuplot_script(plot_titled("say \"hi\", it's a\\b")));
  std::string why;
  EXPECT_TRUE(draw(dir.root().string(), {"figure.gp"}, why)) << why;
  EXPECT_PRED2(contains, dir.text("figure.svg"), "say \"hi\", it’s a\\b");
  EXPECT_EQ(dir.text("figure.png").substr(1, 3), "PNG");
}

TEST(Draw, WorksInADirectoryWithQuotesInItsName) {
  if (!gnuplot_is_there()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryDirectory dir;
  const std::string folder = "it's a \"result\"";
  test::fs::create_directory(dir.path(folder));
  dir.write(folder + "/data.csv", "x,y\n0,0\n1,1\n");
  dir.write(folder + "/figure.gp", gnuplot_script(plot_titled("t")));
  std::string why;
  EXPECT_TRUE(draw(dir.path(folder), {"figure.gp"}, why)) << why;
  EXPECT_TRUE(dir.has(folder + "/figure.svg"));
}

TEST(Draw, RunsNothingThatStandsInATitle) {
  if (!gnuplot_is_there()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryDirectory dir;
  dir.write("data.csv", "x,y\n0,0\n1,1\n");
  dir.write("figure.gp", gnuplot_script(plot_titled("`touch " + dir.path("ran") + "`")));
  std::string why;
  draw(dir.root().string(), {"figure.gp"}, why);
  EXPECT_FALSE(dir.has("ran"));
}

TEST(Draw, SaysThatGnuplotFailed) {
  if (!gnuplot_is_there()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryDirectory dir;
  dir.write("figure.gp", "plot 'none.csv' using 1:2\n");
  std::string why;
  EXPECT_FALSE(draw(dir.root().string(), {"figure.gp"}, why));
  EXPECT_PRED2(contains, why, "gnuplot failed");
}

// A program of the name gnuplot, before all others.
class FakeGnuplot {
 public:
  FakeGnuplot(const TemporaryDirectory& dir, const std::string& script)
      : path_(std::getenv("PATH") ? std::getenv("PATH") : "") {
    dir.write("gnuplot", "#!/bin/sh\n" + script);
    test::fs::permissions(dir.path("gnuplot"), test::fs::perms::owner_all);
    ::setenv("PATH", (dir.root().string() + ":" + path_).c_str(), 1);
  }
  ~FakeGnuplot() { ::setenv("PATH", path_.c_str(), 1); }

 private:
  std::string path_;
};

TEST(Draw, EndsAGnuplotThatDoesNotEnd) {
  const TemporaryDirectory dir;
  const FakeGnuplot fake(dir, "exec sleep 1000\n");
  std::string why;
  EXPECT_FALSE(draw(dir.root().string(), {"figure.gp"}, why, 0.1));
  EXPECT_PRED2(contains, why, "took more than");
}

TEST(Draw, EndsWhenAStopIsAskedFor) {
  const TemporaryDirectory dir;
  const FakeGnuplot fake(dir, "exec sleep 1000\n");
  std::string why;
  stop_when([] { return true; });
  EXPECT_THROW(draw(dir.root().string(), {"figure.gp"}, why), Interrupted);
  stop_when(nullptr);
}

TEST(Draw, GivesItsChildrenNoFilesOfItsOwn) {
  const TemporaryDirectory dir;
  const FakeGnuplot fake(dir, "ls /proc/self/fd > files\n");
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // as another thread may have one open
  std::string why;
  EXPECT_TRUE(draw(dir.root().string(), {"figure.gp"}, why)) << why;
  ::close(ends[0]), ::close(ends[1]);
  // Standard streams, and the directory that ls reads.
  EXPECT_EQ(dir.text("files"), "0\n1\n2\n3\n");
}

TEST(Draw, RefusesScriptsAndDataWithOtherNamesThanOurs) {
  const TemporaryDirectory dir;
  std::string why;
  for (const std::string name : {"<touch ran", "|touch ran", "-e", "../x.gp", ""})
    EXPECT_FALSE(draw(dir.root().string(), {name}, why)) << name;
  Plot plot = plot_titled("t");
  plot.lines.push_back({"<touch ran", "1", "2", "a"});
  EXPECT_THROW(gnuplot_script(plot), InputError);
  plot = plot_titled("t");
  plot.name = "|touch ran";
  EXPECT_THROW(gnuplot_script(plot), InputError);
}

TEST(Draw, HasNothingToDoWithoutScripts) {
  std::string why;
  EXPECT_TRUE(draw("/nonexistent", {}, why));
  EXPECT_EQ(why, "");
}

}  // namespace
}  // namespace bristle::io::plot_test
