// SPDX-License-Identifier: MIT
#include "bristle/model/play_sum.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/model/field.hpp"

namespace bristle {
namespace {

// Above this many plays the stack is faster than a vectorised loop (bench/operators).
constexpr std::size_t few = 48;

}  // namespace

PlaySum::PlaySum(PrandtlIshlinskii model, double input, std::vector<double> states, Way way)
    : model_(std::move(model)), way_(way) {
  model_.check();
  const std::size_t n = model_.thresholds.size();
  // Summed with extra digits, so that differences of far sums are right to rounding.
  weight_.resize(n + 1);
  moment_.resize(n + 1);
  long double weight = 0.0L, moment = 0.0L;
  for (std::size_t i = 0; i < n; ++i) {
    weight += model_.weights[i];
    moment += static_cast<long double>(model_.weights[i]) * model_.thresholds[i];
    weight_[i + 1] = static_cast<double>(weight);
    moment_[i + 1] = static_cast<double>(moment);
  }
  turns_.reserve(4096);
  reset(input, std::move(states));
}

void PlaySum::reset(double input, std::vector<double> states) {
  const std::size_t n = model_.thresholds.size();
  if (states.empty()) states.assign(n, 0.0);
  if (states.size() != n)
    throw InvalidInput("states", "there are " + std::to_string(n) + " plays and " +
                                     std::to_string(states.size()) + " states");
  for (const double x : states)
    if (!std::isfinite(x)) throw InvalidInput("states", "every state must be a finite number");
  if (!std::isfinite(input)) throw InvalidInput("input", "the input must be a finite number");
  state_ = std::move(states);
  stacked_ = false;
  input_ = input;
  value_ = model_.envelope(input);
  output_ = loop(value_);
  if (way_ == Way::stack || (way_ == Way::automatic && n > few)) enter_stack();
}

double PlaySum::update(double input) {
  if (input == input_) return output_;
  input_ = input;
  const double v = model_.envelope(input);
  if (stacked_) {
    output_ = stack(v);
  } else {
    output_ = loop(v);
    if (way_ == Way::stack || (way_ == Way::automatic && state_.size() > few)) enter_stack();
  }
  value_ = v;
  return output_;
}

double PlaySum::loop(double v) {
  const double* w = model_.thresholds.data();
  const double* p = model_.weights.data();
  double* x = state_.data();
  const std::size_t n = state_.size();
  // Four sums side by side: they can be kept in one register.
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t k = 0; k < 4; ++k) {
      const double high = v + w[i + k], low = v - w[i + k];
      const double down = x[i + k] < high ? x[i + k] : high;
      x[i + k] = down > low ? down : low;
      sum[k] += p[i + k] * x[i + k];
    }
  for (; i < n; ++i) {
    x[i] = std::max(v - w[i], std::min(v + w[i], x[i]));
    sum[0] += p[i] * x[i];
  }
  return model_.direct * v + ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

bool PlaySum::possible() const {
  const auto& w = model_.thresholds;
  for (std::size_t i = 1; i < state_.size(); ++i)
    if (std::abs(state_[i] - state_[i - 1]) > (w[i] - w[i - 1]) * (1.0 + 1e-12)) return false;
  return true;
}

void PlaySum::enter_stack() {
  if (!possible()) return;
  frozen_.resize(state_.size() + 1);
  long double sum = 0.0L;
  frozen_[0] = 0.0;
  for (std::size_t i = 0; i < state_.size(); ++i) {
    sum += static_cast<long double>(model_.weights[i]) * state_[i];
    frozen_[i + 1] = static_cast<double>(sum);
  }
  turns_.clear();
  sign_ = 0.0;
  moved_ = 0;
  stacked_ = true;
}

double PlaySum::beyond(std::size_t n) const {
  if (turns_.empty()) return frozen_.back() - frozen_[n];
  const Turn& top = turns_.back();
  return dragged(top.extreme, top.sign, n, top.end) + top.rest;
}

// The first play from `from` on, before `end`, whose threshold is not below the reach.
std::size_t PlaySum::caught(std::size_t from, std::size_t end, double reach) const {
  const double* w = model_.thresholds.data();
  std::size_t step = 1;
  while (from < end && w[from] < reach) {
    // Strides that double, then halves: the next few are the likely ones.
    if (from + step < end && w[from + step] < reach) {
      from += step;
      step *= 2;
    } else if (step > 1) {
      step /= 2;
    } else {
      return from + 1;
    }
  }
  return from;
}

double PlaySum::stack(double v) {
  const double sign = v > value_ ? 1.0 : -1.0;
  if (v == value_) return output_;
  if (sign != sign_) {
    if (moved_ > 0) turns_.push_back({value_, sign_, moved_, beyond(moved_)});
    sign_ = sign;
    moved_ = 0;
  }
  while (!turns_.empty()) {
    const Turn& top = turns_.back();
    if (top.sign != sign) {
      moved_ = caught(moved_, top.end, 0.5 * sign * (v - top.extreme));
      if (moved_ < top.end) break;
    } else {
      if (!(sign * (v - top.extreme) >= 0.0)) break;
      moved_ = top.end;
    }
    turns_.pop_back();
  }
  if (turns_.empty()) {
    // Plays that nothing has moved since the stack began.
    const auto& w = model_.thresholds;
    while (moved_ < state_.size() && sign * (v - state_[moved_]) > w[moved_]) ++moved_;
  }
  return model_.direct * v + (dragged(v, sign, 0, moved_) + beyond(moved_));
}

std::vector<double> PlaySum::states() const {
  std::vector<double> all = state_;
  if (!stacked_) return all;
  const auto& w = model_.thresholds;
  std::size_t i = 0;
  for (; i < moved_; ++i) all[i] = value_ - sign_ * w[i];
  for (std::size_t k = turns_.size(); k-- > 0;)
    for (; i < turns_[k].end; ++i) all[i] = turns_[k].extreme - turns_[k].sign * w[i];
  return all;
}

std::vector<double> PlaySum::save() const {
  std::vector<double> all{input_};
  const auto now = states();
  all.insert(all.end(), now.begin(), now.end());
  return all;
}

void PlaySum::load(const std::vector<double>& saved) {
  if (saved.size() != model_.thresholds.size() + 1)
    throw InvalidInput("saved", "a saved memory of " + std::to_string(model_.thresholds.size()) +
                                    " plays has one number more than that, not " +
                                    std::to_string(saved.size()));
  reset(saved[0], {saved.begin() + 1, saved.end()});
}

}  // namespace bristle
