// SPDX-License-Identifier: MIT
// Files of other people, and long work that is left alone.
#include <algorithm>

#include "cli/program.hpp"

namespace bristle::test::safety_test {
namespace {

using Names = std::set<std::string>;
constexpr int bad_input = 2, no_file = 3, interrupted = 130;

const std::string pushed =
    "[model]\nname = \"lugre\"\n[mechanism]\nname = \"wall_spring_mass\"\n"
    "[solve]\nend = 2.0\nsamples = 201\n";

std::size_t lines_of(const std::string& text) {
  return std::size_t(std::count(text.begin(), text.end(), '\n'));
}

TEST(Run, KeepsItsSamplesBesideAnInputOfTheSameName) {
  const Bench bench;
  bench.write("trajectory.csv", "time,force\n0,0\n1,1\n2,0\n");
  bench.write("push.toml", pushed + "[input]\nfile = \"trajectory.csv\"\n");
  const Outcome run = bench.bristle({"run", "push.toml", "--no-figures", "--out", "r"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(lines_of(bench.text("r/trajectory.csv")), 202u);
  EXPECT_EQ(bench.text("r/input/trajectory.csv"), bench.text("trajectory.csv"));
}

TEST(Run, LeavesResultsThatCanBeRunAgain) {
  const Bench bench;
  fs::create_directory(bench.path("dat"));
  bench.write("dat/force.csv", "time,force\n0,0\n1,1\n2,0\n");
  bench.write("push.toml", pushed + "[input]\nfile = \"dat/force.csv\"\n");
  ASSERT_EQ(bench.bristle({"run", "push.toml", "--no-figures", "--out", "r"}).code, 0);
  const Outcome again =
      bench.bristle({"run", "r/experiment.toml", "--no-figures", "--out", "again"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(bench.text("again/trajectory.csv"), bench.text("r/trajectory.csv"));
}

TEST(Run, KeepsTheSamplesOfACaseNamedLikeEvents) {
  const Bench bench;
  bench.write("two.toml", stick_slip +
                              "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"events a\"\n"
                              "[case.mechanism]\nspring = 3.0\n[[case]]\nlabel = \"A\"\n");
  const Outcome run = bench.bristle({"run", "two.toml", "--no-figures", "--out", "r"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* file : {"r/a.csv", "r/case-events-a.csv", "r/A-3.csv"})
    EXPECT_EQ(lines_of(bench.text(file)), 2002u) << file;
  EXPECT_PRED2(begins, bench.text("r/events-a.csv"), "time,kind,");
}

TEST(Run, KeepsFilesOfOthersInItsResults) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Words words{"run", "slide.toml", "--no-figures", "--out", "r"};
  ASSERT_EQ(bench.bristle(words).code, 0);
  bench.write("r/notes.txt", "mine");
  ASSERT_EQ(bench.bristle(words).code, 0);
  EXPECT_EQ(bench.text("r/notes.txt"), "mine");
  EXPECT_EQ(bench.files(), (Names{"r", "slide.toml"}));
}

TEST(Run, TakesTurnsWithAnotherOfTheSameDirectory) {
  const Bench bench, other;
  bench.write("slide.toml", stick_slip);
  other.write("slide.toml", stick_slip);
  const Words words{"run", "slide.toml", "--no-figures", "--out", bench.path("r")};
  Process one(bench.root(), words), two(other.root(), words);
  EXPECT_EQ(one.outcome().code, 0);
  EXPECT_EQ(two.outcome().code, 0);
  EXPECT_EQ(bench.files(), (Names{"r", "slide.toml"}));
  EXPECT_EQ(lines_of(bench.text("r/trajectory.csv")), 2002u);
}

TEST(Run, StopsWhileGnuplotDraws) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  bench.write("gnuplot", "#!/bin/sh\ntouch " + bench.path("drawing") + "\nexec sleep 1000\n");
  fs::permissions(bench.path("gnuplot"), fs::perms::owner_all);
  Process process(bench.root(), {"run", "slide.toml", "--out", "r"},
                  {.path = bench.root().string() + ":/usr/bin:/bin"});
  for (int i = 0; i < 2000 && !bench.has("drawing"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  process.signal(SIGINT);
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(10)));
  expect_refused(process.outcome(), interrupted, {"interrupted"});
  EXPECT_EQ(bench.files(), (Names{"drawing", "gnuplot", "slide.toml"}));
}

// Steps that take a hundredth of a second each, and single steps with any number of samples.
TEST(Run, StopsWhereStepsAreSlow) {
  const Bench bench;
  bench.write("patch.toml",
              "[model]\nname = \"frbd\"\n[mechanism]\nname = \"rolling_patch\"\npoints = 1000000\n"
              "[input]\nshape = \"sine\"\namplitude = 0.1\n[solve]\nend = 1000.0\n");
  Process process(bench.root(), {"run", "patch.toml", "--no-figures", "--out", "r"});
  process.signal(SIGTERM);
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(10)));
  EXPECT_EQ(process.outcome().code, interrupted);
  EXPECT_EQ(bench.files(), Names{"patch.toml"});
}

// The first file that is opened would take the place of a closed stream.
TEST(Run, PrintsNothingIntoItsFilesWhereStreamsAreClosed) {
  const Bench bench;
  bench.write("slide.toml",
              "[model]\nname = \"lugre\"\nstiffness = 1e-12\n"  // which is warned of
              "[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 0.5\n");
  const Words words{"run", "slide.toml", "--no-figures", "--out", "r"};
  ASSERT_EQ(bench.bristle(words).code, 0);
  const auto results = [&] {
    std::string all;
    for (const char* file : {"r/trajectory.csv", "r/experiment.toml", "r/.bristle-files"})
      all += bench.text(file);
    return all;
  };
  const std::string usual = results();
  for (const std::vector<int>& closed : {std::vector{2}, {0}, {0, 2}}) {
    fs::remove_all(bench.path("r"));
    EXPECT_EQ(bench.bristle(words, {.closed = closed}).code, 0);
    EXPECT_EQ(results(), usual);
  }
  // What was to be printed and was not is an error, the results are there nevertheless.
  for (const std::vector<int>& closed : {std::vector{1}, {0, 1, 2}}) {
    fs::remove_all(bench.path("r"));
    EXPECT_EQ(bench.bristle(words, {.closed = closed}).code, no_file);
    EXPECT_EQ(results(), usual);
  }
}

// A terminal would obey them wherever the argument is shown again.
TEST(Arguments, HoldNoControlCharacters) {
  const Bench bench;
  for (const std::string hostile : {"\x1b[2J", "\x7f",
                                    "\xc2\x9b"
                                    "2J"}) {
    expect_refused(bench.bristle({"run", hostile + ".toml"}), bad_input,
                   {"argument 2 holds the control character U+"});
    EXPECT_PRED2(lacks, bench.bristle({"run", hostile}).err, hostile);
  }
  EXPECT_EQ(bench.files(), Names{});
}

TEST(Help, ThatCannotBePrintedIsAnError) {
  const Bench bench;
  for (const Words& words : {Words{"--help"}, {"--version"}, {"run", "--help"}, {}})
    EXPECT_EQ(bench.bristle(words, {.standard_output = "/dev/full"}).code, no_file);
}

TEST(Refusals, LeaveOutTheMiddleOfATextAsLongAsAFile) {
  const Bench bench;
  bench.write("x.toml", stick_slip + "[[figure]]\nname = \"" + std::string(100000, 'A') + "\"\n");
  const Outcome run = bench.bristle({"run", "x.toml"});
  expect_refused(run, bad_input,
                 {"x.toml:11: name = \"AAA", "[...]", "must be the name of a file"});
  EXPECT_LT(run.err.size(), 3000u);
}

TEST(Invert, NeverReplacesItsInputALinkOrADevice) {
  const Bench bench;
  fs::copy_file(BRISTLE_EXPERIMENTS "/t_2_6_s_shape.toml", bench.path("map.toml"));
  const std::string map = bench.text("map.toml");
  fs::create_symlink(bench.path("map.toml"), bench.path("link.toml"));
  for (const std::string out : {"map.toml", "link.toml", "/dev/null"})
    expect_refused(bench.bristle({"invert", "map.toml", "--out", out}), no_file, {out});
  EXPECT_EQ(bench.text("map.toml"), map);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

// JSON is in UTF-8, whatever the file is called.
TEST(Json, NamesAFileWhoseNameIsInLatin1) {
  const Bench bench;
  fs::copy_file(BRISTLE_EXPERIMENTS "/t_1_7_maxwell_slip.toml", bench.path("s\xb5.toml"));
  for (const Words& words :
       {Words{"invert", "s\xb5.toml", "--json"}, {"loop", "s\xb5.toml", "--json"}}) {
    const Outcome outcome = bench.bristle(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.json().at("file"), "s\xc2\xb5.toml");
  }
}

// Adaptive quadrature would divide a step of the patch into a thousand million pieces.
TEST(Run, EndsWhereAPatchChangesTooFast) {
  const Bench bench;
  bench.write("patch.toml",
              "[model]\nname = \"dahl\"\n[mechanism]\nname = \"rolling_patch\"\n"
              "transport_table = [1e300]\n[solve]\nend = 10.0\nsamples = 51\n");
  const Outcome run = bench.bristle({"run", "patch.toml", "--no-figures", "--out", "r"});
  EXPECT_TRUE(run.code == bad_input || run.code == 4) << run.code << run.err;
}

// Versions of the libraries for these files crash on them.
TEST(Fit, NamesADamagedFileWhateverALibraryMakesOfIt) {
  const Bench bench;
  for (const std::string name : {"attribute.mat", "structure.mat"}) {
    const Outcome run =
        bench.bristle({"fit", BRISTLE_DAMAGED "/" + name, "--model", "coulomb", "--time", "time",
                       "--position", "position", "--force", "force", "--starts", "1"});
    if (run.code != 0) expect_refused(run, bad_input, {name.substr(0, name.find('.'))});
  }
}

// The acceleration is force over mass, and no state of the run.
TEST(Run, IsNotDoneWithAColumnThatIsNotFinite) {
  const Bench bench;
  bench.write("rig.toml",
              "[model]\nname = \"ffbm\"\n[mechanism]\nname = \"rig\"\npad_mass = 5e-324\n"
              "[initial]\nstate = 0.5\n[solve]\nmethod = \"coupled\"\nstep = 0.004\nend = 0.4\n"
              "samples = 21\n");
  const Outcome run = bench.bristle({"run", "rig.toml", "--no-figures", "--out", "r"});
  EXPECT_EQ(run.code, 4) << run.out;
  EXPECT_PRED2(contains, run.err, "not finite");
}

TEST(Run, EndsWhereStepsAreTooShortForNumbers) {
  const Bench bench;
  bench.write("brief.toml", stick_slip);
  for (const char* end : {"solve.end=1e-308", "solve.end=5e-324"})
    EXPECT_EQ(bench.bristle({"run", "brief.toml", "--set", end, "--no-figures", "--out", "r"}).code,
              4);
}

TEST(Run, RefusesAFigureWhoseNameIsACommand) {
  const Bench bench;
  for (const std::string name : {"|touch ran", "<touch ran", "`touch ran`", "a/b", ".."}) {
    bench.write("x.toml", stick_slip + "[[figure]]\nname = '" + name + "'\n");
    expect_refused(bench.bristle({"run", "x.toml", "--out", "r"}), bad_input, {"x.toml:11: name"});
  }
  EXPECT_EQ(bench.files(), Names{"x.toml"});
}

TEST(Run, RefusesASectionThatNothingReads) {
  const Bench bench;
  bench.write("x.toml", stick_slip + "[bode]\n\"<script>\" = 1\n");
  expect_refused(bench.bristle({"run", "x.toml", "--out", "r"}), bad_input,
                 {"x.toml:11: [bode] has no meaning"});
}

}  // namespace
}  // namespace bristle::test::safety_test
