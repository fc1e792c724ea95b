// SPDX-License-Identifier: MIT
// What is wrong with a command line, in one sentence that names the nearest word that exists.
#pragma once

#include <CLI/App.hpp>
#include <string>

namespace bristle::cli {

std::string usage_error(const CLI::App& program, const CLI::ParseError& error, int argc,
                        char** argv);

}  // namespace bristle::cli
