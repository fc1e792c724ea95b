// SPDX-License-Identifier: MIT
#include "bristle/io/csv.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io {
namespace {

using test::begins;
using test::contains;
using test::refusal;
using test::TemporaryDirectory;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

Table table_of(const std::string& text) {
  const TemporaryDirectory dir;
  return read_csv(dir.write("data.csv", text));
}

// The sentence with which a table is refused, without the folder it lies in.
std::string refusal_of(const std::string& text) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("data.csv", text);
  const std::string sentence = refusal<InputError>([&] { read_csv(path); });
  const std::string folder = dir.root().string() + "/";
  return sentence.starts_with(folder) ? sentence.substr(folder.size()) : sentence;
}

TEST(Csv, ReadsColumnsByTheNamesOfTheirHeader) {
  const Table table = table_of("time,force\n0,1.5\n0.5,-2e3\n");
  EXPECT_EQ(table.names, (Names{"time", "force"}));
  EXPECT_EQ(table.column("time", "data.csv"), (Numbers{0.0, 0.5}));
  EXPECT_EQ(table.column("force", "data.csv"), (Numbers{1.5, -2e3}));
}

TEST(Csv, CallsColumnsByTheirNumberWithoutHeader) {
  const Table table = table_of("0,1\n2,3\n");
  EXPECT_EQ(table.names, (Names{"1", "2"}));
  EXPECT_EQ(table.column("2", "data.csv"), (Numbers{1.0, 3.0}));
}

TEST(Csv, ReadsCommasSemicolonsAndTabsAlike) {
  for (const char separator : {',', ';', '\t'}) {
    std::string text = "t|x\n1|2\n";
    for (char& c : text)
      if (c == '|') c = separator;
    const Table table = table_of(text);
    EXPECT_EQ(table.names, (Names{"t", "x"})) << int(separator);
    EXPECT_EQ(table.columns[1], (Numbers{2.0})) << int(separator);
  }
}

TEST(Csv, SkipsCommentsAndEmptyLines) {
  const Table table =
      table_of("# measured in May\n\nt,x # names\n0,1 # first\n   \n# nothing\n1,2\n");
  EXPECT_EQ(table.names, (Names{"t", "x"}));
  EXPECT_EQ(table.columns[1], (Numbers{1.0, 2.0}));
}

TEST(Csv, ReadsSpacesQuotesPlusSignsAndWindowsLineEnds) {
  const Table table = table_of("\"time\", \"x\"\r\n 0 , +1.5 \r\n1,\"2\"\r\n");
  EXPECT_EQ(table.names, (Names{"time", "x"}));
  EXPECT_EQ(table.columns[0], (Numbers{0.0, 1.0}));
  EXPECT_EQ(table.columns[1], (Numbers{1.5, 2.0}));
}

TEST(Csv, ReadsALastLineWithoutLineEnd) {
  EXPECT_EQ(table_of("1,2\n3,4").columns[0], (Numbers{1.0, 3.0}));
}

TEST(Csv, SkipsTheByteOrderMarkOfSpreadsheets) {
  EXPECT_EQ(table_of("\xEF\xBB\xBFtime,x\n0,1\n").names, (Names{"time", "x"}));
  EXPECT_EQ(table_of("\xEF\xBB\xBF"
                     "0,1\n2,3\n")
                .columns[0],
            (Numbers{0.0, 2.0}));
}

TEST(Csv, NamesFileLineAndColumnOfABadCell) {
  const std::string sentence = refusal_of("t,x\n0,1\n1,abc\n");
  EXPECT_PRED2(begins, sentence, "data.csv:3: ");
  EXPECT_PRED2(contains, sentence, "'abc'");
  EXPECT_PRED2(contains, sentence, "column 'x'");
}

TEST(Csv, CountsCommentsAndEmptyLinesInLineNumbers) {
  EXPECT_PRED2(begins, refusal_of("# one\n\nt,x\n\n0,?\n"), "data.csv:5: ");
}

TEST(Csv, RefusesAnEmptyCell) { EXPECT_PRED2(begins, refusal_of("t,x\n0,\n"), "data.csv:2: "); }

TEST(Csv, RefusesABadCellInTheFirstRowOfNumbers) {
  // A row that holds a number is no header: taking it for one would lose it without a word.
  EXPECT_PRED2(begins, refusal_of("0.0,1.O\n1,2\n"), "data.csv:1: ");
}

TEST(Csv, RefusesNumbersThatAreNotFinite) {
  for (const char* cell : {"nan", "NaN", "inf", "-inf", "1e999"}) {
    const std::string sentence = refusal_of(std::string("t,x\n0,1\n1,") + cell + "\n");
    EXPECT_PRED2(begins, sentence, "data.csv:3: ") << cell;
    EXPECT_PRED2(contains, sentence, std::string("'") + cell + "'") << cell;
  }
  EXPECT_PRED2(begins, refusal_of("0,nan\n1,2\n"), "data.csv:1: ");
}

TEST(Csv, RefusesNumbersWithAUnitBehindThem) {
  EXPECT_PRED2(contains, refusal_of("t,x\n0,1 mm\n"), "'1 mm'");
}

TEST(Csv, RefusesRowsOfAnotherLength) {
  EXPECT_PRED2(begins, refusal_of("t,x\n0,1\n2\n"), "data.csv:3: ");
  const std::string sentence = refusal_of("t,x\n0,1,2\n");
  EXPECT_PRED2(begins, sentence, "data.csv:2: ");
  EXPECT_PRED2(contains, sentence, "3 values");
  EXPECT_PRED2(contains, sentence, "2 columns");
}

TEST(Csv, RefusesATableWithoutRows) {
  for (const char* text : {"", "\n\n", "# only words\n", "t,x\n"})
    EXPECT_PRED2(begins, refusal_of(text), "data.csv: ") << text;
}

TEST(Csv, ListsTheColumnsThereAreWhenOneIsMissing) {
  const Table table = table_of("time,force\n0,1\n");
  const std::string sentence = refusal<InputError>([&] { table.column("velocity", "data.csv"); });
  EXPECT_PRED2(contains, sentence, "data.csv");
  EXPECT_PRED2(contains, sentence, "'velocity'");
  EXPECT_PRED2(contains, sentence, "time, force");
}

TEST(Csv, SaysThatAFileIsMissingOrADirectory) {
  const TemporaryDirectory dir;
  EXPECT_PRED2(contains, refusal<FileError>([&] { read_csv(dir.path("none.csv")); }), "none.csv");
  EXPECT_PRED2(contains, refusal<FileError>([&] { read_csv(dir.path(".")); }), "directory");
}

TEST(CsvText, ReadsBackBitForBit) {
  // Random bits give numbers of every size; a fixed seed gives the same ones in every run.
  std::mt19937_64 random(20240607);
  std::vector<double> x{0.0,
                        -0.0,
                        0.1,
                        1.0 / 3.0,
                        1e22,
                        std::numeric_limits<double>::max(),
                        std::numeric_limits<double>::min(),
                        std::numeric_limits<double>::denorm_min()};
  while (x.size() < 20000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) x.push_back(value);
  }
  std::vector<double> time(x.size());
  for (std::size_t i = 0; i < time.size(); ++i) time[i] = 0.1 * double(i);
  const Table table = table_of(csv_text({{"time", time}, {"x", x}}));
  ASSERT_EQ(table.columns[1].size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint64_t>(table.columns[1][i]), std::bit_cast<std::uint64_t>(x[i]))
        << "row " << i << ": " << x[i];
  EXPECT_EQ(table.columns[0], time);
}

TEST(CsvText, WritesTheShortestForm) {
  const std::vector<double> x{0.1, 2.0, 1e-7};
  EXPECT_EQ(csv_text({{"x", x}}), "x\n0.1\n2\n1e-07\n");
}

TEST(CsvText, LeavesCellsOfShorterColumnsEmpty) {
  const std::vector<double> a{1.0, 2.0}, b{3.0};
  EXPECT_EQ(csv_text({{"a", a}, {"b", b}}), "a,b\n1,3\n2,\n");
}

}  // namespace
}  // namespace bristle::io
