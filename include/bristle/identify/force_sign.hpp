// SPDX-License-Identifier: MIT
// Whether a measured force has the sign of friction as it is counted here: positive where the
// velocity is, because the force is the one that moves the body against friction.
//
// Only sliding samples count, faster than three tenths of the 90 % quantile of the speed. A
// constant beside the force is taken out where both directions were measured: the middle between
// the medians of the two. Elastic forces are as often with the motion as against it.
#pragma once

#include "bristle/identify/record.hpp"

namespace bristle {

struct ForceSign {
  long samples = 0;       // that slide
  double opposing = 0.0;  // part of them with a force against the velocity
  bool reversed() const { return samples >= 10 && opposing > 0.75; }
};

ForceSign force_sign(const std::vector<Track>& runs);

}  // namespace bristle
