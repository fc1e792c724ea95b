// SPDX-License-Identifier: MIT
// The quantities an experiment can be asked for, and verdicts on what the source says of them.
#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bristle/analysis/steady.hpp"
#include "bristle/io/experiment.hpp"

namespace bristle::io {

// What one case gave: a simulation, or a steady curve.
struct CaseResult {
  Simulation run;
  SteadyCurve curve;

  bool ok(const Case& c) const { return c.mechanism.empty() || run.summary.ok(); }
};

const std::vector<std::string>& quantity_names();
const std::vector<std::string>& column_names();

// A column of the trajectory by name; `stretch` is the drive minus the position.
std::vector<double> column(const CaseResult& result, const std::string& name);
std::string axis_label(const Case& c, const CaseResult& result, const std::string& column);

// A measured quantity: a number, a word, or nothing where it has no meaning for the case.
using Measured = std::variant<std::monostate, double, std::string>;
Measured measure(const Case& c, const CaseResult& result, const std::string& quantity,
                 double argument = 0.0);
std::string words(const Measured& measured);

struct Verdict {
  std::string experiment, document, figure, label, key, source, choice;
  std::string published;  // in words
  std::string ours;
  std::string verdict;  // reproduced, reproduced with stated choice, not reproduced, not defined
  double tolerance = 0.0;
  std::string differs;  // why it is not reproduced, where that is known

  // Neither reproduced nor explained.
  bool missed() const { return !met() && differs.empty(); }
  bool met() const { return verdict.starts_with("reproduced"); }
};

// Judges all expectations of an experiment; results belong to the cases in order.
std::vector<Verdict> judge(const Experiment& experiment, const std::vector<CaseResult>& results);

}  // namespace bristle::io
