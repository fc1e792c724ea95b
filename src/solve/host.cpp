// SPDX-License-Identifier: MIT
#include "bristle/solve/host.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bristle {

HostFriction::HostFriction(std::size_t contacts) : contacts_(contacts) {
  for (auto* v : {&velocity_, &force_, &state_, &slope_, &right_}) v->assign(contacts, 0.0);
  matrix_.assign(contacts * contacts, 0.0);
  stuck_.assign(contacts, 0);
}

// The force at the end of a step with a given velocity there, and its derivative.
HostFriction::Answer HostFriction::ask(std::size_t i, double velocity) const {
  const HostContact& c = contacts_[i];
  const double direction = velocity < 0.0 ? -1.0 : 1.0;
  const Motion<double> at{c.position, velocity, c.load, 0.0};
  Motion<LocalDual> seen;
  seen.position = LocalDual(c.position);
  seen.velocity = variable<5>(velocity, 1);
  seen.load = LocalDual(c.load);
  if (c.law->set_valued()) {
    const auto r = c.law->respond(LocalDual(0.0), seen, c.law->engage(0.0, at, direction, {}));
    return {r.force.value, r.force.slope[1], 0.0};
  }
  // z' = z + h rate(z', v): one step of Newton's method where the law is linear in its state.
  double z = c.state;
  Response<LocalDual> r;
  for (int k = 0; k < 20; ++k) {
    const auto branch = c.law->engage(z, at, direction, {});
    r = c.law->respond(variable<5>(z, 2), seen, branch);
    const double off = z - c.state - h_ * r.rate.value;
    const double next = z - off / (1.0 - h_ * r.rate.slope[2]);
    const double change = std::abs(next - z);
    if (!(change > 1e-15 * std::max(std::abs(z), std::abs(c.state)))) break;
    z = next;
  }
  const double z_v = h_ * r.rate.slope[1] / (1.0 - h_ * r.rate.slope[2]);
  return {r.force.value, r.force.slope[1] + r.force.slope[2] * z_v, z};
}

// v = free - gain F(v) for one contact.
void HostFriction::solve_alone(std::size_t i, double free, double gain) {
  const HostContact& c = contacts_[i];
  stuck_[i] = 0;
  if (!(gain > 0.0)) {
    velocity_[i] = free;
    const Answer a = ask(i, free);
    force_[i] = a.force, slope_[i] = a.slope, state_[i] = a.state;
    return;
  }
  const auto take = [&](double v, const Answer& a) {
    velocity_[i] = v, force_[i] = a.force, slope_[i] = a.slope, state_[i] = a.state;
  };
  double low, high;  // of the velocity, where v - free + gain F is negative and positive
  if (c.law->set_valued()) {
    const auto edge = c.law->limits({c.position, 0.0, c.load, 0.0});
    const double held = free / gain;
    if (held >= edge.lower && held <= edge.upper) {
      stuck_[i] = 1;
      return take(0.0, {held, std::numeric_limits<double>::infinity(), 0.0});
    }
    // Friction does not turn the motion round.
    low = std::min(0.0, free), high = std::max(0.0, free);
  } else {
    low = high = free;
    double width = std::max(std::abs(free), gain * c.law->force_scale(c.load));
    for (int k = 0; k < 60 && low - free + gain * ask(i, low).force > 0.0; ++k)
      low -= width, width *= 2.0;
    width = std::max(std::abs(free), gain * c.law->force_scale(c.load));
    for (int k = 0; k < 60 && high - free + gain * ask(i, high).force < 0.0; ++k)
      high += width, width *= 2.0;
  }
  double v = std::clamp(velocity_[i], low, high);
  Answer a = ask(i, v);
  for (int k = 0; k < 100; ++k) {
    const double off = v - free + gain * a.force;
    if (std::abs(off) <= 1e-16 * (std::abs(v) + std::abs(free) + std::abs(gain * a.force))) break;
    (off < 0.0 ? low : high) = v;
    const double slope = 1.0 + gain * a.slope;
    double next = v - off / slope;
    if (!(slope > 0.0) || !(next > low && next < high)) next = 0.5 * (low + high);
    if (next == v || next == low || next == high) break;
    v = next;
    a = ask(i, v);
  }
  take(v, a);
}

double HostFriction::residual_of(std::span<const double> free,
                                 std::span<const double> delassus) const {
  const std::size_t n = size();
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double off = velocity_[i] - free[i];
    for (std::size_t j = 0; j < n; ++j) off += h_ * delassus[i * n + j] * force_[j];
    if (!(std::abs(off) <= worst)) worst = std::abs(off);
  }
  return worst;
}

// One step of Newton's method with the contacts that stick and the directions of the others as they
// are: unknown are the velocity of a contact that slips and the force of one that sticks. False if
// that would change a mode.
bool HostFriction::newton(std::span<const double> free, std::span<const double> delassus) {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    right_[i] = free[i] - velocity_[i];
    for (std::size_t j = 0; j < n; ++j) {
      const double w = h_ * delassus[i * n + j];
      right_[i] -= w * force_[j];
      matrix_[i * n + j] = stuck_[j] ? w : w * slope_[j] + (i == j ? 1.0 : 0.0);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {  // elimination with partial pivots
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix_[i * n + k]) > std::abs(matrix_[best * n + k])) best = i;
    if (!(std::abs(matrix_[best * n + k]) > 0.0)) return false;
    if (best != k) {
      for (std::size_t j = k; j < n; ++j) std::swap(matrix_[k * n + j], matrix_[best * n + j]);
      std::swap(right_[k], right_[best]);
    }
    for (std::size_t i = k + 1; i < n; ++i) {
      const double part = matrix_[i * n + k] / matrix_[k * n + k];
      if (part == 0.0) continue;
      for (std::size_t j = k; j < n; ++j) matrix_[i * n + j] -= part * matrix_[k * n + j];
      right_[i] -= part * right_[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right_[k] -= matrix_[k * n + j] * right_[j];
    right_[k] /= matrix_[k * n + k];
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (stuck_[i]) {
      const auto edge = contacts_[i].law->limits({contacts_[i].position, 0.0, contacts_[i].load});
      const double next = force_[i] + right_[i];
      if (!(next >= edge.lower && next <= edge.upper)) return false;
    } else if (contacts_[i].law->set_valued() &&
               !((velocity_[i] + right_[i]) * velocity_[i] > 0.0)) {
      return false;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (stuck_[i]) {
      force_[i] += right_[i];
      continue;
    }
    velocity_[i] += right_[i];
    const Answer a = ask(i, velocity_[i]);
    force_[i] = a.force, slope_[i] = a.slope, state_[i] = a.state;
  }
  return true;
}

HostReport HostFriction::step(std::span<const double> free, std::span<const double> delassus,
                              double h) noexcept {
  const std::size_t n = size();
  HostReport report;
  h_ = h;
  double scale = 0.0;
  bool sound = free.size() == n && delassus.size() == n * n && h > 0.0 && std::isfinite(h);
  for (std::size_t i = 0; i < n && sound; ++i) {
    sound = contacts_[i].law && contacts_[i].law->single() && std::isfinite(free[i]) &&
            delassus[i * n + i] >= 0.0;
    for (std::size_t j = 0; j < n; ++j) sound = sound && std::isfinite(delassus[i * n + j]);
    scale = std::max(scale, std::abs(free[i]));
  }
  for (std::size_t i = 0; i < n; ++i) {
    velocity_[i] = i < free.size() ? free[i] : 0.0;
    force_[i] = slope_[i] = 0.0;
    state_[i] = contacts_[i].state;
    stuck_[i] = 0;
  }
  if (!sound) return report;
  const auto impulse = [&](std::size_t i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(h * delassus[i * n + j] * force_[j]);
    return sum;
  };
  double allowed = 0.0;
  for (report.sweeps = 1; report.sweeps <= 500; ++report.sweeps) {
    for (std::size_t i = 0; i < n; ++i) {
      double own = free[i];
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) own -= h * delassus[i * n + j] * force_[j];
      solve_alone(i, own, h * delassus[i * n + i]);
    }
    allowed = 0.0;
    for (std::size_t i = 0; i < n; ++i) allowed = std::max(allowed, impulse(i));
    allowed = 4e-16 * std::max(allowed, scale);
    report.residual = residual_of(free, delassus);
    if (report.residual <= allowed) break;
    if (report.sweeps % 4 != 0) continue;
    for (int k = 0; k < 6; ++k) {
      if (!newton(free, delassus)) break;
      ++report.newton;
      report.residual = residual_of(free, delassus);
      if (report.residual <= allowed) break;
    }
    if (report.residual <= allowed) break;
  }
  report.converged = report.residual <= 64.0 * allowed;
  return report;
}

void HostFriction::commit() noexcept {
  for (std::size_t i = 0; i < size(); ++i) {
    contacts_[i].state = state_[i];
    contacts_[i].position += h_ * velocity_[i];
  }
}

}  // namespace bristle
