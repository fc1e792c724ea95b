// SPDX-License-Identifier: MIT
// A sweep among processes of mpirun, one of which is killed.
#include <csignal>
#include <cstdlib>
#include <thread>

#include "cli/sweep_tables.hpp"

namespace bristle::test::sweep_ranks_test {
namespace {

constexpr int runs = 3000;

std::string whole_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Starts mpirun in the background and returns its process id.
int start_ranks(const Bench& bench, const std::string& arguments) {
  const std::string command =
      "cd '" + bench.root().string() +
      "' && { OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe "
      "-np 3 " BRISTLE_PROGRAM " " +
      arguments + " >mpi.out 2>mpi.err & echo $! >mpi.pid; }";
  EXPECT_EQ(std::system(command.c_str()), 0);
  return std::stoi(bench.text("mpi.pid"));
}

// The process of a rank below mpirun, 0 if there is none yet.
int process_of_rank(int parent, int rank) {
  const std::string wanted = "OMPI_COMM_WORLD_RANK=" + std::to_string(rank);
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string stat = whole_text(entry.path() / "stat");
    const auto after = stat.rfind(") ");
    if (after == std::string::npos || std::atoi(stat.c_str() + after + 4) != parent) continue;
    const std::string surroundings = whole_text(entry.path() / "environ");
    if (contains(surroundings + '\0', wanted + '\0')) return std::stoi(name);
  }
  return 0;
}

bool is_alive(int process) {
  const std::string stat = whole_text("/proc/" + std::to_string(process) + "/stat");
  const auto after = stat.rfind(") ");
  return after != std::string::npos && stat[after + 2] != 'Z';
}

std::size_t kept_chunks(const Bench& bench) {
  return bench.has("r.unfinished") ? whole_chunks(bench.text("r.unfinished")) : 0;
}

TEST(SweepRanks, AKilledOneLosesNoFinishedChunkAndNoneIsRepeated) {
  if (!fs::exists(fs::path(BRISTLE_PROGRAM).parent_path() / "bristle_mpi.so") ||
      std::system("command -v mpirun >/dev/null") != 0)
    GTEST_SKIP() << "built without MPI, or no mpirun";
  const Bench bench;
  bench.write("s.toml",
              "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n"
              "[solve]\nend = 5.0\nsamples = 11\n"
              "[[draw]]\nfield = \"mechanism.spring\"\nnormal = [2.0, 0.1]\n"
              "[ensemble]\nquantity = [{ quantity = \"position\", time = 5.0 }]\ndraws = " +
                  std::to_string(runs) + "\n");
  ASSERT_EQ(bench.bristle({"sweep", "s.toml", "--no-figures", "--out", "whole"}).code, 0);
  // First a worker, then the one that writes.
  for (const int rank : {1, 0}) {
    const int parent = start_ranks(bench, "sweep s.toml --no-figures --out r");
    int process = 0;
    for (int i = 0; i < 5000 && (process == 0 || kept_chunks(bench) < 20); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (process == 0) process = process_of_rank(parent, rank);
    }
    ASSERT_GT(process, 0);
    ASSERT_EQ(::kill(process, SIGKILL), 0);
    for (int i = 0; i < 10000 && is_alive(parent); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_FALSE(is_alive(parent)) << "mpirun goes on without one of its processes";
    ASSERT_FALSE(bench.has("r"));
    EXPECT_FALSE(contains(bench.text("mpi.err"), "nothing was written"));
    const std::size_t kept = kept_chunks(bench);
    ASSERT_GE(kept, 20u);
    ASSERT_LT(kept, std::size_t(runs));
    const Outcome again =
        bench.bristle({"sweep", "s.toml", "--no-figures", "--out", "r", "--json"});
    ASSERT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.json().at("provenance").at("runs_of_this_call"), runs - int(kept));
    EXPECT_EQ(bench.text("r/sweep.csv"), bench.text("whole/sweep.csv"));
    fs::remove_all(bench.root() / "r");
  }
}

}  // namespace
}  // namespace bristle::test::sweep_ranks_test
