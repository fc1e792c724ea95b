// SPDX-License-Identifier: MIT
// What unimodal maps can and cannot make of a closed curve: propositions 5.3.1 and 5.3.2 of the
// thesis, and the conclusion of its theorem 5.3.3.
#include <algorithm>
#include <cmath>
#include <random>

#include "curve_tools.hpp"

namespace bristle {
namespace {

// A side of a map: `pieces` steps away from the extreme, each higher than the one before.
void add_side(std::vector<double>& y, std::vector<double>& q, double from, double to, double sign,
              std::mt19937_64& random) {
  const auto uniform = [&] { return 0.05 + double(random() >> 11) * 0x1p-53; };
  constexpr int pieces = 4;
  double widths[pieces], all = 0.0, height = 0.0;
  for (double& w : widths) all += w = uniform();
  double at = from;
  for (int i = 0; i < pieces; ++i) {
    at = i + 1 == pieces ? to : at + (to - from) * widths[i] / all;
    height += uniform() * uniform();
    y.push_back(at);
    q.push_back(sign * height);
  }
}

// A valley or a peak with its extreme inside (y0, y1).
UnimodalMap drawn_map(double y0, double y1, std::mt19937_64& random) {
  const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
  const double centre = y0 + (y1 - y0) * (0.02 + 0.96 * uniform());
  const double sign = uniform() < 0.5 ? 1.0 : -1.0;
  std::vector<double> y, q;
  add_side(y, q, centre, y0, sign, random);
  std::reverse(y.begin(), y.end());
  std::reverse(q.begin(), q.end());
  y.push_back(centre);
  q.push_back(0.0);
  add_side(y, q, centre, y1, sign, random);
  return UnimodalMap::points(std::move(y), std::move(q));
}

// How often the image of the lower side passes that of the upper side.
int crossings(const ClosedCurve& c, const UnimodalMap& map) {
  constexpr int n = 2000;
  std::vector<double> gap;
  double most = 0.0;
  for (int i = 1; i < n; ++i) {
    const double x = crowded(c.x0, c.x1, double(i) / n);
    gap.push_back(map(c.lower(x)) - map(c.upper(x)));
    most = std::max(most, std::abs(gap.back()));
  }
  int count = 0;
  double before = 0.0;
  for (const double g : gap) {
    if (std::abs(g) <= 1e-9 * most) continue;
    if (g * before < 0.0) ++count;
    before = g;
  }
  return count;
}

Theorem tried(const ClosedCurve& curve, std::string why, int maps) {
  const FoldCount count = try_maps(curve, maps);
  Theorem t{why.empty(), std::move(why), count.butterflies == 0, {}};
  if (count.butterflies > 0) t.places = {count.centre};
  return t;
}

bool pointed(const ClosedCurve& c) {
  const Box box = box_of(c);
  const double slack = 1e-9 * (box.y1 - box.y0);
  return c.upper(c.x0) - c.lower(c.x0) <= slack && c.upper(c.x1) - c.lower(c.x1) <= slack;
}

}  // namespace

FoldCount try_maps(const ClosedCurve& curve, int maps) {
  const Box box = box_of(curve);
  std::mt19937_64 random(531);
  FoldCount count;
  for (; count.tried < maps; ++count.tried) {
    const UnimodalMap map = drawn_map(box.y0, box.y1, random);
    const int n = crossings(curve, map);
    if (n == 1 && count.butterflies++ == 0) count.centre = map.centre();
    if (n > 1) ++count.multibutterflies;
  }
  return count;
}

Theorem proposition_5_3_1(const ClosedCurve& curve, int maps) {
  return tried(curve, left_right_symmetric(curve) ? "" : "the curve is not left-right symmetric",
               maps);
}

Theorem proposition_5_3_2(const ClosedCurve& curve, int maps) {
  return tried(curve,
               !up_down_symmetric(curve) ? "the curve is not up-down symmetric"
               : !pointed(curve)         ? "the curve does not end in one point on each side"
                                         : "",
               maps);
}

LoopBranches folded_loop(const ClosedCurve& c, const UnimodalMap& map, int points) {
  LoopBranches l{{}, {}, c.x0, c.x1};
  for (int i = 0; i <= points; ++i) {
    const double x = crowded(c.x0, c.x1, double(i) / points);
    if (!l.up.x.empty() && !(x > l.up.x.back())) continue;
    l.up.x.push_back(x);
    l.down.x.push_back(x);
    l.up.y.push_back(map(c.lower(x)));
    l.down.y.push_back(map(c.upper(x)));
  }
  return l;
}

Theorem theorem_5_3_3(const LoopBranches& l, const UnimodalMap& map, double tolerance) {
  Theorem t = theorem_5_3_3(l, map.valley(), tolerance);
  const double height = height_of(l), extreme = l.up.extreme(map.valley()).second;
  if (t.applies && std::abs(map.extreme() - extreme) > tolerance * height)
    t.why = "the extreme of the map, " + words(map.extreme()) + ", is not that of the butterfly, " +
            words(extreme);
  t.applies = t.why.empty();
  t.true_here = false;
  if (!t.applies) return t;
  // A way up that turns later than the way down gives a rising loop run through counterclockwise.
  const double side =
      l.up.extreme(map.valley()).first > l.down.extreme(map.valley()).first ? 1.0 : -1.0;
  bool all = classify(l).kind == CurveKind::butterfly;
  for (const bool rising : {true, false}) {
    const Unfolded u = unfold(l, map, rising, tolerance);
    for (std::size_t i = 0; i < u.x.size(); ++i) {
      const bool up = i < l.up.x.size();
      const double q = up ? l.up.y[i] : l.down.y[l.down.y.size() - 1 - (i - l.up.x.size())];
      all = all && std::abs(map(u.y[i]) - q) <= tolerance * height;
    }
    const LoopBranches loop = split_branches(u.x, u.y);
    const FoldedCurve kind = classify(loop);
    const double slack = tolerance * height_of(loop), way = rising ? 1.0 : -1.0;
    const auto goes = [&](const Branch1D& b) {
      return monotone([&](double x) { return b.at(x); }, loop.x0, loop.x1, way, slack);
    };
    all = all && kind.kind == CurveKind::simple && kind.lobes[0].area * side * way > 0.0 &&
          goes(loop.up) && goes(loop.down);
  }
  t.true_here = all;
  return t;
}

}  // namespace bristle
