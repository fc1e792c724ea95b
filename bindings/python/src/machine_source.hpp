// SPDX-License-Identifier: MIT
// Reading an experiment from a file, or from a text if one is given.
#pragma once

#include "bristle/io/experiment.hpp"
#include "values.hpp"

namespace bristle::python {

std::vector<io::Setting> settings_from(const py::dict& settings);
// Settings are changes of single fields, "section.field": value.
io::Experiment parse(const std::string& text, const std::string& path, const py::dict& settings);

}  // namespace bristle::python
