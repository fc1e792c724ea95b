// SPDX-License-Identifier: MIT
// Exceptions for errors of input and files, each with the exit code of the command.
#pragma once

#include <stdexcept>
#include <string>

#include "bristle/solve/cancel.hpp"

namespace bristle::io {

enum ExitCode : int {
  success = 0,
  expectation_missed = 1,  // reproduce --strict, part check and part diff only
  bad_input = 2,           // command line or file content
  file_trouble = 3,        // missing, unreadable, unwritable, disk full
  run_failed = 4,          // a simulation did not reach its end
  fit_unfinished = 5,      // a fit did not converge, or explains nothing
  interrupted = 130
};

struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Interrupted = Cancelled;

}  // namespace bristle::io
