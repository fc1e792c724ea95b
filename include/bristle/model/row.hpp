// SPDX-License-Identifier: MIT
// Which bristles of an endless row stand before the leading edge of a body.
//
// Bristles have their bases at offset + i * spacing. The edge is at `lead` ahead of the position of
// the body, and a bristle is touched from where the edge reaches its base until the edge is `reach`
// beyond it. Counted along the motion, with s the place of the edge in units of the spacing, the
// bristles touched are those with s - reach / spacing < i <= s. Going on, bristles come in where s
// is whole and leave where s - reach / spacing is, so a cell between two such places has two kinds:
// with the oldest bristle still there (even) and without it (odd).
//
// Moving backward is the mirror image: s is counted along the motion there too.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "bristle/model/field.hpp"

namespace bristle {

// Refuses a spacing so fine that bristles along a length cannot be distinguished: beyond 1e12 of
// them the rounding of a place is no longer a small part of the spacing.
inline void check_row(std::string_view law, double spacing, double length) {
  const double count = length / spacing;
  if (count <= 1e12) return;
  throw InvalidInput("spacing", std::string(law) + ": spacing = " + words(spacing) + " m puts " +
                                    words(count) + " bristles on a length of " + words(length) +
                                    " m, it must leave at most 1e12, so at least " +
                                    words(1e-12 * length) + " m");
}

struct Row {
  // Places are distinguished to this part of a spacing; nearer than that they are one.
  static constexpr double snap = 1e-9;

  double spacing, per_spacing, lead, offset;
  double whole;  // reach / spacing without its fraction
  double part;   // that fraction, 0 if bristles come and leave at the same places

  Row(double spacing_, double reach, double lead_, double offset_)
      : spacing(spacing_), per_spacing(1.0 / spacing_), lead(lead_), offset(offset_) {
    const double ratio = reach / spacing;
    whole = std::floor(ratio + snap);
    part = ratio - whole > snap ? ratio - whole : 0.0;
  }

  template <class S>
  S place(const S& position, double direction) const {
    return (direction * (position - offset) + lead) * per_spacing;
  }

  double cell(double position, double direction) const {
    const double s = place(position, direction);
    const double newest = std::floor(s + snap);
    return 2.0 * newest + (s - newest >= part - snap ? 1.0 : 0.0);
  }
  static double newest(double cell) { return std::floor(0.5 * cell); }
  static bool odd(double cell) { return cell - 2.0 * newest(cell) > 0.5; }
  // How many bristles are touched in a cell.
  double count(double cell) const { return whole + (odd(cell) ? 0.0 : 1.0); }
  // How far the end of the cell is ahead, in units of the spacing.
  template <class S>
  S margin(const S& position, double direction, double cell) const {
    return newest(cell) + (odd(cell) ? 1.0 : part) - place(position, direction);
  }
  // The position of the body there.
  double end(double direction, double cell) const {
    return offset + direction * ((newest(cell) + (odd(cell) ? 1.0 : part)) * spacing - lead);
  }
  double next(double cell) const { return cell + (part == 0.0 ? 2.0 : 1.0); }
  // True if a bristle leaves at the end of the cell.
  bool releases(double cell) const { return part == 0.0 || !odd(cell); }
};

}  // namespace bristle
