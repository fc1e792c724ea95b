// SPDX-License-Identifier: MIT
// The modes of the seven-parameter model: what contact_run.hpp asks of a contact. It remembers the
// velocities of one delay on a grid, so that nothing is allocated on the way.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "contact_run.hpp"

namespace bristle::detail {

// Velocities at equal distances of time, read by the cubics through values and slopes.
class VelocityHistory {
 public:
  explicit VelocityHistory(double delay) : width_(delay / intervals) {}

  void begin(double t, double v) {
    nodes_.fill({v, 0.0});
    last_ = {v, 0.0};
    count_ = long(std::floor(t / width_));
    time_ = t;
  }
  template <class Read>
  void accepted(double t0, double h, const Read& read) {
    while (width_ * double(count_ + 1) <= t0 + h) {
      ++count_;
      const auto [v, a] = read((width_ * double(count_) - t0) / h);
      nodes_[std::size_t(count_) % nodes_.size()] = {v, a};
    }
    const auto [v, a] = read(1.0);
    last_ = {v, a};
    time_ = t0 + h;
  }
  double at(double t) const {
    const long i = long(std::floor(t / width_));
    if (t <= 0.0 || i < count_ - long(nodes_.size()) + 1) return oldest(i);
    const Node& left = nodes_[std::size_t(i) % nodes_.size()];
    const double from = width_ * double(i);
    // The last piece ends at the present.
    const bool whole = i < count_;
    const Node& right = whole ? nodes_[std::size_t(i + 1) % nodes_.size()] : last_;
    const double h = whole ? width_ : time_ - from;
    if (!(h > 0.0)) return left.v;
    const double s = (t - from) / h, rise = right.v - left.v;
    return left.v +
           s * (rise + (1.0 - s) * ((1.0 - s) * (h * left.a - rise) - s * (h * right.a - rise)));
  }

 private:
  struct Node {
    double v = 0.0, a = 0.0;
  };
  static constexpr int intervals = 64;

  double oldest(long i) const { return nodes_[std::size_t(std::max(i, 0L)) % nodes_.size()].v; }

  double width_;
  std::array<Node, 4 * intervals> nodes_{};
  Node last_{};
  long count_ = 0;
  double time_ = 0.0;
};

class SevenContact {
 public:
  SevenContact(const SevenParameter& law, double mass)
      : law_(law), mass_(mass), rise_(law.static_rise), history_(law.delay) {}

  ContactMode mode = ContactMode::sticks;
  long turned_back = 0;

  // The delayed velocity must be known within a step.
  double longest_step() const {
    return law_.delay > 0.0 ? law_.delay : std::numeric_limits<double>::infinity();
  }
  void begin(double t, double x, double v, double) {
    if (law_.delay > 0.0) history_.begin(t, v);
    anchor_ = x;
    since_ = t;
    if (v == 0.0) return;
    side_ = v > 0.0 ? 1.0 : -1.0;
    mode = ContactMode::speeds_up;
  }

  Solved solve(double t, double x, double v, double push) const {
    const double force = mode == ContactMode::sticks
                             ? held_ + law_.stiffness * (x - anchor_)
                             : side_ * law_.slipping(side_ * v, delayed(t, v), rise_);
    return {(push - force) / mass_, force};
  }

  int guards() const { return 1; }
  double guard(int, double t, double x, double v, double) const {
    if (mode != ContactMode::sticks) return side_ * v;
    const double limit = law_.coulomb_force + law_.rise_after(ended_, std::max(t - since_, 0.0));
    return limit - std::abs(held_ + law_.stiffness * (x - anchor_));
  }
  void change(int, double t, double x, double v, double) {
    if (mode == ContactMode::sticks) {
      side_ = held_ + law_.stiffness * (x - anchor_) > 0.0 ? 1.0 : -1.0;
      rise_ = law_.rise_after(ended_, t - since_);
      mode = ContactMode::speeds_up;
      // A body that the contact lets go on its way back slips on backwards.
      if (side_ * v < 0.0) side_ = -side_;
      return;
    }
    const double past = delayed(t, v);
    held_ = side_ * law_.slipping(0.0, past, rise_);
    ended_ = rise_ * law_.fall(past);
    anchor_ = x;
    since_ = t;
    mode = ContactMode::sticks;
  }
  template <class Read>
  void accepted(double t0, double h, const Read& read) {
    if (law_.delay > 0.0) history_.accepted(t0, h, read);
  }

 private:
  double delayed(double t, double v) const {
    return law_.delay > 0.0 ? history_.at(t - law_.delay) : v;
  }

  const SevenParameter& law_;
  double mass_;
  double rise_, held_ = 0.0, anchor_ = 0.0, since_ = 0.0, ended_ = 0.0, side_ = 1.0;
  VelocityHistory history_;
};

}  // namespace bristle::detail
