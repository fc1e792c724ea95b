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
//
// Sums over a row take at most a hundred terms, whatever its length: the bristles next to the
// corner are added one by one where they stand far apart, the others by their ends with Euler and
// Maclaurin's formula,
//   sum f = integral f / step + (f_a + f_b) / 2 + step / 12 (f'_b - f'_a)
//           - step^3 / 720 (f'''_b - f'''_a)
// which is exact to 1e-12 where f changes little from one bristle to the next.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/model/expansion.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

// How many bristles of a row are added one by one, the nearest first; `step` is the spacing over
// the height. The push varies over sqrt(h^2 + u^2), of which a spacing is at most a fiftieth in a
// dense row, and in any other row from the fifty-first bristle on.
inline int added_singly(double count, double step) {
  const int near = step <= 0.02 ? 0 : 51;
  return count < near + 48 ? int(count) : near;
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

  // The push of `count` bristles, the nearest `u` behind the corner, the others `spacing` apart.
  template <class S>
  S sum(const S& u, double count, const T& spacing) const {
    const T step = spacing / height;
    const int singly = added_singly(count, double(value_of(step)));
    S total(0.0);
    for (int j = 0; j < singly; ++j) total = total + push(S(u + j * spacing));
    if (!(singly < count)) return total;
    const S first = u + double(singly) * spacing, last = u + (count - 1.0) * spacing;
    const S ends = 0.5 * (push(first) + push(last));
    const S slopes = bend(last, 1) - bend(first, 1), thirds = bend(last, 3) - bend(first, 3);
    return total + energy_between(first, last) / spacing + ends +
           scale * (step / 12.0 * slopes - step * step * step / 720.0 * thirds);
  }

  // The sum of their angles [rad].
  double angle_sum(double u, double count, double spacing) const {
    const double h = double(value_of(height)), step = spacing / h;
    const int singly = added_singly(count, step);
    double total = 0.0;
    for (int j = 0; j < singly; ++j) total += std::atan((u + j * spacing) / h);
    if (!(singly < count)) return total;
    const double a = (u + singly * spacing) / h, b = (u + (count - 1.0) * spacing) / h;
    const auto integral = [](double w) { return w * std::atan(w) - std::log(std::hypot(1.0, w)); };
    const auto slope = [](double w) { return 1.0 / (1.0 + w * w); };
    const auto third = [&](double w) {
      const double q = slope(w), p = w * q;
      return q * (6.0 * p * p - 2.0 * q * q);
    };
    return total + (integral(b) - integral(a)) / step + 0.5 * (std::atan(a) + std::atan(b)) +
           step / 12.0 * (slope(b) - slope(a)) - step * step * step / 720.0 * (third(b) - third(a));
  }

  // The energy they hold [J].
  double energy_sum(double u, double count, double spacing) const {
    const double h = double(value_of(height)), step = spacing / h;
    const int singly = added_singly(count, step);
    double total = 0.0;
    for (int j = 0; j < singly; ++j) total += double(value_of(energy(u + j * spacing)));
    if (!(singly < count)) return total;
    const double a = (u + singly * spacing) / h, b = (u + (count - 1.0) * spacing) / h;
    const auto half_square = [](double w) { return 0.5 * std::atan(w) * std::atan(w); };
    const auto slope = [](double w) { return std::atan(w) / (1.0 + w * w); };
    const auto third = [](double w) {
      const double q = 1.0 / (1.0 + w * w), theta = std::atan(w);
      return q * q * ((6.0 - 8.0 * q) * theta - 6.0 * w * q);
    };
    return total +
           double(value_of(stiffness)) *
               (half_square_integral(a, b) / step + 0.5 * (half_square(a) + half_square(b)) +
                step / 12.0 * (slope(b) - slope(a)) -
                step * step * step / 720.0 * (third(b) - third(a)));
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
    const int singly = added_singly(count, distance / h);
    for (int j = 0; j < singly; ++j) out.coefficient[0] += add(u + j * distance, out.terms, sum);
    if (singly < count) {
      const Coefficients rest =
          ends_of_row(u + singly * distance, u + (count - 1.0) * distance, distance / h, out.terms);
      for (int k = 0; k < out.terms; ++k) sum[k] += rest[k];
      out.coefficient[0] += value_of(scale) * rest[0];
    }
    const double turn = direction / h;
    double unit = value_of(scale) * turn;
    for (int k = 1; k < out.terms; ++k, unit *= turn) out.coefficient[k] = unit * sum[k];
    return out;
  }

 private:
  // Three more than requested: a long row is summed by derivatives at its ends.
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
                : value_of(energy_between(first, last)) / (value_of(stiffness) * step);
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

  // The energy at one place less that at another, without cancellation far behind the corner,
  // where both angles are nearly right angles.
  template <class S>
  S energy_between(const S& first, const S& last) const {
    const S a = first * per_height, b = last * per_height, one = atan(a), other = atan(b);
    const S turn = select(a > S(1.0), S(atan(S((b - a) / (1.0 + a * b)))), S(other - one));
    return 0.5 * stiffness * turn * (one + other);
  }
  // The integral of theta^2 / 2 over u / h, by Gauss' rule of eight points in y with u / h =
  // sinh y: the integrand is regular within pi / 2 of the real y, and a piece is at most 1 / 2
  // long.
  static double half_square_integral(double from, double to) {
    static constexpr std::array<double, 4> node{0.1834346424956498, 0.5255324099163290,
                                                0.7966664774136267, 0.9602898564975363},
        weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double y0 = std::asinh(from), y1 = std::asinh(to);
    const int pieces = int(std::clamp(std::ceil(2.0 * (y1 - y0)), 1.0, 2000.0));
    const double half = 0.5 * (y1 - y0) / pieces;
    double sum = 0.0;
    for (int i = 0; i < pieces; ++i)
      for (std::size_t k = 0; k < node.size(); ++k)
        for (const double side : {-1.0, 1.0}) {
          const double y = y0 + half * (2.0 * i + 1.0 + side * node[k]);
          const double theta = std::atan(std::sinh(y));
          sum += half * weight[k] * 0.5 * theta * theta * std::cosh(y);
        }
    return sum;
  }

  // First and third derivative of theta cos^2 theta with respect to u / h.
  template <class S>
  S bend(const S& u, int order) const {
    const S w = u * per_height, theta = atan(w), q = 1.0 / (1.0 + w * w), p = w * q;
    if (order == 1) return q * q - 2.0 * p * q * theta;
    return q * q * (36.0 * p * p - 8.0 * q * q) + 24.0 * p * q * (q * q - p * p) * theta;
  }
};

}  // namespace bristle
