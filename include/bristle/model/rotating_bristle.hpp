// SPDX-License-Identifier: MIT
// The rotating bristle model: a body over a row of pivoting bristles, each of which knows its side.
//
//   F = sum_right g(x + d/2 - x_i) + sum_left g(x - d/2 - x_i),   g(u) = (kappa / h) theta cos^2
//   theta
//
// x_i is the base of bristle i, theta = atan(u / h) its angle, d body_length. A corner that reaches
// an upright bristle bends it, up to the angle at which it slips under the bottom of the body;
// there it stays, leaning, until the corner comes back and takes it up again, or the other corner
// passes and sets it free with all its energy. So no energy is lost but by releases, the force is
// continuous as the velocity changes sign, and what the row does depends on where the body has
// been.
//
// bookkeeping = "table" is thesis Table 3.1 to the letter: as the body turns round, every bristle
// under it is taken to lean the way it last moved. That is not so when it turned round within its
// own length before, and creates energy there. Source: thesis (3.1)-(3.9), Tables 3.1 and 3.2.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "bristle/model/model.hpp"
#include "bristle/model/pivot.hpp"
#include "bristle/model/row.hpp"

namespace bristle {

template <class T = double>
struct RotatingBristle {
  using Number = T;
  static constexpr std::string_view name = "rotating_bristle";
  static constexpr std::string_view summary = "row of pivoting bristles that remember their side";

  enum Bookkeeping : int { bristles, table };
  static constexpr std::array<std::string_view, 2> bookkeepings{"bristles", "table"};
  enum Start : int { upright, leaning_right, leaning_left };
  static constexpr std::array<std::string_view, 3> starts{"upright", "leaning_right",
                                                          "leaning_left"};

  T pivot_stiffness = T(0.5);
  T height = T(0.098);
  T bristle_length = T(0.1);
  T spacing = T(0.01);
  T body_length = T(1.0);
  T offset = T(0.0);
  int bookkeeping = bristles;
  int start = upright;

  static constexpr auto fields() {
    using L = RotatingBristle;
    return std::array{
        Field<L>{"pivot_stiffness", "N m/rad", "stiffness of the pivot of a bristle", positive,
                 &L::pivot_stiffness},
        Field<L>{"height", "m", "height of the body above the ground", positive, &L::height},
        Field<L>{"bristle_length", "m", "length of a bristle", positive, &L::bristle_length},
        Field<L>{"spacing", "m", "distance between the bases of bristles", positive, &L::spacing},
        Field<L>{"body_length", "m", "length of the body", positive, &L::body_length},
        Field<L>{"offset", "m", "base of one of the bristles", any_number, &L::offset},
        Field<L>{"bookkeeping", "each bristle knows its side, or Table 3.1 to the letter",
                 bookkeepings, &L::bookkeeping},
        Field<L>{"start", "the bristles under the body at the start", starts, &L::start}};
  }
  void check() const {
    const auto number = [](const T& x) { return words(double(value_of(x))) + " m"; };
    if (!(value_of(height) < value_of(bristle_length)))
      throw InvalidInput("height",
                         std::string(name) + ": height = " + number(height) +
                             " must be less than bristle_length = " + number(bristle_length));
    if (!(value_of(spacing) < value_of(touch())))
      throw InvalidInput("spacing", std::string(name) + ": spacing = " + number(spacing) +
                                        " must be less than the reach of a bristle, " +
                                        number(touch()));
    if (!(value_of(body_length) > 2.0 * value_of(touch())))
      throw InvalidInput("body_length",
                         std::string(name) + ": body_length = " + number(body_length) +
                             " must be more than twice the reach of a bristle, " + number(touch()));
    check_row(name, double(value_of(spacing)),
              std::max(double(value_of(body_length)), std::abs(double(value_of(offset)))));
  }

  T touch() const { return sqrt(T(bristle_length * bristle_length - height * height)); }
  T release_energy() const { return Pivot<T>{pivot_stiffness, height}.energy(touch()); }

  template <class S>
  Response<S> respond(const S&, const Motion<S>& motion, const Branch<double>& branch) const {
    return {S(0.0), force(motion.position, branch.contacts), S(0.0)};
  }
  // Those touched by a corner by their angle, those under the bottom with the largest one.
  double stored(double, const Motion<double>& motion, const Branch<double>& branch) const {
    const Contacts& c = branch.contacts;
    const Pivot<double> one{double(value_of(pivot_stiffness)), double(value_of(height))};
    double total = double(value_of(release_energy())) *
                   double((c.left_end - c.left_touch) + (c.right_touch - c.right_begin));
    const double half = 0.5 * double(value_of(body_length)), x = motion.position;
    const double distance = double(value_of(spacing));
    if (c.left_touch > c.first)
      total += one.energy_sum(base(c.first) - (x - half), double(c.left_touch - c.first), distance);
    if (c.end > c.right_touch)
      total += one.energy_sum(x + half - base(c.end - 1), double(c.end - c.right_touch), distance);
    return total;
  }
  double stored(double, const Motion<double>&) const { return 0.0; }
  // The mean force of steady sliding.
  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& branch) const {
    return branch.direction * S(release_energy() / spacing);
  }
  T state_scale() const { return T(1.0); }
  T force_scale() const { return release_energy() / spacing; }

  Branch<double> engage(const Motion<double>& motion, double direction,
                        const Branch<double>& before) const {
    Branch<double> now = before;
    now.direction = direction;
    if (!before.contacts.known) now.contacts = at_start(motion.position);
    else if (bookkeeping == table && direction * before.direction < 0.0)
      now.contacts = swept(motion.position, before.direction);
    return now;
  }
  // The distance to the next change of the row along the motion, in units of the spacing.
  template <class S>
  S margin(const S&, const Motion<S>& motion, const Branch<double>& branch) const {
    if (branch.direction == 0.0) return S(1.0);
    const double x = event(branch).position;
    return branch.direction * (x - motion.position) / spacing;
  }
  Branch<double> crossed(const Branch<double>& branch) const {
    Branch<double> next = branch;
    next.contacts = event(branch).after;
    return next;
  }
  double released(const Branch<double>& branch) const { return event(branch).energy; }

 private:
  struct Change {
    double position;  // of the body [m]
    Contacts after;
    double energy;  // set free [J]
  };

  double base(long i) const {
    return double(value_of(offset)) + double(i) * double(value_of(spacing));
  }
  // The first bristle at or after a place, and the first after it; within rounding is at.
  long from(double place) const { return long(std::ceil(number(place) - 1e-9)); }
  long after(double place) const { return long(std::floor(number(place) + 1e-9)) + 1; }
  // Held to what can be counted: places further away, or not numbers, belong to runs that fail.
  double number(double place) const {
    const double n = (place - double(value_of(offset))) / double(value_of(spacing));
    return n == n ? std::clamp(n, -9e15, 9e15) : 0.0;
  }

  template <class S>
  S force(const S& x, const Contacts& c) const {
    const Pivot<T> one{pivot_stiffness, height};
    const S half(0.5 * body_length);
    S total(0.0);
    if (c.end > c.right_touch)
      total = one.sum(S(x + half - base(c.end - 1)), double(c.end - c.right_touch), spacing);
    if (c.left_touch > c.first)
      total =
          total - one.sum(S(base(c.first) - (x - half)), double(c.left_touch - c.first), spacing);
    return total;
  }

  Contacts at_start(double x) const {
    if (start != upright) return swept(x, start == leaning_right ? 1.0 : -1.0);
    const double half = 0.5 * double(value_of(body_length));
    const long left = from(x - half), end = after(x + half);
    return {left, left, end, end, left, end, true};
  }

  // Table 3.1: every bristle under the body leans the way the body came.
  Contacts swept(double x, double direction) const {
    const double half = 0.5 * double(value_of(body_length)), d0 = double(value_of(touch()));
    if (direction > 0.0) {
      const long first = after(x - half - d0);
      return {first, first, first, after(x + half), first, after(x + half - d0), true};
    }
    const long end = from(x + half + d0);
    return {from(x - half), end, end, end, from(x - half + d0), end, true};
  }

  // What happens next along the motion, and where.
  Change event(const Branch<double>& branch) const {
    const double half = 0.5 * double(value_of(body_length)), d0 = double(value_of(touch()));
    const Contacts& c = branch.contacts;
    Change best{branch.direction * std::numeric_limits<double>::infinity(), c, 0.0};
    const auto offer = [&](double x, Contacts after, double energy = 0.0) {
      if (branch.direction * (x - best.position) < 0.0) best = {x, after, energy};
    };
    const double all = double(value_of(release_energy()));
    Contacts n = c;
    if (branch.direction > 0.0) {
      ++n.end, offer(base(c.end) - half, n);  // the right corner meets one
      n = c;
      if (c.right_touch < c.end)  // one slips under the bottom
        ++n.right_touch, offer(base(c.right_touch) + d0 - half, n);
      n = c;
      if (c.left_touch < c.left_end)  // one comes out at the left
        ++n.left_touch, offer(base(c.left_touch) - d0 + half, n);
      n = c;
      ++n.first, n.left_touch = std::max(n.left_touch, n.first);
      n.left_end = std::max(n.left_end, n.first);
      n.right_begin = std::max(n.right_begin, n.first);
      if (c.first < c.left_touch || (c.first == c.left_end && c.first < c.right_begin))
        offer(base(c.first) + half, n);  // one stands upright again
      else if (c.first == c.right_begin && c.first < c.right_touch)
        offer(base(c.first) + d0 + half, n, all);  // one is released
    } else {
      --n.first, offer(base(c.first - 1) + half, n);
      n = c;
      if (c.left_touch > c.first) --n.left_touch, offer(base(c.left_touch - 1) - d0 + half, n);
      n = c;
      if (c.right_touch > c.right_begin)
        --n.right_touch, offer(base(c.right_touch - 1) + d0 - half, n);
      n = c;
      --n.end, n.right_touch = std::min(n.right_touch, n.end);
      n.right_begin = std::min(n.right_begin, n.end);
      n.left_end = std::min(n.left_end, n.end);
      if (c.end > c.right_touch || (c.end == c.right_begin && c.end > c.left_end))
        offer(base(c.end - 1) - half, n);
      else if (c.end == c.left_end && c.end > c.left_touch)
        offer(base(c.end - 1) - d0 - half, n, all);
    }
    return best;
  }
};

}  // namespace bristle
