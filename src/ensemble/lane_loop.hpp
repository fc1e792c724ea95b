// SPDX-License-Identifier: MIT
// The time loop of runs in lanes (bristle/ensemble/lanes.hpp): one attempt at a step of every lane
// at once, after which each lane goes its own way.
//
//   x' = v,   v' = (k (w t - x) - F(v, z)) / m,   z' = r(v, z)
//
// In W = I / (gamma h) - J of solve/rosenbrock.hpp position and state are eliminated, so that a
// stage is solved by products with inverses that are made once per step. How errors are weighed,
// how steps follow from them and which reversals need an event is told in solve/integrate.hpp.
#pragma once

#include "bristle/ensemble/lanes.hpp"
#include "bristle/model/model.hpp"
#include "bristle/solve/rosenbrock.hpp"
#include "lane_numbers.hpp"

namespace bristle::BRISTLE_LANES {

template <template <class> class LawType>
class LaneLoop {
 public:
  using Law = LawType<Lanes>;

  LaneLoop(const LaneRun* runs, std::uint64_t count, const int* choices, LaneEnd* ends,
           LaneObserver* observer)
      : runs_(runs), count_(count), ends_(ends), observer_(observer) {
    int k = 0;
    for (const auto& field : table)
      if (field.choice) law_.*(field.choice) = choices[k++];
    for (int lane = 0; lane < width; ++lane) load(lane);
  }

  // False if it was stopped before the last run had ended.
  bool run(bool (*stop)()) {
    for (int look = 0; busy_ > 0; ++look) {
      if (look % 256 == 255 && stop()) return false;
      if (squares(law_)) iterate<true>();
      else iterate<false>();
    }
    return true;
  }

 private:
  static constexpr auto table = Law::fields();
  static constexpr std::uint64_t idle = ~std::uint64_t(0);
  static constexpr double safety = 0.8, creep = 300.0, slow = 30.0;
  using Slopes = Dual<Lanes, 2>;

  // Of position, velocity and state: values, rates or stages.
  struct Triple {
    Lanes x, v, z;
  };
  struct Linear {
    Triple rates;
    Lanes force_v, force_z, rate_v, rate_z;  // slopes; of the force over the mass
  };
  struct Attempt {
    Triple u[8], end;
    Lanes step, inverse_h, error;
    Mask reaches;
  };

  // `law` is a copy of law_ that nothing else can change during an attempt: what all stages need of
  // its numbers is then computed once.
  template <class S>
  Response<S> friction(const Law& law, const S& x, const S& v, const S& z,
                       const Lanes& time) const {
    const Motion<S> motion{x, v, S(load_), S(time)};
    return law.respond(z, motion, Branch<Lanes>{direction_, Lanes(0.0)});
  }
  Lanes acceleration(const Lanes& t, const Lanes& x, const Lanes& force) const {
    return (spring_ * fma(drag_, t, -x) - force) * inverse_mass_;
  }
  Triple rates(const Law& law, const Lanes& t, const Triple& y) const {
    const Response<Lanes> r = friction(law, y.x, y.v, y.z, t);
    return {y.v, acceleration(t, y.x, r.force), r.rate};
  }
  Linear linearise(const Law& law) const {
    const Response<Slopes> r =
        friction(law, Slopes(y_.x), variable<2>(y_.v, 0), variable<2>(y_.z, 1), t_);
    return {{y_.v, acceleration(t_, y_.x, r.force.value), r.rate.value},
            r.force.slope[0] * inverse_mass_,
            r.force.slope[1] * inverse_mass_,
            r.rate.slope[0],
            r.rate.slope[1]};
  }

  // The matrix W with position and state eliminated.
  struct Elimination {
    Lanes by_shift, pull, by_state, force_z, rate_v, pivot;
    Triple operator()(const Triple& b) const {
      const Lanes bx = b.x * by_shift, bz = b.z * by_state;
      const Lanes v = fma(-force_z, bz, fma(-pull, bx, b.v)) * pivot;
      return {fma(v, by_shift, bx), v, fma(rate_v * by_state, v, bz)};
    }
  };

  static Triple plus(const Triple& a, const Triple& b) { return {a.x + b.x, a.v + b.v, a.z + b.z}; }
  static Triple fused(double factor, const Triple& a, const Triple& b) {
    const Lanes f(factor);
    return {fma(f, a.x, b.x), fma(f, a.v, b.v), fma(f, a.z, b.z)};
  }

  template <int I>
  void stage(const Law& law, const Elimination& solve, const Triple& first, Attempt& a) const {
    Triple right{0.0, 0.0, 0.0};
    for (int j = 0; j < I; ++j) right = fused(rodas::c[I][j], a.u[j], right);
    right = {right.x * a.inverse_h, right.v * a.inverse_h, right.z * a.inverse_h};
    if constexpr (rodas::time_slope[I] != 0.0)
      right.v = fma(Lanes(rodas::time_slope[I]) * a.step, solve.pull * drag_, right.v);
    if constexpr (I == 0) {
      right = plus(right, first);
    } else {
      if constexpr (I < 6) {
        a.end = y_;
        for (int j = 0; j < I; ++j) a.end = fused(rodas::a[I][j], a.u[j], a.end);
      } else {
        a.end = plus(a.end, a.u[I - 1]);
      }
      right = plus(right, rates(law, fma(Lanes(rodas::alpha[I]), a.step, t_), a.end));
    }
    a.u[I] = solve(right);
  }

  // A step of every lane, as long as the lane asks for.
  void attempt(const Law& law, const Linear& at, Attempt& a) const {
    const Lanes asked = min(h_, longest_);
    a.reaches = t_ + asked * (1.0 + 1e-10) >= end_;
    a.step = select(a.reaches, end_ - t_, asked);
    a.inverse_h = 1.0 / a.step;
    const Lanes shift = a.inverse_h * (1.0 / rodas::gamma), by_shift = a.step * rodas::gamma;
    const Lanes pull = spring_ * inverse_mass_;
    // The inverses of `state` and of `whole` / `state` from one division.
    const Lanes state = shift - at.rate_z;
    const Lanes whole = fma(shift + at.force_v + pull * by_shift, state, at.force_z * at.rate_v);
    const Lanes inverse = 1.0 / (state * whole);
    const Lanes by_state = whole * inverse, pivot = state * state * inverse;
    const Elimination solve{by_shift, pull, by_state, at.force_z, at.rate_v, pivot};
    stage<0>(law, solve, at.rates, a);
    stage<1>(law, solve, at.rates, a);
    stage<2>(law, solve, at.rates, a);
    stage<3>(law, solve, at.rates, a);
    stage<4>(law, solve, at.rates, a);
    stage<5>(law, solve, at.rates, a);
    stage<6>(law, solve, at.rates, a);
    stage<7>(law, solve, at.rates, a);
    a.end = plus(a.end, a.u[7]);
    a.error = error_of(at, a);
  }

  // The largest estimated error in units of what is allowed, NaN if a number is.
  Lanes error_of(const Linear& at, const Attempt& a) const {
    const Triple& e = a.u[7];
    const Lanes bristle = scale_.z * a.inverse_h;
    const Mask grows =
        at.rate_z - at.force_v > 0.0 || -at.force_v * at.rate_z < -at.force_z * at.rate_v;
    const Lanes faster = max(abs(y_.v), abs(a.end.v));
    const Lanes held = max(slow * faster, select(grows, Lanes(1e-4), Lanes(1.0)) * bristle);
    const Lanes size_v = min(min(scale_.v, creep * bristle), held);
    const Lanes size_x = max(min(scale_.x, creep * scale_.z), rounding_ * abs(a.end.x));
    const Lanes x = max(size_x, max(abs(y_.x - origin_.x), abs(a.end.x - origin_.x)));
    const Lanes v = max(size_v, faster);
    const Lanes z = max(scale_.z, max(abs(y_.z - origin_.z), abs(a.end.z - origin_.z)));
    // The largest of three quotients from one division.
    const Lanes xv = x * v;
    const Lanes most = max(max(abs(e.x) * v, abs(e.v) * x) * z, abs(e.z) * xv);
    const Lanes sum = e.x + e.v + e.z;
    return most * inverse_tolerance_ / (xv * z) + (sum - sum);
  }

  // What bends one component between the ends of the step, see Rosenbrock::dense.
  static void bends(const Attempt& a, Lanes Triple::*component, Lanes (&bend)[3]) {
    for (int i = 0; i < 3; ++i) {
      Lanes sum(0.0);
      for (int j = 0; j < 8; ++j) sum = fma(Lanes(rodas::dense[i][j]), a.u[j].*component, sum);
      bend[i] = sum;
    }
  }
  static Lanes between(const Lanes& s, const Lanes& a, const Lanes& b, const Lanes (&bend)[3]) {
    const Lanes curve = fma(s, fma(s, bend[2], bend[1]), bend[0]);
    return fma(s, fma(1.0 - s, curve, b - a), a);
  }

  // Lanes whose velocity turns round within a good step, and how far into it. The wrong branch is
  // off by the rate 2 |v| of the state until the velocity v beyond the turn is gone, in all by
  // v^2 over the acceleration: a velocity within `slack` of zero needs no event.
  struct Turn {
    Mask turns, at_once;
    Lanes step, slack;
  };
  Turn turning(const Attempt& a, const Mask& good) const {
    const Lanes change = abs(a.end.v - y_.v) * a.inverse_h;
    const Lanes slack = max(tolerance_ * min(1e-2 * scale_.v, 0.1 * (scale_.z * a.inverse_h)),
                            sqrt(0.1 * tolerance_ * scale_.z * change));
    Turn t{{}, {}, a.step, slack};
    Lanes bend[3];
    bends(a, &Triple::v, bend);
    const Lanes middle = direction_ * between(0.5, y_.v, a.end.v, bend);
    const Mask early = middle < -slack;
    // A lane that turned without a step takes the next one as it is.
    t.turns = good && !turned_ && (direction_ * a.end.v < -slack || early);
    if (!t.turns.any()) return t;
    // Regula falsi with the weights of Illinois, short of the end so that every cut is shorter.
    const auto velocity = [&](const Lanes& s) {
      return direction_ * between(s, y_.v, a.end.v, bend);
    };
    Lanes low(0.0), high = select(early, Lanes(0.5), Lanes(1.0)), s = high;
    Lanes at_low = max(Lanes(0.0), direction_ * y_.v);
    Lanes at_high = select(early, middle, direction_ * a.end.v);
    for (int k = 0; k < 6; ++k) {
      s = low + (high - low) * at_low / (at_low - at_high);
      const Lanes here = velocity(s);
      const Mask below = here < 0.0;
      high = select(below, s, high), low = select(below, low, s);
      at_high = select(below, here, 0.5 * at_high);
      at_low = select(below, 0.5 * at_low, here);
    }
    s = min(s, Lanes(0.99));
    t.step = s * a.step;
    t.at_once = t.turns && s <= 1e-8;
    return t;
  }

  // How much longer the next step may be, or how much shorter the next attempt: from the error, and
  // after a good step from the trend.
  Lanes factor(const Attempt& a, const Mask& good) const {
    const Lanes per_error = 1.0 / max(a.error, Lanes(1e-10));
    const Lanes trend = square(square(a.step * inverse_last_)) * last_error_ * per_error;
    const Lanes power =
        per_error * select(good && inverse_last_ > 0.0, min(Lanes(1.0), trend), Lanes(1.0));
    const Lanes root = min(Lanes(6.0), max(Lanes(0.2), safety * sqrt(sqrt(power))));
    return select(a.error < HUGE_VAL, root, Lanes(0.1));
  }

  template <bool square>
  [[gnu::flatten]] void iterate() {
    Attempt a;
    const Law law = for_attempt<square>(law_);
    attempt(law, linearise(law), a);
    const Mask good = a.error <= 1.0;
    const Turn turn = turning(a, good);
    const Mask taken = good && !turn.turns;
    const Mask beyond = direction_ * a.end.v <= 0.0;
    const Mask reversed =
        (taken && abs(a.end.v) <= turn.slack && (cutting_ || beyond)) || turn.at_once;
    if (observer_) observe(taken, a);

    // A step shortened only to reach the end, or to end at a reversal, says little about the next.
    const Lanes longer = a.step * factor(a, good);
    const Lanes after = select(a.reaches && a.step < 0.5 * h_, h_, longer);
    const Lanes taken_up = select(cutting_, max(kept_, a.step), after);
    kept_ = select(turn.turns && !cutting_, a.step, kept_);
    h_ = select(turn.at_once, a.step,
                select(taken, taken_up, select(turn.turns, turn.step, longer)));
    inverse_last_ = select(taken, a.inverse_h, inverse_last_);
    last_error_ = select(taken, max(a.error, Lanes(1e-2)), last_error_);
    steps_ = steps_ + select(taken, Lanes(1.0), Lanes(0.0));
    rejected_ = rejected_ + select(taken, Lanes(0.0), Lanes(1.0));
    t_ = select(taken, select(a.reaches, end_, t_ + a.step), t_);
    y_ = {select(taken, a.end.x, y_.x), select(taken, a.end.v, y_.v), select(taken, a.end.z, y_.z)};
    extent_ = {max(extent_.x, abs(y_.x - origin_.x)), max(extent_.v, abs(y_.v)),
               max(extent_.z, abs(y_.z - origin_.z))};
    cutting_ = turn.turns && !turn.at_once;
    turned_ = turn.at_once;
    direction_ = select(reversed, -direction_, direction_);

    const Mask small = h_ < 1e-15 * max(abs(t_), 1e-6 * end_);
    const Mask ended = t_ >= end_ || small || steps_ + rejected_ >= limit_;
    if (ended.any()) finish(ended, small);
  }

  void observe(const Mask& taken, const Attempt& a) {
    Lanes bend[3][3];
    bends(a, &Triple::x, bend[0]);
    bends(a, &Triple::v, bend[1]);
    bends(a, &Triple::z, bend[2]);
    for (int i = 0; i < width; ++i) {
      if (run_[i] == idle || !taken[i]) continue;
      LaneStep s{t_[i],
                 a.step[i],
                 direction_[i],
                 {y_.x[i], y_.v[i], y_.z[i]},
                 {a.end.x[i], a.end.v[i], a.end.z[i]},
                 {}};
      for (int k = 0; k < 3; ++k)
        for (int j = 0; j < 3; ++j) s.bend[k][j] = bend[k][j][i];
      observer_->step(run_[i], s);
    }
  }

  void finish(const Mask& ended, const Mask& small) {
    for (int i = 0; i < width; ++i) {
      if (!ended[i]) continue;
      if (run_[i] != idle) {
        ends_[run_[i]] = {t_[i],
                          {y_.x[i], y_.v[i], y_.z[i]},
                          {extent_.x[i], extent_.v[i], extent_.z[i]},
                          steps_[i],
                          rejected_[i],
                          t_[i] >= end_[i] ? LaneEnd::done
                          : small[i]       ? LaneEnd::step_too_small
                                           : LaneEnd::step_limit};
        --busy_;
      }
      load(i);
    }
  }

  static void set(Triple& all, int lane, double x, double v, double z) {
    all.x.set(lane, x), all.v.set(lane, v), all.z.set(lane, z);
  }
  // Gives a lane its next run; where none is left, a body at rest that is never at its end.
  void load(int i) {
    static constexpr LaneRun nothing{};
    const bool left = next_ < count_;
    run_[i] = left ? next_ : idle;
    const LaneRun& run = left ? runs_[next_++] : nothing;
    busy_ += left;
    const Law usual{};
    int k = 0;
    for (const auto& field : table)
      if (field.number)
        (law_.*(field.number)).set(i, left ? run.parameters[k++] : (usual.*(field.number))[i]);
    inverse_mass_.set(i, 1.0 / run.mass), spring_.set(i, run.spring);
    drag_.set(i, run.drag_velocity), load_.set(i, run.load);
    set(y_, i, run.start[0], run.start[1], run.start[2]);
    set(origin_, i, run.start[0], 0.0, run.start[2]);
    set(scale_, i, run.scales[0], run.scales[1], run.scales[2]);
    set(extent_, i, 0.0, 0.0, 0.0);
    t_.set(i, 0.0), end_.set(i, left ? run.end : HUGE_VAL), longest_.set(i, run.end / 10.0);
    tolerance_.set(i, run.tolerance), inverse_tolerance_.set(i, 1.0 / run.tolerance);
    rounding_.set(i, 1e-15 / run.tolerance), limit_.set(i, left ? run.step_limit : HUGE_VAL);
    inverse_last_.set(i, 0.0), last_error_.set(i, 1.0), kept_.set(i, 0.0);
    steps_.set(i, 0.0), rejected_.set(i, 0.0);
    cutting_.set(i, false), turned_.set(i, false);
    start(i, run);
  }

  // At rest the body takes the side to which it is accelerated; the first step moves no state by
  // more than a hundredth of its scale.
  void start(int i, const LaneRun& run) {
    direction_.set(i, run.start[1] < 0.0 ? -1.0 : 1.0);
    Triple f = rates(law_, t_, y_);
    if (run.start[1] == 0.0 && f.v[i] < 0.0) {
      direction_.set(i, -1.0);
      f = rates(law_, t_, y_);
    }
    double h = 1e-3 * longest_[i];
    const double size[] = {scale_.x[i], scale_.v[i], scale_.z[i]};
    const double rate[] = {f.x[i], f.v[i], f.z[i]};
    for (int k = 0; k < 3; ++k) {
      const double speed = __builtin_fabs(rate[k]);
      const double most = 1e-2 * size[k] / (speed > 1e-300 ? speed : 1e-300);
      h = h < most ? h : most;
    }
    h_.set(i, h);
  }

  const LaneRun* runs_;
  std::uint64_t count_, next_ = 0, busy_ = 0;
  LaneEnd* ends_;
  LaneObserver* observer_;
  std::uint64_t run_[width];
  Law law_{};
  Lanes inverse_mass_{1.0}, spring_{1.0}, drag_{0.0}, load_{1.0};
  Triple y_{0.0, 0.0, 0.0}, origin_{0.0, 0.0, 0.0}, scale_{1.0, 1.0, 1.0}, extent_{0.0, 0.0, 0.0};
  Lanes t_{0.0}, end_{HUGE_VAL}, h_{1.0}, longest_{1.0}, direction_{1.0};
  Lanes tolerance_{1e-8}, inverse_tolerance_{1e8}, rounding_{0.0}, limit_{HUGE_VAL};
  Lanes inverse_last_{0.0}, last_error_{1.0}, kept_{0.0}, steps_{0.0}, rejected_{0.0};
  Mask cutting_{}, turned_{};  // the step is one that ends at a reversal; the lane turned at rest
};

}  // namespace bristle::BRISTLE_LANES
