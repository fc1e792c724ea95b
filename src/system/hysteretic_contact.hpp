// SPDX-License-Identifier: MIT
// The modes of a law of the hysteretic family: what contact_run.hpp asks of a contact.
#pragma once

#include <cmath>
#include <limits>

#include "bristle/scalar/dual.hpp"
#include "contact_run.hpp"

namespace bristle::detail {

class HystereticContact {
 public:
  using Law = HystereticStatic<>;

  HystereticContact(const Law& law, double load, double mass, const RoughSurface* surface)
      : law_(law), load_(load), mass_(mass), surface_(surface) {}

  ContactMode mode = ContactMode::slows_down;
  double side = 1.0, anchor = 0.0, start = 0.0;
  long turned_back = 0;
  bool begun = false;

  double longest_step() const { return std::numeric_limits<double>::infinity(); }
  // The acceleration at the end of a step is where the search of the next ones begins.
  template <class Read>
  void accepted(double, double, const Read& read) {
    const double a = read(1.0).second;
    guess_ = std::isfinite(a) ? side * a : 0.0;
  }

  // A body that moves at the start is taken to have slid before; at rest it begins as after a
  // reversal.
  void begin(double t, double x, double v, double push) {
    if (begun) return;
    begun = true;
    if (v == 0.0) {
      side = push < 0.0 ? 1.0 : -1.0;
      return turn(t, x, 0.0, push);
    }
    side = v > 0.0 ? 1.0 : -1.0;
    anchor = -side * 1e30;
    const double p = side * push, speed = side * v;
    if (p < load_ * kinetic(speed, 0.0, -1.0, v)) mode = ContactMode::slows_down;
    else if (p > load_ * kinetic(speed, 0.0, 1.0, v)) mode = ContactMode::speeds_up;
    else mode = ContactMode::holds;
  }

  Solved solve(double, double x, double v, double push) const {
    const double p = side * push;
    switch (mode) {
      case ContactMode::yields: {
        const double f = yielding(x);
        return {side * (p - load_ * f) / mass_, side * load_ * f};
      }
      case ContactMode::holds:
      case ContactMode::sticks: return {0.0, push};
      default: {
        const double b = along(v, p);
        return {side * b, push - mass_ * side * b};
      }
    }
  }

  int guards() const {
    return mode == ContactMode::speeds_up || mode == ContactMode::sticks ? 1 : 2;
  }
  double guard(int k, double, double x, double v, double push) const {
    const double p = side * push, speed = side * v;
    switch (mode) {
      case ContactMode::yields: {
        const double f = yielding(x), b = (p - load_ * f) / mass_;
        return k == 0 ? kinetic(speed, b, 1.0, v) - f : b;
      }
      case ContactMode::speeds_up: return along(v, p);
      case ContactMode::holds:
        return k == 0 ? p / load_ - kinetic(speed, 0.0, -1.0, v) : upper(x, v) - p / load_;
      case ContactMode::slows_down: return k == 0 ? -along(v, p) : speed;
      default: return kinetic(0.0, 0.0, 1.0, 0.0) - std::abs(push) / load_;
    }
  }

  void change(int k, double t, double x, double v, double push) {
    const double speed = side * v;
    switch (mode) {
      case ContactMode::yields:
        if (k == 0) mode = ContactMode::speeds_up;
        else
          mode = yielding(x) < kinetic(speed, 0.0, -1.0, v) ? ContactMode::slows_down
                                                            : ContactMode::holds;
        break;
      case ContactMode::speeds_up: mode = ContactMode::holds; break;
      case ContactMode::holds:
        if (k == 0) mode = ContactMode::slows_down;
        else mode = yielding_first(x, v) ? ContactMode::yields : ContactMode::speeds_up;
        break;
      case ContactMode::slows_down:
        if (k == 1) return turn(t, x, v, push);
        mode = law_.yields() && yielding(x) < kinetic(speed, 0.0, -1.0, v) ? ContactMode::yields
                                                                           : ContactMode::holds;
        break;
      case ContactMode::sticks:
        side = push < 0.0 ? -1.0 : 1.0;
        mode = ContactMode::speeds_up;
        break;
    }
  }

 private:
  double kinetic(double speed, double b, double way, double v) const {
    return law_.kinetic(speed, b, way, surface_ ? (*surface_)(v) : 0.0);
  }
  double yielding(double x) const { return law_.compliant(side * (x - anchor), load_, start); }
  bool yielding_first(double x, double v) const {
    return law_.yields() && yielding(x) < kinetic(side * v, 0.0, 1.0, v);
  }
  double upper(double x, double v) const {
    const double f = kinetic(side * v, 0.0, 1.0, v);
    return law_.yields() ? std::min(f, yielding(x)) : f;
  }

  // The acceleration along the motion: m b + load f(speed, b) = p, which has one solution for a
  // mass above the steepest slope of the law.
  double along(double v, double p) const {
    using D = Dual<double, 1>;
    const double way = mode == ContactMode::speeds_up ? 1.0 : -1.0;
    const double rough = surface_ ? (*surface_)(v) : 0.0;
    const D speed(side * v);
    double b = guess_;
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    for (int i = 0; i < 60; ++i) {
      D at(b);
      at.slope[0] = 1.0;
      const D off = mass_ * at + load_ * law_.kinetic(speed, at, way, rough) - p;
      (off.value > 0.0 ? high : low) = b;
      double next = b - off.value / off.slope[0];
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      const double by = next - b;
      b = next;
      if (!(std::abs(by) > 1e-15 * (std::abs(b) + 1.0))) break;
    }
    return b;
  }

  // Rest, on the way from one direction to the other.
  void turn(double, double x, double v, double push) {
    if (!law_.yields()) {
      const double p = std::abs(push) / load_;
      mode = p <= kinetic(0.0, 0.0, 1.0, 0.0) ? ContactMode::sticks : ContactMode::speeds_up;
      if (mode == ContactMode::speeds_up) side = push < 0.0 ? -1.0 : 1.0;
      return;
    }
    const double ended = (side * push - mass_ * along(v, side * push)) / load_;
    start = law_.start_coefficient(ended);
    anchor = x;
    side = -side;
    mode = ContactMode::yields;
    if (side * push + load_ * start > 0.0) return;
    // The contact pushes back harder than what drives the body: it turns round.
    side = -side;
    ++turned_back;
  }

  const Law& law_;
  double load_, mass_;
  const RoughSurface* surface_;
  double guess_ = 0.0;
};

}  // namespace bristle::detail
