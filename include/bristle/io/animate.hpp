// SPDX-License-Identifier: MIT
// A run as a moving picture: the body over its bristles, one self-contained animated SVG.
#pragma once

#include <string>

#include "bristle/io/measure.hpp"

namespace bristle::io {

// Both corners of the body with the bristles around them (of a row), or a bundle of bristles bent
// by the state of the law, with the drive above and the friction force over time below. Frames
// follow the motion as much as the time, so that slips can be seen. Empty for a steady sweep.
std::string animation_svg(const Experiment& experiment, const Case& c, const CaseResult& result);

}  // namespace bristle::io
