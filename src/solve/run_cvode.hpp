// SPDX-License-Identifier: MIT
// Bodies by CVODE: the second opinion with located events, and the Switch Model without.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/scalar/dual.hpp"
#include "cvode_stepper.hpp"
#include "finish.hpp"
#include "step_observer.hpp"

namespace bristle::detail {

// What both have in common. To an observer it looks like a method that holds a step.
template <class Sys>
class BodyByCvode : public CvodeStepper {
 public:
  static constexpr int N = Sys::size, All = N + 3;
  using State = typename Sys::State;
  using Extended = std::array<double, All>;

  BodyByCvode(const Sys& system, const State& start, const Options& options,
              StepObserver<Sys>& observe)
      : system_(system), options_(options), observe_(observe), mode_(system.start(0.0, start)) {
    y_.assign(All, 0.0);
    std::copy(start.begin(), start.end(), y_.begin());
    longest_ = std::min(system.longest_step(), options.end / 10.0);
  }

  static State states(const Extended& y) { return first_states(y.data()); }
  Extended y0() const { return dense(0.0); }
  Extended y1() const { return dense(1.0); }
  Extended dense(double s) const {
    Extended y;
    if (s == 0.0 || s == 1.0) std::copy_n((s == 0.0 ? first_ : y_).begin(), All, y.begin());
    else between(std::min(from_ + s * (t_ - from_), t_), y);
    return y;
  }
  std::array<double, 3> work() const { return {y_[N], y_[N + 1], y_[N + 2]}; }

 protected:
  static State first_states(const double* y) {
    State s;
    std::copy(y, y + N, s.begin());
    return s;
  }
  State now() const { return first_states(y_.data()); }
  double next_kink() const override { return system_.next_kink(t_); }
  void taken() override { observe_.step(*this, mode_, from_, t_); }
  void explain() override {
    const int known = method().not_finite();
    std::string_view column = known >= 0 ? not_finite_after(system_, t_, now(), mode_)
                                         : not_finite_at(system_, t_, now(), mode_);
    if (column.empty() && known >= 0) column = state_column<Sys>(known);
    if (column.empty()) return;
    report_.status = Status::not_finite;
    report_.not_finite = {column, t_};
  }
  // The absolute errors allowed per step. Quadratures are followed with the accuracy of the energy
  // of the run. A body held by a bristle moves as little as the bristle does: there position,
  // velocity and deflection are followed to a small part of the deflection.
  Extended allowed_errors(double tolerance) const {
    const auto scale = system_.scales();
    Extended all;
    all.fill(tolerance * system_.energy_scale());
    for (int i = 0; i < N; ++i) all[i] = tolerance * scale[i];
    if constexpr (!Sys::set_valued && Sys::moves) {
      const double deflection = 1e-2 * all[N - 1];
      all[N - 1] = deflection;
      all[0] = std::min(all[0], deflection);
      all[1] = std::min(all[1], deflection / longest_);
    }
    return all;
  }

  const Sys& system_;
  const Options& options_;
  StepObserver<Sys>& observe_;
  Mode mode_;
  double longest_ = 0.0;
};

// On the modes and guards of the default method.
template <class Sys>
class ModedBody final : public BodyByCvode<Sys> {
 public:
  using Base = BodyByCvode<Sys>;
  using Base::Base, Base::N, Base::All;

  void begin() {
    const double tolerance = step_tolerance(this->options_.tolerance);
    auto absolute = this->allowed_errors(tolerance);
    // Friction that falls with speed makes an error of a body that breaks away grow with its
    // velocity.
    if constexpr (Sys::set_valued && Sys::moves) absolute[1] *= 1e-2;
    if constexpr (Sys::moves) still_ = 1e-2 * absolute[1];
    settle();
    this->open(problem(), tolerance, absolute, this->longest_, this->options_.end);
  }

 private:
  using Base::mode_, Base::report_, Base::system_, Base::t_, Base::y_;
  using typename Base::State;

  CvodeProblem problem() {
    CvodeProblem p;
    p.size = All;
    p.guard_count = Sys::guards;
    p.rates = [this](double t, const double* y, double* dydt) {
      State rate{};
      std::array<double, 3> power{};
      system_.evaluate(t, Base::first_states(y), mode_, rate, power);
      std::copy(rate.begin(), rate.end(), dydt);
      std::copy(power.begin(), power.end(), dydt + N);
    };
    p.jacobian = [this](double t, const double* y, double* out) { jacobian(t, y, out); };
    p.guards = [this](double t, const double* y, double* g) {
      for (int i = 0; i < Sys::guards; ++i)
        g[i] = system_.guard(i, t, Base::first_states(y), mode_);
      // A velocity that falls below zero by less than its error may as well not: as a body breaks
      // away, its velocity is zero to rounding, of either sign.
      if (!(Sys::set_valued && mode_.stuck())) g[0] += still_;
    };
    return p;
  }
  void jacobian(double t, const double* y, double* out) const {
    using D = Dual<double, N + 1>;
    std::array<D, N> at{}, rate{};
    std::array<D, 3> power{};
    for (int i = 0; i < N; ++i) at[i] = variable<N + 1>(y[i], i);
    system_.evaluate(D(t), at, mode_, rate, power);
    std::fill(out, out + All * All, 0.0);
    for (int j = 0; j < N; ++j) {
      for (int i = 0; i < N; ++i) out[j * All + i] = rate[i].slope[j];
      for (int i = 0; i < 3; ++i) out[j * All + N + i] = power[i].slope[j];
    }
  }

  void cross(int guard) override {
    State at = this->now();
    const Mode before = mode_;
    mode_ = system_.after(guard, t_, at, mode_);
    // What was stored and is gone has been dissipated.
    if constexpr (!Sys::set_valued)
      y_[N + 2] += system_.stored(t_, at, before) - system_.stored(t_, at, mode_);
    std::copy(at.begin(), at.end(), y_.begin());
    this->observe_.event(guard, t_, at, before, mode_);
    ++report_.events;
    if (guard == 2) report_.status = Status::out_of_range;
  }
  void bend() override { mode_ = system_.start(t_, this->now(), mode_); }
  // Pieces of the law that end at this very instant would never be seen to: CVODE looks for
  // crossings.
  void settle() override {
    for (int i = 0; i < 100 && system_.guard(1, t_, this->now(), mode_) <= 0.0; ++i) cross(1);
  }

  double still_ = 0.0;  // a velocity that is none [m/s]
};

// The smoothed equations of the Switch Model, with differences for the Jacobian.
template <class Sys>
class SmoothedBody final : public BodyByCvode<Sys> {
 public:
  using Base = BodyByCvode<Sys>;
  using Base::Base, Base::N, Base::All;

  void begin() {
    const Options& o = this->options_;
    CvodeProblem problem;
    problem.size = All;
    problem.rates = [this, &o](double t, const double* y, double* dydt) {
      typename Base::State rate{};
      std::array<double, 3> power{};
      this->system_.switched(t, Base::first_states(y), o.switch_band, o.switch_time, rate, power);
      std::copy(rate.begin(), rate.end(), dydt);
      std::copy(power.begin(), power.end(), dydt + N);
    };
    auto absolute = this->allowed_errors(o.tolerance);
    // Errors must be well below the band, or steps jump over it.
    absolute[1] = std::min(absolute[1], 0.1 * o.switch_band);
    this->observe_.mode_at = [this](double t, const auto& y) { return mode_near(t, y); };
    this->open(std::move(problem), o.tolerance, absolute, this->longest_, o.end);
  }

 private:
  Mode mode_near(double t, const typename Base::State& y) const {
    Mode mode = this->system_.start(t, y);
    if (std::abs(y[1]) <= this->options_.switch_band) mode.branch.direction = 0.0;
    return mode;
  }
  // Nothing is located, not even kinks. Steps end there and at samples, which keeps them short
  // where the equations jump unseen.
  double next_kink() const override { return std::numeric_limits<double>::infinity(); }
  double next_stop() const override {
    const double kink = this->system_.next_kink(this->t_);
    const double sample = this->observe_.record.next_sample();
    return sample > this->t_ ? std::min(kink, sample) : kink;
  }
  void bend() override {}
};

template <class Body, class Sys>
Outcome run_cvode(const Sys& system, const typename Sys::State& start, const Options& options,
                  StepObserver<Sys>& observe) {
  Body body(system, start, options, observe);
  body.begin();
  Pacer looks;
  drive(body, options.end, options.step_limit, looks, [&] { return observe.cancelled(); });
  Outcome out;
  out.report = body.report();
  out.evaluations = body.evaluations();
  out.work = body.work();
  return out;
}

}  // namespace bristle::detail
