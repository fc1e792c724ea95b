// SPDX-License-Identifier: MIT
#include "bristle/io/files.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io {
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
  EXPECT_EQ(dir.names("result"), (Names{"new.csv", "summary.json"}));
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
  EXPECT_EQ(dir.names("result"), (Names{"a.csv"}));
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
  const std::string sentence = refusal<FileError>([&] { out.write("none/a.csv", "1"); });
  EXPECT_PRED2(contains, sentence, dir.path("result") + "/none/a.csv");
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
}  // namespace bristle::io
