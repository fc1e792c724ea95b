// SPDX-License-Identifier: MIT
#include "bristle/analysis/butterfly.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "curve_tools.hpp"
#include "search.hpp"

namespace bristle {
namespace {

// Adaptive Simpson's rule. A difference within the rounding of the values is not split further, and
// a function that has no smooth part at all is left after a number of values.
struct Simpson {
  const std::function<double(double)>& f;
  int values_left = 1 << 20;

  double operator()(double a, double fa, double m, double fm, double b, double fb, double whole,
                    double enough, int depth) {
    const double l = 0.5 * (a + m), r = 0.5 * (m + b), fl = f(l), fr = f(r);
    const double left = (m - a) / 6.0 * (fa + 4.0 * fl + fm),
                 right = (b - m) / 6.0 * (fm + 4.0 * fr + fb);
    const double off = left + right - whole;
    const double size = (b - a) * std::max({std::abs(fa), std::abs(fm), std::abs(fb)});
    values_left -= 2;
    if (depth <= 0 || values_left <= 0 || std::abs(off) <= 15.0 * enough + 1e-15 * size)
      return left + right + off / 15.0;
    return (*this)(a, fa, l, fl, m, fm, left, 0.5 * enough, depth - 1) +
           (*this)(m, fm, r, fr, b, fb, right, 0.5 * enough, depth - 1);
  }
};

// The integral over [a, b] of a function with roots at the ends of [x0, x1] and values up to
// `scale`.
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
  return Simpson{g}(from, ga, at, gm, to, gb, (to - from) / 6.0 * (ga + 4.0 * gm + gb),
                    1e-14 * scale * half, 40);
}

// The integral over [a, b] of a function that is straight between two places of a sorted list.
double straight_integral(const std::function<double(double)>& f, const std::vector<double>& places,
                         double a, double b) {
  double sum = 0.0, x = a, y = f(a);
  const auto go_to = [&](double next) {
    const double there = f(next);
    sum += 0.5 * (next - x) * (y + there);
    x = next;
    y = there;
  };
  for (auto at = std::upper_bound(places.begin(), places.end(), a); at != places.end() && *at < b;
       ++at)
    go_to(*at);
  go_to(b);
  return sum;
}

struct Gap {
  std::function<double(double)> at;  // image of the lower side less that of the upper
  double x0, x1, size;
  std::vector<double> corners;  // sorted; if there are any, the gap is straight between them

  double area(double from, double to) const {
    return corners.empty() ? integral(at, x0, x1, from, to, size)
                           : straight_integral(at, corners, from, to);
  }
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
      const double least =
          golden_section([&](double at) { return std::abs(gap.at(at)); }, x[i - 1], x[i + 1], 90);
      if (std::abs(gap.at(least)) <= 1e-9 * gap.size) places.push_back(least);
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
    out.lobes.push_back({from, to, -gap.area(from, to)});
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
      {[&](double x) { return map(c.lower(x)) - map(c.upper(x)); }, c.x0, c.x1, most - least, {}},
      0.0);
}

FoldedCurve classify(const LoopBranches& l, double smallest) {
  // For a way up below the way down, counterclockwise, lobes are positive.
  std::vector<double> corners(l.up.x.size() + l.down.x.size());
  std::merge(l.up.x.begin(), l.up.x.end(), l.down.x.begin(), l.down.x.end(), corners.begin());
  const auto gap = [&](double x) { return l.up.at(x) - l.down.at(x); };
  return lobes_of({gap, l.x0, l.x1, height_of(l), std::move(corners)}, smallest);
}

}  // namespace bristle
