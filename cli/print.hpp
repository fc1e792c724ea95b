// SPDX-License-Identifier: MIT
// Results in words, for people at a terminal.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    for (const auto& name : io::main_quantities()) {
      const auto value = io::measure(c, result.cases[i], name);
      if (std::holds_alternative<std::monostate>(value)) continue;
      line += fmt::format("{}{} = {}", line.empty() ? "    " : ", ", name, io::words(value));
    }
    if (!line.empty()) fmt::print("{}\n", line);
  }
}

inline void print_verdicts(const std::vector<io::Verdict>& verdicts) {
  if (verdicts.empty()) return;
  using Row = std::array<std::string, 7>;
  std::vector<Row> rows{{"case", "quantity", "kind", "reference", "tolerance", "ours", "verdict"}};
  for (const auto& v : verdicts)
    rows.push_back({v.label, v.key, std::string(io::info(v.kind).words), v.reference_in_unit(),
                    v.tolerance, v.ours,
                    v.verdict() + (v.differs.empty() ? "" : ": " + v.differs)});
  // Columns as wide as their widest entry; a byte that goes on a character has no width.
  const auto width = [](const std::string& text) {
    return std::size_t(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xc0') != '\x80'; }));
  };
  std::array<std::size_t, 7> widest{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i + 1 < row.size(); ++i) widest[i] = std::max(widest[i], width(row[i]));
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += "  " + row[i] +
              (i + 1 < row.size() ? std::string(widest[i] - width(row[i]), ' ') : std::string());
    fmt::print("{}\n", line);
  }
}

}  // namespace bristle::cli
