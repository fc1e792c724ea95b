// SPDX-License-Identifier: MIT
// The discontinuous rotating bristle model (DRBM): a body over a row of pivoting bristles, each
// suddenly released when the corner has passed it.
//
//   F = sign(v) sum_i g(u_i),   g(u) = (kappa / h) theta cos^2 theta,  theta = atan(u / h)
//
// u_i is how far the leading corner is beyond the base of bristle i; those with 0 <= u_i < reach
// push, reach = sqrt(l^2 - h^2) if not given. At rest any force between those of the two
// directions. kappa pivot_stiffness, h height, l bristle_length. As the body turns round all
// bristles flip at once: that is the discontinuity. The mean force in slow sliding is kappa
// theta_max^2 / (2 spacing) exactly; with row = "continuum" the force is that mean, off by at most
// half of the release of one bristle. Shows true stick, stick-slip, hysteresis by position. Does
// not show: presliding, Stribeck effect. Source: thesis (3.13)-(3.21).
#pragma once

#include <algorithm>
#include <array>

#include "bristle/model/model.hpp"
#include "bristle/model/pivot.hpp"
#include "bristle/model/row.hpp"

namespace bristle {

// A row with all that follows from its parameters computed once.
template <class T>
struct PivotRow {
  Pivot<T> pivot;
  T spacing, release_energy, mean;
  Row row;
  bool continuum;

  template <class S, class V>
  S sliding(const Motion<S>& motion, const Branch<V>& branch) const {
    if (continuum) return branch.direction * S(mean);
    return branch.direction * push(motion.position, branch.direction, branch.cell);
  }
  template <class S>
  Interval<S> limits(const Motion<S>& motion) const {
    if (continuum) return {S(-mean), S(mean)};
    const double x = value_of(motion.position);
    return {S(-push(motion.position, -1.0, row.cell(x, -1.0))),
            S(push(motion.position, 1.0, row.cell(x, 1.0)))};
  }
  template <class S>
  double cell(const S&, const Motion<S>& motion, double direction) const {
    return continuum ? 0.0 : row.cell(value_of(motion.position), direction);
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
  double released(const Branch<double>& branch) const {
    return row.releases(branch.cell) ? double(value_of(release_energy)) : 0.0;
  }
  Expansion expand(double position, const Branch<double>& branch, double allowed) const {
    Expansion out;
    const double direction = branch.direction;
    if (continuum) {
      out.coefficient[0] = direction * value_of(mean);
      out.end = direction * out.end;
      return out;
    }
    const double end = row.end(direction, branch.cell), way = direction * (end - position);
    const double d = value_of(spacing);
    const double newest = (row.place(position, direction) - Row::newest(branch.cell)) * d;
    out = pivot.expanded(newest, row.count(branch.cell), d, direction, way, allowed);
    for (int k = 0; k < out.terms; ++k) out.coefficient[k] *= direction;
    out.end = end;
    return out;
  }
  // The sum of the angles of the bristles that push, with the sign of the motion [rad].
  double shown(const Motion<double>& motion, double direction) const {
    const double number = row.cell(motion.position, direction);
    const double newest =
        (row.place(motion.position, direction) - Row::newest(number)) * row.spacing;
    return direction * pivot.angle_sum(newest, row.count(number), row.spacing);
  }

 private:
  // The size of the force of the bristles touched in a cell.
  template <class S>
  S push(const S& position, double direction, double cell) const {
    const S newest = (row.place(position, direction) - Row::newest(cell)) * spacing;
    return pivot.sum(newest, row.count(cell), spacing);
  }
};

template <class T = double>
struct Drbm {
  using Number = T;
  static constexpr bool by_position = true;
  static constexpr std::string_view name = "drbm";
  static constexpr std::string_view summary = "row of pivoting bristles released one by one";

  enum RowKind : int { bristles, continuum };
  static constexpr std::array<std::string_view, 2> row_kinds{"bristles", "continuum"};
  enum Gaps : int { refuse, allow };
  static constexpr std::array<std::string_view, 2> gap_rules{"refuse", "allow"};

  T pivot_stiffness = T(0.1);
  T height = T(0.0995);
  T bristle_length = T(0.1);
  T reach = T(0.0);
  T spacing = T(0.005);
  T body_length = T(0.5);
  T offset = T(0.0);
  int row = bristles;
  int gaps = refuse;

  static constexpr auto fields() {
    using L = Drbm;
    return std::array{
        Field<L>{"pivot_stiffness", "N m/rad", "stiffness of the pivot of a bristle", positive,
                 &L::pivot_stiffness},
        Field<L>{"height", "m", "height of the body above the ground", positive, &L::height},
        Field<L>{"bristle_length", "m", "length of a bristle", positive, &L::bristle_length},
        Field<L>{"reach", "m", "distance over which a bristle is touched, 0: from its length",
                 non_negative, &L::reach},
        Field<L>{"spacing", "m", "distance between the bases of bristles", positive, &L::spacing},
        Field<L>{"body_length", "m", "length of the body", positive, &L::body_length},
        Field<L>{"offset", "m", "base of one of the bristles", any_number, &L::offset},
        Field<L>{"row", "the bristles one by one, or their mean", row_kinds, &L::row},
        Field<L>{"gaps", "whether the body may stand between two bristles and touch none",
                 gap_rules, &L::gaps}};
  }
  void check() const {
    const auto number = [](const T& x) { return words(double(value_of(x))) + " m"; };
    if (!(value_of(reach) > 0.0) && !(value_of(height) < value_of(bristle_length)))
      throw InvalidInput("height",
                         std::string(name) + ": height = " + number(height) +
                             " must be less than bristle_length = " + number(bristle_length));
    if (gaps == refuse && !(value_of(spacing) < value_of(touch())))
      throw InvalidInput("spacing", std::string(name) + ": spacing = " + number(spacing) +
                                        " must be less than the reach of a bristle, " +
                                        number(touch()) + ", unless gaps = \"allow\"");
    const auto size = [](const T& x) { return std::abs(double(value_of(x))); };
    check_row(name, size(spacing), std::max({size(touch()), size(body_length), size(offset)}));
    // The angle is a right angle to rounding long before that.
    if (!(size(touch()) <= 1e100 * size(height)))
      throw InvalidInput("height", std::string(name) + ": height = " + number(height) +
                                       " must be at least 1e-100 of the reach of a bristle, " +
                                       number(touch()));
  }

  // How far a bristle is touched, and how far it leans then.
  T touch() const {
    return value_of(reach) > 0.0 ? reach
                                 : T(sqrt(bristle_length * bristle_length - height * height));
  }
  T largest_angle() const { return atan(T(touch() / height)); }
  T release_energy() const { return 0.5 * pivot_stiffness * square(largest_angle()); }

  T force_scale() const { return release_energy() / spacing; }

  PivotRow<T> prepared() const {
    const double d = double(value_of(spacing));
    return {{pivot_stiffness, height},
            spacing,
            release_energy(),
            T(release_energy() / spacing),
            Row{d, double(value_of(touch())), 0.5 * double(value_of(body_length)),
                double(value_of(offset))},
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
  double released(const Branch<double>& branch) const { return prepared().released(branch); }
  Expansion expand(double position, const Branch<double>& branch, double allowed) const {
    return prepared().expand(position, branch, allowed);
  }
  double shown(const Motion<double>& motion, double direction) const {
    return prepared().shown(motion, direction);
  }
};

}  // namespace bristle
