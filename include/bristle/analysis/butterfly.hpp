// SPDX-License-Identifier: MIT
// Butterfly loops: closed curves whose lobes are traversed in opposite directions.
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
  std::vector<double> places;  // places in the theorem: the crossing, the extremes
};

// A piecewise monotone curve under a unimodal map whose extreme lies inside gives a butterfly.
Theorem theorem_5_3_1(const ClosedCurve& curve, const UnimodalMap& map);
// A butterfly made by a valley has exactly two minima, which are equal; by a peak, two maxima.
Theorem theorem_5_3_2(const ClosedCurve& curve, const UnimodalMap& map);
// A butterfly with two equal extremes, monotone between them and its ends, unfolds into a simple
// loop. `tolerance` is what "equal" and "monotone" allow, as a part of the height.
Theorem theorem_5_3_3(const LoopBranches& butterfly, bool valley, double tolerance = 0.01);
// The same with its conclusion: the loops that `map` unfolds the butterfly into, one rising and one
// falling, are simple, monotone, of opposite orientation, and fold into the butterfly again.
Theorem theorem_5_3_3(const LoopBranches& butterfly, const UnimodalMap& map,
                      double tolerance = 0.01);

bool left_right_symmetric(const ClosedCurve& curve, double tolerance = 1e-9);
bool up_down_symmetric(const ClosedCurve& curve, double tolerance = 1e-9);

// What unimodal maps make of a curve: `tried` of them, valleys and peaks with their extreme
// anywhere inside the curve and sides of straight pieces of random slope. The draw is fixed.
struct FoldCount {
  int tried = 0, butterflies = 0, multibutterflies = 0;
  double centre = 0.0;  // of the first map that gave a butterfly
};
FoldCount try_maps(const ClosedCurve& curve, int maps = 200);

// A curve with left-right symmetry never gives a butterfly, and one with up-down symmetry does not
// if it ends in a point on both sides. Both are tested on the maps of try_maps; `places` then has
// the extreme of one that contradicts them.
Theorem proposition_5_3_1(const ClosedCurve& curve, int maps = 200);
Theorem proposition_5_3_2(const ClosedCurve& curve, int maps = 200);

// The image of a curve as a loop: its lower side on the way up, its upper side on the way down.
LoopBranches folded_loop(const ClosedCurve& curve, const UnimodalMap& map, int points = 2000);

struct Unfolded {
  std::vector<double> x, y;  // one period: up, then down
  double extreme_gap = 0.0;  // difference of the two extremes, over the height
  double jump = 0.0;         // largest jump of y where the ways pass the centre
};
// The simple loop that folds into the butterfly: (5.4)-(5.7) if it is to rise with x, (5.8)-(5.11)
// if it is to fall. Throws InvalidInput with the hypothesis of theorem 5.3.3 that fails.
Unfolded unfold(const LoopBranches& butterfly, const UnimodalMap& map, bool rising = true,
                double tolerance = 0.01);
// The quadratic maps of the two ways of a butterfly with unequal extremes, a y^2 + b: (5.19) for
// the way up with the given a, (5.22) for the way down; b is the extreme of each way, and the maps
// meet at the end of the butterfly that is further from the extremes.
struct TwoQuadratics {
  double a_up = 1.0, b_up = 0.0, a_down = 1.0, b_down = 0.0;

  UnimodalMap up() const { return UnimodalMap::quadratic(a_up, b_up); }
  UnimodalMap down() const { return UnimodalMap::quadratic(a_down, b_down); }
};
TwoQuadratics closing_maps(const LoopBranches& butterfly, double a);

// The butterfly unfolded by these maps, so that unequal extremes leave no jump.
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
