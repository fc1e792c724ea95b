// SPDX-License-Identifier: MIT
// part.toml: written, read, refused, drawn from, and used by experiments.
#include "bristle/io/part.hpp"

#include <gtest/gtest.h>

#include "bristle/identify/excite.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/io/part_diff.hpp"
#include "bristle/io/runner.hpp"
#include "io/support.hpp"

namespace bristle::io::part_test {
namespace {

namespace fs = std::filesystem;
using test::contains;
using test::refusal;
using test::TemporaryDirectory;

// A Stribeck curve whose stiffness-like parameters are counted in all three ways.
Part stribeck() {
  Part part;
  part.law = "stribeck";
  part.choices["curve"] = std::string("gaussian");
  PartParameter coulomb{.name = "coulomb_force", .value = 1.0 / 3.0, .unit = "N", .fitted = true};
  coulomb.logarithmic = true;
  coulomb.least = 1e-3, coulomb.most = 50.0, coulomb.deviation = 0.01 / 3.0;
  coulomb.lower = 0.326, coulomb.upper = 0.34;
  PartParameter fixed{.name = "viscous", .value = 0.25, .unit = "N s/m"};
  PartParameter above{.name = "static_force", .value = 0.5, .unit = "N", .fitted = true};
  above.above = "coulomb_force";
  above.least = 1.0 / 3.0, above.most = 60.0, above.deviation = 0.02;
  above.lower = 0.46, above.upper = 0.54;
  PartParameter offset{.name = "offset", .of = "bias", .value = -0.1, .unit = "N", .fitted = true};
  offset.deviation = 0.005, offset.lower = -0.11, offset.upper = -0.09;
  part.parameters = {coulomb, fixed, above, offset};
  part.covariance = {1e-4, 5e-5, 0.0, 5e-5, 4e-4, -2e-5, 0.0, -2e-5, 2.5e-5};
  part.domain = {{"speed", 0.0, 0.1, "m/s"}, {"load", 5.0, 7.0, "N"}};
  part.data = {{"strokes.csv", fingerprint("time,force\n")}};
  part.runs = {{"strokes", "force", "N", {400, 0.1, 0.05, 0.97, 0.3}, {100, 0.12, 0.06, 0.9, 0.4}}};
  part.warnings = {"the data \"say\" little \\ nothing"};
  part.version = "0", part.command = "bristle fit strokes.csv --model stribeck";
  part.licence = "CC BY 4.0", part.source = "a bench";
  return part;
}

void expect_same(const Part& a, const Part& b) {
  EXPECT_EQ(part_text(a), part_text(b));
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.covariance, b.covariance);
  EXPECT_EQ(a.choices, b.choices);
  EXPECT_EQ(a.domain, b.domain);
  EXPECT_EQ(a.data, b.data);
  EXPECT_EQ(a.warnings, b.warnings);
}

std::string refused(const std::string& text) {
  return refusal<InputError>([&] { parse_part(text, "p.toml"); });
}

std::string with(const std::string& before, const std::string& after) {
  std::string text = part_text(stribeck());
  const auto at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

TEST(Part, ReadsBackBitByBitAsItWasWritten) {
  const TemporaryDirectory folder;
  Part part = stribeck();
  part.parameters[0].value = std::nextafter(1.0 / 3.0, 1.0);
  write_part(folder.path("p.toml"), part);
  expect_same(read_part(folder.path("p.toml")), part);
}

TEST(Part, OfAMachineHoldsItsFileAsItIs) {
  Part part;
  part.kind = "machine";
  part.machine = "# \"quoted\" \\ and\ttabs\n[[body]]\nname = \"arm\"\ninertia = 1.0\n";
  part.parameters = {{.name = "body.arm.inertia", .of = "machine", .value = 2.0}};
  const Part again = parse_part(part_text(part), "p.toml");
  EXPECT_EQ(again.machine, part.machine);
  expect_same(again, part);
}

// No reader accepts control characters, of which U+009B has two bytes.
TEST(Part, WithControlCharactersInItsTextsReadsBack) {
  Part part;
  part.kind = "machine";
  part.machine = "# \x1b[2J \xc2\x9b 2J\n[[body]]\nname = \"arm\"\ninertia = 1.0\n";
  part.source = "\xc2\x9b\x7f\x1b";
  part.parameters = {{.name = "body.arm.inertia", .of = "machine", .value = 2.0}};
  const Part again = parse_part(part_text(part), "p.toml");
  EXPECT_EQ(again.source, "\\u009B\\u007F\\u001B");
  EXPECT_PRED2(contains, again.machine, "# \\u001B[2J \\u009B 2J\n");
}

TEST(Part, RefusesWhatIsNotAPartInOneSentence) {
  for (const auto& [text, why] : std::vector<std::pair<std::string, std::string>>{
           {"", "is not a part, it needs format = \"bristle part 1\""},
           {"format = 3", "format must be a text"},
           {"format = \"bristle part 9\"", "must be \"bristle part 1\""},
           {with("kind = \"law\"", "kind = \"spell\""), "must be one of law, machine"},
           {with("law = \"stribeck\"", "law = \"stribek\""), "did you mean 'stribeck'"},
           {with("law = \"stribeck\"", "law = \"../x\""), "there is no model"},
           {with("fitted = true", "fited = true"), "did you mean 'fitted'"},
           {with("fitted = true", "fitted = false"), "scale has no meaning without fitted = true"},
           {with("fitted = true", "fitted = 1"), "fitted must be true or false"},
           {with("name = \"viscous\"", "name = \"coulomb_force\""), "two parameters of the name"},
           {with("name = \"viscous\"", "name = \"vicsous\""), "did you mean 'viscous'"},
           {with("value = 0.25", "value = -0.25"), "viscous = -0.25"},
           {with("value = 0.25", "value = nan"), "value must be a finite number"},
           {with("scale = \"log\"", "scale = \"cubic\""), "must be one of linear, log"},
           {with("above = \"coulomb_force\"", "above = \"nobody\""), "must name a parameter"},
           {with("bounds = [0.001, 50.0]", "bounds = [50.0, 0.001]"), "smaller one first"},
           {with("bounds = [0.001, 50.0]", "bounds = [0.5, 50.0]"), "must be within its bounds"},
           {with("5e-05, 0.0]", "6e-05, 0.0]"), "must be symmetric"},
           {with("[1e-04, 5e-05, 0.0]", "[-1e-04, 5e-05, 0.0]"), "negative on its diagonal"},
           {with("[1e-04, 5e-05, 0.0]", "[1e-04, 5e-05]"), "one row and one column"},
           {with("of = \"bias\"", "of = \"machine\""), "has no meaning in this part"},
           {with("a bench", "a\\u001b[2Jbench"), "control character"},
           {"format = \"bristle part 1\"\n[", "is not valid TOML"}}) {
    const std::string sentence = refused(text);
    EXPECT_PRED2(contains, sentence, why);
    EXPECT_PRED2(contains, sentence, "p.toml");
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
  }
}

TEST(Part, RefusesACovarianceWithANegativeEigenvalue) {
  Part part = stribeck();
  // Three correlations of -0.9 exclude each other.
  part.covariance = {1.0, -0.9, -0.9, -0.9, 1.0, -0.9, -0.9, -0.9, 1.0};
  EXPECT_PRED2(contains, refused(part_text(part)), "positive semidefinite");
}

TEST(Part, DrawsHaveTheMeanAndTheCovarianceOfTheUnknowns) {
  const Part part = stribeck();
  PartRandom random(7);
  constexpr int n = 20000;
  std::vector<double> mean(3, 0.0), products(9, 0.0);
  for (int k = 0; k < n; ++k) {
    const auto v = part.draw(random);
    EXPECT_EQ(v[1], 0.25);
    const double u[3]{std::log(v[0]) - std::log(1.0 / 3.0), v[2] - v[0] - (0.5 - 1.0 / 3.0),
                      v[3] + 0.1};
    for (std::size_t i = 0; i < 3; ++i) {
      mean[i] += u[i] / n;
      for (std::size_t j = 0; j < 3; ++j) products[i * 3 + j] += u[i] * u[j] / n;
    }
  }
  // Within four of their own standard deviations: sqrt(c_ii / n), and of products
  // sqrt((c_ii c_jj + c_ij^2) / n).
  const auto& c = part.covariance;
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(mean[i], 0.0, 4.0 * std::sqrt(c[i * 4] / n)) << i;
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(products[i * 3 + j], c[i * 3 + j],
                  4.0 * std::sqrt((c[i * 4] * c[j * 4] + c[i * 3 + j] * c[i * 3 + j]) / n))
          << i << j;
  }
}

TEST(Part, DrawsStayWithinTheBoundsAndKeepTheOrderOfForces) {
  Part part = stribeck();
  part.parameters[0].least = 0.33, part.parameters[0].most = 0.34;
  part.covariance = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  PartRandom random(3);
  int low = 0;
  for (int k = 0; k < 1000; ++k) {
    const auto v = part.draw(random);
    // None is clipped: between such near bounds the draws are nearly even.
    EXPECT_GT(v[0], 0.33);
    EXPECT_LT(v[0], 0.34);
    low += v[0] < 0.3325;
    EXPECT_GE(v[2], v[0]);
    EXPECT_EQ(v[3], -0.1);  // without a variance it stays
    EXPECT_NO_THROW(make_law(part.law, part.values("law", v)));
  }
  EXPECT_NEAR(low, 250, 4 * 14);
}

// Two forces whose sum is known well, and of which one is hardly known: what lies beyond the bound
// of the one must not move the sum.
TEST(Part, DrawsNextToABoundKeepWhatTheOthersAreKnownTo) {
  Part part = stribeck();
  part.parameters[0].logarithmic = false;
  // Deviations of 0.2 N of the Coulomb force and of the excess of 1/6 N over it, of 0.01 N of their
  // sum.
  const double v = 0.04, c = -v + 0.5e-4;
  part.covariance = {v, c, 0.0, c, v, 0.0, 0.0, 0.0, 0.0};
  PartRandom random(3);
  double mean = 0.0, square = 0.0, largest = 0.0;
  constexpr int n = 4000;
  for (int k = 0; k < n; ++k) {
    const auto d = part.draw(random);
    EXPECT_GE(d[2], d[0]);
    mean += d[2] / n, square += d[2] * d[2] / n, largest = std::max(largest, d[2]);
  }
  EXPECT_NEAR(mean, 0.5, 4.0 * 0.01 / std::sqrt(double(n)));
  EXPECT_NEAR(std::sqrt(square - mean * mean), 0.01, 4.0 * 0.01 / std::sqrt(2.0 * n));
  EXPECT_LT(largest, 0.55);
}

TEST(Part, DrawsAreTheSameForTheSameSeed) {
  PartRandom one(5), other(5);
  EXPECT_EQ(stribeck().draw(one), stribeck().draw(other));
}

const std::string sweep =
    "[model]\npart = \"p.toml\"\n[steady]\nfrom = 0.01\nto = 0.09\nload = 6.0\n";

TEST(Part, GivesAnExperimentItsLawAndItsBias) {
  const TemporaryDirectory folder;
  write_part(folder.path("p.toml"), stribeck());
  const Experiment e = read_experiment(folder.write("e.toml", sweep));
  EXPECT_EQ(std::get<double>(e.cases[0].law->values().at("coulomb_force")), 1.0 / 3.0);
  const Experiment given = read_experiment(folder.write(
      "g.toml",
      sweep + "[bias]\noffset = 0.3\n[[case]]\nlabel = \"a\"\n[case.model]\nviscous = 1.0"));
  EXPECT_EQ(std::get<double>(given.cases[0].law->values().at("viscous")), 1.0);
  const auto a = run_experiment(e), b = run_experiment(given);
  EXPECT_NEAR(b.cases[0].curve.force[0] - a.cases[0].curve.force[0], 0.4 + 0.75 * 0.01, 1e-12);
  // The closed form of the curve with the bias, at 0.01 m/s.
  const double v = 0.01, vs = std::get<double>(e.cases[0].law->values().at("stribeck_velocity"));
  const double force = 1.0 / 3.0 + (0.5 - 1.0 / 3.0) * std::exp(-(v / vs) * (v / vs)) + 0.25 * v;
  EXPECT_NEAR(a.cases[0].curve.force[0], force - 0.1, 1e-12);
  EXPECT_TRUE(a.warnings.empty());
}

TEST(Part, WarnsOfARunBeyondTheDomainOfItsData) {
  const TemporaryDirectory folder;
  write_part(folder.path("p.toml"), stribeck());
  const Experiment e = read_experiment(folder.write("e.toml", sweep),
                                       {{"steady", "to", "0.2"}, {"steady", "load", "9"}});
  const auto result = run_experiment(e);
  ASSERT_EQ(result.warnings.size(), 2u);
  EXPECT_EQ(result.warnings[0],
            "p.toml: the speed reaches 0.2 m/s, the data of the part cover at most 0.1 m/s");
  EXPECT_EQ(result.warnings[1], "p.toml: the load is 9 N, the data of the part cover 5 to 7 N");
  EXPECT_PRED2(contains, summary_json(e, result, {}), "the speed reaches 0.2 m/s");
}

TEST(Part, GivesAContactItsLawAndWarnsOfWhatItLeavesOut) {
  const TemporaryDirectory folder;
  Part part = stribeck();
  part.parameters[2].determined = false;
  write_part(folder.path("p.toml"), part);
  const std::string machine =
      "[[body]]\nname = \"arm\"\ninertia = 1.0\nvelocity = 0.5\n[[contact]]\nname = \"pad\"\non = "
      "\"arm\"\nload = 6.0\nlaw = { part = \"p.toml\", viscous = 0.5 }\n[solve]\nend = 0.1\n";
  const Experiment e = read_experiment(folder.write("m.toml", machine));
  const auto values = e.cases[0].machine->parts().contacts[0].law->values();
  EXPECT_EQ(std::get<double>(values.at("static_force")), 0.5);
  EXPECT_EQ(std::get<double>(values.at("viscous")), 0.5);
  ASSERT_EQ(e.warnings.size(), 2u);
  EXPECT_EQ(e.warnings[0], "p.toml: the data of the part do not determine static_force");
  EXPECT_PRED2(contains, e.warnings[1], "the offset of the part");
  const auto result = run_experiment(e);
  ASSERT_EQ(result.warnings.size(), 1u);
  EXPECT_PRED2(contains, result.warnings[0], "p.toml on pad: the speed reaches 0.5 m/s");
}

TEST(Part, OfAMachineIsRunWithWhatWasFound) {
  const TemporaryDirectory folder;
  Part part;
  part.kind = "machine";
  part.machine = "[[body]]\nname = \"arm\"\ninertia = 1.0\n[solve]\nend = 0.1\n";
  part.parameters = {{.name = "body.arm.inertia", .of = "machine", .value = 2.5}};
  part.domain = {{"arm.velocity", -0.1, 0.1, "m/s"}, {"time_step", 0.01, 0.01, "s"}};
  write_part(folder.path("p.toml"), part);
  const auto inertia = [](const Experiment& e) {
    return e.cases[0].machine->parts().bodies[0].body.inertia;
  };
  EXPECT_EQ(inertia(read_experiment(folder.path("p.toml"))), 2.5);
  EXPECT_EQ(inertia(read_experiment(folder.path("p.toml"), {{"body.arm", "inertia", "3"}})), 3.0);
  const std::string beside = folder.write("m.toml", "part = \"p.toml\"\n" + part.machine);
  EXPECT_EQ(inertia(read_experiment(beside)), 2.5);
  EXPECT_TRUE(run_experiment(read_experiment(beside)).warnings.empty());
  const auto fast = run_experiment(read_experiment(beside, {{"body.arm", "velocity", "0.2"}}));
  ASSERT_EQ(fast.warnings.size(), 1u);
  EXPECT_EQ(fast.warnings[0],
            "p.toml: arm.velocity goes from 0.2 to 0.2 m/s, the data of the part cover -0.1 to "
            "0.1 m/s");
}

TEST(Part, InTheWrongPlaceIsRefusedWithTheRightOne) {
  const TemporaryDirectory folder;
  write_part(folder.path("p.toml"), stribeck());
  const auto refused_file = [&](const std::string& text) {
    const std::string path = folder.write("e.toml", text);
    return refusal<InputError>([&] { read_experiment(path); });
  };
  EXPECT_PRED2(contains, refusal<InputError>([&] { read_experiment(folder.path("p.toml")); }),
               "write [model] and part = \"p.toml\" into an experiment file");
  EXPECT_PRED2(contains, refused_file("[model]\nname = \"dahl\"\npart = \"p.toml\"\n[steady]\n"),
               "e.toml:2: name = \"dahl\" is another law than that of part = \"p.toml\", stribeck");
  EXPECT_PRED2(contains, refused_file("part = \"p.toml\"\n[model]\nname = \"dahl\"\n[steady]\n"),
               "has no meaning without a [[body]]");
  EXPECT_PRED2(contains,
               refused_file("[model]\npart = \"p.toml\"\n[mechanism]\npart = \"p.toml\"\n"),
               "has no mechanism");
  EXPECT_PRED2(contains, refusal<FileError>([&] {
                 read_experiment(folder.write("f.toml", "[model]\npart = \"no.toml\"\n[steady]\n"));
               }),
               "no.toml");
}

TEST(Part, DifferencesCountInCombinedDeviations) {
  const Part one = stribeck();
  Part other = one;
  other.parameters[0].value = std::exp(std::log(1.0 / 3.0) + 0.05);
  other.parameters[0].deviation = 0.0;  // known exactly
  other.parameters[3].value = -0.095;
  const auto all = part_differences(one, other);
  ASSERT_EQ(all.size(), 4u);
  // 0.05 over the relative deviation 0.01.
  EXPECT_NEAR(*all[0].deviations, 5.0, 1e-9);
  EXPECT_TRUE(all[0].significant);
  EXPECT_FALSE(all[1].significant);
  EXPECT_EQ(all[1].verdict, "held in both");
  EXPECT_NEAR(*all[3].deviations, 0.005 / std::hypot(0.005, 0.005), 1e-9);
  EXPECT_FALSE(all[3].significant);
  other.law = "coulomb";
  EXPECT_PRED2(contains, refusal<InputError>([&] { part_differences(one, other); }),
               "stribeck and coulomb");
}

// A Dahl law whose stiffness is hardly known.
Part dahl() {
  Part part;
  part.law = "dahl";
  PartParameter stiffness{.name = "stiffness", .value = 1e5, .unit = "N/m", .fitted = true};
  stiffness.logarithmic = true, stiffness.determined = false;
  stiffness.least = 1.0, stiffness.most = 1e9, stiffness.deviation = 0.6e5;
  stiffness.lower = 3e4, stiffness.upper = 3.2e5;
  PartParameter coulomb{.name = "coulomb_force", .value = 2.0, .unit = "N", .fitted = true};
  coulomb.logarithmic = true;
  coulomb.least = 1e-3, coulomb.most = 100.0, coulomb.deviation = 0.02;
  coulomb.lower = 1.96, coulomb.upper = 2.04;
  part.parameters = {stiffness, coulomb};
  part.covariance = {0.36, 0.003, 0.003, 1e-4};
  return part;
}

ExciteOptions excitation_of(const Part& part) {
  ExciteOptions o;
  o.values = part.values();
  o.known = {"stiffness", "coulomb_force"};
  o.covariance = part.value_covariance();
  o.stroke = 2e-4, o.speed = 2e-3, o.duration = 4.0, o.rate = 500.0, o.trials = 60;
  return o;
}

TEST(Part, ExcitedByAMotionWithoutInformationKeepsItsDeviations) {
  ExciteOptions o = excitation_of(dahl());
  o.noise = 1e9;
  const Excitation e = excite("dahl", o);
  // The relative deviations of the part, 0.6 and 0.01.
  EXPECT_NEAR(e.deviations[0].second, 0.6, 1e-6);
  EXPECT_NEAR(e.deviations[1].second, 0.01, 1e-8);
}

TEST(Part, ExcitedByTheMotionProposedIsKnownAsWellAsPredicted) {
  const Part part = dahl();
  ExciteOptions o = excitation_of(part);
  o.noise = 0.05;
  const Excitation e = excite("dahl", o);
  ASSERT_EQ(e.deviations[0].first, "stiffness");
  EXPECT_LT(e.deviations[0].second, 0.05);  // 0.6 before
  // A measurement along that motion, with that noise.
  Record record = e.motion;
  record.load.clear();
  PartRandom random(11);
  Part noise;
  noise.law = "dahl";
  PartParameter one{.name = "x", .value = 0.0, .fitted = true};
  noise.parameters = {one}, noise.covariance = {o.noise * o.noise};
  for (double& f : record.force) f += noise.draw(random)[0];
  const FitSummary fitted = fit("dahl", {prepare(record)}, {.starts = 16});
  const auto& stiffness = fitted.parameters[0];
  EXPECT_TRUE(stiffness.determined);
  EXPECT_NEAR(stiffness.value, 1e5, 4.0 * stiffness.deviation);
  // The part adds next to nothing to such data.
  EXPECT_NEAR(stiffness.deviation / stiffness.value / e.deviations[0].second, 1.0, 0.15);
}

TEST(Part, OfAFitHoldsTheDeviationsOfTheFit) {
  const Excitation e = excite("dahl", excitation_of(dahl()));
  Record record = e.motion;
  PartRandom random(2);
  for (double& f : record.force) f += 0.04 * (double(random() >> 11) * 0x1p-53 - 0.5);
  const FitSummary fitted = fit("dahl", {prepare(record)}, {.offset = true, .starts = 16});
  const Part part = parse_part(part_text(part_of(fitted, {})), "p.toml");
  const auto values = part.value_covariance();
  const auto free = part.fitted();
  ASSERT_EQ(free.size(), 3u);
  for (std::size_t k = 0; k < free.size(); ++k) {
    const PartParameter& p = part.parameters[free[k]];
    EXPECT_EQ(p.value, fitted.of(p.name));
    EXPECT_NEAR(std::sqrt(values[k * 4]), p.deviation, 1e-9 * p.deviation) << p.name;
  }
  EXPECT_NEAR(part.range("speed")->to, 2e-3, 2e-5);
  EXPECT_EQ(part.runs[0].fitted.rmse, fitted.fitted.rmse);
}

TEST(Part, ThatShipsIsValidAndOfTheDataInTheTree) {
  const fs::path folder = fs::path(BRISTLE_DATA).parent_path() / "parts";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    const Part part = read_part(entry.path().string());
    ++count;
    EXPECT_FALSE(part.licence.empty() || part.source.empty()) << entry.path();
    ASSERT_FALSE(part.data.empty()) << entry.path();
    for (const PartData& d : part.data)
      EXPECT_EQ(data_state(d, entry.path().string()), DataState::same) << entry.path();
    if (part.kind != "machine") continue;
    EXPECT_NO_THROW(read_experiment(entry.path().string())) << entry.path();
  }
  EXPECT_GE(count, 8);
}

TEST(Part, KnowsItsDataByTheirFingerprint) {
  const TemporaryDirectory folder;
  const Part part = stribeck();
  const std::string path = folder.path("p.toml");
  EXPECT_EQ(data_state(part.data[0], path), DataState::absent);
  folder.write("strokes.csv", "time,force\n");
  EXPECT_EQ(data_state(part.data[0], path), DataState::same);
  folder.write("strokes.csv", "time,farce\n");
  EXPECT_EQ(data_state(part.data[0], path), DataState::differs);
  EXPECT_EQ(data_state({"strokes.csv", ""}, path), DataState::unknown);
}

}  // namespace
}  // namespace bristle::io::part_test
