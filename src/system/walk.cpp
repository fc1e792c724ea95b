// SPDX-License-Identifier: MIT
#include "walk.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/solve/locate.hpp"
#include "follow.hpp"

namespace bristle {
namespace {

// Gauss and Legendre, five points on [0, 1].
constexpr double nodes[]{0.046910077030668004, 0.23076534494715845, 0.5, 0.7692346550528415,
                         0.953089922969332};
constexpr double shares[]{0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                          0.23931433524968324, 0.11846344252809454};

class WalkStepper final : public detail::ResponseStepper {
 public:
  // Without areas the operators are evaluated at turns and kinks only.
  WalkStepper(Walker& front, Walker* behind, const Signal& input, bool areas)
      : front_(front), behind_(behind), input_(input), areas_(areas), piece_(input.piece(0.0)) {
    u_ = input.value(0.0, piece_);
  }

  std::string_view method() const override { return "turning points"; }
  detail::ResponseSample start() override {
    step(u_, 0.0);
    return sample(0.0);
  }
  // As far as the input goes one way.
  std::optional<double> reach(double t, double stop) override {
    from_ = t;
    next_ = std::min(stop, t + input_.longest_step());
    const double first = input_.slope(t, piece_), last = input_.slope(next_, piece_);
    if (first * last < 0.0) {
      const double sign = first > 0.0 ? 1.0 : -1.0;
      const double turn = locate([&](double at) { return sign * input_.slope(at, piece_); }, t,
                                 sign * first, next_, sign * last, 1e-15 * next_, false);
      if (turn > t) next_ = turn;
    }
    return next_;
  }
  detail::ResponseSample within(double time) override {
    to(input_.value(time, piece_));
    return sample(time);
  }
  detail::ResponseSample take() override { return within(next_); }
  void bend(double t) override { piece_ = input_.piece(t); }
  // One piece between two kinks of the operator.
  void lay(Path& path, double record_from) override;

 private:
  // Goes to an input without turning on the way.
  void to(double u) {
    if (u != u_ && areas_) {
      bends_.clear();
      front_.kinks(u_, u, bends_);
      bends_.push_back(u);
      std::sort(bends_.begin(), bends_.end());
      if (u < u_) std::reverse(bends_.begin(), bends_.end());
      double from = u_;
      for (const double bend : bends_) {
        // A kink between places that differ by rounding is none.
        if (std::abs(bend - from) > 1e-14 * std::abs(u - u_))
          for (int k = 0; k < 5; ++k)
            step(from + nodes[k] * (bend - from), shares[k] * (bend - from));
        from = bend;
      }
    }
    u_ = u;
    step(u, 0.0);
  }
  detail::ResponseSample sample(double t) const {
    return {t, u_, y_, second_, area_, second_area_};
  }
  void step(double u, double share) {
    y_ = front_.update(u);
    if (behind_) second_ = behind_->update(y_);
    area_ += share * y_;
    second_area_ += share * second_;
  }

  Walker& front_;
  Walker* behind_;
  const Signal& input_;
  bool areas_;
  int piece_;
  double from_ = 0.0, next_ = 0.0;  // of the step [s]
  double u_ = 0.0, y_ = 0.0, second_ = 0.0, area_ = 0.0, second_area_ = 0.0;
  std::vector<double> bends_;
};

void WalkStepper::lay(Path& path, double record_from) {
  const double from = input_.value(from_, piece_), last = input_.value(next_, piece_);
  const double sign = last > from ? 1.0 : -1.0;
  std::vector<double> times{from_};
  if (from != last) {
    bends_.clear();
    front_.kinks(from, last, bends_);
    std::sort(bends_.begin(), bends_.end(),
              [&](double a, double b) { return sign * a < sign * b; });
    for (const double bend : bends_)
      times.push_back(locate([&](double at) { return sign * (bend - input_.value(at, piece_)); },
                             from_, sign * (bend - from), next_, sign * (bend - last), 0.0, false));
  }
  times.push_back(next_);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const double begins = std::max(times[i - 1], record_from);
    if (times[i] > begins) {
      std::shared_ptr<const Walker> one = front_.copy(),
                                    other = behind_ ? behind_->copy() : nullptr;
      path.push_back({begins, times[i], [one, other, piece = piece_, &input = input_](double time) {
                        PathPoint p{input.value(time, piece), 0.0, 0.0};
                        p.output = one->copy()->update(p.input);
                        if (other) p.second = other->copy()->update(p.output);
                        return p;
                      }});
    }
    to(input_.value(times[i], piece_));
  }
}

}  // namespace

SystemResponse walk(Walker& front, Walker* behind, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  WalkStepper stepper(front, behind, input, true);
  SystemResponse r = detail::respond(stepper, input, options);
  if (!behind) r.second.clear();
  return r;
}

Path walk_path(Walker& front, Walker* behind, const Signal& input, const Options& options) {
  validate(options);
  validate(input);
  WalkStepper stepper(front, behind, input, false);
  return detail::path_of(stepper, input, options);
}

}  // namespace bristle
