// SPDX-License-Identifier: MIT
// Butterflies: closed curves whose lobes are run through in opposite directions.
//
// A unimodal map of the output folds a simple loop. What comes out is degenerate, a chain of loops
// of one orientation, a butterfly, or a multibutterfly, depending on where the two ways of the loop
// have the same image. The theorems of the thesis say when; here they are functions that check
// their hypotheses, say which one fails and verify their conclusion. A butterfly with two equal
// extremes is unfolded into a simple loop again. Source: thesis chapter V.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bristle/analysis/branches.hpp"
#include "bristle/analysis/unimodal.hpp"

namespace bristle {

// A simple closed curve by its lower and upper side over [x0, x1].
struct ClosedCurve {
  double x0 = -1.0, x1 = 1.0;
  std::function<double(double)> lower, upper;

  static ClosedCurve ellipse(double width = 1.0, double height = 1.0, double slope = 0.0);
  static ClosedCurve points(std::vector<double> x, std::vector<double> lower,
                            std::vector<double> upper);
  static ClosedCurve of(const LoopBranches& loop);
};

enum class CurveKind { simple, degenerate, loops, butterfly, multibutterfly };
std::string_view words(CurveKind kind);

// One loop of the image.
struct Lobe {
  double from = 0.0, to = 0.0;  // in x
  double area = 0.0;            // integral of f(upper) - f(lower) over it
};

struct FoldedCurve {
  CurveKind kind = CurveKind::simple;
  std::vector<Lobe> lobes;
};
FoldedCurve fold(const ClosedCurve& curve, const UnimodalMap& map);

// Of a loop as it was measured: its lobes are those between the crossings of its two ways. Lobes of
// less than `smallest` of the whole area belong to their neighbours: noise, or ways that coincide.
FoldedCurve classify(const LoopBranches& loop, double smallest = 0.01);

// Whether a theorem applies, and whether what it says is so.
struct Theorem {
  bool applies = false;
  std::string why;  // the hypothesis that fails; empty if none does
  bool true_here = false;
  std::vector<double> places;  // what the theorem speaks of: the crossing, the extremes
};

// A piecewise monotone curve under a unimodal map whose extreme lies inside gives a butterfly.
Theorem theorem_5_3_1(const ClosedCurve& curve, const UnimodalMap& map);
// A butterfly made by a valley has exactly two minima, which are equal; by a peak, two maxima.
Theorem theorem_5_3_2(const ClosedCurve& curve, const UnimodalMap& map);
// A butterfly with two equal extremes, monotone between them and its ends, unfolds into a simple
// loop. `tolerance` is what "equal" and "monotone" allow, as a part of the height.
Theorem theorem_5_3_3(const LoopBranches& butterfly, bool valley, double tolerance = 0.01);
// A curve that is the same seen in a mirror, left and right or up and down, never gives a butterfly
// (up and down: if it ends in a point on both sides). Propositions 5.3.1 and 5.3.2.
bool left_right_symmetric(const ClosedCurve& curve, double tolerance = 1e-9);
bool up_down_symmetric(const ClosedCurve& curve, double tolerance = 1e-9);

struct Unfolded {
  std::vector<double> x, y;  // one period: up, then down
  double extreme_gap = 0.0;  // difference of the two extremes, over the height
  double jump = 0.0;         // largest jump of y where the ways pass the centre
};
// The simple loop that folds into the butterfly: (5.4)-(5.7) if it is to rise with x, (5.8)-(5.11)
// if it is to fall. Throws InvalidInput with the hypothesis of theorem 5.3.3 that fails.
Unfolded unfold(const LoopBranches& butterfly, const UnimodalMap& map, bool rising = true,
                double tolerance = 0.01);
// The same with a quadratic map of its own for each way, so that unequal extremes leave no jump:
// (5.19) with (a, its own extreme) for the way up, (5.22) for the way down, closed at the larger
// end. `a` as in a (y - centre)^2.
Unfolded unfold_each(const LoopBranches& butterfly, double a, bool rising = true,
                     double tolerance = 0.1);

// The same from fields, for files.
struct CurveShape {
  using Number = double;
  static constexpr std::string_view name = "curve";
  static constexpr std::string_view summary = "simple closed curve that a unimodal map folds";
  static constexpr std::array<std::string_view, 2> shapes{"ellipse", "points"};

  int shape = 0;
  double width = 1.0;
  double height = 1.0;
  double slope = 0.0;
  std::vector<double> x{};
  std::vector<double> lower{};
  std::vector<double> upper{};

  static constexpr auto fields() {
    using F = Field<CurveShape>;
    using C = CurveShape;
    return std::array{
        F{"shape", "ellipse, sheared by slope; points: straight lines", shapes, &C::shape},
        F{"width", "", "half width of the ellipse", positive, &C::width},
        F{"height", "", "half height of the ellipse at its middle", positive, &C::height},
        F{"slope", "", "slope of its middle line", any_number, &C::slope},
        F{"x", "", "x of points, increasing", any_number, &C::x},
        F{"lower", "", "lower side at these x", any_number, &C::lower},
        F{"upper", "", "upper side at these x", any_number, &C::upper}};
  }
  void check() const { curve(); }
  ClosedCurve curve() const;
};

}  // namespace bristle
