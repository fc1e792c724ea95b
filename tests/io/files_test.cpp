// SPDX-License-Identifier: MIT
#include "bristle/io/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::files_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::lacks;
using test::refusal;
using test::TemporaryDirectory;
using Names = std::set<std::string>;

// What the marker of our own result directories looks like.
const std::string our_summary = R"({"cases": [], "provenance": {"bristle": "0.1.0"}})";

TEST(ReadText, ReturnsAllBytes) {
  const TemporaryDirectory dir;
  const std::string text("a\0b\r\n\xff", 6);
  EXPECT_EQ(read_text(dir.write("file", text)), text);
  EXPECT_EQ(read_text(dir.write("empty", "")), "");
}

TEST(ReadText, NamesAFileThatIsMissing) {
  const TemporaryDirectory dir;
  const std::string sentence = refusal<FileError>([&] { read_text(dir.path("none.toml")); });
  EXPECT_PRED2(contains, sentence, dir.path("none.toml"));
  EXPECT_PRED2(contains, sentence, "No such file");
}

TEST(ReadText, RefusesADirectory) {
  const TemporaryDirectory dir;
  EXPECT_PRED2(contains, refusal<FileError>([&] { read_text(dir.root().string()); }), "directory");
}

TEST(ReadText, SaysThatReadingFailed) {
  // Opens, but its first byte cannot be read.
  if (!fs::exists("/proc/self/mem")) GTEST_SKIP() << "needs /proc/self/mem";
  EXPECT_PRED2(contains, refusal<FileError>([] { read_text("/proc/self/mem"); }), "/proc/self/mem");
}

// A file of holes takes no room on the disk.
TEST(ReadText, RefusesAFileOfGigabytesBeforeReadingIt) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("holes.toml", "");
  fs::resize_file(path, std::uintmax_t(5) << 30);
  EXPECT_PRED2(
      contains, refusal<FileError>([&] { read_text(path); }),
      "holes.toml: has 5120 MiB, a file that is read as a whole may have at most 1024 MiB");
}

TEST(WriteText, ReplacesAFileAsAWhole) {
  const TemporaryDirectory dir;
  dir.write("file", "a longer text than the new one");
  write_text(dir.path("file"), "new");
  EXPECT_EQ(dir.text("file"), "new");
  EXPECT_EQ(dir.names(), (Names{"file"}));
}

TEST(WriteText, LeavesNothingBehindWhenItCannotWrite) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("folder"));
  EXPECT_THROW(write_text(dir.path("folder"), "text"), FileError);
  EXPECT_EQ(dir.names(), (Names{"folder"}));
  EXPECT_THROW(write_text(dir.path("none/file"), "text"), FileError);
  EXPECT_EQ(dir.names(), (Names{"folder"}));
}

TEST(WriteText, ReplacesNoDevicePipeOrFolder) {
  const TemporaryDirectory dir;
  ASSERT_EQ(::mkfifo(dir.path("pipe").c_str(), 0600), 0);
  fs::create_directory(dir.path("folder"));
  fs::create_symlink("/dev/null", dir.path("device"));
  for (const std::string name : {"pipe", "folder", "device"})
    EXPECT_PRED2(contains, refusal<FileError>([&] { write_text(dir.path(name), "text"); }),
                 name + ": cannot be written, it is not a file");
  EXPECT_EQ(dir.names(), (Names{"device", "folder", "pipe"}));
  EXPECT_TRUE(fs::is_symlink(dir.path("device")));
}

TEST(OutputFile, IsNoLinkNoDeviceAndNotTheInput) {
  const TemporaryDirectory dir;
  const std::string input = dir.write("input", "precious");
  fs::create_symlink(input, dir.path("link"));
  const auto words = [&](const std::string& name) {
    return refusal<FileError>([&] { check_output_file(name, input); });
  };
  EXPECT_PRED2(contains, words(dir.path("link")), "link: is a symbolic link");
  EXPECT_PRED2(contains, words(input), "input: is the file that is read");
  EXPECT_PRED2(contains, words("/dev/null"), "/dev/null: cannot be written, it is not a file");
  EXPECT_NO_THROW(check_output_file(dir.path("new"), input));
  EXPECT_NO_THROW(check_output_file(dir.write("earlier", "result"), input));
}

TEST(WriteText, NamesTheFileThatWasAskedFor) {
  const TemporaryDirectory dir;
  const std::string sentence =
      refusal<FileError>([&] { write_text(dir.path("none/file"), "text"); });
  EXPECT_PRED2(contains, sentence, dir.path("none/file"));
  EXPECT_PRED2(lacks, sentence, "partial");
}

TEST(ResultDirectory, TakesItsFinalNameOnCommit) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("result"));
  out.write("a.csv", "1");
  EXPECT_FALSE(dir.has("result"));
  out.commit();
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.text("result/a.csv"), "1");
}

TEST(ResultDirectory, CreatesTheFoldersAboveIt) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("a/b/result/"));
  out.commit();
  EXPECT_TRUE(dir.has("a/b/result"));
  EXPECT_EQ(dir.names("a/b"), (Names{"result"}));
}

TEST(ResultDirectory, LeavesNothingBehindWithoutCommit) {
  const TemporaryDirectory dir;
  {
    ResultDirectory out(dir.path("result"));
    out.write("a.csv", "1");
  }
  EXPECT_EQ(dir.names(), (Names{}));
}

TEST(ResultDirectory, ReplacesEarlierResultsAsAWhole) {
  const TemporaryDirectory dir;
  for (const std::string name : {"old.csv", "new.csv"}) {
    ResultDirectory out(dir.path("result"));
    out.write(name, "1");
    out.write(std::string(summary_name), our_summary);
    out.commit();
  }
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.names("result"), (Names{".bristle-files", "new.csv", "summary.json"}));
}

TEST(ResultDirectory, KeepsEarlierResultsWithoutCommit) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("result"));
  dir.write("result/summary.json", our_summary);
  {
    ResultDirectory out(dir.path("result"));
    out.write("summary.json", "half of a new one");
  }
  EXPECT_EQ(dir.text("result/summary.json"), our_summary);
  EXPECT_EQ(dir.names(), (Names{"result"}));
}

TEST(ResultDirectory, FillsAnEmptyDirectory) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("result"));
  ResultDirectory out(dir.path("result"));
  out.write("a.csv", "1");
  out.commit();
  EXPECT_EQ(dir.names("result"), (Names{".bristle-files", "a.csv"}));
}

TEST(ResultDirectory, NeverReplacesADirectoryOfOtherFiles) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("thesis"));
  dir.write("thesis/chapter.tex", "precious");
  const std::string sentence = refusal<FileError>([&] { ResultDirectory out(dir.path("thesis")); });
  EXPECT_PRED2(contains, sentence, "thesis");
  EXPECT_EQ(dir.names(), (Names{"thesis"}));
  EXPECT_EQ(dir.text("thesis/chapter.tex"), "precious");
}

TEST(ResultDirectory, NeverReplacesADirectoryWithASummaryOfAnotherProgram) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("thesis"));
  dir.write("thesis/chapter.tex", "precious");
  dir.write("thesis/summary.json", R"({"pages": 120})");
  EXPECT_THROW(
      {
        ResultDirectory out(dir.path("thesis"));
        out.commit();
      },
      FileError);
  EXPECT_TRUE(dir.has("thesis/chapter.tex"));
}

TEST(ResultDirectory, RefusesTheNameOfAFile) {
  const TemporaryDirectory dir;
  dir.write("file", "precious");
  EXPECT_THROW(ResultDirectory(dir.path("file")), FileError);
  EXPECT_THROW(ResultDirectory(dir.path("file/result")), FileError);
  EXPECT_EQ(dir.text("file"), "precious");
  EXPECT_EQ(dir.names(), (Names{"file"}));
}

TEST(ResultDirectory, RefusesAPlaceThatCannotBeWritten) {
  EXPECT_PRED2(contains, refusal<FileError>([] { ResultDirectory out("/proc/result"); }),
               "/proc/result");
  if (::geteuid() == 0) return;  // root may write everywhere else
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("locked"));
  fs::permissions(dir.path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THROW(ResultDirectory(dir.path("locked/result")), FileError);
  fs::permissions(dir.path("locked"), fs::perms::owner_all);
}

TEST(ResultDirectory, NamesTheFinalPathOfAFileItCannotWrite) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("result"));
  fs::create_directory(out.path("folder"));
  EXPECT_PRED2(contains, refusal<FileError>([&] { out.write("folder", "1"); }),
               dir.path("result") + "/folder");
}

TEST(ResultDirectory, RefusesNamesOutsideOfItself) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("result"));
  for (const std::string name : {"../a.csv", "x/../../a.csv", "/tmp/a.csv", "..", "x/.."})
    EXPECT_THROW(out.write(name, "1"), FileError) << name;
  out.write("x/y/a.csv", "1");
  out.commit();
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.text("result/x/y/a.csv"), "1");
}

TEST(ResultDirectory, GivesEveryNameOnce) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("result"));
  out.write("trajectory.csv", "the result");
  EXPECT_PRED2(contains, refusal<FileError>([&] { out.write("trajectory.csv", "an input"); }),
               "two results");
  out.commit();
  EXPECT_EQ(dir.text("result/trajectory.csv"), "the result");
}

TEST(ResultDirectory, KeepsFilesOfOthersBesideItsResults) {
  const TemporaryDirectory dir;
  const auto fill = [&](const std::string& name) {
    ResultDirectory out(dir.path("result"));
    out.write(name, "ours");
    out.write("sub/" + name, "ours");
    out.write(std::string(summary_name), our_summary);
    out.commit();
  };
  fill("a.csv");
  dir.write("result/notes.txt", "mine");
  dir.write("result/sub/notes.txt", "mine");
  dir.write("result/b.csv", "mine too");
  fill("b.csv");
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.names("result"),
            (Names{".bristle-files", "b.csv", "b.csv.kept", "notes.txt", "sub", "summary.json"}));
  EXPECT_EQ(dir.names("result/sub"), (Names{"b.csv", "notes.txt"}));
  EXPECT_EQ(dir.text("result/b.csv"), "ours");
  EXPECT_EQ(dir.text("result/b.csv.kept"), "mine too");
  EXPECT_EQ(dir.text("result/notes.txt"), "mine");
}

// A process number that no process has.
const std::string dead = "4194999";

TEST(ResultDirectory, RemovesWhatAKilledProcessLeftBehind) {
  const TemporaryDirectory dir;
  for (const std::string& process : {dead, std::to_string(::getpid())}) {
    fs::create_directory(dir.path("result.partial-" + process));
    dir.write("result.partial-" + process + "/stale.csv", "old");
  }
  fs::create_directory(dir.path("result.partial-mine"));
  fs::create_directory(dir.path("result.partial-1"));  // a process that lives
  {
    ResultDirectory out(dir.path("result"));
    out.write("a.csv", "1");
    out.commit();
  }
  EXPECT_EQ(dir.names(), (Names{"result", "result.partial-1", "result.partial-mine"}));
  EXPECT_EQ(dir.names("result"), (Names{".bristle-files", "a.csv"}));
}

TEST(ResultDirectory, RestoresResultsThatAKilledProcessHadMoved) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("result.old-" + dead));
  dir.write("result.old-" + dead + "/summary.json", our_summary);
  dir.write("result.old-" + dead + "/notes.txt", "mine");
  { ResultDirectory look(dir.path("result")); }
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.text("result/notes.txt"), "mine");
}

TEST(ResultDirectory, FollowsNoSymbolicLink) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("elsewhere"));
  dir.write("elsewhere/precious", "precious");
  fs::create_directory_symlink(dir.path("elsewhere"), dir.path("link"));
  EXPECT_PRED2(contains, refusal<FileError>([&] { ResultDirectory out(dir.path("link")); }),
               "symbolic link");
  // Nor one in the place of its temporary directory, of its lock, or among earlier results.
  fs::create_directory_symlink(dir.path("elsewhere"),
                               dir.path("result.partial-" + std::to_string(::getpid())));
  for (int turn = 0; turn < 2; ++turn) {
    ResultDirectory out(dir.path("result"));
    out.write("a.csv", "1");
    out.commit();
    if (turn == 0) fs::create_directory_symlink(dir.path("elsewhere"), dir.path("result/link"));
  }
  EXPECT_EQ(dir.names("elsewhere"), (Names{"precious"}));
  EXPECT_TRUE(fs::is_symlink(dir.path("result/link")));
  fs::create_symlink(dir.path("elsewhere/precious"), dir.path("page.html"));
  write_text(dir.path("page.html"), "page");
  EXPECT_EQ(dir.text("elsewhere/precious"), "precious");
  EXPECT_EQ(dir.text("page.html"), "page");
}

// Long files and large numbers of files are removed in a way of their own.
TEST(ResultDirectory, RemovesALinkThatLooksLikeRemainsAndNotWhatItLeadsTo) {
  const TemporaryDirectory dir;
  fs::create_directory(dir.path("elsewhere"));
  dir.write("elsewhere/long", "");
  fs::resize_file(dir.path("elsewhere/long"), std::uintmax_t(65) << 20);
  for (int i = 0; i < 70; ++i) dir.write("elsewhere/" + std::to_string(i), "precious");
  fs::create_directory_symlink(dir.path("elsewhere"), dir.path("result.partial-" + dead));
  { ResultDirectory out(dir.path("result")); }
  EXPECT_EQ(dir.names(), (Names{"elsewhere"}));
  EXPECT_EQ(dir.names("elsewhere").size(), 71u);
}

TEST(ResultDirectory, RemovesAnyNumberOfFilesAndFolders) {
  const TemporaryDirectory dir;
  const std::string stale = "result.partial-" + dead;
  fs::create_directories(dir.path(stale + "/input"));
  for (int i = 0; i < 500; ++i) dir.write(stale + "/input/" + std::to_string(i), "old");
  dir.write(stale + "/long", "");
  fs::resize_file(dir.path(stale + "/long"), std::uintmax_t(65) << 20);
  { ResultDirectory out(dir.path("result")); }
  EXPECT_EQ(dir.names(), (Names{}));
}

TEST(ResultDirectory, KeepsAFileOfOthersThatHasTheNameOfItsLock) {
  const TemporaryDirectory dir;
  dir.write("a.lock", "mine");
  fs::create_directory(dir.path("b.lock"));
  dir.write("precious", "");
  fs::create_symlink(dir.path("precious"), dir.path("c.lock"));
  ASSERT_EQ(::mkfifo(dir.path("d.lock").c_str(), 0600), 0);
  for (const std::string name : {"a", "b", "c", "d"})
    EXPECT_PRED2(contains, refusal<FileError>([&] { ResultDirectory out(dir.path(name)); }),
                 name + ".lock: is not a lock");
  EXPECT_EQ(dir.names(), (Names{"a.lock", "b.lock", "c.lock", "d.lock", "precious"}));
  EXPECT_EQ(dir.text("a.lock"), "mine");
  // One that a process left which was killed is empty, and is taken over.
  dir.write("e.lock", "");
  { ResultDirectory out(dir.path("e")); }
  EXPECT_FALSE(dir.has("e.lock"));
}

TEST(ResultDirectory, MayBeNamedWithADotBehindIt) {
  const TemporaryDirectory dir;
  ResultDirectory out(dir.path("result/./"));
  out.write("a.csv", "1");
  out.commit();
  EXPECT_EQ(dir.names("result"), (Names{".bristle-files", "a.csv"}));
}

TEST(ResultDirectory, IsTakenInTurns) {
  const TemporaryDirectory dir;
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&, i] {
      ResultDirectory out(dir.path("result"));
      for (int k = 0; k < 20; ++k) out.write(std::to_string(i) + "-" + std::to_string(k), "1");
      out.commit();
    });
  for (auto& one : all) one.join();
  EXPECT_EQ(dir.names(), (Names{"result"}));
  EXPECT_EQ(dir.names("result").size(), 21u);
}

TEST(PlainName, HoldsLettersDigitsAndThreeSigns) {
  for (const char* good : {"a", "figure1", "loop_area-2.x", "_x", "0"})
    EXPECT_TRUE(is_plain_name(good));
  for (const char* bad : {"", ".", "..", ".x", "-x", "a b", "a/b", "a|b", "<a", "a'b", "\xc3\xbc"})
    EXPECT_FALSE(is_plain_name(bad)) << bad;
  EXPECT_FALSE(is_plain_name(std::string(101, 'a')));
  EXPECT_EQ(plain_name("../my data (1).csv"), "my-data--1-.csv");
  EXPECT_TRUE(is_plain_name(plain_name("...")));
}

TEST(Fingerprint, IsFnv1aOf64Bits) {
  EXPECT_EQ(fingerprint(""), "cbf29ce484222325");
  EXPECT_EQ(fingerprint("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(fingerprint("foobar"), "85944171f73967e8");
}

TEST(Fingerprint, ChangesWithEveryLetter) {
  EXPECT_NE(fingerprint("stiffness = 1e5"), fingerprint("stiffness = 1e6"));
  EXPECT_NE(fingerprint("ab"), fingerprint("ba"));
}

}  // namespace
}  // namespace bristle::io::files_test
