// SPDX-License-Identifier: MIT
// Records with noise on position and force, of laws with known parameters: the law follows the
// exact motion in steps much shorter than those of the samples.
#pragma once

#include <functional>
#include <numbers>

#include "bristle/model/dahl.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "identify/simulated.hpp"

namespace bristle::test {

// Motions of about 2 mm.
struct NamedMotion {
  std::string name;
  std::function<double(double)> position;  // [m] at a time [s]
};

// Strokes of several lengths and speeds with limited acceleration, and rest after each.
class Strokes {
 public:
  Strokes() {
    constexpr double speeds[] = {0.002, 0.01, 0.0005, 0.03, 0.005};
    constexpr double ends[] = {0.9e-3, -0.9e-3, -0.7e-3, 0.8e-3, 0.1e-3, 0.5e-3, -0.6e-3};
    double time = 0.0, from = 0.0;
    for (int k = 0; time < 60.0; ++k) {
      const double to = ends[k % 7], way = std::abs(to - from),
                   most = std::sqrt(acceleration * way);
      Leg leg{time, from, to, std::min(speeds[k % 5], most)};
      legs_.push_back(leg);
      time += leg.duration() + 0.3;
      from = to;
    }
  }
  double operator()(double t) const {
    const Leg* leg = &legs_.front();
    for (const Leg& other : legs_)
      if (other.start <= t) leg = &other;
    return leg->at(t - leg->start);
  }

 private:
  static constexpr double acceleration = 1.0;  // [m/s2]
  struct Leg {
    double start, from, to, speed;
    double duration() const { return std::abs(to - from) / speed + speed / acceleration; }
    double at(double t) const {
      const double rise = speed / acceleration, whole = duration();
      const double way = t < rise           ? 0.5 * acceleration * t * t
                         : t < whole - rise ? speed * (t - 0.5 * rise)
                         : t < whole
                             ? std::abs(to - from) - 0.5 * acceleration * (whole - t) * (whole - t)
                             : std::abs(to - from);
      return from + std::copysign(way, to - from);
    }
  };
  std::vector<Leg> legs_;
};

inline std::vector<NamedMotion> noisy_motions() {
  const double turn = 2.0 * std::numbers::pi;
  return {{"sines",
           [turn](double t) {
             return 0.8e-3 * std::sin(0.5 * turn * t) + 0.15e-3 * std::sin(3.1 * turn * t) +
                    0.03e-3 * std::sin(11.0 * turn * t);
           }},
          {"sine", [turn](double t) { return 1e-3 * std::sin(turn * t); }},
          {"chirp",
           [turn](double t) {
             const double f = 0.2 + 0.8 * t;
             return 1e-3 / (1.0 + 0.5 * f) * std::sin(turn * (0.2 * t + 0.4 * t * t));
           }},
          {"strokes", Strokes()}};
}

struct Measuring {
  double duration = 6.0, step = 1e-3;  // [s]
  double position_noise = 0.0;         // [m]
  double force_noise = 0.02;           // [N]
  double inertia = 0.0;                // beside the law in the force [kg]
};

// Time, position and force without noise; no velocity.
template <class L>
Record exact_record(const L& law, const NamedMotion& motion, const Measuring& m,
                    double from = 0.0) {
  Record r{.name = motion.name};
  const int fine = std::max(1, int(std::lround(m.step / 2e-5)));
  const double h = m.step / fine;
  double z = 0.0;
  const int n = int(m.duration / m.step);
  double before = motion.position(from);
  for (int i = 0; i < n; ++i) {
    const double t = from + i * m.step;
    if (i > 0)
      for (int k = 1; k <= fine; ++k) {
        const double now = motion.position(t - m.step + k * h);
        if constexpr (StateLaw<L>)
          z = advance(law, z, Motion<double>{0.5 * (now + before), (now - before) / h, 1.0, t}, h);
        before = now;
      }
    const double v = (motion.position(t + 1e-6) - motion.position(t - 1e-6)) / 2e-6;
    r.time.push_back(t), r.position.push_back(motion.position(t));
    constexpr double d = 1e-4;
    const double acceleration =
        (motion.position(t + d) - 2.0 * r.position.back() + motion.position(t - d)) / (d * d);
    r.force.push_back(force(law, z, Motion<double>{r.position.back(), v, 1.0, t}) +
                      m.inertia * acceleration);
  }
  return r;
}

inline Record measured(Record r, const Measuring& m, unsigned seed) {
  std::mt19937_64 engine(seed);
  const auto unit = [&] { return (double(engine() >> 11) + 0.5) * 0x1p-53; };
  const auto normal = [&] {
    const double radius = std::sqrt(-2.0 * std::log(unit()));
    return radius * std::cos(2.0 * std::numbers::pi * unit());
  };
  for (double& f : r.force) f += m.force_noise * normal();
  for (double& x : r.position) x += m.position_noise * normal();
  return r;
}

inline const LuGre<> position_lugre{.stiffness = 1e5,
                                    .damping = 300.0,
                                    .viscous = 10.0,
                                    .coulomb_force = 5.0,
                                    .static_force = 7.5,
                                    .stribeck_velocity = 0.005};

}  // namespace bristle::test
