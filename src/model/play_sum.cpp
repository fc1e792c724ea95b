// SPDX-License-Identifier: MIT
#include "bristle/model/play_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <xsimd/xsimd.hpp>

#include "bristle/model/field.hpp"

namespace bristle {
namespace {

// Above this many plays the stack is faster than a vectorised loop (bench/operators).
constexpr std::size_t few = 160;

}  // namespace

PlaySum::PlaySum(PrandtlIshlinskii model, double input, std::vector<double> states, Way way)
    : model_(std::move(model)), way_(way) {
  model_.check();
  const std::size_t n = model_.thresholds.size();
  // Summed with extra digits, so that differences of far sums are right to rounding.
  knots_.resize(n + 1);
  long double weight = 0.0L, moment = 0.0L;
  for (std::size_t i = 0; i <= n; ++i) {
    knots_[i] = {i < n ? model_.thresholds[i] : std::numeric_limits<double>::infinity(),
                 static_cast<double>(weight), static_cast<double>(moment)};
    if (i == n) break;
    weight += model_.weights[i];
    moment += static_cast<long double>(model_.weights[i]) * model_.thresholds[i];
  }
  if (n > 0 && model_.thresholds.back() > 0.0) {
    slices_ = double(n) / model_.thresholds.back();
    index_.resize(n + 1);
    std::size_t i = 0;
    for (std::size_t k = 0; k <= n; ++k) {
      while (i < n && model_.thresholds[i] * slices_ < double(k)) ++i;
      index_[k] = std::uint32_t(i);
    }
  }
  frozen_.resize(n + 1);
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
  using P = xsimd::batch<double>;
  const double* w = model_.thresholds.data();
  const double* p = model_.weights.data();
  double* x = state_.data();
  const std::size_t n = state_.size();
  P sums(0.0), more(0.0);
  const P at(v);
  std::size_t i = 0;
  const auto advance = [&](std::size_t k) {
    const P reach = P::load_unaligned(w + k);
    const P now = xsimd::max(at - reach, xsimd::min(at + reach, P::load_unaligned(x + k)));
    now.store_unaligned(x + k);
    return now * P::load_unaligned(p + k);
  };
  for (; i + 2 * P::size <= n; i += 2 * P::size) {
    sums += advance(i);
    more += advance(i + P::size);
  }
  double sum = xsimd::hadd(sums + more);
  for (; i < n; ++i) {
    x[i] = std::max(v - w[i], std::min(v + w[i], x[i]));
    sum += p[i] * x[i];
  }
  return model_.direct * v + sum + model_.offset;
}

bool PlaySum::possible() const {
  const auto& w = model_.thresholds;
  for (std::size_t i = 1; i < state_.size(); ++i)
    if (std::abs(state_[i] - state_[i - 1]) > (w[i] - w[i - 1]) * (1.0 + 1e-12)) return false;
  return true;
}

void PlaySum::enter_stack() {
  if (!possible()) return;
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
  const Knot& from = knots_[n];
  return top.extreme * (top.weight - from.weight) - top.sign * (top.moment - from.moment) +
         top.rest;
}

std::size_t PlaySum::first_beyond(double reach) const {
  if (!(reach > 0.0)) return 0;
  if (index_.empty()) return knots_.size() - 1;  // no threshold but zero
  const double slice = reach * slices_;
  if (!(slice < double(index_.size() - 1))) return knots_.size() - 1;
  const auto k = std::size_t(slice);
  std::size_t i = index_[k], end = index_[k + 1];
  // Few plays share a slice unless the thresholds crowd together.
  while (end - i > 8) {
    const std::size_t middle = i + (end - i) / 2;
    (knots_[middle].threshold < reach ? i : end) = middle;
  }
  while (knots_[i].threshold < reach) ++i;
  return i;
}

double PlaySum::stack(double v) {
  const double sign = v > value_ ? 1.0 : -1.0;
  if (v == value_) return output_;
  if (sign != sign_) {
    if (moved_ > 0)
      turns_.push_back(
          {value_, sign_, moved_, beyond(moved_), knots_[moved_].weight, knots_[moved_].moment});
    sign_ = sign;
    moved_ = 0;
  }
  while (!turns_.empty()) {
    const Turn& top = turns_.back();
    if (top.sign != sign) {
      moved_ = std::min(top.end, std::max(moved_, first_beyond(0.5 * sign * (v - top.extreme))));
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
  const Knot& edge = knots_[moved_];
  return model_.direct * v + ((v * edge.weight - sign * edge.moment) + beyond(moved_)) +
         model_.offset;
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
