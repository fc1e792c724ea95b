// SPDX-License-Identifier: MIT
#include "bristle/analysis/literal_form.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "bristle/solve/drive.hpp"

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

namespace {

// The motion at fixed steps, as a stepper of drive().
class LiteralStepper {
 public:
  LiteralStepper(const HystereticStatic<>& law, const BaseExcitedMass& body, const Options& options)
      : law_(law),
        body_(body),
        options_(options),
        y_{options.initial.position, options.initial.velocity},
        count_(long(std::ceil(options.end / options.step))),
        h_(options.end / double(count_)) {
    look();
  }

  double time() const { return t_; }
  StepReport& report() { return report_; }
  void advance() {
    const auto moved = [&](const State& k, double part) {
      return State{y_[0] + part * h_ * k[0], y_[1] + part * h_ * k[1]};
    };
    const State a = rates(t_, y_), b = rates(t_ + 0.5 * h_, moved(a, 0.5)),
                c = rates(t_ + 0.5 * h_, moved(b, 0.5)), d = rates(t_ + h_, moved(c, 1.0));
    for (std::size_t j = 0; j < 2; ++j) y_[j] += h_ / 6.0 * (a[j] + 2.0 * b[j] + 2.0 * c[j] + d[j]);
    last_ = chosen_;
    ++report_.steps;
    t_ = report_.steps == count_ ? options_.end : h_ * double(report_.steps);
    if (!std::isfinite(y_[0] + y_[1])) report_.status = Status::not_finite;
    look();
  }

  LiteralMotion result;

 private:
  using State = std::array<double, 2>;

  // The acceleration nearest to the last; with none the speed is held.
  State rates(double t, const State& y) {
    const double push = body_.hold(t, y, body_.piece(t));
    const auto roots = literal_roots(law_, body_.mass, body_.load, y[1], push);
    ++result.evaluations;
    result.several += roots.size() > 1 ? 1 : 0;
    result.none += roots.empty() ? 1 : 0;
    chosen_ = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& root : roots)
      if (const double d = std::abs(root.acceleration - last_); d < least)
        least = d, chosen_ = root.acceleration;
    return {y[1], chosen_};
  }
  void look() {
    if (t_ >= options_.record_from) result.most_position = std::max(result.most_position, y_[0]);
  }

  const HystereticStatic<>& law_;
  const BaseExcitedMass& body_;
  const Options& options_;
  StepReport report_;
  State y_;
  long count_;
  double h_, t_ = 0.0, last_ = 0.0, chosen_ = 0.0;
};

}  // namespace

LiteralMotion literal_motion(const HystereticStatic<>& law, const BaseExcitedMass& body,
                             const Options& options) {
  validate(body);
  validate(body.signal);
  validate(options);
  LiteralStepper stepper(law, body, options);
  Pacer looks;
  drive(stepper, options.end, options.step_limit, looks,
        [&] { return options.cancelled(stepper.time() / options.end); });
  stepper.result.finished = stepper.report().status == Status::done;
  return stepper.result;
}

}  // namespace bristle
