// SPDX-License-Identifier: MIT
// The theorems of thesis chapter V as functions, and the way back from a butterfly.
#include <algorithm>
#include <cmath>

#include "curve_tools.hpp"

namespace bristle {
namespace {

using Back = std::function<double(double q, int side)>;

// (5.4)-(5.7), or (5.8)-(5.11) with the sides exchanged.
Unfolded follow(const LoopBranches& l, const Back& up, const Back& down, bool valley, bool rising) {
  Unfolded u;
  const double centre_up = l.up.extreme(valley).first, centre_down = l.down.extreme(valley).first;
  const int first = rising ? -1 : 1;
  const auto add = [&](const Branch1D& b, std::size_t i, const Back& back, double centre) {
    u.x.push_back(b.x[i]);
    u.y.push_back(back(b.y[i], b.x[i] < centre ? first : -first));
    // A jump where the branch changes sides is where it misses the extreme.
    const std::size_t n = u.y.size();
    if (n > 1 && (u.x[n - 2] < centre) != (u.x[n - 1] < centre))
      u.jump = std::max(u.jump, std::abs(u.y[n - 1] - u.y[n - 2]));
  };
  for (std::size_t i = 0; i < l.up.x.size(); ++i) add(l.up, i, up, centre_up);
  for (std::size_t i = l.down.x.size(); i-- > 0;) add(l.down, i, down, centre_down);
  u.extreme_gap =
      std::abs(l.up.extreme(valley).second - l.down.extreme(valley).second) / height_of(l);
  return u;
}

}  // namespace

Theorem theorem_5_3_1(const ClosedCurve& c, const UnimodalMap& map) {
  Theorem t;
  const Box box = box_of(c);
  const double height = box.y1 - box.y0, slack = 1e-12 * height;
  const auto pointed = [&](double x) { return c.upper(x) - c.lower(x) <= 1e-9 * height; };
  const bool rises =
      monotone(c.lower, c.x0, c.x1, 1.0, slack) && monotone(c.upper, c.x0, c.x1, 1.0, slack);
  const bool falls =
      monotone(c.lower, c.x0, c.x1, -1.0, slack) && monotone(c.upper, c.x0, c.x1, -1.0, slack);
  if (!pointed(c.x0) || !pointed(c.x1)) t.why = "the curve does not end in one point on each side";
  else if (!rises && !falls) t.why = "the curve is not piecewise monotone";
  else if (!(map.centre() > box.y0 && map.centre() < box.y1))
    t.why = "the extreme of the map at " + words(map.centre()) + " is not inside the curve, from " +
            words(box.y0) + " to " + words(box.y1);
  t.applies = t.why.empty();
  const FoldedCurve image = fold(c, map);
  t.true_here = image.kind == CurveKind::butterfly;
  if (t.true_here) t.places = {image.lobes[0].to};
  return t;
}

Theorem theorem_5_3_2(const ClosedCurve& c, const UnimodalMap& map) {
  Theorem t;
  const Box box = box_of(c);
  // Where the curve passes the height of the extreme; two such places on a curve that is passed
  // twice at every height.
  constexpr int n = 4000;
  std::vector<double> passes;
  int most = 0;
  for (int level = 1; level < 40; ++level) {
    const double y = box.y0 + (box.y1 - box.y0) * level / 40.0;
    int count = 0;
    for (const auto* side : {&c.lower, &c.upper})
      for (int i = 0; i < n; ++i) {
        const double a = (*side)(crowded(c.x0, c.x1, double(i) / n)) - y,
                     b = (*side)(crowded(c.x0, c.x1, double(i + 1) / n)) - y;
        if ((a < 0.0) != (b < 0.0)) ++count;
      }
    most = std::max(most, count);
  }
  for (const auto* side : {&c.lower, &c.upper})
    for (int i = 0; i < n; ++i) {
      double a = crowded(c.x0, c.x1, double(i) / n), b = crowded(c.x0, c.x1, double(i + 1) / n);
      const bool below = (*side)(a) < map.centre();
      if (below == ((*side)(b) < map.centre())) continue;
      for (int k = 0; k < 100; ++k) {
        const double m = 0.5 * (a + b);
        (((*side)(m) < map.centre()) == below ? a : b) = m;
      }
      passes.push_back(0.5 * (a + b));
    }
  std::sort(passes.begin(), passes.end());
  if (most > 2) t.why = "the curve is passed more than twice at some height";
  else if (fold(c, map).kind != CurveKind::butterfly) t.why = "the image is not a butterfly";
  t.applies = t.why.empty();
  t.true_here = passes.size() == 2;
  t.places = passes;
  return t;
}

Theorem theorem_5_3_3(const LoopBranches& l, bool valley, double tolerance) {
  Theorem t;
  const double height = height_of(l), slack = tolerance * height;
  const auto [xb, qb] = l.up.extreme(valley);
  const auto [xa, qa] = l.down.extreme(valley);
  t.places = {std::min(xa, xb), std::max(xa, xb)};
  const char* which = valley ? "minima" : "maxima";
  const auto inside = [&](double x) { return x > l.x0 && x < l.x1; };
  const auto sides = [&](const Branch1D& b, double centre, const char* way) {
    const auto f = [&](double x) { return b.at(x); };
    const double sign = valley ? 1.0 : -1.0;
    double where = 0.0;
    if (!monotone(f, l.x0, centre, -sign, slack, &where) ||
        !monotone(f, centre, l.x1, sign, slack, &where))
      t.why = std::string("the way ") + way + " is not monotone on both sides of its extreme, at " +
              words(where);
  };
  if (!inside(xa) || !inside(xb)) t.why = std::string("one of the two ") + which + " is at an end";
  else if (std::abs(qa - qb) > slack)
    t.why = std::string("the two ") + which + " " + words(qb) + " and " + words(qa) +
            " are not equal, they differ by " +
            words(std::round(1000.0 * std::abs(qa - qb) / height) / 10.0) + " % of the height";
  else if (xa == xb) t.why = std::string("the two ") + which + " are at the same place";
  if (t.why.empty()) sides(l.up, xb, "up");
  if (t.why.empty()) sides(l.down, xa, "down");
  t.applies = t.why.empty();
  t.true_here = classify(l).kind == CurveKind::butterfly;
  return t;
}

bool left_right_symmetric(const ClosedCurve& c, double tolerance) {
  const Box box = box_of(c);
  for (int i = 0; i <= 1000; ++i) {
    const double x = crowded(c.x0, c.x1, i / 1000.0), other = c.x0 + c.x1 - x;
    if (std::abs(c.lower(x) - c.lower(other)) > tolerance * (box.y1 - box.y0)) return false;
    if (std::abs(c.upper(x) - c.upper(other)) > tolerance * (box.y1 - box.y0)) return false;
  }
  return true;
}

bool up_down_symmetric(const ClosedCurve& c, double tolerance) {
  const Box box = box_of(c);
  for (int i = 0; i <= 1000; ++i) {
    const double x = crowded(c.x0, c.x1, i / 1000.0);
    if (std::abs(c.lower(x) + c.upper(x) - box.y0 - box.y1) > tolerance * (box.y1 - box.y0))
      return false;
  }
  return true;
}

Unfolded unfold(const LoopBranches& l, const UnimodalMap& map, bool rising, double tolerance) {
  const Theorem t = theorem_5_3_3(l, map.valley(), tolerance);
  if (!t.applies) throw InvalidInput("loop", "the butterfly cannot be unfolded: " + t.why);
  const Back back = [&](double q, int side) { return map.inverse(q, side); };
  return follow(l, back, back, map.valley(), rising);
}

TwoQuadratics closing_maps(const LoopBranches& l, double a) {
  const bool valley = a > 0.0;
  const double b1 = l.up.extreme(valley).second, b2 = l.down.extreme(valley).second;
  // The end that is further from the extremes is where the two maps meet.
  const double end =
      std::abs(l.up.y.back() - b1) > std::abs(l.up.y.front() - b1) ? l.up.y.back() : l.up.y.front();
  const double reach = (end - b1) / a;
  return {a, b1, (end - b2) / reach, b2};
}

Unfolded unfold_each(const LoopBranches& l, double a, bool rising, double tolerance) {
  const bool valley = a > 0.0;
  const Theorem t = theorem_5_3_3(l, valley, tolerance);
  if (!t.applies) throw InvalidInput("loop", "the butterfly cannot be unfolded: " + t.why);
  const TwoQuadratics maps = closing_maps(l, a);
  return follow(
      l, [up = maps.up()](double q, int side) { return up.inverse(q, side); },
      [down = maps.down()](double q, int side) { return down.inverse(q, side); }, valley, rising);
}

}  // namespace bristle
