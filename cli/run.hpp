// SPDX-License-Identifier: MIT
// Running one experiment with all of its results, for `run` and for one run of a sweep.
#pragma once

#include "bristle/io/experiment.hpp"

namespace bristle::cli {

struct RunOutput {
  std::string file;  // named in messages
  std::string out;   // result directory
  std::string command;
  bool json = false, no_figures = false, animate = false;
};

// Runs, writes and prints; returns the exit code.
int run_and_write(const io::Experiment& experiment, const RunOutput& output);

}  // namespace bristle::cli
