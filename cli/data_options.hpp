// SPDX-License-Identifier: MIT
// What the commands that fit share: measured data in, options of a fit.
#pragma once

#include <CLI/App.hpp>

#include "bristle/identify/fit.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::cli {

struct DataArguments {
  std::vector<std::string> files, fix, free, guess, bound, hold_out;
  io::MeasurementChoice choice;
  double bandwidth = 0.0;
  int starts = 256, seed = 1;
  bool offset = false, asymmetric = false, robust = false;
  // Of a fit of motion.
  std::string mechanism, output = "position";
  int steps = 4;
};

void add_data_options(CLI::App& command, DataArguments& a);

// The files as read, and the runs made of them.
struct FitInput {
  io::Measurement measurement;
  std::vector<Track> runs;
  std::string name;  // of the files
};
// Options that make it a fit of motion.
void add_motion_options(CLI::App& command, DataArguments& a);
FitInput read_input(const DataArguments& a);

// Values such as "stiffness=2e5" that belong to the law, or to all laws of a comparison.
FitOptions fit_options(const DataArguments& a, std::string_view law);

}  // namespace bristle::cli
