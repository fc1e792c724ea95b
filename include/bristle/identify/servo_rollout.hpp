// SPDX-License-Identifier: MIT
// A free rollout of a servo pendulum: from the first sample on only the goal is given.
//
// Between two samples the time is cut into equal steps no longer than `step`. A step while sliding
// is a midpoint rule; where the velocity would change sign it ends at rest, at the time that a
// constant acceleration gives, and the rest of the step goes on from there. At rest the pendulum
// stays, with a velocity of exactly zero, as long as the torques lie in the interval of the law at
// the load of the hanging pendulum. The positions are of second order in the step between stops;
// a start from rest is found to a step, which costs no order since the acceleration begins there
// at zero (servo_step_error measures what is left).
//
// For a scalar with derivatives the branches follow the values. That derivative is exact for the
// steps as they are: at a stop it keeps the position and drops the velocity, as it must, and at a
// start there is nothing to correct. A change that makes a stop appear or vanish is a jump no
// derivative sees.
#pragma once

#include <cmath>
#include <span>

#include "bristle/identify/servo_run.hpp"
#include "bristle/mechanism/servo_pendulum.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {

// Energy since the start [J]; closing = work - dissipated - stored.
struct ServoLedger {
  double work = 0.0;
  double dissipated = 0.0;
  double stored = 0.0;
  double closing = 0.0;
  long steps = 0;
  long stops = 0;
};

// The same parameters in plain numbers.
template <template <class> class Owner, class T>
Owner<double> plain_numbers(const Owner<T>& owner) {
  Owner<double> plain;
  const auto from = Owner<T>::fields();
  const auto to = Owner<double>::fields();
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i].number) plain.*to[i].number = double(value_of(owner.*from[i].number));
    else plain.*to[i].choice = owner.*from[i].choice;
  return plain;
}

template <class Law, class T>
class ServoRollout {
 public:
  ServoRollout(const Law& law, const ServoPendulum<T>& pendulum)
      : law_(law), plain_(plain_numbers(law)), p_(pendulum), inertia_(p_.load_inertia()) {}

  // Writes one position per sample of the run. Does not allocate. Throws Cancelled if all work is
  // to stop.
  ServoLedger operator()(const ServoRun& run, double step, std::span<T> positions) {
    ledger_ = {};
    gain_ = run.gain;
    q_ = T(run.position.front());
    v_ = T(0.0);
    const double first = value_of(p_.energy(q_, v_));
    positions[0] = q_;
    QuickLook stop;
    stop_if_asked();
    for (std::size_t k = 1; k < run.time.size(); ++k) {
      const double width = run.time[k] - run.time[k - 1];
      const long count = std::max(1L, long(std::ceil(width / step * (1.0 - 1e-9))));
      const double h = width / double(count);
      const double rise = (run.goal[k] - run.goal[k - 1]) / double(count);
      on_ = run.enabled[k - 1] != 0.0;
      for (long i = 0; i < count; ++i) {
        stop();
        goal_ = run.goal[k - 1] + rise * double(i);
        advance(h, 0.5 * rise);
      }
      positions[k] = q_;
    }
    ledger_.stored = value_of(p_.energy(q_, v_)) - first;
    ledger_.closing = ledger_.work - ledger_.dissipated - ledger_.stored;
    return ledger_;
  }

 private:
  void advance(double h, double half_rise) {
    ++ledger_.steps;
    T left = T(h);
    if (phase(h, half_rise, left)) return;
    // What is left of the step after a stop, which may hold another one.
    for (int i = 0; i < 3 && value_of(left) > 0.0; ++i) {
      const T rest = left;
      if (phase(rest, half_rise, left)) return;
    }
  }

  // One smooth piece; true if it reached the end of the step, else `left` is what remains.
  template <class H>
  bool phase(const H& h, double half_rise, T& left) {
    const double side = direction();
    if (side == 0.0) return true;
    const T a0 = balance(q_, v_, goal_, side).acceleration;
    const T half = 0.5 * h * a0;
    T vm = v_ + half;
    if (side * value_of(vm) < 0.0) vm = T(0.0);
    const T qm = q_ + 0.5 * h * v_;
    const auto middle = balance(qm, vm, goal_ + half_rise, side);
    const T v1 = v_ + h * middle.acceleration;
    if (side * value_of(v1) > 0.0) {
      move(0.5 * h * (v_ + v1), middle);
      v_ = v1;
      return true;
    }
    // It comes to rest on the way; one that did not even start waits for the next step.
    const bool started = value_of(v_) != 0.0;
    if (started) {
      ++ledger_.stops;
      const T used = -(v_ / middle.acceleration);
      move(0.5 * used * v_, middle);
      left = h - used;
    }
    v_ = T(0.0);
    return !started;
  }

  void move(const T& way, const ServoBalance<T>& middle) {
    q_ = q_ + way;
    ledger_.work += value_of(motor_) * value_of(way);
    ledger_.dissipated += value_of(middle.friction) * value_of(way);
  }

  // The sign of the motion, also of one about to begin; zero if the gear holds.
  double direction() const {
    const double v = value_of(v_);
    if (v != 0.0) return v > 0.0 ? 1.0 : -1.0;
    const double load = value_of(p_.gravity_torque(q_));
    const double pull = load + value_of(p_.motor_torque(gain_, goal_, on_, q_, v_));
    const Interval<double> held = plain_.limits(Motion<double>{0.0, 0.0, load});
    return pull > held.upper ? 1.0 : pull < held.lower ? -1.0 : 0.0;
  }

  ServoBalance<T> balance(const T& q, const T& v, double goal, double side) {
    motor_ = p_.motor_torque(gain_, goal, on_, q, v);
    return servo_balance(law_, plain_, inertia_, p_.armature, motor_, p_.gravity_torque(q), v,
                         side);
  }

  Law law_;
  decltype(plain_numbers(std::declval<Law>())) plain_;
  ServoPendulum<T> p_;
  T inertia_;
  T q_{}, v_{}, motor_{};
  double gain_ = 0.0, goal_ = 0.0;
  bool on_ = true;
  ServoLedger ledger_;
};

// One rollout in plain numbers.
template <class Law>
ServoLedger servo_rollout(const Law& law, const ServoPendulum<>& pendulum, const ServoRun& run,
                          double step, std::span<double> positions) {
  return ServoRollout<Law, double>(law, pendulum)(run, step, positions);
}

}  // namespace bristle
