// SPDX-License-Identifier: MIT
#include "machine_fixed.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::detail {

void MachineFixed::set_up(const Machine& m, StageContacts& kernel) {
  std::vector<StageElement> list;
  for (const auto& contact : m.contacts) {
    StageElement e;
    if (contact.block) e.block = contact.block.get();
    else e.law = contact.law.get();
    e.per_load = contact.per_load;
    e.carried = contact.carried;
    e.displaced = e.law && !contact.set_valued && contact.law->by_displacement();
    list.push_back(e);
  }
  for (const auto& other : m.others) {
    StageElement e;
    e.coupling = other.coupling.get();
    list.push_back(e);
  }
  kernel.resize(std::move(list));
  int rigid = 0;
  for (const auto& contact : m.contacts) rigid += contact.set_valued;
  kernel.one_way = m.coordinates() == 1 && rigid <= 1;
  kernel.loads.clear();
  for (const auto& carried : m.carried) {
    StageLoad load;
    load.inertia = carried.inertia;
    for (const auto& share : carried.others)
      load.shares.push_back({m.others[share.index].coupling.get(), share.factor, 0.0, nullptr});
    kernel.loads.push_back(std::move(load));
  }
}

MachineFixed::MachineFixed(MachineSystem& system) : sys_(system) {
  const Machine& m = sys_.machine();
  const auto refuse = [](const std::string& sentence) {
    throw InvalidInput("method", "solve: method = \"coupled\" " + sentence + ", use rosenbrock");
  };
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const std::string& name = m.parts().contacts[c].name;
    if (m.contacts[c].dimension == 2)
      refuse("does not support contacts in the plane such as \"" + name + "\"");
    // A state that stands on the border between two pieces solves the equations of neither.
    if (m.contacts[c].block ? m.contacts[c].block->pieces() : m.contacts[c].law->remembers())
      refuse("cannot follow the bristles of " + std::string(m.contacts[c].law->name()) + " at \"" +
             name + "\"");
    rows_.push_back(&m.line(m.contacts[c]));
  }
  for (const auto& linkage : m.linkages)
    refuse("does not support linkages such as \"" + m.parts().couplings[linkage.part].name + "\"");
  for (const auto& other : m.others) rows_.push_back(&other.row);
  if (rows_.size() > most_elements)
    refuse("knows up to " + std::to_string(most_elements) +
           " contacts and couplings that are not linear, not " + std::to_string(rows_.size()));
  set_up(m, kernel_);

  const auto n = std::size_t(sys_.n);
  std::vector<std::pair<int, int>> pairs;
  for (const auto& one : m.linear)
    for (const auto& a : one.row.coordinates)
      for (const auto& b : one.row.coordinates)
        if (a.index < b.index) pairs.emplace_back(a.index, b.index);
  kept_.resize(3);
  for (auto& one : kept_) {
    one.matrix.shape(sys_.n, pairs);
    one.columns.assign(rows_.size() * n, 0.0);
    one.mobility.assign(rows_.size() * rows_.size(), 0.0);
  }
  floor_.assign(n, 0.0);
  right_.assign(n, 0.0);
  free_.assign(rows_.size(), 0.0);
  const auto all = std::size_t(sys_.states + sys_.powers);
  for (auto* v : {&y0_, &y1_, &dense_}) v->assign(all, 0.0);
  for (auto& stage : stages_) {
    stage.base.assign(std::size_t(sys_.states), 0.0);
    stage.y.assign(std::size_t(sys_.states), 0.0);
  }
  push_.assign(n, 0.0);
  p_rate_.assign(std::size_t(sys_.lags), 0.0);
  z_rate_.assign(std::size_t(sys_.laws), 0.0);
  power_.assign(std::size_t(sys_.powers), 0.0);
}

void MachineFixed::find_pieces(const Machine& m, double t, MachineMode& mode) {
  for (std::size_t i = 0; i < mode.drive_piece.size(); ++i)
    mode.drive_piece[i] = m.parts().drives[i].signal.piece(t);
  for (std::size_t i = 0; i < mode.input_piece.size(); ++i)
    mode.input_piece[i] = m.inputs[i].piece(t);
  for (std::size_t i = 0; i < mode.load_piece.size(); ++i)
    mode.load_piece[i] = m.parts().loads[i].load.piece(t);
}

void MachineFixed::begin(double t, std::vector<double>& y, MachineMode& mode) {
  mode = {};
  kernel_.forget();
  sys_.start(t, {y.data(), std::size_t(sys_.states)}, mode);
  mode_ = mode;
}

bool MachineFixed::prepare(double w) {
  // Steps that differ by rounding are the same one.
  for (auto& one : kept_)
    if (std::abs(w - one.w) <= 1e-11 * w) {
      now_ = &one;
      return true;
    }
  now_ = &kept_[oldest_];
  oldest_ = (oldest_ + 1) % kept_.size();
  now_->w = 0.0;
  const Machine& m = sys_.machine();
  const auto n = std::size_t(sys_.n), count = rows_.size();
  now_->matrix.clear();
  now_->matrix.release_all();
  for (int i = 0; i < sys_.n; ++i) now_->matrix.add_at(i, i, m.inertia[std::size_t(i)]);
  for (const auto& one : m.linear) {
    const double c = w * (one.pull.damping + w * one.pull.stiffness);
    for (const auto& a : one.row.coordinates)
      for (const auto& b : one.row.coordinates)
        now_->matrix.add_at(a.index, b.index, a.weight * b.weight * c);
  }
  if (!now_->matrix.factor(floor_)) return false;
  for (std::size_t e = 0; e < count; ++e) {
    const std::span<double> column(now_->columns.data() + e * n, n);
    std::fill(column.begin(), column.end(), 0.0);
    for (const auto& term : rows_[e]->coordinates) column[std::size_t(term.index)] += term.weight;
    now_->matrix.solve(column);
    for (std::size_t i = 0; i < count; ++i)
      now_->mobility[i * count + e] = MachineSystem::sum(*rows_[i], column.data());
  }
  now_->w = w;
  return true;
}

// What a gear carries to a contact before the velocity of the stage is known.
void MachineFixed::aim_load(const MachineSystem& sys, std::size_t contact, double w,
                            const double* base, StageLoad& load) {
  const Machine& m = sys.machine();
  const auto& carried = m.carried[std::size_t(m.contacts[contact].carried)];
  load.base_rate = sys.rate(m.line(m.contacts[contact]), base + sys.v_at());
  load.constant = 0.0;
  for (const auto& share : carried.inputs) {
    const auto& input = m.inputs[share.index];
    double force = sys.inputs[share.index].value;
    if (input.state >= 0)
      force = (input.settings.lag * base[sys.p_at() + input.state] + w * force) /
              (input.settings.lag + w);
    load.constant += share.factor * force;
  }
  for (std::size_t k = 0; k < carried.others.size(); ++k) {
    const std::size_t other = carried.others[k].index;
    load.shares[k].position = sys.stretch(m.others[other].row, base);
    load.shares[k].signals = sys.signals_of(other);
  }
}

void MachineFixed::aim(const MachineSystem& sys, double t, double w, const double* base,
                       StageContacts& kernel) {
  const Machine& m = sys.machine();
  for (std::size_t e = 0; e < kernel.size(); ++e) {
    StageElement& one = kernel.elements[e];
    const bool contact = e < m.contacts.size();
    const MotionRow& row = contact ? m.line(m.contacts[e]) : m.others[e - m.contacts.size()].row;
    one.position = sys.stretch(row, base) - w * sys.drive_rate(row);
    one.time = t;
    if (!contact) {
      one.signals = sys.signals_of(e - m.contacts.size());
      continue;
    }
    one.load = sys.loads[e].value;
    const auto& c = m.contacts[e];
    if (c.carried >= 0) aim_load(sys, e, w, base, kernel.loads[std::size_t(c.carried)]);
    if (c.state >= 0)
      std::copy_n(base + sys.z_at() + c.state, c.states, kernel.base.data() + one.state);
  }
}

bool MachineFixed::solve(int which, double t, double w) {
  const Machine& m = sys_.machine();
  Stage& stage = stages_[which];
  stage.t = t, stage.w = w;
  const double *base = stage.base.data(), *v = base + sys_.v_at();
  double* const y = stage.y.data();
  find_pieces(m, t, mode_);
  sys_.look_at(t, mode_);
  for (int i = 0; i < sys_.n; ++i) right_[std::size_t(i)] = m.inertia[std::size_t(i)] * v[i];
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto& input = m.inputs[i];
    double force = sys_.inputs[i].value;
    if (input.state >= 0) {
      const int at = sys_.p_at() + input.state;
      force = (input.settings.lag * base[at] + w * force) / (input.settings.lag + w);
      y[at] = force;
    }
    right_[std::size_t(input.coordinate)] += w * input.weight * force;
  }
  for (const auto& one : m.linear)
    MachineSystem::pull(one.row,
                        w * (one.pull.stiffness * (sys_.stretch(one.row, base) - one.pull.rest) +
                             one.pull.damping * sys_.drive_rate(one.row)),
                        right_.data());
  now_->matrix.solve(right_);

  aim(sys_, t, w, base, kernel_);
  for (std::size_t e = 0; e < rows_.size(); ++e)
    free_[e] = MachineSystem::sum(*rows_[e], right_.data()) + sys_.drive_rate(*rows_[e]);
  if (!rows_.empty()) {
    const StageReport report = kernel_.solve(free_, now_->mobility, w);
    sweeps_ += report.sweeps;
    // A residual above rounding is no failure as long as it is far below the velocities.
    double size = 0.0;
    for (const double r : free_) size = std::max(size, std::abs(r));
    if (!report.converged && !(report.residual <= 1e-9 * size)) return false;
    kernel_.keep();
  }
  const auto n = std::size_t(sys_.n);
  for (std::size_t e = 0; e < rows_.size(); ++e)
    for (std::size_t i = 0; i < n; ++i)
      right_[i] -= w * now_->columns[e * n + i] * kernel_.force[e];
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = base[i] + w * right_[i];
    y[n + i] = right_[i];
  }
  for (std::size_t c = 0; c < m.contacts.size(); ++c)
    if (m.contacts[c].state >= 0)
      std::copy_n(kernel_.state.data() + kernel_.elements[c].state, m.contacts[c].states,
                  y + sys_.z_at() + m.contacts[c].state);
  return true;
}

// The branch and piece of every element as the stage found it, for its powers.
void MachineFixed::find_branches(Stage& stage) {
  const Machine& m = sys_.machine();
  for (std::size_t c = 0; c < m.contacts.size(); ++c) {
    const StageElement& e = kernel_.elements[c];
    const double r = kernel_.velocity[c], s = e.position + stage.w * r;
    const double direction = r < 0.0 ? -1.0 : 1.0;
    const double* const z = kernel_.state.data() + e.state;
    Branch<>& branch = mode_.branch[c];
    if (kernel_.stuck[c]) {
      branch = {0.0, 0.0, branch.contacts};
    } else if (e.block) {
      BlockMotion<double> seen;
      seen.position[0] = s, seen.velocity[0] = r, seen.load = e.load, seen.time = e.time;
      branch.direction = direction;
      branch.cell = e.block->cell(z, seen, direction);
    } else {
      const double load =
          e.carried < 0 ? e.load : kernel_.loads[std::size_t(e.carried)].at(r, stage.w).load;
      branch = e.law->engage(*z, {s, r, load, e.time}, direction, {});
    }
  }
  for (std::size_t i = 0; i < m.others.size(); ++i) {
    const auto e = m.contacts.size() + i;
    const double r = kernel_.velocity[e], s = kernel_.elements[e].position + stage.w * r;
    mode_.piece[i] = m.others[i].coupling->piece(s, r, sys_.signals_of(i));
  }
  sys_.take_up(mode_);
  sys_.snap(stage.t, stage.y.data(), mode_);
  // What stands still stays where it is, to the last digit.
  double* const y = stage.y.data();
  for (int i = 0; i < sys_.n; ++i) y[i] = stage.base[std::size_t(i)] + stage.w * y[sys_.n + i];
}

bool MachineFixed::finite() const {
  for (const double force : kernel_.force)
    if (!std::isfinite(force)) return false;
  return true;
}

void MachineFixed::account(const Stage& stage, double weight) {
  sys_.evaluate(stage.t, stage.y.data(), mode_, push_.data(), p_rate_.data(), z_rate_.data(),
                power_.data());
  for (std::size_t k = 0; k < power_.size(); ++k)
    y1_[std::size_t(sys_.states) + k] += weight * power_[k];
}

bool MachineFixed::step(double t, double h, std::vector<double>& y, MachineMode& mode,
                        bool ledger) {
  const auto states = std::size_t(sys_.states);
  y0_ = y;
  y1_ = y;
  mode_.controllers = mode.controllers;
  if (!prepare(gamma * h)) return false;
  const double w = now_->w;
  h = w / gamma;
  h_ = h;
  find_pieces(sys_.machine(), t, mode_);
  sys_.look_at(t, mode_);
  for (std::size_t e = 0; e < rows_.size(); ++e) {
    kernel_.velocity[e] = sys_.rate(*rows_[e], y.data() + sys_.v_at());
    StageElement& one = kernel_.elements[e];
    if (!one.displaced) continue;
    one.start_position = sys_.stretch(*rows_[e], y.data());
    one.start_state = y[std::size_t(sys_.z_at() + sys_.machine().contacts[e].state)];
  }
  std::copy_n(y.begin(), states, stages_[0].base.begin());
  if (!solve(0, t + w, w)) return false;
  if (follower) follower->stage(0);
  find_branches(stages_[0]);
  if (ledger) account(stages_[0], (1.0 - gamma) * h);
  constexpr double c = (1.0 - gamma) / gamma;
  for (std::size_t i = 0; i < states; ++i) stages_[1].base[i] = y[i] + c * (stages_[0].y[i] - y[i]);
  if (!solve(1, t + h, w)) return false;
  if (follower) follower->stage(1);
  find_branches(stages_[1]);
  if (ledger) account(stages_[1], gamma * h);
  std::copy(stages_[1].y.begin(), stages_[1].y.end(), y1_.begin());
  y = y1_;
  mode.branch = mode_.branch;
  mode.piece = mode_.piece;
  return true;
}

void MachineFixed::read_between(std::size_t n, const std::vector<double>& y0,
                                const std::vector<double>& y1, double h, double s,
                                std::vector<double>& out) {
  for (std::size_t i = 0; i < y1.size(); ++i) out[i] = y0[i] + s * (y1[i] - y0[i]);
  for (std::size_t i = 0; i < n; ++i) {
    const double rise = y1[i] - y0[i];
    out[i] += s * (1.0 - s) * ((1.0 - s) * (h * y0[n + i] - rise) - s * (h * y1[n + i] - rise));
  }
}

const std::vector<double>& MachineFixed::dense(double s) {
  read_between(std::size_t(sys_.n), y0_, y1_, h_, s, dense_);
  return dense_;
}

}  // namespace bristle::detail
