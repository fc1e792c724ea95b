// SPDX-License-Identifier: MIT
// `bristle fit`, `compare` and `excite` as their users meet them.
#include <cmath>
#include <map>
#include <random>
#include <sstream>

#include "cli/program.hpp"

namespace bristle::test::fit_test {
namespace {

const std::string data = std::string(BRISTLE_EXPERIMENTS) + "/../data/";
const std::string drives = data + "screw-drives/steady_map.csv";

Words steady_fit(const std::string& drive, const Words& more) {
  Words words{"fit",        drives,           "--steady", "--offset",  "--where", "drive=" + drive,
              "--velocity", "velocity_rad_s", "--force",  "torque_Nm", "--model", "stribeck",
              "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// A bristle that bends, driven along a sine; `shake` is noise of the position [m].
std::string strokes(double noise = 0.0, double shake = 0.0) {
  std::string text = "time,position,force\n";
  std::minstd_rand engine(5);
  // A sum of uniform numbers of variance 1.
  const auto normal = [&] {
    double sum = -6.0;
    for (int k = 0; k < 12; ++k) sum += double(engine()) / 2147483647.0;
    return sum;
  };
  double z = 0.0, before = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const double t = 2e-3 * i, x = 1e-3 * std::sin(7.0 * t) + 2e-4 * std::sin(31.0 * t);
    const double move = x - before, sign = move > 0.0 ? 1.0 : -1.0;
    z = sign * (1e-4 - (1e-4 - sign * z) * std::exp(-std::abs(move) / 1e-4));
    before = x;
    text += std::to_string(t) + "," + std::to_string(1e9 * (x + shake * normal())) + "e-9," +
            std::to_string(1e4 * z + noise * std::sin(1e4 * i)) + "\n";
  }
  return text;
}

TEST(Fit, OfTheScrewDrivesBeatsTheFitsOfOthers) {
  const Bench bench;
  // Torque errors of a curve with five parameters fitted by scipy, printed to four digits [N m].
  const std::map<std::string, double> others{
      {"driveNo1", 0.04265e-3}, {"driveNo2", 0.09055e-3}, {"driveNo3", 0.07705e-3}};
  for (const auto& [drive, error] : others) {
    const Outcome five = bench.bristle(steady_fit(drive, {}));
    ASSERT_EQ(five.code, 0) << five.err;
    EXPECT_LE(five.json()["fitted"]["rmse"].get<double>(), error) << drive;
    // With a factor between the directions it is better on all three.
    const Outcome six = bench.bristle(steady_fit(drive, {"--asymmetric"}));
    EXPECT_LE(six.json()["fitted"]["rmse"].get<double>(), 0.995 * error) << drive;
  }
}

TEST(Fit, WritesAReportAndAPartThatRuns) {
  const Bench bench;
  bench.write("strokes.csv", strokes());
  const Outcome run = bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--hold-out", "0.3",
                                     "--out", "found", "--profile", "stiffness"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "95 % interval");
  EXPECT_PRED2(contains, run.out, "held out");
  EXPECT_EQ(bench.names("found"),
            (std::set<std::string>{".bristle-files", "fit.csv", "part.toml", "report.html",
                                   "run.toml", "summary.json"}));
  const auto summary = nlohmann::json::parse(bench.text("found/summary.json"));
  EXPECT_NEAR(summary["parameters"][0]["value"].get<double>(), 1e4, 100.0);
  EXPECT_NEAR(summary["parameters"][1]["value"].get<double>(), 1.0, 0.01);
  EXPECT_EQ(summary["profiles"][0]["parameter"], "stiffness");
  EXPECT_PRED2(contains, bench.text("found/report.html"), "Warnings");
  const Outcome again = bench.bristle({"run", "found/run.toml", "--out", "again"});
  EXPECT_EQ(again.code, 0) << again.err;
  // A later fit replaces the results of an earlier one.
  EXPECT_EQ(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--out", "found"}).code, 0);
}

TEST(Fit, SaysWhatNoiseThePositionHasAndWhatWasDone) {
  const Bench bench;
  bench.write("shaken.csv", strokes(0.02, 1e-6));
  Words words{"fit", "shaken.csv", "--model", "dahl", "--out", "found"};
  const Outcome run = bench.bristle(words);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "the position has noise of ");
  EXPECT_PRED2(contains, run.out, "Hz (chosen from the data)");
  EXPECT_PRED2(contains, bench.text("found/report.html"), "Motion: the position has noise of");
  auto summary = nlohmann::json::parse(bench.text("found/summary.json"));
  const auto& motion = summary["motion"]["runs"][0];
  EXPECT_NEAR(motion["position_noise"].get<double>(), 1e-6, 2e-7);
  EXPECT_GT(motion["bandwidth_hz"].get<double>(), 5.0);
  EXPECT_LT(motion["bandwidth_hz"].get<double>(), 100.0);
  EXPECT_TRUE(motion["chosen_from_data"].get<bool>());
  EXPECT_TRUE(motion["smoothed"].get<bool>());
  EXPECT_GT(summary["motion"]["repeated_fits"].get<int>(), 30);
  EXPECT_NEAR(summary["parameters"][0]["value"].get<double>(), 1e4, 200.0);

  words.insert(words.end(), {"--bandwidth", "20"});
  EXPECT_PRED2(contains, bench.bristle(words).out, "up to 20 Hz (as asked for)");
  for (const std::string none : {"none", "0"}) {
    words.back() = none;
    EXPECT_PRED2(contains, bench.bristle(words).out, "rms; used as measured");
  }
  for (const std::string wrong : {"-1", "wide", "inf"}) {
    words.back() = wrong;
    expect_refused(bench.bristle(words), 2,
                   {"--bandwidth " + wrong + ": must be a frequency in Hz, or none"});
  }
}

// A torque over an angle: the strokes with an inertia and a weight, counted on a motor of gear 10.
std::string arm_log() {
  std::string text = "Bench 4; arm\n\nt;motor_angle;current\ns;rad;A\n";
  std::minstd_rand engine(5);
  double z = 0.0, before = 0.0;
  for (int i = 0; i < 1500; ++i) {
    const double t = 2e-3 * i, q = std::sin(3.0 * t) + 0.3 * std::sin(11.0 * t);
    const double a = -9.0 * std::sin(3.0 * t) - 36.3 * std::sin(11.0 * t);
    const double move = q - before, sign = move > 0.0 ? 1.0 : -1.0;
    z = sign * (0.01 - (0.01 - sign * z) * std::exp(-std::abs(move) / 0.01));
    before = q;
    const double noise = 0.02 * (double(engine()) / 2147483647.0 - 0.5);
    const double torque = 0.04 * a + 1.7 * std::sin(q + 0.1) + 0.2 + 100.0 * z + noise;
    std::string row = std::to_string(t) + ";" + std::to_string(10.0 * q) + ";" +
                      std::to_string(torque / (10.0 * 0.05)) + "\n";
    // With decimal commas, as some write them.
    for (char& c : row)
      if (c == '.') c = ',';
    text += row;
  }
  return text;
}

TEST(Fit, FindsFrictionInATorqueThatAlsoAcceleratesAndLifts) {
  const Bench bench;
  bench.write("arm.csv", arm_log());
  const Words words{"fit",        "arm.csv",    "--model",
                    "dahl",       "--terms",    "inertia,gravity,offset,friction",
                    "--force",    "current",    "--motor-constant",
                    "0.05",       "--gear",     "10",
                    "--position", "motor_angle"};
  Words out = words;
  out.insert(out.end(), {"--out", "found"});
  const Outcome run = bench.bristle(out);
  ASSERT_EQ(run.code, 0) << run.err << run.out;
  EXPECT_PRED2(contains, run.out, "gear ratio 10");
  EXPECT_PRED2(contains, run.out, "1 line before the table was skipped");
  const auto summary = nlohmann::json::parse(bench.text("found/summary.json"));
  std::map<std::string, double> value;
  for (const auto& p : summary["parameters"]) value[p["name"]] = p["value"];
  EXPECT_NEAR(value["inertia"], 0.04, 5e-4);
  EXPECT_NEAR(value["coulomb_force"], 1.0, 0.02);
  EXPECT_NEAR(summary["gravity"]["torque"].get<double>(), 1.7, 0.02);
  EXPECT_NEAR(summary["gravity"]["angle_rad"].get<double>(), 0.1, 0.01);
  EXPECT_PRED2(contains, bench.text("found/part.toml"), "name = \"inertia\"\nof = \"terms\"");
  const Outcome again = bench.bristle({"run", "found/run.toml", "--no-figures", "--out", "again"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_PRED2(contains, again.err, "mechanics beside its law, which do not act here: inertia");
  Words wrong = words;
  wrong[5] = "inertia,gravity";
  expect_refused(bench.bristle(wrong), 2, {"friction is missing"});
  wrong[5] = "inertia,frction";
  expect_refused(bench.bristle(wrong), 2, {"did you mean 'friction'"});
}

TEST(Fit, TakesTheUnitOfACurrent) {
  const Bench bench;
  const auto stiffness = [&](const std::string& header, double unit, const std::string& force,
                             const std::string& constant) {
    std::string text = "time,position," + header + "\n";
    std::istringstream rows(strokes());
    std::string row;
    std::getline(rows, row);
    while (std::getline(rows, row)) {
      const auto comma = row.rfind(',');
      text +=
          row.substr(0, comma + 1) + std::to_string(std::stod(row.substr(comma + 1)) * unit) + "\n";
    }
    bench.write("log.csv", text);
    const Outcome run = bench.bristle({"fit", "log.csv", "--model", "dahl", "--force", force,
                                       "--motor-constant", constant, "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.json()["parameters"][0]["name"], "stiffness");
    EXPECT_PRED2(contains, run.json()["columns"].dump(), "N/A");
    return run.json()["parameters"][0]["value"].get<double>();
  };
  // A force of F is a current of 20 F at 0.05 N/A.
  EXPECT_NEAR(stiffness("motor [mA]", 20e3, "motor [mA]", "0.05"), 1e4, 100.0);
  EXPECT_NEAR(stiffness("motor", 20.0, "motor", "0.05"), 1e4, 100.0);
  EXPECT_NEAR(stiffness("motor", 20e3, "motor:mA", "0.05"), 1e4, 100.0);
  EXPECT_NEAR(stiffness("motor", 40.0, "motor:0.5", "0.05"), 1e4, 100.0);
  EXPECT_NEAR(stiffness("motor [mA]", -20e3, "motor [mA]:-mA", "0.05"), 1e4, 100.0);
  EXPECT_NEAR(stiffness("motor [mA]", -20e3, "motor [mA]", "-0.05"), 1e4, 100.0);
  expect_refused(bench.bristle({"fit", "log.csv", "--model", "dahl", "--force", "motor [mA]:N",
                                "--motor-constant", "0.05"}),
                 2, {"'N' is a unit of force, force needs one of current (A, mA)"});
}

TEST(Fit, NamesTheOptionThatReversesTheForce) {
  const Bench bench;
  bench.write("log.csv", strokes());
  const auto said = [&](const Words& more) {
    Words words{"fit", "log.csv", "--model", "dahl"};
    words.insert(words.end(), more.begin(), more.end());
    const std::string out = bench.bristle(words).out;
    const auto at = out.find("reversed? ");
    return at == out.npos ? "" : out.substr(at + 10, out.find(" reverses it") - at - 10);
  };
  EXPECT_EQ(said({"--force", "force:N"}), "");
  EXPECT_EQ(said({"--force", "force:-N"}), "--force \"force:N\"");
  EXPECT_EQ(said({"--force", "force:-2"}), "--force \"force:2\"");
  EXPECT_EQ(said({"--force", "force", "--motor-constant", "-2"}), "--motor-constant 2");
}

TEST(Fit, FindsTheDelayOfTheForce) {
  const Bench bench;
  // The force of the strokes, ten samples late.
  std::vector<std::string> rows;
  std::istringstream lines(strokes(0.02));
  for (std::string line; std::getline(lines, line);) rows.push_back(line);
  std::string text = rows[0] + "\n";
  for (std::size_t i = 11; i < rows.size(); ++i)
    text +=
        rows[i].substr(0, rows[i].rfind(',')) + rows[i - 10].substr(rows[i - 10].rfind(',')) + "\n";
  bench.write("late.csv", text);
  const Outcome run =
      bench.bristle({"fit", "late.csv", "--model", "dahl", "--delay", "auto", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_NEAR(run.json()["delay"]["delay_s"].get<double>(), 0.02, 5e-4);
  EXPECT_NEAR(run.json()["parameters"][0]["value"].get<double>(), 1e4, 200.0);
  const Outcome given =
      bench.bristle({"fit", "late.csv", "--model", "dahl", "--delay", "0.02", "--json"});
  EXPECT_NEAR(given.json()["parameters"][0]["value"].get<double>(), 1e4, 200.0);
  expect_refused(bench.bristle({"fit", "late.csv", "--model", "dahl", "--delay", "soon"}), 2,
                 {"--delay soon: 'soon' is not a time in seconds"});
  expect_refused(bench.bristle({"compare", "late.csv", "--delay", "auto"}), 2,
                 {"a delay is found along one law"});
}

TEST(Fit, JoinsFilesAndNeedsNoTimeForARateIndependentLaw) {
  const Bench bench;
  std::string motion = "time,position\n", force = "time,force\n", untimed = "position,force\n";
  std::istringstream lines(strokes(0.01));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const auto first = line.find(','), last = line.rfind(',');
    motion += line.substr(0, last) + "\n";
    force += line.substr(0, first) + line.substr(last) + "\n";
    untimed += line.substr(first + 1) + "\n";
  }
  bench.write("motion.csv", motion), bench.write("force.csv", force);
  bench.write("untimed.csv", untimed);
  const Outcome joined = bench.bristle(
      {"fit", "motion.csv", "force.csv", "--join", "time", "--model", "dahl", "--json"});
  ASSERT_EQ(joined.code, 0) << joined.err;
  EXPECT_NEAR(joined.json()["parameters"][0]["value"].get<double>(), 1e4, 100.0);
  const Outcome alone = bench.bristle({"fit", "untimed.csv", "--model", "dahl"});
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_PRED2(contains, alone.out, "no column of time");
  expect_refused(bench.bristle({"fit", "untimed.csv", "--model", "lugre"}), 2,
                 {"depends on the rate of the motion"});
}

TEST(Fit, ThatIsUnusableSaysSoAndHasAnExitCode) {
  const Bench bench;
  std::string text = "time,position,force\n";
  std::minstd_rand engine(9);
  for (int i = 0; i < 800; ++i)
    text += std::to_string(2e-3 * i) + "," + std::to_string(std::sin(0.02 * i)) + "," +
            std::to_string(double(engine()) / 2147483647.0 - 0.5) + "\n";
  bench.write("noise.csv", text);
  const Outcome run =
      bench.bristle({"fit", "noise.csv", "--model", "dahl", "--hold-out", "0.3", "--out", "found"});
  EXPECT_EQ(run.code, 5) << run.out;
  EXPECT_PRED2(contains, run.out, "!! this fit must not be used: it is no better than");
  EXPECT_PRED2(contains, bench.text("found/report.html"), "This fit must not be used");
  EXPECT_PRED2(contains, bench.text("found/part.toml"),
               "unusable_because = \"it is no better than");
  EXPECT_FALSE(nlohmann::json::parse(bench.text("found/summary.json"))["usable"].get<bool>());
}

TEST(Fit, SaysInASentenceWhatIsWrong) {
  const Bench bench;
  bench.write("strokes.csv", strokes());
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--force", "F"}), 2,
                 {"strokes.csv: there is no column 'F' (columns: time, position, force)"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dhal"}), 2,
                 {"did you mean 'dahl'"});
  expect_refused(
      bench.bristle({"fit", "strokes.csv", "--model", "sawtooth"}), 2,
      {"the law 'sawtooth' is known but not fitted (models that can be fitted: coulomb,"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--fix", "stiffness"}), 2,
                 {"--fix stiffness: must read NAME=VALUE"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--bound", "stiffness"}),
                 2, {"--bound stiffness: must read NAME=LOW:HIGH"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--fix", "stiffness=-1"}),
                 2, {"stiffness = -1 N/m is not allowed, it must be greater than 0 N/m"});
  expect_refused(
      bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--bound", "stiffness=2:1"}), 2,
      {"the bounds of stiffness contradict each other"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--hold-out", "7"}), 2,
                 {"from 0 to 0.9", "there is no run '7'"});
  expect_refused(bench.bristle({"fit", "strokes.csv", "--model", "dahl", "--hold-out", "1.5"}), 2,
                 {"--hold-out 1.5", "from 0 to 0.9"});
  expect_refused(bench.bristle({"fit", "missing.csv", "--model", "dahl"}), 3, {"missing.csv"});
  bench.write("short.csv", "t,v,F\n0,1,2\n1,2,3\n");
  expect_refused(bench.bristle({"fit", "short.csv", "--model", "dahl"}), 2,
                 {"there are 2 samples, a fit needs at least 10"});
  EXPECT_EQ(bench.files(), (std::set<std::string>{"strokes.csv", "short.csv"}));
}

// A mass dragged by a spring through Dahl friction, in small steps of Euler's rule: position,
// velocity and the drag at each millisecond, the drag known only every fifth.
std::string dragged_motion() {
  std::string text = "time,drag,position,velocity\n";
  constexpr double mass = 1.0, spring = 100.0, stiffness = 4e3, coulomb = 1.0, h = 1e-6;
  double x = 0.0, v = 0.0, z = 0.0;
  for (int i = 0; i <= 600; ++i) {
    const double t = 1e-3 * i;
    char row[120];
    const auto drag = [](double time) { return 0.05 * std::sin(12.0 * time); };
    std::snprintf(row, sizeof row, i % 5 ? "%.4f,,%.9e,%.9e\n" : "%.4f,%.9e,%.9e,%.9e\n", t,
                  i % 5 ? x : drag(t), i % 5 ? v : x, i % 5 ? 0.0 : v);
    text += row;
    for (int k = 0; k < 1000; ++k) {
      const double f = stiffness * z;
      v += h / mass * (spring * (drag(t + k * h) - x) - f);
      x += h * v;
      z += h * v * (1.0 - f / coulomb * (v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0));
    }
  }
  return text;
}

TEST(FitOfMotion, WritesAReportAndAMechanismThatRuns) {
  const Bench bench;
  bench.write("drag.csv", dragged_motion());
  const Words fit{"fit",         "drag.csv",
                  "--model",     "dahl",
                  "--mechanism", "dragged_mass",
                  "--input",     "drag",
                  "--fix",       "mechanism.mass=1",
                  "--fix",       "mechanism.spring=100",
                  "--starts",    "64"};
  Words words = fit;
  words.insert(words.end(), {"--hold-out", "0.2", "--out", "found"});
  const Outcome run = bench.bristle(words);
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_PRED2(contains, run.out, "halving them moves the fit by");
  EXPECT_PRED2(contains, run.out, "mechanism.spring");
  EXPECT_EQ(bench.names("found"),
            (std::set<std::string>{".bristle-files", "fit.csv", "input.csv", "part.toml",
                                   "report.html", "run.toml", "summary.json"}));
  const auto summary = nlohmann::json::parse(bench.text("found/summary.json"));
  EXPECT_NEAR(summary["parameters"][0]["value"].get<double>(), 4e3, 40.0);
  EXPECT_NEAR(summary["parameters"][1]["value"].get<double>(), 1.0, 0.01);
  EXPECT_EQ(summary["rollout"]["mechanism"], "dragged_mass");
  EXPECT_EQ(summary["rollout"]["output"], "position");
  EXPECT_PRED2(contains, bench.text("found/fit.csv"), "fitted_position");
  EXPECT_PRED2(contains, bench.text("found/report.html"), "Output over input");
  const Outcome again = bench.bristle({"run", "found/run.toml", "--json", "--out", "again"});
  EXPECT_EQ(again.code, 0) << again.err;
  // With the mechanism as it was fitted.
  EXPECT_EQ(again.json()["cases"][0]["settings"]["mechanism"]["spring"], 100.0);
  // By its velocity.
  words = fit;
  words.insert(words.end(), {"--output", "velocity", "--json"});
  const Outcome by_velocity = bench.bristle(words);
  ASSERT_EQ(by_velocity.code, 0) << by_velocity.err;
  EXPECT_NEAR(by_velocity.json()["parameters"][0]["value"].get<double>(), 4e3, 40.0);
}

TEST(FitOfMotion, SaysInASentenceWhatIsWrong) {
  const Bench bench;
  bench.write("drag.csv", dragged_motion());
  const auto refused = [&](const Words& more, const char* part) {
    Words words{"fit", "drag.csv", "--model", "dahl"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(bench.bristle(words), 2, {part});
  };
  refused({"--mechanism", "dragged_mass"},
          "--mechanism dragged_mass: needs --input, the column of its drag_position [m]");
  refused({"--mechanism", "draged_mass", "--input", "drag"}, "did you mean 'dragged_mass'?");
  refused({"--input", "drag"}, "--input drag: needs --mechanism");
  refused({"--mechanism", "dragged_mass", "--input", "pull"}, "there is no column 'pull'");
  refused({"--mechanism", "dragged_mass", "--input", "drag", "--steady"},
          "--steady and --mechanism exclude each other");
  refused({"--mechanism", "dragged_mass", "--input", "drag", "--fix", "mechanism.mas=1"},
          "did you mean 'mass'?");
  refused({"--mechanism", "dragged_mass", "--input", "drag", "--free", "mechanism.load"},
          "mechanism.load cannot be fitted");
  bench.write("late.csv",
              "time,drag,position\n0,,0\n1,0,1e-3\n2,1,2e-3\n3,1,1e-3\n4,1,0\n5,1,"
              "1e-3\n6,1,2e-3\n7,1,0\n8,1,1e-3\n9,1,2e-3\n10,1,3e-3\n");
  expect_refused(bench.bristle({"fit", "late.csv", "--model", "dahl", "--mechanism", "dragged_mass",
                                "--input", "drag"}),
                 2, {"the input is given from 1 to 10 s, which does not cover the motion from 0"});
  bench.write("still.csv", "time,drag,velocity\n0,0,0\n1,1,1\n");
  expect_refused(bench.bristle({"fit", "still.csv", "--model", "dahl", "--mechanism",
                                "dragged_mass", "--input", "drag"}),
                 2, {"--output position: run still has no column of position"});
}

TEST(Compare, RanksLawsByHeldOutError) {
  const Bench bench;
  bench.write("strokes.csv", strokes(0.01));
  const Outcome run = bench.bristle({"compare", "strokes.csv", "--models", "coulomb,dahl,lugre",
                                     "--starts", "64", "--out", "ladder", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto ranking = run.json()["ranking"];
  ASSERT_EQ(ranking.size(), 3u);
  EXPECT_EQ(ranking[2]["model"], "coulomb");
  EXPECT_LT(ranking[0]["held_out"]["rmse"].get<double>(),
            0.2 * ranking[2]["held_out"]["rmse"].get<double>());
  EXPECT_TRUE(bench.has("ladder/report.html"));
  expect_refused(bench.bristle({"compare", "strokes.csv", "--models", "dahl,lugree"}), 2,
                 {"did you mean 'lugre'"});
  expect_refused(bench.bristle({"compare", "strokes.csv", "--models", "dahl,lugre,dahl"}), 2,
                 {"--models dahl,lugre,dahl: dahl is named twice"});
  expect_refused(bench.bristle({"compare", "strokes.csv", "--hold-out", "0"}), 2,
                 {"--hold-out 0: laws are ranked by their error on held-out samples"});
}

TEST(Compare, WhoseBestMustNotBeUsedSaysSoAndHasAnExitCode) {
  const Bench bench;
  bench.write("strokes.csv", strokes(0.01));
  const Words words{"compare", "strokes.csv", "--models", "dahl", "--starts", "16"};
  EXPECT_EQ(bench.bristle(words).code, 0);
  Words reversed = words;
  reversed.insert(reversed.end(), {"--force", "force:-N"});
  const Outcome run = bench.bristle(reversed);
  EXPECT_EQ(run.code, 5) << run.err;
  EXPECT_PRED2(contains, run.out, "!! the best of them must not be used: ");
}

TEST(Excite, ProposesAMotionWithinItsLimits) {
  const Bench bench;
  const Outcome run =
      bench.bristle({"excite", "--model", "dahl", "--set", "stiffness=1e4", "--stroke", "0.001",
                     "--speed", "0.02", "--duration", "2", "--rate", "500", "--trials", "60",
                     "--out", "motion.csv", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_LT(run.json()["expected_relative_deviation"]["stiffness"].get<double>(), 0.05);
  std::istringstream rows(bench.text("motion.csv"));
  std::string line;
  std::getline(rows, line);
  EXPECT_EQ(line, "time,position,velocity,expected_force");
  while (std::getline(rows, line)) {
    double t = 0.0, x = 0.0, v = 0.0;
    ASSERT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &t, &x, &v), 3);
    EXPECT_LE(std::abs(x), 0.001 * (1.0 + 1e-9));
    EXPECT_LE(std::abs(v), 0.02 * (1.0 + 1e-9));
  }
  expect_refused(bench.bristle({"excite", "--model", "dahl", "--stroke", "-1"}), 2,
                 {"stroke = -1 m is not allowed"});
  expect_refused(bench.bristle({"excite", "--model", "dahl", "--acceleration", "-1"}), 2,
                 {"acceleration = -1 m/s2 is not allowed, it must be at least 0 m/s2"});
  expect_refused(bench.bristle({"excite", "--model", "dahl", "--load", "-1"}), 2,
                 {"load = -1 N is not allowed, it must be greater than 0 N"});
}

}  // namespace
}  // namespace bristle::test::fit_test
