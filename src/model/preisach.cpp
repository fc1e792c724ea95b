// SPDX-License-Identifier: MIT
#include "bristle/model/preisach.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/model/field.hpp"

namespace bristle {

Everett relay_grid(std::vector<double> levels, std::vector<std::vector<double>> weights) {
  const std::size_t n = levels.size();
  if (n < 2) throw InvalidInput("levels", "a grid of relays needs at least two levels");
  for (std::size_t i = 1; i < n; ++i)
    if (!(levels[i] > levels[i - 1]))
      throw InvalidInput("levels", "level " + std::to_string(i + 1) + " = " + words(levels[i]) +
                                       " must be greater than the one before it, " +
                                       words(levels[i - 1]));
  if (weights.size() != n)
    throw InvalidInput("weights", "there are " + std::to_string(n) + " levels and " +
                                      std::to_string(weights.size()) + " rows of weights");
  for (std::size_t i = 0; i < n; ++i) {
    if (weights[i].size() < i)
      throw InvalidInput(
          "weights", "row " + std::to_string(i + 1) + " has " + std::to_string(weights[i].size()) +
                         " weights, it needs one for each lower level, " + std::to_string(i));
    for (std::size_t j = 0; j < i; ++j)
      if (!std::isfinite(weights[i][j]))
        throw InvalidInput("weights", "weight " + std::to_string(j + 1) + " of row " +
                                          std::to_string(i + 1) + " must be a finite number");
  }
  // table[i][j]: all relays with j <= down < up <= i.
  std::vector<std::vector<double>> table(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = i; j-- > 0;)
      table[i][j] = table[i][j + 1] + table[i - 1][j] -
                    (j + 1 <= i - 1 ? table[i - 1][j + 1] : 0.0) + weights[i][j];
  return [levels = std::move(levels), table = std::move(table)](double a, double b) {
    // Up at or below a, down at or above b.
    const auto up = std::upper_bound(levels.begin(), levels.end(), a) - levels.begin();
    const auto down = std::lower_bound(levels.begin(), levels.end(), b) - levels.begin();
    if (up == 0 || down >= up) return 0.0;
    return table[std::size_t(up - 1)][std::size_t(down)];
  };
}

Preisach::Preisach(Everett everett, double bottom, double top)
    : everett_(std::move(everett)), bottom_(bottom), top_(top) {
  if (!(bottom < top))
    throw InvalidInput(
        "bottom", "the range of inputs from " + words(bottom) + " to " + words(top) + " is empty");
  full_ = everett_(top_, bottom_);
  turns_.reserve(1024);
  sums_.reserve(1024);
  reset();
}

void Preisach::reset() {
  turns_.assign(1, bottom_);
  sums_.assign(1, 0.0);
  input_ = bottom_;
  output_ = -full_;
}

std::size_t Preisach::kept(double u) const {
  const std::size_t last = turns_.size() - 1;
  const bool rises = u > turns_[last];
  const bool went_up = last % 2 == 1;  // odd places are maxima
  // Going on the same way moves the last turning point, going back makes a new one.
  std::size_t base = last > 0 && rises == went_up ? last - 1 : last;
  while (base >= 2 && (rises ? u >= turns_[base - 1] : u <= turns_[base - 1])) base -= 2;
  return base + 1;
}

double Preisach::with(std::size_t kept, double u) const {
  const double from = turns_[kept - 1];
  const double term = u >= from ? everett_(u, from) : -everett_(from, u);
  return sums_[kept - 1] + term;
}

double Preisach::peek(double input) const {
  const double u = std::clamp(input, bottom_, top_);
  if (u == input_) return output_;
  if (u == bottom_) return -full_;
  return -full_ + 2.0 * with(kept(u), u);
}

double Preisach::update(double input) {
  if (!std::isfinite(input)) throw InvalidInput("input", "the input must be a finite number");
  const double u = std::clamp(input, bottom_, top_);
  if (u == input_) return output_;
  if (u == bottom_) {
    reset();
    return output_;
  }
  const std::size_t count = kept(u);
  const double sum = with(count, u);
  turns_.resize(count);
  sums_.resize(count);
  turns_.push_back(u);
  sums_.push_back(sum);
  input_ = u;
  return output_ = -full_ + 2.0 * sum;
}

double Preisach::invert(double output) {
  if (output == output_) return input_;
  const bool rises = output > output_;
  const double end = rises ? top_ : bottom_;
  if (!(rises ? output <= peek(end) : output >= peek(end)))
    throw InvalidInput("output", "the output " + words(output) +
                                     " is out of reach, it must be from " + words(peek(bottom_)) +
                                     " to " + words(peek(top_)));
  // The nearest input that gets there: `before` falls short of the output, `there` does not.
  double before = input_, there = end;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (before + there);
    if (middle == before || middle == there) break;
    const double y = peek(middle);
    ((rises ? y < output : y > output) ? before : there) = middle;
  }
  const double u =
      std::abs(peek(before) - output) < std::abs(peek(there) - output) ? before : there;
  update(u);
  return u;
}

std::vector<double> Preisach::memory() const { return turns_; }

void Preisach::load(const std::vector<double>& memory) {
  reset();
  for (const double u : memory) update(u);
}

void Preisach::demagnetise(int swings) {
  const double middle = 0.5 * (bottom_ + top_), reach = 0.5 * (top_ - bottom_);
  reset();
  for (int k = 0; k <= swings; ++k)
    update(middle + (k % 2 ? -1.0 : 1.0) * reach * (1.0 - double(k) / swings));
}

}  // namespace bristle
