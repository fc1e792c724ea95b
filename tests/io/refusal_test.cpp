// SPDX-License-Identifier: MIT
// What an experiment file is refused for; each sentence names file, line, field, value and range.
#include <gtest/gtest.h>

#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "io/support.hpp"

namespace bristle::io::refusal_test {
namespace {

using test::begins;
using test::contains;
using test::lacks;
using test::refusal;
using test::TemporaryDirectory;

// Six lines.
const std::string head =
    "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 4.0\n";

// The sentence with which a file is refused, without the folder it lies in.
std::string refused(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryDirectory dir;
  const std::string path = dir.write("bad.toml", text);
  std::vector<Setting> parsed;
  for (const auto& setting : settings) parsed.push_back(parse_setting(setting));
  const std::string sentence = refusal<InputError>([&] { read_experiment(path, parsed); });
  const std::string folder = dir.root().string() + "/";
  return sentence.starts_with(folder) ? sentence.substr(folder.size()) : sentence;
}

struct UnknownKey {
  std::string text, line, key, suggestion;
};

TEST(Refusal, OfAnUnknownKeySuggestsTheNearestAtEveryLevel) {
  for (const auto& [text, line, key, suggestion] : std::vector<UnknownKey>{
           {"titel = \"x\"\n" + head, "1", "titel", "title"},
           {head + "[mechanisms]\nmass = 1\n", "7", "mechanisms", "mechanism"},
           {head + "tolerence = 1e-6\n", "7", "tolerence", "tolerance"},
           {head + "[initial]\npositon = 1\n", "8", "positon", "position"},
           {"[model]\nname = \"lugre\"\nstifness = 1e5\n[steady]\n", "3", "stifness", "stiffness"},
           {"[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\nmas = 1\n", "5",
            "mas", "mass"},
           {"[model]\nname = \"lugre\"\n[steady]\npoint = 5\n", "4", "point", "points"},
           {head + "[[case]]\nlabl = \"x\"\n", "8", "labl", "label"},
           {head + "[[case]]\nlabel = \"x\"\nmodel.stifness = 1\n", "9", "stifness", "stiffness"},
           {head + "[[figure]]\ntitel = \"x\"\n", "8", "titel", "title"},
           {head + "[[figure]]\ny = \"velocty\"\n", "8", "velocty", "velocity"},
           {head + "[expect]\nperiode = { value = 1 }\n", "8", "periode", "period"},
           {head + "[expect]\nperiod = { vale = 1 }\n", "8", "vale", "value"},
           {head + "[expect]\np = { quantity = \"perod\", value = 1 }\n", "8", "perod",
            "period"}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(begins, sentence, "bad.toml:" + line + ": ");
    EXPECT_PRED2(contains, sentence, "'" + key + "'");
    EXPECT_PRED2(contains, sentence, "did you mean '" + suggestion + "'?");
  }
}

TEST(Refusal, OfAnUnknownKeyOfTheInputSuggestsItsFileAndColumns) {
  const std::string text =
      "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n[input]\n";
  EXPECT_PRED2(contains, refused(text + "frequncy = 2\n"), "did you mean 'frequency'?");
  EXPECT_PRED2(contains, refused(text + "fil = \"a.csv\"\n"), "did you mean 'file'?");
  EXPECT_PRED2(contains, refused(text + "value_colum = \"x\"\n"), "did you mean 'value_column'?");
}

TEST(Refusal, OfANumberThatCountsNothingNamesTheRange) {
  for (const std::string number : {"0", "-1", "1.5", "1e10"}) {
    const std::string sentence = refused(
        head + "[expect]\nslip_time = { kind = \"check\", number = " + number + ", value = 1 }\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:8: number = ");
    EXPECT_PRED2(contains, sentence, "at least 1 and at most");
  }
}

TEST(Refusal, OfAnUnknownSectionListsTheSections) {
  for (const std::string name : {"frequency", "<script>", "model.name"}) {
    const std::string sentence = refused(head + "[\"" + name + "\"]\nx = 1\n");
    EXPECT_PRED2(contains, sentence, "unknown key '" + name + "' in the file");
    EXPECT_PRED2(contains, sentence, "mechanism");
  }
}

TEST(Refusal, OfAStepCoarserThanTheSamplesComesBeforeTheRun) {
  const std::string text = head + "method = \"bristle_only\"\nstep = 0.06\n";
  const std::string sentence = refused(text);
  EXPECT_PRED2(begins, sentence, "bad.toml:8: ");
  EXPECT_PRED2(contains, sentence, "samples = 2001 must be at most 68");
  EXPECT_EQ(refused(text + "samples = 68\n"), "(not refused)");
  EXPECT_EQ(refused(head + "step = 0.06\n"), "(not refused)") << "an adaptive method has no step";
}

TEST(Refusal, OfADeepOrHugeFileComesBeforeItIsParsed) {
  std::string dotted = "a", deep = "x = ";
  for (int i = 0; i < 50'000; ++i) dotted += ".a", deep += "[";
  EXPECT_PRED2(begins, refused(head + "[" + dotted + "]\n"),
               "bad.toml:7: has a key of more than 64");
  EXPECT_PRED2(begins, refused(head + dotted + " = 1\n"), "bad.toml:7: has a key of more than 64");
  EXPECT_PRED2(begins, refused(head + deep), "bad.toml:7: nests brackets more than 64 deep");
  std::string braces = "x = ";
  for (int i = 0; i < 70; ++i) braces += "{a = ";
  EXPECT_PRED2(begins, refused(head + braces), "bad.toml:7: nests");
  // What stands in quotes or in a comment does not count.
  EXPECT_EQ(refused("# " + deep + dotted + "\ntitle = \"" + dotted + "\"\nnote = '''\n" + deep +
                    "\n'''\n" + head),
            "(not refused)");
  EXPECT_PRED2(contains, refused("# " + std::string((64u << 20) + 1, '-')), "at most 64 MiB");
}

TEST(Refusal, OfATriangleThatTurnsTooOftenNamesItsFrequency) {
  const std::string sentence = refused(
      "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n[input]\n"
      "shape = \"triangle\"\nfrequency = 1e300\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:7: ");
  EXPECT_PRED2(contains, sentence, "turns too often");
}

TEST(Refusal, OfAKeyLikeNoOtherListsWhatThereIs) {
  const std::string sentence = refused(head + "xyzzyplugh = 1\n");
  EXPECT_PRED2(lacks, sentence, "did you mean");
  EXPECT_PRED2(contains, sentence, "tolerance");
}

TEST(Refusal, OfAnUnknownNameSuggestsTheNearest) {
  EXPECT_PRED2(contains, refused("[model]\nname = \"lugr\"\n[steady]\n"), "did you mean 'lugre'?");
  const std::string sentence =
      refused("[model]\nname = \"dahl\"\n[mechanism]\nname = \"draged_mass\"\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:4: ");
  EXPECT_PRED2(contains, sentence, "did you mean 'dragged_mass'?");
}

TEST(Refusal, OfAWrongTypeNamesLineAndField) {
  for (const auto& [text, line, field] : std::vector<std::array<std::string, 3>>{
           {"title = 3\n" + head, "1", "title"},
           {"model = 3\n", "1", "model"},
           {head + "samples = true\n", "7", "samples"},
           {head + "samples = [1, 2]\n", "7", "samples"},
           {head + "samples = 2024-06-07\n", "7", "samples"},
           {head + "samples = \"many\"\n", "7", "samples"},
           {head + "method = 3\n", "7", "method"},
           {"[model]\nname = 3\n[steady]\n", "2", "name"},
           {head + "[[case]]\nlabel = 1\n", "8", "label"},
           {"case = 1\n" + head, "1", "case"},
           {head + "[figure]\nx = \"time\"\n", "7", "figure"},
           {head + "[[figure]]\nequilibria = 1\n", "8", "equilibria"},
           {head + "[[figure]]\nfrom = \"1\"\n", "8", "from"},
           {head + "[[figure]]\ncases = \"a\"\n", "8", "cases"},
           {head + "[expect]\nperiod = 3\n", "8", "period"},
           {head + "[expect]\nperiod = { value = \"3\" }\n", "8", "value"}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(begins, sentence, "bad.toml:" + line + ": ");
    EXPECT_PRED2(contains, sentence, field);
  }
}

TEST(Refusal, OfANumberOutOfRangeNamesValueRangeAndUnit) {
  for (const auto& [text, line, part] : std::vector<std::array<std::string, 3>>{
           {"[model]\nname = \"lugre\"\nstiffness = -1\n[steady]\n", "3",
            "stiffness = -1 N/m is not allowed, it must be greater than 0 N/m"},
           {"[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\nmass = 0\n", "5",
            "mass = 0 kg is not allowed, it must be greater than 0 kg"},
           {head + "tolerance = 1.0\n", "7", "at least 1e-14 and at most 0.1"},
           {head + "step = 0\n", "7", "step = 0 s is not allowed, it must be greater than 0 s"},
           {head + "samples = 1\n", "7", "samples = 1"},
           {head + "record_from = -1\n", "7", "record_from = -1 s"},
           {head + "method = \"euler\"\n", "7", "rosenbrock, cvode, coupled, bristle_only"}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(begins, sentence, "bad.toml:" + line + ": ");
    EXPECT_PRED2(contains, sentence, part);
  }
}

TEST(Refusal, OfAnEndOfZeroOrBeforeTheStartNamesTheRange) {
  const std::string text =
      "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\n";
  for (const char* end : {"0", "-3"}) {
    const std::string sentence = refused(text + "end = " + end + "\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:6: ");
    EXPECT_PRED2(contains, sentence, std::string("end = ") + end + " s is not allowed");
    EXPECT_PRED2(contains, sentence, "greater than 0 s");
  }
}

TEST(Refusal, OfARecordThatBeginsAfterTheEndNamesBoth) {
  for (const char* from : {"4", "5"}) {
    const std::string sentence = refused(head + "record_from = " + from + "\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:7: ");
    EXPECT_PRED2(contains, sentence, std::string("record_from = ") + from + " s");
    EXPECT_PRED2(contains, sentence, "end = 4 s");
  }
}

TEST(Refusal, OfMoreStepsThanAllowedNamesTheStep) {
  const std::string sentence = refused(head + "method = \"coupled\"\nstep = 1e-12\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:8: ");
  EXPECT_PRED2(contains, sentence, "step_limit");
}

TEST(Refusal, OfNumbersThatAreNotFiniteSaysSo) {
  for (const char* value : {"nan", "inf", "-inf"}) {
    const std::string sentence = refused(head + "section = " + value + "\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:7: ");
    EXPECT_PRED2(contains, sentence, std::string("section = ") + value);
    EXPECT_PRED2(contains, sentence, "finite");
  }
  const std::string sentence = refused("[model]\nname = \"lugre\"\nstiffness = nan\n[steady]\n");
  EXPECT_PRED2(contains, sentence, "stiffness = nan N/m is not allowed");
}

TEST(Refusal, OfAnInfiniteNumberDoesNotSayThatItBeGreater) {
  const std::string sentence = refused("[model]\nname = \"lugre\"\nstiffness = inf\n[steady]\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:3: ");
  EXPECT_PRED2(contains, sentence, "finite");
}

TEST(Refusal, OfExpectationsAndFiguresCoversNumbersThatAreNotFinite) {
  EXPECT_PRED2(begins, refused(head + "[expect]\nperiod = { value = nan }\n"), "bad.toml:8: ");
  EXPECT_PRED2(begins, refused(head + "[expect]\nperiod = { at_most = inf }\n"), "bad.toml:8: ");
  EXPECT_PRED2(begins, refused(head + "[[figure]]\nfrom = nan\n"), "bad.toml:8: ");
}

TEST(Refusal, OfNegativeTolerancesNamesTheLine) {
  for (const char* name : {"tolerance", "within"})
    EXPECT_PRED2(begins, refused(head + "[expect]\nperiod = { value = 1, " + name + " = -1 }\n"),
                 "bad.toml:8: ");
}

TEST(Refusal, OfCountsThatAreNotWholeNamesTheLine) {
  EXPECT_PRED2(begins, refused(head + "samples = 2.5\n"), "bad.toml:7: ");
  EXPECT_PRED2(begins, refused("[model]\nname = \"dahl\"\n[steady]\npoints = 2.5\n"),
               "bad.toml:4: ");
}

TEST(Refusal, OfAFileWithoutModelSaysWhatIsNeeded) {
  for (const std::string text : {"", "[model]\nstiffness = 1e5\n", "title = \"x\"\n"}) {
    EXPECT_PRED2(begins, refused(text), "bad.toml");
    EXPECT_PRED2(contains, refused(text), "[model] needs a name");
  }
}

TEST(Refusal, OfAFileWithoutMechanismSaysWhatIsNeeded) {
  EXPECT_PRED2(contains, refused("[model]\nname = \"lugre\"\n"), "[mechanism]");
  EXPECT_PRED2(contains, refused("[model]\nname = \"lugre\"\n"), "[steady]");
  const std::string unnamed = refused("[model]\nname = \"lugre\"\n[mechanism]\nmass = 1\n");
  for (const auto& mechanism : mechanisms()) EXPECT_PRED2(contains, unnamed, mechanism.name);
}

TEST(Refusal, OfASectionWithoutMeaningNamesIt) {
  EXPECT_PRED2(begins, refused(head + "[input]\namplitude = 1\n"), "bad.toml:8: ");
  EXPECT_PRED2(begins, refused(head + "[steady]\nfrom = 0\n"), "bad.toml:8: ");
  EXPECT_PRED2(begins, refused("[model]\nname = \"dahl\"\n[steady]\nfrom = 0\n[input]\nrate = 1\n"),
               "bad.toml:6: ");
  EXPECT_PRED2(begins,
               refused("[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n"
                       "[input]\ntime_column = \"t\"\n"),
               "bad.toml:6: ");
}

TEST(Refusal, OfAnUnknownCaseSuggestsTheNearest) {
  const std::string cases = head + "[[case]]\nlabel = \"slow\"\n";
  const std::string expected = refused(cases + "expect.period = { like = \"slo\" }\n");
  EXPECT_PRED2(begins, expected, "bad.toml:9: ");
  EXPECT_PRED2(contains, expected, "did you mean 'slow'?");
  const std::string drawn = refused(cases + "[[figure]]\ncases = [\"slwo\"]\n");
  EXPECT_PRED2(begins, drawn, "bad.toml:10: ");
  EXPECT_PRED2(contains, drawn, "did you mean 'slow'?");
}

TEST(Refusal, OfAnExpectationThatComparesWithNothingListsTheRelations) {
  const std::string sentence = refused(head + "[expect]\nperiod = { tolerance = 1e-3 }\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:8: ");
  EXPECT_PRED2(contains, sentence,
               "value, is, at_most, at_least, like, unlike, less_than or more_than");
}

TEST(Refusal, OfACaseWithoutLabelNamesTheLine) {
  EXPECT_PRED2(begins, refused(head + "[[case]]\nmodel.stiffness = 1\n"), "bad.toml:7: ");
}

TEST(Refusal, OfAFigureNameThatIsNoFileNameNamesTheLine) {
  for (const char* name : {"../up", "a/b", "", ".."})
    EXPECT_PRED2(begins, refused(head + "[[figure]]\nname = \"" + name + "\"\n"), "bad.toml:8: ");
}

TEST(Refusal, OfTwoFiguresOfOneNameNamesTheLine) {
  EXPECT_PRED2(begins, refused(head + "[[figure]]\nname = \"a\"\n[[figure]]\nname = \"a\"\n"),
               "bad.toml:10: ");
}

TEST(Refusal, OfARangeThatIsNotLowAndHighNamesTheLine) {
  for (const char* range : {"1", "a:b", "0:1] ; system('true') #", "0:1:2"})
    EXPECT_PRED2(begins, refused(head + "[[figure]]\nx_range = \"" + range + "\"\n"),
                 "bad.toml:8: ");
}

TEST(Refusal, OfTextThatIsNotTomlNamesTheLine) {
  for (const auto& [text, line] :
       std::vector<std::pair<std::string, std::string>>{{"[model\n", "1"},
                                                        {head + "samples = \n", "7"},
                                                        {head + "samples = 1\nsamples = 2\n", "8"},
                                                        {head + "note = \"never closed\n", "7"},
                                                        {head + "\x01\n", "7"},
                                                        {head + "x = \xff\n", "7"},
                                                        {"{\"model\": 1}\n", "1"}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(begins, sentence, "bad.toml:" + line + ": ");
    EXPECT_PRED2(contains, sentence, "TOML");
  }
}

TEST(Refusal, OfASettingNamesTheSetting) {
  EXPECT_PRED2(begins, refused(head, {"modl.stiffness=1"}), "--set modl.stiffness=1: ");
  EXPECT_PRED2(contains, refused(head, {"modl.stiffness=1"}), "did you mean 'model'?");
  EXPECT_PRED2(contains, refused(head, {"model.stifness=1"}), "did you mean 'stiffness'?");
  EXPECT_PRED2(begins, refused(head, {"model.stiffness=-1"}), "--set model.stiffness=-1: ");
  EXPECT_PRED2(contains, refused(head, {"model.stiffness=-1"}), "greater than 0 N/m");
  EXPECT_PRED2(contains, refused(head, {"solve.end=nan"}), "end = nan s is not allowed");
  EXPECT_PRED2(contains, refused(head, {"solve.end="}),
               "end = \"\" must be a number greater than 0 s");
}

TEST(Refusal, OfTwoRelationsInOneFactNamesBoth) {
  for (const auto& [first, second] :
       std::vector<std::pair<std::string, std::string>>{{"value = 1", "at_most = 2"},
                                                        {"at_least = 1", "at_most = 2"},
                                                        {"is = \"x\"", "value = 1"},
                                                        {"like = \"a\"", "less_than = \"b\""}}) {
    const std::string sentence =
        refused(head + "[expect]\nperiod = { " + first + ", " + second + " }\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:8: [expect] period gives both ");
    for (const auto& given : {first, second})
      EXPECT_PRED2(contains, sentence, given.substr(0, given.find(' ')));
  }
}

TEST(Refusal, OfAToleranceThatWouldNotBeUsed) {
  for (const char* given :
       {"at_most = 1, tolerance = 1e-3", "at_least = 1, within = 1e-3", "is = \"x\", within = 1"}) {
    const std::string sentence =
        refused(head + "[expect]\nperiod = { " + std::string(given) + " }\n");
    EXPECT_PRED2(begins, sentence, "bad.toml:8: [expect] period gives ");
    EXPECT_PRED2(contains, sentence, "which is exact");
  }
}

TEST(Refusal, OfAnUnknownKindOfFactListsTheKinds) {
  const std::string sentence =
      refused(head + "[expect]\nperiod = { kind = \"published\", value = 1 }\n");
  EXPECT_PRED2(begins, sentence, "bad.toml:8: kind = \"published\"");
  for (const auto& kind : fact_kinds) EXPECT_PRED2(contains, sentence, std::string(kind.key));
}

}  // namespace
}  // namespace bristle::io::refusal_test
