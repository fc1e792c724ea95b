// SPDX-License-Identifier: MIT
// The parameters of a machine as one flat table: "contact.bearing.stiffness" with its unit,
// meaning, bounds and value. Files, --set, sweeps, reports and fits address a parameter by that
// name.
//
// The units are those of the part: of a body that turns, and of what acts between bodies that turn,
// m is rad and N is N m.
#pragma once

#include <map>

#include "bristle/machine/machine.hpp"

namespace bristle {

struct MachineParameter {
  FieldInfo field;  // its name is LIST.PART.FIELD
  Value value;
  bool numeric = true;  // false for a word: the kind of a coupling, the law, what a part acts on
};

std::vector<MachineParameter> parameters_of(const MachineParts& parts);

// Gives numbers of the table other values, all of a part at once. Throws InvalidInput for a name
// that is not there, for words and lists, and for a value out of its bounds.
void set_parameters(MachineParts& parts, const std::map<std::string, double>& values);

// Whether what acts along the path is a torque over angles: every body on it turns, with weight 1
// or -1.
bool turns(const MachineParts& parts, const MotionPath& path);
// A unit of translation as that of rotation: "N/m" is "N m/rad". Of "kg or kg m2" the one that
// fits.
std::string unit_for(std::string_view unit, bool turning);

}  // namespace bristle
