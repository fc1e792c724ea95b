// SPDX-License-Identifier: MIT
// Bristles that pivot about their base under the corner of a body.
//
// A bristle whose base is u behind the corner leans by theta = atan(u / h) and pushes back with
//   g(u) = (kappa / h) theta cos^2 theta,   the integral of g being kappa theta^2 / 2.
// kappa stiffness of the pivot, h height of the corner.
#pragma once

#include "bristle/scalar/scalar.hpp"

namespace bristle {

template <class T>
struct Pivot {
  T stiffness, height;

  template <class S>
  S push(const S& u) const {
    const S w = u / height;
    return (stiffness / height) * atan(w) / (1.0 + w * w);
  }
  template <class S>
  S energy(const S& u) const {
    return 0.5 * stiffness * square(S(atan(S(u / height))));
  }

  // The push of `count` bristles, the nearest `u` behind the corner, the others `spacing` apart. A
  // long row is summed by Euler and Maclaurin's formula, whose cost does not depend on the count;
  // there it is exact to 1e-12.
  template <class S>
  S sum(const S& u, double count, const T& spacing) const {
    if (count < 48.0 || value_of(spacing) > 0.02 * value_of(height)) {
      S total(0.0);
      for (double j = 0.0; j < count; j += 1.0) total = total + push(S(u + j * spacing));
      return total;
    }
    const S last = u + (count - 1.0) * spacing;
    const S ends = 0.5 * (push(u) + push(last));
    const T step = spacing / height;
    const S slopes = bend(last, 1) - bend(u, 1), thirds = bend(last, 3) - bend(u, 3);
    return (energy(last) - energy(u)) / spacing + ends +
           (stiffness / height) * (step / 12.0 * slopes - step * step * step / 720.0 * thirds);
  }

 private:
  // First and third derivative of theta cos^2 theta with respect to u / h.
  template <class S>
  S bend(const S& u, int order) const {
    const S w = u / height, theta = atan(w), q = 1.0 / (1.0 + w * w);
    if (order == 1) return q * q * (1.0 - 2.0 * w * theta);
    return square(S(q * q)) * (36.0 * w * w - 8.0 + 24.0 * w * (1.0 - w * w) * theta);
  }
};

}  // namespace bristle
