// SPDX-License-Identifier: MIT
// The fit of one law, for the command and for one joint after the other.
#pragma once

#include "bristle/io/fit_part.hpp"
#include "fit_arguments.hpp"

namespace bristle::cli {

struct LawFit {
  FitSummary fit;
  io::Measurement measurement;
  std::vector<Profile> profiles;
  std::string command, data;
  std::optional<DelayEstimate> delay;
  io::PartOrigin origin;
  // As the pages and files read it; no longer than this lives.
  io::FitReport report() const { return {fit, measurement, profiles, command, data, delay}; }
};
// Reads the data and fits; throws InputError, InvalidInput, Interrupted.
LawFit fit_law(const FitArguments& a);
// Writes report, part, samples and summary into a directory.
void write_fit(const std::string& directory, const LawFit& fit);

}  // namespace bristle::cli
