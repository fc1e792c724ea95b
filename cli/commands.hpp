// SPDX-License-Identifier: MIT
// The subcommands: each adds itself to the program and leaves its exit code behind.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>

namespace bristle::cli {

// The action of the chosen subcommand; run by main() after all was parsed.
using Action = std::function<int()>;

void add_new(CLI::App& program, Action& action);
void add_models(CLI::App& program, Action& action);
void add_run(CLI::App& program, Action& action, const std::string& command_line);
void add_sweep(CLI::App& program, Action& action, const std::string& command_line);
void add_reproduce(CLI::App& program, Action& action, const std::string& command_line);
void add_loop(CLI::App& program, Action& action, const std::string& command_line);
void add_invert(CLI::App& program, Action& action);
void add_butterfly(CLI::App& program, Action& action);
void add_errors(CLI::App& program, Action& action);
void add_spectrum(CLI::App& program, Action& action);
void add_indirect(CLI::App& program, Action& action);
void add_bifurcation(CLI::App& program, Action& action, const std::string& command_line);
void add_fit(CLI::App& program, Action& action, const std::string& command_line);
void add_compare(CLI::App& program, Action& action, const std::string& command_line);
void add_part(CLI::App& program, Action& action);
void add_excite(CLI::App& program, Action& action);
void add_completion(CLI::App& program, Action& action);

}  // namespace bristle::cli
