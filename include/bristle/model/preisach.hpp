// SPDX-License-Identifier: MIT
// The Preisach operator: a weighted sum of relays, known by its Everett function.
//
//   E(a, b) = weight of all relays that switch up at or below a and down at or above b
//   y = -E(top, bottom) + 2 (E(M1, bottom) - E(M1, m1) + E(M2, m1) - E(M2, m2) + ...)
//
// M1 > M2 > ... are the maxima and m1 < m2 < ... the minima of the input that have not been wiped
// out by larger swings. So the operator is a stack of turning points and one function of two
// numbers; a grid of relays and a density are two ways to give that function. Source: thesis (1.9).
#pragma once

#include <functional>
#include <vector>

#include "bristle/model/error.hpp"

namespace bristle {

// E(a, b) for a >= b; zero for a = b, not falling with a, not rising with b where weights are
// positive.
using Everett = std::function<double(double a, double b)>;

// Relay (i, j), j < i, switches up where the input reaches levels[i] and down where it falls to
// levels[j]; weights[i][j] for j < i. Throws InvalidInput for levels that do not increase.
Everett relay_grid(std::vector<double> levels, std::vector<std::vector<double>> weights);

class Preisach {
 public:
  // For inputs between bottom and top; starts with all relays down, the input at the bottom.
  Preisach(Everett everett, double bottom, double top);

  double update(double input);      // inputs beyond the range count as its ends
  double peek(double input) const;  // what update() would return; changes nothing
  double output() const { return output_; }
  double input() const { return input_; }

  // The input that gives an output, found between two that are below and above it; moves there.
  // Exact to rounding of the input where the weights are not negative. Throws InvalidInput for an
  // output that cannot be reached.
  double invert(double output);

  // The turning points that matter, oldest first, beginning with the bottom, ending with the input.
  std::vector<double> memory() const;
  void reset();  // all relays down
  void load(const std::vector<double>& memory);
  // Half of the relays up, as after swings that shrink to nothing.
  void demagnetise(int swings = 1000);

 private:
  // How many turning points stay if the input goes to u.
  std::size_t kept(double u) const;
  double with(std::size_t kept, double u) const;

  Everett everett_;
  double bottom_, top_, full_;
  double input_, output_;
  std::vector<double> turns_;  // minimum, maximum, minimum ... the last is the input
  std::vector<double> sums_;   // of the Everett terms up to each of them
};

}  // namespace bristle
