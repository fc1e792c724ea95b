// SPDX-License-Identifier: MIT
// From a fit to the part that holds its result.
#pragma once

#include "bristle/io/machine_fit_report.hpp"
#include "bristle/io/part.hpp"

namespace bristle::io {

// The origin of a part, as far as it does not follow from the fit.
struct PartOrigin {
  std::vector<std::string> files;  // of the data
  std::string command, licence, source;
  // The range of a load that was measured and not used by the law [N].
  std::optional<std::pair<double, double>> load{};
  std::vector<ConditionColumn> conditions{};  // what Record::others held
};
// Puts it into a part, with the version of the program and the fingerprints of the files.
void note_origin(Part& part, const PartOrigin& origin);

Part part_of(const FitSummary& fit, const PartOrigin& origin);
// `machine` is the text of its file. Where runs were left out in turn, their held-out errors are
// those of the fits without the run.
Part part_of(const MachineFitReport& report, const std::string& machine, const PartOrigin& origin);

// An experiment that runs the part.toml beside it: the law along a sine as large and as fast as the
// motion of the data, or the mechanism of a fit of motion under the input of its first run.
std::string fit_run_text(const FitSummary& fit);

}  // namespace bristle::io
