// SPDX-License-Identifier: MIT
// Contacts whose friction depends on the relative acceleration, and laws that look back.
//
// With the accelerations `free` that the contacts would have without their own friction F, and the
// mobility G of their lines, contacts that stick held,
//
//   a = free - G F(a)
//
// is solved at every evaluation. It has one solution for bodies that are heavy enough
// (Machine::check_masses).
#include <algorithm>
#include <cmath>
#include <limits>

#include "machine_observer.hpp"
#include "machine_system.hpp"
#include "small_factors.hpp"

namespace bristle::detail {

double MachineSystem::free_acceleration(const MotionRow& row, const double* push) const {
  double a = drive_bend(row);
  for (const auto& term : row.coordinates)
    a += term.weight * push[term.index] / m_.inertia[std::size_t(term.index)];
  return a;
}

void MachineSystem::find_mobility() {
  const std::size_t k = accelerated.size();
  for (std::size_t j = 0; j < k; ++j) {
    std::fill(unit_.begin(), unit_.end(), 0.0);
    pull(m_.line(m_.contacts[std::size_t(accelerated[j])]), 1.0, unit_.data());
    std::fill(wanted_.begin(), wanted_.end(), 0.0);
    held_.accelerate(unit_, wanted_, all_);
    for (std::size_t i = 0; i < k; ++i)
      mobility_[i * k + j] = -sum(m_.line(m_.contacts[std::size_t(accelerated[i])]), all_.data());
  }
}

// One contact: Newton's rule within the interval that brackets the solution.
double MachineSystem::alone_acceleration(std::size_t c, const BlockMotion<double>& seen,
                                         const double* z, const Branch<>& branch, double free,
                                         double mobility) const {
  BlockMotion<double> at = seen;
  const double scale = m_.contacts[c].per_load ? seen.load : 1.0;
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  double a = std::isfinite(felt[c]) ? felt[c] : 0.0;
  for (int i = 0; i < 60; ++i) {
    at.acceleration = a;
    const AcceleratedForce f = memory[c]->accelerated(z, at, branch);
    const double off = a - free + mobility * scale * f.force;
    (off > 0.0 ? high : low) = a;
    double next = a - off / (1.0 + mobility * scale * f.slope);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const double by = next - a;
    a = next;
    // The next step would be about the square of this one.
    if (!(std::abs(by) > 1e-8 * (std::abs(a) + 1.0))) break;
  }
  return a;
}

// Into `felt`, from free_.
void MachineSystem::solve_accelerations(double t, const double* y, const MachineMode& mode) {
  const double *q = y, *v = y + v_at();
  const std::size_t k = feeling_.size(), all = accelerated.size();
  const auto contact = [&](std::size_t i) {
    return std::size_t(accelerated[std::size_t(feeling_[i])]);
  };
  const auto g = [&](std::size_t i, std::size_t j) {
    return mobility_[std::size_t(feeling_[i]) * all + std::size_t(feeling_[j])];
  };
  if (k == 1) {
    const std::size_t c = contact(0);
    felt[c] = g(0, 0) == 0.0 ? free_[0]
                             : alone_acceleration(c, block_motion(c, t, q, v), states_of(c, y),
                                                  mode.branch[c], free_[0], g(0, 0));
    return;
  }
  // Newton's method, damped so that the residual falls.
  const auto residual = [&](bool slopes) {
    double size = 0.0;
    for (std::size_t i = 0; i < k; ++i) {
      const std::size_t c = contact(i);
      const BlockMotion<double> seen = block_motion(c, t, q, v);
      const double scale = m_.contacts[c].per_load ? seen.load : 1.0;
      const auto f = memory[c]->accelerated(states_of(c, y), seen, mode.branch[c]);
      slope_[i] = scale * f.slope;
      found_[i] = scale * f.force;
    }
    for (std::size_t i = 0; i < k; ++i) {
      double off = felt[contact(i)] - free_[i];
      for (std::size_t j = 0; j < k; ++j) off += g(i, j) * found_[j];
      size = std::max(size, std::abs(off));
      if (slopes) order_[i] = 0, jacobian_[k * k + i] = off;
    }
    return size;
  };
  double size = residual(true);
  for (int turn = 0; turn < 50; ++turn) {
    double largest = 1.0;
    for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, std::abs(felt[contact(i)]));
    if (!(size > 1e-15 * largest)) break;
    for (std::size_t i = 0; i < k; ++i)
      for (std::size_t j = 0; j < k; ++j)
        jacobian_[i * k + j] = (i == j ? 1.0 : 0.0) + g(i, j) * slope_[j];
    double* const step = jacobian_.data() + k * k;
    if (!factor_pivoted(jacobian_.data(), int(k), order_.data(), 1e-300)) break;
    solve_pivoted(jacobian_.data(), int(k), order_.data(), step, jacobian_.data() + k * k + k);
    double part = 1.0, next = size;
    for (int cut = 0; cut < 12; ++cut, part *= 0.5) {
      for (std::size_t i = 0; i < k; ++i) felt[contact(i)] -= part * step[i];
      next = residual(false);
      if (next < size || part < 1e-3) break;
      for (std::size_t i = 0; i < k; ++i) felt[contact(i)] += part * step[i];
    }
    if (!(next < size)) break;
    size = residual(true);
  }
}

void MachineSystem::add_accelerated(double t, const double* y, const MachineMode& mode,
                                    double* push, double* z_rate, double* power, Powers& sum) {
  const double *q = y, *v = y + v_at();
  feeling_.clear();
  for (std::size_t i = 0; i < accelerated.size(); ++i)
    if (feels(accelerated[i], mode)) feeling_.push_back(int(i));
  if (feeling_.empty()) return;
  if (!frozen_) {
    if (!held_.empty()) {
      find_wanted(held_, wanted_);
      held_.accelerate({push, std::size_t(n)}, wanted_, all_);
    }
    for (std::size_t i = 0; i < feeling_.size(); ++i) {
      const auto c = std::size_t(accelerated[std::size_t(feeling_[i])]);
      const MotionRow& row = m_.line(m_.contacts[c]);
      free_[i] = held_.empty() ? free_acceleration(row, push)
                               : MachineSystem::sum(row, all_.data()) + drive_bend(row);
    }
    solve_accelerations(t, y, mode);
  }
  for (const int i : feeling_) {
    const auto c = std::size_t(accelerated[std::size_t(i)]);
    const auto& contact = m_.contacts[c];
    const BlockMotion<double> seen = block_motion(c, t, q, v);
    BlockResponse<double> r;
    r.rate = z_rate + std::max(contact.state, 0);
    respond(c, states_of(c, y), seen, mode.branch[c], r);
    pull(m_.line(contact), r.force[0], push);
    power[2 + c] = r.force[0] * seen.velocity[0];
    sum.loss += r.dissipation;
    sum.work += r.force[0] * drive_rate(m_.line(contact));
  }
}

// The explicit slopes in time. push_t holds those of all other forces.
void MachineSystem::linearise_accelerated(double t, const double* y, const MachineMode& mode,
                                          double* push_t, double* power_t, Powers& sum) {
  const std::size_t k = feeling_.size(), all = accelerated.size();
  const auto contact = [&](std::size_t i) {
    return std::size_t(accelerated[std::size_t(feeling_[i])]);
  };
  const auto along = [&](std::size_t c, int row) {
    const BlockSlopes& b = wide[std::size_t(wide_of[c])].slopes;
    const MotionRow& line = m_.line(m_.contacts[c]);
    const double load_t = m_.contacts[c].load_part >= 0 ? loads[c].slope : 0.0;
    return b.at(row, 0) * drive_rate(line) + b.at(row, b.by_velocity(0)) * drive_bend(line) +
           b.at(row, b.by_load()) * load_t + b.at(row, b.by_time());
  };
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t c = contact(i);
    linearise_wide(c, t, y, mode.branch[c]);
    const BlockSlopes& b = wide[std::size_t(wide_of[c])].slopes;
    pull(m_.line(m_.contacts[c]), b.value[0], push_.data());
    pull(m_.line(m_.contacts[c]), along(c, 0), push_t);
    slope_[i] = b.at(0, b.by_acceleration());
  }
  if (!held_.empty()) {
    for (std::size_t j = 0; j < held_.lines().size(); ++j) wanted_[j] = -drive_third(held_.row(j));
    held_.accelerate({push_t, std::size_t(n)}, wanted_, all_);
  }
  for (std::size_t i = 0; i < k; ++i) {
    const MotionRow& row = m_.line(m_.contacts[contact(i)]);
    double a = drive_third(row);
    if (held_.empty())
      for (const auto& term : row.coordinates)
        a += term.weight * push_t[term.index] / m_.inertia[std::size_t(term.index)];
    else a += MachineSystem::sum(row, all_.data());
    found_[i] = a;
    for (std::size_t j = 0; j < k; ++j)
      jacobian_[i * k + j] =
          (i == j ? 1.0 : 0.0) +
          mobility_[std::size_t(feeling_[i]) * all + std::size_t(feeling_[j])] * slope_[j];
  }
  if (k == 1) found_[0] /= jacobian_[0];
  else if (factor_pivoted(jacobian_.data(), int(k), order_.data(), 1e-300))
    solve_pivoted(jacobian_.data(), int(k), order_.data(), found_.data(), jacobian_.data() + k * k);
  for (std::size_t i = 0; i < k; ++i) {
    const std::size_t c = contact(i);
    const MotionRow& row = m_.line(m_.contacts[c]);
    const BlockSlopes& b = wide[std::size_t(wide_of[c])].slopes;
    const double a_t = found_[i], w = rate(row, y + v_at());
    const double f_t = along(c, 0) + slope_[i] * a_t;
    felt_t[c] = a_t;
    pull(row, slope_[i] * a_t, push_t);
    sum.work += f_t * drive_rate(row) + b.value[0] * drive_bend(row);
    sum.loss += along(c, b.loss_row()) + b.at(b.loss_row(), b.by_acceleration()) * a_t;
    power_t[2 + c] = f_t * w + b.value[0] * drive_bend(row);
  }
}

void MachineSystem::remember(MachinePath& path, double t, double end, MachineMode& mode) {
  if (mode.past.empty() || !(end > t)) return;
  path.open_dense();
  for (std::size_t k = 0; k < mode.past.size(); ++k) {
    const MotionRow& row = m_.line(m_.contacts[std::size_t(delayed[k])]);
    mode.past[k].accept(t, end - t, [&](double part) {
      const std::vector<double>& y = part >= 1.0 ? path.y1() : path.dense(part);
      forces(t + part * (end - t), y.data(), mode, push_.data());
      find_wanted(held_, wanted_);
      held_.accelerate(push_, wanted_, acceleration_);
      return VelocityHistory::Node{rate(row, y.data() + v_at()),
                                   sum(row, acceleration_.data()) + drive_bend(row)};
    });
  }
}

// What laws remember at the start; each sees the acceleration it would have without friction.
void MachineSystem::begin_memory(double t, std::span<double> y, MachineMode& mode) {
  const double *q = y.data(), *v = y.data() + v_at();
  mode.past.clear();
  for (const int c : delayed) {
    mode.past.emplace_back(memory[std::size_t(c)]->delay());
    mode.past.back().begin(t, rate(m_.line(m_.contacts[std::size_t(c)]), v));
  }
  starting_ = true;
  forces(t, y.data(), mode, push_.data());
  starting_ = false;
  for (std::size_t c = 0; c < std::size_t(contacts); ++c) {
    if (!memory[c]) continue;
    felt[c] = free_acceleration(m_.line(m_.contacts[c]), push_.data());
    mode.branch[c] = memory[c]->begin(states_of(c, y.data()), block_motion(c, t, q, v));
  }
  hold_stuck(mode);
}

// A contact at rest, on its way to the other direction. Where its friction pushes it back harder
// than what drives it on, it turns round.
void MachineSystem::reverse(std::size_t c, double t, std::span<double> y, MachineMode& mode) {
  const double *q = y.data(), *v = y.data() + v_at();
  forces(t, y.data(), mode, push_.data());
  const double direction = mode.branch[c].direction;
  mode.branch[c] =
      memory[c]->reversed(states_of(c, y.data()), block_motion(c, t, q, v), mode.branch[c]);
  hold_stuck(mode);
  if (sticks(int(c), mode)) return settle(t, y, mode, -1);
  if (!memory[c]->by_acceleration() || memory[c]->either_way(mode.branch[c])) return;
  forces(t, y.data(), mode, push_.data());
  if (mode.branch[c].direction * felt[c] <= 0.0) mode.branch[c].direction = direction;
}

}  // namespace bristle::detail
