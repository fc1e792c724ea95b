// SPDX-License-Identifier: MIT
// How the solution of a stage answers to small changes.
#include <algorithm>
#include <cmath>

#include "stage_contacts.hpp"

namespace bristle::detail {

StageContacts::Local StageContacts::linearise(const StageElement& e, double r, double z) const {
  const double s = e.position + w_ * r;
  Local out;
  if (e.coupling) {
    out.f_s = e.coupling->pull(s, r, e.coupling->piece(s, r, e.signals), e.signals).by_stretch;
    return out;
  }
  if (!e.law) return out;
  const double direction = r < 0.0 ? -1.0 : 1.0;
  const auto carried = load_of(e, r);
  Motion<LocalDual> seen;
  seen.position = variable<5>(s, 0);
  seen.velocity = variable<5>(r, 1);
  seen.load = variable<5>(carried.load, 3);
  seen.time = LocalDual(e.time);
  const auto f = e.law->respond(variable<5>(z, 2), seen,
                                e.law->engage(z, {s, r, carried.load, e.time}, direction, {}));
  const double scale = e.per_load ? e.load : 1.0;
  out.f_s = scale * (f.force.slope[0] + carried.by_base * f.force.slope[3]);
  if (e.carried >= 0)
    out.f_base = scale * f.force.slope[3] * loads[std::size_t(e.carried)].inertia / w_;
  if (e.law->set_valued()) return out;
  out.f_z = scale * f.force.slope[2];
  if (e.displaced) {
    const double width = 1e-6 * e.law->state_scale(), moved = e.moved(w_ * r);
    out.z_s = f.rate.slope[1];
    out.z_b = (e.law->displaced(e.start_state + width, moved) -
               e.law->displaced(e.start_state - width, moved)) /
              (2.0 * width);
    out.z_r = w_ * out.z_s;
    return out;
  }
  out.z_b = 1.0 / (1.0 - w_ * f.rate.slope[2]);
  out.z_s = w_ * f.rate.slope[0] * out.z_b;
  out.z_r = w_ * (f.rate.slope[1] + w_ * f.rate.slope[0]) * out.z_b;
  return out;
}

void StageContacts::take_over(const StageContacts& other, std::size_t i) {
  const StageElement& from = other.elements[i];
  StageElement& e = elements[i];
  e.position = from.position, e.time = from.time;
  e.load = from.load, e.signals = from.signals;
  e.start_state = from.start_state, e.start_position = from.start_position;
  std::copy_n(other.base.data() + from.state, from.states(), base.data() + e.state);
  if (e.carried < 0) return;
  const StageLoad& known = other.loads[std::size_t(from.carried)];
  StageLoad& load = loads[std::size_t(e.carried)];
  load.constant = known.constant, load.base_rate = known.base_rate;
  for (std::size_t k = 0; k < load.shares.size(); ++k) {
    load.shares[k].position = known.shares[k].position;
    load.shares[k].signals = known.shares[k].signals;
  }
}

bool StageContacts::open(std::span<const double> mobility) {
  for (std::size_t i = 0; i < size(); ++i) {
    const StageElement& e = elements[i];
    if (stuck[i]) continue;
    // A wide contact keeps the slopes of its last answer.
    if (e.block) ask(i, velocity[i], trial_.data() + e.state);
    else local_[i] = linearise(e, velocity[i], e.law ? state[std::size_t(e.state)] : 0.0);
  }
  return size() == 0 || factor_joint(mobility);
}

double StageContacts::known(std::size_t i, double position, double rate, double start_position,
                            const double* states, double* answer) {
  const StageElement& e = elements[i];
  if (stuck[i]) return 0.0;
  if (!e.block) {
    const Local& l = local_[i];
    if (!e.law) return l.f_s * position;
    const double moved = e.displaced ? position - start_position : position;
    *answer = l.z_b * *states + l.z_s * moved;
    return l.f_s * position + l.f_base * rate + l.f_z * *answer;
  }
  WideContact& wide = wide_[std::size_t(wide_of_[i])];
  std::array<double, most_states> known{};
  const int n = wide.slopes.n;
  for (int k = 0; k < n; ++k) known[std::size_t(k)] = states[k] / w_;
  wide.states(known.data(), &position, nullptr, answer);
  double force = wide.slopes.at(0, 0) * position;
  for (int k = 0; k < n; ++k) force += wide.slopes.at(0, wide.slopes.by_state(k)) * answer[k];
  return (e.per_load ? e.load : 1.0) * force;
}

void StageContacts::solve_changes(std::span<double> change, std::span<double> pull) {
  if (size() == 0) return;
  solve_joint(change);
  for (std::size_t i = 0; i < size(); ++i) {
    pull[i] = stuck[i] ? change[i] : slope[i] * change[i];
    if (stuck[i]) change[i] = 0.0;
  }
}

void StageContacts::add_states(std::size_t i, double by, double* states) {
  const StageElement& e = elements[i];
  if (stuck[i] || e.coupling) return;
  if (!e.block) {
    *states += local_[i].z_r * by;
    return;
  }
  WideContact& wide = wide_[std::size_t(wide_of_[i])];
  std::array<double, most_states> none{}, out{};
  const double moved = w_ * by;
  wide.states(none.data(), &moved, &by, out.data());
  for (int k = 0; k < wide.slopes.n; ++k) states[k] += out[std::size_t(k)];
}

}  // namespace bristle::detail
