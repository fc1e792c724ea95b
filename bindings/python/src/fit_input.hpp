// SPDX-License-Identifier: MIT
// Measured runs and options of fits, as Python gives them.
#pragma once

#include <optional>

#include "bristle/identify/delay.hpp"
#include "bristle/identify/fit.hpp"
#include "given.hpp"

namespace bristle::python {

struct FitInput {
  std::vector<Record> records;
  DataUnits units;
  std::vector<std::string> notes, files{};
  std::vector<ConditionColumn> conditions{};  // what the records have beside the motion
  std::optional<std::pair<double, double>> unused_load{};  // range of one the law has no use for
};

// Runs as dictionaries of columns, those beside the motion named by `conditions`, or files as the
// command reads them; `columns` names columns as its options do.
FitInput input_from(const py::list& runs, const std::vector<std::string>& conditions);
FitInput input_of_files(const std::vector<std::string>& files, const py::dict& columns,
                        const py::dict& options);

FitOptions fit_options_from(const py::dict& options);

// How records become samples; a delay of the force [s] is taken out first.
struct Preparing {
  explicit Preparing(const py::dict& options);
  std::vector<Track> runs(const std::vector<Record>& records) const;

  PrepareOptions prepare;
  double delay = 0.0;
  bool find_delay = false;  // from the data, up to `longest` (0: 25 steps)
  double longest = 0.0;
};

// The motion of a motor brought to the other side of its gear, and its current to a torque; with
// `rotation` the columns are those of a rotation.
void apply_drive(const py::dict& options, FitInput& input);

// A load that the law has no use for becomes a condition, with a note; with terms it is a payload.
// An empty name stands for a comparison of laws.
void weigh_load(const std::string& law, FitInput& input, FitOptions& options);

// A sentence where the force opposes the motion, as if its sign were reversed; otherwise empty.
std::string sign_doubt(const std::vector<Track>& runs);

}  // namespace bristle::python
