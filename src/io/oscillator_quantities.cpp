// SPDX-License-Identifier: MIT
// Quantities of a body that oscillates, and of how its contact breaks away.
#include <cmath>
#include <numbers>

#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/literal_form.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/machine/short_forms.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

// The whole beats at the end of a record: where they begin, or a negative time for none.
double last_beats(const Case& c, const Trajectory& t) {
  if (t.size() < 4 || !(c.beat > 0.0)) return -1.0;
  const double beats = std::floor((t.time.back() - t.time.front()) / c.beat + 1e-9);
  return beats < 1.0 ? -1.0 : std::max(t.time.back() - beats * c.beat, t.time.front());
}

// The size of a multiple of the driving frequency in the position, over whole beats.
Measured harmonic(const Case& c, const CaseResult& result, double number) {
  const Trajectory& t = result.run.trajectory;
  const double from = last_beats(c, t);
  if (from < 0.0) return {};
  const double w = std::max(number, 1.0) * 2.0 * std::numbers::pi / c.beat;
  double real = 0.0, imaginary = 0.0, weight = 0.0;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    if (t.time[i] < from * (1.0 - 1e-12)) continue;
    real += t.position[i] * std::cos(w * t.time[i]);
    imaginary += t.position[i] * std::sin(w * t.time[i]);
    weight += 1.0;
  }
  return 2.0 * std::hypot(real, imaginary) / weight;
}

// A mean over the break-aways recorded, of the size of something.
template <class F>
CaseQuantity of_breakaways(const F& f) {
  return [f](const Case& c, const CaseResult& r, double) -> Measured {
    const auto all = break_aways(r.run.trajectory);
    if (all.empty()) return {};
    double sum = 0.0;
    for (const BreakAway& b : all) sum += std::abs(f(c, b.event));
    return sum / double(all.size());
  };
}

// The largest less the smallest force of a break-away, over their mean.
Measured breakaway_spread(const Case&, const CaseResult& r, double) {
  double least = INFINITY, most = 0.0;
  for (const BreakAway& b : break_aways(r.run.trajectory)) {
    least = std::min(least, std::abs(b.event.force));
    most = std::max(most, std::abs(b.event.force));
  }
  if (!(most > 0.0)) return {};
  return 2.0 * (most - least) / (most + least);
}

std::optional<HystereticStatic<>> hysteretic_law(const Case& c) {
  if (!c.law || c.law->name() != HystereticStatic<>::name) return std::nullopt;
  return make<HystereticStatic<>>(c.law->values());
}

// A quantity of a body over a moving base.
template <class F>
CaseQuantity of_body(const F& f) {
  return [f](const Case& c, const CaseResult&, double) -> Measured {
    const auto body = body_on_base(c);
    return body ? Measured(f(*body)) : Measured{};
  };
}

// A quantity of the motion by the law as its source prints it.
template <class F>
CaseQuantity of_literal(const F& f) {
  return [f](const Case& c, const CaseResult& r, double) -> Measured {
    const auto law = hysteretic_law(c);
    const auto* body = c.as<BaseExcitedMass>();
    if (!law || !law->yields() || !body) return {};
    Options options = c.options;
    options.method = Options::coupled;  // its check knows how many fixed steps are too many
    const LiteralMotion motion = literal_motion(*law, *body, options);
    stop_if_asked();
    return motion.finished ? Measured(f(motion, r)) : Measured{};
  };
}

}  // namespace

std::vector<BreakAway> break_aways(const Trajectory& t) {
  std::vector<BreakAway> all;
  const Event* before = nullptr;
  for (const Event& e : t.events) {
    if (e.kind == EventKind::watched) continue;
    const bool recorded = !t.time.empty() && e.time >= t.time.front();
    if (e.kind == EventKind::slip && before && recorded) all.push_back({e, e.time - before->time});
    before = &e;
  }
  return all;
}

std::optional<BaseExcitedMass> body_on_base(const Case& c) {
  if (c.kind != CaseKind::run) return std::nullopt;
  if (const auto* body = c.as<BaseExcitedMass>()) return *body;
  const auto* rig = c.as<Rig>();
  if (!rig) return std::nullopt;
  return BaseExcitedMass{rig->mass, rig->spring, rig->damping, rig->load, rig->signal};
}

MachineParts machine_of(const Case& c) {
  MachineParts parts = std::visit([&](const auto& m) { return parts_of(m, c.law); }, *c.mechanism);
  // The tongue of the rig starts with its mass.
  for (std::size_t i = 0; i < (c.as<Rig>() ? 2u : 1u); ++i) {
    parts.bodies[i].body.position += c.options.initial.position;
    parts.bodies[i].body.velocity += c.options.initial.velocity;
  }
  return parts;
}

std::vector<std::string> oscillator_columns(const Case& c) {
  if (!body_on_base(c)) return {};
  if (c.as<Rig>())
    return {"acceleration",  "friction_work", "body_acceleration", "body_position",
            "body_velocity", "transducer",    "indirect_force"};
  return {"acceleration", "friction_work", "body_acceleration", "indirect_force"};
}

std::vector<double> oscillator_column(const Case& c, const Trajectory& t, const std::string& name) {
  for (const MeasuredColumn& one : t.measured)
    if (one.name == name) return one.values;
  std::vector<double> values;
  if (const auto* given = c.as<PrescribedMotion>(); given && name == "acceleration") {
    const Signal& s = given->signal;
    for (const double time : t.time) values.push_back(s.curvature(time, s.piece(time)));
    return values;
  }
  const auto body = body_on_base(c);
  if (!body) return {};
  if (name == "indirect_force") {
    if (t.size() < 2) return {};
    const bool rig = c.as<Rig>() != nullptr;
    return indirect_force(*body, {t.time,
                                  rig ? oscillator_column(c, t, "body_position") : t.position,
                                  rig ? oscillator_column(c, t, "body_velocity") : t.velocity,
                                  oscillator_column(c, t, "body_acceleration"),
                                  {}})
        .force;
  }
  // Of one degree of freedom, from the equation of motion.
  if (c.as<Rig>() || (name != "acceleration" && name != "body_acceleration")) return {};
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double of_body =
        -(body->spring * t.position[i] + body->damping * t.velocity[i] + t.force[i]) / body->mass;
    const double time = t.time[i];
    values.push_back(name == "acceleration"
                         ? of_body - body->signal.curvature(time, body->signal.piece(time))
                         : of_body);
  }
  return values;
}

void add_oscillator_quantities(std::map<std::string, CaseQuantity>& q) {
  for (const std::string name : {"position", "velocity", "acceleration", "force"})
    q["rms_" + name] = [name](const Case& c, const CaseResult& r, double) -> Measured {
      double sum = 0.0;
      const auto x = column(c, r, name);
      for (const double a : x) sum += a * a;
      return x.empty() ? Measured{} : Measured(std::sqrt(sum / double(x.size())));
    };
  q["friction_work_cycle"] = [](const Case& c, const CaseResult& r, double) -> Measured {
    const Trajectory& t = r.run.trajectory;
    const double from = last_beats(c, t);
    if (from < 0.0 || t.friction_work.empty()) return {};
    const double beats = std::round((t.time.back() - from) / c.beat);
    return (t.friction_work.back() - sample_at(t.time, t.friction_work, from)) / beats;
  };
  q["harmonic"] = harmonic;
  q["breakaway_velocity"] = of_breakaways([](const Case&, const Event& e) { return e.velocity; });
  q["breakaway_force"] = of_breakaways([](const Case&, const Event& e) { return e.force; });
  q["breakaway_coefficient"] =
      of_breakaways([](const Case& c, const Event& e) { return e.force / load_of(c); });
  q["breakaway_curve"] = [](const Case& c, const CaseResult&, double speed) -> Measured {
    const auto law = hysteretic_law(c);
    return law ? Measured(law->breakaway(std::abs(speed))) : Measured{};
  };
  q["breakaway_spread"] = breakaway_spread;
  q["natural_frequency"] = of_body([](const BaseExcitedMass& b) {
    return std::sqrt(b.spring / b.mass) / (2.0 * std::numbers::pi);
  });
  q["damping_ratio"] = of_body(
      [](const BaseExcitedMass& b) { return 0.5 * b.damping / std::sqrt(b.spring * b.mass); });
}

void add_literal_quantities(std::map<std::string, CaseQuantity>& q) {
  // The part of its evaluations in which the literal form had several accelerations, or none.
  q["several_solutions"] = of_literal([](const LiteralMotion& m, const CaseResult&) {
    return double(m.several) / double(m.evaluations);
  });
  q["no_solution"] = of_literal([](const LiteralMotion& m, const CaseResult&) {
    return double(m.none) / double(m.evaluations);
  });
  // How far it swings beyond the run, over the swing of the run.
  q["literal_difference"] = of_literal([](const LiteralMotion& m, const CaseResult& r) {
    const double most = range_of(r.run.trajectory.position).most;
    return std::abs(m.most_position - most) / most;
  });
}

}  // namespace bristle::io
