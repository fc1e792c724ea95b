// SPDX-License-Identifier: MIT
#include "draw.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace bristle::campaign {
namespace {

constexpr double pi = std::numbers::pi;

bool chance(Random& random, double probability) { return between(random, 0.0, 1.0) < probability; }

// A factor: mostly within two, now and then up to two decades either way.
double factor(Random& random) {
  const double kind = between(random, 0.0, 1.0);
  const double width = kind < 0.5 ? 0.3 : kind < 0.85 ? 1.0 : 2.0;
  return decades(random, -width, width);
}

// One field about its default. Lengths of a row of bristles, whose force depends on differences of
// lengths, are changed by little.
Value draw_field(Random& random, const FieldInfo& field, bool row) {
  if (!field.choices.empty()) {
    const auto count = double(field.choices.size());
    const double index =
        chance(random, 0.6) ? field.default_value : std::floor(between(random, 0.0, count - 1e-9));
    return field.choices[std::size_t(index)];
  }
  double value = field.default_value;
  if (row && field.unit == "m") value *= decades(random, -0.003, 0.003);
  else if (value != 0.0) value *= factor(random);
  else if (chance(random, 0.3)) value = decades(random, -4.0, 0.0);
  if (field.bounds.whole) value = std::round(value);
  return std::clamp(value, field.bounds.lower, field.bounds.upper);
}

Values draw_fields(Random& random, const Description& description, bool row) {
  Values values;
  for (const auto& field : description.fields)
    if (!field.list) values[field.name] = draw_field(random, field, row);
  return values;
}

// What a mechanism does to its body: the stiffness, the inertia and the force per unit of the
// input.
struct Body {
  double stiffness, inertia, gain;
};

Body body_of(const AnyMechanism& mechanism) {
  return std::visit(
      [](const auto& m) -> Body {
        using M = std::decay_t<decltype(m)>;
        if constexpr (std::is_same_v<M, Pendulum>)
          return {std::max(m.weight, 1e-3 * m.inertia), m.inertia, 1.0};
        else if constexpr (std::is_same_v<M, DiaphragmValve>)
          return {m.spring, m.mass, m.area * m.gain};
        else if constexpr (std::is_same_v<M, PrescribedMotion>) return {1.0, 1.0, 1.0};
        else return {std::max(m.spring, 1e-3 * m.mass), m.mass, 1.0};
      },
      mechanism);
}

// A drive whose amplitude is comparable to `size`, at frequencies around `omega`.
Values draw_input(Random& random, const std::string& mechanism, double size, double omega,
                  double& end) {
  const bool smooth = mechanism == BaseExcitedMass::name;
  const bool steps = !smooth && mechanism != PrescribedMotion::name;
  Values in;
  const double kind = between(random, 0.0, 1.0), amplitude = size * decades(random, -1.0, 1.2);
  const double frequency = omega * decades(random, -1.5, 0.7);
  const double period = 2.0 * pi / frequency;
  end = period * between(random, 0.5, 6.0);
  in["amplitude"] = amplitude;
  in["frequency"] = frequency;
  if (kind < 0.35 || (kind >= 0.75 && smooth)) {
    in["phase"] = chance(random, 0.3) ? 0.0 : between(random, -pi, pi);
    if (chance(random, 0.3)) in["offset"] = amplitude * between(random, -1.0, 1.0);
    if (!smooth && chance(random, 0.2)) {
      in["change_time"] = end * between(random, 0.1, 0.9);
      in["amplitude_after"] = amplitude * between(random, 0.0, 2.0);
      if (!steps) in.erase("change_time"), in.erase("amplitude_after");
    }
  } else if (kind < 0.5) {
    in["shape"] = std::string("two_sines");
    in["second_amplitude"] = amplitude * between(random, 0.05, 1.0);
    in["second_frequency"] =
        frequency *
        (chance(random, 0.5) ? std::floor(between(random, 2.0, 9.0)) : between(random, 1.1, 8.0));
    in["second_phase"] = between(random, -pi, pi);
  } else if (kind < 0.65 && !smooth) {
    in["shape"] = std::string("triangle");
    in["phase"] = between(random, -pi, pi);
  } else if (kind < 0.85 || !steps) {
    in["shape"] = std::string("ramp");
    in["rate"] = (chance(random, 0.5) ? 1.0 : -1.0) * amplitude * between(random, 0.1, 2.0) / end;
    if (chance(random, 0.5)) in["offset"] = amplitude * between(random, -1.0, 1.0);
  } else {
    // A step: a wave that stands still, whose height changes.
    in["frequency"] = 0.0;
    in["phase"] = 0.5 * pi;
    in["change_time"] = end * between(random, 0.05, 0.9);
    in["amplitude_after"] = amplitude * between(random, -2.0, 2.0);
  }
  return in;
}

}  // namespace

Random random_of(std::uint64_t seed, std::uint64_t index) {
  std::seed_seq mixed{std::uint32_t(seed), std::uint32_t(seed >> 32), std::uint32_t(index),
                      std::uint32_t(index >> 32)};
  return Random(mixed);
}

double between(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}
double decades(Random& random, double low, double high) {
  return std::pow(10.0, between(random, low, high));
}

Values draw_law(Random& random, const LawEntry& entry) {
  const auto plain = entry.make({});
  const bool row = plain->remembers() || plain->by_position();
  for (int tries = 0; tries < 60; ++tries) {
    Values values = draw_fields(random, entry.description, row);
    try {
      entry.make(values);
      values["name"] = entry.description.name;
      return values;
    } catch (const InvalidInput&) {
    }
  }
  return {{"name", entry.description.name}};
}

Machine draw(Random& random, std::uint64_t index) {
  // The rig runs as a machine of three bodies; the campaign `machines` draws those.
  static const std::vector<Description> kinds = [] {
    std::vector<Description> all;
    for_each_mechanism([&]<class M>(const M&) {
      if constexpr (!std::same_as<M, Rig>) all.push_back(describe<M>());
    });
    return all;
  }();
  // Laws with several states run as machines and have no second method yet.
  static const std::vector<LawEntry> all = [] {
    std::vector<LawEntry> single;
    for (const auto& law : laws())
      if (law.single) single.push_back(law);
    return single;
  }();
  const LawEntry& entry = all[index % all.size()];
  const bool lifts = entry.make({})->lift().has_value();
  std::vector<const Description*> fitting;
  for (const auto& m : kinds)
    if (!lifts || (m.name != Pendulum::name && m.name != PrescribedMotion::name))
      fitting.push_back(&m);
  const Description& kind = *fitting[(index / all.size()) % fitting.size()];

  Machine machine;
  machine["model"] = draw_law(random, entry);
  machine["mechanism"] = draw_fields(random, kind, false);
  machine["mechanism"]["name"] = kind.name;
  // The load scales laws that are normalised by it; their coefficients are drawn already.
  if (chance(random, 0.7)) machine["mechanism"].erase("load");

  // Force, body and time decide what is a comparable drive.
  const Parts parts = assemble(machine);
  const double load = number(machine, "mechanism", "load", 1.0);
  const double force = std::max(parts.law->force_scale(load), 1e-12);
  const Body body = body_of(parts.mechanism);
  const double omega = std::sqrt(body.stiffness / body.inertia);
  double end = 1.0;
  if (kind.name == DraggedMass::name) {
    const double speed = std::abs(number(machine, "mechanism", "drag_velocity", 0.1));
    end = std::min(between(random, 0.3, 6.0) * force / (body.stiffness * speed) +
                       between(random, 0.0, 30.0) / omega,
                   300.0 / omega);
  } else if (kind.name == PrescribedMotion::name) {
    const double reach = parts.law->set_valued() ? 0.01 : parts.law->state_scale();
    machine["input"] =
        draw_input(random, kind.name, std::min(reach * decades(random, 0.0, 2.0), 0.1),
                   decades(random, -0.5, 1.5), end);
  } else {
    // A base that moves pushes with the mass times its acceleration.
    const bool base = kind.name == BaseExcitedMass::name;
    const double size = base ? force / body.stiffness : force / body.gain;
    machine["input"] = draw_input(random, kind.name, size, omega, end);
    if (kind.name == DiaphragmValve::name && chance(random, 0.7)) {
      const auto& valve = std::get<DiaphragmValve>(parts.mechanism);
      machine["input"]["offset"] =
          (valve.preload - valve.area * valve.least_pressure) / (valve.area * valve.gain);
    }
  }
  if (chance(random, 0.25) && kind.name != PrescribedMotion::name) {
    machine["initial"]["position"] = between(random, -1.0, 1.0) * force / body.stiffness;
    machine["initial"]["velocity"] =
        between(random, -1.0, 1.0) * force / std::sqrt(body.stiffness * body.inertia);
  }
  if (chance(random, 0.2) && !parts.law->set_valued())
    machine["initial"]["state"] = between(random, -0.9, 0.9) * parts.law->state_scale();
  machine["solve"] = {{"end", end},
                      {"tolerance", decades(random, -10.0, -5.0)},
                      {"samples", 101.0},
                      {"step_limit", 2e5}};
  return machine;
}

}  // namespace bristle::campaign
