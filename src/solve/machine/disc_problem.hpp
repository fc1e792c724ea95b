// SPDX-License-Identifier: MIT
// Forces at rest where some contacts are in the plane.
//
// As box_problem.hpp, with forces of a contact in the plane bounded by a disc instead of an
// interval: inside the disc nothing is left of its acceleration, on its rim the acceleration that
// is left points along the force. This is a convex problem; it is solved contact by contact until
// the forces do not change any more. Where contacts are redundant the forces are some that hold,
// not those of least norm.
#pragma once

#include <vector>

#include "box_problem.hpp"

namespace bristle::detail {

// `disc` marks the first of the two lines of a contact in the plane, whose radius is the upper
// bound of both. Fills force and rest of the problem; false if the iteration did not end.
bool solve_with_discs(BoxProblem& problem, const std::vector<char>& disc);

}  // namespace bristle::detail
