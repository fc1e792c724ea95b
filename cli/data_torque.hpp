// SPDX-License-Identifier: MIT
// A measured torque in place of friction: terms beside the law, current of a motor, a gear.
#pragma once

#include "data_options.hpp"

namespace bristle::cli {

// The terms asked for; `offset` receives whether a constant is among them.
TermOptions terms_of(const DataArguments& a, bool* offset);
// A current is read with the motor constant as its factor.
void choose_torque(const DataArguments& a, io::MeasurementChoice& choice);
// Motion and force on the side of the load.
void apply_gear(const DataArguments& a, io::Measurement& m);

}  // namespace bristle::cli
