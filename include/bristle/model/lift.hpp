// SPDX-License-Identifier: MIT
// How a row of bristles carries the body that slides over it.
//
// The vertical force of the bristles on the slant is tangent times the size of the friction force;
// that of the bristles under the flat bottom is stiffness times (level - height).
#pragma once

namespace bristle {

struct Lift {
  double tangent = 0.0;     // vertical over horizontal force of the slant
  double stiffness = 0.0;   // of all bristles under the bottom [N/m]
  double level = 0.0;       // height at which these would carry nothing [m]
  double ceiling = 0.0;     // height above which the row no longer pushes back [m]
  double gravity = 0.0;     // [m/s2]
  bool prescribed = false;  // the height is amplitude * sin(frequency * t)
  double amplitude = 0.0;   // [m]
  double frequency = 0.0;   // [rad/s]
};

}  // namespace bristle
