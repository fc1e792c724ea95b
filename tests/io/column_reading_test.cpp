// SPDX-License-Identifier: MIT
#include "bristle/io/column_reading.hpp"

#include <gtest/gtest.h>

#include "bristle/io/errors.hpp"
#include "io/support.hpp"

namespace bristle::io::column_reading_test {
namespace {

const ColumnRole position{"position", {"m", "rad"}, "--position"};
const ColumnRole velocity{"velocity", {"m/s", "rad/s"}, "--velocity"};
const ColumnRole force{"force", {"N", "N m"}, "--force"};
const ColumnRole duration{"time", {"s"}, "--time"};
const ColumnRole acceleration{"acceleration", {"m/s2"}, "--acceleration"};

ColumnReading read(const ColumnRole& role, const std::string& header, const std::string& given = "",
                   const std::string& below = "") {
  return read_column(role, {header, given}, below, "data.csv");
}
std::string refusal(const ColumnRole& role, const std::string& header,
                    const std::string& given = "") {
  return test::refusal<InputError>([&] { read(role, header, given); });
}

void expect_factor(const ColumnReading& r, double factor, const std::string& read_as) {
  EXPECT_DOUBLE_EQ(r.factor, factor) << r.words();
  EXPECT_EQ(r.read_as, read_as) << r.words();
}

TEST(ColumnReading, TakesUnitsFromEveryFormOfAHeader) {
  for (const char* header : {"position_mm", "position (mm)", "Position [mm]", "x/mm", "x / mm",
                             "x, mm", "x_mm", "x mm", "position in mm"}) {
    const auto r = read(position, header);
    expect_factor(r, 1e-3, "m");
    EXPECT_EQ(r.unit, "mm") << header;
  }
  expect_factor(read(position, "position (in)"), 0.0254, "m");
  expect_factor(read(force, "Force [kN]"), 1e3, "N");
  expect_factor(read(duration, "t/ms"), 1e-3, "s");
  expect_factor(read(velocity, "v_m/s"), 1.0, "m/s");
}

TEST(ColumnReading, TakesQuotientsAndProductsFromEndings) {
  expect_factor(read(velocity, "velocity_rad_s"), 1.0, "rad/s");
  expect_factor(read(velocity, "velocity_mm_s"), 1e-3, "m/s");
  expect_factor(read(velocity, "speed_m_per_s"), 1.0, "m/s");
  expect_factor(read(force, "torque_N_m"), 1.0, "N m");
  expect_factor(read(force, "torque_mNm"), 1e-3, "N m");
  EXPECT_EQ(unit_in_header("H_A_per_m", ""), "A/m");
}

TEST(ColumnReading, LeavesEndingsThatAreNoUnitsOrOfAnotherQuantity) {
  const auto plain = read(velocity, "velocity_max");
  EXPECT_EQ(plain.words(), "velocity: column \"velocity_max\", no unit given, read as m/s");
  const auto other = read(force, "force_m");
  expect_factor(other, 1.0, "N");
  EXPECT_PRED2(test::contains, other.words(), "its ending is not taken for the unit m of length");
  EXPECT_PRED2(test::contains, read(force, "force_min").words(), "not taken for the unit min");
  EXPECT_PRED2(test::contains, read(force, "force [counts]").words(),
               "'counts' is no unit that is known");
}

TEST(ColumnReading, RefusesUnitsOfAnotherQuantityWithThoseThatWouldFit) {
  EXPECT_PRED2(test::begins, refusal(force, "force [V]"),
               "data.csv: column 'force [V]': 'V' is a unit of voltage, force needs one of force "
               "(N, mN, uN, kN");
  EXPECT_PRED2(test::contains, refusal(force, "force [V]"), "--force NAME:FACTOR");
  EXPECT_PRED2(test::contains, refusal(force, "force_mm"), "'mm' is a unit of length");
  EXPECT_PRED2(test::begins, refusal(position, "x", "N"),
               "--position x:N: 'N' is a unit of force, position needs one of length (m, cm, mm");
  EXPECT_PRED2(test::contains, refusal(position, "x", "N"), " or angle (rad, mrad, deg, rev");
  EXPECT_PRED2(test::contains, refusal(force, "F", "uNn"), "there is no unit 'uNn'");
  EXPECT_PRED2(test::contains, refusal(force, "F", "0"), "the factor must be finite and not 0");
}

TEST(ColumnReading, LetsAnOptionOverrideTheHeader) {
  expect_factor(read(position, "position_mm", "um"), 1e-6, "m");
  const auto factor = read(force, "force [V]", "25");
  expect_factor(factor, 25.0, "N");
  EXPECT_EQ(factor.words(), "force: column \"force [V]\" times 25, read as N");
  expect_factor(read(force, "F", "-kN"), -1e3, "N");
  expect_factor(read(force, "F", "-1"), -1.0, "N");
  EXPECT_EQ(read(force, "position_mm", "N").words(),
            "force: column \"position_mm\" in N; its header says mm");
}

TEST(ColumnReading, TakesARowOfUnitsBeforeTheHeader) {
  expect_factor(read(position, "x", "", "mm"), 1e-3, "m");
}

TEST(ColumnReading, ReadsMassesAsWeightsAndGAsGravityAndSaysSo) {
  const auto weight = read(force, "force_kg");
  expect_factor(weight, 9.80665, "N");
  EXPECT_PRED2(test::contains, weight.words(), "a mass stands for its weight");
  expect_factor(read(force, "torque [kg cm]"), 9.80665e-2, "N m");
  const auto gravity = read(acceleration, "acceleration [g]");
  expect_factor(gravity, 9.80665, "m/s2");
  EXPECT_PRED2(test::contains, gravity.words(), "g is taken as 9.80665 m/s2");
  expect_factor(read(acceleration, "a", "mg"), 9.80665e-3, "m/s2");
}

TEST(ColumnReading, SaysWhatWasReadAsWhat) {
  EXPECT_EQ(read(position, "position_mm").words(),
            "position: column \"position_mm\" in mm, read as m (factor 0.001)");
  EXPECT_EQ(read(duration, "time_s").words(), "time: column \"time_s\" in s");
  EXPECT_EQ(read(position, "x").words(), "position: column \"x\", no unit given, read as m");
}

TEST(ColumnReading, FindsTheStemOfAName) {
  for (const char* name : {"F", "F [kN]", "f_N", "F/kN", "F, lbf", "F (N)"})
    EXPECT_EQ(stem_of(name), "f") << name;
  EXPECT_EQ(stem_of("Friction_Force_N"), "friction_force");
  EXPECT_EQ(stem_of("velocity_rad_s"), "velocity");
  EXPECT_EQ(stem_of("m"), "m");
}

}  // namespace
}  // namespace bristle::io::column_reading_test
