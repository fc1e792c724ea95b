// SPDX-License-Identifier: MIT
// What the fields of an experiment file are: their units and meanings, from the field tables.
#pragma once

#include "bristle/io/experiment.hpp"

namespace bristle::io {

// The field of a section of a case; without unit and meaning if no table has it.
FieldInfo field_of(const Case& c, const std::string& section, const std::string& field);

// "m" for a field written section.field, "" if it has no unit.
std::string unit_of(const Case& c, const std::string& path);
// " [m]" for it.
std::string bracketed_unit_of(const Case& c, const std::string& path);

// What that field means, or its path if no table says so.
std::string meaning_of(const Case& c, const std::string& path);

// Whether a section is one of the parts of a machine, whose fields are those of its description.
bool is_part_of_machine(const Case& c, const std::string& section);
// Whether a field is worth a line: the fields of a signal only where they are given or differ from
// their defaults.
bool is_shown(const Case& c, const FieldInfo& field, const Value& value);

}  // namespace bristle::io
