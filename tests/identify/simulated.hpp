// SPDX-License-Identifier: MIT
// Data with known parameters: a law driven along a motion that slides, reverses and creeps, with
// noise.
#pragma once

#include <cmath>
#include <map>
#include <random>

#include "bristle/identify/fit.hpp"
#include "bristle/model/advance.hpp"

namespace bristle::test {

struct Motions {
  double duration = 4.0, step = 2e-3;        // [s]
  double slow = 2e-4, fast = 0.02;           // amplitudes of velocity [m/s]
  double slow_rate = 23.0, fast_rate = 4.0;  // [rad/s]
};

// Velocity fast sin^3 + slow sin: long slides, slow crossings of zero and small reversals.
inline Record motion(const Motions& m = {}) {
  Record r{.name = "simulated"};
  const int n = int(m.duration / m.step);
  for (int i = 0; i < n; ++i) {
    const double t = i * m.step, s = std::sin(m.fast_rate * t);
    r.time.push_back(t);
    r.velocity.push_back(m.fast * s * s * s + m.slow * std::sin(m.slow_rate * t));
  }
  return r;
}

// The force of a law along a record, as a fit sees it.
template <class L>
void add_force(Record& r, const L& law, bool steady = false) {
  double z = 0.0;
  r.force.clear();
  for (std::size_t i = 0; i < r.velocity.size(); ++i) {
    const double load = r.load.empty() ? 1.0 : r.load[i];
    const Motion<double> now{0.0, r.velocity[i], load, r.time.empty() ? 0.0 : r.time[i]};
    if constexpr (StateLaw<L>) {
      if (i > 0 && !steady) {
        Motion<double> middle = now;
        middle.velocity = 0.5 * (r.velocity[i] + r.velocity[i - 1]);
        z = advance(law, z, middle, r.time[i] - r.time[i - 1]);
      }
    }
    r.force.push_back(steady ? steady_force(law, now) : force(law, z, now));
  }
}

inline Record noisy(Record r, double sigma, unsigned seed) {
  std::mt19937_64 engine(seed);
  // Box and Muller, so that the numbers are the same with every library.
  const auto unit = [&] { return (double(engine() >> 11) + 0.5) * 0x1p-53; };
  for (double& f : r.force)
    f += sigma * std::sqrt(-2.0 * std::log(unit())) * std::cos(6.283185307179586 * unit());
  return r;
}

// The numbers of a law by name: the start of a fit at the truth.
template <class L>
std::map<std::string, double> truth(const L& law) {
  std::map<std::string, double> values;
  for (const auto& field : L::fields())
    if (field.number) values[std::string(field.name)] = law.*field.number;
  return values;
}

inline std::string all_of(const std::vector<std::string>& sentences) {
  std::string all;
  for (const auto& s : sentences) all += s + "\n";
  return all;
}

}  // namespace bristle::test
