// SPDX-License-Identifier: MIT
// Bristles that pivot about their base under the corner of a body.
//
// A bristle whose base is u behind the corner leans by theta = atan(u / h) and pushes back with
//   g(u) = (kappa / h) theta cos^2 theta,   the integral of g being kappa theta^2 / 2.
// kappa stiffness of the pivot, h height of the corner.
//
// In powers of d / h the push at u + d has the coefficients g_k with, for w = u / h,
//   (1 + w^2) q_k + 2 w q_(k-1) + q_(k-2) = [k = 0]              of q = 1 / (1 + w^2)
//   (1 + w^2) g_k + 2 w g_(k-1) + g_(k-2) = q_(k-1) / k          of g = q theta
// and they are at most k + 1 in size, so that within a tenth of h every term is a digit.
#pragma once

#include <algorithm>

#include "bristle/model/expansion.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

// Whether a row is summed as a whole and not one by one: it is long and dense.
template <class T>
bool summed_at_once(double count, const T& spacing, const T& height) {
  return count >= 48.0 && value_of(spacing) <= 0.02 * value_of(height);
}

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
    if (!summed_at_once(count, spacing, height)) {
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

  // The same sum at u + direction * d in powers of d, right to `allowed` up to `way` ahead.
  Expansion expanded(double u, double count, double distance, double direction, double way,
                     double allowed) const {
    const double h = value_of(height), size = value_of(scale) * std::max(count, 1.0);
    Expansion out;
    out.span = way;
    out.terms = terms_for(way / h, allowed / size);
    if (out.terms > Expansion::room) {
      out.terms = Expansion::room;
      out.span = h * std::pow(allowed / (size * (out.terms + 1.0)), 1.0 / out.terms);
    }
    Coefficients sum{};
    if (!summed_at_once(count, distance, h)) {
      for (int j = 0; j < int(count); ++j)
        out.coefficient[0] += add(u + j * distance, out.terms, sum);
    } else {
      sum = ends_of_row(u, u + (count - 1.0) * distance, distance / h, out.terms);
      out.coefficient[0] = value_of(scale) * sum[0];
    }
    const double turn = direction / h;
    double unit = value_of(scale) * turn;
    for (int k = 1; k < out.terms; ++k, unit *= turn) out.coefficient[k] = unit * sum[k];
    return out;
  }

 private:
  // Three more than are asked for: a long row is summed by derivatives at its ends.
  using Coefficients = std::array<double, Expansion::room + 3>;

  // How many terms make the rest less than `error` at a displacement of `ratio` heights.
  static int terms_for(double ratio, double error) {
    int k = 1;
    for (double size = ratio; k <= Expansion::room && (k + 1.0) * size > error; ++k) size *= ratio;
    return k;
  }
  // Adds the coefficients of one bristle, in units of the scale; its push.
  double add(double u, int terms, Coefficients& sum) const {
    const double first = value_of(push(u));
    const double w = u * value_of(per_height), q0 = 1.0 / (1.0 + w * w), twice = 2.0 * w;
    double q1 = q0, q2 = 0.0, g1 = first / value_of(scale), g2 = 0.0;
    sum[0] += g1;
    for (int k = 1; k < terms; ++k) {
      const double g = q0 * (q1 * inverse[k] - twice * g1 - g2), q = -q0 * (twice * q1 + q2);
      sum[k] += g;
      g2 = g1, g1 = g, q2 = q1, q1 = q;
    }
    return first;
  }
  // By Euler and Maclaurin's formula, as in sum().
  Coefficients ends_of_row(double first, double last, double step, int terms) const {
    Coefficients a{}, b{}, out{};
    add(first, terms + 3, a);
    add(last, terms + 3, b);
    for (int k = 0; k < terms; ++k) {
      const double whole =
          k > 0 ? (b[k - 1] - a[k - 1]) / (k * step)
                : value_of(energy(last) - energy(first)) / (value_of(stiffness) * step);
      out[k] =
          whole + 0.5 * (a[k] + b[k]) + step / 12.0 * (k + 1.0) * (b[k + 1] - a[k + 1]) -
          step * step * step / 720.0 * (k + 1.0) * (k + 2.0) * (k + 3.0) * (b[k + 3] - a[k + 3]);
    }
    return out;
  }
  static constexpr Coefficients inverse = [] {
    Coefficients all{};
    for (std::size_t k = 1; k < all.size(); ++k) all[k] = 1.0 / double(k);
    return all;
  }();

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
