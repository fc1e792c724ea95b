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
  T per_height = T(1.0) / height, scale = stiffness / height;

  template <class S>
  S push(const S& u) const {
    const S w = u * per_height;
    if constexpr (is_single<S>)
      if (value_of(w) < 0.11 && value_of(w) > -0.11) return scale * small(w);
    return scale * atan(w) / (1.0 + w * w);
  }
  template <class S>
  S energy(const S& u) const {
    return 0.5 * stiffness * square(S(atan(S(u * per_height))));
  }

  // The push of `count` bristles, the nearest `u` behind the corner, the others `spacing` apart. A
  // long row is summed by Euler and Maclaurin's formula, whose cost does not depend on the count;
  // there it is exact to 1e-12.
  template <class S>
  S sum(const S& u, double count, const T& spacing) const {
    if (count < 48.0 || value_of(spacing) > 0.02 * value_of(height)) {
      S total(0.0);
      for (int j = 0; j < int(count); ++j) total = total + push(S(u + j * spacing));
      return total;
    }
    const S last = u + (count - 1.0) * spacing;
    const S ends = 0.5 * (push(u) + push(last));
    const T step = spacing / height;
    const S slopes = bend(last, 1) - bend(u, 1), thirds = bend(last, 3) - bend(u, 3);
    return (energy(last) - energy(u)) / spacing + ends +
           scale * (step / 12.0 * slopes - step * step * step / 720.0 * thirds);
  }

 private:
  // atan(w) / (1 + w^2) by its series, which is cut off at 1e-17 of its value for |w| < 0.11. The
  // coefficients are the sums 1 + 1/3 + 1/5 ... with alternating signs.
  template <class S>
  static S small(const S& w) {
    const S q = w * w, q2 = q * q;
    const S low =
        (1.0 + q * -1.3333333333333333) + q2 * (1.5333333333333334 + q * -1.6761904761904762);
    const S high = (1.7873015873015874 + q * -1.8782106782106782) +
                   q2 * ((1.955133755133755 + q * -2.021800421800422) + q2 * 2.0806239512121865);
    return w * (low + q2 * q2 * high);
  }

  // First and third derivative of theta cos^2 theta with respect to u / h.
  template <class S>
  S bend(const S& u, int order) const {
    const S w = u * per_height, theta = atan(w), q = 1.0 / (1.0 + w * w);
    if (order == 1) return q * q * (1.0 - 2.0 * w * theta);
    return square(S(q * q)) * (36.0 * w * w - 8.0 + 24.0 * w * (1.0 - w * w) * theta);
  }
};

}  // namespace bristle
