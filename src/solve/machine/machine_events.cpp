// SPDX-License-Identifier: MIT
// Where a step of a machine leaves its mode.
#include <algorithm>
#include <cmath>
#include <limits>

#include "bristle/solve/watch.hpp"
#include "machine_drive.hpp"

namespace bristle::detail {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

void MachineDriver::hold(double step) {
  if (step == held_) return;
  method_.step(step);
  method_.open_dense();
  held_ = step;
  ++report_.event_steps;
}

// By how much a difference of velocities is off by rounding: one that begins at zero may be
// negative by that much. A velocity alone in its row has none.
double MachineDriver::rounding_of(std::size_t c) const {
  const auto& contact = sys_.machine().contacts[c];
  const MotionRow& row = sys_.machine().line(contact);
  if (contact.dimension == 2 || row.coordinates.size() + row.drives.size() < 2) return 0.0;
  return 4e-16 * sys_.speed(c, y_.data() + sys_.v_at());
}

double MachineDriver::slack_of(int g, double step) const {
  if (g >= 2 * sys_.contacts) return 0.0;
  const auto c = std::size_t(g / 2);
  if (stick_guard(g) || (sys_.set_valued[c] && g % 2 == 1)) return g % 2 == 1 ? 1e-12 : 0.0;
  if (sys_.set_valued[c]) return rounding_of(c);
  if (g % 2 == 1) return 0.0;
  const int state = sys_.machine().contacts[c].state;
  if (state < 0) return control_.tolerance * 1e-2 * scales_.rate[c];
  const double bristle = scales_.state[std::size_t(sys_.z_at() + state)];
  return control_.tolerance * std::min(1e-2 * scales_.rate[c], 0.1 * bristle / step);
}

double MachineDriver::guard_at(int g, double t, const std::vector<double>& y) {
  const double value = sys_.guard(g, t, y.data(), mode_);
  return stick_guard(g) ? value + sys_.stick_slack(g / 2) : value;
}

// The same at a fraction of the step. That of a velocity needs the coordinates of its row only.
double MachineDriver::guard_between(int g, double t, double s) {
  const int c = g / 2;
  if (g >= 2 * sys_.contacts || g % 2 == 1 || stick_guard(g) || sys_.planar(c) ||
      sys_.memory[std::size_t(c)] || !sys_.held().ties().empty())
    return guard_at(g, t, method_.dense(s));
  const MotionRow& row = sys_.machine().line(sys_.machine().contacts[std::size_t(c)]);
  for (const auto& term : row.coordinates)
    if (sys_.held().is_known(term.index)) return guard_at(g, t, method_.dense(s));
  sys_.look_at(t, mode_);
  double w = sys_.drive_rate(row);
  for (const auto& term : row.coordinates) w += term.weight * method_.dense(s, sys_.n + term.index);
  return mode_.branch[std::size_t(c)].direction * w;
}

// The first fraction of the step at which a guard is seen to be negative; NaN if there is none.
// first_, inside_ and last_ hold the guards at the start, the middle and the end.
double MachineDriver::first_below(int g, double step) {
  const auto k = std::size_t(g);
  if (g < 2 * sys_.contacts && sys_.cornered[k / 2]) return NAN;
  const double slack = slack_of(g, step);
  double first = first_[k], inside = inside_[k], last = last_[k];
  const auto guard = [&](double s) { return s == 1.0 ? last : guard_between(g, t_ + s * step, s); };
  if (g < 2 * sys_.contacts && g % 2 == 0 && !stick_guard(g)) {
    const auto c = std::size_t(g / 2);
    const double flat = std::max(slack, 1e-16 * scales_.rate[c]);
    const MotionRow& row = sys_.machine().line(sys_.machine().contacts[c]);
    const double direction = mode_.branch[c].direction;
    if (sys_.planar(int(c)) || sys_.memory[c]) {
      if (last >= -slack && inside >= -flat && !may_dip(first, inside, last)) return NAN;
    } else if (row.drives.empty() || !sys_.drives_bend(row)) {
      if (method_.lower_bound(row, direction, sys_.drive_rate(row)) >= -flat && last >= -slack)
        return NAN;
    } else if (last >= -slack && inside >= -flat && first >= -flat &&
               !may_dip(first, inside, last)) {
      return NAN;
    }
    const double below = first_dip(guard, 1.0, 8, flat);
    return std::isnan(below) && last < -slack ? 1.0 : below;
  }
  if (stick_guard(g)) {
    const double extra = sys_.stick_slack(g / 2);
    first += extra, inside += extra, last += extra;
  }
  if (g < 2 * sys_.contacts && g % 2 == 1 && sys_.set_valued[std::size_t(g / 2)])
    return inside < -slack ? 0.5 : last < -slack ? 1.0 : NAN;
  if (last >= -slack && inside >= -slack && !may_dip(inside, inside, last) &&
      !may_dip(first, inside, last))
    return NAN;
  return first_dip(guard, 1.0, stick_guard(g) ? 8 : 4, slack);
}

MachineDriver::Crossing MachineDriver::find_crossing(double step) {
  const int count = sys_.guards();
  if (count == 0 || (sys_.all_cornered() && sys_.machine().others.empty())) return {};
  method_.open_dense();
  sys_.guard_values(t_, y_.data(), mode_, first_);
  sys_.guard_values(t_ + 0.5 * step, method_.dense(0.5).data(), mode_, inside_);
  sys_.guard_values(t_ + step, method_.y1().data(), mode_, last_);
  // The guards that turn negative, the one whose interpolation does so first in front.
  int first = -1;
  double first_at = never, first_high = 1.0;
  seen_.clear();
  for (int g = 0; g < count; ++g) {
    const double below = first_below(g, step);
    if (std::isnan(below)) continue;
    seen_.push_back(g);
    Hint hint;
    double at = guess_of(g, below * step, step, hint);
    if (std::isnan(at)) at = first_[std::size_t(g)] <= 0.0 ? 0.0 : below * step;
    if (at < first_at) first_at = at, first = g, first_high = below;
  }
  Crossing found;
  double end = step;
  while (first >= 0) {
    const Crossing here = locate_guard(first, std::min(first_high * step, end), end);
    if (here.at_once) return here;
    if (here.guard >= 0 && (found.guard < 0 || here.step < found.step)) found = here;
    std::erase(seen_, first);
    end = found.guard >= 0 ? found.step : step;
    hold(end);
    // Another guard may have been crossed before that.
    first = -1;
    double lowest = 0.0;
    for (const int g : seen_) {
      const double value = guard_at(g, t_ + end, method_.y1());
      const double past = value + slack_of(g, end);
      if (past < lowest || (found.guard < 0 && first < 0))
        lowest = std::min(past, lowest), first = g;
    }
    first_high = 1.0;
    if (first >= 0 && found.guard < 0) {
      const double below = first_below(first, step);
      if (std::isnan(below)) std::erase(seen_, first), first = -1;
      else first_high = below;
    }
  }
  hold(found.guard >= 0 ? found.step : step);
  return found;
}

// Where the interpolation of the whole step crosses; NaN if its ends do not bracket a crossing.
double MachineDriver::guess_of(int g, double high, double step, Hint& hint) {
  hint = {NAN, 0.0, slack_of(g, step)};
  hold(step);
  const auto guard = [&](double size) {
    return guard_between(g, t_ + size, std::min(size / step, 1.0));
  };
  double at_start = first_[std::size_t(g)];
  if (stick_guard(g)) at_start += sys_.stick_slack(g / 2);
  const double at_high = guard(high);
  if (!(at_start > 0.0 && at_high < 0.0)) return NAN;
  hint.guess = locate(guard, 0.0, at_start, high, at_high, 1e-9 * step, false);
  hint.slope = (guard(hint.guess + 1e-3 * step) - guard(hint.guess - 1e-3 * step)) / (2e-3 * step);
  return hint.guess;
}

MachineDriver::Crossing MachineDriver::locate_guard(int g, double high, double step) {
  const auto guard = [&](double size) {
    hold(size);
    return guard_at(g, t_ + size, method_.y1());
  };
  double low = 0.0, at_low = guard_at(g, t_, y_);
  Hint hint;
  guess_of(g, high, step, hint);
  double at_high = guard(step);
  // A step to where the interpolation crosses whose error is too large is going to be rejected.
  if (hint.guess > 1e-6 * step) {
    hold(hint.guess);
    if (!(measure() <= 1.0)) return {g, hint.guess};
  }
  if (at_high < 0.0) high = step;
  else if (high == step || (at_high = guard(high)) >= 0.0) return {};
  for (int i = 0; i < 40 && at_low <= 0.0; ++i) {
    low = 0.5 * high;
    at_low = guard(low);
    if (at_low < 0.0) high = low, at_high = at_low;
  }
  if (at_low <= 0.0) return {g, 0.0, true, !stick_guard(g)};
  const double resolution = 2e-16 * std::max(std::abs(t_ + high), high);
  const double at = locate(guard, low, at_low, high, at_high, resolution, stick_guard(g), hint);
  return {g, at, at < 0.5 * resolution, false};
}

}  // namespace bristle::detail
