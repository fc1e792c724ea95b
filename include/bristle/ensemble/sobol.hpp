// SPDX-License-Identifier: MIT
// The Sobol sequence: points that fill a cube more evenly than random ones do.
//
// Point k of dimension j is the exclusive or of the direction numbers v_i of that dimension over
// the set bits i of the Gray code k ^ (k >> 1). Primitive polynomials and initial numbers: S. Joe,
// F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci.
// Comput. 30 (2008) 2635-2654, the table new-joe-kuo-6. 2^32 points in up to 21 dimensions.
#pragma once

#include <cstdint>

namespace bristle {

inline constexpr int sobol_dimensions = 21;
inline constexpr std::uint64_t sobol_points = std::uint64_t(1) << 32;

// The point as a fraction of 2^32; point 0 is the corner 0. Dimensions count from 0.
std::uint32_t sobol_bits(std::uint64_t point, int dimension);

// The point with a random digital shift of the seed, in the open interval (0, 1): uniform for each
// point alone, and as even as the sequence for all of them.
double shifted_sobol(std::uint64_t seed, std::uint64_t point, int dimension);

}  // namespace bristle
