// SPDX-License-Identifier: MIT
#include "bristle/analysis/round_trip.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "bristle/system/multiplay.hpp"
#include "bristle/system/registry.hpp"

namespace bristle {

RoundTrip verify_inverse(const AnySystem& system, double low, double high, int inputs,
                         std::uint64_t seed) {
  const double centre = 0.5 * (low + high), amplitude = 0.5 * (high - low);
  const SystemModel back = system.inverse();
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  RoundTrip out;
  if (system.knows_no_time()) {
    std::vector<double> u{centre};
    for (int i = 1; i < inputs; ++i) u.push_back(centre + amplitude * unit(random));
    const auto recovered = make_system(back.name, back.values)->follow(system.follow(u));
    for (std::size_t i = 0; i < u.size(); ++i)
      out.error = std::max(out.error, std::abs(recovered[i] - u[i]) / amplitude);
    out.inputs = inputs;
    return out;
  }
  // A multiplay: the inverse behind the forward system, both in time.
  Values values = system.values();
  values["role"] = std::string("round_trip");
  const auto both = make_system(system.name(), values);
  const int turns = std::min(inputs, 40);
  std::vector<double> times, points;
  for (int i = 0; i <= turns; ++i) {
    times.push_back(20.0 * i);
    points.push_back(centre + (i == 0 ? 0.0 : amplitude * unit(random)));
  }
  Signal input;
  input.shape = Signal::samples;
  input.curve = std::make_shared<SampledCurve>(times, points);
  Options o;
  o.end = times.back();
  o.tolerance = 1e-11;
  o.samples = 50.0 * turns + 1.0;
  const SystemResponse r = both->respond(input, o);
  stop_if_asked();
  for (std::size_t i = 0; i < r.second.size(); ++i)
    out.error = std::max(out.error, std::abs(r.second[i] - r.input[i]) / amplitude);
  if (!r.ok()) out.error = INFINITY;
  out.inputs = turns;
  return out;
}

}  // namespace bristle
