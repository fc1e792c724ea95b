// SPDX-License-Identifier: MIT
// The compressed bristle model: a body with a slanted front over a row of upright springs.
//
//   F = sign(v) k cos(a) sum_i (h0 - h_i),   h_i = y - w/2 + (w / d1) (x_i - (x + d/2 - d1))
//   forward
//
// k bristle_stiffness, a slant, h0 relaxed_length, y height of the midline, w thickness, d
// body_length, d1 = w tan(a) the length of the slant; the sum goes over the bristles under the
// slant, x + d/2 - d1 <= x_i <= x + d/2, and is taken in closed form. Backward is the mirror image:
// the body turns its slant to where it goes. At rest any force between those of the two directions.
// The height is free (the bristles carry the body, bottom_bristles of them under its flat part) or
// given as a sine of time. With row = "continuum" the force is the mean k n cos(a) (h0 - y), n = d1
// / spacing. Shows true stick, stick-slip, hysteresis, and a force-velocity loop because the body
// rises as it speeds up. Valid for 0 <= y <= h0. Source: compressed bristle model (1)-(25),
// (48)-(49), (67).
#pragma once

#include <algorithm>
#include <array>

#include "bristle/model/lift.hpp"
#include "bristle/model/model.hpp"
#include "bristle/model/row.hpp"

namespace bristle {

// A row with all that follows from its parameters computed once.
template <class T>
struct SlantRow {
  T scale, rise, spacing, relaxed_length, half_thickness, count;
  Row row;
  bool continuum;

  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    return branch.direction * push(motion, branch.direction, branch.cell);
  }
  template <class S>
  Interval<S> limits(const Motion<S>& motion) const {
    const double x = value_of(motion.position);
    return {S(-push(motion, -1.0, number(x, -1.0))), S(push(motion, 1.0, number(x, 1.0)))};
  }
  template <class S>
  double cell(const S&, const Motion<S>& motion, double direction) const {
    return number(value_of(motion.position), direction);
  }
  template <class S>
  S margin(const S&, const Motion<S>& motion, const Branch<double>& branch) const {
    if (continuum) return S(1.0);
    return row.margin(motion.position, branch.direction, branch.cell);
  }
  Branch<double> crossed(Branch<double> branch) const {
    branch.cell = row.next(branch.cell);
    return branch;
  }

 private:
  double number(double position, double direction) const {
    return continuum ? 0.0 : row.cell(position, direction);
  }
  // The size of the force: a sum of terms that are linear in the number of the bristle.
  template <class S>
  S push(const Motion<S>& motion, double direction, double cell) const {
    if (continuum) return scale * count * (relaxed_length - motion.height);
    const double n = row.count(cell);
    // How far the newest bristle is from the edge, and the mean distance of all from it.
    const S newest = (row.place(motion.position, direction) - Row::newest(cell)) * spacing;
    const S mean = newest + 0.5 * (n - 1.0) * spacing;
    return scale * n * (relaxed_length - motion.height - half_thickness + mean * rise);
  }
};

template <class T = double>
struct CompressedBristle {
  using Number = T;
  static constexpr bool by_position = true;
  static constexpr std::string_view name = "compressed_bristle";
  static constexpr std::string_view summary = "row of upright springs under a slanted, lifted body";

  enum RowKind : int { bristles, continuum };
  static constexpr std::array<std::string_view, 2> row_kinds{"bristles", "continuum"};
  enum Height : int { free, prescribed };
  static constexpr std::array<std::string_view, 2> heights{"free", "prescribed"};

  T bristle_stiffness = T(0.01);
  T relaxed_length = T(1.65);
  T spacing = T(0.0035);
  T bottom_bristles = T(500.0);
  T body_length = T(2.0);
  T thickness = T(1.0);
  T slant = T(0.26179938779914943654);
  T offset = T(0.0);
  T gravity = T(10.0);
  int height = free;
  T height_amplitude = T(0.0);
  T height_frequency = T(1.0);
  int row = bristles;

  static constexpr auto fields() {
    using L = CompressedBristle;
    return std::array{
        Field<L>{"bristle_stiffness", "N/m", "stiffness of a bristle", positive,
                 &L::bristle_stiffness},
        Field<L>{"relaxed_length", "m", "length of a bristle without load", positive,
                 &L::relaxed_length},
        Field<L>{"spacing", "m", "distance between bristles", positive, &L::spacing},
        Field<L>{"bottom_bristles", "", "number of bristles under the flat bottom", positive,
                 &L::bottom_bristles},
        Field<L>{"body_length", "m", "length of the body", positive, &L::body_length},
        Field<L>{"thickness", "m", "thickness of the body", positive, &L::thickness},
        Field<L>{"slant", "rad", "angle of the front from the vertical", Bounds{0.0, 1.5707, true},
                 &L::slant},
        Field<L>{"offset", "m", "place of one of the bristles", any_number, &L::offset},
        Field<L>{"gravity", "m/s2", "acceleration of gravity", non_negative, &L::gravity},
        Field<L>{"height", "free to move, or a sine of time", heights, &L::height},
        Field<L>{"height_amplitude", "m", "amplitude of the prescribed height", non_negative,
                 &L::height_amplitude},
        Field<L>{"height_frequency", "rad/s", "frequency of the prescribed height", positive,
                 &L::height_frequency},
        Field<L>{"row", "the bristles one by one, or their mean", row_kinds, &L::row}};
  }
  void check() const {
    const auto number = [](const T& x) { return words(double(value_of(x))) + " m"; };
    if (!(value_of(slant_length()) < value_of(body_length)))
      throw InvalidInput("slant",
                         std::string(name) + ": the slant takes " + number(slant_length()) +
                             ", it must be shorter than body_length = " + number(body_length));
    if (!(value_of(spacing) < value_of(slant_length())))
      throw InvalidInput("spacing", std::string(name) + ": spacing = " + number(spacing) +
                                        " must be less than the length of the slant, " +
                                        number(slant_length()));
    check_row(name, double(value_of(spacing)),
              std::max(double(value_of(body_length)), std::abs(double(value_of(offset)))));
    if (height == prescribed && !(value_of(height_amplitude) <= value_of(relaxed_length)))
      throw InvalidInput("height_amplitude",
                         std::string(name) + ": height_amplitude = " + number(height_amplitude) +
                             " must be at most relaxed_length = " + number(relaxed_length));
  }

  T slant_length() const { return thickness * sin(slant) / cos(slant); }

  T force_scale() const {
    return bristle_stiffness * cos(slant) * (slant_length() / spacing) * relaxed_length;
  }

  SlantRow<T> prepared() const {
    return {bristle_stiffness * cos(slant),
            T(thickness / slant_length()),
            spacing,
            relaxed_length,
            0.5 * thickness,
            T(slant_length() / spacing),
            Row{double(value_of(spacing)), double(value_of(slant_length())),
                0.5 * double(value_of(body_length)), double(value_of(offset))},
            row == continuum};
  }
  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    return prepared().sliding(motion, branch);
  }
  template <class S>
  Interval<S> limits(const Motion<S>& motion) const {
    return prepared().limits(motion);
  }
  template <class S>
  double cell(const S& z, const Motion<S>& motion, double direction) const {
    return prepared().cell(z, motion, direction);
  }
  template <class S>
  S margin(const S& z, const Motion<S>& motion, const Branch<double>& branch) const {
    return prepared().margin(z, motion, branch);
  }
  Branch<double> crossed(const Branch<double>& branch) const { return prepared().crossed(branch); }

  Lift lift() const {
    const auto d = [](const T& x) { return double(value_of(x)); };
    return {d(T(sin(slant) / cos(slant))),
            d(bottom_bristles * bristle_stiffness),
            d(relaxed_length + 0.5 * thickness),
            d(relaxed_length),
            d(gravity),
            height == prescribed,
            d(height_amplitude),
            d(height_frequency)};
  }
};

}  // namespace bristle
