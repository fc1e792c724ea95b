// SPDX-License-Identifier: MIT
#include "stage_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "machine/small_factors.hpp"

namespace bristle::detail {
namespace {

constexpr std::array<double, 1> nothing{0.0};

double scale_of(const StageElement& e) { return e.per_load ? e.load : 1.0; }

bool set_valued(const StageElement& e) { return e.law && e.law->set_valued(); }

}  // namespace

// The interval of a set-valued law at rest.
Interval<double> StageContacts::edges(const StageElement& e) const {
  const auto f = e.law->limits({e.position, 0.0, load_of(e, 0.0).load, e.time});
  return {scale_of(e) * f.lower, scale_of(e) * f.upper};
}

StageLoad::Value StageLoad::at(double r, double w) const {
  Value out{constant - inertia * (r - base_rate) / w, -inertia / w, 0.0};
  for (const Share& one : shares) {
    const double rate = one.factor * r, s = one.position + w * rate;
    const Pull p =
        one.coupling->pull(s, rate, one.coupling->piece(s, rate, one.signals), one.signals);
    out.load -= one.factor * p.force;
    out.by_rate -= square(one.factor) * (p.by_rate + w * p.by_stretch);
    out.by_base -= square(one.factor) * p.by_stretch;
  }
  return out;
}

void StageContacts::resize(std::vector<StageElement> list) {
  elements = std::move(list);
  const std::size_t n = elements.size();
  wide_.clear();
  wide_of_.clear();
  int states = 0;
  for (auto& e : elements) {
    e.state = states;
    states += e.states();
    wide_of_.push_back(e.block ? int(wide_.size()) : -1);
    if (e.block) wide_.emplace_back(*e.block);
  }
  for (auto* v : {&velocity, &force, &slope, &right_, &sorted_, &bend_, &tilt_, &kept_velocity_,
                  &kept_force_})
    v->assign(n, 0.0);
  kept_stuck_.assign(n, 0);
  kept_ = false;
  simple_ = true;
  for (const auto& e : elements) simple_ = simple_ && !e.block && !e.displaced;
  for (auto* v : {&base, &state, &trial_}) v->assign(std::size_t(states), 0.0);
  matrix_.assign(n * n, 0.0);
  order_.assign(n, 0);
  local_.assign(n, {});
  stuck.assign(n, 0);
}

StageContacts::Answer StageContacts::pull_of(const StageElement& e, double r) const {
  const double s = e.position + w_ * r;
  const Pull p = e.coupling->pull(s, r, e.coupling->piece(s, r, e.signals), e.signals);
  return {p.force, p.by_rate + w_ * p.by_stretch};
}

StageContacts::Answer StageContacts::ask(std::size_t i, double r, double* states) {
  const StageElement& e = elements[i];
  if (e.coupling) return pull_of(e, r);
  const double s = e.position + w_ * r;
  Answer a = e.block ? ask_block(i, s, r, states) : ask_single(e, s, r, states);
  a.force *= scale_of(e), a.slope *= scale_of(e);
  return a;
}

StageContacts::Answer StageContacts::ask_single(const StageElement& e, double s, double r,
                                                double* state) {
  const auto carried = load_of(e, r);
  const Motion<double> at{s, r, carried.load, e.time};
  Motion<LocalDual> seen;
  seen.position = variable<5>(s, 0);
  seen.velocity = variable<5>(r, 1);
  seen.load = variable<5>(carried.load, 3);
  seen.time = LocalDual(e.time);
  const double direction = r < 0.0 ? -1.0 : 1.0;
  const auto respond = [&](double z) {
    return e.law->respond(variable<5>(z, 2), seen, e.law->engage(z, at, direction, {}));
  };
  if (e.law->set_valued()) {
    const auto f = respond(0.0).force;
    *state = 0.0;
    return {f.value, f.slope[1] + w_ * f.slope[0] + carried.by_rate * f.slope[3]};
  }
  if (e.displaced) {
    const double z = e.law->displaced(e.start_state, e.moved(w_ * r));
    const auto f = respond(z);
    *state = z;
    return {f.force.value,
            f.force.slope[1] + w_ * (f.force.slope[0] + f.rate.slope[1] * f.force.slope[2])};
  }
  // z = base + w rate(z): one step of Newton's method where the law is linear in its state, inside
  // a bracket for the others. A state rarely moves further than three times the way of the
  // contact; where that end is short of the root, the bracket grows.
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const double start = base[std::size_t(e.state)];
  double reach = 3.0 * std::abs(w_ * r), low = -unbounded, high = unbounded, z = start, gain = 1.0;
  Response<LocalDual> f;
  for (int i = 0; i < 200; ++i) {
    f = respond(z);
    double off = z - w_ * f.rate.value - start;
    gain = 1.0 - w_ * f.rate.slope[2];
    // Far from where the state can be a rate may overflow: the root is nearer to the start.
    const bool far = !std::isfinite(off) || !std::isfinite(gain);
    if (far) off = z > start ? 1.0 : -1.0;
    (off > 0.0 ? high : low) = z;
    if (!(std::abs(off) > 1e-15 * (std::abs(z) + std::abs(start)))) break;
    if (off > 0.0 ? z <= start - reach : z >= start + reach) reach *= 4.0;
    const double least = std::max(low, start - reach), most = std::min(high, start + reach);
    // A rate of a high power of the state takes Newton's rule many short steps.
    const bool slow = far || (i >= 8 && i % 2 == 1);
    double next = z - off / gain;
    if (!slow && next > most && most < high) next = most;
    else if (!slow && next < least && least > low) next = least;
    else if (slow || !(next >= least && next <= most)) next = 0.5 * (least + most);
    if (next == z || (i > 50 && high - low <= 1e-15 * std::abs(z))) break;
    z = next;
  }
  *state = z;
  const double along = w_ * (f.rate.slope[1] + w_ * f.rate.slope[0]) / gain;
  return {f.force.value, f.force.slope[1] + w_ * f.force.slope[0] + along * f.force.slope[2]};
}

StageContacts::Answer StageContacts::ask_block(std::size_t i, double s, double r, double* states) {
  const StageElement& e = elements[i];
  WideContact& wide = wide_[std::size_t(wide_of_[i])];
  const int n = wide.slopes.n;
  const double* const start = base.data() + e.state;
  BlockMotion<double> at;
  at.position[0] = s, at.velocity[0] = r;
  at.load = e.load, at.time = e.time;
  const double direction = r < 0.0 ? -1.0 : 1.0, shift = 1.0 / w_;
  std::copy(start, start + n, states);
  std::array<double, most_states> off{}, step{};
  for (int k = 0; k < 60; ++k) {
    Branch<> branch{};
    branch.direction = direction;
    branch.cell = e.block->cell(states, at, direction);
    e.block->linearise(states, at, branch, wide.slopes);
    if (!wide.condense(shift)) return {std::numeric_limits<double>::quiet_NaN(), 0.0};
    bool settled = true;
    for (int j = 0; j < n; ++j)
      off[std::size_t(j)] =
          wide.slopes.value[std::size_t(wide.slopes.rate_row(j))] - shift * (states[j] - start[j]);
    wide.states(off.data(), nothing.data(), nullptr, step.data());
    // Where pieces alternate, shorter and shorter steps end between them.
    const double part = k < 12 ? 1.0 : std::pow(0.7, k - 11);
    for (int j = 0; j < n; ++j) {
      const double by = part * step[std::size_t(j)];
      settled = settled && std::abs(by) <= 1e-15 * (std::abs(states[j]) + std::abs(start[j]));
      states[j] += by;
    }
    if (settled) break;
  }
  return {wide.slopes.value[0], wide.resistance(0, 0)};
}

void StageContacts::take(std::size_t i, double r, const Answer& answer) {
  velocity[i] = r, force[i] = answer.force, slope[i] = answer.slope;
  const StageElement& e = elements[i];
  std::copy_n(trial_.data() + e.state, e.states(), state.data() + e.state);
}

// r = free - gain F(r) for one element. Whether that is met as well as neighbouring numbers can.
bool StageContacts::solve_alone(std::size_t i, double free, double gain) {
  const StageElement& e = elements[i];
  double* const z = trial_.data() + e.state;
  stuck[i] = 0;
  if (!(gain > 0.0)) {
    take(i, free, ask(i, free, z));
    return true;
  }
  double low, high;  // of the velocity, where r - free + gain F is negative and positive
  if (set_valued(e)) {
    const auto edge = edges(e);
    const double held = free / gain;
    if (held >= edge.lower && held <= edge.upper) {
      stuck[i] = 1;
      take(i, 0.0, {held, std::numeric_limits<double>::infinity()});
      return true;
    }
    // Friction does not turn the motion round.
    low = std::min(0.0, free), high = std::max(0.0, free);
  } else {
    low = high = free;
    const double force_scale = e.coupling ? std::abs(ask(i, free, z).force)
                               : e.block  ? scale_of(e) * e.block->force_scale(e.load)
                                          : scale_of(e) * e.law->force_scale(e.load);
    const double first = std::max({std::abs(free), gain * force_scale, 1e-300});
    double width = first;
    for (int k = 0; k < 60 && low - free + gain * ask(i, low, z).force > 0.0; ++k)
      low -= width, width *= 2.0;
    width = first;
    for (int k = 0; k < 60 && high - free + gain * ask(i, high, z).force < 0.0; ++k)
      high += width, width *= 2.0;
  }
  double r = std::clamp(velocity[i], low, high);
  Answer a = ask(i, r, z);
  bool met = false;
  for (int k = 0; k < 200; ++k) {
    const double off = r - free + gain * a.force;
    met = std::abs(off) <= 1e-16 * (std::abs(r) + std::abs(free) + std::abs(gain * a.force));
    if (met || !std::isfinite(off)) break;
    (off < 0.0 ? low : high) = r;
    const double steep = 1.0 + gain * a.slope;
    double next = r - off / steep;
    if (!(steep > 0.0) || !(next > low && next < high) || k > 60) next = 0.5 * (low + high);
    if (next == r || next == low || next == high) {
      const auto rest = [&](double at) { return at - free + gain * ask(i, at, z).force; };
      met = rest(low) <= 0.0 && rest(high) >= 0.0;
      a = ask(i, r, z);
      break;
    }
    r = next;
    a = ask(i, r, z);
  }
  take(i, r, a);
  return met;
}

double StageContacts::residual_of(std::span<const double> free,
                                  std::span<const double> mobility) const {
  const std::size_t n = size();
  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double off = velocity[i] - free[i];
    for (std::size_t j = 0; j < n; ++j) off += w_ * mobility[i * n + j] * force[j];
    if (!(std::abs(off) <= worst)) worst = std::abs(off);
  }
  return worst;
}

// Unknown are the velocity of an element that moves and the force of one that sticks.
bool StageContacts::factor_joint(std::span<const double> mobility) {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double g = w_ * mobility[i * n + j];
      matrix_[i * n + j] = stuck[j] ? g : g * slope[j] + (i == j ? 1.0 : 0.0);
    }
  return factor_pivoted(matrix_.data(), int(n), order_.data(), 0.0);
}

void StageContacts::solve_joint(std::span<double> x) {
  solve_pivoted(matrix_.data(), int(size()), order_.data(), x.data(), sorted_.data());
}

// A correction by Newton's method, into right_, with the elements that stick and the directions of
// the others as they are. False if that would change a mode.
bool StageContacts::correct(std::span<const double> free, std::span<const double> mobility) {
  const std::size_t n = size();
  for (std::size_t i = 0; i < n; ++i) {
    right_[i] = free[i] - velocity[i];
    for (std::size_t j = 0; j < n; ++j) right_[i] -= w_ * mobility[i * n + j] * force[j];
  }
  if (!factor_joint(mobility)) return false;
  solve_joint(right_);
  for (std::size_t i = 0; i < n; ++i) {
    if (stuck[i]) {
      const auto edge = edges(elements[i]);
      const double next = force[i] + right_[i];
      if (!(next >= edge.lower && next <= edge.upper)) return false;
    } else if (set_valued(elements[i]) && !((velocity[i] + right_[i]) * velocity[i] > 0.0)) {
      return false;
    }
  }
  return true;
}

bool StageContacts::newton(std::span<const double> free, std::span<const double> mobility) {
  if (!correct(free, mobility)) return false;
  for (std::size_t i = 0; i < size(); ++i) {
    if (stuck[i]) {
      force[i] += right_[i];
      continue;
    }
    const double r = velocity[i] + right_[i];
    take(i, r, ask(i, r, trial_.data() + elements[i].state));
  }
  return true;
}

// The forces linearised at the present velocities and states; whether the states meet their own
// equations.
bool StageContacts::look() {
  bool met = true;
  for (std::size_t i = 0; i < size(); ++i) {
    if (stuck[i]) continue;
    const StageElement& e = elements[i];
    const double r = velocity[i], s = e.position + w_ * r, direction = r < 0.0 ? -1.0 : 1.0;
    if (e.coupling) {
      const Answer a = pull_of(e, r);
      force[i] = a.force, slope[i] = a.slope;
      continue;
    }
    const double z = state[std::size_t(e.state)], before = base[std::size_t(e.state)];
    const auto carried = load_of(e, r);
    Motion<LocalDual> seen;
    seen.position = variable<5>(s, 0);
    seen.velocity = variable<5>(r, 1);
    seen.load = variable<5>(carried.load, 3);
    seen.time = LocalDual(e.time);
    const auto f = e.law->respond(variable<5>(z, 2), seen,
                                  e.law->engage(z, {s, r, carried.load, e.time}, direction, {}));
    const double scale = scale_of(e);
    const double along =
        f.force.slope[1] + w_ * f.force.slope[0] + carried.by_rate * f.force.slope[3];
    if (e.law->set_valued()) {
      force[i] = scale * f.force.value, slope[i] = scale * along;
      continue;
    }
    const double pivot = 1.0 - w_ * f.rate.slope[2];
    bend_[i] = (before + w_ * f.rate.value - z) / pivot;
    tilt_[i] = w_ * (f.rate.slope[1] + w_ * f.rate.slope[0]) / pivot;
    force[i] = scale * (f.force.value + f.force.slope[2] * bend_[i]);
    slope[i] = scale * (along + f.force.slope[2] * tilt_[i]);
    met = met && std::abs(bend_[i]) <= 4e-16 * std::max(std::abs(z), std::abs(before));
  }
  return met;
}

// Newton's method on all elements from where the kept solution left them, with their states as
// further unknowns: most steps of a motion are like the one before. False where it does not settle
// at once, where a mode changes, and where friction falls so steeply that another velocity may fit
// as well: then element after element is solved.
bool StageContacts::go_on(std::span<const double> free, std::span<const double> mobility,
                          StageReport& report) {
  const std::size_t n = size();
  if (!kept_ || !simple_) return false;
  for (std::size_t i = 0; i < n; ++i) {
    stuck[i] = kept_stuck_[i] && set_valued(elements[i]);
    velocity[i] = stuck[i] ? 0.0 : kept_velocity_[i];
    force[i] = kept_force_[i];
    if (stuck[i]) slope[i] = std::numeric_limits<double>::infinity();
  }
  state = base;
  for (report.newton = 0; report.newton < 8; ++report.newton) {
    if (look()) {
      report.residual = residual_of(free, mobility);
      if (report.residual <= allowed_residual(free, mobility)) break;
    }
    if (report.newton == 7 || !correct(free, mobility)) return false;
    for (std::size_t i = 0; i < n; ++i) {
      if (stuck[i]) {
        force[i] += right_[i];
        continue;
      }
      velocity[i] += right_[i];
      if (!set_valued(elements[i]) && !elements[i].coupling)
        state[std::size_t(elements[i].state)] += bend_[i] + tilt_[i] * right_[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (stuck[i]) continue;
    const double gain = w_ * mobility[i * n + i];
    if (!(slope[i] * gain >= -0.5)) return false;
    if (!set_valued(elements[i]) || slope[i] >= 0.0) continue;
    // What slides although it could stick does stick.
    const auto edge = edges(elements[i]);
    const double held = velocity[i] / gain + force[i];
    if (held >= edge.lower && held <= edge.upper) return false;
  }
  report.converged = true;
  return true;
}

void StageContacts::keep() {
  kept_velocity_ = velocity;
  kept_force_ = force;
  kept_stuck_ = stuck;
  kept_ = true;
}

// What rounding alone may leave of r - free + w G F.
double StageContacts::allowed_residual(std::span<const double> free,
                                       std::span<const double> mobility) const {
  const std::size_t n = size();
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < n; ++j) sum += std::abs(w_ * mobility[i * n + j] * force[j]);
    largest = std::max({largest, sum, std::abs(free[i])});
  }
  return 4e-16 * largest;
}

StageReport StageContacts::solve(std::span<const double> free, std::span<const double> mobility,
                                 double w) {
  const std::size_t n = size();
  StageReport report;
  w_ = w;
  if (go_on(free, mobility, report)) return report;
  report = {};
  if (one_way && n > 1 && solve_one_way(free, mobility)) {
    report.sweeps = 1;
    report.residual = residual_of(free, mobility);
    report.converged = true;
    return report;
  }
  if (kept_)
    for (std::size_t i = 0; i < n; ++i) velocity[i] = free[i];
  std::fill(force.begin(), force.end(), 0.0);
  double allowed = 0.0;
  for (report.sweeps = 1; report.sweeps <= 500; ++report.sweeps) {
    for (std::size_t i = 0; i < n; ++i) {
      double own = free[i];
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) own -= w * mobility[i * n + j] * force[j];
      const bool met = solve_alone(i, own, w * mobility[i * n + i]);
      // Of one element there is nothing more to solve for.
      if (n == 1 && met) report.converged = true;
    }
    allowed = allowed_residual(free, mobility);
    report.residual = residual_of(free, mobility);
    if (report.residual <= allowed || report.converged) break;
    if (report.sweeps % 4 != 0) continue;
    for (int k = 0; k < 6; ++k) {
      if (!newton(free, mobility)) break;
      ++report.newton;
      report.residual = residual_of(free, mobility);
      if (report.residual <= allowed) break;
    }
    if (report.residual <= allowed) break;
  }
  report.converged = report.converged || report.residual <= 64.0 * allowed;
  return report;
}

}  // namespace bristle::detail
