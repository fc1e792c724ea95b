// SPDX-License-Identifier: MIT
// Numbers side by side, two vectors of the processor: the scalar of runs in lanes.
//
// Every operation acts lane by lane and rounds as IEEE 754 says, fma included, so that a lane has
// the same bits whatever its neighbours are and whatever the instructions of the processor are. Two
// vectors, because a step is a chain of operations that wait for each other. A source that includes
// this header names its namespace by BRISTLE_LANES, is compiled with -ffp-contract=off, and calls
// nothing that other sources share: code for newer processors must not get into them.
#pragma once

#include <cmath>
#include <cstdint>
#if defined(__FMA__)
#include <immintrin.h>
#endif

#include "bristle/scalar/dual.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle::BRISTLE_LANES {

#if defined(__AVX512F__)
inline constexpr int vector_width = 8;
#elif defined(__AVX2__)
inline constexpr int vector_width = 4;
#else
inline constexpr int vector_width = 2;
#endif
inline constexpr int parts = 2;
inline constexpr int width = parts * vector_width;

typedef double Numbers __attribute__((vector_size(8 * vector_width)));
typedef std::int64_t Whole __attribute__((vector_size(8 * vector_width)));

// A truth per lane: all bits set or none.
struct Mask {
  Whole part[parts];

  bool operator[](int lane) const { return part[lane / vector_width][lane % vector_width] != 0; }
  void set(int lane, bool truth) {
    part[lane / vector_width][lane % vector_width] = truth ? -1 : 0;
  }
  bool any() const {
    Whole all = part[0];
    for (int k = 1; k < parts; ++k) all |= part[k];
    std::int64_t one = 0;
    for (int i = 0; i < vector_width; ++i) one |= all[i];
    if (__builtin_constant_p(one)) return one != 0;
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(all), reinterpret_cast<__m512i>(all));
#elif defined(__FMA__)
    return !_mm256_testz_si256(reinterpret_cast<__m256i>(all), reinterpret_cast<__m256i>(all));
#else
    return one != 0;
#endif
  }
};

template <class R, class F>
[[gnu::always_inline]] inline R by_part(const F& f) {
  R r;
  for (int k = 0; k < parts; ++k) r.part[k] = f(k);
  return r;
}
inline Mask operator&&(const Mask& a, const Mask& b) {
  return by_part<Mask>([&](int k) { return a.part[k] & b.part[k]; });
}
inline Mask operator||(const Mask& a, const Mask& b) {
  return by_part<Mask>([&](int k) { return a.part[k] | b.part[k]; });
}
inline Mask operator!(const Mask& a) {
  return by_part<Mask>([&](int k) { return ~a.part[k]; });
}

struct Lanes {
  Numbers part[parts];

  Lanes() = default;
  Lanes(double one) {  // NOLINT: as a double is a double
    for (auto& p : part) p = one - Numbers{};
  }
  double operator[](int lane) const { return part[lane / vector_width][lane % vector_width]; }
  void set(int lane, double one) { part[lane / vector_width][lane % vector_width] = one; }

  friend Lanes operator-(const Lanes& a) {
    return by_part<Lanes>([&](int k) { return -a.part[k]; });
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return by_part<Lanes>([&](int k) { return a.part[k] + b.part[k]; });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return by_part<Lanes>([&](int k) { return a.part[k] - b.part[k]; });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return by_part<Lanes>([&](int k) { return a.part[k] * b.part[k]; });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return by_part<Lanes>([&](int k) { return a.part[k] / b.part[k]; });
  }
  friend Mask operator<(const Lanes& a, const Lanes& b) {
    return by_part<Mask>([&](int k) { return a.part[k] < b.part[k]; });
  }
  friend Mask operator>(const Lanes& a, const Lanes& b) { return b < a; }
  friend Mask operator<=(const Lanes& a, const Lanes& b) {
    return by_part<Mask>([&](int k) { return a.part[k] <= b.part[k]; });
  }
  friend Mask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
  friend Mask operator==(const Lanes& a, const Lanes& b) {
    return by_part<Mask>([&](int k) { return a.part[k] == b.part[k]; });
  }
};

inline Lanes select(const Mask& m, const Lanes& a, const Lanes& b) {
  return by_part<Lanes>([&](int k) { return m.part[k] ? a.part[k] : b.part[k]; });
}
inline Lanes abs(const Lanes& x) {
  return by_part<Lanes>([&](int k) {
    return reinterpret_cast<Numbers>(reinterpret_cast<Whole>(x.part[k]) & INT64_MAX);
  });
}
inline Lanes fma(const Lanes& a, const Lanes& b, const Lanes& c) {
  return by_part<Lanes>([&](int k) -> Numbers {
#if defined(__AVX512F__)
    return _mm512_fmadd_pd(a.part[k], b.part[k], c.part[k]);
#elif defined(__FMA__)
    return _mm256_fmadd_pd(a.part[k], b.part[k], c.part[k]);
#else
    Numbers r;
    for (int i = 0; i < vector_width; ++i)
      r[i] = std::fma(a.part[k][i], b.part[k][i], c.part[k][i]);
    return r;
#endif
  });
}

// Lane by lane through a function of doubles.
template <class F>
Lanes each_lane(const F& f) {
  Lanes r(0.0);
  for (int i = 0; i < width; ++i) r.set(i, f(i));
  return r;
}
inline Lanes sqrt(const Lanes& x) {
  return by_part<Lanes>([&](int k) -> Numbers {
#if defined(__AVX512F__)
    return _mm512_maskz_sqrt_pd(0xff, x.part[k]);
#else
    Numbers r;
    for (int i = 0; i < vector_width; ++i) r[i] = __builtin_sqrt(x.part[k][i]);
    return r;
#endif
  });
}
inline Lanes floor(const Lanes& x) {
  return by_part<Lanes>([&](int k) -> Numbers {
#if defined(__AVX512F__)
    return _mm512_maskz_roundscale_pd(0xff, x.part[k], _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined(__FMA__)
    return _mm256_floor_pd(x.part[k]);
#else
    Numbers r;
    for (int i = 0; i < vector_width; ++i) r[i] = __builtin_floor(x.part[k][i]);
    return r;
#endif
  });
}
// Halves away from zero, as std::round.
inline Lanes round(const Lanes& x) {
  const Lanes size = abs(x), whole = floor(size);
  const Lanes near = whole + select(size - whole >= 0.5, 1.0, 0.0);
  return select(x < 0.0, -near, near);
}
// The square is the common case and costs no call; each lane decides for itself.
inline Lanes pow(const Lanes& x, const Lanes& p) {
  const Mask two = (p <= 2.0) && (p >= 2.0), one = (p <= 1.0) && (p >= 1.0);
  Lanes r = select(two, x * x, x);
  if ((!(two || one)).any())
    for (int i = 0; i < width; ++i)
      if (!two[i] && !one[i]) r.set(i, __builtin_pow(x[i], p[i]));
  return r;
}
inline Lanes log(const Lanes& x) {
  return each_lane([&](int i) { return __builtin_log(x[i]); });
}

// exp within two units in the last place, as that of Pack: 2^n exp(r), |r| <= ln 2 / 2. Below
// exp(-708) the result is zero, above exp(708) infinite; not a number stays one.
inline Lanes exp(const Lanes& x) {
  const Lanes shift(0x1.8p52);  // adding it rounds to a whole number, left in the low bits
  const Lanes shifted = fma(x, 0x1.71547652b82fep0, shift);
  const Lanes n = shifted - shift;
  const Lanes r = fma(n, -0x1.cf79abc9e3b39p-40, fma(n, -0x1.62e42fefa0000p-1, x));
  const Lanes r2 = r * r, r4 = r2 * r2;
  const Lanes low = fma(r2, fma(r, 0x1.11111111109adp-7, 0x1.5555555553d4fp-5),
                        fma(r, 0x1.5555555555556p-3, 0.5));
  const Lanes middle = fma(r2, fma(r, 0x1.71de0d9c145d0p-19, 0x1.a019b8ef67c6cp-16),
                           fma(r, 0x1.a01a01a7c8d47p-13, 0x1.6c16c17893833p-10));
  const Lanes high = fma(r, 0x1.af38d53857513p-26, 0x1.2891a8c1d838dp-22);
  const Lanes fraction = 1.0 + fma(r2, fma(r4, fma(r4, high, middle), low), r);
  const Lanes y = by_part<Lanes>([&](int k) {
    const Whole power = reinterpret_cast<Whole>(shifted.part[k]) << 52;
    return reinterpret_cast<Numbers>(reinterpret_cast<Whole>(fraction.part[k]) + power);
  });
  return select(x > 708.0, HUGE_VAL, select(x < -708.0, 0.0, y + (x - x)));
}

inline Lanes value_of(const Lanes& x) { return x; }

// Whether the Stribeck exponent of a law is 2 in every lane, as it nearly always is. The copy of
// the law for such an attempt has it as a constant, so that no call of pow stands among the
// evaluations, around which all numbers would have to be stored.
template <class Law>
inline constexpr bool may_square = requires(const Law& law) {
  law.stribeck_exponent;
};
template <class Law>
bool squares(const Law& law) {
  if constexpr (may_square<Law>) return !(!(law.stribeck_exponent == 2.0)).any();
  else return false;
}
template <bool square, class Law>
[[gnu::always_inline]] inline Law for_attempt(const Law& law) {
  Law copy = law;
  if constexpr (square && may_square<Law>) copy.stribeck_exponent = Lanes(2.0);
  return copy;
}

}  // namespace bristle::BRISTLE_LANES
