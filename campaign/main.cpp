// SPDX-License-Identifier: MIT
// Random runs of the solver by the thousand: see docs/reliability.md.
#include <CLI/CLI.hpp>

#include "bristle/ensemble/parallel.hpp"
#include "bristle/version.hpp"
#include "trials.hpp"

int main(int count, char** words) {
  using namespace bristle::campaign;
  CLI::App program("Random runs of the solver: properties and agreement of methods");
  program.require_subcommand(1);
  Request request;
  request.threads = bristle::available_threads();
  int code = 0;
  const auto add = [&](const char* name, const char* about, int (*carry)(const Request&)) {
    auto* command = program.add_subcommand(name, about);
    command->add_option("--seed", request.seed, "seed of the random numbers");
    command->add_option("--count", request.count, "number of trials");
    command->add_option("--first", request.first, "number of the first trial");
    command->add_option("--time", request.time, "seconds after which no further trial begins");
    command->add_option("--threads", request.threads, "threads");
    command->add_option("--json", request.json, "file for the results");
    command->add_option("--keep", request.keep, "folder for failing cases, made small");
    command->add_option("--allow", request.allow, "part of the trials that may fail");
    command->add_option("--only", request.only, "the one trial to run");
    command->callback([&, carry] { code = carry(request); });
  };
  listen_for_interrupts();
  add("adaptive", "properties of the default method", run_adaptive);
  add("fixed", "properties of runs at coarse fixed steps", run_fixed);
  add("machines", "machines of several bodies, by both methods", run_machines);
  if (bristle::with_sundials) add("pairs", "the default method against cvode", run_pairs);
  CLI11_PARSE(program, count, words);
  return code;
}
