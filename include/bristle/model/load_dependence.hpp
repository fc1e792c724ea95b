// SPDX-License-Identifier: MIT
// Whether the friction of a law depends on the normal force.
#pragma once

#include <string_view>

namespace bristle {

// Found by trying: force, rate of the state and limits at rest are compared at two loads, with the
// default parameters and with those that are 0 by default raised. Throws InvalidInput with the
// nearest name if there is no such law.
bool depends_on_load(std::string_view law);
// The same of a law with its parameters as they are.
class AnyLaw;
bool depends_on_load(const AnyLaw& law);

}  // namespace bristle
