// SPDX-License-Identifier: MIT
#include "bristle/analysis/unimodal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "search.hpp"

namespace bristle {
namespace {

constexpr double anywhere = std::numeric_limits<double>::max();

}  // namespace

UnimodalMap::UnimodalMap(std::function<double(double)> f, double centre, bool valley, double low,
                         double high)
    : f_(std::move(f)), centre_(centre), low_(low), high_(high), valley_(valley) {
  extreme_ = f_(centre_);
}

UnimodalMap UnimodalMap::absolute(double top, double left, double right, double centre) {
  if (!(left * right > 0.0))
    throw InvalidInput("left", "map: the slopes left = " + words(left) + " and right = " +
                                   words(right) + " must have one sign and not be 0");
  UnimodalMap map(
      [=](double y) { return top - (y < centre ? left : right) * std::abs(y - centre); }, centre,
      left < 0.0, -anywhere, anywhere);
  map.corners_ = {centre};
  return map;
}

UnimodalMap UnimodalMap::quadratic(double a, double b, double centre) {
  if (!(a != 0.0) || !std::isfinite(a))
    throw InvalidInput("a", "map: a = " + words(a) + " must be a finite number other than 0");
  return {[=](double y) { return a * (y - centre) * (y - centre) + b; }, centre, a > 0.0, -anywhere,
          anywhere};
}

UnimodalMap UnimodalMap::points(std::vector<double> y, std::vector<double> q) {
  const std::size_t n = y.size();
  if (n < 3 || q.size() != n)
    throw InvalidInput("y", "map: points needs at least three of y and as many of q, there are " +
                                std::to_string(n) + " and " + std::to_string(q.size()));
  for (std::size_t i = 1; i < n; ++i)
    if (!(y[i] > y[i - 1]))
      throw InvalidInput("y", "map: y must increase, but number " + std::to_string(i + 1) + " = " +
                                  words(y[i]) + " follows " + words(y[i - 1]));
  const bool valley = q[1] < q[0];
  std::size_t turn = 1;
  while (turn + 1 < n && (q[turn + 1] < q[turn]) == valley && q[turn + 1] != q[turn]) ++turn;
  for (std::size_t i = turn + 1; i < n; ++i)
    if ((q[i] > q[i - 1]) != valley || q[i] == q[i - 1] || q[1] == q[0])
      throw InvalidInput("q", "map: q is not unimodal: it turns again at number " +
                                  std::to_string(i + 1) + " = " + words(q[i]));
  if (turn + 1 == n)
    throw InvalidInput("q", "map: q is not unimodal: it does not turn between its ends");
  UnimodalMap map(
      [y, q = std::move(q)](double at) {
        const auto above = std::upper_bound(y.begin(), y.end(), at) - y.begin();
        const auto i = std::size_t(std::clamp<long>(above, 1, long(y.size()) - 1));
        return q[i - 1] + (q[i] - q[i - 1]) * (at - y[i - 1]) / (y[i] - y[i - 1]);
      },
      y[turn], valley, -anywhere, anywhere);
  map.corners_ = std::move(y);
  return map;
}

UnimodalMap UnimodalMap::linkage(double length) {
  return {[=](double y) { return 2.0 * std::sqrt(std::max(0.0, length * length - y * y)); }, 0.0,
          false, -length, length};
}

UnimodalMap UnimodalMap::function(std::function<double(double)> f, double y0, double y1) {
  constexpr int n = 2000;
  int turns = 0;
  double first = 0.0, previous = f(y0), slope = 0.0;
  for (int i = 1; i <= n; ++i) {
    const double at = y0 + (y1 - y0) * i / n, value = f(at), rise = value - previous;
    if (rise * slope < 0.0) {
      if (++turns > 1)
        throw InvalidInput("map", "the map is not unimodal: it turns near " + words(first) +
                                      " and again near " + words(at));
      first = at - (y1 - y0) / n;
    }
    if (rise != 0.0) slope = rise;
    previous = value;
  }
  if (turns == 0)
    throw InvalidInput("map", "the map is not unimodal: it does not turn between " + words(y0) +
                                  " and " + words(y1));
  const bool valley = slope > 0.0;
  const double near = 2.0 * (y1 - y0) / n;
  const double centre = golden_section([&](double y) { return valley ? f(y) : -f(y); },
                                       std::max(y0, first - near), std::min(y1, first + near), 80);
  return {std::move(f), centre, valley, y0, y1};
}

double UnimodalMap::inverse(double q, int side) const {
  const double sign = valley_ ? 1.0 : -1.0;
  if (sign * (q - extreme_) <= 0.0) return centre_;
  double near = centre_, far = side < 0 ? low_ : high_;
  if (std::abs(far) == anywhere) {
    double reach = std::max(1.0, std::abs(centre_));
    for (far = centre_ + side * reach; sign * (f_(far) - q) < 0.0 && reach < 1e300; reach *= 2.0)
      far = centre_ + side * 2.0 * reach;
  }
  if (!(sign * (f_(far) - q) >= 0.0))
    throw InvalidInput("map", "the map does not reach " + words(q) + " on its " +
                                  (side < 0 ? "left" : "right") + " side");
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (near + far);
    if (middle == near || middle == far) break;
    (sign * (f_(middle) - q) < 0.0 ? near : far) = middle;
  }
  return std::abs(f_(near) - q) < std::abs(f_(far) - q) ? near : far;
}

UnimodalMap MapShape::map() const {
  switch (shape) {
    case 0: return UnimodalMap::absolute(top, left, right, centre);
    case 1: return UnimodalMap::quadratic(a, b, centre);
    case 2: return UnimodalMap::points(y, q);
    default: return UnimodalMap::linkage(length);
  }
}

}  // namespace bristle
