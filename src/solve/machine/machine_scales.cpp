// SPDX-License-Identifier: MIT
#include "machine_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// The scale of a body that bristles hold, in deflections at break-away.
constexpr double creep = 9000.0;

}  // namespace

MachineScales::MachineScales(const MachineSystem& system)
    : state(std::size_t(system.states + system.powers), 0.0) {
  const Machine& m = system.machine();
  const auto n = std::size_t(system.n);
  std::vector<double> force(n, 0.0), stiff(n, 0.0), speed(n, 0.0), inertia = m.inertia;
  double pace = 1e-3;
  const auto force_of = [&](const Machine::Contact& c) {
    const double load =
        c.load_part < 0 ? c.load : m.parts().loads[std::size_t(c.load_part)].load.scale();
    const double size = c.block ? c.block->force_scale(load) : c.law->force_scale(load);
    return c.per_load ? size * load : size;
  };
  const auto state_of = [&](const Machine::Contact& c, int i) {
    return c.block ? c.block->state_scale(i) : c.law->state_scale();
  };
  for (std::size_t k = 0; k < m.lines.size(); ++k)
    for (const auto& term : m.lines[k].coordinates)
      force[std::size_t(term.index)] +=
          std::abs(term.weight) * force_of(m.contacts[std::size_t(m.contact_of_line[k])]);
  for (const auto& i : m.inputs) {
    force[std::size_t(i.coordinate)] +=
        std::abs(i.weight) *
        (std::abs(i.settings.gain) * i.signal.scale() + std::abs(i.settings.bias));
    pace = std::max(pace, i.signal.frequency);
  }
  for (const auto& c : m.controllers) {
    const auto i = std::size_t(m.inputs[c.input].coordinate);
    const auto& s = c.settings;
    // What its limit allows, or what its gains make of the reference.
    const double error = s.form == Controller::cascade    ? s.velocity_gain * s.position_gain
                         : s.form == Controller::velocity ? s.velocity_gain
                                                          : s.position_gain;
    force[i] += std::abs(m.inputs[c.input].weight * s.gain) *
                (s.saturation > 0.0 ? s.saturation : std::abs(error) * c.reference.scale());
    pace = std::max(pace, c.reference.frequency);
    // It holds its body as a spring does.
    if (s.form != Controller::velocity)
      stiff[i] += square(m.inputs[c.input].weight) * std::abs(s.gain * error);
  }
  for (const auto& d : m.parts().drives) pace = std::max(pace, d.signal.frequency);
  const auto drive_speed = [&](const MotionRow& row) {
    double sum = 0.0;
    for (const auto& term : row.drives)
      sum += std::abs(term.weight) * m.parts().drives[std::size_t(term.index)].speed();
    return sum;
  };
  for (const auto& one : m.linear)
    for (const auto& term : one.row.coordinates) {
      const auto i = std::size_t(term.index);
      stiff[i] += square(term.weight) * one.pull.stiffness;
      speed[i] = std::max(speed[i], drive_speed(one.row) / std::abs(term.weight));
    }
  for (const auto& one : m.others) {
    const Pull p = one.coupling->pull(0.0, 0.0, 0);
    for (const auto& term : one.row.coordinates) {
      force[std::size_t(term.index)] += std::abs(term.weight * p.force);
      stiff[std::size_t(term.index)] += square(term.weight) * std::abs(p.by_stretch);
    }
  }
  // Linkages as they are at the start. Their weight bends over an angle of about one.
  MassMatrix mass(m);
  if (mass.varies()) {
    const std::vector<double> still(n, 0.0);
    std::vector<double> push(n, 0.0);
    mass.look(m.position0.data(), still.data());
    mass.pull(push.data());
    for (std::size_t i = 0; i < n; ++i) {
      inertia[i] = mass.at(int(i), int(i));
      force[i] += std::abs(push[i]), stiff[i] += std::abs(push[i]);
    }
    mass.linearise(m.position0.data(), still.data(), still.data());
    mass.slopes([&](int i, int j, double by_q, double) {
      if (i == j) stiff[std::size_t(i)] += std::abs(by_q);
    });
  }
  for (const MotionRow& row : m.lines)
    for (const auto& term : row.coordinates)
      speed[std::size_t(term.index)] =
          std::max(speed[std::size_t(term.index)], drive_speed(row) / std::abs(term.weight));

  double energy = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double pull = std::max(stiff[i], inertia[i] * square(pace));
    double q = force[i] / pull;
    double v =
        std::max({force[i] / std::sqrt(pull * inertia[i]), speed[i], std::abs(m.velocity0[i])});
    if (!(q > 0.0)) q = v > 0.0 ? v * std::sqrt(inertia[i] / pull) : 1.0;
    if (!(v > 0.0)) v = 1.0;
    state[i] = q;
    state[n + i] = v;
    energy = std::max(energy, force[i] * q);
  }
  for (const auto& i : m.inputs)
    if (i.state >= 0) {
      const double size = std::abs(i.settings.gain) * i.signal.scale() + std::abs(i.settings.bias);
      state[std::size_t(system.p_at() + i.state)] = size > 0.0 ? size : 1.0;
    }
  deflection.assign(n, infinity);
  for (const auto& c : m.contacts) {
    for (int i = 0; i < c.states; ++i) {
      const double bristle = state_of(c, i);
      state[std::size_t(system.z_at() + c.state + i)] = 30.0 * bristle;
      for (int axis = 0; axis < c.dimension; ++axis)
        for (const auto& term : m.line(c, axis).coordinates) {
          auto& held = deflection[std::size_t(term.index)];
          held = std::min(held, creep * bristle / std::abs(term.weight));
        }
    }
  }
  double bristles = infinity;
  for (const auto& c : m.contacts)
    for (int i = 0; i < c.states; ++i)
      bristles = std::min(bristles, 30.0 * force_of(c) * state_of(c, i));
  if (bristles < infinity) energy = energy > 0.0 ? std::min(energy, bristles) : bristles;
  for (std::size_t i = 0; i < n && !(energy > 0.0); ++i) energy = inertia[i] * square(state[n + i]);
  std::fill(state.begin() + system.states, state.end(), energy > 0.0 ? energy : 1.0);

  stretch.clear();
  for (const auto& one : m.linear) {
    double size = 0.0;
    for (const auto& term : one.row.coordinates)
      size = std::max(size, std::abs(term.weight) * state[std::size_t(term.index)]);
    stretch.push_back(size);
  }
  rate.clear();
  for (const auto& c : m.contacts) {
    double size = 0.0;
    for (int axis = 0; axis < c.dimension; ++axis) {
      size += m.line(c, axis).coordinates.empty() ? drive_speed(m.line(c, axis)) : 0.0;
      for (const auto& term : m.line(c, axis).coordinates)
        size += std::abs(term.weight) * state[n + std::size_t(term.index)];
    }
    rate.push_back(size);
  }
}

}  // namespace bristle::detail
