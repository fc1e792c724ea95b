// SPDX-License-Identifier: MIT
// The random part of a friction force: a stationary Gaussian process by spectral representation.
//
//   f_R(s) = 2 sigma sum_k sqrt(S(w_k) dw) cos(w_k s + phi_k),   w_k = k dw,  k = 0 ... terms - 1
//   S(w) = lambda / (pi (lambda^2 + w^2)),   autocorrelation sigma^2 exp(-lambda |s|), zero mean
//
// s is what the surface is rough over (the source takes the velocity), 1 / lambda its correlation
// length, phi_k random phases. Limits: repeats after 2 pi / dw; what is missing of the variance is
// known, see deviation(). The source prints S without lambda in the numerator, which makes the
// deviation depend on lambda: `printed` keeps that. Source: hysteretic effects of dry friction
// (4.10)-(4.13).
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "bristle/model/field.hpp"

namespace bristle {

struct Roughness {
  using Number = double;
  static constexpr std::string_view name = "roughness";
  static constexpr std::string_view summary = "random part of a friction force";
  static constexpr std::array<std::string_view, 2> spectra{"corrected", "printed"};

  double deviation_wanted = 0.05;
  double decay = 10.0;
  double terms = 1000.0;
  double spacing = 0.1;
  double seed = 1.0;
  int spectrum = 0;

  static constexpr auto fields() {
    using F = Field<Roughness>;
    using R = Roughness;
    return std::array{
        F{"deviation", "", "standard deviation sigma", non_negative, &R::deviation_wanted},
        F{"decay", "", "lambda, one over the correlation length", positive, &R::decay},
        F{"terms", "", "number of terms", Bounds{1.0, 1e6, false, true}, &R::terms},
        F{"spacing", "", "distance dw of their frequencies", positive, &R::spacing},
        F{"seed", "", "seed of the phases", Bounds{0.0, 9e15, false, true}, &R::seed},
        F{"spectrum", "S as it gives the autocorrelation, or as the source prints it", spectra,
          &R::spectrum}};
  }

  double density(double w) const {
    return (spectrum == 0 ? decay : 1.0) / (std::numbers::pi * (decay * decay + w * w));
  }
  // The standard deviation these terms really have, over all phases.
  double deviation() const {
    double sum = 0.0;
    for (long k = 0; k < long(terms); ++k) sum += density(double(k) * spacing);
    return deviation_wanted * std::sqrt(2.0 * sum * spacing);
  }
};

// One draw of the process.
class RoughSurface {
 public:
  explicit RoughSurface(const Roughness& r) : spacing_(r.spacing) {
    validate(r);
    std::mt19937_64 random(std::uint64_t(r.seed));
    const auto n = std::size_t(r.terms);
    cosine_.reserve(n);
    sine_.reserve(n);
    for (std::size_t k = 0; k < n; ++k) {
      // Drawn by hand, so that every platform draws the same.
      const double phase = 2.0 * std::numbers::pi * double(random() >> 11) * 0x1p-53;
      const double size =
          2.0 * r.deviation_wanted * std::sqrt(r.density(double(k) * spacing_) * spacing_);
      cosine_.push_back(size * std::cos(phase));
      sine_.push_back(size * std::sin(phase));
    }
  }

  // All terms by one rotation each: no cosine but the first.
  double operator()(double s) const {
    const double c = std::cos(spacing_ * s), d = std::sin(spacing_ * s);
    double x = 1.0, y = 0.0, sum = 0.0;
    for (std::size_t k = 0; k < cosine_.size(); ++k) {
      sum += cosine_[k] * x - sine_[k] * y;
      const double next = x * c - y * d;
      y = x * d + y * c;
      x = next;
    }
    return sum;
  }

  // With the slope over s. The last answer of each thread is kept: solvers ask at one velocity for
  // several accelerations.
  std::pair<double, double> with_slope(double s) const {
    static thread_local Answer last;
    if (last.id != id_ || last.at != s) last = {id_, s, evaluate(s)};
    return last.value;
  }

 private:
  struct Answer {
    long id = 0;
    double at = 0.0;
    std::pair<double, double> value{};
  };
  static long next_id() {
    static std::atomic<long> count{0};
    return ++count;
  }
  std::pair<double, double> evaluate(double s) const {
    const double c = std::cos(spacing_ * s), d = std::sin(spacing_ * s);
    double x = 1.0, y = 0.0, sum = 0.0, slope = 0.0;
    for (std::size_t k = 0; k < cosine_.size(); ++k) {
      sum += cosine_[k] * x - sine_[k] * y;
      slope -= double(k) * spacing_ * (cosine_[k] * y + sine_[k] * x);
      const double next = x * c - y * d;
      y = x * d + y * c;
      x = next;
    }
    return {sum, slope};
  }

  long id_ = next_id();
  double spacing_;
  std::vector<double> cosine_, sine_;
};

}  // namespace bristle
