// SPDX-License-Identifier: MIT
// The motion of a body on a row of bristles as a power series in time.
//
//   mass x'' = drive(t) - spring x - F(x),    x(t + s) = sum_k x_k s^k
//
// F is given by its own series in the displacement d (expansion.hpp), the drive by that in time.
// With the coefficients p_jk of the powers of the displacement, d^j = sum_k p_jk s^k, which follow
// one order after the other,
//   (k + 1)(k + 2) mass x_(k+2) = drive_k - spring x_k - sum_j F_j p_jk
// so one evaluation of the law serves the whole step, and the step may be read, cut and searched
// for events anywhere without another one. The order grows until the last two terms are well within
// what is allowed at the length asked for, or to `highest`; then the length is what they allow.
// Source: A. Jorba and M. Zou, A software package for the numerical integration of ODEs by means of
// high-order Taylor methods, Experimental Mathematics 14 (2005).
//
// Orders are multiples of four: there a series cut off damps an oscillation it cannot follow, at
// others it feeds it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "bristle/solve/motion_polynomial.hpp"
#include "bristle/solve/system.hpp"

namespace bristle {

template <class Sys>
class Series : public MotionPolynomial {
 public:
  static constexpr int N = 2;
  static constexpr int All = N + Sys::powers;
  using State = std::array<double, N>;
  using Extended = std::array<double, All>;

  Series(const Sys& system, double tolerance) : system_(system) {
    const auto scale = system.scales();
    allowed_position_ = tolerance * scale[0];
    allowed_velocity_ = tolerance * scale[1];
    allowed_force_ = 0.01 * tolerance * system.mechanism().mass * square(scale[1]) / scale[0];
  }

  // Expands about a sliding state for a step of at most `longest`; returns how long it may be.
  double slide(double t, const Extended& y, const Mode& mode, double longest) {
    const auto& body = system_.mechanism();
    begin(t, y, mode);
    direction_ = mode.branch.direction;
    law_ = system_.expand(y[0], mode, allowed_force_);
    const double to_end = direction_ * (law_.end - y[0]);
    ends_piece_ = to_end <= law_.span;
    way_ = std::min(to_end, law_.span);
    const double per_mass = 1.0 / body.mass, stiffness = body.spring + law_.coefficient[1];
    x_[1] = y[1];
    x_[2] = 0.5 * per_mass * (drive_[0] - body.spring * y[0] - law_.coefficient[0]);
    x_[3] = per_mass / 6.0 * (drive_[1] - stiffness * x_[1]);
    // To the end of the piece and not far beyond it.
    longest = std::min(longest, 1.25 * first_guess());
    if (const double length = settled(longest, stiffness); length > 0.0) return length;
    const int terms = terms_within(longest);
    if (terms <= 2) grow<0>(longest, per_mass, stiffness);
    else if (terms <= 6) grow<4>(longest, per_mass, stiffness);
    else if (terms <= 10) grow<8>(longest, per_mass, stiffness);
    else grow<Expansion::room - 2>(longest, per_mass, stiffness);
    return shortened(longest);
  }
  // The same for a body that rests.
  void rest(double t, const Extended& y, const Mode& mode) {
    begin(t, y, mode);
    law_ = {};
    order_ = 4;
    x_.fill(0.0);
    x_[0] = y[0];
  }

  // How far ahead the piece of the law, or what is known of it, reaches [m].
  double way() const { return way_; }
  bool ends_piece() const { return ends_piece_; }
  // Whether the last terms and nothing else decided how long the step may be.
  bool limited() const { return last_ > 1.0 || before_ > 1.0; }

  // About when the body has gone it: exact for constant acceleration.
  double first_guess() const {
    if (std::isinf(way_)) return way_;
    const double v = direction_ * x_[1], half = direction_ * x_[2];
    return 2.0 * way_ / (v + std::sqrt(std::max(0.0, v * v + 4.0 * half * way_)));
  }

  // Fixes the length of the step.
  void close(double h) {
    std::array<double, highest> v;
    for (int k = 0; k < order_; ++k) v[k] = (k + 1) * x_[k + 1];
    // Slow drives have few terms that count. One that vanishes says nothing about the next: a sine
    // that starts at its zero has every other one.
    int drive = 2;
    const double least = 1e-18 * std::abs(drive_[0]);
    double size = h * h;
    for (int k = 2; k < order_; ++k, size *= h)
      if (std::abs(drive_[k]) * size > least) drive = k + 1;
    const auto& body = system_.mechanism();
    for (int k = 0; k < order_; ++k)
      work_[k] = body.power_term(k, drive_.data(), drive, x_.data(), v.data()) * inverse[k + 1];
    h_ = h;
    y1_ = read(h);
    double power = 1.0;
    for (int k = 0; k < order_; k += 4) power *= square(square(h));
    error_ = std::abs(x_[order_]) * power;
  }
  // Puts the end of the step to exactly where the piece ends.
  void meet_end() { y1_[0] = law_.end; }

  const Extended& y0() const { return y0_; }
  const Extended& y1() const { return y1_; }
  // The size of the last term of the position at the end of the step [m].
  double error() const { return error_; }
  double share() const {
    return error_ / allowed_position_;
  }  // the same in units of what is allowed
  Extended dense(double s) const {
    if (s == 0.0) return y0_;
    if (s == 1.0) return y1_;
    return read(s * h_);
  }
  static State states(const Extended& y) { return {y[0], y[1]}; }

 private:
  void begin(double t, const Extended& y, const Mode& mode) {
    y0_ = y;
    x_[0] = y[0];
    system_.mechanism().expand_drive(t, mode.piece, drive_);
  }

  // How many terms of the law count over a time, by the first terms of the motion.
  int terms_within(double time) const {
    const double far = time * (std::abs(x_[1]) + time * (std::abs(x_[2]) + time * std::abs(x_[3])));
    const double reach = std::min(far, way_);
    int count = 2;
    double power = reach * reach;
    for (int j = 2; j < law_.terms; ++j, power *= reach)
      if (std::abs(law_.coefficient[j]) * power > allowed_force_) count = j + 1;
    return count;
  }

  // Where the body creeps after a slow drive, and how it rings about that is less than what is
  // allowed, the ringing is brought to zero within the step by a cubic and not followed. The slow
  // motion is the series whose acceleration is small beside its spring forces,
  //   (spring + F_1) x_k = drive_k - sum_j F_j p_jk - (k + 1)(k + 2) mass x_(k+2)
  // solved by repetition. Returns the length of the step, 0 if the body does not creep.
  double settled(double longest, double stiffness) {
    constexpr int last = 8;
    constexpr double small = 0.3;
    const double mass = system_.mechanism().mass, v = x_[1], net = 2.0 * mass * x_[2];
    if (!(stiffness > 0.0) || std::abs(net) > stiffness * small * allowed_position_ ||
        std::abs(v - drive_[1] / stiffness) > small * allowed_velocity_)
      return 0.0;
    Coefficients slow{};
    for (int sweep = 0; sweep < 3; ++sweep) {
      std::array<std::array<double, 5>, last + 1> powers{};
      for (int k = 1; k <= last; ++k) {
        double force = mass * (k + 1) * (k + 2) * slow[k + 2];
        for (int m = 1; m < k; ++m)
          for (int l = 0; l < 4; ++l) powers[k][l + 1] += slow[k - m] * powers[m][l];
        for (int l = 1; l < 5; ++l) force += law_.coefficient[l + 1] * powers[k][l];
        powers[k][0] = slow[k] = (drive_[k] - force) / stiffness;
      }
    }
    const double ahead = (net - 2.0 * mass * slow[2]) / stiffness, faster = v - slow[1];
    if (!(std::abs(ahead) <= small * allowed_position_ &&
          std::abs(faster) <= small * allowed_velocity_ && direction_ * slow[1] > 0.0))
      return 0.0;
    // The cubic lags by 4/27 of the way the difference in velocity would make.
    longest = std::min(longest, 6.75 * small * allowed_position_ / std::abs(faster));
    // As long as the last two terms allow, but it must be worth it.
    order_ = last;
    std::swap(x_, slow);
    last_power_ = std::pow(longest, last);
    excess(longest);
    const double h = shortened(longest);
    if (square(h) * stiffness < 100.0 * mass) {
      std::swap(x_, slow);
      return 0.0;
    }
    x_[0] = slow[0];
    x_[1] = v;
    // From where the body is, `ahead` behind the slow motion, onto it with its velocity.
    x_[2] += (3.0 * ahead / h - 2.0 * faster) / h;
    x_[3] += (faster - 2.0 * ahead / h) / (h * h);
    return h;
  }

  // The coefficients from the fourth on. Row k of `powers` holds p_1k, p_2k ..., in Lanes numbers
  // for which the sums run side by side.
  template <int Lanes>
  void grow(double longest, double per_mass, double stiffness) {
    using Row = std::array<double, Lanes + 1>;
    std::array<Row, highest + 1> powers;
    powers[1] = {};
    powers[1][0] = x_[1];
    double at_longest = longest * longest * longest;
    int k = 2;
    for (; k + 2 <= highest; ++k) {
      double force = stiffness * x_[k];
      if constexpr (Lanes > 0) {
        std::array<double, Lanes> sum{}, other{};
        int m = 1;
        for (; m + 1 < k; m += 2)
          for (int l = 0; l < Lanes; ++l) {
            sum[l] += x_[k - m] * powers[m][l];
            other[l] += x_[k - m - 1] * powers[m + 1][l];
          }
        if (m < k)
          for (int l = 0; l < Lanes; ++l) sum[l] += x_[k - m] * powers[m][l];
        powers[k][0] = x_[k];
        for (int l = 0; l < Lanes; ++l) powers[k][l + 1] = sum[l] + other[l];
        for (int l = 0; l < Lanes; ++l) force += law_.coefficient[l + 2] * powers[k][l + 1];
      }
      x_[k + 2] = per_mass * (drive_[k] - force) * inverse[k + 1] * inverse[k + 2];
      at_longest *= longest;
      if ((k + 2) % 4 == 0) {
        order_ = k + 2;
        last_power_ = at_longest;
        if (excess(longest) <= 1.0) break;
      }
    }
  }
  // The last two terms at the given length, whose power `order` is known, in units of a tenth of
  // what is allowed, since those left out add up.
  double excess(double h) {
    const double unit =
        10.0 * last_power_ * std::max(1.0 / allowed_position_, order_ / (h * allowed_velocity_));
    last_ = std::abs(x_[order_]) * unit;
    before_ = std::abs(x_[order_ - 1]) * unit / h;
    return std::max(last_, before_);
  }
  double shortened(double h) const {
    if (!limited() && !std::isnan(last_)) return h;
    return 0.95 * h *
           std::min(std::pow(last_, -1.0 / (order_ - 1)), std::pow(before_, -1.0 / (order_ - 2)));
  }

  Extended read(double s) const {
    const Moved m = moved(s);
    double work = 0.0, taken = 0.0;
    for (int k = order_ - 1; k >= 0; --k) work = (work + work_[k]) * s;
    for (int j = law_.terms - 1; j >= 0; --j)
      taken = (taken + law_.coefficient[j] * inverse[j + 1]) * m.displacement;
    return {y0_[0] + m.displacement, m.velocity, y0_[2] + work, y0_[3] + taken, y0_[4] + taken};
  }

  static constexpr auto inverse = [] {
    std::array<double, highest + 2> all{};
    for (std::size_t k = 1; k < all.size(); ++k) all[k] = 1.0 / double(k);
    return all;
  }();

  const Sys& system_;
  double allowed_position_, allowed_velocity_, allowed_force_;
  Expansion law_;
  double way_ = 0.0, h_ = 0.0, error_ = 0.0, last_ = 0.0, before_ = 0.0, last_power_ = 0.0;
  bool ends_piece_ = false;
  Coefficients drive_{};
  std::array<double, highest> work_{};
  Extended y0_{}, y1_{};
};

}  // namespace bristle
