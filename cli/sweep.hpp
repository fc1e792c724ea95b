// SPDX-License-Identifier: MIT
// What `sweep` and `sweep merge` share.
#pragma once

#include "bristle/io/sweep_results.hpp"
#include "commands.hpp"

namespace bristle::cli {

// What came out of the runs that were planned, in words or as JSON; the exit code.
int report_sweep(const io::Sweep& sweep, const io::SweepStatistics& statistics,
                 std::uint64_t planned, const std::string& directory, bool json);

void add_sweep_merge(CLI::App& sweep, Action& action, const std::string& command_line);

}  // namespace bristle::cli
