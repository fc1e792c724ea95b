// SPDX-License-Identifier: MIT
// A symmetric matrix kept by its profile, factored as L D L' without pivoting.
//
// The matrices are those of an implicit step: inertia over the step dominates as the step shrinks,
// so a pivot that is too small is cured by a smaller step. A chain has a profile of constant width
// in the order of its bodies, so its cost is linear in their number; the order is chosen once by
// reverse Cuthill-McKee.
#pragma once

#include <span>
#include <vector>

namespace bristle::detail {

class Skyline {
 public:
  // `pairs` are the places off the diagonal that may differ from zero.
  void shape(int n, const std::vector<std::pair<int, int>>& pairs);

  int size() const { return n_; }
  void clear();
  void add(int i, int j, double value);  // to the places (i, j) and (j, i)
  // Makes x[i] known: solve() then leaves it as it is given on the right-hand side.
  void fix(int i) { fixed_[std::size_t(place_[std::size_t(i)])] = 1; }
  void release_all();

  // False if a pivot is below its floor or not finite.
  bool factor(std::span<const double> floor);
  // b becomes the solution.
  void solve(std::span<double> b);

 private:
  double& at(int row, int column) {
    return values_[std::size_t(start_[std::size_t(row)] + column)];
  }

  int n_ = 0;
  std::vector<int> place_;   // of a coordinate in the order of elimination
  std::vector<int> first_;   // column of the first entry of a row
  std::vector<long> start_;  // of a row in values_, minus its first column
  std::vector<double> values_, inverse_, work_;
  std::vector<double> held_;  // the columns of fixed coordinates as they were
  std::vector<char> fixed_;
  bool any_fixed_ = false;
};

}  // namespace bristle::detail
