// SPDX-License-Identifier: MIT
// Tables of parameters and the one check that reads them.
#include "bristle/model/field.hpp"

#include <set>

#include "law_suite.hpp"

namespace bristle::field_test {
namespace {

using test::Random;

template <class L>
class FieldsOf : public ::testing::Test {};
TYPED_TEST_SUITE(FieldsOf, test::AllLaws, test::LawName);

// The sentence of the error, "" if the owner is valid; the field at fault goes to `field`.
template <class Owner>
std::string complaint(const Owner& owner, std::string* field = nullptr) {
  try {
    validate(owner);
  } catch (const InvalidInput& error) {
    if (field) *field = error.field;
    return error.what();
  }
  return "";
}

TYPED_TEST(FieldsOf, HaveUniqueNamesAndSayWhatTheyMean) {
  std::set<std::string_view> names;
  for (const auto& field : TypeParam::fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " is there twice";
    EXPECT_FALSE(field.name.empty());
    EXPECT_GE(field.meaning.size(), 5u) << field.name;
    EXPECT_EQ(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    EXPECT_TRUE((field.number == nullptr) != (field.choice == nullptr)) << field.name;
  }
  EXPECT_FALSE(TypeParam::summary.empty());
}

// Each byte of a law belongs to exactly one field, but for the padding of a choice.
TYPED_TEST(FieldsOf, ReachEveryMember) {
  TypeParam law{};
  std::set<const void*> places;
  std::size_t bytes = 0;
  for (const auto& field : TypeParam::fields()) {
    const void* place = field.number ? (const void*)&(law.*field.number) : &(law.*field.choice);
    EXPECT_TRUE(places.insert(place).second) << field.name << " shares its member";
    bytes += sizeof(double);
  }
  EXPECT_EQ(bytes, sizeof(TypeParam)) << "a member is missing from the table";
}

TYPED_TEST(FieldsOf, HaveDefaultsInsideTheirBounds) {
  const TypeParam law{};
  EXPECT_EQ(complaint(law), "");
  for (const auto& field : TypeParam::fields()) {
    const double value = field.number ? law.*field.number : law.*field.choice;
    EXPECT_TRUE(field.bounds.contain(value)) << field.name;
  }
}

// Just outside, NaN and the infinities, for every number: one sentence with the field, the value,
// what is allowed and the unit.
TYPED_TEST(FieldsOf, AreRefusedOutsideTheirBoundsInOneSentence) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& field : TypeParam::fields()) {
    if (!field.number) continue;
    const Bounds& b = field.bounds;
    const double below = b.open_below ? b.lower : std::nextafter(b.lower, -inf);
    for (const double value : {below, -1e300, -inf, inf, std::nan("")}) {
      if (b.contain(value)) continue;  // a law may still refuse it beside another number
      TypeParam law{};
      law.*field.number = value;
      std::string at_fault;
      const std::string sentence = complaint(law, &at_fault);
      EXPECT_EQ(at_fault, field.name) << value;
      std::string unit(field.unit.empty() ? "" : " ");
      unit += field.unit;
      EXPECT_EQ(sentence, std::string(TypeParam::name) + ": " + std::string(field.name) + " = " +
                              words(value) + unit + " is not allowed, it must be " +
                              words(b, field.unit, value));
    }
    if (b.upper < largest) {
      TypeParam law{};
      law.*field.number = std::nextafter(b.upper, inf);
      EXPECT_NE(complaint(law), "") << field.name;
    }
  }
}

TEST(Validate, RefusesAChoiceThatIsNotInTheList) {
  std::string field;
  Stribeck<> stribeck;
  for (const int curve : {-1, 5}) {
    stribeck.curve = curve;
    EXPECT_NE(complaint(stribeck, &field), "");
    EXPECT_EQ(field, "curve");
  }
  Sbm<> sbm;
  sbm.curve = 2;
  EXPECT_NE(complaint(sbm), "");
  LuGre<> lugre;
  lugre.viscous_form = 2;
  EXPECT_NE(complaint(lugre), "");
}

TEST(Validate, RefusesInWholeSentences) {
  LuGre<> lugre;
  lugre.stiffness = -1.0;
  EXPECT_EQ(complaint(lugre),
            "lugre: stiffness = -1 N/m is not allowed, it must be greater than 0 N/m");
  Dahl<> dahl;
  dahl.exponent = 21.0;
  EXPECT_EQ(complaint(dahl),
            "dahl: exponent = 21 is not allowed, it must be at least 0 and at most 20");
  FrBD<> frbd;
  frbd.viscous = std::nan("");
  EXPECT_EQ(complaint(frbd),
            "frbd: viscous = nan s/m is not allowed, it must be a finite number at least 0 s/m");
}

TEST(Validate, ChecksNumbersThatMustGoTogether) {
  std::string field;
  Stribeck<> stribeck;
  stribeck.static_force = 0.9;
  EXPECT_EQ(complaint(stribeck, &field),
            "stribeck: static_force = 0.9 N must be at least coulomb_force = 1 N");
  EXPECT_EQ(field, "static_force");
  stribeck.static_force = 1.0;
  EXPECT_EQ(complaint(stribeck), "");

  ElastoPlastic<> elastic;
  elastic.static_force = 0.5;
  EXPECT_NE(complaint(elastic, &field).find("static_force = 0.5 N must be at least"),
            std::string::npos);
  EXPECT_EQ(field, "static_force");

  Sbm<> sbm;
  sbm.maximum_height = 2.0;
  EXPECT_NE(complaint(sbm, &field).find("maximum_height = 2 m must be less than free_height = 2 m"),
            std::string::npos);
  EXPECT_EQ(field, "maximum_height");

  // A Stribeck curve that rises is unusual but sound for LuGre.
  LuGre<> lugre;
  lugre.static_force = 0.5;
  EXPECT_EQ(complaint(lugre), "");
}

TEST(Bounds, ContainTheirEndsUnlessOpenAndNoNaN) {
  EXPECT_TRUE(non_negative.contain(0.0));
  EXPECT_FALSE(positive.contain(0.0));
  EXPECT_TRUE(positive.contain(5e-324));
  EXPECT_TRUE(fraction.contain(1.0));
  EXPECT_FALSE(fraction.contain(std::nextafter(1.0, 2.0)));
  for (const Bounds& b : {any_number, positive, non_negative, fraction}) {
    EXPECT_FALSE(b.contain(std::nan("")));
    EXPECT_FALSE(b.contain(std::numeric_limits<double>::infinity()));
  }
}

TEST(Bounds, OfACountContainWholeNumbersAlone) {
  const Bounds count{1.0, 1000.0, false, true};
  EXPECT_TRUE(count.contain(1.0));
  EXPECT_TRUE(count.contain(1000.0));
  EXPECT_FALSE(count.contain(2.5));
  EXPECT_FALSE(count.contain(0.0));
  EXPECT_FALSE(count.contain(std::nan("")));
  EXPECT_EQ(words(count, ""), "a whole number at least 1 and at most 1000");
}

TEST(Words, DescribeEveryKindOfRange) {
  EXPECT_EQ(words(positive, "N/m"), "greater than 0 N/m");
  EXPECT_EQ(words(non_negative, "s"), "at least 0 s");
  EXPECT_EQ(words(fraction, ""), "at least 0 and at most 1");
  EXPECT_EQ(words(Bounds{0.0, 10.0, true}, "m"), "greater than 0 and at most 10 m");
  EXPECT_EQ(words(Bounds{-largest, 3.0}, "m"), "at most 3 m");
  EXPECT_EQ(words(positive, "m", std::nan("")), "a finite number greater than 0 m");
  EXPECT_EQ(words(any_number, ""), "a finite number");
  EXPECT_EQ(words(any_number, "m"), "a finite number in m");
}

TEST(Words, OfANumberReadBackAsTheSameNumber) {
  Random random(81);
  for (int i = 0; i < 2000; ++i) {
    const double x = random.sign() * random.log_uniform(1e-300, 1e300);
    ASSERT_EQ(std::stod(words(x)), x);
  }
  EXPECT_EQ(words(0.1), "0.1");
  EXPECT_EQ(words(1e5), "1e+05");
  EXPECT_EQ(words(std::nan("")), "nan");
  EXPECT_EQ(words(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Join, PutsTheSeparatorBetweenTheNames) {
  const std::array<std::string_view, 3> names{"a", "b", "c"};
  EXPECT_EQ(join(names), "a, b, c");
  EXPECT_EQ(join(names, "|"), "a|b|c");
  EXPECT_EQ(join({}), "");
}

}  // namespace
}  // namespace bristle::field_test
