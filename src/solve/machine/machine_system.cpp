// SPDX-License-Identifier: MIT
#include "machine_system.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::detail {
namespace {

// Whether a reversal is no more than a corner of |v|: the law has one piece and answers at rest as
// it does from either side.
bool has_corner(const Machine::Contact& contact) {
  if (contact.block || contact.set_valued || contact.law->remembers()) return false;
  const AnyLaw& law = *contact.law;
  if (law.crossed({1.0}) != Branch<>{1.0}) return false;
  const Motion<double> rest{0.0, 0.0, contact.load, 0.0};
  for (const double part : {-0.5, 0.5}) {
    const double z = part * law.state_scale();
    const auto one = law.respond(z, rest, {1.0}), other = law.respond(z, rest, {-1.0});
    if (one.rate != other.rate || one.force != other.force) return false;
  }
  return true;
}

// The motion of a drive; of a sine with one evaluation of its angle.
DrivePart::Motion motion_of(const DrivePart& drive, double t, int piece, bool with_third) {
  const Signal& s = drive.signal;
  if (s.shape != Signal::sine || drive.by_velocity()) return drive.at(t, piece, with_third);
  const double height = (piece & 1) ? s.amplitude_after : s.amplitude, w = s.frequency;
  const double angle = w * t + s.phase, sine = std::sin(angle), cosine = std::cos(angle);
  return {s.offset + s.rate * t + height * sine, s.rate + height * w * cosine,
          -height * square(w) * sine, -height * square(w) * w * cosine};
}

}  // namespace

void refuse_only_fixed(const Machine& machine) {
  if (!machine.only_fixed.empty())
    throw InvalidInput("method", "solve: the machine " + machine.only_fixed +
                                     ", which runs at fixed steps only, use method = \"coupled\"");
}

MachineSystem::MachineSystem(const Machine& machine)
    : mass(machine),
      n(machine.coordinates()),
      lags(machine.lags),
      laws(machine.law_states),
      contacts(int(machine.contacts.size())),
      states(2 * n + lags + laws),
      powers(2 + contacts),
      m_(machine),
      held_(machine, mass),
      trial_(machine, mass) {
  drives.resize(m_.parts().drives.size());
  inputs.resize(m_.inputs.size());
  extra.assign(m_.inputs.size(), 0.0);
  signals.assign(m_.signals.size(), 0.0);
  local.resize(std::size_t(contacts));
  bent.resize(m_.others.size());
  linear.build(m_);
  for (const MotionRow& row : m_.lines) flat_lines_.emplace_back(row);
  loads.resize(std::size_t(contacts));
  rest_speed.assign(std::size_t(contacts), 0.0);
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const Machine::Contact& contact = m_.contacts[c];
    // Nothing can hold a given motion.
    set_valued.push_back(contact.set_valued && !m_.line(contact).coordinates.empty());
    loads[c] = {contact.load, 0.0};
    wide_of.push_back(contact.block ? int(wide.size()) : -1);
    if (contact.block) wide.emplace_back(*contact.block);
    memory.push_back(contact.block ? contact.block->memory() : nullptr);
    if (memory[c] && memory[c]->by_acceleration()) accelerated.push_back(int(c));
    if (memory[c] && memory[c]->delay() > 0.0) delayed.push_back(int(c));
    cornered.push_back(has_corner(contact));
    cornered_ += cornered.back();
  }
  if (cornered_ <= most_located) {
    std::fill(cornered.begin(), cornered.end(), char(0));
    cornered_ = 0;
  }
  const auto lines = m_.lines.size();
  list_.reserve(std::size_t(contacts));
  wanted_.resize(lines);
  moved_.resize(std::size_t(laws));
  push_.resize(std::size_t(n));
  p_rate_.resize(std::size_t(lags));
  z_rate_.resize(std::size_t(laws));
  power_.resize(std::size_t(powers));
  acceleration_.resize(std::size_t(n));
  effort_.resize(std::size_t(n));
  slack_.resize(std::size_t(contacts));
  known_.resize(std::size_t(n));
  placed_.resize(lines);
  guards_.resize(std::size_t(guards()));
  for (auto* v : {&felt, &felt_t}) v->assign(std::size_t(contacts), 0.0);
  past_.resize(std::size_t(contacts));
  const auto k = accelerated.size();
  feeling_.reserve(k);
  for (auto* v : {&free_, &found_, &slope_}) v->resize(k);
  mobility_.resize(k * k);
  jacobian_.resize(k * (k + 2));
  order_.resize(k);
  if (k > 0) unit_.resize(std::size_t(n)), all_.resize(std::size_t(n));
}

void MachineSystem::first_state(std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (int i = 0; i < n; ++i) {
    y[std::size_t(i)] = m_.position0[std::size_t(i)];
    y[std::size_t(v_at() + i)] = m_.velocity0[std::size_t(i)];
  }
  for (const auto& input : m_.inputs)
    if (input.state >= 0) y[std::size_t(p_at() + input.state)] = input.value(0.0, input.piece(0.0));
  for (const auto& contact : m_.contacts)
    std::copy(contact.first_states.begin(), contact.first_states.end(),
              y.begin() + z_at() + std::max(contact.state, 0));
}

void MachineSystem::look_at(double t, const MachineMode& mode, bool with_third) {
  for (std::size_t i = 0; i < drives.size(); ++i)
    drives[i] = motion_of(m_.parts().drives[i], t, mode.drive_piece[i], with_third);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    const int piece = mode.input_piece[i];
    inputs[i].value = input.value(t, piece) + extra[i];
    inputs[i].slope =
        with_third ? input.settings.gain * input.signal.slope(t - input.settings.delay, piece)
                   : 0.0;
  }
  for (std::size_t i = 0; i < signals.size(); ++i)
    signals[i] = m_.signals[i].value(t, m_.signals[i].piece(t));
  for (std::size_t k = 0; k < mode.past.size(); ++k)
    past_[std::size_t(delayed[k])] = mode.past[k].before(t);
  if (m_.parts().loads.empty()) return;
  for (std::size_t c = 0; c < loads.size(); ++c) {
    const int part = m_.contacts[c].load_part;
    if (part < 0) continue;
    const Signal& load = m_.parts().loads[std::size_t(part)].load;
    const int piece = mode.load_piece[std::size_t(part)];
    loads[c] = {load.value(t, piece), load.slope(t, piece)};
    // A normal force cannot pull.
    if (loads[c].value < 0.0 && !m_.contacts[c].law->signed_load()) loads[c] = {0.0, 0.0};
  }
}

BlockMotion<double> MachineSystem::block_motion(std::size_t c, double t, const double* q,
                                                const double* v) const {
  const Machine::Contact& contact = m_.contacts[c];
  BlockMotion<double> m;
  for (int axis = 0; axis < contact.dimension; ++axis) {
    m.position[std::size_t(axis)] = stretch(m_.line(contact, axis), q);
    m.velocity[std::size_t(axis)] = rate(m_.line(contact, axis), v);
  }
  m.load = loads[c].value;
  m.time = t;
  if (memory[c]) {
    m.acceleration = felt[c];
    m.past = past_[c].velocity, m.past_rate = past_[c].rate;
    m.given = m_.line(contact).coordinates.empty();
  }
  return m;
}

Response<double> MachineSystem::respond(std::size_t c, double z, const Motion<double>& motion,
                                        const Branch<>& branch) const {
  Response<double> r = m_.contacts[c].law->respond(z, motion, branch);
  if (m_.contacts[c].per_load) r.force *= motion.load, r.dissipation *= motion.load;
  return r;
}

void MachineSystem::respond(std::size_t c, const double* z, const BlockMotion<double>& motion,
                            const Branch<>& branch, BlockResponse<double>& out) const {
  m_.contacts[c].block->respond(z, motion, branch, out);
  if (!m_.contacts[c].per_load) return;
  for (double& force : out.force) force *= motion.load;
  out.dissipation *= motion.load;
}

void MachineSystem::find_wanted(const Rest& rest, std::vector<double>& wanted) const {
  for (std::size_t k = 0; k < rest.lines().size(); ++k) wanted[k] = -drive_bend(rest.row(k));
}

void MachineSystem::bounds_of(Rest& rest, double t, const double* y,
                              const MachineMode& mode) const {
  for (std::size_t k = 0; k < rest.lines().size(); ++k) {
    const auto c = std::size_t(rest.contact(k));
    const auto& contact = m_.contacts[c];
    Interval<double> f;
    if (memory[c]) {
      f = memory[c]->bounds(states_of(c, y), block_motion(c, t, y, y + v_at()), mode.branch[c]);
    } else if (contact.block) {
      BlockMotion<double> at;
      at.load = loads[c].value, at.time = t;
      f.upper = contact.block->radius(at);
      f.lower = -f.upper;
    } else {
      f = contact.law->limits(motion(c, t, stretch(m_.line(contact), y), 0.0));
    }
    const double scale = contact.per_load ? loads[c].value : 1.0;
    rest.lower[k] = scale * f.lower;
    rest.upper[k] = scale * f.upper;
  }
}

// In W = W0 + b F, b the part of the inertia that is beyond the gear, the rest W - W0 - b F(W)
// rises as long as a load that drives back loses less than 1 / b of what is added to it; Newton's
// method then ends at the one root. Where there is none the gear jams, and comes to rest at once.
void MachineSystem::carry(std::size_t c, double t, const double* y, const MachineMode& mode,
                          const double* push) {
  const auto& contact = m_.contacts[c];
  const auto& carried = m_.carried[std::size_t(contact.carried)];
  const MotionRow& row = m_.line(contact);
  const double *q = y, *v = y + v_at(), w = rate(row, v);
  double load = 0.0;
  for (const auto& share : carried.inputs) {
    const int state = m_.inputs[share.index].state;
    load += share.factor * (state >= 0 ? y[p_at() + state] : inputs[share.index].value);
  }
  for (const auto& share : carried.others) {
    const auto& one = m_.others[share.index];
    load -= share.factor * one.coupling
                               ->pull(stretch(one.row, q), rate(one.row, v),
                                      mode.piece[share.index], signals_of(share.index))
                               .force;
  }
  loads[c] = {load, 0.0};
  if (sticks(int(c), mode)) return;
  const auto& term = row.coordinates[0];
  const double free =
      push[term.index] * term.weight * carried.inertia / m_.inertia[std::size_t(term.index)];
  const double b = carried.per_force, start = load - free;
  Motion<LocalDual> seen{LocalDual(stretch(row, q)), LocalDual(w), LocalDual(0.0), LocalDual(t)};
  double at = load;
  bool turned = false;
  for (int i = 0; i < 30; ++i) {
    seen.load = variable<5>(at, 3);
    const auto f = contact.law->respond(LocalDual(0.0), seen, mode.branch[c]).force;
    const double slope = 1.0 - b * f.slope[3];
    if (!(slope > 0.0)) {  // driven back it would jam: is it driving?
      if (turned) break;
      turned = true;
      at = -mode.branch[c].direction * (std::abs(load) + std::abs(free));
      continue;
    }
    const double change = (at - start - b * f.value) / slope;
    at -= change;
    if (std::abs(change) <= 1e-14 * (std::abs(load) + std::abs(free) + std::abs(f.value))) break;
  }
  loads[c] = {at, 0.0};
}

void MachineSystem::forces(double t, const double* y, const MachineMode& mode, double* push) {
  add_forces(t, y, mode, push, p_rate_.data(), z_rate_.data(), power_.data());
}

void MachineSystem::add_forces(double t, const double* y, const MachineMode& mode, double* push,
                               double* p_rate, double* z_rate, double* power) {
  look_at(t, mode);
  const double *q = y, *v = y + v_at();
  std::fill(push, push + n, 0.0);
  double work = 0.0, loss = 0.0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& input = m_.inputs[i];
    double force = inputs[i].value;
    if (input.state >= 0) {
      p_rate[input.state] = (force - y[p_at() + input.state]) / input.settings.lag;
      force = y[p_at() + input.state];
    }
    push[input.coordinate] += input.weight * force;
    work += force * input.weight * v[input.coordinate];
  }
  for (std::size_t i = 0; i < linear.all.size(); ++i) {
    const FlatCoupling& one = linear.all[i];
    double s = one.offset + one.sum(q), w = one.sum(v), own = 0.0;
    if (one.driven) {
      own = drive_rate(m_.linear[i].row);
      s += drive_stretch(m_.linear[i].row), w += own;
    }
    linear.force[i] = one.stiffness * (s - one.rest) + one.damping * w;
    loss += one.damping * w * w;
    work += linear.force[i] * own;
  }
  linear.pull(push);
  if (mass.varies()) {
    mass.look(q, v);
    mass.pull(push);
  }
  for (std::size_t i = 0; i < m_.others.size(); ++i) {
    const auto& one = m_.others[i];
    const Pull p =
        one.coupling->pull(stretch(one.row, q), rate(one.row, v), mode.piece[i], signals_of(i));
    pull(one.row, p.force, push);
    loss += p.loss;
    work += p.force * drive_rate(one.row) + p.work;
  }
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const auto& contact = m_.contacts[c];
    power[2 + c] = 0.0;
    if (contact.carried >= 0) carry(c, t, y, mode, push);
    if (sticks(int(c), mode) || (memory[c] && (starting_ || memory[c]->by_acceleration())))
      continue;
    if (contact.load_part >= 0 && contact.states > 0)
      work += per_load(c, t, y, mode) * loads[c].slope;
    if (contact.block) {
      const BlockMotion<double> seen = block_motion(c, t, q, v);
      BlockResponse<double> r;
      r.rate = z_rate + std::max(contact.state, 0);
      respond(c, states_of(c, y), seen, mode.branch[c], r);
      loss += r.dissipation;
      for (int axis = 0; axis < contact.dimension; ++axis) {
        const double force = r.force[std::size_t(axis)];
        pull(m_.line(contact, axis), force, push);
        power[2 + c] += force * seen.velocity[std::size_t(axis)];
        work += force * drive_rate(m_.line(contact, axis));
      }
      continue;
    }
    const int line = contact.line;
    const double z = contact.state >= 0 ? y[z_at() + contact.state] : 0.0;
    const double w = line_rate(line, v);
    const auto r = respond(c, z, motion(c, t, line_stretch(line, q), w), branch_at(c, w, mode));
    line_pull(line, r.force, push);
    if (contact.state >= 0) z_rate[contact.state] = r.rate;
    power[2 + c] = r.force * w;
    loss += r.dissipation;
    if (driven(line)) work += r.force * drive_rate(m_.line(contact));
  }
  Powers sum{work, loss};
  if (!accelerated.empty() && !starting_) add_accelerated(t, y, mode, push, z_rate, power, sum);
  power[0] = sum.work;
  power[1] = sum.loss;
}

void MachineSystem::evaluate(double t, const double* y, const MachineMode& mode, double* push,
                             double* p_rate, double* z_rate, double* power) {
  add_forces(t, y, mode, push, p_rate, z_rate, power);
  find_wanted(held_, wanted_);
  if (!held_move_) return;
  if (held_.redundant()) bounds_of(held_, t, y, mode);
  held_.hold({push, std::size_t(n)}, wanted_);
  for (std::size_t k = 0; k < held_.lines().size(); ++k) {
    const int c = held_.contact(k);
    const double own = held_.force[k] * held_speed(c, mode);
    power[0] += held_.force[k] * drive_rate(held_.row(k));
    power[1] += own;
    power[2 + c] += own;
  }
}

void MachineSystem::rates(double t, const double* y, const MachineMode& mode, double* rate) {
  std::fill(rate + z_at(), rate + states, 0.0);
  evaluate(t, y, mode, push_.data(), rate + p_at(), rate + z_at(), rate + states);
  std::copy(y + v_at(), y + v_at() + n, rate);
  held_.accelerate(push_, wanted_, {rate + v_at(), std::size_t(n)});
}

}  // namespace bristle::detail
