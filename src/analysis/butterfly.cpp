// SPDX-License-Identifier: MIT
#include "bristle/analysis/butterfly.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

namespace bristle {
namespace {

// Points that crowd towards both ends, where a closed curve is steep.
double crowded(double x0, double x1, double part) {
  const double x = 0.5 * (x0 + x1) - 0.5 * (x1 - x0) * std::cos(std::numbers::pi * part);
  return std::clamp(x, x0, x1);
}

// Adaptive Simpson's rule.
double simpson(const std::function<double(double)>& f, double a, double fa, double m, double fm,
               double b, double fb, double whole, double enough, int depth) {
  const double l = 0.5 * (a + m), r = 0.5 * (m + b), fl = f(l), fr = f(r);
  const double left = (m - a) / 6.0 * (fa + 4.0 * fl + fm),
               right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
  const double off = left + right - whole;
  if (depth <= 0 || std::abs(off) <= 15.0 * enough) return left + right + off / 15.0;
  return simpson(f, a, fa, l, fl, m, fm, left, 0.5 * enough, depth - 1) +
         simpson(f, m, fm, r, fr, b, fb, right, 0.5 * enough, depth - 1);
}

// The integral over [a, b] of a function with roots at the ends of [x0, x1].
double integral(const std::function<double(double)>& f, double x0, double x1, double a, double b,
                double scale) {
  const double middle = 0.5 * (x0 + x1), half = 0.5 * (x1 - x0);
  const auto angle = [&](double x) {
    return std::asin(std::clamp((x - middle) / half, -1.0, 1.0));
  };
  const std::function<double(double)> g = [&](double t) {
    return f(middle + half * std::sin(t)) * half * std::cos(t);
  };
  const double from = angle(a), to = angle(b), at = 0.5 * (from + to);
  const double ga = g(from), gm = g(at), gb = g(to);
  return simpson(g, from, ga, at, gm, to, gb, (to - from) / 6.0 * (ga + 4.0 * gm + gb),
                 1e-14 * scale, 40);
}

struct Gap {
  std::function<double(double)> at;  // image of the lower side less that of the upper
  double x0, x1, size;
};

// The places inside where the gap vanishes: crossings and touches.
std::vector<double> closings(const Gap& gap, bool& degenerate) {
  constexpr int n = 4000;
  std::vector<double> x(n - 1), d(n - 1);
  degenerate = true;
  for (int i = 1; i < n; ++i) {
    x[std::size_t(i - 1)] = crowded(gap.x0, gap.x1, double(i) / n);
    d[std::size_t(i - 1)] = gap.at(x[std::size_t(i - 1)]);
    degenerate = degenerate && std::abs(d[std::size_t(i - 1)]) <= 1e-12 * gap.size;
  }
  std::vector<double> places;
  if (degenerate) return places;
  const auto nothing = [&](double v) { return std::abs(v) <= 1e-12 * gap.size; };
  for (std::size_t i = 0; i + 1 < d.size(); ++i) {
    if (nothing(d[i])) {
      if (i > 0 && !nothing(d[i - 1])) places.push_back(x[i]);
      continue;
    }
    if (d[i] * d[i + 1] < 0.0 && !nothing(d[i + 1])) {
      double a = x[i], b = x[i + 1];
      const bool positive = d[i] > 0.0;
      for (int k = 0; k < 100; ++k) {
        const double m = 0.5 * (a + b);
        ((gap.at(m) > 0.0) == positive ? a : b) = m;
      }
      places.push_back(0.5 * (a + b));
    } else if (i > 0 && d[i] * d[i - 1] > 0.0 && d[i] * d[i + 1] > 0.0 &&
               std::abs(d[i]) <= std::abs(d[i - 1]) && std::abs(d[i]) <= std::abs(d[i + 1])) {
      // A dip towards zero: does it touch?
      double a = x[i - 1], b = x[i + 1];
      constexpr double golden = 0.6180339887498949;
      for (int k = 0; k < 90; ++k) {
        const double c = b - golden * (b - a), e = a + golden * (b - a);
        const bool left = std::abs(gap.at(c)) < std::abs(gap.at(e));
        (left ? b : a) = left ? e : c;
      }
      if (std::abs(gap.at(0.5 * (a + b))) <= 1e-9 * gap.size) places.push_back(0.5 * (a + b));
    }
  }
  return places;
}

// Lobes that are less than a part of the whole, as noise and coinciding ways make them, become part
// of their neighbours.
void merge_small(std::vector<Lobe>& lobes, double smallest) {
  double all = 0.0;
  for (const Lobe& l : lobes) all += std::abs(l.area);
  while (lobes.size() > 1) {
    const auto least = std::min_element(
        lobes.begin(), lobes.end(),
        [](const Lobe& a, const Lobe& b) { return std::abs(a.area) < std::abs(b.area); });
    if (std::abs(least->area) >= smallest * all) return;
    const auto i = std::size_t(least - lobes.begin());
    const bool left = i > 0, right = i + 1 < lobes.size();
    if (left && right && lobes[i - 1].area * lobes[i + 1].area > 0.0) {
      lobes[i - 1] = {lobes[i - 1].from, lobes[i + 1].to,
                      lobes[i - 1].area + lobes[i].area + lobes[i + 1].area};
      lobes.erase(lobes.begin() + long(i), lobes.begin() + long(i) + 2);
    } else {
      Lobe& other = lobes[left ? i - 1 : i + 1];
      other.from = std::min(other.from, least->from);
      other.to = std::max(other.to, least->to);
      other.area += least->area;
      lobes.erase(lobes.begin() + long(i));
    }
  }
}

FoldedCurve lobes_of(const Gap& gap, double smallest) {
  FoldedCurve out;
  bool degenerate = false;
  std::vector<double> places = closings(gap, degenerate);
  if (degenerate) {
    out.kind = CurveKind::degenerate;
    return out;
  }
  places.push_back(gap.x1);
  double from = gap.x0;
  for (const double to : places) {
    const auto f = [&](double x) { return -gap.at(x); };
    out.lobes.push_back({from, to, integral(f, gap.x0, gap.x1, from, to, gap.size)});
    from = to;
  }
  if (smallest > 0.0) merge_small(out.lobes, smallest);
  const std::size_t n = out.lobes.size();
  bool alternate = true;
  for (std::size_t i = 1; i < n; ++i)
    alternate = alternate && out.lobes[i].area * out.lobes[i - 1].area < 0.0;
  out.kind = n == 1       ? CurveKind::simple
             : !alternate ? CurveKind::loops
             : n == 2     ? CurveKind::butterfly
                          : CurveKind::multibutterfly;
  return out;
}

// Whether a function rises (sign 1) or falls (-1) over an interval, but for steps of `slack` back.
bool monotone(const std::function<double(double)>& f, double a, double b, double sign, double slack,
              double* where = nullptr) {
  constexpr int n = 1000;
  double best = sign * f(crowded(a, b, 0.0));
  for (int i = 1; i <= n; ++i) {
    const double x = crowded(a, b, double(i) / n), y = sign * f(x);
    if (y < best - slack) {
      if (where) *where = x;
      return false;
    }
    best = std::max(best, y);
  }
  return true;
}

struct Box {
  double y0, y1;
};
Box box_of(const ClosedCurve& c) {
  Box b{c.lower(c.x0), c.upper(c.x0)};
  for (int i = 0; i <= 4000; ++i) {
    const double x = crowded(c.x0, c.x1, i / 4000.0);
    b.y0 = std::min(b.y0, c.lower(x));
    b.y1 = std::max(b.y1, c.upper(x));
  }
  return b;
}

// The place and value of the lowest (valley) or highest point of a branch.
std::pair<double, double> extreme_of(const Branch1D& b, bool valley) {
  const auto at =
      valley ? std::min_element(b.y.begin(), b.y.end()) : std::max_element(b.y.begin(), b.y.end());
  return {b.x[std::size_t(at - b.y.begin())], *at};
}

double height_of(const LoopBranches& l) {
  const auto [a, b] = std::minmax_element(l.up.y.begin(), l.up.y.end());
  const auto [c, d] = std::minmax_element(l.down.y.begin(), l.down.y.end());
  return std::max(*b, *d) - std::min(*a, *c);
}

using Back = std::function<double(double q, int side)>;

// (5.4)-(5.7), or (5.8)-(5.11) with the sides exchanged.
Unfolded follow(const LoopBranches& l, const Back& up, const Back& down, bool valley, bool rising) {
  Unfolded u;
  const double centre_up = extreme_of(l.up, valley).first,
               centre_down = extreme_of(l.down, valley).first;
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
      std::abs(extreme_of(l.up, valley).second - extreme_of(l.down, valley).second) / height_of(l);
  return u;
}

}  // namespace

std::string_view words(CurveKind kind) {
  switch (kind) {
    case CurveKind::simple: return "simple";
    case CurveKind::degenerate: return "degenerate";
    case CurveKind::loops: return "loops of one orientation";
    case CurveKind::butterfly: return "butterfly";
    default: return "multibutterfly";
  }
}

ClosedCurve ClosedCurve::ellipse(double width, double height, double slope) {
  const auto side = [=](double sign) {
    return [=](double x) {
      const double part = x / width;
      return slope * x + sign * height * std::sqrt(std::max(0.0, 1.0 - part * part));
    };
  };
  return {-width, width, side(-1.0), side(1.0)};
}

ClosedCurve ClosedCurve::points(std::vector<double> x, std::vector<double> lower,
                                std::vector<double> upper) {
  const std::size_t n = x.size();
  if (n < 3 || lower.size() != n || upper.size() != n)
    throw InvalidInput("x",
                       "curve: points needs at least three of x and as many of lower and "
                       "upper, there are " +
                           std::to_string(n) + ", " + std::to_string(lower.size()) + " and " +
                           std::to_string(upper.size()));
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0 && !(x[i] > x[i - 1]))
      throw InvalidInput("x", "curve: x must increase, but number " + std::to_string(i + 1) +
                                  " = " + words(x[i]) + " follows " + words(x[i - 1]));
    const bool end = i == 0 || i + 1 == n;
    if (end ? !(lower[i] <= upper[i]) : !(lower[i] < upper[i]))
      throw InvalidInput("lower", "curve: at x = " + words(x[i]) + " lower = " + words(lower[i]) +
                                      " must be less than upper = " + words(upper[i]));
  }
  ClosedCurve c{x.front(), x.back(), {}, {}};
  c.lower = [b = Branch1D{x, std::move(lower)}](double at) { return b.at(at); };
  c.upper = [b = Branch1D{std::move(x), std::move(upper)}](double at) { return b.at(at); };
  return c;
}

ClosedCurve ClosedCurve::of(const LoopBranches& l) {
  const auto both = std::make_shared<LoopBranches>(l);
  return {l.x0, l.x1, [both](double x) { return std::min(both->up.at(x), both->down.at(x)); },
          [both](double x) { return std::max(both->up.at(x), both->down.at(x)); }};
}

ClosedCurve CurveShape::curve() const {
  return shape == 0 ? ClosedCurve::ellipse(width, height, slope)
                    : ClosedCurve::points(x, lower, upper);
}

FoldedCurve fold(const ClosedCurve& c, const UnimodalMap& map) {
  double least = INFINITY, most = -INFINITY;
  for (int i = 0; i <= 400; ++i) {
    const double x = crowded(c.x0, c.x1, i / 400.0);
    for (const double q : {map(c.lower(x)), map(c.upper(x))})
      least = std::min(least, q), most = std::max(most, q);
  }
  return lobes_of(
      {[&](double x) { return map(c.lower(x)) - map(c.upper(x)); }, c.x0, c.x1, most - least}, 0.0);
}

FoldedCurve classify(const LoopBranches& l, double smallest) {
  // For a way up below the way down, counterclockwise, lobes are positive.
  return lobes_of({[&](double x) { return l.up.at(x) - l.down.at(x); }, l.x0, l.x1, height_of(l)},
                  smallest);
}

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
  const auto [xb, qb] = extreme_of(l.up, valley);
  const auto [xa, qa] = extreme_of(l.down, valley);
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

Unfolded unfold_each(const LoopBranches& l, double a, bool rising, double tolerance) {
  const bool valley = a > 0.0;
  const Theorem t = theorem_5_3_3(l, valley, tolerance);
  if (!t.applies) throw InvalidInput("loop", "the butterfly cannot be unfolded: " + t.why);
  const double b1 = extreme_of(l.up, valley).second, b2 = extreme_of(l.down, valley).second;
  // The end that is further from the extremes is where the two maps meet.
  const double end =
      std::abs(l.up.y.back() - b1) > std::abs(l.up.y.front() - b1) ? l.up.y.back() : l.up.y.front();
  const double reach = (end - b1) / a;
  const UnimodalMap up = UnimodalMap::quadratic(a, b1),
                    down = UnimodalMap::quadratic((end - b2) / reach, b2);
  return follow(
      l, [&](double q, int side) { return up.inverse(q, side); },
      [&](double q, int side) { return down.inverse(q, side); }, valley, rising);
}

}  // namespace bristle
