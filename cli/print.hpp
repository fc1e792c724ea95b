// SPDX-License-Identifier: MIT
// Results in words, for people at a terminal.
#pragma once

#include <fmt/format.h>

#include "bristle/io/runner.hpp"

namespace bristle::cli {

inline void print_cases(const io::Experiment& experiment, const io::ExperimentResult& result) {
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const auto& c = experiment.cases[i];
    if (c.mechanism.empty()) continue;
    fmt::print("  {}{}{}\n", c.label, c.label.empty() ? "" : ": ", result.cases[i].run.summary.message);
    std::string line;
    for (const char* name : {"period", "stick_slip", "loop_area", "max_velocity", "max_force"}) {
      const auto value = io::measure(c, result.cases[i], name);
      if (std::holds_alternative<std::monostate>(value)) continue;
      line += fmt::format("{}{} = {}", line.empty() ? "    " : ", ", name, io::words(value));
    }
    fmt::print("{}\n", line);
  }
}

inline void print_verdicts(const std::vector<io::Verdict>& verdicts) {
  if (verdicts.empty()) return;
  fmt::print("  {:<26} {:<24} {:<22} {:<34} {}\n", "case", "quantity", "published", "ours", "verdict");
  for (const auto& v : verdicts)
    fmt::print("  {:<26} {:<24} {:<22} {:<34} {}\n", v.label, v.key, v.published, v.ours, v.verdict);
}

}  // namespace bristle::cli
