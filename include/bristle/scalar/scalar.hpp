// SPDX-License-Identifier: MIT
// The scalar types on which equations are evaluated.
//
// Equations of Bristle are templates on a scalar. A scalar is double or float, a Dual (value with
// derivatives, dual.hpp) or a Pack (one value per SIMD lane, pack.hpp). Equations never branch
// with `if` on a scalar; they call select(condition, a, b), which picks lane by lane and carries
// the derivative of the branch it picks.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <type_traits>

#include "bristle/scalar/exp.hpp"

namespace bristle {

// The elementary functions of plain numbers (exp is in exp.hpp); those of Dual and Pack are found
// by their arguments.
using std::abs;
using std::asin;
using std::atan;
using std::cos;
using std::cosh;
using std::floor;
using std::hypot;
using std::log;
using std::pow;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;

template <class T>
concept PlainNumber = std::is_floating_point_v<T>;

// One number, perhaps with derivatives, as against one per lane: it may be compared with `if`.
template <class T>
inline constexpr bool is_single = PlainNumber<T>;

template <class T>
constexpr T select(bool condition, const T& a, const T& b) {
  return condition ? a : b;
}

// Whether a number has this value and no derivatives.
template <PlainNumber T>
constexpr bool is_constant(T x, double value) {
  return x == T(value);
}

// The plain number under a scalar: the value of a Dual, a double itself.
template <PlainNumber T>
constexpr T value_of(T x) {
  return x;
}

template <class T>
concept Scalar = requires(T a, T b, double c) {
  { a + b } -> std::convertible_to<T>;
  { a - b } -> std::convertible_to<T>;
  { a* b } -> std::convertible_to<T>;
  { a / b } -> std::convertible_to<T>;
  { -a } -> std::convertible_to<T>;
  {T(c)};
  { select(a < b, a, b) } -> std::convertible_to<T>;
  { exp(a) } -> std::convertible_to<T>;
  { sqrt(a) } -> std::convertible_to<T>;
  { abs(a) } -> std::convertible_to<T>;
  { floor(a) } -> std::convertible_to<T>;
};

// -1, 0 or 1. Its derivative is zero everywhere, also at the jump.
template <class T>
T sign(const T& x) {
  if constexpr (PlainNumber<T>) return x == T(0.0) ? T(0.0) : std::copysign(T(1.0), x);
  else return select(x > T(0.0), T(1.0), select(x < T(0.0), T(-1.0), T(0.0)));
}

// The smaller and the larger of two, with the derivatives of the one taken; of equal ones the first.
template <class T>
T min(const T& a, const T& b) {
  return select(b < a, b, a);
}
template <class T>
T max(const T& a, const T& b) {
  return select(a < b, b, a);
}

template <class T>
T square(const T& x) {
  return x * x;
}

// (1 - exp(-decay time)) / decay, the integral of exp(-decay s) over 0 <= s <= time. For slow decay
// by its series, which there is exact to rounding, so that value and derivatives stay finite at
// decay = 0.
template <class T>
T decay_integral(const T& decay, const T& time) {
  const auto series = [](const T& x) {  // of (1 - exp(-x)) / x, to |x| = 0.1
    const T x2 = x * x;
    return T(1.0) + x * T(-1.0 / 2) + x2 * (T(1.0 / 6) + x * T(-1.0 / 24)) +
           x2 * x2 *
               (T(1.0 / 120) + x * T(-1.0 / 720) +
                x2 * (T(1.0 / 5040) + x * T(-1.0 / 40320) +
                      x2 * (T(1.0 / 362880) + x * T(-1.0 / 3628800))));
  };
  const T x = decay * time;
  const auto slow = abs(x) < T(0.1);
  // The product with 1 / decay: the division is done while exp is under way.
  if constexpr (is_single<T>) {
    return slow ? T(time * series(x)) : T((T(1.0) - exp(-x)) * (T(1.0) / decay));
  } else {
    const T safe = select(slow, T(1.0), decay);
    return select(slow, T(time * series(x)), T((T(1.0) - exp(-x)) * (T(1.0) / safe)));
  }
}

}  // namespace bristle
