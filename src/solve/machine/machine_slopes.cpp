// SPDX-License-Identifier: MIT
#include "machine_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/machine/parameters.hpp"

namespace bristle::detail {
namespace {

// The machine with a parameter moved by `by`, or null where its bounds do not allow that.
std::unique_ptr<Machine> moved(const MachineParts& parts, const std::string& name, double to) {
  MachineParts other = parts;
  try {
    set_parameters(other, {{name, to}});
    return std::make_unique<Machine>(std::move(other));
  } catch (const InvalidInput&) {
    return nullptr;
  }
}

double value_of_parameter(const std::vector<MachineParameter>& all, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& one : all) {
    if (!one.numeric || !std::holds_alternative<double>(one.value)) continue;
    if (one.field.name == name) return std::get<double>(one.value);
    names.push_back(one.field.name);
  }
  throw InvalidInput(name, not_found("parameter", name, names));
}

bool same(const MotionRow& a, const MotionRow& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const auto& p, const auto& q) {
      return p.index == q.index && p.weight == q.weight;
    });
  };
  return equal(a.coordinates, b.coordinates) && equal(a.drives, b.drives);
}

}  // namespace

MachineSlopes::MachineSlopes(MachineFixed& fixed, const std::vector<std::string>& names)
    : fixed_(fixed) {
  const Machine& m = fixed.system().machine();
  const auto refuse = [](const std::string& name, const std::string& sentence) {
    throw InvalidInput(name, "parameter " + name + " " + sentence);
  };
  const auto all = parameters_of(m.parts());
  for (const auto& name : names) {
    const double value = value_of_parameter(all, name);
    if (!m.controllers.empty())
      refuse(name, "has no derivative in a machine with a controller, which samples and rounds");
    if (name.starts_with("drive.")) refuse(name, "moves a drive, which has no derivative");
    Near near;
    const double step = 1e-6 * std::max(std::abs(value), 1e-3);
    auto plus = moved(m.parts(), name, value + step), minus = moved(m.parts(), name, value - step);
    double from = value - step, to = value + step;
    if (!plus) plus = moved(m.parts(), name, to = value);
    if (!minus) minus = moved(m.parts(), name, from = value);
    if (!(to > from) || !plus || !minus)
      refuse(name, "= " + words(value) + " cannot be moved within its bounds");
    near.width = to - from;
    near.sides[0] = std::make_unique<Side>(std::move(*minus));
    near.sides[1] = std::make_unique<Side>(std::move(*plus));
    near.differs.assign(fixed.contacts().size(), 0);
    for (auto& side : near.sides) {
      MachineFixed::set_up(side->machine, side->kernel);
      for (std::size_t c = 0; c < m.contacts.size(); ++c)
        side->kernel.elements[c].load = side->machine.contacts[c].load;
      side->state.assign(side->kernel.state.size(), 0.0);
    }
    const Machine &a = near.sides[0]->machine, &b = near.sides[1]->machine;
    for (std::size_t k = 0; k < m.linear.size(); ++k)
      if (!same(a.linear[k].row, b.linear[k].row)) refuse(name, "is a ratio, which is not varied");
    for (std::size_t c = 0; c < m.contacts.size(); ++c) {
      if (!same(a.line(a.contacts[c]), b.line(b.contacts[c])))
        refuse(name, "is a ratio, which is not varied");
      near.differs[c] = a.contacts[c].law != b.contacts[c].law ||
                        a.contacts[c].load != b.contacts[c].load || name.starts_with("load.");
    }
    for (std::size_t i = 0; i < m.others.size(); ++i) {
      if (!same(a.others[i].row, b.others[i].row)) refuse(name, "is a ratio, which is not varied");
      const std::string part = "coupling." + m.parts().couplings[m.others[i].part].name + ".";
      near.differs[m.contacts.size() + i] = name.starts_with(part);
    }
    // A load that a gear carries differs with all that is beyond the gear.
    for (std::size_t c = 0; c < m.contacts.size(); ++c) {
      if (m.contacts[c].carried < 0) continue;
      const auto k = std::size_t(m.contacts[c].carried);
      bool other = a.carried[k].inertia != b.carried[k].inertia || name.starts_with("input.");
      for (const auto& share : m.carried[k].others)
        other = other || near.differs[m.contacts.size() + share.index];
      near.differs[c] = near.differs[c] || other;
    }
    const bool start = name.starts_with("body.") && !name.ends_with(".inertia");
    near.varies = !start && !(name.starts_with("contact.") && name.ends_with(".state"));
    near.plain = name.starts_with("body.") || name.starts_with("contact.");
    // A signal of a coupling has to be looked at.
    const std::string field = name.substr(name.rfind('.') + 1);
    for (std::size_t i = 0; i < m.others.size(); ++i)
      near.plain = near.plain || (near.differs[m.contacts.size() + i] &&
                                  m.others[i].coupling->values().contains(field));
    for (std::size_t i = 0; i < m.inertia.size(); ++i)
      near.inertia.push_back((b.inertia[i] - a.inertia[i]) / near.width);
    near_.push_back(std::move(near));
  }
  const auto states = std::size_t(fixed.system().states);
  for (auto* list : {&now_, &first_, &second_, &base_})
    list->assign(near_.size(), std::vector<double>(states, 0.0));
  const auto n = std::size_t(fixed.system().n);
  for (auto* v : {&right_, &plus_, &minus_}) v->assign(n, 0.0);
  for (auto* v : {&change_, &pull_}) v->assign(fixed.contacts().size(), 0.0);
  answer_.assign(fixed.contacts().state.size(), 0.0);
  begin();
}

void MachineSlopes::begin() {
  std::vector<double> a(now_.empty() ? 0 : now_[0].size()), b = a;
  for (std::size_t j = 0; j < near_.size(); ++j) {
    near_[j].sides[0]->system.first_state(a);
    near_[j].sides[1]->system.first_state(b);
    for (std::size_t i = 0; i < a.size(); ++i) now_[j][i] = (b[i] - a[i]) / near_[j].width;
  }
}

// What the stage leaves unbalanced in a neighbour, at the solution found: M (v - v_base) - w
// forces.
void MachineSlopes::residual(Side& side, const Near& near, const MachineFixed::Stage& stage,
                             std::vector<double>& out) {
  MachineSystem& sys = side.system;
  const Machine& m = side.machine;
  const double *base = stage.base.data(), *x = stage.y.data(), *v = x + sys.v_at();
  const double w = stage.w;
  sys.look_at(stage.t, fixed_.stage_mode());
  for (int i = 0; i < sys.n; ++i)
    out[std::size_t(i)] = m.inertia[std::size_t(i)] * (v[i] - base[sys.v_at() + i]);
  for (std::size_t i = 0; i < m.inputs.size(); ++i) {
    const auto& input = m.inputs[i];
    double force = sys.inputs[i].value;
    if (input.state >= 0)
      force = (input.settings.lag * base[sys.p_at() + input.state] + w * force) /
              (input.settings.lag + w);
    out[std::size_t(input.coordinate)] -= w * input.weight * force;
  }
  for (const auto& one : m.linear)
    MachineSystem::pull(one.row,
                        -w * (one.pull.stiffness * (sys.stretch(one.row, x) - one.pull.rest) +
                              one.pull.damping * sys.rate(one.row, v)),
                        out.data());
  MachineFixed::aim(sys, stage.t, w, base, side.kernel);
  side.kernel.hold(w);
  const StageContacts& solved = fixed_.contacts();
  for (std::size_t e = 0; e < side.kernel.size(); ++e) {
    if (!near.differs[e] || solved.stuck[e]) continue;
    StageElement& one = side.kernel.elements[e];
    one.start_position = solved.elements[e].start_position;
    one.start_state = solved.elements[e].start_state;
    const auto answer = side.kernel.ask(e, solved.velocity[e], side.state.data() + one.state);
    MachineSystem::pull(fixed_.row(e), -w * answer.force, out.data());
  }
}

// The change of the residual where only inertias and elements differ, into right_ with its sign.
void MachineSlopes::plain_change(Near& near, const MachineFixed::Stage& stage) {
  const MachineSystem& sys = fixed_.system();
  const StageContacts& solved = fixed_.contacts();
  const double *base = stage.base.data() + sys.v_at(), *v = stage.y.data() + sys.v_at();
  for (std::size_t i = 0; i < right_.size(); ++i) right_[i] = -near.inertia[i] * (v[i] - base[i]);
  for (std::size_t e = 0; e < solved.size(); ++e) {
    if (!near.differs[e] || solved.stuck[e]) continue;
    double force[2];
    for (int k = 0; k < 2; ++k) {
      Side& side = *near.sides[k];
      side.kernel.hold(stage.w);
      const double own = side.kernel.elements[e].load;
      side.kernel.take_over(solved, e);
      if (e < sys.machine().contacts.size() && sys.machine().contacts[e].load_part < 0)
        side.kernel.elements[e].load = own;
      force[k] =
          side.kernel.ask(e, solved.velocity[e], side.state.data() + side.kernel.elements[e].state)
              .force;
    }
    MachineSystem::pull(fixed_.row(e), stage.w * (force[1] - force[0]) / near.width, right_.data());
  }
}

void MachineSlopes::stage(int which) {
  MachineSystem& sys = fixed_.system();
  const Machine& m = sys.machine();
  const auto& stage = fixed_.stage(which);
  StageContacts& kernel = fixed_.kernel();
  const auto n = std::size_t(sys.n), count = kernel.size();
  const double w = stage.w;
  constexpr double c = (1.0 - MachineFixed::gamma) / MachineFixed::gamma;
  kernel.open(fixed_.mobility());
  const auto& columns = fixed_.columns();
  for (std::size_t j = 0; j < near_.size(); ++j) {
    Near& near = near_[j];
    const auto& now = now_[j];
    auto& base = base_[j];
    auto& out = which == 0 ? first_[j] : second_[j];
    if (which == 0) base = now;
    else
      for (std::size_t i = 0; i < base.size(); ++i) base[i] = now[i] + c * (first_[j][i] - now[i]);
    std::fill(right_.begin(), right_.end(), 0.0);
    if (near.varies && near.plain) {
      plain_change(near, stage);
    } else if (near.varies) {
      residual(*near.sides[0], near, stage, minus_);
      residual(*near.sides[1], near, stage, plus_);
      for (std::size_t i = 0; i < n; ++i) right_[i] = (minus_[i] - plus_[i]) / near.width;
    }
    for (std::size_t i = 0; i < n; ++i) right_[i] += m.inertia[i] * base[n + i];
    for (std::size_t i = 0; i < m.inputs.size(); ++i) {
      const auto& input = m.inputs[i];
      if (input.state < 0) continue;
      const auto at = std::size_t(sys.p_at() + input.state);
      const double lag = input.settings.lag;
      out[at] = lag * base[at] / (lag + w);
      right_[std::size_t(input.coordinate)] += w * input.weight * out[at];
      if (!near.varies || near.plain) continue;
      const auto lagged = [&](const Side& side) {
        const double own = side.machine.inputs[i].settings.lag;
        return (own * stage.base[at] + w * side.system.inputs[i].value) / (own + w);
      };
      out[at] += (lagged(*near.sides[1]) - lagged(*near.sides[0])) / near.width;
    }
    for (const auto& one : m.linear)
      MachineSystem::pull(one.row,
                          w * one.pull.stiffness * MachineSystem::sum(one.row, base.data()),
                          right_.data());
    for (std::size_t e = 0; e < count; ++e) {
      const StageElement& one = kernel.elements[e];
      const int state = e < m.contacts.size() ? m.contacts[e].state : -1;
      const double none = 0.0;
      // The state of a displaced law counts from the start of the step.
      const double* from = state < 0 ? &none : base.data() + sys.z_at() + state;
      if (one.displaced) from = now.data() + sys.z_at() + state;
      const double known = kernel.known(e, MachineSystem::sum(fixed_.row(e), base.data()),
                                        MachineSystem::sum(fixed_.row(e), base.data() + n),
                                        MachineSystem::sum(fixed_.row(e), now.data()), from,
                                        answer_.data() + one.state);
      MachineSystem::pull(fixed_.row(e), w * known, right_.data());
    }
    fixed_.matrix().solve(right_);
    for (std::size_t e = 0; e < count; ++e)
      change_[e] = MachineSystem::sum(fixed_.row(e), right_.data());
    kernel.solve_changes(change_, pull_);
    for (std::size_t e = 0; e < count; ++e)
      for (std::size_t i = 0; i < n; ++i) right_[i] -= w * columns[e * n + i] * pull_[e];
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = base[i] + w * right_[i];
      out[n + i] = right_[i];
    }
    for (std::size_t e = 0; e < m.contacts.size(); ++e) {
      const int state = m.contacts[e].state;
      if (state < 0) continue;
      const StageElement& one = kernel.elements[e];
      double* const z = out.data() + sys.z_at() + state;
      std::copy_n(answer_.data() + one.state, m.contacts[e].states, z);
      kernel.add_states(e, change_[e], z);
      if (!near.varies || !near.differs[e]) continue;
      for (int k = 0; k < m.contacts[e].states; ++k)
        z[k] += (near.sides[1]->state[std::size_t(one.state + k)] -
                 near.sides[0]->state[std::size_t(one.state + k)]) /
                near.width;
    }
  }
}

void MachineSlopes::accept() { now_ = second_; }

}  // namespace bristle::detail
