// SPDX-License-Identifier: MIT
// Results are written whole or not at all, whatever happens.
#include <sys/mount.h>

#include <cerrno>
#include <cstring>

#include "cli/program.hpp"
#include "sanitized.hpp"

namespace bristle::test::output_test {
namespace {

using Names = std::set<std::string>;
constexpr int bad_input = 2, file_trouble = 3, run_failed = 4, interrupted = 130;

// A run of some minutes.
Words long_run(const std::string& out) {
  return {"run",
          "slide.toml",
          "--no-figures",
          "--set",
          "solve.end=1e6",
          "--set",
          "solve.step_limit=1e12",
          "--out",
          out};
}

Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A file system of 64 kB, as long as it lives.
class TinyDisk {
 public:
  explicit TinyDisk(std::string place) : place_(std::move(place)) {
    fs::create_directory(place_);
    there_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=128k") == 0;
    why_ = std::strerror(errno);
  }
  ~TinyDisk() {
    if (there_) ::umount2(place_.c_str(), MNT_DETACH);
  }
  bool there() const { return there_; }
  const std::string& why() const { return why_; }

 private:
  std::string place_, why_;
  bool there_ = false;
};

TEST(Output, IsRefusedWhereItCannotBeWritten) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  for (const std::string out : {"/proc/x", "slide.toml/x", "slide.toml", "/dev/full"})
    expect_refused(bench.bristle({"run", "slide.toml", "--no-figures", "--out", out}), file_trouble,
                   {out});
  EXPECT_EQ(bench.files(), Names{"slide.toml"});
  EXPECT_EQ(bench.text("slide.toml"), stick_slip);
}

TEST(Output, IsRefusedBeforeALongRunBegins) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  Process process(bench.root(), long_run("slide.toml/x"));
  ASSERT_TRUE(process.ends_within(std::chrono::seconds(4)));
  expect_refused(process.outcome(), file_trouble, {"slide.toml/x"});
}

TEST(Output, NeverReplacesADirectoryOfOtherFiles) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  fs::create_directory(bench.path("thesis"));
  bench.write("thesis/chapter.tex", "precious");
  const Words words{"run", "slide.toml", "--no-figures", "--out", "thesis"};
  expect_refused(bench.bristle(words), file_trouble, {"thesis: "});
  // Nor if another program has left a summary there.
  bench.write("thesis/summary.json", "{\"pages\": 120}");
  expect_refused(bench.bristle(words), file_trouble, {"thesis: "});
  EXPECT_EQ(bench.files(), (Names{"slide.toml", "thesis"}));
  EXPECT_EQ(bench.names("thesis"), (Names{"chapter.tex", "summary.json"}));
}

TEST(Output, LeavesNothingBehindOnAFullDisk) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const TinyDisk disk(bench.path("disk"));
  if (!disk.there()) GTEST_SKIP() << "cannot mount a small file system: " << disk.why();
  const Outcome run = bench.bristle({"run", "slide.toml", "--no-figures", "--out", "disk/result"});
  expect_refused(run, file_trouble, {"disk/result/trajectory.csv", "No space left"});
  EXPECT_EQ(bench.names("disk"), Names{});
}

TEST(Output, KeepsEarlierResultsOnAFullDisk) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const TinyDisk disk(bench.path("disk"));
  if (!disk.there()) GTEST_SKIP() << "cannot mount a small file system: " << disk.why();
  const Words words{"run", "slide.toml", "--no-figures", "--out", "disk/result"};
  ASSERT_EQ(bench.bristle(with(words, {"--set", "solve.samples=50"})).code, 0);
  const std::string before = bench.text("disk/result/trajectory.csv");
  EXPECT_EQ(bench.bristle(words).code, file_trouble);
  EXPECT_EQ(bench.text("disk/result/trajectory.csv"), before);
  EXPECT_EQ(bench.names("disk"), Names{"result"});
}

TEST(Output, LeavesNothingBehindAtALimitOfFileSize) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run =
      bench.bristle({"run", "slide.toml", "--no-figures", "--out", "result"}, {.file_size = 16384});
  expect_refused(run, file_trouble, {"trajectory.csv", "too large"});
  EXPECT_EQ(bench.files(), Names{"slide.toml"});
}

TEST(Output, ThatCannotBePrintedIsAnError) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  for (const Words& words :
       {Words{"models"}, Words{"models", "--json"}, Words{"completion", "bash"},
        Words{"run", "slide.toml", "--no-figures"}}) {
    const Outcome run = bench.bristle(words, {.standard_output = "/dev/full"});
    EXPECT_EQ(run.code, file_trouble) << words[0];
    EXPECT_EQ(run.err, "bristle: the standard output cannot be written\n");
  }
}

TEST(Memory, ThatIsTooLittleIsReportedInASentence) {
  if (sanitized) GTEST_SKIP() << "the address sanitizer needs more memory than the limit";
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run = bench.bristle(
      {"run", "slide.toml", "--no-figures", "--set", "solve.samples=1e8", "--out", "result"},
      {.memory = rlim_t(1) << 30});
  expect_refused(run, bad_input,
                 {"slide.toml: solve: samples need", "of memory, there are 1.07 GB"});
  EXPECT_EQ(bench.files(), Names{"slide.toml"});
}

TEST(Run, LeavesNothingBehindWhenInterrupted) {
  if (without_sundials()) GTEST_SKIP() << "this program was built without SUNDIALS";
  for (const std::string method : {"rosenbrock", "cvode", "coupled", "bristle_only"})
    for (const int number : {SIGINT, SIGTERM}) {
      const Bench bench;
      bench.write("slide.toml", stick_slip);
      Process process(bench.root(), with(long_run("result"), {"--method", method}));
      process.signal(number);
      ASSERT_TRUE(process.ends_within(std::chrono::seconds(10))) << method;
      expect_refused(process.outcome(), interrupted, {"interrupted"});
      EXPECT_EQ(bench.files(), Names{"slide.toml"}) << method;
    }
}

TEST(Run, KeepsEarlierResultsWhenItFails) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Words words{"run", "slide.toml", "--no-figures", "--out", "result"};
  ASSERT_EQ(bench.bristle(words).code, 0);
  const std::string table = bench.text("result/trajectory.csv");
  const std::string summary = bench.text("result/summary.json");
  const auto expect_kept = [&](const char* after) {
    EXPECT_TRUE(bench.text("result/trajectory.csv") == table) << after;
    EXPECT_TRUE(bench.text("result/summary.json") == summary) << after;
  };

  EXPECT_EQ(bench.bristle(with(words, {"--set", "model.stiffness=-1"})).code, 2);
  expect_kept("bad input");

  Process process(bench.root(), long_run("result"));
  process.signal(SIGINT);
  EXPECT_EQ(process.outcome().code, interrupted);
  expect_kept("an interrupt");
  EXPECT_EQ(bench.files(), (Names{"result", "slide.toml"}));

  EXPECT_EQ(bench.bristle(with(words, {"--set", "solve.step_limit=10"})).code, run_failed);
  expect_kept("a run that did not reach its end");
}

TEST(Run, SaysWhenItDidNotReachItsEnd) {
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  const Outcome run =
      bench.bristle({"run", "slide.toml", "--no-figures", "--set", "solve.step_limit=10"});
  EXPECT_EQ(run.code, run_failed);
  EXPECT_PRED2(begins, run.err, "bristle: slide.toml: step limit reached at t = ");
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1);
}

}  // namespace
}  // namespace bristle::test::output_test
