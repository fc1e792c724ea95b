// SPDX-License-Identifier: MIT
#include "bristle/analysis/lobes.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/locate.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// Gauss and Legendre with eight points on [-1, 1], the positive half.
constexpr double gauss[4][2]{{0.1834346424956498, 0.3626837833783620},
                             {0.5255324099163290, 0.3137066458778873},
                             {0.7966664774136267, 0.2223810344533745},
                             {0.9602898564975363, 0.1012285362903763}};

// A part of a way: the input goes one way from one time to another.
struct Leg {
  double from, to;
};

class Period {
 public:
  Period(const Path& path, const Signal& input, const DrawnOutput& drawn)
      : path_(path), input_(input), drawn_(drawn) {
    if (path.empty()) throw InvalidInput("path", "the path has no pieces");
    // Where the input turns, at the ends of pieces or between them.
    const double start = path.front().from, end = path.back().to;
    std::vector<Leg> legs;
    double from = start, way = 0.0;
    for (const PathPiece& p : path) {
      const double middle = 0.5 * (p.from + p.to);
      const double slope = input.slope(middle, input.piece(middle));
      if (slope * way < 0.0) legs.push_back({from, p.from}), from = p.from;
      if (slope != 0.0) way = slope;
    }
    legs.push_back({from, end});
    for (const Leg& l : legs) (value(l.to) > value(l.from) ? up_ : down_).push_back(l);
    if (legs.size() > 3 || up_.empty() || down_.empty())
      throw InvalidInput("path", "the input does not rise once and fall once in the period");
    // A way that is cut by the ends of the period begins at its end.
    for (auto* legs_of : {&up_, &down_})
      if (legs_of->size() == 2) std::swap((*legs_of)[0], (*legs_of)[1]);
  }

  double low() const { return value(up_.front().from); }
  double high() const { return value(down_.front().from); }
  double gap(double u) const { return drawn(time_at(up_, u)) - drawn(time_at(down_, u)); }
  // The integral of down less up between two inputs.
  double area(double from, double to) const {
    return -(over(up_, from, to) + over(down_, to, from));
  }

 private:
  double value(double t) const { return input_.value(t, input_.piece(t)); }

  const PathPiece& piece_at(double t) const {
    const auto after = std::upper_bound(path_.begin() + 1, path_.end(), t,
                                        [](double at, const PathPiece& p) { return at < p.from; });
    return *(after - 1);
  }
  double drawn(double t) const { return drawn_.value(piece_at(t).at(t)); }

  // When the input has a value on a way; the nearer end if it never does.
  double time_at(const std::vector<Leg>& way, double u) const {
    for (const Leg& l : way) {
      // On the piece of the input that the leg lies in, so that its end belongs to it.
      const int piece = input_.piece(0.5 * (l.from + l.to));
      const double a = input_.value(l.from, piece) - u, b = input_.value(l.to, piece) - u;
      if (a == 0.0) return l.from;
      if (b == 0.0) return l.to;
      if (a * b > 0.0) continue;
      const double sign = a > 0.0 ? 1.0 : -1.0;
      return locate([&](double t) { return sign * (input_.value(t, piece) - u); }, l.from, sign * a,
                    l.to, sign * b, 0.0, false);
    }
    const double first = way.front().from, last = way.back().to;
    return std::abs(value(first) - u) < std::abs(value(last) - u) ? first : last;
  }

  // The integral of what is drawn over the input, along a way from one input to another.
  double over(const std::vector<Leg>& way, double from, double to) const {
    const double begin = time_at(way, from), end = time_at(way, to);
    if (begin <= end) return between(begin, end);
    // The way is cut by the ends of the period.
    return between(begin, path_.back().to) + between(path_.front().from, end);
  }
  double between(double begin, double end) const {
    double sum = 0.0;
    StopLook stop;
    for (const PathPiece& p : path_) {
      stop();
      const double a = std::max(begin, p.from), b = std::min(end, p.to);
      if (b > a) sum += along(p, a, b);
    }
    return sum;
  }
  // Cut where the output passes a corner.
  double along(const PathPiece& p, double a, double b) const {
    for (const double corner : drawn_.corners) {
      const double first = p.at(a).output - corner, last = p.at(b).output - corner;
      if (!(first * last < 0.0)) continue;
      const double sign = first > 0.0 ? 1.0 : -1.0;
      const double cut = locate([&](double t) { return sign * (p.at(t).output - corner); }, a,
                                sign * first, b, sign * last, 0.0, false);
      if (cut > a && cut < b) return smooth(p, a, cut) + smooth(p, cut, b);
    }
    return smooth(p, a, b);
  }
  double smooth(const PathPiece& p, double a, double b) const {
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    const int piece = input_.piece(middle);
    double sum = 0.0;
    for (const auto& [node, weight] : gauss)
      for (const double t : {middle - half * node, middle + half * node})
        sum += weight * drawn_.value(p.at(t)) * input_.slope(t, piece);
    return half * sum;
  }

  const Path& path_;
  const Signal& input_;
  const DrawnOutput& drawn_;
  std::vector<Leg> up_, down_;
};

// The crossing next to a place, bracketed by steps of growing length within the neighbours.
double crossing_near(const Period& period, double place, double low, double high) {
  const double width = high - low;
  for (double reach = 1e-6 * width; reach < 0.5 * width; reach *= 2.0) {
    double a = std::max(low, place - reach), b = std::min(high, place + reach);
    const double first = period.gap(a), last = period.gap(b);
    if (first == 0.0) return a;
    if (last == 0.0) return b;
    if (first * last > 0.0) continue;
    const double sign = first > 0.0 ? 1.0 : -1.0;
    return locate([&](double u) { return sign * period.gap(u); }, a, sign * first, b, sign * last,
                  0.0, false);
  }
  return place;  // a touch, as samples show it
}

}  // namespace

FoldedCurve exact_lobes(const FoldedCurve& found, const Path& path, const Signal& input,
                        const DrawnOutput& drawn) {
  const Period period(path, input, drawn);
  FoldedCurve out = found;
  const std::size_t n = out.lobes.size();
  if (n == 0) return out;
  out.lobes.front().from = period.low();
  out.lobes.back().to = period.high();
  for (std::size_t i = 0; i + 1 < n; ++i) {
    const double low = 0.5 * (found.lobes[i].from + found.lobes[i].to),
                 high = 0.5 * (found.lobes[i + 1].from + found.lobes[i + 1].to);
    out.lobes[i].to = out.lobes[i + 1].from = crossing_near(period, found.lobes[i].to, low, high);
  }
  for (Lobe& lobe : out.lobes) lobe.area = period.area(lobe.from, lobe.to);
  return out;
}

}  // namespace bristle
