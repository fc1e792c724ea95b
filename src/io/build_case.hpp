// SPDX-License-Identifier: MIT
// From the sections of a file to one case: the law, what it acts on and what is asked of it.
#pragma once

#include <set>

#include "toml_reader.hpp"

namespace bristle::io {

// `given` are the sections that stand in the file or were changed. Throws InputError with file,
// line, field, value and range.
Case build_case(const std::string& label, const Sections& sections,
                const std::set<std::string>& given, const std::string& path);

}  // namespace bristle::io
