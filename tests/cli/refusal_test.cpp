// SPDX-License-Identifier: MIT
// Bad input: one sentence, the documented exit code, and nothing left behind.
#include <array>

#include "cli/program.hpp"

namespace bristle::test::refusal_test {
namespace {

constexpr int bad_input = 2, file_trouble = 3;

// Runs a file that must be refused, and looks at what is left.
void refuse(const std::string& text, const Words& parts, const Words& more = {}) {
  const Bench bench;
  bench.write("bad.toml", text);
  Words words{"run", "bad.toml", "--out", "result"};
  words.insert(words.end(), more.begin(), more.end());
  SCOPED_TRACE(parts.empty() ? text : parts[0]);
  expect_refused(bench.bristle(words), bad_input, parts);
  EXPECT_EQ(bench.files(), std::set<std::string>{"bad.toml"});
}

TEST(BadInput, NamesTheLineThatIsNotToml) {
  refuse("[model\n", {"bad.toml:1: ", "TOML"});
  refuse(stick_slip + "samples = = 1\n", {"bad.toml:10: ", "TOML"});
  refuse(stick_slip + "end = 3\n", {"bad.toml:10: ", "TOML"});
  refuse(std::string("\0\1\2", 3), {"bad.toml:1: ", "TOML"});
  refuse("PK\x03\x04\xff\xfe", {"bad.toml:1: ", "TOML"});
}

TEST(BadInput, NamesEncodingsAndDecimalCommasForWhatTheyAre) {
  refuse("\xff\xfe[\0m\0", {"bad.toml:1: ", "UTF-16", "save it as UTF-8"});
  refuse(stick_slip + "note = \"caf\xe9\"\n", {"bad.toml:10: ", "not in UTF-8"});
  refuse(stick_slip + "samples = 1" + std::string(1, '\0') + "\n", {"bad.toml:10: ", "NUL"});
  refuse(stick_slip + "tolerance = 0,001  # small\n",
         {"bad.toml:10: ", "'0,001' has a decimal comma, write a point"});
}

TEST(BadInput, SaysThatATextMustBeANumber) {
  refuse(stick_slip, {"end = \"soon\" must be a number greater than 0 s"},
         {"--set", "solve.end=soon"});
  refuse(stick_slip, {"end = [1, 5]", "one number, with a decimal point"},
         {"--set", "solve.end=1,5"});
}

TEST(BadInput, SaysHowMuchMemoryHopelesslyManySamplesNeed) {
  std::string text = stick_slip + "samples = 100000000\n";
  for (int i = 0; i < 100; ++i) text += "[[case]]\nlabel = \"" + std::to_string(i) + "\"\n";
  refuse(text, {"bad.toml: solve: samples need ", " GB of memory, there are "});
}

TEST(BadInput, BlamesTheOptionThatWasGiven) {
  refuse(stick_slip, {"bristle: --method euler: "}, {"--method", "euler"});
}

TEST(BadInput, NamesAnUnknownKeyAndTheNearest) {
  refuse("titel = \"x\"\n" + stick_slip, {"bad.toml:1: ", "'titel'", "did you mean 'title'?"});
  refuse(stick_slip + "[mechansim]\n", {"bad.toml:10: ", "did you mean 'mechanism'?"});
  refuse(stick_slip + "tolerence = 1\n", {"bad.toml:10: ", "did you mean 'tolerance'?"});
}

TEST(BadInput, NamesAWrongType) {
  refuse(stick_slip + "samples = \"many\"\n", {"bad.toml:10: ", "samples", "\"many\""});
  refuse(stick_slip + "samples = true\n", {"bad.toml:10: ", "samples"});
  refuse("model = 1\n", {"bad.toml:1: ", "model"});
}

TEST(BadInput, NamesNumbersThatAreNotFinite) {
  refuse(stick_slip + "step = nan\n", {"bad.toml:10: ", "step = nan s", "greater than 0 s"});
  refuse(stick_slip + "step = inf\n", {"bad.toml:10: ", "step = inf s"});
  refuse(stick_slip + "[initial]\nposition = nan\n",
         {"bad.toml:11: ", "position = nan m", "finite"});
}

TEST(BadInput, NamesValueRangeAndUnitOfAParameterOutOfBounds) {
  refuse("[model]\nname = \"lugre\"\nstiffness = -5\n[mechanism]\nname = \"dragged_mass\"\n",
         {"bad.toml:3: ", "stiffness = -5 N/m", "greater than 0 N/m"});
  refuse(stick_slip + "tolerance = 2\n",
         {"bad.toml:10: ", "tolerance = 2", "at least 1e-14 and at most 0.1"});
  refuse(stick_slip + "samples = 1\n", {"bad.toml:10: ", "samples = 1", "at least 2"});
}

TEST(BadInput, NamesAnEndOfZeroAndAStepOfZero) {
  refuse("[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 0\n",
         {"bad.toml:6: ", "end = 0 s", "greater than 0 s"});
  refuse(stick_slip + "step = 0\n", {"bad.toml:10: ", "step = 0 s", "greater than 0 s"});
}

TEST(BadInput, NamesARecordThatBeginsAfterTheEnd) {
  for (const std::string from : {"20", "21"})
    refuse(stick_slip + "record_from = " + from + "\n",
           {"bad.toml:10: ", "record_from = " + from + " s", "end = 20 s"});
}

TEST(BadInput, NamesASettingOfTheCommandLine) {
  for (const auto& [setting, part] :
       std::vector<std::array<std::string, 2>>{{"model.stiffness=-1", "stiffness = -1 N/m"},
                                               {"model.stiffness=nan", "stiffness = nan N/m"},
                                               {"model.stifness=1", "did you mean 'stiffness'?"},
                                               {"modl.stiffness=1", "did you mean 'model'?"},
                                               {"solve.end=0", "greater than 0 s"},
                                               {"solve.end=soon", "end = \"soon\""},
                                               {"solve.record_from=30", "end = 20 s"},
                                               {"stiffness", "section.field=value"}})
    refuse(stick_slip, {"--set " + setting, part}, {"--set", setting});
}

TEST(BadInput, NamesAMethodThatDoesNotExist) {
  refuse(stick_slip, {"\"euler\"", "rosenbrock, cvode, coupled, bristle_only"},
         {"--method", "euler"});
  refuse(stick_slip, {"did you mean 'rosenbrock'?"}, {"--method", "rosenbrok"});
}

TEST(BadInput, NamesTextsWithLineEndsInOneLine) {
  refuse("\"a\\nb\" = 1\n" + stick_slip, {"bad.toml:1: "});
  refuse("[model]\nname = \"lu\\ngre\"\n", {"bad.toml:2: "});
}

TEST(BadInput, NamesSamplesThatAreBad) {
  const Bench bench;
  bench.write("bad.toml",
              "[model]\nname = \"dahl\"\n[mechanism]\nname = \"prescribed_motion\"\n"
              "[input]\nfile = \"motion.csv\"\n");
  const Words words{"run", "bad.toml", "--out", "result"};
  expect_refused(bench.bristle(words), file_trouble, {"motion.csv", "No such file"});
  bench.write("motion.csv", "t,x\n0,1\n1,two\n");
  expect_refused(bench.bristle(words), bad_input, {"motion.csv:3: ", "'two'", "'x'"});
  EXPECT_EQ(bench.files(), (std::set<std::string>{"bad.toml", "motion.csv"}));
}

TEST(BadInput, RunsNothingThatStandsInTheRangeOfAFigure) {
  const Bench bench;
  bench.write("bad.toml", stick_slip + "[[figure]]\nx_range = \"0:1]; system('touch ran') #\"\n");
  bench.bristle({"run", "bad.toml", "--out", "result"});
  EXPECT_FALSE(bench.has("result/ran"));
}

TEST(BadInput, WritesNoFigureOutsideTheResults) {
  const Bench bench;
  bench.write("bad.toml", stick_slip + "[[figure]]\nname = \"../up\"\n");
  bench.bristle({"run", "bad.toml", "--out", "result", "--no-figures"});
  EXPECT_FALSE(bench.has("up.gp"));
}

TEST(MissingInput, IsNamed) {
  const Bench bench;
  expect_refused(bench.bristle({"run", "none.toml", "--out", "result"}), file_trouble,
                 {"none.toml", "No such file"});
  expect_refused(bench.bristle({"run", ".", "--out", "result"}), file_trouble,
                 {".: is a directory"});
  EXPECT_EQ(bench.files(), std::set<std::string>{});
}

TEST(WithoutSundials, TheMethodsThatNeedItAreRefusedInOneSentence) {
  if (!without_sundials()) GTEST_SKIP() << "this program was built with SUNDIALS";
  const Bench bench;
  bench.write("slide.toml", stick_slip);
  bench.write("row.toml", "[model]\nname = \"coulomb\"\n[mechanism]\nname = \"dragged_mass\"\n");
  bench.write("machine.toml",
              "[[body]]\nname = \"a\"\ninertia = 1.0\n[[contact]]\non = \"a\"\nlaw = \"gms\"\n");
  for (const Words& words : {Words{"run", "slide.toml", "--method", "cvode", "--no-figures"},
                             Words{"run", "row.toml", "--method", "switch", "--no-figures"},
                             Words{"run", "machine.toml", "--method", "cvode", "--no-figures"}})
    expect_refused(bench.bristle(words), 2, {".toml", "built without", "SUNDIALS", "rosenbrock"});
}

}  // namespace
}  // namespace bristle::test::refusal_test
