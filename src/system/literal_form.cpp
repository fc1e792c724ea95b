// SPDX-License-Identifier: MIT
#include "bristle/system/literal_form.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "bristle/solve/pacer.hpp"
#include "oscillator_body.hpp"
#include "oscillator_numbers.hpp"
#include "other_runs.hpp"

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
  std::vector<LiteralRoot> roots;
  if (velocity == 0.0) return roots;
  const double side = velocity > 0.0 ? 1.0 : -1.0, speed = side * velocity, p = side * push;
  const double f0 = law.start_coefficient(law.kinetic(0.0, 0.0, -1.0));
  const double stiff =
      0.5 * law.contact_stiffness * speed * speed;  // load f_st = stiff / b - load f0
  const auto yielding = [&](double b) { return stiff / (load * b) - f0; };
  const auto keep = [&](double b, double f, ContactMode branch) {
    roots.push_back({side * b, side * f, branch});
  };
  // Yielding: mass b^2 - (p + load f0) b + stiff = 0.
  const double sum = p + load * f0, inside = sum * sum - 4.0 * mass * stiff;
  if (sum > 0.0 && inside >= 0.0)
    for (const double sign : {-1.0, 1.0}) {
      const double b = 0.5 * (sum + sign * std::sqrt(inside)) / mass;
      if (b > 0.0 && yielding(b) < law.kinetic(speed, b, 1.0))
        keep(b, yielding(b), ContactMode::yields);
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
      keep(b, law.kinetic(speed, b, 1.0), ContactMode::speeds_up);
  found.clear();
  zeros(off(-1.0), -reach / mass, -1e-12, found);
  for (const double b : found) keep(b, law.kinetic(speed, b, -1.0), ContactMode::slows_down);
  std::sort(roots.begin(), roots.end(),
            [](const auto& a, const auto& b) { return a.acceleration < b.acceleration; });
  return roots;
}

namespace detail {

OscillatorRun run_literal(const MeasuredFriction& friction, const FrictionOscillator& o,
                          const Options& options) {
  if (o.kind != 0)
    throw InvalidInput("form",
                       "hysteretic_static: form = \"literal\" runs on kind = \"single\" "
                       "only");
  const auto began = std::chrono::steady_clock::now();
  OscillatorRun r;
  SingleBody body(o);
  using Row = std::array<double, 5>;
  double last = 0.0;
  LiteralRoot chosen;
  const auto choose = [&](double t, const SingleBody::State& y) {
    const auto roots = literal_roots(friction.law, o.mass, o.load, y[1], body.push(t, y));
    ++r.evaluations;
    r.several += roots.size() > 1 ? 1 : 0;
    r.none += roots.empty() ? 1 : 0;
    // The nearest to the last; with none the speed is held.
    chosen = {0.0, body.push(t, y) / o.load, ContactMode::holds};
    double least = std::numeric_limits<double>::infinity();
    for (const auto& root : roots)
      if (const double d = std::abs(root.acceleration - last); d < least) least = d, chosen = root;
    return roots.size();
  };
  const auto rates = [&](double t, const Row& y) {
    const SingleBody::State s{y[0], y[1]};
    choose(t, s);
    const auto power = body.powers(t, s, o.load * chosen.coefficient);
    return Row{y[1], chosen.acceleration, power[0], power[1], power[2]};
  };
  Row y{o.position, o.velocity, 0.0, 0.0, 0.0};
  const double first = body.energy(0.0, {y[0], y[1]});
  // Whole steps to the first sample, and from each to the next.
  const long count = long(options.samples);
  const double apart = (options.end - options.record_from) / double(count - 1);
  if (!(options.end / options.step + double(count) <= options.step_limit))
    throw InvalidInput("step", "solve: step = " + words(options.step) + " s needs " +
                                   words(options.end / options.step + double(count)) +
                                   " steps to reach end = " + words(options.end) +
                                   " s, more than step_limit = " + words(options.step_limit));
  const long before = long(std::ceil(options.record_from / options.step));
  const long between = long(std::ceil(apart / options.step));
  const long steps = before + between * (count - 1);
  Pacer looks;
  for (long i = 0;; ++i) {
    const long late = i - before;
    const double h = late < 0 ? options.record_from / double(before) : apart / double(between);
    const double t = late < 0 ? h * double(i) : options.record_from + h * double(late);
    body.piece = o.base.piece(t);
    if (late >= 0 && late % between == 0) {
      const auto solutions = choose(t, {y[0], y[1]});
      r.time.push_back(t);
      r.base.push_back(o.base.value(t, body.piece));
      r.position.push_back(y[0]);
      r.velocity.push_back(y[1]);
      r.acceleration.push_back(chosen.acceleration);
      r.force.push_back(o.load * chosen.coefficient);
      r.body_acceleration.push_back(
          body.body_acceleration(t, {y[0], y[1]}, o.load * chosen.coefficient));
      r.mode.push_back(double(chosen.branch));
      r.work_in.push_back(y[2]);
      r.friction_work.push_back(y[3]);
      r.dissipated.push_back(y[3] + y[4]);
      r.stored.push_back(body.energy(t, {y[0], y[1]}));
      r.solutions.push_back(double(solutions));
      look_at_last_sample(r);
    }
    if (i == steps) break;
    if (looks.due() && options.cancelled(t / options.end)) {
      r.status = Status::cancelled;
      break;
    }
    const auto moved = [&](const Row& k, double part) {
      Row z;
      for (int j = 0; j < 5; ++j) z[j] = y[j] + part * h * k[j];
      return z;
    };
    const Row a = rates(t, y), b = rates(t + 0.5 * h, moved(a, 0.5)),
              c = rates(t + 0.5 * h, moved(b, 0.5)), d = rates(t + h, moved(c, 1.0));
    for (int j = 0; j < 5; ++j) y[j] += h / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]);
    last = chosen.acceleration;
    ++r.steps;
    r.not_finite.look(t + h, std::array{y[0], y[1]},
                      std::array<std::string_view, 2>{"position", "velocity"});
    if (r.not_finite) break;
  }
  const double left = body.energy(options.end, {y[0], y[1]}) - first;
  const double most = std::max({std::abs(y[2]), std::abs(y[3] + y[4]), std::abs(left), 1e-300});
  r.ledger_error = std::abs(y[2] - y[3] - y[4] - left) / most;
  judge_numbers(r, options.end);
  r.message = "as printed, " + std::to_string(r.steps) + " fixed steps: of " +
              std::to_string(r.evaluations) + " evaluations " + std::to_string(r.several) +
              " had several accelerations to choose from and " + std::to_string(r.none) + " none.";
  tell_status(r);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return r;
}

}  // namespace detail
}  // namespace bristle
