// SPDX-License-Identifier: MIT
// Random numbers by counter: the number of a draw is a function of seed, draw and dimension alone,
// so that every draw can be made again without those before it, on any thread or machine.
//
// Philox4x32 with 10 rounds: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011. Key: the seed. Counter: draw, dimension, and a stream that
// keeps different uses of one seed apart.
#pragma once

#include <array>
#include <cstdint>

namespace bristle {

// The block of the generator itself.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

enum class RandomStream : std::uint32_t { draws, digital_shift, trajectories, resampling };

// 64 random bits.
std::uint64_t random_bits(std::uint64_t seed, RandomStream stream, std::uint64_t draw,
                          std::uint32_t dimension);
// Uniform in the open interval (0, 1), in steps of 2^-53.
double random_uniform(std::uint64_t seed, RandomStream stream, std::uint64_t draw,
                      std::uint32_t dimension);

// The standard normal number below which a fraction `probability` lies, to rounding; -inf at 0 and
// inf at 1, NaN outside.
double normal_quantile(double probability);

}  // namespace bristle
