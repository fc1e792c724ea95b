// SPDX-License-Identifier: MIT
#include "bristle/analysis/stability.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/analysis/linearise.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle {
namespace {

constexpr double slowest = 1e-6;  // of the speeds that are tried [m/s]

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * std::uniform_real_distribution<>(0.0, 1.0)(engine_);
  }
  double by_ratio(double low, double high) {
    return std::exp(between(std::log(low), std::log(high)));
  }
  double sign() { return between(-1.0, 1.0) < 0.0 ? -1.0 : 1.0; }

 private:
  std::mt19937 engine_;
};

// The largest steady deflection of either direction up to a speed, and where it is.
double largest_deflection(const AnyLaw& law, double top, double& at) {
  double most = 0.0;
  constexpr int steps = 120;
  for (int i = 0; i <= steps; ++i)
    for (const double sign : {1.0, -1.0}) {
      const double v = sign * slowest * std::pow(top / slowest, double(i) / steps);
      const double z = std::abs(linearise(law, v).state);
      if (!(z <= most)) most = z, at = std::abs(v);
    }
  return most;
}

// Two sines of random frequencies whose velocities together do not exceed a random speed.
Signal random_motion(Random& random, double top) {
  const double speed = random.by_ratio(1e-3 * std::min(top, 1.0), top);
  const double part = random.between(0.0, 1.0);
  Signal s;
  s.shape = Signal::two_sines;
  s.frequency = random.by_ratio(1.0, 300.0);
  s.second_frequency = s.frequency * random.by_ratio(0.1, 10.0);
  s.amplitude = part * speed / s.frequency;
  s.second_amplitude = (1.0 - part) * speed / s.second_frequency;
  s.phase = random.between(0.0, 2.0 * std::numbers::pi);
  s.second_phase = random.between(0.0, 2.0 * std::numbers::pi);
  return s;
}

// The norm of L2 of the deflections along the patch.
double norm(const ContactPatch& patch) {
  constexpr int n = 400;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double z = patch.state_at((i + 0.5) / n);
    sum += z * z / n;
  }
  return std::sqrt(sum);
}

// Waves along the patch and a bump somewhere, or at one of its ends.
std::function<double(double)> random_profile(Random& random, double size) {
  const double wave = random.between(0.0, 1.0), length = random.between(0.5, 8.0),
               phase = random.between(0.0, 2.0 * std::numbers::pi),
               width = random.between(0.05, 0.2);
  const double choice = random.between(0.0, 3.0);
  const double centre = choice < 1.0 ? 0.0 : choice < 2.0 ? 1.0 : random.between(0.0, 1.0);
  return [=](double xi) {
    const double off = (xi - centre) / width;
    return size * (wave * wave * std::sin(2.0 * std::numbers::pi * length * xi + phase) +
                   std::exp(-off * off));
  };
}

// The constants of the two inequalities.
PatchStability constants(const ContactPatch& patch, double top) {
  PatchStability c;
  const PatchShape& shape = patch.shape();
  constexpr int n = 2000;
  double fastest = 0.0, slow = INFINITY, heaviest = 0.0, square = 0.0;
  for (int i = 0; i < n; ++i) {
    const double xi = (i + 0.5) / n, speed = shape.transport * shape.transport_at(xi);
    fastest = std::max(fastest, speed), slow = std::min(slow, speed);
    const double reached = c.passage + 0.5 / (n * speed);
    square += reached * reached / n;
    c.passage += 1.0 / (n * speed);
    heaviest = std::max(heaviest, shape.pressure_at(xi) * shape.stiffness_at(xi));
  }
  c.spread = std::sqrt(fastest / slow);
  c.gain = std::sqrt(square);
  constexpr int steps = 200;
  for (int i = 0; i <= steps; ++i)
    for (const double sign : {1.0, -1.0}) {
      const double v = sign * slowest * std::pow(top / slowest, double(i) / steps);
      const auto law = patch.at(v);
      c.elastic = std::max(c.elastic, shape.load * std::abs(law.slope) * heaviest);
      c.direct = std::max(c.direct, shape.load * std::abs(law.level / v));
    }
  return c;
}

}  // namespace

std::string StateBound::words() const {
  return (holds() ? "|z| stays within " : "|z| leaves ") + bristle::words(bound) + " m in " +
         std::to_string(trials) + " trials" +
         (premise ? "" : "; the bound grows on with the speed");
}

StateBound certify_bound(const AnyLaw& law, const StabilityOptions& o) {
  StateBound c;
  c.bound = largest_deflection(law, o.top_speed, c.speed);
  double beyond = 0.0;
  c.premise = largest_deflection(law, 100.0 * o.top_speed, beyond) <= c.bound * (1.0 + 1e-6);
  Random random(o.seed);
  for (; c.trials < o.trials; ++c.trials) {
    PrescribedMotion motion;
    motion.signal = random_motion(random, o.top_speed);
    Options run;
    run.tolerance = 1e-9;
    run.samples = 1001.0;
    run.end =
        6.0 * std::numbers::pi / std::min(motion.signal.frequency, motion.signal.second_frequency);
    // Half of the trials start at the bound itself.
    run.initial.state = c.bound * random.sign() * (c.trials % 2 ? random.between(0.0, 1.0) : 1.0);
    const Simulation made = simulate(law, motion, run);
    stop_if_asked();
    if (!made.summary.ok()) c.worst = INFINITY;
    for (const double z : made.trajectory.state)
      c.worst = std::isfinite(z) ? std::max(c.worst, std::abs(z) / c.bound) : INFINITY;
  }
  return c;
}

std::string PatchStability::words() const {
  return std::string("input-to-state ") + (state_holds() ? "holds" : "is violated") +
         ", input-to-output " + (force_holds() ? "holds" : "is violated") + " in " +
         std::to_string(trials) + " trials";
}

PatchStability certify_stability(const ContactPatch& start, const StabilityOptions& o) {
  PatchStability c = constants(start, o.top_speed);
  Random random(o.seed);
  const double size = start.law().state_scale();
  for (; c.trials < o.trials; ++c.trials) {
    ContactPatch patch = start;
    patch.reset(random_profile(random, size * random.by_ratio(1e-2, 1e2)));
    const double at_start = norm(patch), h = 0.02 * c.passage;
    double speed = 0.0, slip = 0.0, time = 0.0;
    for (int i = 0, left = 0; i < 150; ++i, --left) {
      // A new slip velocity every now and then; none at first in a third of the trials.
      if (left <= 0) {
        left = int(random.between(1.0, 40.0));
        const bool rests = i == 0 && c.trials % 3 == 0;
        slip = rests ? 0.0 : random.sign() * random.by_ratio(slowest, o.top_speed);
        patch.mark_front();
      }
      stop_if_asked();
      speed = std::max(speed, std::abs(slip));
      patch.advance(h, slip);
      time += h;
      const double now = norm(patch), force = std::abs(patch.force(slip));
      const double state = c.spread * at_start * std::exp(1.0 - time / c.passage) + c.gain * speed;
      c.worst_state = std::isfinite(now) ? std::max(c.worst_state, now / state) : INFINITY;
      c.worst_force = std::isfinite(force)
                          ? std::max(c.worst_force, force / (c.elastic * now + c.direct * speed))
                          : INFINITY;
    }
  }
  return c;
}

}  // namespace bristle
