// SPDX-License-Identifier: MIT
#include "bristle/io/units.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "bristle/io/experiment.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "bristle/system/rolling.hpp"

namespace bristle::io::units_test {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

void expect_unit(const std::string& text, double factor, const std::string& same_kind) {
  const auto unit = parse_unit(text), other = parse_unit(same_kind);
  ASSERT_TRUE(unit) << text;
  ASSERT_TRUE(other) << same_kind;
  EXPECT_DOUBLE_EQ(unit->factor, factor) << text;
  EXPECT_EQ(unit->dimension, other->dimension) << text << " is no " << same_kind;
}

TEST(Units, OfLengthTimeAndAngleHaveTheirFactors) {
  expect_unit("mm", 1e-3, "m");
  expect_unit("um", 1e-6, "m");
  expect_unit("nm", 1e-9, "m");
  expect_unit("in", 0.0254, "m");
  expect_unit("inch", 0.0254, "m");
  expect_unit("\"", 0.0254, "m");
  expect_unit("ft", 0.3048, "m");
  expect_unit("ms", 1e-3, "s");
  expect_unit("min", 60.0, "s");
  expect_unit("h", 3600.0, "s");
  expect_unit("deg", turn / 360.0, "rad");
  expect_unit("°", turn / 360.0, "rad");
  expect_unit("rev", turn, "rad");
  expect_unit("mrad", 1e-3, "rad");
  expect_unit("kHz", 1e3, "1/s");
}

TEST(Units, OfForceAndTorqueHaveTheirFactors) {
  expect_unit("kN", 1e3, "N");
  expect_unit("MN", 1e6, "N");
  expect_unit("lbf", 4.4482216152605, "N");
  expect_unit("kip", 4448.2216152605, "N");
  expect_unit("kgf", 9.80665, "N");
  expect_unit("N", 1.0, "kg m/s^2");
  for (const char* text : {"Nm", "N m", "N*m", "N·m", "N-m", "N.m"}) expect_unit(text, 1.0, "J");
  expect_unit("mNm", 1e-3, "N m");
  expect_unit("Ncm", 1e-2, "N m");
  expect_unit("N*mm", 1e-3, "N m");
  expect_unit("kN m", 1e3, "N m");
  expect_unit("lbf·ft", 4.4482216152605 * 0.3048, "N m");
  expect_unit("ozf-in", 4.4482216152605 / 16.0 * 0.0254, "N m");
  expect_unit("bar", 1e5, "N/m2");
  expect_unit("psi", 6894.757293168361, "Pa");
}

TEST(Units, AreProductsOfPowers) {
  expect_unit("mm/s", 1e-3, "m/s");
  expect_unit("m/s^2", 1.0, "m/s2");
  expect_unit("m/s/s", 1.0, "m/s2");
  expect_unit("m s^-2", 1.0, "m/s2");
  expect_unit("m·s⁻²", 1.0, "m/s²");
  expect_unit("mm s-1", 1e-3, "m/s");
  expect_unit("N/mm", 1e3, "N/m");
  expect_unit("1/(N m)", 1.0, "s2/kg/m2");
  expect_unit("rpm", turn / 60.0, "rad/s");
  expect_unit("rev/min", turn / 60.0, "rad/s");
  expect_unit("deg per s", turn / 360.0, "rad/s");
}

TEST(Units, KnowSeveralSignsOfMicro) {
  for (const char* text : {"um", "µm", "μm"}) expect_unit(text, 1e-6, "m");
}

TEST(Units, DistinguishUpperAndLowerCaseWhereItMatters) {
  expect_unit("mN", 1e-3, "N");
  expect_unit("MN", 1e6, "N");
  expect_unit("Nm", 1.0, "J");
  expect_unit("RPM", turn / 60.0, "rad/s");
  EXPECT_FALSE(parse_unit("MM"));
  EXPECT_FALSE(parse_unit("KN"));
}

TEST(Units, AreNotAnyWord) {
  for (const char* text : {"", " ", "max", "x", "mm/", "/s", "m^", "m^x", "(m", "m)", "counts",
                           "Nms", "m22", "2", "mm mm/", "-", "m--s", "per", "((((((((((m"})
    EXPECT_FALSE(parse_unit(text)) << text;
}

// The time does not grow with the square of the length, which would take minutes here.
TEST(Units, AreNotWordsOfAMillionLetters) {
  EXPECT_FALSE(parse_unit(std::string(1000000, 'm')));
  EXPECT_FALSE(parse_unit("N" + std::string(1000000, 'M')));
  expect_unit("newtonmetres", 1.0, "N m");
}

TEST(Units, ThatAreListedAreKnownAndBelongToAQuantity) {
  for (const auto& text : usual_units()) {
    const auto unit = parse_unit(text);
    ASSERT_TRUE(unit) << text;
    EXPECT_NE(quantity_of(unit->dimension), "another quantity") << text;
  }
  for (const Quantity& q : quantities()) {
    if (q.unit.empty()) continue;
    ASSERT_TRUE(parse_unit(q.unit)) << q.name;
    EXPECT_EQ(parse_unit(q.unit)->dimension, q.dimension) << q.name;
    EXPECT_DOUBLE_EQ(parse_unit(q.unit)->factor, 1.0) << q.name;
  }
}

// One unit of a field, or several with "or" or a comma between; an exponent that is a parameter
// counts as 1.
void expect_parsed(const FieldInfo& field, const std::string& owner) {
  std::string text = field.unit;
  if (const auto at = text.find("^exponent"); at != text.npos) text = text.substr(0, at);
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = text.size(), next = end + 1;
    for (const std::string between : {" or ", ", "})
      if (const auto found = text.find(between, at); found < end)
        end = found, next = found + between.size();
    const std::string one = text.substr(at, end - at);
    if (!one.empty()) {
      EXPECT_TRUE(parse_unit(one)) << owner << "." << field.name << ": " << one;
    }
    at = next;
  }
}

TEST(Units, OfAllParametersAreKnown) {
  std::vector<Description> all{
      describe<DraggedMass>(),    describe<WallSpringMass>(),  describe<PrescribedMotion>(),
      describe<DiaphragmValve>(), describe<BaseExcitedMass>(), describe<Pendulum>(),
      describe<Signal>(),         describe<Initial>(),         describe<Options>(),
      describe<SteadySweep>(),    describe<BodeSweep>(),       describe<Rig>(),
      describe<Roughness>(),      describe<PatchShape>(),      describe<BrakedWheel>(),
      describe<ForceBias>()};
  for (const auto& law : laws()) all.push_back(law.description);
  for (const auto& system : systems()) all.push_back(system.description);
  int units = 0;
  for (const auto& d : all)
    for (const auto& f : d.fields) expect_parsed(f, d.name), units += !f.unit.empty();
  EXPECT_GT(units, 100);
}

TEST(Units, RefusePowersThatOverflow) {
  EXPECT_TRUE(parse_unit("(m^3)^9"));
  EXPECT_FALSE(parse_unit("((m^9)^9)^9"));
  EXPECT_FALSE(parse_unit("((((((((m^9)^9)^9)^9)^9)^9)^9)^9)^9"));
  EXPECT_FALSE(parse_unit("((Mrad^9)^9)^9"));
  EXPECT_FALSE(parse_unit("((nrad^9)^9)^-9"));
}

}  // namespace
}  // namespace bristle::io::units_test
