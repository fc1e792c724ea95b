// SPDX-License-Identifier: MIT
// What the commands that fit share: measured data in, options of a fit.
#pragma once

#include <CLI/App.hpp>
#include <optional>

#include "bristle/identify/delay.hpp"
#include "bristle/identify/dependence.hpp"
#include "bristle/io/measurement.hpp"

namespace bristle::cli {

struct DataArguments {
  std::vector<std::string> files, fix, free, guess, bound, hold_out;
  io::MeasurementChoice choice;
  std::string clock;          // of joined files: same or start
  std::string bandwidth;      // a frequency [Hz] or "none"; empty: chosen from the data
  std::string differentiate;  // parabola (default) or central
  std::string delay;          // of the force [s], "auto" or "auto:LONGEST"
  std::optional<int> starts;  // default 256, of a machine 64
  int seed = 1;
  bool offset = false, asymmetric = false, robust = false, backlash = false;
  std::vector<std::string> depends;  // NAME=COLUMN:FORM
  // Of a fit of measured torque.
  std::string terms;  // with commas between; empty: the force is friction
  std::optional<double> gear, motor_constant;
  // Of a fit of motion.
  std::string mechanism, output = "position";
  std::optional<int> steps;           // default 4
  std::string machine;                // file of a machine whose motion is fitted
  std::vector<std::string> measured;  // of it: NAME=COLUMN
};

void add_data_options(CLI::App& command, DataArguments& a);
// Sorts the options of a fit or a comparison, after all are added, into groups of its help.
void group_fit_options(CLI::App& command);

// The files as read, and the runs made of them.
struct FitInput {
  io::Measurement measurement;
  std::vector<Track> runs{};
  std::string name{};  // of the files
  std::vector<std::string> warnings{};
  PrepareOptions preparing{};
  std::vector<Record> records{};  // as measured, if a delay is to be looked for
  std::optional<std::pair<double, double>> unused_load{};  // range of one the law has no use for
  std::vector<ConditionColumn> conditions{};  // what the records have beside the motion
};
// Options of a measured torque, and those that make it a fit of motion.
void add_torque_options(CLI::App& command, DataArguments& a);
void add_motion_options(CLI::App& command, DataArguments& a);
// Throws InvalidInput with the mechanisms there are for fits; empty is none.
void check_mechanism(const std::string& mechanism);
// Reads the data; for a law that does not depend on the load a column of it is refused if it was
// asked for, and said to be unused otherwise. An empty law stands for several.
FitInput read_input(const DataArguments& a, const std::string& law);
// Throws InputError if options contradict each other: --fix and --free of one parameter.
void check_contradictions(const DataArguments& a);
// What was read as what, one line per column.
void print_columns(const io::Measurement& measurement);
std::string file_names(const std::vector<std::string>& paths);

// NAME=VALUE with a number; throws InputError that names the option.
std::pair<std::string, double> named_number(const std::string& text, const char* option);

// NAME=LOW:HIGH of --bound.
std::pair<std::string, std::pair<double, double>> named_range(const std::string& text);

// Values such as "stiffness=2e5" that belong to the law, or to all laws of a comparison.
// Held-out runs are looked up among those of the input.
FitOptions fit_options(const DataArguments& a, std::string_view law, const FitInput& input);

}  // namespace bristle::cli
