// SPDX-License-Identifier: MIT
// Sweeps that draw from the posterior of a part, and whole trajectories with their bands.
#include <cmath>

#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_draws_test {
namespace {

// A part of LuGre: two parameters by their logarithms with correlation 0.8, the static force by its
// excess over the Coulomb force.
const std::string part =
    "format = \"bristle part 1\"\nkind = \"law\"\nlaw = \"lugre\"\n"
    "covariance = [[1e-4, 1.6e-4, 0.0], [1.6e-4, 4e-4, 0.0], [0.0, 0.0, 1e-4]]\n"
    "[[parameter]]\nname = \"coulomb_force\"\nof = \"law\"\nvalue = 1.0\nunit = \"N\"\n"
    "fitted = true\nscale = \"log\"\nbounds = [0.01, 100.0]\nstandard_deviation = 0.01\n"
    "interval_95 = [0.98, 1.02]\ndetermined = true\n"
    "[[parameter]]\nname = \"viscous\"\nof = \"law\"\nvalue = 0.4\nunit = \"N s/m\"\n"
    "fitted = true\nscale = \"log\"\nbounds = [0.001, 10.0]\nstandard_deviation = 0.008\n"
    "interval_95 = [0.384, 0.416]\ndetermined = true\n"
    "[[parameter]]\nname = \"static_force\"\nof = \"law\"\nvalue = 1.5\nunit = \"N\"\n"
    "fitted = true\nscale = \"linear\"\nabove = \"coulomb_force\"\nbounds = [1.0, 10.0]\n"
    "standard_deviation = 0.01\ninterval_95 = [1.48, 1.52]\ndetermined = true\n"
    "[[parameter]]\nname = \"stiffness\"\nof = \"law\"\nvalue = 1e5\nunit = \"N/m\"\n"
    "fitted = false\n";

const std::string steady = "[model]\npart = \"p.toml\"\n[steady]\nfrom = -1\nto = 1\npoints = 3\n";
const std::string kept_force =
    "[ensemble]\nquantity = [{ quantity = \"steady_force\", velocity = 1.0, name = \"f\" }]\n";

const std::string dragged =
    "[model]\npart = \"p.toml\"\n"
    "[mechanism]\nname = \"dragged_mass\"\nspring = 2.0\ndrag_velocity = 0.1\n"
    "[solve]\nend = 4.0\nsamples = 21\n[[draw]]\nposterior = \"model\"\n"
    "[ensemble]\ntrajectory = [\"position\", \"force\"]\n";

struct Moments {
  double mean = 0.0, deviation = 0.0;
};
template <class F>
Moments moments(const Rows& rows, const F& value) {
  Moments m;
  for (const auto& row : rows) m.mean += value(row) / double(rows.size());
  for (const auto& row : rows)
    m.deviation += std::pow(value(row) - m.mean, 2) / double(rows.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}

TEST(SweepPosterior, DrawsHaveTheMeansDeviationsAndCorrelationsOfThePart) {
  for (const char* sampling : {"random", "sobol"}) {
    const Bench bench;
    bench.write("p.toml", part);
    bench.write("s.toml", steady + "[[draw]]\nposterior = \"model\"\n" + kept_force +
                              "draws = 4096\nsampling = \"" + sampling + "\"\n");
    const Outcome out = bench.bristle(sweep({"--out", "r"}));
    ASSERT_EQ(out.code, 0) << out.err;
    std::string header;
    const Rows rows = rows_of(bench.text("r/sweep.csv"), &header);
    EXPECT_EQ(header, "number,model.coulomb_force,model.viscous,model.static_force,f,status");
    ASSERT_EQ(rows.size(), 4096u);
    const auto coulomb = [](const auto& r) { return std::log(r[1]); };
    const auto viscous = [](const auto& r) { return std::log(r[2] / 0.4); };
    const Moments a = moments(rows, coulomb), b = moments(rows, viscous);
    const Moments c = moments(rows, [](const auto& r) { return r[3] - r[1]; });
    // Four standard errors of 4096 draws.
    EXPECT_NEAR(a.mean, 0.0, 4 * 0.01 / 64);
    EXPECT_NEAR(a.deviation, 0.01, 4 * 0.01 / 90);
    EXPECT_NEAR(b.deviation, 0.02, 4 * 0.02 / 90);
    EXPECT_NEAR(c.mean, 0.5, 4 * 0.01 / 64);
    EXPECT_NEAR(c.deviation, 0.01, 4 * 0.01 / 90);
    const Moments both =
        moments(rows, [&](const auto& r) { return (coulomb(r) - a.mean) * (viscous(r) - b.mean); });
    EXPECT_NEAR(both.mean / (a.deviation * b.deviation), 0.8, 4 * 0.36 / 64);
    // At 1 m/s the force is coulomb_force + viscous * 1 m/s, of every draw.
    for (const auto& r : rows) EXPECT_NEAR(r[4], r[1] + r[2], 1e-12);
  }
}

TEST(SweepPosterior, SpreadOfUnitsComesOnTopAndKeepsTheStaticForceAbove) {
  const Bench bench;
  bench.write("p.toml", part);
  bench.write("s.toml", steady +
                            "[[draw]]\nposterior = \"model\"\nspread = { coulomb_force = 0.3, "
                            "stiffness = 0.1 }\n" +
                            kept_force + "draws = 4096\n");
  const Outcome out = bench.bristle(sweep({"--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  std::string header;
  const Rows rows = rows_of(bench.text("r/sweep.csv"), &header);
  EXPECT_EQ(header,
            "number,model.coulomb_force,model.viscous,model.static_force,model.stiffness,f,status");
  // Variances of independent normal numbers add up: 0.01^2 of the fit and 0.3^2 of the units.
  const Moments a = moments(rows, [](const auto& r) { return std::log(r[1]); });
  EXPECT_NEAR(a.deviation, std::hypot(0.01, 0.3), 4 * 0.3 / 90);
  const Moments k = moments(rows, [](const auto& r) { return std::log(r[4] / 1e5); });
  EXPECT_NEAR(k.deviation, 0.1, 4 * 0.1 / 90);
  for (const auto& r : rows) EXPECT_GT(r[3], r[1]);
}

TEST(SweepPosterior, DrawsParametersThatDependOnAColumnWhereTheColumnIs) {
  // The Coulomb force is drawn around 1 N at 20 degrees and falls by 0.01 N per degree.
  const std::string depending =
      "format = \"bristle part 1\"\nkind = \"law\"\nlaw = \"coulomb\"\n"
      "covariance = [[1e-4, 0.0], [0.0, 1e-8]]\n"
      "[[parameter]]\nname = \"coulomb_force\"\nof = \"law\"\nvalue = 1.0\nunit = \"N\"\n"
      "fitted = true\nscale = \"linear\"\nbounds = [0.0, 100.0]\nstandard_deviation = 0.01\n"
      "interval_95 = [0.98, 1.02]\ndetermined = true\n"
      "[[parameter]]\nname = \"coulomb_force.temperature_C\"\nof = \"dependence\"\n"
      "value = -0.01\nunit = \"N\"\nfitted = true\nscale = \"linear\"\nbounds = [-1.0, 1.0]\n"
      "standard_deviation = 1e-4\ninterval_95 = [-0.0102, -0.0098]\ndetermined = true\n"
      "[[dependence]]\nparameter = \"coulomb_force\"\ncolumn = \"temperature_C\"\n"
      "form = \"linear\"\nreference = 20.0\n";
  const std::string draw = "[[draw]]\nposterior = \"model\"\n" + kept_force + "draws = 1000\n";
  const Bench bench;
  bench.write("p.toml", depending);
  bench.write("s.toml", steady + "[conditions]\ntemperature_C = 60.0\n" + draw);
  Outcome out = bench.bristle(sweep({"--out", "warm"}));
  ASSERT_EQ(out.code, 0) << out.err;
  // 1 N - 40 * 0.01 N, with the variances of both.
  const Moments warm = moments(rows_of(bench.text("warm/sweep.csv")), [](const auto& r) {
    EXPECT_EQ(r[1], r[2]);  // the force at 1 m/s is the Coulomb force
    return r[1];
  });
  const double deviation = std::hypot(0.01, 40 * 1e-4);
  EXPECT_NEAR(warm.mean, 0.6, 4 * deviation / std::sqrt(1000.0));
  EXPECT_NEAR(warm.deviation, deviation, 4 * deviation / std::sqrt(2000.0));
  // The same by --set, and for each value of an axis.
  bench.write("s.toml", steady + draw);
  out = bench.bristle(sweep({"--out", "set", "--set", "conditions.temperature_C=60"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(bench.text("set/sweep.csv"), bench.text("warm/sweep.csv"));
  out = bench.bristle(sweep({"--out", "axis", "--vary", "conditions.temperature_C=20,60"}));
  ASSERT_EQ(out.code, 0) << out.err;
  const Rows rows = rows_of(bench.text("axis/sweep.csv"));
  const Rows alone = rows_of(bench.text("warm/sweep.csv"));
  ASSERT_EQ(rows.size(), 2000u);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(rows[2 * i + 1][2], alone[i][1]);
    EXPECT_NEAR(rows[2 * i][2], rows[2 * i + 1][2] + 0.4, 40 * 6e-4);
  }
}

TEST(SweepPosterior, SaysWhereItsFirstRunLeavesTheDomainOfThePart) {
  const Bench bench;
  const std::string domain =
      "[[domain]]\nquantity = \"speed\"\nrange = [0.0, 0.05]\nunit = \"m/s\"\n";
  bench.write("p.toml", part + domain);
  bench.write("s.toml", dragged + "draws = 2\n");
  const Outcome out = bench.bristle(sweep({"--out", "r", "--set", "solve.end=20"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.err, "bristle: run 1: p.toml: the speed reaches ");
  EXPECT_PRED2(contains, out.err, "the data of the part cover at most 0.05 m/s");
}

TEST(SweepPosterior, RefusesWhatThePartCannotGive) {
  const auto refused = [](const std::string& text, const Words& parts) {
    const Bench bench;
    bench.write("p.toml", part);
    bench.write("s.toml", text);
    expect_refused(bench.bristle(sweep({})), 2, parts);
  };
  const std::string draw = "[[draw]]\nposterior = \"model\"\n";
  const std::string many = kept_force + "draws = 10\n";
  refused("[model]\nname = \"lugre\"\n[steady]\nfrom = -1\nto = 1\npoints = 3\n" + draw + many,
          {"s.toml:7:", "posterior = \"model\": there is no part"});
  refused(steady + "[[draw]]\nposterior = \"modl\"\n" + many,
          {"s.toml:8:", "did you mean 'model'?"});
  refused(steady + draw + "spread = { coulom_force = 0.1 }\n" + many,
          {"s.toml:7:", "did you mean 'coulomb_force'?"});
  refused(steady + draw + "spread = { coulomb_force = 3 }\n" + many,
          {"s.toml:9:", "coulomb_force = 3 must be greater than 0 and at most 1"});
  refused(steady + draw + kept_force + "[sensitivity]\n", {"depend on each other"});
  refused(steady + draw + kept_force, {"needs the number of draws"});
  refused(steady + draw + "[[vary]]\nfield = \"model.viscous\"\nvalues = [0.1, 0.2]\n" + many,
          {"contradict each other: both set model.viscous"});
  // What the file says itself is not drawn.
  const Bench bench;
  bench.write("p.toml", part);
  bench.write("s.toml",
              "[model]\npart = \"p.toml\"\nviscous = 0.2\n" + steady.substr(24) + draw + many);
  ASSERT_EQ(bench.bristle(sweep({"--out", "r"})).code, 0);
  EXPECT_PRED2(begins, bench.text("r/sweep.csv"),
               "number,model.coulomb_force,model.static_force,f,status\n");
}

TEST(SweepTrajectory, HoldsTheSamplesOfEachRunInCsvAndHdf5) {
  const Bench bench;
  bench.write("p.toml", part);
  bench.write("s.toml", dragged + "draws = 12\n");
  ASSERT_EQ(bench.bristle(sweep({"--out", "r", "--threads", "1"})).code, 0);
  ASSERT_EQ(bench.bristle(sweep({"--out", "many", "--threads", "4"})).code, 0);
  const std::string text = bench.text("r/trajectories.csv");
  EXPECT_EQ(text, bench.text("many/trajectories.csv"));
  std::string header;
  const Rows rows = rows_of(text, &header);
  EXPECT_EQ(header, "number,time,position,force");
  ASSERT_EQ(rows.size(), 12u * 21u);
  // Run 7 alone, with all that `run` writes, figures among it.
  const Outcome only = bench.bristle({"sweep", "s.toml", "--only", "7", "--out", "seven"});
  ASSERT_EQ(only.code, 0) << only.err;
  if (only.err.empty()) {
    EXPECT_TRUE(bench.has("seven/figure.png"));
  }
  const Rows alone = rows_of(bench.text("seven/trajectory.csv"), &header);
  ASSERT_PRED2(begins, header, "time,input,position,");
  ASSERT_EQ(alone.size(), 21u);
  for (std::size_t i = 0; i < 21; ++i) {
    EXPECT_EQ(rows[6 * 21 + i][1], alone[i][0]);
    EXPECT_EQ(rows[6 * 21 + i][2], alone[i][2]);
  }
  // Parts put together are the same to the byte.
  for (const char* one : {"1/2", "2/2"}) ASSERT_EQ(bench.bristle(sweep({"--part", one})).code, 0);
  const Outcome merged = bench.bristle({"sweep", "merge", "--no-figures", "--out", "whole",
                                        "out/sweep-s-part-1-of-2", "out/sweep-s-part-2-of-2"});
  ASSERT_EQ(merged.code, 0) << merged.err;
  for (const char* name : {"/trajectories.csv", "/bands.csv", "/trajectories.h5"})
    if (bench.has("r" + std::string(name))) {
      EXPECT_EQ(bench.text("r" + std::string(name)), bench.text("whole" + std::string(name)))
          << name;
    }
}

TEST(SweepTrajectory, BandsAreTheQuantilesOfTheDrawsAtEachInstant) {
  const Bench bench;
  bench.write("p.toml", part);
  bench.write("s.toml", dragged + "draws = 81\n");
  ASSERT_EQ(bench.bristle(sweep({"--out", "r"})).code, 0);
  std::string header;
  const Rows bands = rows_of(bench.text("r/bands.csv"), &header);
  EXPECT_EQ(header,
            "time,position.low,position.median,position.high,force.low,force.median,force.high");
  const Rows rows = rows_of(bench.text("r/trajectories.csv"));
  ASSERT_EQ(bands.size(), 21u);
  for (const std::size_t instant : {5, 20})
    for (const std::size_t column : {0, 1}) {
      std::vector<double> values;
      for (std::size_t run = 0; run < 81; ++run)
        values.push_back(rows[run * 21 + instant][2 + column]);
      std::sort(values.begin(), values.end());
      // Of 81 values: the third from either end, and the middle one.
      EXPECT_NEAR(bands[instant][1 + 3 * column], values[2], 1e-8 * std::abs(values[2]));
      EXPECT_NEAR(bands[instant][2 + 3 * column], values[40], 1e-8 * std::abs(values[40]));
      EXPECT_NEAR(bands[instant][3 + 3 * column], values[78], 1e-8 * std::abs(values[78]));
    }
  EXPECT_PRED2(contains, bench.text("r/band-position.gp"), "bands.csv");
  EXPECT_TRUE(bench.has("r/band-force-outline.csv"));
}

TEST(SweepTrajectory, OfAColumnThatThereIsNotIsRefusedWithTheNearest) {
  const Bench bench;
  bench.write("p.toml", part);
  bench.write("s.toml", dragged.substr(0, dragged.find("[ensemble]")) +
                            "[ensemble]\ntrajectory = [\"positon\"]\ndraws = 3\n");
  expect_refused(bench.bristle(sweep({})), 2, {"s.toml:13:", "did you mean 'position'?"});
}

}  // namespace
}  // namespace bristle::test::sweep_draws_test
