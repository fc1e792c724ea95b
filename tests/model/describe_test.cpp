// SPDX-License-Identifier: MIT
// Laws from tables of values, and the sentences for values that will not do.
#include "bristle/model/describe.hpp"

#include "law_suite.hpp"

namespace bristle::describe_test {
namespace {

using test::Random;

template <class L>
class DescriptionOf : public ::testing::Test {};
TYPED_TEST_SUITE(DescriptionOf, test::AllLaws, test::LawName);

// The sentence of the error when an Owner is made from the values, "" if there is none.
template <class Owner>
std::string complaint(const Values& values, std::string* field = nullptr) {
  try {
    make<Owner>(values);
  } catch (const InvalidInput& error) {
    if (field) *field = error.field;
    return error.what();
  }
  return "";
}

TYPED_TEST(DescriptionOf, ListsEveryFieldWithItsDefault) {
  const Description description = describe<TypeParam>();
  const auto fields = TypeParam::fields();
  const TypeParam law{};
  EXPECT_EQ(description.name, TypeParam::name);
  ASSERT_EQ(description.fields.size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldInfo& info = description.fields[i];
    EXPECT_EQ(info.name, fields[i].name);
    EXPECT_EQ(info.unit, fields[i].unit);
    if (fields[i].number) {
      EXPECT_EQ(info.default_value, law.*fields[i].number);
      EXPECT_EQ(info.default_text(), words(law.*fields[i].number));
      const std::string least(fields[i].at_least);
      EXPECT_EQ(info.allowed(), words(fields[i].bounds, fields[i].unit) +
                                    (least.empty() ? "" : ", no less than " + least));
    } else {
      EXPECT_EQ(info.default_text(), fields[i].choices[law.*fields[i].choice]);
      EXPECT_EQ(info.allowed(), "one of " + join(fields[i].choices));
    }
  }
}

TYPED_TEST(DescriptionOf, HasDefaultsThatAreUsual) {
  EXPECT_TRUE(unusual_values(describe<TypeParam>(), values_of(TypeParam{})).empty());
}

TYPED_TEST(DescriptionOf, MakesTheDefaultsFromNoValues) {
  EXPECT_EQ(values_of(make<TypeParam>({})), values_of(TypeParam{}));
}

TYPED_TEST(DescriptionOf, BringsValuesBackUnchanged) {
  Random random(82);
  for (int trial = 0; trial < 100; ++trial) {
    const Values values = values_of(test::random_law<TypeParam>(random));
    EXPECT_EQ(values.size(), TypeParam::fields().size());
    ASSERT_EQ(values_of(make<TypeParam>(values)), values);
  }
}

TYPED_TEST(DescriptionOf, RefusesAnUnknownFieldWithTheNearestOne) {
  const std::string known(TypeParam::fields().front().name);
  const std::string typo = known + "x";
  std::string field;
  const auto sentence = complaint<TypeParam>({{typo, 1.0}}, &field);
  EXPECT_EQ(field, typo);
  EXPECT_NE(sentence.find("there is no field '" + typo + "', did you mean '" + known + "'?"),
            std::string::npos)
      << sentence;
  // All the fields there are follow.
  for (const auto& f : TypeParam::fields())
    EXPECT_NE(sentence.find(f.name), std::string::npos) << sentence;
}

TEST(Nearest, IsWithinAFewLettersOrBeginsWithTheWord) {
  const std::vector<std::string> names{"t_1_9_dahl_memory", "hold-out", "out",
                                       "t_1_9_dahl_memory_2"};
  EXPECT_EQ(nearest("otu", names), "out");
  EXPECT_EQ(nearest("hold", names), "hold-out");
  EXPECT_EQ(nearest("t_1_9", names), "t_1_9_dahl_memory");
  EXPECT_EQ(nearest("bogus", names), "");
  EXPECT_EQ(nearest(std::string(10000000, 'o'), names), "");
}

TEST(Make, RefusesANumberOutOfRange) {
  std::string field;
  EXPECT_EQ(complaint<LuGre<>>({{"damping", -2.5}}, &field),
            "lugre: damping = -2.5 N s/m is not allowed, it must be at least 0 N s/m");
  EXPECT_EQ(field, "damping");
  EXPECT_EQ(
      complaint<LuGre<>>({{"damping", std::nan("")}}),
      "lugre: damping = nan N s/m is not allowed, it must be a finite number at least 0 N s/m");
}

TEST(Make, ChecksNumbersThatMustGoTogether) {
  EXPECT_EQ(complaint<Stribeck<>>({{"coulomb_force", 2.0}}),
            "stribeck: static_force = 1.5 N must be at least coulomb_force = 2 N");
}

TEST(Make, TakesAChoiceByItsName) {
  EXPECT_EQ(make<Stribeck<>>({{"curve", "lorentzian"}}).curve, Stribeck<>::lorentzian);
  EXPECT_EQ(make<Stribeck<>>({{"curve", "exponential"}}).curve, Stribeck<>::exponential);
  EXPECT_EQ(make<LuGre<>>({{"viscous_form", "in_curve"}}).viscous_form, LuGre<>::in_curve);
}

TEST(Make, RefusesAMistypedChoiceWithTheNearestOne) {
  EXPECT_EQ(complaint<Sbm<>>({{"curve", "seech"}}),
            "sbm: curve = \"seech\" is not allowed, it must be one of exponential, sech; "
            "did you mean 'sech'?");
  // Nothing is near this one.
  EXPECT_EQ(complaint<Sbm<>>({{"curve", "zz"}}),
            "sbm: curve = \"zz\" is not allowed, it must be one of exponential, sech");
}

TEST(Make, RefusesANumberForAChoiceAndTextForANumber) {
  EXPECT_EQ(complaint<Sbm<>>({{"curve", 1.0}}),
            "sbm: curve = 1 is not allowed, it must be one of exponential, sech");
  EXPECT_EQ(complaint<Sbm<>>({{"stiffness", "soft"}}),
            "sbm: stiffness = \"soft\" must be a number greater than 0 N/m");
}

TEST(Nearest, FindsTheWordMeant) {
  const std::vector<std::string> words{"stiffness", "damping", "viscous", "coulomb_force"};
  EXPECT_EQ(nearest("stifness", words), "stiffness");
  EXPECT_EQ(nearest("dampnig", words), "damping");
  EXPECT_EQ(nearest("vscous", words), "viscous");
  EXPECT_EQ(nearest("columb_force", words), "coulomb_force");
  EXPECT_EQ(nearest("damping", words), "damping");
}

TEST(Nearest, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest("xyzzy", {"stiffness", "damping"}), "");
  EXPECT_EQ(nearest("", {"stiffness"}), "");
  EXPECT_EQ(nearest("stiffness", {}), "");
}

// A table with one field of every kind that has another usual range.
struct Mixed {
  using Number = double;
  static constexpr std::string_view name = "mixed";
  static constexpr std::string_view summary = "fields of all kinds";
  static constexpr std::array<std::string_view, 2> kinds{"a", "b"};
  double mass = 1.0, tiny = 1e-20, offset = 0.0, exponent = 2.0, count = 3.0, share = 0.5,
         tolerance = 1e-8;
  int kind = 0;
  std::vector<double> places{1.0};
  static constexpr auto fields() {
    using F = Field<Mixed>;
    return std::array{
        F{"mass", "kg", "mass", positive, &Mixed::mass},
        F{"tiny", "kg", "a mass that is small by itself", positive, &Mixed::tiny},
        F{"offset", "N", "of any sign", any_number, &Mixed::offset},
        F{"exponent", "", "with a range of its own", positive, &Mixed::exponent}.usually(0.1, 20.0),
        F{"count", "", "count", Bounds{1.0, 1e15, false, true}, &Mixed::count},
        F{"share", "", "part", fraction, &Mixed::share},
        F{"tolerance", "", "bounded on both sides", Bounds{1e-14, 0.1}, &Mixed::tolerance},
        F{"kind", "choice", kinds, &Mixed::kind},
        F{"places", "m", "list", any_number, &Mixed::places}};
  }
};

std::string odd(const std::string& field, const Value& value) {
  const auto found = unusual_values(describe<Mixed>(), {{field, value}});
  EXPECT_LE(found.size(), 1u);
  return found.empty() ? "" : found.front().sentence;
}

TEST(UsualRange, FollowsFromTheUnitOfAField) {
  EXPECT_EQ(odd("mass", 1e-30),
            "mixed: mass = 1e-30 kg is unusual, it is usually 1e-09 to 1e+07 kg");
  EXPECT_EQ(odd("mass", 1e-6), "");
  EXPECT_EQ(odd("mass", 1e8).substr(0, 31), "mixed: mass = 1e+08 kg is unusu");
}

TEST(UsualRange, HoldsTheDefault) { EXPECT_EQ(odd("tiny", 1e-20), ""); }

TEST(UsualRange, IsOneOfMagnitudesAndHoldsZero) {
  EXPECT_EQ(odd("offset", 0.0), "");
  EXPECT_EQ(odd("offset", -5.0), "");
  EXPECT_EQ(
      odd("offset", -1e20),
      "mixed: offset = -1e+20 N is unusual, it is usually of a magnitude of 1e-09 to 1e+09 N");
}

TEST(UsualRange, IsTheOneOfTheTableWhereThatSaysSo) {
  EXPECT_EQ(odd("exponent", 500.0), "mixed: exponent = 500 is unusual, it is usually 0.1 to 20");
  EXPECT_EQ(odd("exponent", 20.0), "");
}

TEST(UsualRange, IsNotAskedOfCountsChoicesAndFieldsBetweenTwoBounds) {
  EXPECT_EQ(odd("count", 1e14), "");
  EXPECT_EQ(odd("tolerance", 1e-14), "");
  EXPECT_EQ(odd("kind", std::string("b")), "");
  EXPECT_EQ(odd("share", 1.0), "");
  for (const auto& field : describe<Mixed>().fields)
    if (field.name == "count" || field.name == "kind") {
      EXPECT_EQ(field.usual_text(), "");
    }
}

TEST(UsualRange, IsReportedOncePerList) {
  EXPECT_NE(odd("places", std::vector{1.0, 1e-200, 1e200}).find("places = 1e-200 m"),
            std::string::npos);
}

TEST(Nearest, IsTheNameWhoseLastPartIsTheWord) {
  EXPECT_EQ(nearest("motor", {"solve", "body.motor", "contact.motor_bearing"}), "body.motor");
  EXPECT_EQ(nearest("engine", {"solve", "body.motor"}), "");
}

}  // namespace
}  // namespace bristle::describe_test
