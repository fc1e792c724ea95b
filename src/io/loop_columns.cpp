// SPDX-License-Identifier: MIT
// The loop of a system under a unimodal map: its image, the way back, and a model of it.
#include <cmath>

#include "quantities.hpp"

namespace bristle::io {
namespace {

// Whether the input rises around a sample.
bool rises(const SystemResponse& r, std::size_t i) {
  const std::size_t next = std::min(i + 1, r.input.size() - 1), last = i > 0 ? i - 1 : 0;
  return r.input[next] >= r.input[last];
}

}  // namespace

std::vector<double> image_of(const Case& c, const SystemResponse& r,
                             const std::vector<double>& output) {
  std::vector<double> image;
  if (!c.map) return image;
  const UnimodalMap up = c.map->map(), down = c.map_down ? c.map_down->map() : up;
  for (std::size_t i = 0; i < output.size(); ++i)
    image.push_back((rises(r, i) ? up : down)(output[i]));
  return image;
}

std::vector<double> unfolded_of(const Case& c, const SystemResponse& r, bool each) {
  if (!c.map || (each && !c.map_down)) return {};
  const std::vector<double> image = image_of(c, r, r.output);
  std::vector<double> unfolded(image.size(), NAN);
  try {
    const LoopBranches loop = last_branches(c, r, image);
    const UnimodalMap map = c.map->map();
    // Two maps leave extremes that are not equal: that is what is to be seen.
    const Theorem t = theorem_5_3_3(loop, map.valley(), c.map_down ? 0.2 : 0.01);
    if (!t.applies) return unfolded;
    const TwoQuadratics maps = each ? closing_maps(loop, c.map->a) : TwoQuadratics{};
    const UnimodalMap on_up = each ? maps.up() : map, on_down = each ? maps.down() : map;
    const double up = loop.up.extreme(map.valley()).first,
                 down = loop.down.extreme(map.valley()).first;
    // Sample by sample: which side of the extreme depends on the way the input goes.
    for (std::size_t i = 0; i < image.size(); ++i) {
      const bool way = rises(r, i);
      unfolded[i] =
          (way ? on_up : on_down).inverse(image[i], r.input[i] < (way ? up : down) ? -1 : 1);
    }
  } catch (const InvalidInput&) {  // no whole period, or none that closes
  }
  return unfolded;
}

IdentifiedPlays identify_case(const Case& c, const SystemResponse& r) {
  const std::vector<double> data = c.map ? unfolded_of(c, r, c.map_down.has_value()) : r.output;
  const auto input = last_part(c, r, r.input);
  if (input.empty())
    throw InvalidInput("end", "identify: needs a whole period of the input among the samples");
  return identify_plays(input, last_part(c, r, data), *c.identification);
}

}  // namespace bristle::io
