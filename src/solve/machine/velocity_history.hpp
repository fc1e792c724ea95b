// SPDX-License-Identifier: MIT
// The velocities of a contact over the last delay of its law, at equal distances of time, read by
// the cubics through values and slopes. Nothing is allocated on the way.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace bristle::detail {

class VelocityHistory {
 public:
  struct Node {
    double velocity = 0.0, rate = 0.0;
  };

  explicit VelocityHistory(double delay) : delay_(delay), width_(delay / intervals) {}

  // Before the start the velocity was what it is there.
  void begin(double t, double velocity) {
    nodes_.fill({velocity, 0.0});
    last_ = {velocity, 0.0};
    count_ = std::floor(t / width_);
    time_ = t;
  }
  // Takes a step from t to t + h; read(part) gives velocity and rate at a part of it.
  template <class Read>
  void accept(double t, double h, const Read& read) {
    while (width_ * (count_ + 1.0) <= t + h) {
      count_ += 1.0;
      node(count_) = read((width_ * count_ - t) / h);
    }
    last_ = read(1.0);
    time_ = t + h;
  }
  // What was a delay before a time that is at most a delay after the last one taken.
  Node before(double time) const {
    const double t = time - delay_, i = std::floor(t / width_);
    if (t <= 0.0 || i < count_ - double(nodes_.size()) + 1.0) return {oldest(i), 0.0};
    const Node& left = node(i);
    const double from = width_ * i;
    // The last piece ends at the present.
    const bool whole = i < count_;
    const Node& right = whole ? node(i + 1.0) : last_;
    const double h = whole ? width_ : time_ - from;
    if (!(h > 0.0)) return left;
    const double s = (t - from) / h, rise = right.velocity - left.velocity;
    const double a = h * left.rate - rise, b = h * right.rate - rise;
    const double slope = rise + a * (1.0 - s) * (1.0 - 3.0 * s) + b * s * (3.0 * s - 2.0);
    return {left.velocity + s * (rise + (1.0 - s) * ((1.0 - s) * a - s * b)), slope / h};
  }

  // Everything that is remembered, as numbers.
  void save(std::vector<double>& values) const {
    for (const Node& one : nodes_) values.insert(values.end(), {one.velocity, one.rate});
    values.insert(values.end(), {last_.velocity, last_.rate, count_, time_});
  }
  static constexpr std::size_t numbers() { return 2 * std::size_t(room) + 4; }
  void restore(std::span<const double> values) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i] = {values[2 * i], values[2 * i + 1]};
    const std::size_t at = 2 * nodes_.size();
    last_ = {values[at], values[at + 1]};
    count_ = values[at + 2];
    time_ = values[at + 3];
  }

 private:
  static constexpr int intervals = 64, room = 4 * intervals;

  static std::size_t place(double i) {
    return std::size_t(std::fmod(std::max(i, 0.0), double(room)));
  }
  const Node& node(double i) const { return nodes_[place(i)]; }
  Node& node(double i) { return nodes_[place(i)]; }
  double oldest(double i) const { return node(i).velocity; }

  double delay_, width_;
  std::array<Node, room> nodes_{};
  Node last_{};
  double count_ = 0.0, time_ = 0.0;
};

}  // namespace bristle::detail
