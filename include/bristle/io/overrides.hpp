// SPDX-License-Identifier: MIT
// What an option of the command line takes the place of in a file.
#pragma once

#include "bristle/io/experiment.hpp"

namespace bristle::io {

// The places of the file, in its sections and cases, where a field has another text than the given
// one: "solve.method = cvode of slip.toml:10".
std::vector<std::string> other_texts(const Experiment& experiment, const std::string& section,
                                     const std::string& field, const std::string& text);

}  // namespace bristle::io
