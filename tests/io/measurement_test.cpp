// SPDX-License-Identifier: MIT
#include "bristle/io/measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io {
namespace {

class MeasurementFile : public ::testing::Test {
 protected:
  Measurement read(const std::string& text, const MeasurementChoice& choice = {}) const {
    return read_measurement({folder_.write("data.csv", text)}, choice);
  }
  // What is said, from the name of the file on.
  std::string refusal(const std::string& text, const MeasurementChoice& choice = {}) const {
    const auto said = test::refusal<InputError>([&] { read(text, choice); });
    const auto at = said.find("data.csv");
    return at == said.npos ? said : said.substr(at);
  }

 private:
  test::TemporaryDirectory folder_;
};

TEST_F(MeasurementFile, FindsTheUsualColumns) {
  const auto m = read("time_s,position_m,normal_force_N,friction_force_N\n0,1,5,2\n0.1,2,5,3\n");
  ASSERT_EQ(m.records.size(), 1u);
  EXPECT_EQ(m.records[0].name, "data");
  EXPECT_EQ(m.records[0].time, (std::vector{0.0, 0.1}));
  EXPECT_EQ(m.records[0].force, (std::vector{2.0, 3.0}));
  EXPECT_EQ(m.records[0].load, (std::vector{5.0, 5.0}));
  EXPECT_TRUE(m.records[0].velocity.empty());
  EXPECT_EQ(m.units.force, "N");
}

TEST_F(MeasurementFile, ConvertsNamedUnits) {
  const auto m =
      read("a;b;c\n1;2;3\n2;4;6\n", {.time = "a:ms", .velocity = "b:rpm", .force = "c:mNm"});
  EXPECT_DOUBLE_EQ(m.records[0].time[1], 2e-3);
  EXPECT_DOUBLE_EQ(m.records[0].velocity[0], 2.0 * 2.0 * M_PI / 60.0);
  EXPECT_DOUBLE_EQ(m.records[0].force[1], 6e-3);
  EXPECT_EQ(m.units.way, "rad");
  EXPECT_EQ(m.units.force, "N m");
}

TEST_F(MeasurementFile, ChoosesRowsAndTellsRunsApart) {
  const std::string text = "drive,t,v,F\nA,0,1,2\nA,1,2,3\nB,0,3,4\nB,1,5,6\nC,0,0,0\n";
  const auto all = read(text, {.run = "drive"});
  ASSERT_EQ(all.records.size(), 3u);
  EXPECT_EQ(all.records[1].name, "B");
  EXPECT_EQ(all.records[1].force, (std::vector{4.0, 6.0}));
  const auto one = read(text, {.where = {"drive=B"}, .from = 0.5});
  EXPECT_EQ(one.records[0].force, (std::vector{6.0}));
}

TEST_F(MeasurementFile, LeavesOutRowsWithMissingValuesAndSaysSo) {
  const auto m = read("t,v,F\n0,1,2\n1,,3\n2,nan,4\n3,1,5\n");
  EXPECT_EQ(m.records[0].force, (std::vector{2.0, 5.0}));
  ASSERT_EQ(m.notes.size(), 1u);
  EXPECT_NE(m.notes[0].find("2 rows with missing values were left out"), std::string::npos);
}

TEST_F(MeasurementFile, SaysWhereTimeHasGaps) {
  const auto m = read("t,v,F\n0,1,2\n1,1,3\n2,1,4\n3,1,5\n30,1,5\n");
  ASSERT_EQ(m.notes.size(), 1u);
  EXPECT_NE(m.notes[0].find("1 gap of more than five steps of 1 s, the longest 27 s at 3 s"),
            std::string::npos)
      << m.notes[0];
}

TEST_F(MeasurementFile, RefusesWhatItCannotRead) {
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n1,x,3\n"), "data.csv:3: 'x' in column 'v' is not a number");
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.force = "G"}),
            "data.csv: there is no column 'G' (columns: t, v, F)");
  EXPECT_EQ(refusal("t,v,g\n0,1,2\n"),
            "data.csv: no column looks like a force, name it by --force (columns: t, v, g)");
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.where = {"v=7"}}),
            "data.csv: no row is left after the choice of rows");
  EXPECT_NE(refusal("t,v,F\n0,1,2\n", {.force = "F:uNn"}).find("there is no unit 'uNn'"),
            std::string::npos);
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.where = {"v"}}), "--where v: must read COLUMN=VALUE");
}

}  // namespace
}  // namespace bristle::io
