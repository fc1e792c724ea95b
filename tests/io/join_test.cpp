// SPDX-License-Identifier: MIT
// Files joined by time.
#include <gtest/gtest.h>

#include "bristle/io/errors.hpp"
#include "bristle/io/measurement.hpp"
#include "io/support.hpp"

namespace bristle::io::join_test {
namespace {

using test::contains;
using test::refusal;
using Numbers = std::vector<double>;

class Join : public ::testing::Test {
 protected:
  Measurement read(const MeasurementChoice& choice) const {
    return read_measurement({dir_.path("motion.csv"), dir_.path("force.csv")}, choice);
  }
  std::string refused(const MeasurementChoice& choice) const {
    return refusal<InputError>([&] { read(choice); });
  }
  void write(const std::string& motion, const std::string& force) const {
    dir_.write("motion.csv", motion), dir_.write("force.csv", force);
  }
  test::TemporaryDirectory dir_;
};

TEST_F(Join, ReadsTheOtherFileOnStraightLinesAtTheTimesOfTheFirst) {
  // Another rate, another unit of time, another range.
  write("time,x_mm\n0,1\n0.25,2\n0.5,3\n0.75,4\n1,5\n", "time_ms,F\n200,10\n400,20\n900,-30\n");
  const auto m = read({.join = "time"});
  ASSERT_EQ(m.records.size(), 1u);
  EXPECT_EQ(m.records[0].time, (Numbers{0.25, 0.5, 0.75}));
  ASSERT_EQ(m.records[0].force.size(), 3u);
  EXPECT_NEAR(m.records[0].force[0], 12.5, 1e-12);
  EXPECT_NEAR(m.records[0].force[1], 10.0, 1e-12);
  EXPECT_NEAR(m.records[0].force[2], -15.0, 1e-12);
  EXPECT_NEAR(m.records[0].position[2], 4e-3, 1e-15);
  const std::string said = m.notes[0] + m.notes[1];
  EXPECT_PRED2(
      contains, said,
      "joined by time, 3 rows every 0.35 s read on straight lines between them at 3 times");
  EXPECT_PRED2(contains, said, "from 0.25 to 0.75 s");
  EXPECT_PRED2(contains, said, "2 of 5 rows lie outside the common range of time");
}

TEST_F(Join, ConvertsTheClockOfEachFile) {
  write("time,x\n0,1\n0.5,2\n1,3\n", "Time,time_min,F\n0,0,10\n1,2,20\n");
  EXPECT_PRED2(contains, refused({.join = "time"}), "there is no column 'time'");
  write("t,x\nms,mm\n0,1\n500,2\n1000,3\n", "t,F\ns,N\n0,10\n1,20\n");
  const auto m = read({.join = "t"});
  EXPECT_EQ(m.records[0].time, (Numbers{0.0, 0.5, 1.0}));
  EXPECT_EQ(m.records[0].force, (Numbers{10.0, 15.0, 20.0}));
}

TEST_F(Join, LeavesOutTimesInAGapOfAnotherFile) {
  write("time,x\n0,1\n1,2\n2,3\n3,4\n4,5\n20,6\n21,7\n",
        "time,F\n0,0\n1,10\n2,20\n3,30\n18,0\n19,10\n20,20\n21,30\n");
  const auto m = read({.join = "time"});
  EXPECT_EQ(m.records[0].time, (Numbers{0.0, 1.0, 2.0, 3.0, 20.0, 21.0}));
  EXPECT_EQ(m.records[0].force, (Numbers{0.0, 10.0, 20.0, 30.0, 20.0, 30.0}));
  std::string said;
  for (const auto& note : m.notes) said += note + "\n";
  EXPECT_PRED2(contains, said, "1 of these times lies in its gaps and is left out");
}

TEST_F(Join, CountsClocksFromTheFirstRowWhereAskedTo) {
  write("time,x\n0,1\n0.5,2\n1,3\n", "time,F\n1700000000,10\n1700000001,20\n");
  EXPECT_PRED2(contains, refused({.join = "time"}), "have no time in common");
  EXPECT_PRED2(contains, refused({.join = "time"}), "--clock start");
  EXPECT_EQ(read({.join = "time", .from_start = true}).records[0].force,
            (Numbers{10.0, 15.0, 20.0}));
}

TEST_F(Join, NamesColumnsThatBothFilesHave) {
  write("time,x,temperature\n0,1,20\n1,2,20\n", "time,F,temperature\n0,5,80\n1,6,90\n");
  EXPECT_EQ(read({.load = "force.temperature:1", .join = "time"}).records[0].load,
            (Numbers{80.0, 90.0}));
}

TEST_F(Join, LeavesOutRowsWithMissingValuesAndRefusesWords) {
  write("time,x\n0,1\n1,2\n2,3\n", "time,F\n0,10\n1,\n2,30\n");
  const auto m = read({.join = "time"});
  EXPECT_EQ(m.records[0].force, (Numbers{10.0, 20.0, 30.0}));
  EXPECT_PRED2(contains, m.notes[0], "1 row with a missing value was left out");
  write("time,x\n0,1\n1,2\n2,3\n", "time,F\n0,10\n1,high\n2,30\n");
  EXPECT_PRED2(contains, refused({.join = "time"}), "force.csv:3: 'high' in column 'F'");
}

TEST_F(Join, RefusesClocksThatStandStillAndASingleFile) {
  write("time,x\n0,1\n1,2\n", "time,F\n0,10\n0,20\n1,30\n");
  EXPECT_PRED2(contains, refused({.join = "time"}), "force.csv:3: time = 0 s does not come after");
  EXPECT_PRED2(contains, refusal<InputError>([&] {
                 read_measurement({dir_.path("motion.csv")}, {.join = "time"});
               }),
               "needs at least two files");
  write("time,x,run\n0,1,a\n1,2,a\n", "time,F,part\n0,10,b\n1,20,b\n");
  EXPECT_PRED2(contains, refused({.run = "part", .join = "time"}),
               "separated, by columns of the first file");
}

}  // namespace
}  // namespace bristle::io::join_test
