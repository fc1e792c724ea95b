// SPDX-License-Identifier: MIT
// Forces of several contacts at rest: a convex problem with bounds.
//
//   find f in [lower, upper] with  rest_i = (b - G f)_i  zero where f_i is inside its bounds, not
//   negative at the upper and not positive at the lower bound
//
// With G = W M^-1 W' and b the accelerations without the contacts, `rest` is the relative
// acceleration that is left: a contact with rest zero sticks, the others slip to the side of its
// sign. That side is unique; the forces are unique unless contacts are redundant (G singular), and
// then those of least norm are found. Solved by active sets, with proximal steps where G is
// singular.
#pragma once

#include <vector>

namespace bristle::detail {

class BoxProblem {
 public:
  void resize(int n);
  int size() const { return n_; }

  double& g(int i, int j) { return g_[std::size_t(i * n_ + j)]; }
  std::vector<double> b, lower, upper;  // given
  std::vector<double> force, rest;      // found

  // Whether G, as it is, has a direction without resistance.
  bool singular() const { return singular_; }
  // Looks at G once; call it after G has changed.
  void prepare();
  // The forces without bounds; only where they are unique.
  void free_forces();
  // The forces within the bounds; false if the iteration did not end (never seen).
  bool solve();

 private:
  bool solve_near();
  bool regular();
  bool factor_free();
  bool settled() const;
  void find_rest();
  void find_rest_of_slip();

  int n_ = 0;
  bool singular_ = false;
  double shift_ = 0.0;
  std::vector<double> g_, near_, trial_, factor_;
  std::vector<int> free_;
  std::vector<signed char> side_;  // -1 at the lower bound, 1 at the upper, 0 free
};

}  // namespace bristle::detail
