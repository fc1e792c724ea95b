// SPDX-License-Identifier: MIT
#include "bristle/analysis/multiplay_fit.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/analysis/branches.hpp"

namespace bristle {

MaxwellSlipModel MultiplayFit::model() const {
  MaxwellSlipModel m;
  m.thresholds = thresholds;
  m.stiffnesses = stiffnesses;
  return m;
}

MultiplayFit fit_multiplay(std::span<const double> input, std::span<const double> output,
                           const MultiplayFitOptions& options) {
  const LoopBranches loop = split_branches(input, output);
  const Branch1D &up = loop.up, &down = loop.down;
  MultiplayFit fit;
  fit.input_centre = 0.5 * (loop.x0 + loop.x1);
  fit.output_centre = 0.5 * (up.y.front() + up.y.back());
  const auto [least, most] = std::minmax_element(output.begin(), output.end());
  const double height = *most - *least;
  if (!(height > 0.0)) throw InvalidInput("loop", "the output does not vary");

  // Half a turn about the centre takes the way up into the way down.
  double worst = loop.x0;
  for (const double u : up.x) {
    const double turned = 2.0 * fit.output_centre - down.at(2.0 * fit.input_centre - u);
    const double off = std::abs(up.at(u) - turned) / height;
    if (off > fit.asymmetry) fit.asymmetry = off, worst = u;
  }
  if (fit.asymmetry > options.asymmetry)
    throw InvalidInput(
        "loop", "the map is not symmetric under half a turn: on the way up at the input " +
                    words(worst) + " it differs from itself turned by " +
                    words(std::round(1000.0 * fit.asymmetry) / 10.0) +
                    " % of its height, allowed are " + words(100.0 * options.asymmetry) + " %");

  std::vector<double> ends;  // of the pieces, from x0 on
  if (options.pieces > 0)
    for (int i = 1; i <= options.pieces; ++i)
      ends.push_back(loop.x0 + (loop.x1 - loop.x0) * i / options.pieces);
  else ends.assign(up.x.begin() + 1, up.x.end());
  std::vector<double> slopes;
  double from = loop.x0;
  for (const double end : ends) {
    slopes.push_back((up.at(end) - up.at(from)) / (end - from));
    from = end;
  }
  slopes.push_back(0.0);  // once everything slides
  double steepest = 0.0;
  for (const double s : slopes) steepest = std::max(steepest, std::abs(s));
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const double k = slopes[i] - slopes[i + 1];  // (2.25)
    if (std::abs(k) <= 1e-12 * steepest) continue;
    fit.stiffnesses.push_back(k);
    fit.thresholds.push_back(0.5 * (ends[i] - loop.x0));  // (2.26)
  }
  if (fit.thresholds.empty()) throw InvalidInput("loop", "the map is flat: there is no multiplay");

  // Back to the map: from the smallest input, where all plays have come to rest on the way down.
  PlaySum plays(maxwell_slip(fit.thresholds, fit.stiffnesses));
  plays.update(loop.x1 - fit.input_centre);
  plays.update(loop.x0 - fit.input_centre);
  for (std::size_t i = 0; i < up.x.size(); ++i) {
    const double y = plays.update(up.x[i] - fit.input_centre) + fit.output_centre;
    fit.error = std::max(fit.error, std::abs(y - up.y[i]) / height);
  }
  return fit;
}

}  // namespace bristle
