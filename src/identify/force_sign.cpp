// SPDX-License-Identifier: MIT
#include "bristle/identify/force_sign.hpp"

#include <algorithm>
#include <cmath>

namespace bristle {
namespace {

double quantile(std::vector<double>& x, double part) {
  const auto at = x.begin() + long(part * double(x.size() - 1));
  std::nth_element(x.begin(), at, x.end());
  return *at;
}

}  // namespace

ForceSign force_sign(const std::vector<Track>& runs) {
  std::vector<double> speeds;
  for (const Track& run : runs)
    for (const Sample& s : run.samples) speeds.push_back(std::abs(s.velocity));
  if (speeds.empty()) return {};
  const double slow = 0.3 * quantile(speeds, 0.9);
  const auto each = [&](const auto& f) {
    for (const Track& run : runs)
      for (const Sample& s : run.samples)
        if (std::abs(s.velocity) > slow) f(s);
  };

  // The constant beside the force.
  std::vector<double> forward, backward;
  each([&](const Sample& s) { (s.velocity > 0.0 ? forward : backward).push_back(s.force); });
  const std::size_t sliding = forward.size() + backward.size();
  double centre = 0.0;
  if (10 * std::min(forward.size(), backward.size()) >= sliding && sliding > 0)
    centre = 0.5 * (quantile(forward, 0.5) + quantile(backward, 0.5));

  ForceSign found;
  long against = 0;
  each([&](const Sample& s) {
    ++found.samples;
    against += (s.force - centre) * s.velocity < 0.0;
  });
  if (found.samples > 0) found.opposing = double(against) / double(found.samples);
  return found;
}

}  // namespace bristle
