// SPDX-License-Identifier: MIT
// A matrix kept by its profile, factored as L U without pivoting; a symmetric one as L D L'.
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
  // `pairs` are the places off the diagonal that may differ from zero, on either side of it.
  void shape(int n, const std::vector<std::pair<int, int>>& pairs, bool symmetric = true);

  int size() const { return n_; }
  void clear();
  void add(int i, int j, double value);  // to the places (i, j) and (j, i)
  // To the place (i, j) alone. In a symmetric matrix the caller adds to (j, i) as well, and places
  // above the diagonal are left out.
  void add_at(int i, int j, double value);
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
  double& above(int row, int column) {
    return upper_[std::size_t(start_[std::size_t(column)] + row)];
  }
  bool factor_symmetric();
  bool factor_general();
  void solve_narrow(std::span<double> b);

  int n_ = 0;
  std::vector<int> place_;   // of a coordinate in the order of elimination
  std::vector<int> first_;   // column of the first entry of a row
  std::vector<long> start_;  // of a row in values_, minus its first column
  std::vector<double> values_, inverse_, work_;
  std::vector<double> upper_;              // what is above the diagonal, column by column
  std::vector<double> held_, held_upper_;  // the columns of fixed coordinates as they were
  bool symmetric_ = true;
  bool narrow_ = false;  // symmetric with three diagonals: of row k the values 2 k - 1 and 2 k
  std::vector<char> fixed_;
  bool any_fixed_ = false;
};

}  // namespace bristle::detail
