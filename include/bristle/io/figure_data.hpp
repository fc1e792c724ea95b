// SPDX-License-Identifier: MIT
// Curves for a page that draws them itself: thinned below what can be seen, and packed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "bristle/io/plot.hpp"

namespace bristle::io {

// Which points of a curve to keep, so that the line through them stays within `tolerance` of the
// range of each axis from the line through all; at most `most` of them, by a larger tolerance if
// need be. Points that are no number stay as gaps, one for each.
std::vector<std::size_t> thinned(std::span<const double> xs, std::span<const double> ys,
                                 double tolerance = 1.0 / 8000.0, std::size_t most = 12000);

// A figure with its curves. Coordinates are two 16-bit numbers per point between the least and the
// largest value (of the logarithm, on a logarithmic axis), low byte first, in base64; 65535 is a
// gap. Values read back from it are off by at most 1/131068 of the range; a curve with marks has
// its values beside them as well.
nlohmann::ordered_json figure_data(const Plot& plot);

// The figure in a sentence, for screen readers.
std::string figure_words(const Plot& plot);

}  // namespace bristle::io
