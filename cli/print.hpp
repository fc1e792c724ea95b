// SPDX-License-Identifier: MIT
// Results in words, for people at a terminal.
#pragma once

#include <fmt/format.h>

#include "bristle/io/runner.hpp"

namespace bristle::cli {

inline void print_cases(const io::Experiment& experiment, const io::ExperimentResult& result) {
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const auto& c = experiment.cases[i];
    if (c.kind == io::CaseKind::steady || c.kind == io::CaseKind::bode ||
        c.kind == io::CaseKind::surface)
      continue;
    fmt::print("  {}{}{}\n", c.label, c.label.empty() ? "" : ": ", result.cases[i].message(c));
    std::string line;
    for (const char* name : {"period", "stick_slip", "loop_area", "max_velocity", "max_force",
                             "max_output", "min_output", "kind", "lobes"}) {
      const auto value = io::measure(c, result.cases[i], name);
      if (std::holds_alternative<std::monostate>(value)) continue;
      line += fmt::format("{}{} = {}", line.empty() ? "    " : ", ", name, io::words(value));
    }
    if (!line.empty()) fmt::print("{}\n", line);
  }
}

inline void print_verdicts(const std::vector<io::Verdict>& verdicts) {
  if (verdicts.empty()) return;
  // Columns as wide as their widest entry.
  std::size_t a = 4, b = 8, c = 9, d = 4;
  for (const auto& v : verdicts) {
    a = std::max(a, v.label.size());
    b = std::max(b, v.key.size());
    c = std::max(c, v.published.size());
    d = std::max(d, v.ours.size());
  }
  fmt::print("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}\n", "case", a, "quantity", b, "published", c,
             "ours", d, "verdict");
  for (const auto& v : verdicts)
    fmt::print("  {:<{}}  {:<{}}  {:<{}}  {:<{}}  {}{}\n", v.label, a, v.key, b, v.published, c,
               v.ours, d, v.verdict, v.differs.empty() ? "" : ": " + v.differs);
}

}  // namespace bristle::cli
