// SPDX-License-Identifier: MIT
// What is wrong with a command line, in one sentence that names the nearest word that exists.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace bristle::cli {

// "there is no command 'fti', did you mean fit?"; empty where the first word is a command or an
// option.
std::string unknown_command(const CLI::App& program, int argc, char** argv);

std::string usage_error(const CLI::App& program, const CLI::ParseError& error, int argc,
                        char** argv);

}  // namespace bristle::cli
