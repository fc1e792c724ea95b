// SPDX-License-Identifier: MIT
// Runs a body whose friction has modes: steps by DOP853 within a mode, locates where it is left.
//
// A contact gives
//   solve(t, x, v, push)       acceleration and force in its mode, for a relative motion m a = push
//   - F guards(), guard(k, ...)    what stays positive while the mode lasts change(k, t, x, v,
//   push)   the mode that follows when guard k is passed longest_step()             and optionally
//   accepted(t0, h, read), to remember velocities
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "bristle/solve/explicit_rk.hpp"
#include "bristle/solve/locate.hpp"
#include "bristle/solve/pacer.hpp"
#include "bristle/system/friction_oscillator.hpp"
#include "oscillator_numbers.hpp"

namespace bristle::detail {

struct Solved {
  double acceleration = 0.0, force = 0.0;
};

template <class Body, class Contact>
struct ContactSystem {
  static constexpr int size = Body::size;
  static constexpr int powers = 3;
  using State = std::array<double, size>;

  Body& body;
  Contact& contact;

  Solved solve(double t, const State& y) const {
    return contact.solve(t, body.position(y), body.velocity(y), body.push(t, y));
  }
  void rates(double t, const State& y, const Mode&, State& rate) const {
    const Solved s = solve(t, y);
    body.rates(t, y, s.acceleration, s.force, rate);
  }
  void evaluate(double t, const State& y, const Mode&, State& rate,
                std::array<double, powers>& power) const {
    const Solved s = solve(t, y);
    body.rates(t, y, s.acceleration, s.force, rate);
    power = body.powers(t, y, s.force);
  }
  double guard(int k, double t, const State& y) const {
    return contact.guard(k, t, body.position(y), body.velocity(y), body.push(t, y));
  }
};

template <class Body, class Contact>
class ContactRun {
 public:
  using System = ContactSystem<Body, Contact>;
  using Flow = Explicit<System>;
  using State = typename Flow::State;
  using Extended = typename Flow::Extended;

  ContactRun(Body& body, Contact& contact, const FrictionOscillator& o, const Options& options)
      : body_(body),
        contact_(contact),
        o_(o),
        options_(options),
        system_{body, contact},
        flow_(system_) {}

  OscillatorRun operator()(const State& start, double t0) {
    const auto began = std::chrono::steady_clock::now();
    t_ = t0;
    for (int i = 0; i < Body::size; ++i) y_[i] = start[i];
    scale();
    // Room for all samples, so that recording allocates nothing.
    for (auto* column : columns()) column->reserve(std::size_t(options_.samples));
    r_.events.reserve(4096);
    body_.piece = o_.base.piece(t_);
    const double first_energy = body_.energy(t_, start);
    contact_.begin(t_, body_.position(start), body_.velocity(start), body_.push(t_, start));
    if (next_sample() <= t_) record(t_, y_);
    while (t_ < options_.end && r_.status == Status::done) step();
    finish(first_energy);
    r_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return std::move(r_);
  }

 private:
  std::array<std::vector<double>*, 12> columns() {
    return {&r_.time,         &r_.base,          &r_.position,          &r_.velocity,
            &r_.acceleration, &r_.force,         &r_.body_acceleration, &r_.mode,
            &r_.work_in,      &r_.friction_work, &r_.dissipated,        &r_.stored};
  }
  void scale() {
    const double stiff = std::max(o_.spring, 1.0);
    reach_ = std::max({std::abs(o_.base.scale()), std::abs(o_.position), 0.1 * o_.load / stiff});
    pace_ = std::max(std::abs(o_.velocity), reach_ * std::sqrt(stiff / o_.mass));
    const State s = body_.scales(reach_, pace_);
    for (int i = 0; i < Body::size; ++i) scales_[i] = s[i];
    for (int i = Body::size; i < Flow::All; ++i) scales_[i] = 0.5 * o_.mass * pace_ * pace_;
    stop_ = std::min(options_.end, o_.base.next_kink(t_));
    longest_ = std::min({o_.base.longest_step(), contact_.longest_step(), options_.end / 20.0});
    h_ = std::min(longest_, 1e-4);
  }
  double next_sample() const {
    const std::size_t n = r_.time.size(), count = std::size_t(options_.samples);
    if (n >= count || r_.status == Status::cancelled)
      return std::numeric_limits<double>::infinity();
    if (n + 1 == count) return options_.end;
    return options_.record_from +
           (options_.end - options_.record_from) * double(n) / double(count - 1);
  }
  void record(double t, const Extended& y) {
    const State s = Flow::states(y);
    const Solved now = system_.solve(t, s);
    r_.time.push_back(t);
    r_.base.push_back(o_.base.value(t, body_.piece));
    r_.position.push_back(body_.position(s));
    r_.velocity.push_back(body_.velocity(s));
    r_.acceleration.push_back(now.acceleration);
    r_.body_acceleration.push_back(body_.body_acceleration(t, s, now.force));
    if constexpr (requires { body_.transducer(s); }) {
      r_.body_position.push_back(body_.body_position(s));
      r_.body_velocity.push_back(body_.body_velocity(s));
      r_.transducer.push_back(body_.transducer(s));
    }
    r_.force.push_back(now.force);
    r_.mode.push_back(double(contact_.mode));
    r_.work_in.push_back(y[Body::size]);
    r_.friction_work.push_back(y[Body::size + 1]);
    r_.dissipated.push_back(y[Body::size + 1] + y[Body::size + 2]);
    r_.stored.push_back(body_.energy(t, s));
    look_at_last_sample(r_);
    // One step may hold any number of samples.
    if (pace_of_looks_.due() && options_.cancelled(t / options_.end)) r_.status = Status::cancelled;
  }
  double worst() const {
    double w = 0.0;
    for (int i = 0; i < Flow::All; ++i) {
      const double size = std::max(scales_[i], std::abs(flow_.y1()[i]));
      const double part = std::abs(flow_.error()[i]) / (options_.tolerance * size);
      w = part <= w ? w : part;  // NaN stays
    }
    return w;
  }

  // The guard first passed within the step, and where; -1 if none.
  int passed(double use, double& at) {
    int which = -1;
    at = 1.0;
    for (int k = 0; k < contact_.guards(); ++k) {
      double low = 0.0, at_low = system_.guard(k, t_, Flow::states(y_));
      if (at_low <= 0.0 || changed_) {
        // A mode begins on its border, to rounding: which way it goes shows a little later.
        const double later = system_.guard(k, t_ + 1e-3 * use, flow_.rough(1e-3));
        if (at_low <= 1e-9 * std::abs(later)) {
          if (later < 0.0 && later < at_low) return at = 0.0, k;
          low = 1e-3, at_low = later;
        }
      }
      for (const double s : {0.5, 1.0}) {
        if (low >= at) break;
        const double value =
            system_.guard(k, t_ + s * use, s == 1.0 ? Flow::states(flow_.y1()) : flow_.rough(s));
        if (value < 0.0 && at_low > 0.0) {
          const double found = locate(
              [&](double part) {
                return system_.guard(k, t_ + part * use, flow_.dense_states(part));
              },
              low, at_low, s, value, 1e-13, true);
          if (found < at || which < 0) at = found, which = k;
          break;
        }
        low = s;
        at_low = value;
      }
    }
    return which;
  }
  // Steps to where guard k is passed, and once more where the interpolation was off.
  double settle(int k, double use, double at) {
    double time = at * use, slope = 0.0;
    const double first = system_.guard(k, t_, Flow::states(y_));
    for (int turn = 0; turn < 4; ++turn) {
      flow_.step(time);
      const double off = system_.guard(k, t_ + time, Flow::states(flow_.y1()));
      if (turn == 0 || slope == 0.0) {
        // The slope from a point just before.
        const double near = 1e-3 * time;
        slope = (off - system_.guard(k, t_ + time - near, flow_.dense_states(1.0 - 1e-3))) / near;
      }
      if (!(slope < 0.0) || std::abs(off) <= 1e-15 * std::abs(first)) break;
      const double by = -off / slope;
      if (std::abs(by) <= 4e-16 * std::max(t_ + time, 1e-3) || time + by <= 0.0 || time + by > use)
        break;
      time += by;
    }
    return time;
  }

  void step() {
    if (r_.steps + r_.rejected >= long(options_.step_limit)) {
      r_.status = Status::step_limit;
      return;
    }
    if (pace_of_looks_.due() && options_.cancelled(t_ / options_.end)) {
      r_.status = Status::cancelled;
      return;
    }
    if (fresh_) flow_.prepare(t_, y_, {});
    double use = std::min({h_, longest_, stop_ - t_});
    bool to_stop = use * (1.0 + 1e-9) >= stop_ - t_;
    if (to_stop) use = stop_ - t_;
    flow_.step(use);
    const double error = worst();
    if (!(error <= 1.0)) {
      ++r_.rejected;
      fresh_ = false;
      h_ = use * (std::isfinite(error) ? std::clamp(0.9 / Flow::root(error), 0.2, 0.9) : 0.2);
      if (h_ < 1e-15 * std::max(t_, 1e-3)) give_up(error);
      return;
    }
    fresh_ = true;
    double at = 1.0;
    const int k = passed(use, at);
    if (k >= 0 && at <= 0.0) {
      change(k);
      // Modes that send each other away see too far: they pass a second border on the way.
      if (++idle_ > 3) h_ = 0.1 * use;
      if (idle_ > 1000 || h_ < 1e-15 * std::max(t_, 1e-3)) r_.status = Status::chattering;
      return;
    }
    if (k >= 0) {
      use = settle(k, use, at);
      to_stop = false;
    }
    advance(to_stop ? stop_ : t_ + use, use);
    if (k >= 0) change(k);
    if (to_stop) {
      body_.piece = o_.base.piece(t_);
      stop_ = std::min(options_.end, o_.base.next_kink(t_));
    }
    if (k < 0 && !to_stop)
      h_ = use * std::clamp(0.9 / Flow::root(std::max(error, 1e-10)), 0.3, 5.0);
  }

  // Either the error cannot be met, or what follows is not finite however short the step is.
  void give_up(double error) {
    r_.status = Status::step_too_small;
    const State y = Flow::states(y_);
    const Solved now = system_.solve(t_, y);
    const bool force = std::isfinite(now.force), pace = std::isfinite(now.acceleration);
    if (force && pace && !std::isnan(error)) return;
    r_.status = Status::not_finite;
    r_.not_finite = {force ? pace ? "velocity" : "acceleration" : "force", t_};
  }

  void advance(double next, double use) {
    ++r_.steps;
    idle_ = use > 1e-14 * std::max(t_, 1e-3) ? 0 : idle_ + 1;
    for (double s = next_sample(); s < next || (s == next && next == options_.end);
         s = next_sample())
      record(s, s == next ? flow_.y1() : flow_.dense(std::min(1.0, (s - t_) / use)));
    if constexpr (requires { contact_.accepted(0.0, 0.0, [](double) { return Solved{}; }); })
      contact_.accepted(t_, use, [&](double part) {
        const State y = part >= 1.0 ? Flow::states(flow_.y1()) : flow_.dense_states(part);
        return std::pair{body_.velocity(y), system_.solve(t_ + part * use, y).acceleration};
      });
    y_ = flow_.y1();
    t_ = next;
    changed_ = false;
  }
  void change(int k) {
    changed_ = true;
    const State y = Flow::states(y_);
    contact_.change(k, t_, body_.position(y), body_.velocity(y), body_.push(t_, y));
    if (t_ < options_.record_from || r_.events.size() >= 1000000) return;
    const Solved now = system_.solve(t_, y);
    r_.events.push_back({t_, contact_.mode, body_.position(y), body_.velocity(y), now.force});
  }
  void finish(double first_energy) {
    const State y = Flow::states(y_);
    const double in = y_[Body::size], lost = y_[Body::size + 1] + y_[Body::size + 2];
    const double left = body_.energy(t_, y) - first_energy;
    const double most = std::max({std::abs(in), std::abs(lost), std::abs(left), 1e-300});
    r_.ledger_error = std::abs(in - lost - left) / most;
    r_.turned_back = contact_.turned_back;
    r_.last.time = t_;
    r_.last.states.assign(y.begin(), y.end());
    judge_numbers(r_, t_);
    r_.message = std::to_string(r_.steps) + " steps to " + words(t_) + " s with " +
                 std::to_string(r_.events.size()) + " changes of the contact.";
  }

  Body& body_;
  Contact& contact_;
  const FrictionOscillator& o_;
  const Options& options_;
  System system_;
  Flow flow_;
  OscillatorRun r_;
  Extended y_{}, scales_{};
  double t_ = 0.0, h_ = 0.0, stop_ = 0.0, longest_ = 0.0, reach_ = 0.0, pace_ = 0.0;
  int idle_ = 0;
  bool fresh_ = true;
  bool changed_ = false;  // the mode began here
  Pacer pace_of_looks_;
};

}  // namespace bristle::detail
