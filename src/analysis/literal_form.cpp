// SPDX-License-Identifier: MIT
#include "bristle/analysis/literal_form.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "bristle/solve/pacer.hpp"

namespace bristle {
namespace {

// The zeros of a function on an interval that has at most some two hundred of them.
template <class F>
void zeros(const F& f, double low, double high, std::vector<double>& found) {
  constexpr int n = 200;
  double left = low, at_left = f(low);
  for (int i = 1; i <= n; ++i) {
    const double right = low + (high - low) * i / n, at_right = f(right);
    if (at_left == 0.0) found.push_back(left);
    else if (at_left * at_right < 0.0) {
      double a = left, b = right;
      for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (a + b);
        (f(middle) * at_left > 0.0 ? a : b) = middle;
      }
      found.push_back(0.5 * (a + b));
    }
    left = right, at_left = at_right;
  }
}

}  // namespace

std::vector<LiteralRoot> literal_roots(const HystereticStatic<>& law, double mass, double load,
                                       double velocity, double push) {
  using Piece = HystereticStatic<>::Piece;
  std::vector<LiteralRoot> roots;
  if (velocity == 0.0) return roots;
  const double side = velocity > 0.0 ? 1.0 : -1.0, speed = side * velocity, p = side * push;
  const double f0 = law.start_coefficient(law.kinetic(0.0, 0.0, -1.0));
  const double stiff =
      0.5 * law.contact_stiffness * speed * speed;  // load f_st = stiff / b - load f0
  const auto yielding = [&](double b) { return stiff / (load * b) - f0; };
  const auto keep = [&](double b, double f, double piece) {
    roots.push_back({side * b, side * f, piece});
  };
  // Yielding: mass b^2 - (p + load f0) b + stiff = 0.
  const double sum = p + load * f0, inside = sum * sum - 4.0 * mass * stiff;
  if (sum > 0.0 && inside >= 0.0)
    for (const double sign : {-1.0, 1.0}) {
      const double b = 0.5 * (sum + sign * std::sqrt(inside)) / mass;
      if (b > 0.0 && yielding(b) < law.kinetic(speed, b, 1.0)) keep(b, yielding(b), Piece::yields);
    }
  // Sliding: the coefficient lies between bounds, and so does the acceleration.
  const double rise = law.static_coefficient - law.coulomb_coefficient + law.breakaway_range;
  const double reach = std::abs(p) + load * (law.coulomb_coefficient + 2.0 * rise);
  std::vector<double> found;
  const auto off = [&](double way) {
    return [&, way](double b) { return mass * b + load * law.kinetic(speed, b, way) - p; };
  };
  zeros(off(1.0), 1e-12, reach / mass, found);
  for (const double b : found)
    if (yielding(b) > law.kinetic(speed, b, 1.0))
      keep(b, law.kinetic(speed, b, 1.0), Piece::speeds_up);
  found.clear();
  zeros(off(-1.0), -reach / mass, -1e-12, found);
  for (const double b : found) keep(b, law.kinetic(speed, b, -1.0), Piece::slows_down);
  std::sort(roots.begin(), roots.end(),
            [](const auto& a, const auto& b) { return a.acceleration < b.acceleration; });
  return roots;
}

LiteralMotion literal_motion(const HystereticStatic<>& law, const BaseExcitedMass& body,
                             const Options& options) {
  validate(body);
  validate(body.signal);
  validate(options);
  LiteralMotion r;
  using State = std::array<double, 2>;
  double last = 0.0, chosen = 0.0;
  // The nearest to the last; with none the speed is held.
  const auto rates = [&](double t, const State& y) {
    const double push = body.hold(t, y, body.piece(t));
    const auto roots = literal_roots(law, body.mass, body.load, y[1], push);
    ++r.evaluations;
    r.several += roots.size() > 1 ? 1 : 0;
    r.none += roots.empty() ? 1 : 0;
    chosen = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& root : roots)
      if (const double d = std::abs(root.acceleration - last); d < least)
        least = d, chosen = root.acceleration;
    return State{y[1], chosen};
  };
  State y{options.initial.position, options.initial.velocity};
  const long steps = long(std::ceil(options.end / options.step));
  const double h = options.end / double(steps);
  Pacer looks;
  for (long i = 0;; ++i) {
    const double t = h * double(i);
    if (t >= options.record_from) r.most_position = std::max(r.most_position, y[0]);
    if (i == steps) return r;
    if (looks.due() && options.cancelled(t / options.end)) break;
    const auto moved = [&](const State& k, double part) {
      return State{y[0] + part * h * k[0], y[1] + part * h * k[1]};
    };
    const State a = rates(t, y), b = rates(t + 0.5 * h, moved(a, 0.5)),
                c = rates(t + 0.5 * h, moved(b, 0.5)), d = rates(t + h, moved(c, 1.0));
    for (std::size_t j = 0; j < 2; ++j) y[j] += h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]);
    last = chosen;
    if (!std::isfinite(y[0] + y[1])) break;
  }
  r.finished = false;
  return r;
}

}  // namespace bristle
