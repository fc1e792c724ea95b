// SPDX-License-Identifier: MIT
#include "bristle/analysis/law_traits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/analysis/steady.hpp"
#include "bristle/system/friction.hpp"

namespace bristle {
namespace {

constexpr int places = 97;        // positions over which a force that depends on them is averaged
constexpr double track = 0.4837;  // [m], no multiple of any spacing in use

// The mean steady force over positions at a speed, and how much it varies.
double mean_force(const AnyLaw& law, double speed, double* spread = nullptr) {
  double sum = 0.0, least = INFINITY, most = -INFINITY;
  for (int i = 0; i < places; ++i) {
    const double f = law.steady(Motion<double>{track * i / places, speed, 1.0, 0.0});
    sum += f;
    least = std::min(least, f);
    most = std::max(most, f);
  }
  if (spread) *spread = most - least;
  return sum / places;
}

double largest_at_rest(const AnyLaw& law) {
  double most = 0.0;
  for (int i = 0; i < places; ++i)
    most = std::max(most, rest_interval(law, track * i / places).upper);
  return most;
}

// From the largest mean force to the least at a higher speed, and the speed halfway down.
void ask_steady(const AnyLaw& law, LawTraits& t) {
  double spread = 0.0;
  const double slow = mean_force(law, 1e-7, &spread);
  t.by_position = spread > 1e-9 * std::abs(slow);
  std::vector<std::pair<double, double>> curve;
  for (int i = 0; i <= 320; ++i) {
    const double v = std::pow(10.0, -7.0 + 8.0 * i / 320.0);
    curve.emplace_back(v, mean_force(law, v));
  }
  const auto top = std::max_element(curve.begin(), curve.end() - 1, [&](auto& a, auto& b) {
    return a.second < b.second && b.first < 1e-2;  // a viscous rise at high speed is not a top
  });
  const auto low =
      std::min_element(top, curve.end(), [](auto& a, auto& b) { return a.second < b.second; });
  t.fall = (top->second - low->second) / std::max(std::abs(top->second), 1e-300);
  if (!t.stribeck()) return;
  for (auto at = top; at != low; ++at)
    if (at->second >= 0.5 * (top->second + low->second)) t.fall_speed = at->first;
}

void ask_presliding(const AnyLaw& law, LawTraits& t) {
  if (law.set_valued()) {
    t.stiffness = INFINITY;
    return;
  }
  // A law that counts its bristles has no deflection of its own: a micrometre then.
  t.deflection = law.remembers() ? 0.0 : law.state_scale();
  const double way = t.deflection > 0.0 ? 0.01 * t.deflection : 1e-6;
  PrescribedMotion motion;
  motion.signal = {.shape = Signal::ramp, .rate = way};
  Options o;
  o.end = 1.0;
  o.samples = 3.0;
  const Simulation run = simulate(law, motion, o);
  const auto& f = run.trajectory.force;
  if (run.summary.ok() && !f.empty()) t.stiffness = (f.back() - f.front()) / way;
}

// On a spring so soft that friction alone holds the body.
WallSpringMass held(const LawTraits& t) {
  WallSpringMass body;
  body.spring = 1e-3 * t.break_away;
  return body;
}

void ask_stick(const AnyLaw& law, LawTraits& t) {
  WallSpringMass body = held(t);
  body.signal = {.shape = Signal::samples};
  body.signal.curve = std::make_shared<SampledCurve>(
      std::vector{0.0, 10.0, 110.0}, std::vector{0.0, 0.5 * t.break_away, 0.5 * t.break_away});
  Options o;
  o.end = 110.0;
  o.samples = 1101.0;
  const Simulation run = simulate(law, body, o);
  if (!run.summary.ok()) return;
  double speed = 0.0;
  const auto& v = run.trajectory.velocity;
  for (std::size_t i = v.size() - 10; i < v.size(); ++i) speed = std::max(speed, std::abs(v[i]));
  t.held_speed = speed;
}

void ask_drift(const AnyLaw& law, LawTraits& t) {
  WallSpringMass body = held(t);
  body.signal = {.amplitude = 0.25 * t.break_away, .frequency = 1.0, .offset = 0.25 * t.break_away};
  Options o;
  o.end = 42.0 * std::numbers::pi;
  o.samples = 2101.0;  // a hundred a wave
  const Simulation run = simulate(law, body, o);
  if (!run.summary.ok()) return;
  const auto& x = run.trajectory.position;
  t.drift = std::abs(x[2100] - x[100]);
}

// The correlation of force and height where the body moves faster than a twentieth of its top
// speed; 0 for a body that stays at its height.
double height_correlation(const Trajectory& run) {
  if (run.height.empty()) return 0.0;
  double top = 0.0, n = 0.0, h = 0.0, f = 0.0, hh = 0.0, ff = 0.0, hf = 0.0;
  for (const double speed : run.velocity) top = std::max(top, speed);
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (!(run.velocity[i] > 0.05 * top)) continue;
    const double x = run.height[i], y = run.force[i];
    n += 1.0, h += x, f += y, hh += x * x, ff += y * y, hf += x * y;
  }
  const double spread = (n * hh - h * h) * (n * ff - f * f);
  return n > 10.0 && spread > 0.0 ? (n * hf - h * f) / std::sqrt(spread) : 0.0;
}

void ask_stick_slip(const AnyLaw& law, LawTraits& t) {
  DraggedMass body;
  body.spring = t.break_away;  // a metre of stretch breaks away
  body.drag_velocity = t.stribeck() ? std::clamp(5.0 * t.fall_speed, 1e-3, 0.1) : 2e-3;
  Options o;
  o.end = 8.0 / body.drag_velocity;
  o.samples = 20001.0;
  o.step_limit = 2e6;
  const Simulation run = simulate(law, body, o);
  if (!run.summary.ok()) return;
  t.with_height = height_correlation(run.trajectory);
  const LimitCycle cycle = find_limit_cycle(run.trajectory);
  // Without any damping the body swings between rest and twice the speed of the drag for ever.
  const bool swing = cycle.kind == StickSlip::quasi && cycle.amplitude <= 1.02 * body.drag_velocity;
  t.stick_slip = swing ? StickSlip::none : cycle.kind;
}

void ask_map(const std::shared_ptr<const AnyLaw>& law, LawTraits& t) {
  // Slides in both directions, at speeds where the steady force falls if it does.
  Signal input;
  // A row that remembers sides loses nothing within the length of a body.
  input.amplitude = t.deflection > 0.0 ? 5.0 * t.deflection : law->remembers() ? 1.5 : track;
  if (t.by_position) input.offset = 0.00713;  // no jump of the force just where the map is sampled
  input.frequency = (t.stribeck() ? t.fall_speed : 1e-2) / input.amplitude;
  t.map =
      properties(*friction_system(law, PrescribedMotion{.signal = input}), input,
                 {.tolerance = law->remembers() ? 1e-7 : 1e-9, .samples = 201, .most_periods = 8});
}

void ask_passivity(const AnyLaw& law, LawTraits& t) {
  if (!law.set_valued() && !law.remembers()) {
    t.passivity = certify(law);
    return;
  }
  // No state: all of F v is lost, so it must not be negative.
  t.passivity.searched = true;
  for (int i = -160; i <= 160; ++i)
    for (int k = 0; k < places; ++k) {
      const double v = (i < 0 ? -1.0 : 1.0) * std::pow(10.0, -7.0 + std::abs(i) / 20.0);
      const Motion<double> motion{track * k / places, v, 1.0, 0.0};
      if (law.steady(motion) * v < 0.0) t.passivity.kind = Certificate::never;
    }
}

}  // namespace

LawTraits law_traits(const std::shared_ptr<const AnyLaw>& law) {
  require_single(*law, "the comparison of laws");
  LawTraits t;
  t.break_away = largest_at_rest(*law);
  ask_steady(*law, t);
  ask_presliding(*law, t);
  stop_if_asked();
  ask_stick(*law, t);
  stop_if_asked();
  ask_drift(*law, t);
  stop_if_asked();
  ask_stick_slip(*law, t);
  stop_if_asked();
  try {
    ask_map(law, t);
  } catch (const InvalidInput&) {
    t.map = {};
  }
  t.continuity = continuity(*law);
  stop_if_asked();
  ask_passivity(*law, t);
  return t;
}

}  // namespace bristle
