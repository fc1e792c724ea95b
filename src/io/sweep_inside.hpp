// SPDX-License-Identifier: MIT
// What a sweep is made of.
#pragma once

#include <optional>

#include "bristle/io/sweep.hpp"
#include "toml_reader.hpp"

namespace bristle::io {

struct Sweep::Inside {
  Document document;
  CaseChanges variant;
  std::vector<Setting> settings;
  EnsemblePlan ensemble;
  Attachments attachments;
  std::string fingerprint;
  std::vector<std::string> warnings;
  std::string why_no_lanes;
  Case base;  // with the first values, and the middle of what is drawn
  // The parts of the machine of `base` where all fields are numbers of them: runs in lanes are then
  // made from these, without the file.
  std::optional<MachineParts> parts;
  std::vector<std::string> names;  // of the fields in the table of the machine

  std::vector<Setting> settings_at(const std::vector<double>& values) const;
  Case case_at(const std::vector<double>& values) const;
  Case case_at(const std::vector<double>& values, std::vector<std::string>& said) const;
  void choose_case(const std::string& wanted);
  void check_fields();
  void make_finest_grid();
  // In sweep_lanes.cpp.
  std::string lanes_trouble() const;
  void find_parts();
  Machine machine_at(const std::vector<double>& values) const;
  void run_dragged(std::span<const std::uint64_t> indices,
                   std::vector<std::optional<SweepRow>>& rows) const;
  void run_loops(std::span<const std::uint64_t> indices,
                 std::vector<std::optional<SweepRow>>& rows) const;
  SweepRow row_of(std::uint64_t index, const Case& c, const CaseResult& r) const;
  void measure_into(SweepRow& row, const Case& c, const CaseResult& r) const;
};

}  // namespace bristle::io
