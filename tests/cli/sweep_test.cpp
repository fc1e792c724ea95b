// SPDX-License-Identifier: MIT
// Sweeps: their tables, what interrupts them, and what they refuse.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_test {
namespace {

const std::string dragged =
    "[model]\nname = \"lugre\"\nstiffness = 1e5\n"
    "[mechanism]\nname = \"dragged_mass\"\nspring = 2.0\ndrag_velocity = 0.1\n"
    "[solve]\nend = 10.0\nsamples = 101\n";
const std::string grid =
    dragged +
    "[[vary]]\nfield = \"mechanism.drag_velocity\"\nfrom = 0.05\nto = 0.5\ncount = 3\n"
    "[[vary]]\nfield = \"mechanism.spring\"\nvalues = [1, 2]\n"
    "[ensemble]\nquantity = [\"max_force\", \"stick_slip\", "
    "{ quantity = \"position\", time = 5.0, name = \"x5\" }]\n";

std::string draws(int count, const std::string& sampling = "random") {
  return dragged +
         "[[draw]]\nfield = \"model.coulomb_force\"\nuniform = [0.9, 1.1]\n"
         "[[draw]]\nfield = \"mechanism.spring\"\nnormal = [2.0, 0.1]\n"
         "[ensemble]\nquantity = [\"max_force\"]\nseed = 7\nsampling = \"" +
         sampling + "\"\ndraws = " + std::to_string(count) + "\n";
}

Words sweep(Words more) {
  Words words{"sweep", "s.toml", "--no-figures"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Sweep, HasOneRowPerPointOfTheGridWithWhatRunMeasures) {
  const Bench bench;
  bench.write("s.toml", grid);
  const Outcome out = bench.bristle(sweep({"--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  const auto lines = lines_of(bench.text("r/sweep.csv"));
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0],
            "number,mechanism.drag_velocity,mechanism.spring,max_force,stick_slip,x5,status");
  EXPECT_PRED2(begins, lines[1], "1,0.05,1,");
  EXPECT_PRED2(begins, lines[4], "4,0.275,2,");
  EXPECT_TRUE(lines[6].ends_with(",done"));
  // The same run by --set: all digits of the largest force.
  const Outcome run = bench.bristle({"run", "s.toml", "--no-figures", "--json", "--set",
                                     "mechanism.drag_velocity=0.275", "--set", "mechanism.spring=2",
                                     "--out", "one"});
  ASSERT_EQ(run.code, 0) << run.err;
  const Outcome only = bench.bristle(sweep({"--only", "4", "--json", "--out", "only"}));
  ASSERT_EQ(only.code, 0) << only.err;
  EXPECT_EQ(bench.text("one/trajectory.csv"), bench.text("only/trajectory.csv"));
  double largest = 0.0;
  const auto samples = lines_of(bench.text("one/trajectory.csv"));
  std::istringstream names(samples[0]);
  std::size_t force = 0;
  for (std::string name; std::getline(names, name, ',') && !begins(name, "force");) ++force;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    std::istringstream cells(samples[i]);
    std::string cell;
    for (std::size_t k = 0; k <= force; ++k) std::getline(cells, cell, ',');
    largest = std::max(largest, std::stod(cell));
  }
  // The sweep looks at events between samples as well.
  EXPECT_GE(std::stod(lines[4].substr(10)), largest);
}

TEST(Sweep, IsTheSameToTheByteWhateverTheThreadsAndParts) {
  const Bench bench;
  bench.write("s.toml", draws(300));
  ASSERT_EQ(bench.bristle(sweep({"--out", "one", "--threads", "1"})).code, 0);
  ASSERT_EQ(bench.bristle(sweep({"--out", "many", "--threads", "5"})).code, 0);
  for (const char* part : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(bench.bristle(sweep({"--part", part})).code, 0);
  Words merge{"sweep", "merge", "--no-figures", "--out", "whole"};
  for (const char* part : {"1", "2", "3"})
    merge.push_back(std::string("out/sweep-s-part-") + part + "-of-3");
  const Outcome merged = bench.bristle(merge);
  ASSERT_EQ(merged.code, 0) << merged.err;
  for (const char* other : {"many", "whole"})
    for (const char* name : {"/sweep.csv", "/sweep.h5"}) {
      if (!bench.has("one/sweep.h5") && std::string(name) == "/sweep.h5") continue;
      EXPECT_EQ(bench.text("one" + std::string(name)), bench.text(other + std::string(name)))
          << other << name;
    }
  // A part that is missing, twice there or of another sweep.
  expect_refused(bench.bristle({"sweep", "merge", merge[5], merge[6], "--out", "w"}), 2,
                 {"run 3 of 300 is in none of the given directories"});
  expect_refused(bench.bristle({"sweep", "merge", "one", merge[5], "--out", "w"}), 2,
                 {merge[5] + "/sweep.csv: run 1 is there twice"});
  bench.write("s.toml", draws(301));
  ASSERT_EQ(bench.bristle(sweep({"--out", "other"})).code, 0);
  expect_refused(bench.bristle({"sweep", "merge", merge[5], "other", "--out", "w"}), 2,
                 {"other: is of another sweep than " + merge[5]});
  EXPECT_FALSE(bench.has("w"));
}

TEST(Sweep, HoldsTheSameNumbersInHdf5AsInCsv) {
  const Bench bench;
  bench.write("s.toml", grid);
  ASSERT_EQ(bench.bristle(sweep({"--out", "r"})).code, 0);
  if (!bench.has("r/sweep.h5")) GTEST_SKIP() << "built without HDF5";
  for (const char* column : {"mechanism.drag_velocity", "max_force", "x5"}) {
    const Outcome out = bench.bristle(
        {"errors", "r/sweep.csv", "r/sweep.h5", "--time", "number", "--column", column, "--json"});
    ASSERT_EQ(out.code, 0) << out.err;
    EXPECT_EQ(out.json().at("samples"), 6);
    EXPECT_EQ(out.json().at("max"), 0.0) << column;
  }
}

TEST(Sweep, DrawsAreTheSameInALongerSweep) {
  for (const char* sampling : {"random", "sobol"}) {
    const Bench bench;
    bench.write("s.toml", draws(20, sampling));
    ASSERT_EQ(bench.bristle(sweep({"--out", "few"})).code, 0);
    bench.write("s.toml", draws(40, sampling));
    ASSERT_EQ(bench.bristle(sweep({"--out", "many"})).code, 0);
    EXPECT_PRED2(begins, bench.text("many/sweep.csv"), bench.text("few/sweep.csv"));
  }
}

TEST(Sweep, KilledGoesOnWithTheFirstChunkThatIsMissing) {
  const Bench bench;
  bench.write("s.toml", draws(4000));
  ASSERT_EQ(bench.bristle(sweep({"--out", "whole"})).code, 0);
  std::size_t before = 0;
  {
    const Process process(bench.root(), sweep({"--out", "killed", "--threads", "2"}));
    for (int i = 0; i < 10000 && before < 50; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (bench.has("killed.unfinished")) before = whole_chunks(bench.text("killed.unfinished"));
    }
    // Leaving the block kills it with SIGKILL.
  }
  ASSERT_FALSE(bench.has("killed"));
  before = whole_chunks(bench.text("killed.unfinished"));
  ASSERT_GE(before, 50u);
  ASSERT_LT(before, 4000u);
  // Half an entry is what a full disk or a crash of the machine leaves.
  bench.write("killed.unfinished",
              bench.text("killed.unfinished") + "#chunk 3999 100 0123456789abcdef\n4000,1.0");
  const Outcome again = bench.bristle(sweep({"--out", "killed"}));
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_PRED2(contains, again.out,
               "resumed: " + std::to_string(before) + " of 4000 chunks of runs were there");
  EXPECT_EQ(bench.text("killed/sweep.csv"), bench.text("whole/sweep.csv"));
  EXPECT_FALSE(bench.has("killed.unfinished"));
}

// A command line under mpirun in a directory; the exit code.
int under_mpirun(const Bench& bench, int processes, const std::string& arguments) {
  const std::string command =
      "cd '" + bench.root().string() +
      "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np " +
      std::to_string(processes) + " " BRISTLE_PROGRAM " " + arguments + " >mpi.out 2>mpi.err";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Sweep, IsTheSameToTheByteWhateverTheProcessesOfMpirun) {
  if (!fs::exists(fs::path(BRISTLE_PROGRAM).parent_path() / "bristle_mpi.so") ||
      std::system("command -v mpirun >/dev/null") != 0)
    GTEST_SKIP() << "built without MPI, or no mpirun";
  const Bench bench;
  bench.write("s.toml", draws(300));
  ASSERT_EQ(bench.bristle(sweep({"--out", "one", "--threads", "1"})).code, 0);
  ASSERT_EQ(under_mpirun(bench, 3, "sweep s.toml --no-figures --out many"), 0)
      << bench.text("mpi.err");
  EXPECT_EQ(bench.text("one/sweep.csv"), bench.text("many/sweep.csv"));
  // It goes on with what a sweep of one process left, and that with what it left.
  bench.write("s.toml", draws(100000));
  ASSERT_EQ(under_mpirun(bench, 2, "sweep s.toml --no-figures --out r --budget 1s"), 0)
      << bench.text("mpi.err");
  const std::size_t kept = whole_chunks(bench.text("r.unfinished"));
  EXPECT_GT(kept, 0u);
  const Outcome more = bench.bristle(sweep({"--out", "r", "--budget", "0.5s"}));
  EXPECT_PRED2(contains, more.out, "resumed: " + std::to_string(kept) + " of ");
  EXPECT_GT(whole_chunks(bench.text("r.unfinished")), kept);
  // A refusal ends all of them.
  EXPECT_EQ(under_mpirun(bench, 2, "sweep s.toml --no-figures --out r --threads 2"), 2);
}

TEST(Sweep, InterruptedKeepsWhatIsDone) {
  const Bench bench;
  bench.write("s.toml", draws(100000));
  Process process(bench.root(), sweep({"--out", "r"}));
  process.signal(SIGINT);
  const Outcome out = process.outcome();
  EXPECT_EQ(out.code, 130);
  EXPECT_PRED2(contains, out.err, "of 100000 runs are kept in r.unfinished, the same command");
  EXPECT_FALSE(bench.has("r"));
  // Another sweep does not take it for its own.
  bench.write("s.toml", draws(100));
  expect_refused(bench.bristle(sweep({"--out", "r"})), 2,
                 {"r.unfinished: belongs to another sweep"});
  EXPECT_EQ(bench.bristle(sweep({"--out", "r", "--fresh"})).code, 0);
}

TEST(Sweep, OfAFullDiskLosesNothing) {
  const Bench bench;
  bench.write("s.toml", draws(400));
  ASSERT_EQ(bench.bristle(sweep({"--out", "whole"})).code, 0);
  Surroundings small;
  small.file_size = 8000;
  expect_refused(bench.bristle(sweep({"--out", "r"}), small), 3,
                 {"r.unfinished: cannot be written", "finished chunks of runs are kept in it"});
  const std::size_t kept = whole_chunks(bench.text("r.unfinished"));
  EXPECT_GT(kept, 10u);
  const Outcome again = bench.bristle(sweep({"--out", "r"}));
  EXPECT_PRED2(contains, again.out, "resumed: " + std::to_string(kept) + " of 400 chunks");
  EXPECT_EQ(bench.text("r/sweep.csv"), bench.text("whole/sweep.csv"));
}

TEST(Sweep, OfADiskThatHdf5FindsFullIsOneSentence) {
  const Bench bench;
  bench.write("s.toml", grid);
  ASSERT_EQ(bench.bristle(sweep({"--out", "whole"})).code, 0);
  if (!bench.has("whole/sweep.h5")) GTEST_SKIP() << "built without HDF5";
  // Where the journal of six runs has room and the file has not.
  const std::size_t journal = bench.text("whole/sweep.csv").size() + 500;
  const std::size_t stored = bench.text("whole/sweep.h5").size();
  ASSERT_LT(journal + 2000, stored);
  for (std::size_t size = journal; size < stored; size += 197) {
    Surroundings small;
    small.file_size = size;
    const Outcome out = bench.bristle(sweep({"--out", "r"}), small);
    ASSERT_EQ(out.code, 3) << size << ": " << out.err;
    EXPECT_PRED2(contains, out.err, "bristle: r/sweep.h5: cannot be written");
    EXPECT_TRUE(bench.has("r.unfinished"));
  }
}

TEST(Sweep, StopsWhenItsBudgetIsSpentAndGoesOnLater) {
  const Bench bench;
  bench.write("s.toml", draws(100000));
  const auto began = std::chrono::steady_clock::now();
  const Outcome out = bench.bristle(sweep({"--out", "r", "--budget", "0.5s", "--json"}));
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.err, "the budget of 0.5s is spent");
  const auto runs = out.json().at("runs");
  EXPECT_EQ(runs.at("planned"), 100000);
  EXPECT_GT(runs.at("made"), 0);
  EXPECT_LT(runs.at("made"), 100000);
  // The statistics are of the runs that were made.
  EXPECT_EQ(out.json().at("quantities").at("max_force").at("runs"), runs.at("made"));
  EXPECT_TRUE(bench.has("r.unfinished"));
}

TEST(Sweep, RunsThatFailAreRowsWithTheReason) {
  const Bench bench;
  bench.write("s.toml", dragged + "[ensemble]\nquantity = [\"max_force\"]\n");
  const Outcome out =
      bench.bristle(sweep({"--vary", "solve.step_limit=1000000,10,1000000", "--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_PRED2(contains, out.err, "1 of 3 runs failed, the first is run 2: ");
  const auto lines = lines_of(bench.text("r/sweep.csv"));
  EXPECT_PRED2(begins, lines[2], "2,10,,");
  EXPECT_FALSE(lines[2].ends_with("done"));
  EXPECT_TRUE(lines[3].ends_with("done"));
}

TEST(Sweep, RefusesWrongInputInASentence) {
  const Bench bench;
  bench.write("s.toml", grid);
  const auto refused = [&](const Words& more, const Words& parts) {
    expect_refused(bench.bristle(sweep(more)), 2, parts);
  };
  refused({"--vary", "mechanism.drag_velocty=1:2:3"},
          {"drag_velocty", "did you mean 'drag_velocity'?"});
  refused({"--vary", "mechanis.spring=1:2:3"}, {"did you mean 'mechanism'?"});
  refused({"--vary", "mechanism.spring=1:1:3"}, {"mechanism.spring: the range is empty"});
  refused({"--vary", "mechanism.spring=1:2:0"}, {"the range is empty"});
  refused({"--vary", "mechanism.spring=0:2:5:log"}, {"must not hold 0"});
  refused({"--vary", "mechanism.spring=1:2"}, {"must have the form"});
  refused({"--vary", "mechanism.spring=1,2", "--vary", "mechanism.spring=3,4"},
          {"--vary mechanism.spring=1,2 and --vary mechanism.spring=3,4 contradict each other"});
  refused({"--vary", "mechanism.mass=-1:2:4"}, {"--vary mechanism.mass=-1:2:4", "mass = -1"});
  refused({"--set", "mechanism.spring=3"}, {"contradict each other"});
  refused({"--quantity", "perod"}, {"did you mean 'period'?"});
  refused({"--quantity", "position"}, {"--quantity position: quantity 'position' needs a time"});
  refused({"--budget", "soon"}, {"--budget soon: must be a time"});
  refused({"--part", "4/3"}, {"--part 4/3: must have the form 3/64"});
  refused({"--only", "7"}, {"--only 7: must be a number from 1 to 6"});
  refused(
      {"--vary", "mechanism.spring=1:2:1000000", "--vary", "mechanism.drag_velocity=0.1:1:1000000"},
      {"1000000000000 runs would take about", "years", "give --budget", "smaller grid"});
  bench.write("s.toml", stick_slip);
  refused({}, {"s.toml: varies nothing"});
  refused({"--vary", "mechanism.spring=1:2:3"}, {"s.toml: keeps nothing"});
  EXPECT_EQ(bench.files(), (std::set<std::string>{"s.toml"}));
}

TEST(Sweep, RefusesTheResultDirectoryOfAnotherExperiment) {
  const Bench bench;
  bench.write("s.toml", grid);
  ASSERT_EQ(bench.bristle({"run", "s.toml", "--no-figures", "--out", "r"}).code, 0);
  expect_refused(bench.bristle(sweep({"--out", "r"})), 2,
                 {"r: holds the results of another experiment"});
  ASSERT_EQ(bench.bristle(sweep({"--out", "q"})).code, 0);
  EXPECT_EQ(bench.bristle(sweep({"--out", "q"})).code, 0);
  expect_refused(bench.bristle(sweep({"--out", "q", "--quantity", "max_velocity"})), 2,
                 {"q: holds the results of another sweep"});
  expect_refused(bench.bristle({"sweep", "merge", "r", "--out", "w"}), 2,
                 {"r: is not the result directory of a sweep"});
}

TEST(Sweep, OfAFileNamesItsLine) {
  const auto refused = [](const std::string& more, const Words& parts) {
    const Bench bench;
    bench.write("s.toml", dragged + more);
    expect_refused(bench.bristle(sweep({})), 2, parts);
  };
  const std::string draw = "[[draw]]\nfield = \"model.coulomb_force\"\n";
  refused("[[vary]]\nfield = \"model.stifness\"\nvalues = [1]\n[ensemble]\nquantity = [\"period\"]",
          {"s.toml:11: [[vary]]", "did you mean 'stiffness'?"});
  refused("[[vary]]\nfield = \"model.stiffness\"\nfrom = 1\nto = 2\n", {"s.toml:11:", "count"});
  refused("[[vary]]\nfield = \"model.stiffness\"\nvalues = []\n", {"s.toml:13:", "empty"});
  refused(draw + "uniform = [2, 1]\n[ensemble]\ndraws = 3\n", {"s.toml:13:", "range is empty"});
  refused(draw + "uniform = [1, 2]\n", {"needs the number of draws"});
  refused(draw + "unform = [1, 2]\n", {"s.toml:13:", "did you mean 'uniform'?"});
  refused("[sensitivity]\n", {"s.toml:11: [sensitivity] needs at least one [[draw]]"});
  refused("[ensemble]\nquantity = [\"perod\"]\n", {"s.toml:12:", "did you mean 'period'?"});
  for (const std::string name : {"number", "status", "model.stiffness"})
    refused(
        "[[vary]]\nfield = \"model.stiffness\"\nvalues = [1]\n[ensemble]\n"
        "quantity = [{ quantity = \"position\", time = 0.5, name = \"" +
            name + "\" }]\n",
        {"s.toml:15: name = \"" + name + "\" is that of another column of the table"});
}

TEST(Sweep, SensitivitiesFollowTheClosedFormOfTheSteadyForce) {
  // At high speed the steady force of LuGre is F_C + sigma_2 v: independent, both uniform.
  const Bench bench;
  bench.write("s.toml",
              "[model]\nname = \"lugre\"\n[steady]\nfrom = -1\nto = 1\npoints = 3\n"
              "[[draw]]\nfield = \"model.coulomb_force\"\nuniform = [1.0, 1.2]\n"
              "[[draw]]\nfield = \"model.viscous\"\nuniform = [0.3, 0.4]\n"
              "[ensemble]\nquantity = [{ quantity = \"steady_force\", velocity = 1.0, name = "
              "\"f\" }]\n[sensitivity]\nmethod = \"sobol\"\nsamples = 512\n");
  const Outcome out = bench.bristle(sweep({"--out", "r", "--json"}));
  ASSERT_EQ(out.code, 0) << out.err;
  const auto fields = out.json().at("sensitivity").at("f").at("fields");
  // Variances 0.2^2/12 and 0.1^2/12 (N).
  EXPECT_NEAR(fields.at("model.coulomb_force").at("total").get<double>(), 0.8, 0.02);
  EXPECT_NEAR(fields.at("model.viscous").at("first").get<double>(), 0.2, 0.02);
  EXPECT_TRUE(bench.has("r/sensitivity.csv"));
  EXPECT_TRUE(bench.has("r/sweep-f-sensitivity.gp"));
}

TEST(Sweep, OfAMachineVariesFieldsOfItsParts) {
  const Bench bench;
  const std::string machine =
      "[[body]]\nname = \"block\"\ninertia = 2.0\n[[contact]]\nname = \"floor\"\non = \"block\"\n"
      "law = { name = \"coulomb\", coulomb_force = 1.0 }\n[[input]]\nname = \"push\"\non = "
      "\"block\"\namplitude = 0.0\nbias = 3.0\n[solve]\nend = 2.0\n"
      "[[vary]]\nfield = \"contact.floor.coulomb_force\"\nfrom = 1.0\nto = 4.0\ncount = 4\n";
  bench.write("s.toml", machine +
                            "[ensemble]\nquantity = [{ quantity = \"maximum\", column = "
                            "\"block.velocity\", name = \"top\" }]\n");
  const Outcome out = bench.bristle(sweep({"--out", "r"}));
  ASSERT_EQ(out.code, 0) << out.err;
  // (3 N - F) 2 s / 2 kg while the push is larger than the friction, then rest.
  const double closed[] = {2.0, 1.0, 0.0, 0.0};
  const auto lines = lines_of(bench.text("r/sweep.csv"));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "number,contact.floor.coulomb_force,top,status");
  for (std::size_t i = 0; i < 4; ++i) {
    const auto at = lines[i + 1].find(',', 2);
    EXPECT_NEAR(std::stod(lines[i + 1].substr(at + 1)), closed[i], 1e-7) << lines[i + 1];
  }
  bench.write("s.toml", machine +
                            "[ensemble]\nquantity = [{ quantity = \"maximum\", column = "
                            "\"blok.velocity\" }]\n");
  expect_refused(bench.bristle(sweep({})), 2, {"s.toml:21:", "did you mean 'block.velocity'?"});
}

TEST(Sweep, OfTheExampleDrawsAMapOfTheKindsOfMotion) {
  const Bench bench;
  const std::string file =
      (std::filesystem::path(BRISTLE_DOCS).parent_path() / "examples/10_stick_slip_map.toml")
          .string();
  const Outcome out = bench.bristle({"sweep", file, "--out", "r", "--json"});
  ASSERT_EQ(out.code, 0) << out.err;
  EXPECT_EQ(out.json().at("runs").at("made"), 384);
  EXPECT_GT(out.json().at("quantities").at("stick_slip").at("words").at("exact"), 50);
  EXPECT_PRED2(contains, bench.text("r/sweep-stick_slip.gp"), "'exact' 0");
  if (out.err.empty()) {
    EXPECT_TRUE(bench.has("r/sweep-stick_slip.png"));
  }
}

}  // namespace
}  // namespace bristle::test::sweep_test
