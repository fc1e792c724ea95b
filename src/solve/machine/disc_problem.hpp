// SPDX-License-Identifier: MIT
// Forces at rest where some contacts are in the plane.
//
// As box_problem.hpp, with forces of a contact in the plane bounded by a disc instead of an
// interval: inside the disc nothing is left of its acceleration, on its rim the acceleration that
// is left points along the force. This is a convex problem; it is solved contact by contact, and by
// an interior-point method where that does not settle, as with redundant contacts. Their forces are
// then those farthest from the bounds, not those of least norm, and whether they still hold is
// known to about 1e-7 of the forces.
#pragma once

#include <vector>

#include "box_problem.hpp"

namespace bristle::detail {

struct DiscRoom {
  std::vector<double> matrix, down, step;
  void resize(std::size_t n) { matrix.resize(n * n), down.resize(n), step.resize(n); }
};

// `disc` marks the first of the two lines of a contact in the plane, whose radius is the upper
// bound of both. Fills force and rest of the problem; false if the iteration did not end.
bool solve_with_discs(BoxProblem& problem, const std::vector<char>& disc, DiscRoom& room);

}  // namespace bristle::detail
