// SPDX-License-Identifier: MIT
#include "bristle/io/measurement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::measurement_test {
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

TEST_F(MeasurementFile, ReadsUnitsOfTheHeader) {
  const auto m = read("time_ms,position_mm,force_kN\n0,1,2\n10,2,3\n");
  EXPECT_DOUBLE_EQ(m.records[0].time[1], 0.01);
  EXPECT_DOUBLE_EQ(m.records[0].position[1], 2e-3);
  EXPECT_DOUBLE_EQ(m.records[0].force[1], 3e3);
  ASSERT_EQ(m.columns.size(), 3u);
  EXPECT_EQ(m.columns[1].words(),
            "position: column \"position_mm\" in mm, read as m (factor 0.001)");
}

TEST_F(MeasurementFile, ReadsUnitsOfARowUnderTheHeader) {
  const auto m = read("t,x,F\ns,mm,N\n0,1,2\n1,2,3\n");
  EXPECT_DOUBLE_EQ(m.records[0].position[1], 2e-3);
  EXPECT_EQ(m.columns[2].words(), "force: column \"F\" in N");
}

TEST_F(MeasurementFile, FindsUsualNamesBesideTheirUnits) {
  const auto m = read("t/ms;\"x, um\";F [N];n_rpm\n0;1;2;3\n1;2;3;3\n");
  EXPECT_DOUBLE_EQ(m.records[0].position[0], 1e-6);
  EXPECT_TRUE(m.records[0].load.empty());  // a speed is no load
  // Of two forces the one whose unit fits is taken.
  EXPECT_EQ(read("t,x,force [V],force [N]\n0,1,7,2\n").records[0].force[0], 2.0);
}

TEST_F(MeasurementFile, DecidesRotationFromUnitsAndNames) {
  EXPECT_EQ(read("t,x_deg,F\n0,1,2\n").units.force, "N m");
  EXPECT_EQ(read("t,x,F_Nm\n0,1,2\n").units.way, "rad");
  const auto by_name = read("time,angle,torque\n0,1,2\n");
  EXPECT_EQ(by_name.columns[1].words(), "position: column \"angle\", no unit given, read as rad");
  EXPECT_EQ(by_name.units.force, "N m");
  EXPECT_EQ(read("t,x,F\n0,1,2\n").units.way, "m");
}

TEST_F(MeasurementFile, RefusesTranslationMixedWithRotationUnlessAFactorIsGiven) {
  const std::string text = "t,x_mm,F_Nm\n0,1,2\n";
  EXPECT_EQ(refusal(text).substr(0, 50), "data.csv: position is in mm and force in Nm: a tra");
  const auto m = read(text, {.force = "F_Nm:200"});
  EXPECT_EQ(m.units.force, "N");
  EXPECT_DOUBLE_EQ(m.records[0].force[0], 400.0);
}

TEST_F(MeasurementFile, RefusesTheSameDataTwice) {
  const test::TemporaryDirectory folder;
  const std::string one = folder.write("a.csv", "t,v,F\n0,1,2\n"),
                    other = folder.write("b.csv", "t,v,F\n0,1,2\n"),
                    third = folder.write("c.csv", "t,v,F\n0,1,3\n");
  const std::string link = folder.path("link.csv");
  std::filesystem::create_symlink(one, link);
  const auto said = [&](const std::string& second) {
    return test::refusal<InputError>([&] { read_measurement({one, second}, {}); });
  };
  EXPECT_PRED2(test::contains, said(one), "are the same file");
  EXPECT_PRED2(test::contains, said(link), "are the same file");
  EXPECT_PRED2(test::contains, said(other), "have the same content");
  EXPECT_EQ(read_measurement({one, third}, {}).records.size(), 2u);
}

TEST_F(MeasurementFile, RefusesOneColumnForTwoThings) {
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.position = "v", .velocity = "v"}),
            "data.csv: column 'v' cannot be both position and velocity");
}

TEST_F(MeasurementFile, SaysWhatFilesWithOtherUnitsWereReadAs) {
  const test::TemporaryDirectory folder;
  const auto m = read_measurement(
      {folder.write("a.csv", "t,x_mm,F\n0,1,2\n"), folder.write("b.csv", "t,x_um,F\n0,1,2\n")}, {});
  EXPECT_DOUBLE_EQ(m.records[1].position[0], 1e-6);
  ASSERT_EQ(m.notes.size(), 3u);
  EXPECT_PRED2(test::contains, m.notes[1], "b.csv: position: column \"x_um\" in um");
  const auto said = test::refusal<InputError>([&] {
    read_measurement({folder.path("a.csv"), folder.write("c.csv", "t,x_deg,F\n0,1,2\n")}, {});
  });
  EXPECT_PRED2(test::contains, said, "they cannot be fitted together");
}

TEST_F(MeasurementFile, ChoosesRowsAndSeparatesRuns) {
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
  const auto sheet = read("t,v,F\n0,1,2\n1,#DIV/0!,3\n2,#N/A,4\n3,1,5\n");
  EXPECT_EQ(sheet.records[0].force, (std::vector{2.0, 5.0}));
}

TEST_F(MeasurementFile, SaysWhereTimeHasGaps) {
  const auto m = read("t,v,F\n0,1,2\n1,1,3\n2,1,4\n3,1,5\n30,1,5\n");
  ASSERT_EQ(m.notes.size(), 1u);
  EXPECT_NE(m.notes[0].find("1 gap of more than five steps of 1 s, the longest 27 s at 3 s"),
            std::string::npos)
      << m.notes[0];
}

TEST_F(MeasurementFile, FindsTheNamesOfRobots) {
  const auto m = read("t,q,dq,tau\n0,1,2,3\n1,2,3,4\n");
  EXPECT_EQ(m.units.way, "rad");
  EXPECT_EQ(m.records[0].position, (std::vector{1.0, 2.0}));
  EXPECT_EQ(m.records[0].velocity, (std::vector{2.0, 3.0}));
  EXPECT_EQ(m.records[0].force, (std::vector{3.0, 4.0}));
  EXPECT_EQ(read("t [ms],pos [in],F [kip]\n0,1,2\n1,2,3\n").records[0].position[0], 0.0254);
}

TEST_F(MeasurementFile, FindsTheFieldsOfAStructure) {
  const auto m = read("log.t,log.x,log.F\n0,1,2\n1,2,3\n");
  EXPECT_EQ(m.records[0].time, (std::vector{0.0, 1.0}));
  EXPECT_EQ(m.records[0].position, (std::vector{1.0, 2.0}));
  EXPECT_EQ(m.records[0].force, (std::vector{2.0, 3.0}));
}

TEST_F(MeasurementFile, RefusesWhatItCannotRead) {
  EXPECT_EQ(
      refusal("t,way,F\n0,1,2\n"),
      "data.csv: no column has a usual name of a position or a velocity, name it by --position or "
      "--velocity (columns: t, way, F)");
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n1,x,3\n"), "data.csv:3: 'x' in column 'v' is not a number");
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.force = "G"}),
            "data.csv: there is no column 'G' (columns: t, v, F)");
  EXPECT_EQ(
      refusal("t,v,g\n0,1,2\n"),
      "data.csv: no column has a usual name of a force, name it by --force (columns: t, v, g)");
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.where = {"v=7"}}),
            "data.csv: no row is left after the choice of rows");
  EXPECT_NE(refusal("t,v,F\n0,1,2\n", {.force = "F:uNn"}).find("there is no unit 'uNn'"),
            std::string::npos);
  EXPECT_EQ(refusal("t,v,F\n0,1,2\n", {.where = {"v"}}), "--where v: must read COLUMN=VALUE");
}

}  // namespace
}  // namespace bristle::io::measurement_test
