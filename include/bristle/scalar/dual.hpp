// SPDX-License-Identifier: MIT
// A value that carries its derivatives with respect to N variables (forward mode).
//
//   Dual<double, 2> x = variable(3.0, 0), y = variable(4.0, 1);
//   auto r = sqrt(x * x + y * y);     // r.value == 5, r.slope == {0.6, 0.8}
//
// Written here rather than taken from Ceres (Jet) for three reasons: the public headers stay free
// of Eigen and glog, the value may itself be a SIMD pack, and select() is part of the type. The
// rules are tested against central differences.
//
// Limits: the derivative at a kink is that of the branch chosen; abs'(0) = 0 and hypot'(0, 0) = 0;
// d/dx x^p at x = 0 is taken as 0, also where it is infinite (p < 1).
#pragma once

#include "bristle/scalar/scalar.hpp"

namespace bristle {

template <class T, int N>
struct Dual {
  // Whole vectors of derivatives are aligned as such: their speed must not depend on where they
  // lie.
  static constexpr std::size_t alignment = std::same_as<T, double> && N % 4 == 0 ? 32 : alignof(T);

  T value{};
  alignas(alignment) std::array<T, N> slope{};

  constexpr Dual() = default;
  // Copied number by number, which lets the compiler keep them in registers.
  constexpr Dual(const Dual& b) : value(b.value) {
    for (int i = 0; i < N; ++i) slope[i] = b.slope[i];
  }
  constexpr Dual& operator=(const Dual& b) {
    value = b.value;
    for (int i = 0; i < N; ++i) slope[i] = b.slope[i];
    return *this;
  }
  constexpr Dual(const T& v) : value(v) {}
  constexpr Dual(double v) requires(!std::same_as<T, double>) : value(v) {}
  constexpr Dual(const T& v, const std::array<T, N>& s) : value(v), slope(s) {}

  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr Dual operator-(const Dual& a) {
    Dual r(-a.value);
    for (int i = 0; i < N; ++i) r.slope[i] = -a.slope[i];
    return r;
  }
  friend constexpr Dual operator+(const Dual& a) { return a; }

  friend constexpr Dual operator+(const Dual& a, const Dual& b) {
    Dual r(a.value + b.value);
    for (int i = 0; i < N; ++i) r.slope[i] = a.slope[i] + b.slope[i];
    return r;
  }
  friend constexpr Dual operator-(const Dual& a, const Dual& b) {
    Dual r(a.value - b.value);
    for (int i = 0; i < N; ++i) r.slope[i] = a.slope[i] - b.slope[i];
    return r;
  }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.value * b.value);
    for (int i = 0; i < N; ++i) r.slope[i] = a.slope[i] * b.value + a.value * b.slope[i];
    return r;
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    const T inverse = T(1.0) / b.value;
    Dual r(a.value * inverse);
    for (int i = 0; i < N; ++i) r.slope[i] = (a.slope[i] - r.value * b.slope[i]) * inverse;
    return r;
  }

  // With a constant the derivatives are only scaled.
  friend constexpr Dual operator+(const Dual& a, const T& b) { return {a.value + b, a.slope}; }
  friend constexpr Dual operator+(const T& a, const Dual& b) { return {a + b.value, b.slope}; }
  friend constexpr Dual operator-(const Dual& a, const T& b) { return {a.value - b, a.slope}; }
  friend constexpr Dual operator-(const T& a, const Dual& b) { return a + (-b); }
  friend constexpr Dual operator*(const Dual& a, const T& b) { return scaled(a, a.value * b, b); }
  friend constexpr Dual operator*(const T& a, const Dual& b) { return b * a; }
  friend constexpr Dual operator/(const Dual& a, const T& b) { return a * (T(1.0) / b); }
  friend constexpr Dual operator/(const T& a, const Dual& b) {
    const T inverse = T(1.0) / b.value;
    return scaled(b, a * inverse, -a * inverse * inverse);
  }

  // A plain number beside a Dual of packs or of Duals.
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator+(const Dual& a, P b) {
    return a + T(b);
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator+(P a, const Dual& b) {
    return T(a) + b;
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator-(const Dual& a, P b) {
    return a - T(b);
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator-(P a, const Dual& b) {
    return T(a) - b;
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator*(const Dual& a, P b) {
    return a * T(b);
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator*(P a, const Dual& b) {
    return T(a) * b;
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator/(const Dual& a, P b) {
    return a / T(b);
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend constexpr Dual operator/(P a, const Dual& b) {
    return T(a) / b;
  }

  friend constexpr auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend constexpr auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend constexpr auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend constexpr auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }

  // f(x) with f'(x) given: the chain rule.
  static constexpr Dual scaled(const Dual& x, const T& f, const T& derivative) {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.slope[i] = x.slope[i] * derivative;
    return r;
  }

  friend Dual exp(const Dual& x) {
    const T e = exp(x.value);
    return scaled(x, e, e);
  }
  friend Dual log(const Dual& x) { return scaled(x, log(x.value), T(1.0) / x.value); }
  friend Dual sin(const Dual& x) { return scaled(x, sin(x.value), cos(x.value)); }
  friend Dual cos(const Dual& x) { return scaled(x, cos(x.value), -sin(x.value)); }
  friend Dual atan(const Dual& x) {
    return scaled(x, atan(x.value), T(1.0) / (T(1.0) + x.value * x.value));
  }
  friend Dual cosh(const Dual& x) {
    const T e = exp(x.value);
    const T inverse = T(1.0) / e;
    return scaled(x, (e + inverse) * 0.5, (e - inverse) * 0.5);
  }
  friend Dual sinh(const Dual& x) { return scaled(x, sinh(x.value), cosh(x.value)); }
  friend Dual tanh(const Dual& x) {
    const T t = tanh(x.value);
    return scaled(x, t, T(1.0) - t * t);
  }
  friend Dual tan(const Dual& x) {
    const T t = tan(x.value);
    return scaled(x, t, T(1.0) + t * t);
  }
  friend Dual asin(const Dual& x) {
    return scaled(x, asin(x.value), T(1.0) / sqrt(T(1.0) - x.value * x.value));
  }
  friend Dual hypot(const Dual& a, const Dual& b) {
    const T length = hypot(a.value, b.value);
    const auto at_zero = length <= T(0.0);
    const T inverse = T(1.0) / select(at_zero, T(1.0), length);
    Dual r(length);
    for (int i = 0; i < N; ++i)
      r.slope[i] = (a.value * a.slope[i] + b.value * b.slope[i]) * inverse;
    return r;
  }
  friend Dual sqrt(const Dual& x) {
    const T root = sqrt(x.value);
    return scaled(x, root, T(0.5) / root);
  }
  friend Dual abs(const Dual& x) { return scaled(x, abs(x.value), sign(x.value)); }
  friend Dual floor(const Dual& x) { return Dual(floor(x.value)); }

  friend Dual pow(const Dual& x, const T& p) {
    const T f = pow(x.value, p);
    const auto at_zero = (x.value <= T(0.0)) && (x.value >= T(0.0));
    return scaled(x, f, select(at_zero, T(0.0), p * f / select(at_zero, T(1.0), x.value)));
  }
  template <PlainNumber P>
  requires(!std::same_as<T, P>) friend Dual pow(const Dual& x, P p) { return pow(x, T(p)); }
  friend Dual pow(const Dual& x, const Dual& p) {
    const auto at_zero = (x.value <= T(0.0)) && (x.value >= T(0.0));
    Dual r = pow(x, p.value);
    const T by_exponent = select(at_zero, T(0.0), r.value * log(select(at_zero, T(1.0), x.value)));
    for (int i = 0; i < N; ++i) r.slope[i] = r.slope[i] + by_exponent * p.slope[i];
    return r;
  }

  template <class Mask>
  requires(!std::same_as<Mask, bool>) friend constexpr Dual
      select(const Mask& condition, const Dual& a, const Dual& b) {
    Dual r(select(condition, a.value, b.value));
    for (int i = 0; i < N; ++i) r.slope[i] = select(condition, a.slope[i], b.slope[i]);
    return r;
  }
};

// The i-th of N variables at the value v: slope one in its own direction.
template <int N, class T>
constexpr Dual<T, N> variable(const T& v, int i) {
  Dual<T, N> x(v);
  x.slope[i] = T(1.0);
  return x;
}

template <class T, int N>
inline constexpr bool is_single<Dual<T, N>> = is_single<T>;

template <class T, int N>
requires is_single<T>
constexpr bool is_constant(const Dual<T, N>& x, double value) {
  bool constant = is_constant(x.value, value);
  for (int i = 0; i < N; ++i) constant = constant && is_constant(x.slope[i], 0.0);
  return constant;
}

template <class T, int N>
constexpr auto value_of(const Dual<T, N>& x) {
  return value_of(x.value);
}

// decay_integral by the chain rule: with f = (1 - exp(-x)) / decay, x = decay time,
// df/dtime = exp(-x) and df/ddecay = (time exp(-x) - f) / decay, for slow decay by its series.
template <class T, int N>
requires is_single<T> Dual<T, N> decay_integral(const Dual<T, N>& decay, const Dual<T, N>& time) {
  const T& t = time.value;
  const T x = decay.value * t;
  T f, left, by_decay;
  if (abs(x) < T(0.1)) {
    f = decay_integral(decay.value, t);
    left = T(1.0) - decay.value * f;
    const T series =
        T(-1.0 / 2) +
        x * (T(1.0 / 3) +
             x * (T(-1.0 / 8) +
                  x * (T(1.0 / 30) + x * (T(-1.0 / 144) +
                                          x * (T(1.0 / 840) + x * (T(-1.0 / 5760) +
                                                                   x * (T(1.0 / 45360) +
                                                                        x * T(-1.0 / 403200))))))));
    by_decay = t * t * series;
  } else {
    left = exp(-x);
    const T inverse = T(1.0) / decay.value;
    f = (T(1.0) - left) * inverse;
    by_decay = (t * left - f) * inverse;
  }
  Dual<T, N> r(f);
  for (int i = 0; i < N; ++i) r.slope[i] = by_decay * decay.slope[i] + left * time.slope[i];
  return r;
}

}  // namespace bristle
