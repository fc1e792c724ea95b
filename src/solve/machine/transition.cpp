// SPDX-License-Identifier: MIT
// Which contacts stick and which slip, at a start and after an event.
#include <algorithm>
#include <cmath>

#include "machine_system.hpp"

namespace bristle::detail {

void MachineSystem::hold_stuck(const MachineMode& mode) {
  list_.clear();
  held_move_ = false;
  for (int c = 0; c < contacts; ++c)
    if (sticks(c, mode)) {
      list_.push_back(c);
      const auto& contact = m_.contacts[std::size_t(c)];
      for (int axis = 0; axis < contact.dimension; ++axis)
        held_move_ = held_move_ || memory[std::size_t(c)] != nullptr ||
                     !m_.line(contact, axis).drives.empty();
    }
  held_.build(list_);
  if (!accelerated.empty()) find_mobility();
}

void MachineSystem::direct(std::size_t c, double direction, double t, const double* y,
                           MachineMode& mode) {
  const auto& contact = m_.contacts[c];
  if (contact.block) {
    const BlockMotion<double> seen = block_motion(c, t, y, y + v_at());
    mode.branch[c] = {direction, contact.block->cell(states_of(c, y), seen, direction)};
    return;
  }
  const MotionRow& row = m_.line(contact);
  mode.branch[c] =
      contact.law->engage(*states_of(c, y), motion(c, t, stretch(row, y), rate(row, y + v_at())),
                          direction, before_[c]);
}

// Sets a contact in the plane on its way along a vector; the first axis where that is zero.
void MachineSystem::aim(std::size_t c, double first, double second, double t, const double* y,
                        MachineMode& mode) {
  const double size = std::hypot(first, second);
  Branch<>& branch = mode.branch[c];
  branch.direction = 1.0;
  branch.along = {1.0, 0.0};
  if (size > 0.0) branch.along = {first / size, second / size};
  const BlockMotion<double> seen = block_motion(c, t, y, y + v_at());
  branch.cell = m_.contacts[c].block->cell(states_of(c, y), seen, 1.0);
}

void MachineSystem::follow(double t, const double* y, MachineMode& mode) {
  look_at(t, mode);
  for (int c = 0; c < contacts; ++c) {
    if (!planar(c) || sticks(c, mode)) continue;
    const auto k = std::size_t(c);
    const double w1 = rate(m_.line(m_.contacts[k], 0), y + v_at());
    const double w2 = rate(m_.line(m_.contacts[k], 1), y + v_at());
    const double size = std::hypot(w1, w2);
    if (size > 0.0) mode.branch[k].along = {w1 / size, w2 / size};
  }
}

bool MachineSystem::corners_passed(const double* y, const MachineMode& mode) const {
  if (cornered_ == 0) return false;
  for (std::size_t c = 0; c < std::size_t(contacts); ++c)
    if (cornered[c] && mode.branch[c].direction * rate(m_.line(m_.contacts[c]), y + v_at()) < 0.0)
      return true;
  return false;
}

void MachineSystem::turn_corners(const double* y, MachineMode& mode) const {
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    double& direction = mode.branch[c].direction;
    if (cornered[c] && direction * rate(m_.line(m_.contacts[c]), y + v_at()) < 0.0)
      direction = -direction;
  }
}

void MachineSystem::snap(double t, double* y, const MachineMode& mode) {
  if (held_.empty()) return;
  look_at(t, mode);
  snap_to(held_, y, mode);
}

// A row with one velocity that is not known yet gives it. Where every row has several, the heaviest
// coordinate keeps its own.
void MachineSystem::snap_to(const Rest& rest, double* y, const MachineMode& mode) {
  double* v = y + v_at();
  const auto off = [&](std::size_t k) {
    return drive_rate(rest.row(k)) - held_speed(rest.contact(k), mode);
  };
  std::fill(known_.begin(), known_.end(), char(1));
  std::fill(placed_.begin(), placed_.end(), char(0));
  for (std::size_t k = 0; k < rest.lines().size(); ++k) {
    const MotionRow& row = rest.row(k);
    if (rest.alone(k) >= 0) {
      const double w = off(k);
      v[rest.alone(k)] = w == 0.0 ? 0.0 : -w / row.coordinates[0].weight;
    } else {
      for (const auto& term : row.coordinates) known_[std::size_t(term.index)] = 0;
    }
  }
  // Where the rows hold all they see, none of it moves; what goes with drives is led below.
  bool led = !rest.pinned();
  for (const int place : rest.joint()) led = led || !rest.row(std::size_t(place)).drives.empty();
  for (std::size_t k = 0; k < rest.ties().size() && !led; ++k)
    for (const auto& term : rest.row(std::size_t(rest.ties()[k])).coordinates)
      if (!rest.is_known(term.index)) v[term.index] = 0.0, known_[std::size_t(term.index)] = 1;
  for (;;) {
    bool moved = false;
    int leader = -1;
    for (const int place : rest.joint()) {
      const auto k = std::size_t(place);
      if (placed_[k]) continue;
      const MotionRow& row = rest.row(k);
      int open = 0;
      MotionRow::Term last{};
      for (const auto& term : row.coordinates) {
        if (known_[std::size_t(term.index)]) continue;
        ++open;
        last = term;
        if (leader < 0 || m_.inertia[std::size_t(term.index)] > m_.inertia[std::size_t(leader)])
          leader = term.index;
      }
      if (open > 1) continue;
      placed_[k] = 1;
      if (open == 0) continue;
      double w = off(k);
      for (const auto& term : row.coordinates)
        if (term.index != last.index) w += term.weight * v[term.index];
      v[last.index] = w == 0.0 ? 0.0 : -w / last.weight;
      known_[std::size_t(last.index)] = 1;
      moved = true;
    }
    if (moved) continue;
    if (leader < 0) return;
    known_[std::size_t(leader)] = 1;
  }
}

// The forces of the contacts in trial_ within their bounds. Friction that depends on accelerations
// is found together with them, one after the other.
void MachineSystem::rest_within(double t, const double* y, const MachineMode& mode) {
  frozen_ = !accelerated.empty();
  for (int turn = 0; turn < 100; ++turn) {
    forces(t, y, mode, push_.data());
    find_wanted(trial_, wanted_);
    bounds_of(trial_, t, y, mode);
    trial_.within(push_, wanted_);
    if (feeling_.empty()) break;
    for (std::size_t k = 0; k < trial_.lines().size(); ++k)
      pull(trial_.row(k), trial_.force[k], push_.data());
    bool moved = false;
    for (const int i : feeling_) {
      const auto c = std::size_t(accelerated[std::size_t(i)]);
      const double a = free_acceleration(m_.line(m_.contacts[c]), push_.data());
      moved = moved || std::abs(a - felt[c]) > 1e-14 * (std::abs(a) + 1.0);
      felt[c] = a;
    }
    if (!moved) break;
  }
  frozen_ = false;
}

void MachineSystem::settle(double t, std::span<double> y, MachineMode& mode, int arrived,
                           int kept) {
  look_at(t, mode);
  const double* v = y.data() + v_at();
  before_ = mode.branch;
  list_.clear();
  // Contacts at rest. To set one of them to exactly zero may bring others there.
  const auto still = [&](int c) {
    const auto& contact = m_.contacts[std::size_t(c)];
    return rate(m_.line(contact), v) == 0.0 &&
           (contact.dimension == 1 || rate(m_.line(contact, 1), v) == 0.0);
  };
  const auto at_rest = [&](int c) {
    if (memory[std::size_t(c)]) return sticks(c, mode);
    return set_valued[std::size_t(c)] && (c == arrived || sticks(c, mode) || still(c));
  };
  std::size_t found = 0;
  do {
    found = list_.size();
    list_.clear();
    for (int c = 0; c < contacts; ++c)
      if (at_rest(c)) list_.push_back(c);
    trial_.build(list_);
    snap_to(trial_, y.data(), mode);
  } while (list_.size() != found);
  if (!list_.empty()) {
    for (const int c : list_)
      if (!memory[std::size_t(c)])
        mode.branch[std::size_t(c)] = {0.0, 0.0, before_[std::size_t(c)].contacts};
    rest_within(t, y.data(), mode);
    for (std::size_t k = 0; k < trial_.lines().size(); ++k) {
      const auto c = std::size_t(trial_.contact(k));
      if (memory[c]) {
        if (trial_.left[k] != 0.0 && int(c) != kept)
          mode.branch[c] = memory[c]->left(states_of(c, y.data()),
                                           block_motion(c, t, y.data(), y.data() + v_at()),
                                           mode.branch[c], sign(trial_.left[k]));
        continue;
      }
      if (!planar(int(c))) {
        if (trial_.left[k] != 0.0) direct(c, sign(trial_.left[k]), t, y.data(), mode);
        continue;
      }
      // What is left of the acceleration points along the force. Just at break-away the force is
      // known better; where several contacts give way together, only the accelerations agree.
      const double left = std::hypot(trial_.left[k], trial_.left[k + 1]);
      const bool clear = left > 1e-9 * trial_.mobility(k) * trial_.upper[k];
      const auto& way = clear ? trial_.left : trial_.force;
      if (left != 0.0) aim(c, way[k], way[k + 1], t, y.data(), mode);
      ++k;
    }
  }
  hold_stuck(mode);

  // A law with a state takes the side to which its contact is accelerated from rest.
  bool any = false;
  const auto sided = [&](std::size_t c) { return !set_valued[c] && !memory[c]; };
  for (int c = 0; c < contacts; ++c) any = any || (sided(std::size_t(c)) && still(c));
  if (!any) return;
  for (int c = 0; c < contacts; ++c) {
    const auto k = std::size_t(c);
    if (!sided(k) || mode.branch[k].direction != 0.0) continue;
    if (planar(c)) aim(k, 0.0, 0.0, t, y.data(), mode);
    else direct(k, 1.0, t, y.data(), mode);
  }
  forces(t, y.data(), mode, push_.data());
  find_wanted(held_, wanted_);
  if (held_.redundant()) bounds_of(held_, t, y.data(), mode);
  held_.hold(push_, wanted_);
  for (int i = 0; i < n; ++i) effort_[std::size_t(i)] = std::abs(push_[std::size_t(i)]);
  for (std::size_t k = 0; k < held_.lines().size(); ++k) {
    pull(held_.row(k), held_.force[k], push_.data());
    for (const auto& term : held_.row(k).coordinates)
      effort_[std::size_t(term.index)] += std::abs(term.weight * held_.force[k]);
  }
  mass.divide(push_.data(), acceleration_.data());
  // What is held by others does not accelerate but by rounding.
  const auto acceleration = [&](const MotionRow& row) {
    double a = sum(row, acceleration_.data()), size = 0.0;
    for (const auto& term : row.coordinates) {
      const int block = mass.block(term.index);
      if (block < 0)
        size += std::abs(term.weight) * effort_[std::size_t(term.index)] /
                m_.inertia[std::size_t(term.index)];
      else
        for (const int j : mass.members(block))
          size += std::abs(term.weight * mass.inverse(term.index, j)) * effort_[std::size_t(j)];
    }
    for (const auto& term : row.drives) {
      const double part = term.weight * drives[std::size_t(term.index)].curvature;
      a += part, size += std::abs(part);
    }
    return std::abs(a) > 1e-13 * size ? a : 0.0;
  };
  for (int c = 0; c < contacts; ++c) {
    const auto k = std::size_t(c);
    if (!sided(k) || !still(c)) continue;
    const auto& contact = m_.contacts[k];
    const double a = acceleration(m_.line(contact));
    if (planar(c)) aim(k, a, acceleration(m_.line(contact, 1)), t, y.data(), mode);
    else direct(k, a != 0.0 ? sign(a) : mode.branch[k].direction, t, y.data(), mode);
  }
}

void MachineSystem::take_up(const MachineMode& mode) {
  for (std::size_t i = 0; i < m_.controllers.size(); ++i)
    extra[m_.controllers[i].input] = m_.controllers[i].settings.gain * mode.controllers[i].output;
  hold_stuck(mode);
}

// Lets every controller whose time has come take its sample.
void MachineSystem::control(double t, const double* y, MachineMode& mode) {
  for (std::size_t i = 0; i < m_.controllers.size(); ++i) {
    const auto& c = m_.controllers[i];
    ControllerState& state = mode.controllers[i];
    const double step = c.settings.step;
    if (t < step * double(state.samples) * (1.0 - 1e-15)) continue;
    const double when = std::max(0.0, t - step * c.settings.reference_delay);
    const int piece = c.reference.piece(when);
    state.sample(c.settings, c.sensor.offset + sum(c.sensor, y), sum(c.sensor, y + v_at()),
                 c.reference.value(when, piece), c.reference.slope(when, piece));
    extra[c.input] = c.settings.gain * state.output;
  }
}

void MachineSystem::start(double t, std::span<double> y, MachineMode& mode) {
  const bool first = !mode.begun;
  if (first) {
    mode.begun = true;
    mode.branch.resize(std::size_t(contacts));
    mode.piece.resize(m_.others.size());
    mode.drive_piece.resize(drives.size());
    mode.input_piece.resize(inputs.size());
    mode.load_piece.resize(m_.parts().loads.size());
    mode.controllers.assign(m_.controllers.size(), {});
  }
  for (std::size_t i = 0; i < drives.size(); ++i)
    mode.drive_piece[i] = m_.parts().drives[i].signal.piece(t);
  for (std::size_t i = 0; i < inputs.size(); ++i) mode.input_piece[i] = m_.inputs[i].piece(t);
  for (std::size_t i = 0; i < mode.load_piece.size(); ++i)
    mode.load_piece[i] = m_.parts().loads[i].load.piece(t);
  control(t, y.data(), mode);
  look_at(t, mode);
  const double *q = y.data(), *v = y.data() + v_at();
  for (std::size_t i = 0; i < m_.others.size() && first; ++i)
    mode.piece[i] = m_.others[i].coupling->piece(stretch(m_.others[i].row, q),
                                                 rate(m_.others[i].row, v), signals_of(i));
  before_ = mode.branch;
  bool remembers = false;
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    const auto& contact = m_.contacts[c];
    const double w = rate(m_.line(contact), v);
    if (memory[c]) {
      remembers = true;
      if (first) continue;
      // What it remembers stays; only a drive whose velocity jumps changes its way.
      Branch<>& branch = mode.branch[c];
      if (sticks(int(c), mode)) branch.along[0] = w;
      else if (forward_speed(c, v, mode) < -1e-14 * speed(c, v)) reverse(c, t, y, mode);
      continue;
    }
    const double across = contact.dimension == 2 ? rate(m_.line(contact, 1), v) : 0.0;
    // What sticks at the velocity of a drive keeps sticking within rounding.
    const bool stays =
        !first && sticks(int(c), mode) && std::hypot(w, across) <= 1e-14 * speed(c, v);
    if ((w == 0.0 && across == 0.0) || stays) continue;
    if (contact.dimension == 2) {
      aim(c, w, across, t, q, mode);
    } else if (contact.block && mode.branch[c].direction * w > 0.0) {
      // What slips goes on to slip; a drive whose velocity jumps may make more of it slip.
      const BlockMotion<double> seen = block_motion(c, t, q, v);
      if (contact.block->margin(states_of(c, q), seen, mode.branch[c]) < 0.0)
        mode.branch[c] = contact.block->crossed(states_of(c, q), seen, mode.branch[c]);
    } else {
      direct(c, sign(w), t, q, mode);
    }
  }
  if (first && remembers) begin_memory(t, y, mode);
  settle(t, y, mode, -1);
}

double MachineSystem::speed(std::size_t c, const double* v) const {
  const auto& contact = m_.contacts[c];
  double size = 0.0;
  for (int axis = 0; axis < contact.dimension; ++axis) {
    const MotionRow& row = m_.line(contact, axis);
    size += std::abs(drive_rate(row));
    for (const auto& term : row.coordinates) size += std::abs(term.weight * v[term.index]);
  }
  return size;
}

void MachineSystem::after(int index, double t, std::span<double> y, MachineMode& mode) {
  look_at(t, mode);
  if (index >= 2 * contacts) {
    const auto i = std::size_t(index - 2 * contacts);
    const auto& one = m_.others[i];
    mode.piece[i] = one.coupling->next(stretch(one.row, y.data()), rate(one.row, y.data() + v_at()),
                                       mode.piece[i], signals_of(i));
    return settle(t, y, mode, -1);
  }
  const int c = index / 2;
  const auto k = std::size_t(c);
  if (index % 2 == 1) {
    const auto& contact = m_.contacts[k];
    if (memory[k]) {
      forces(t, y.data(), mode, push_.data());
      mode.branch[k] = memory[k]->crossed(
          states_of(k, y.data()), block_motion(k, t, y.data(), y.data() + v_at()), mode.branch[k]);
      hold_stuck(mode);
      return settle(t, y, mode, -1, sticks(c, mode) ? c : -1);
    }
    mode.branch[k] = contact.block
                         ? contact.block->crossed(states_of(k, y.data()),
                                                  block_motion(k, t, y.data(), y.data() + v_at()),
                                                  mode.branch[k])
                         : contact.law->crossed(mode.branch[k]);
    return settle(t, y, mode, -1);
  }
  if (planar(c) && !sticks(c, mode)) {
    // In the plane a contact arrives at rest, or its way has turned by a right angle.
    const auto& contact = m_.contacts[k];
    const double w1 = rate(m_.line(contact, 0), y.data() + v_at());
    const double w2 = rate(m_.line(contact, 1), y.data() + v_at());
    if (std::hypot(w1, w2) > rest_speed[k]) return aim(k, w1, w2, t, y.data(), mode);
    if (set_valued[k]) return settle(t, y, mode, c);
    // A law with a state goes through rest and back along its way.
    const auto along = mode.branch[k].along;
    return aim(k, -along[0], -along[1], t, y.data(), mode);
  }
  if (set_valued[k] || sticks(c, mode)) return settle(t, y, mode, sticks(c, mode) ? -1 : c);
  turn(c, t, y, mode);
}

void MachineSystem::hold_still(double t, std::span<double> y, MachineMode& mode) {
  look_at(t, mode);
  for (int c = 0; c < contacts; ++c) {
    const auto& contact = m_.contacts[std::size_t(c)];
    bool still = set_valued[std::size_t(c)] != 0;
    for (int axis = 0; axis < contact.dimension; ++axis)
      still = still && rate(m_.line(contact, axis), y.data() + v_at()) == 0.0;
    Branch<>& branch = mode.branch[std::size_t(c)];
    if (still) branch = {0.0, 0.0, branch.contacts};
  }
  hold_stuck(mode);
}

void MachineSystem::turn(int c, double t, std::span<double> y, MachineMode& mode) {
  look_at(t, mode);
  const auto k = std::size_t(c);
  const MotionRow& row = m_.line(m_.contacts[k]);
  if (!set_valued[k]) {
    // The velocity is zero within its error: make it so on the lightest coordinate that is free.
    double* v = y.data() + v_at();
    const MotionRow::Term* lightest = nullptr;
    for (const auto& term : row.coordinates) {
      bool held = false;
      for (std::size_t other = 0; other < held_.lines().size(); ++other)
        for (const auto& used : held_.row(other).coordinates)
          held = held || used.index == term.index;
      if (!held && (!lightest ||
                    m_.inertia[std::size_t(term.index)] < m_.inertia[std::size_t(lightest->index)]))
        lightest = &term;
    }
    if (lightest) {
      double w = drive_rate(row);
      for (const auto& term : row.coordinates)
        if (&term != lightest) w += term.weight * v[term.index];
      v[lightest->index] = w == 0.0 ? 0.0 : -w / lightest->weight;
    }
  }
  if (memory[k]) return reverse(k, t, y, mode);
  before_ = mode.branch;
  const double direction = mode.branch[k].direction;
  direct(k, direction == 0.0 ? 1.0 : -direction, t, y.data(), mode);
  if (set_valued[k]) hold_stuck(mode);
}

}  // namespace bristle::detail
