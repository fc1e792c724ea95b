// SPDX-License-Identifier: MIT
// Tables as engineers have them: preambles, several header rows, decimal commas, other encodings,
// compressed, from MATLAB and HDF5.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <sstream>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/measurement.hpp"
#include "io/support.hpp"
#ifdef BRISTLE_HDF5
#include <hdf5.h>
#endif

namespace bristle::io::table_files_test {
namespace {

using test::begins;
using test::contains;
using test::refusal;
using test::TemporaryDirectory;
using Names = std::vector<std::string>;
using Numbers = std::vector<double>;

struct Opened {
  Table table;
  Names notes;
};

Opened open(const std::string& name, const std::string& bytes, long skip = 0) {
  const TemporaryDirectory dir;
  const auto rows = open_table(dir.write(name, bytes), skip);
  Opened o{table_of(*rows), {}};
  for (std::string note : rows->notes()) o.notes.push_back(note.substr(note.find(": ") + 2));
  return o;
}
Opened csv(const std::string& text, long skip = 0) { return open("data.csv", text, skip); }

std::string refused(const std::string& name, const std::string& bytes) {
  const TemporaryDirectory dir;
  const std::string path = dir.write(name, bytes);
  const std::string said = refusal<InputError>([&] { table_of(*open_table(path)); });
  const auto at = said.find(name);
  return at == said.npos ? said : said.substr(at);
}
std::string refused(const std::string& text) { return refused("data.csv", text); }

TEST(TableFile, SkipsWhatStandsBeforeTheTableAndSaysSo) {
  const Opened o =
      csv("Test bench 4\nOperator;Miller;late shift\n\nRate;1000\nt;x;F\n0;1;2\n0.5;2;3\n1;3;5\n");
  EXPECT_EQ(o.table.names, (Names{"t", "x", "F"}));
  EXPECT_EQ(o.table.columns[2], (Numbers{2.0, 3.0, 5.0}));
  ASSERT_EQ(o.notes.size(), 1u);
  EXPECT_EQ(o.notes[0], "3 lines before the table were skipped, the last is 4");
}

TEST(TableFile, SkipsALineWithANumberAboveAHeaderOfWords) {
  const Opened o = csv("Logger;;\nChannels;3;\nt;x;F\n0;1;2\n0.5;2;3\n");
  EXPECT_EQ(o.table.names, (Names{"t", "x", "F"}));
  EXPECT_EQ(o.table.columns[2], (Numbers{2.0, 3.0}));
  ASSERT_EQ(o.notes.size(), 1u);
  EXPECT_EQ(o.notes[0], "2 lines before the table were skipped, the last is 2");
}

TEST(TableFile, ReadsLinesThatEndWithACarriageReturnAlone) {
  const Opened o = csv("t,x,F\r0,1,2\r0.5,2,3\r");
  EXPECT_EQ(o.table.names, (Names{"t", "x", "F"}));
  EXPECT_EQ(o.table.columns[2], (Numbers{2.0, 3.0}));
  EXPECT_PRED2(begins, refused("t,x,F\r0,1,2\r0.5,2\r"), "data.csv:3: has 2 values");
}

TEST(TableFile, KeepsNumberedNamesAndErrorsOfSpreadsheetsInTheirCells) {
  const Opened o = csv("# bench 4\nt,cell #1,cell #2 # both in N\n0,1,2# zero\n1,2,3\n");
  EXPECT_EQ(o.table.names, (Names{"t", "cell #1", "cell #2"}));
  EXPECT_EQ(o.table.columns[2], (Numbers{2.0, 3.0}));
  EXPECT_PRED2(begins, refused("t,x,F\n0,#DIV/0!,2\n1,2,3\n"),
               "data.csv:2: '#DIV/0!' in column 'x' is not a finite number");
}

TEST(TableFile, NeverSkipsARowOfNumbers) {
  // A row that is too short is refused, wherever it stands, and so is one above the others.
  EXPECT_PRED2(begins, refused("t,x,F\n0,1,2\n1,2\n2,3,4\n3,4,5\n"), "data.csv:3: has 2 values");
  EXPECT_PRED2(begins, refused("title\nt,x,F\n0,1\n1,2,3\n2,3,4\n"), "data.csv:2: has 3 values");
  EXPECT_PRED2(begins, refused("t,x,F,\n0,1,2\n1,2,3\n"), "data.csv:2: has 3 values");
  EXPECT_PRED2(begins, refused("title\n0,1,2\n1,2\n"), "data.csv:3: has 2 values");
}

TEST(TableFile, SkipsTheNumberOfLinesAskedFor) {
  const std::string text = "Range;0;10\nt;x;F\n0;1;2\n";
  EXPECT_PRED2(begins, refused(text), "data.csv:1: 'Range'");
  EXPECT_EQ(csv(text, 1).table.names, (Names{"t", "x", "F"}));
  const TemporaryDirectory dir;
  const std::string path = dir.write("data.csv", text);
  EXPECT_PRED2(contains, refusal<InputError>([&] { open_table(path, 9); }),
               "has 3 lines, --skip 9 leaves none");
}

TEST(TableFile, JoinsSeveralHeaderRowsColumnByColumn) {
  const Opened o = csv("Motor,,Load,\npos,vel,pos,vel\nrad,rad/s,rad,rad/s\n1,2,3,4\n");
  EXPECT_EQ(o.table.names, (Names{"Motor pos", "Motor vel", "Load pos", "Load vel"}));
  EXPECT_EQ(o.table.units, (Names{"rad", "rad/s", "rad", "rad/s"}));
  EXPECT_EQ(o.table.columns[3], (Numbers{4.0}));
  ASSERT_EQ(o.notes.size(), 1u);
  EXPECT_EQ(o.notes[0], "the names of columns are joined from 2 header rows");
}

TEST(TableFile, RefusesARowOfUnitsWithOneThatIsNotKnown) {
  EXPECT_EQ(refused("t,x,F\ns,furlong,N\n0,1,2\n"),
            "data.csv:2: looks like a row of units, but 'furlong' is no unit that is known");
}

TEST(TableFile, TakesNamesFromACommentAboveTheNumbers) {
  const Opened o = csv("# written by savetxt\n# t, x, F\n0,1,2\n1,2,3\n");
  EXPECT_EQ(o.table.names, (Names{"t", "x", "F"}));
  EXPECT_EQ(csv("# three words, no more\n0,1,2\n").table.names, (Names{"1", "2", "3"}));
}

TEST(TableFile, FindsColumnsByTheirNumberToo) {
  const TemporaryDirectory dir;
  const auto m = read_measurement({dir.write("data.csv", "when,where,pull\n0,1,2\n1,2,4\n")},
                                  {.time = "1", .position = "2:mm", .force = "3"});
  EXPECT_EQ(m.records[0].force, (Numbers{2.0, 4.0}));
  EXPECT_EQ(m.columns[1].words(), "position: column \"where\" in mm, read as m (factor 0.001)");
}

TEST(TableFile, ReadsDecimalCommasBetweenSemicolonsTabsAndBlanks) {
  for (const char* separator : {";", "\t", "   "}) {
    std::string text;
    for (const char* row : {"t|x|F", "0|1|-2,5", "0,5|2,25e1|+3"}) {
      for (const char* c = row; *c; ++c) text += *c == '|' ? separator : std::string(1, *c);
      text += "\r\n";
    }
    const Table table = csv(text).table;
    EXPECT_EQ(table.names, (Names{"t", "x", "F"})) << separator;
    EXPECT_EQ(table.columns[0], (Numbers{0.0, 0.5})) << separator;
    EXPECT_EQ(table.columns[1], (Numbers{1.0, 22.5})) << separator;
    EXPECT_EQ(table.columns[2], (Numbers{-2.5, 3.0})) << separator;
  }
}

TEST(TableFile, RefusesPointsAndCommasInOneTable) {
  EXPECT_EQ(refused("t;x\n0;1,5\n1;1.234\n"),
            "data.csv:3: '1.234' in column 'x' is not a finite number, numbers above it have "
            "decimal commas");
  EXPECT_PRED2(contains, refused("t;x\n0.5;1\n1;1,5\n"), "numbers above it have decimal points");
  EXPECT_PRED2(contains, refused("t;x\n0;1\n1;1.234,5\n"), "'1.234,5'");
  EXPECT_PRED2(contains, refused("t,x\n0,1,1,5\n"),
               "decimal commas cannot be distinguished from commas");
  EXPECT_PRED2(contains, refused("t,x\n0,\"1,5\"\n"), "separated by semicolons, tabs or blanks");
}

// The text in UTF-16, the letter mu and a letter beyond U+FFFF among it.
std::string utf16(const std::u16string& text, bool little, bool mark) {
  std::string bytes;
  for (const char16_t c : (mark ? u"\xFEFF" : u"") + text) {
    const char low = char(c & 0xFF), high = char(c >> 8);
    bytes += little ? low : high;
    bytes += little ? high : low;
  }
  return bytes;
}

TEST(TableFile, ConvertsUtf16WithAndWithoutItsMark) {
  const std::u16string text = u"t,x [\u00B5m],\U0001D465\r\n0,1,2\r\n1,2,3\r\n";
  for (const bool little : {true, false})
    for (const bool mark : {true, false}) {
      const Table table = csv(utf16(text, little, mark)).table;
      EXPECT_EQ(table.names, (Names{"t", "x [µm]", "\xF0\x9D\x91\xA5"}));
      EXPECT_EQ(table.columns[2], (Numbers{2.0, 3.0}));
    }
  EXPECT_PRED2(contains, refused(utf16(u"t,x\n0,1\n", true, true) + "1"), "half a character");
  // A half of a pair alone.
  EXPECT_EQ(csv(utf16(u"t,\xD835x\n0,1\n", true, true)).table.names[1], "\xEF\xBF\xBDx");
}

TEST(TableFile, ReadsALongTableInUtf16InBlocks) {
  std::u16string text = u"t,x\n";
  for (int i = 0; i < 30000; ++i) text += u"1.25,-2.5\n";
  const Table table = csv(utf16(text, true, true)).table;
  ASSERT_EQ(table.columns[1].size(), 30000u);
  EXPECT_EQ(table.columns[1].back(), -2.5);
}

TEST(TableFile, NamesZeroBytesWithTheirPlace) {
  EXPECT_EQ(refused(std::string("t,x\n0,1\n1,\0\0\n", 14)),
            "data.csv:3: holds a byte of value 0 (NUL) in place 3 of the line: this is no table of "
            "text, or a file that was not written to its end");
}

TEST(TableFile, NamesFilesThatAreNoTables) {
  const std::pair<std::string, std::string> cases[]{
      {"PK\3\4 and more", "a spreadsheet (.xlsx, .ods)"},
      {"\xD0\xCF\x11\xE0 and more", "an old Office document"},
      {"TDSm and more", "LabVIEW measurement"},
      {"MDF     4.10", "ASAM measurement"},
      {std::string("SQLite format 3\0", 16), "SQLite database"},
      {"%PDF-1.7", "PDF document"},
      {"BZh91AY", "bzip2"},
      {std::string("\xFF\xFE\0\0t\0\0\0", 8), "UTF-32"}};
  for (const auto& [bytes, words] : cases) {
    EXPECT_PRED2(begins, refused(bytes), "data.csv: is ");
    EXPECT_PRED2(contains, refused(bytes), words);
  }
}

#ifdef BRISTLE_ZLIB
// "t,x,F\n0,1,2\n0.5,2,3\n", written by the gzip module of Python.
const std::string packed(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\xd1\xa9\xd0\x71\xe3\x32\xd0\x31\xd4\x31\xe2\x32"
    "\xd0\x33\xd5\x31\xd2\x31\xe6\x02\x00\x05\x80\xe7\x7a\x14\x00\x00\x00",
    40);

TEST(TableFile, UnpacksGzip) {
  const Table table = open("data.csv.gz", packed).table;
  EXPECT_EQ(table.names, (Names{"t", "x", "F"}));
  EXPECT_EQ(table.columns[0], (Numbers{0.0, 0.5}));
  // The name does not matter, and zeros behind the end are padding.
  EXPECT_EQ(open("data.csv", packed + std::string(600, '\0')).table.columns[2],
            (Numbers{2.0, 3.0}));
}

TEST(TableFile, RefusesDamagedGzip) {
  EXPECT_PRED2(contains, refused("a.gz", packed.substr(0, 30)), "was cut off");
  std::string broken = packed;
  broken[14] = char(broken[14] ^ 0x55), broken[20] = char(broken[20] ^ 0x11);
  EXPECT_PRED2(begins, refused("a.gz", broken), "a.gz: ");
  std::string wrong_sum = packed;
  wrong_sum[33] = char(wrong_sum[33] ^ 1);
  EXPECT_PRED2(contains, refused("a.gz", wrong_sum), "is damaged");
  EXPECT_PRED2(contains, refused("a.gz", packed + "more"), "is damaged");
}
#else
TEST(TableFile, RefusesGzipWithoutZlib) {
  EXPECT_PRED2(contains, refused("a.gz", "\x1f\x8b\x08"), "built without zlib");
}
#endif

// MATLAB's version 5, written element by element from its documented format.
class Mat5 {
 public:
  Mat5() {
    bytes_ = "MATLAB 5.0 MAT-file, for a test";
    bytes_.resize(124, ' ');
    put<std::uint16_t>(0x0100);
    bytes_ += "IM";
  }
  Mat5& matrix(const std::string& name, std::int32_t rows, std::int32_t columns,
               const Numbers& values) {
    bytes_ += matrix_element(name, rows, columns, values);
    return *this;
  }
  Mat5& structure(const std::string& name,
                  const std::vector<std::pair<std::string, Numbers>>& all) {
    std::string body = flags(2) + dimensions(1, 1) + text_element(name);
    const auto word = [&](std::uint32_t x) { body.append(reinterpret_cast<char*>(&x), 4); };
    word(4u << 16 | 5u), word(8u);  // names of eight letters
    std::string names;
    for (const auto& [field, values] : all) names += (field + std::string(8, '\0')).substr(0, 8);
    body += element(1, names);
    for (const auto& [field, values] : all)
      body += matrix_element("", std::int32_t(values.size()), 1, values);
    bytes_ += element(14, body);
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  template <class T>
  void put(T x) {
    bytes_.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  static std::string element(std::uint32_t type, std::string data) {
    const std::uint32_t head[2]{type, std::uint32_t(data.size())};
    data.resize((data.size() + 7) / 8 * 8, '\0');
    return std::string(reinterpret_cast<const char*>(head), 8) + data;
  }
  static std::string flags(std::uint32_t kind) {
    const std::uint32_t words[2]{kind, 0};
    return element(6, std::string(reinterpret_cast<const char*>(words), 8));
  }
  static std::string dimensions(std::int32_t rows, std::int32_t columns) {
    const std::int32_t words[2]{rows, columns};
    return element(5, std::string(reinterpret_cast<const char*>(words), 8));
  }
  static std::string text_element(const std::string& text) { return element(1, text); }
  static std::string matrix_element(const std::string& name, std::int32_t rows,
                                    std::int32_t columns, const Numbers& values) {
    return element(14, flags(6) + dimensions(rows, columns) + text_element(name) +
                           element(9, std::string(reinterpret_cast<const char*>(values.data()),
                                                  8 * values.size())));
  }
  std::string bytes_;
};

#ifdef BRISTLE_MATIO
TEST(TableFile, ReadsVectorsMatricesAndStructuresOfMatlab) {
  const std::string file = Mat5()
                               .matrix("t", 3, 1, {0.0, 0.5, 1.0})
                               .matrix("x", 1, 3, {1.0, 2.0, 4.0})
                               .matrix("m", 3, 2, {1.0, 2.0, 3.0, 4.0, 5.0, 6.0})
                               .matrix("gain", 1, 1, {7.0})
                               .structure("log", {{"force", {-1.0, -2.0, -3.0}}})
                               .bytes();
  const Opened o = open("data.mat", file);
  EXPECT_EQ(o.table.names, (Names{"t", "x", "m_1", "m_2", "log.force"}));
  EXPECT_EQ(o.table.columns[1], (Numbers{1.0, 2.0, 4.0}));
  EXPECT_EQ(o.table.columns[3], (Numbers{4.0, 5.0, 6.0}));
  EXPECT_EQ(o.table.columns[4], (Numbers{-1.0, -2.0, -3.0}));
  ASSERT_EQ(o.notes.size(), 1u);
  EXPECT_EQ(o.notes[0], "the table has 3 rows; left out are columns of another length: gain (1)");
  // Rows are wide matrices read along their longer side.
  EXPECT_EQ(open("w.mat", Mat5().matrix("w", 2, 3, {1, 2, 3, 4, 5, 6}).bytes()).table.columns[1],
            (Numbers{2.0, 4.0, 6.0}));
}

TEST(TableFile, RefusesMatlabFilesThatAreCutOffOrHoldNothing) {
  const std::string file = Mat5().matrix("t", 3, 1, {0.0, 0.5, 1.0}).bytes();
  for (std::size_t length = 128; length < file.size(); length += 8)
    EXPECT_PRED2(begins, refused("data.mat", file.substr(0, length)), "data.mat: ") << length;
  EXPECT_PRED2(contains, refused("data.mat", Mat5().bytes()), "holds no columns of numbers");
  EXPECT_PRED2(contains, refused("data.mat", Mat5().matrix("t", 2000000000, 2, {1.0, 2.0}).bytes()),
               "more than are read");
}

TEST(TableFile, FitsColumnsOfAMatlabFile) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("data.mat", Mat5()
                                                     .matrix("time", 2, 1, {0, 1})
                                                     .matrix("angle_deg", 2, 1, {0, 180})
                                                     .matrix("torque", 2, 1, {3, 4})
                                                     .bytes());
  const auto m = read_measurement({path}, {});
  EXPECT_DOUBLE_EQ(m.records[0].position[1], 3.14159265358979312);
  EXPECT_EQ(m.units.force, "N m");
}
#else
TEST(TableFile, RefusesMatlabFilesWithoutLibmatio) {
  EXPECT_PRED2(contains, refused("data.mat", Mat5().bytes()), "built without libmatio");
}
#endif

#ifdef BRISTLE_HDF5
// A file with vectors, a matrix, a group, a table and a link to another file.
std::string hdf5_file(const TemporaryDirectory& dir, const std::string& name, bool matlab = false) {
  const std::string path = dir.path(name);
  const hid_t list = H5Pcreate(H5P_FILE_CREATE);
  if (matlab) H5Pset_userblock(list, 512);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, list, H5P_DEFAULT);
  const auto set = [&](const char* at, std::vector<hsize_t> size, const std::vector<float>& data,
                       const char* unit) {
    const hid_t space = H5Screate_simple(int(size.size()), size.data(), nullptr);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t d = H5Dcreate(file, at, H5T_NATIVE_FLOAT, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(d, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data());
    if (unit) {
      const hid_t type = H5Tcopy(H5T_C_S1);
      H5Tset_size(type, std::strlen(unit) + 1);
      const hid_t scalar = H5Screate(H5S_SCALAR);
      const hid_t a = H5Acreate(d, "units", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
      H5Awrite(a, type, unit);
      H5Aclose(a), H5Sclose(scalar), H5Tclose(type);
    }
    H5Dclose(d), H5Pclose(links), H5Sclose(space);
  };
  set("t", {3}, {0.0f, 0.5f, 1.0f}, "s");
  set("axis/x", {3}, {1.0f, 2.0f, 4.0f}, "mm");
  // MATLAB writes matrices on their side.
  set("m", {2, 3}, {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f}, nullptr);
  set("gain", {1}, {7.0f}, nullptr);
  struct Row {
    int count;
    double force;
  } rows[3]{{1, -1.0}, {2, -2.0}, {3, -3.0}};
  const hsize_t three = 3;
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(Row)),
              space = H5Screate_simple(1, &three, nullptr);
  H5Tinsert(type, "count", HOFFSET(Row, count), H5T_NATIVE_INT);
  H5Tinsert(type, "force", HOFFSET(Row, force), H5T_NATIVE_DOUBLE);
  const hid_t d = H5Dcreate(file, "log", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
  H5Lcreate_external("/etc/passwd", "/x", file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file, "/", file, "again", H5P_DEFAULT, H5P_DEFAULT);
  H5Dclose(d), H5Sclose(space), H5Tclose(type), H5Fclose(file), H5Pclose(list);
  return path;
}

TEST(TableFile, ReadsVectorsGroupsAndTablesOfHdf5) {
  const TemporaryDirectory dir;
  // The file holds itself, and a link to another one: neither is followed.
  const auto rows = open_table(hdf5_file(dir, "data.h5"));
  EXPECT_EQ(rows->names(), (Names{"axis.x", "log.count", "log.force", "m_1", "m_2", "t"}));
  EXPECT_EQ(rows->units(), (Names{"mm", "", "", "", "", "s"}));
  const Table table = table_of(*rows);
  EXPECT_EQ(table.columns[0], (Numbers{1.0, 2.0, 4.0}));
  EXPECT_EQ(table.columns[1], (Numbers{1.0, 2.0, 3.0}));
  EXPECT_EQ(table.columns[2], (Numbers{-1.0, -2.0, -3.0}));
  EXPECT_EQ(table.columns[4], (Numbers{4.0, 5.0, 6.0}));
  ASSERT_EQ(rows->notes().size(), 1u);
  EXPECT_PRED2(contains, rows->notes()[0], "gain (1)");
}

TEST(TableFile, ReadsMatlab73AsHdf5) {
  const TemporaryDirectory dir;
  const std::string path = hdf5_file(dir, "data.mat", true);
  std::string bytes = dir.text("data.mat");
  bytes.replace(0, 19, "MATLAB 7.3 MAT-file");
  const auto m = read_measurement({dir.write("data.mat", bytes)}, {.position = "axis.x"});
  EXPECT_DOUBLE_EQ(m.records[0].position[2], 4e-3);
  EXPECT_EQ(m.records[0].force, (Numbers{-1.0, -2.0, -3.0}));
}

TEST(TableFile, RefusesHdf5FilesThatAreCutOff) {
  const TemporaryDirectory dir;
  hdf5_file(dir, "data.h5");
  const std::string bytes = dir.text("data.h5");
  for (const double part : {0.01, 0.3, 0.6, 0.9})
    EXPECT_PRED2(begins, refused("cut.h5", bytes.substr(0, std::size_t(part * bytes.size()))),
                 "cut.h5: ")
        << part;
}
#endif

TEST(TableFile, RefusesDamagedHdf5InASentence) {
  EXPECT_PRED2(begins, refused("data.h5", "\x89HDF\r\n\x1A\n and nothing behind it"), "data.h5: ");
}

}  // namespace
}  // namespace bristle::io::table_files_test
