// SPDX-License-Identifier: MIT
#include "bristle/io/csv.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <random>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"
#include "sanitized.hpp"

namespace bristle::io::csv_test {
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

TEST(Csv, ReadsCellsInQuotesThatHoldTheSeparator) {
  const Table table = table_of("t,\"x, mm\",\"F, kN\"\n0,\"1\",2\n");
  EXPECT_EQ(table.names, (Names{"t", "x, mm", "F, kN"}));
  EXPECT_EQ(table.columns[2], (Numbers{2.0}));
  EXPECT_EQ(table_of("\"a;b\",c\n1,2\n").names, (Names{"a;b", "c"}));
}

TEST(Csv, KnowsARowOfUnitsUnderTheHeader) {
  for (const char* row : {"s,mm,N", "[s],[mm],[N]", "(s),(mm),(N)"}) {
    const Table table = table_of(std::string("t,x,F\n") + row + "\n0,1,2\n");
    EXPECT_EQ(table.units, (Names{"s", "mm", "N"})) << row;
    EXPECT_EQ(table.columns[0], (Numbers{0.0})) << row;
  }
  EXPECT_EQ(table_of("t,x,n\ns,mm,-\n0,1,2\n").units, (Names{"s", "mm", ""}));
  EXPECT_TRUE(table_of("t,x\n0,1\n").units.empty());
  // A row with a word that is no unit is a row of numbers gone wrong.
  EXPECT_PRED2(begins, refusal_of("t,x\ns,furlong\n0,1\n"), "data.csv:2: ");
  EXPECT_PRED2(begins, refusal_of("t,x\ns,mm\n"), "data.csv: holds no rows");
}

TEST(Csv, RefusesControlCharactersInTheNameOfAColumn) {
  for (const auto& [name, code] : {std::pair{"x\x1b[2J", "U+001B"},
                                   {"x\a", "U+0007"},
                                   {"x\x7f", "U+007F"},
                                   {"x\xc2\x9b", "U+009B"}})
    EXPECT_PRED2(contains, refusal_of(std::string("t,") + name + "\n0,1\n"),
                 std::string(":1: the name of column 2 holds the control character ") + code);
  // Between 0x80 and 0x9f Latin-1 has control characters only.
  EXPECT_EQ(utf8("\xb5\x9b"), "\xc2\xb5\xef\xbf\xbd");
}

TEST(Csv, TakesNamesThatAreNotUtf8AsLatin1) {
  const Table table = table_of("time,Weg [\xb5m]\n0,1\n");
  EXPECT_EQ(table.names[1], "Weg [µm]");
  EXPECT_EQ(utf8("Weg [\xb5m]"), "Weg [µm]");
  EXPECT_EQ(utf8("Weg [µm]"), "Weg [µm]");
  for (const char* broken : {"\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "a\x80"})
    EXPECT_NE(utf8(broken), broken);
}

TEST(Csv, RefusesTwoColumnsOfOneNameWhenOneIsWanted) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("data.csv", "t,x,F,x\n0,1,2,3\n");
  EXPECT_PRED2(contains, refusal<InputError>([&] { read_csv(path, {"x"}); }),
               "columns 2 and 4 are both called 'x'");
  EXPECT_EQ(read_csv(path, {"t", "F"}).columns[2], (Numbers{2.0}));
}

TEST(Csv, KeepsOnlyTheColumnsThatAreNamed) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("data.csv", "t,word,x\n0,many,1\n1,few,2\n");
  const Table table = read_csv(path, {"x"});
  EXPECT_EQ(table.column("x", path), (Numbers{1.0, 2.0}));
  EXPECT_TRUE(table.columns[0].empty());
}

TEST(Csv, RefusesWhatIsNoText) {
  EXPECT_PRED2(contains, refusal_of(std::string("t,x\n0,\0\n", 8)), "byte of value 0");
  EXPECT_PRED2(contains, refusal_of("\xff\xfet"), "UTF-16");
  EXPECT_PRED2(contains, refusal_of("t,x\n" + std::string(std::size_t(5) << 20, '1')),
               "data.csv:2: the line is longer than 4 MiB");
  EXPECT_PRED2(contains, refusal<InputError>([] { read_csv("/dev/zero"); }),
               "/dev/zero:1: the line is longer");
}

TEST(Csv, NeedsMemoryForTheColumnsItKeepsAndLittleMore) {
  if (test::sanitized) GTEST_SKIP() << "the sanitizer keeps what was freed";
  // Twelve columns of 100,000 rows, some 12 MB of text, of which two are kept.
  const TemporaryDirectory dir;
  std::string row, text = "a,b,c,d,e,f,g,h,i,j,k,l\n";
  for (int k = 0; k < 12; ++k) row += std::to_string(1.25 * k) + (k < 11 ? "," : "\n");
  for (int i = 0; i < 100000; ++i) text += row;
  const std::string path = dir.write("large.csv", text);
  text = std::string();
  const std::string small = dir.write("small.csv", "b,k\n1,2\n3,4\n");
  const pid_t child = ::fork();
  if (child == 0) {
    // The pages of the program itself are there once it has read something.
    read_csv(small, {"b", "k"});
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    const Table table = read_csv(path, {"b", "k"});
    ::getrusage(RUSAGE_SELF, &after);
    const double kept = 2.0 * 8.0 * double(table.columns[1].size()) / 1024.0;
    const double grown = double(after.ru_maxrss - before.ru_maxrss);  // [KiB]
    ::_exit(table.columns[1].size() == 100000 && grown < 1.5 * kept + 3072.0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
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
}  // namespace bristle::io::csv_test
