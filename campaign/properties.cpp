// SPDX-License-Identifier: MIT
#include "properties.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/analysis/passivity.hpp"

namespace bristle::campaign {
namespace {

constexpr double rounding = 1e-12;  // of the energies of a run, added up over its steps

std::string shortly(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

// The largest energy that any entry of the ledger had during the run [J].
double energy_of(const Trajectory& t) {
  double change = 0.0;
  for (const double s : t.stored) change = std::max(change, std::abs(s - t.stored.front()));
  return std::max({largest(t.work_in), largest(t.dissipated), change});
}

void look_at_numbers(const Simulation& run, std::vector<Violation>& found) {
  const Trajectory& t = run.trajectory;
  const Ledger& l = run.summary.ledger;
  bool finite = true;
  for (const auto* column : {&t.time, &t.input, &t.position, &t.velocity, &t.state, &t.force,
                             &t.work_in, &t.dissipated, &t.stored, &t.height})
    for (const double x : *column) finite = finite && std::isfinite(x);
  for (const double x : {l.work_in, l.friction_work, l.dissipated, l.stored_change, l.closing_error,
                         l.relative_error})
    finite = finite && std::isfinite(x);
  if (!finite) found.push_back({"finite", "a number is not finite", 1.0});
  for (std::size_t i = 1; i < t.size(); ++i)
    if (!(t.time[i] > t.time[i - 1])) {
      found.push_back({"times", "time " + words(t.time[i]) + " s does not increase", 1.0});
      break;
    }
}

// A body that sticks under a set-valued law stands exactly still.
void look_at_stick(const Parts& parts, const Simulation& run, std::vector<Violation>& found) {
  if (!parts.law->set_valued() || std::holds_alternative<PrescribedMotion>(parts.mechanism)) return;
  const Trajectory& t = run.trajectory;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t.mode[i] == 0.0 && t.velocity[i] != 0.0) {
      found.push_back({"stick",
                       "sticks with velocity " + words(t.velocity[i]) +
                           " m/s at t = " + words(t.time[i]) + " s",
                       1.0});
      return;
    }
}

// What was dissipated never comes back.
void look_at_dissipation(const Parts& parts, const Simulation& run, double allowed,
                         std::vector<Violation>& found) {
  const Trajectory& t = run.trajectory;
  if (t.size() < 2 || !passive(parts, 3.0 * largest(t.velocity))) return;
  double worst = 0.0, top = t.dissipated.front();
  for (const double d : t.dissipated) {
    worst = std::max(worst, top - d);
    top = std::max(top, d);
  }
  const double size = energy_of(t);
  if (worst > allowed * size)
    found.push_back(
        {"dissipation",
         "dissipated energy falls by " + shortly(worst) + " J of " + shortly(size) + " J",
         worst / (allowed * size)});
}

// What a mass on a spring under a drive has: its inertia and the force on it without friction.
struct Plant {
  double mass, stiffness;
  std::vector<double> push;  // at each sample [N]
};

// Of the mechanisms whose energy is quadratic and whose drive does work only through the body.
bool plant_of(const Parts& parts, const Trajectory& t, Plant& plant) {
  const auto* wall = std::get_if<WallSpringMass>(&parts.mechanism);
  const auto* dragged = std::get_if<DraggedMass>(&parts.mechanism);
  if (!wall && !dragged) return false;
  plant.mass = wall ? wall->mass : dragged->mass;
  plant.stiffness = wall ? wall->spring : dragged->spring;
  for (std::size_t i = 0; i < t.size(); ++i)
    plant.push.push_back((wall ? t.input[i] : plant.stiffness * t.input[i]) -
                         plant.stiffness * t.position[i] - t.force[i]);
  return true;
}

// What the steps of a body without a bristle add to its energy: c h^2 (|k1|^2 - |k2|^2) each, with
// the rates k1 and k2 of the two stages. Where every step has a sample they follow from the ends of
// the step: x2 - x0 = h ((1 - gamma) v1 + gamma v2), and the same for v and its rates.
double added_by_steps(const Plant& plant, const Trajectory& t, double h) {
  constexpr double gamma = 0.29289321881345254;
  const auto size = [&](double v, double a) {
    return 0.5 * (plant.stiffness * v * v + plant.mass * a * a);
  };
  double sum = 0.0;
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double v0 = t.velocity[i - 1], v2 = t.velocity[i];
    const double v1 = ((t.position[i] - t.position[i - 1]) / h - gamma * v2) / (1.0 - gamma);
    const double a1 = (v1 - v0) / (gamma * h);
    const double a2 = ((v2 - v0) / h - (1.0 - gamma) * a1) / gamma;
    sum += std::max(0.0, gamma * gamma * h * h * (size(v1, a1) - size(v2, a2)));
  }
  return sum;
}

// A passive law gives the body no energy: what is stored more than at the start was put in. The
// coupled step keeps this for E + c h^2 |y'|^2, with c = (1 - gamma)(1 - 3 gamma) = gamma^2 and the
// rates y' measured by the energy E: what it adds to E is what the second term loses, which is
// small at the end of a step only where the rates are. A force that jumps renews that term.
void look_at_creation(const Parts& parts, const Simulation& run, std::vector<Violation>& found) {
  constexpr double c = 0.0858;
  const Trajectory& t = run.trajectory;
  Plant plant;
  if (t.size() < 2 || !plant_of(parts, t, plant) || !passive(parts, 3.0 * largest(t.velocity)))
    return;
  const double size = energy_of(t), h = parts.options.step;
  // A bristle changes at most as fast as the body moves.
  double stiffness = plant.stiffness;
  if (!parts.law->set_valued()) stiffness += parts.law->force_scale(1.0) / parts.law->state_scale();
  double worst = 0.0, turns = 1.0, rates = 0.0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    worst = std::max(worst, t.stored[i] - t.stored[0] - (t.work_in[i] - t.work_in[0]));
    turns += i > 0 && t.velocity[i] * t.velocity[i - 1] <= 0.0;
    rates = std::max(rates, 0.5 * (plant.push[i] * plant.push[i] / plant.mass +
                                   stiffness * t.velocity[i] * t.velocity[i]));
  }
  const bool every = std::abs((t.time.back() - t.time.front()) / h - double(t.size() - 1)) < 0.5;
  double allowed = 1e-6 * size + c * h * h * rates * turns;
  if (parts.law->set_valued() && every) allowed = 1e-6 * size + added_by_steps(plant, t, h);
  if (worst > allowed)
    found.push_back({"creation",
                     "stores " + shortly(worst) + " J more than was put in, of " + shortly(size) +
                         " J; the method explains " + shortly(allowed) + " J",
                     worst / allowed});
}

// A push of known size gives a body no more than its impulse: sqrt(2 m E) grows by at most |push|
// per second, with E and the second term that the step adds to it (see above).
void look_at_bounds(const Parts& parts, const Simulation& run, std::vector<Violation>& found) {
  const Trajectory& t = run.trajectory;
  if (t.size() < 2) return;
  const auto [mass, push] = std::visit(
      [&](const auto& m) -> std::pair<double, double> {
        using M = std::decay_t<decltype(m)>;
        const double drive = largest(t.input);
        if constexpr (std::is_same_v<M, WallSpringMass>) return {m.mass, drive};
        else if constexpr (std::is_same_v<M, DraggedMass>)
          return {m.mass, std::abs(m.drag_velocity) * std::sqrt(m.spring * m.mass)};
        else if constexpr (std::is_same_v<M, Pendulum>) return {m.inertia, drive + m.weight};
        else return {0.0, 0.0};
      },
      parts.mechanism);
  if (!(mass > 0.0) || !passive(parts, 3.0 * largest(t.velocity))) return;
  const double frequency = std::sqrt(std::visit(
      [](const auto& m) {
        if constexpr (requires { m.spring; }) return m.spring / m.mass;
        else if constexpr (requires { m.weight; }) return m.weight / m.inertia;
        else return 0.0;
      },
      parts.mechanism));
  const double room = 1.1 * std::hypot(1.0, 0.42 * frequency * parts.options.step);
  const bool pendulum = std::holds_alternative<Pendulum>(parts.mechanism);
  const double first = pendulum ? std::sqrt(mass) * std::abs(t.velocity[0])
                                : std::sqrt(2.0 * std::max(t.stored[0], 0.0));
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double allowed =
        room * (first + push * (t.time[i] + parts.options.step) / std::sqrt(mass)) + 1e-12;
    const double has = std::sqrt(mass) * std::abs(t.velocity[i]);
    if (has <= allowed) continue;
    found.push_back({"bounded",
                     "moves at " + words(t.velocity[i]) + " m/s at t = " + words(t.time[i]) +
                         " s, faster than the drive can make it",
                     has / allowed});
    return;
  }
}

}  // namespace

double bound_of(const AnyLaw& law) {
  // Where the state goes at constant velocity, over places and velocities.
  double most = law.state_scale();
  for (const double direction : {1.0, -1.0})
    for (int place = 0; place < 200; ++place)
      for (double speed = 1e-8; speed < 1e3; speed *= place == 0 ? 1.3 : 1e3) {
        const Motion<double> m{0.01 * direction * place, direction * speed, 1.0, 0.0};
        const double z = law.advance(0.0, m, 1e3 / speed);
        if (std::isfinite(z)) most = std::max(most, std::abs(z));
      }
  return most / law.state_scale();
}

double allowed_ledger_error(double tolerance) { return std::max(1e-6, 1e3 * tolerance); }

// The bookkeeping of Table 3.1 to the letter, see rotating_bristle.hpp.
static bool creates_energy(const AnyLaw& law) {
  const Values values = law.values();
  const auto kind = values.find("bookkeeping");
  return kind != values.end() && std::get<std::string>(kind->second) == "table";
}

bool passive(const Parts& parts, double top_speed) {
  const AnyLaw& law = *parts.law;
  // The slant of a body that its bristles carry gives its work to the vertical motion.
  if (law.lift()) return false;
  if (law.set_valued()) return true;
  if (creates_energy(law)) return false;
  const double load = std::visit([](const auto& m) { return m.load; }, parts.mechanism);
  const Certificate c = certify(law, std::max(top_speed, 2e-9), load);
  return c.kind == Certificate::always;
}

std::vector<Violation> adaptive_violations(const Parts& parts, const Simulation& run) {
  std::vector<Violation> found;
  const Summary& s = run.summary;
  const Trajectory& t = run.trajectory;
  if (s.message.empty()) found.push_back({"message", "there is no message", 1.0});
  look_at_numbers(run, found);
  look_at_stick(parts, run, found);
  if (s.ok() &&
      (t.size() != std::size_t(parts.options.samples) || t.time.back() != parts.options.end))
    found.push_back({"last sample",
                     std::to_string(t.size()) + " samples, the last at " +
                         (t.time.empty() ? "none" : words(t.time.back())),
                     1.0});
  const double allowed = allowed_ledger_error(parts.options.tolerance);
  if (!(s.ledger.relative_error <= allowed) && !creates_energy(*parts.law))
    found.push_back({"ledger", "off by " + shortly(s.ledger.relative_error) + " of the work",
                     s.ledger.relative_error / allowed});
  look_at_dissipation(parts, run, rounding, found);
  return found;
}

std::vector<Violation> fixed_violations(const Parts& parts, const Simulation& run) {
  std::vector<Violation> found;
  look_at_numbers(run, found);
  look_at_stick(parts, run, found);
  look_at_creation(parts, run, found);
  look_at_bounds(parts, run, found);
  if (!run.summary.ok()) found.push_back({"done", run.summary.message, 1.0});
  return found;
}

}  // namespace bristle::campaign
