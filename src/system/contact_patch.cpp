// SPDX-License-Identifier: MIT
#include "bristle/system/contact_patch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/solve/cancel.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// The largest number of pieces a step is divided into.
constexpr std::size_t most_panels = std::size_t(1) << 20;

// A list of values at equal distances over [0, 1], straight lines between; 1 without a list.
double interpolated(const std::vector<double>& table, double xi) {
  if (table.empty()) return 1.0;
  if (table.size() == 1) return table[0];
  const double at = std::clamp(xi, 0.0, 1.0) * double(table.size() - 1);
  const auto i = std::min(std::size_t(at), table.size() - 2);
  return table[i] + (table[i + 1] - table[i]) * (at - double(i));
}

double mean(const std::vector<double>& table) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < table.size(); ++i) sum += 0.5 * (table[i] + table[i + 1]);
  return table.size() < 2 ? (table.empty() ? 1.0 : table[0]) : sum / double(table.size() - 1);
}

}  // namespace

void PatchShape::check() const {
  if (points > 0.0 && points < 8.0)
    throw InvalidInput("points",
                       "rolling_patch: points = " + words(points) +
                           " must be at least 8, or 0 for as many as the tolerance needs");
  if (pressure == table && pressure_table.size() < 2)
    throw InvalidInput("pressure_table",
                       "rolling_patch: pressure = \"table\" needs a pressure_table of at least two "
                       "numbers");
  if (pressure == table && !(mean(pressure_table) > 0.0))
    throw InvalidInput("pressure_table", "rolling_patch: pressure_table is zero everywhere");
}

double PatchShape::pressure_at(double xi) const {
  switch (pressure) {
    case constant: return 1.0;
    case exponential: {
      const double a = pressure_fall;
      return a < 1e-8 ? 1.0 : std::exp(-a * xi) * a / -std::expm1(-a);
    }
    case parabolic: return 6.0 * xi * (1.0 - xi);
    case hertz: return 8.0 / std::numbers::pi * std::sqrt(std::max(0.0, xi * (1.0 - xi)));
    default: return interpolated(pressure_table, xi) / mean(pressure_table);
  }
}

double PatchShape::stiffness_at(double xi) const { return interpolated(stiffness_table, xi); }
double PatchShape::transport_at(double xi) const { return interpolated(transport_table, xi); }

ContactPatch::ContactPatch(std::shared_ptr<const AnyLaw> law, PatchShape shape)
    : law_(std::move(law)), shape_(std::move(shape)) {
  validate(shape_);
  require_single(*law_, "rolling_patch");
  if (law_->set_valued())
    throw InvalidInput("name", "rolling_patch: " + std::string(law_->name()) +
                                   " has no bristle state to distribute");
  // Linear in the state: the rate at a third of the way lies on the line.
  const double size = law_->state_scale();
  for (const double v : {0.01, -0.3, 2.0}) {
    const Branch<> branch{v > 0.0 ? 1.0 : -1.0, 0.0};
    const Motion<double> motion{0.0, v, 1.0, 0.0, 0.0};
    const double a = law_->respond(0.0, motion, branch).rate,
                 b = law_->respond(0.9 * size, motion, branch).rate,
                 c = law_->respond(0.3 * size, motion, branch).rate;
    if (!(std::abs(c - (a + (b - a) / 3.0)) <= 1e-9 * (std::abs(a) + std::abs(b))))
      throw InvalidInput("name", "rolling_patch: " + std::string(law_->name()) +
                                     " is not linear in its state; use frbd or lugre");
  }
  count_ = shape_.points > 0.0 ? int(shape_.points) : 200;
  spacing_ = 1.0 / count_;
  uniform_ = shape_.stiffness_table.empty() && shape_.transport_table.empty();
  z_.assign(std::size_t(count_) + 4, 0.0);
  // Straight lines of the speed: the time over a piece is a logarithm. `transport` is a speed, so
  // that the whole patch takes travel_ / transport.
  const auto& speeds = shape_.transport_table;
  if (!speeds.empty()) {
    passage_.push_back(0.0);
    if (speeds.size() == 1) passage_.push_back(1.0 / speeds[0]);
    for (std::size_t i = 1; i < speeds.size(); ++i) {
      const double rise = speeds[i] / speeds[i - 1] - 1.0;
      passage_.push_back(passage_.back() +
                         (std::abs(rise) > 1e-12 ? std::log1p(rise) / rise : 1.0) /
                             (speeds[i - 1] * double(speeds.size() - 1)));
    }
    travel_ = passage_.back();
  }
  for (const auto* table : {&shape_.stiffness_table, &shape_.transport_table})
    for (std::size_t i = 1; i + 1 < table->size(); ++i)
      corners_.push_back(eta_of(double(i) / double(table->size() - 1)));
  if (shape_.pressure == PatchShape::table)
    for (std::size_t i = 1; i + 1 < shape_.pressure_table.size(); ++i)
      corners_.push_back(eta_of(double(i) / double(shape_.pressure_table.size() - 1)));
  std::sort(corners_.begin(), corners_.end());
  reset();
}

ContactPatch::Linear ContactPatch::at(double slip) const {
  const Branch<> branch{slip < 0.0 ? -1.0 : 1.0, 0.0};
  const Motion<double> motion{0.0, slip, 1.0, 0.0, 0.0};
  const double size = law_->state_scale();
  const Response<double> none = law_->respond(0.0, motion, branch),
                         some = law_->respond(size, motion, branch);
  return {(none.rate - some.rate) / size, none.rate, (some.force - none.force) / size, none.force};
}

double ContactPatch::place(double eta) const {
  if (passage_.empty()) return eta;
  const auto& speeds = shape_.transport_table;
  if (speeds.size() == 1) return std::clamp(eta, 0.0, 1.0);
  const double time = std::clamp(eta, 0.0, 1.0) * travel_, apart = 1.0 / double(speeds.size() - 1);
  const auto after = std::upper_bound(passage_.begin() + 1, passage_.end() - 1, time);
  const auto i = std::size_t(after - passage_.begin() - 1);
  const double rate = (speeds[i + 1] - speeds[i]) / apart, on = time - passage_[i];
  const double way = std::abs(rate * on) > 1e-12 ? std::expm1(rate * on) / rate : on;
  return double(i) * apart + speeds[i] * way;
}

double ContactPatch::eta_of(double xi) const {
  if (passage_.empty()) return xi;
  const auto& speeds = shape_.transport_table;
  if (speeds.size() == 1) return xi;
  const double at = std::clamp(xi, 0.0, 1.0) * double(speeds.size() - 1);
  const auto i = std::min(std::size_t(at), speeds.size() - 2);
  const double part = at - double(i), rise = part * (speeds[i + 1] / speeds[i] - 1.0);
  const double way = std::abs(rise) > 1e-12 ? std::log1p(rise) / rise : 1.0;
  return (passage_[i] + part * way / (speeds[i] * double(speeds.size() - 1))) / travel_;
}

double ContactPatch::stretch(double eta) const {
  return passage_.empty() ? 1.0 : shape_.transport_at(place(eta)) * travel_;
}

double ContactPatch::weight(double eta) const {
  return passage_.empty() ? shape_.pressure_at(eta) : shape_.pressure_at(place(eta)) * stretch(eta);
}

template <class Update, class Enter>
void ContactPatch::move(double step, double transport, const Update& update, const Enter& enter) {
  // In eta the whole patch is one long and all bristles go at the same speed.
  // Where all bristles have left long ago, how far they went does not count: it must not overflow.
  constexpr double most_lengths = 1e9;
  const double speed = transport / travel_, way = std::min(speed * step, most_lengths);
  for (std::size_t k = 0; k < z_.size(); ++k)
    z_[k] = update(z_[k], (offset_ + double(k)) * spacing_);
  for (int i = 0; i < front_count_; ++i) {
    Front& front = fronts_[std::size_t(i)];
    // Half way behind a front that enters in this step follows its second point.
    if (front.eta == 0.0 && way > 0.0)
      front.next_eta = 0.5 * way, front.next_z = enter(0.5 * way, 0.5 * step);
    else if (front.next_eta > 0.0)
      front.next_z = update(front.next_z, front.next_eta), front.next_eta += way;
    front.z = update(front.z, front.eta);
    front.eta += way;
  }
  // The points beyond the end still serve its integral, so a front counts until it has passed them.
  while (front_count_ > 0 && fronts_[std::size_t(front_count_ - 1)].eta >= 1.0 + 4.0 * spacing_)
    --front_count_;
  if (!(transport > 0.0)) return;
  offset_ += way * count_;
  const double whole = std::floor(offset_);
  if (whole > 0.0) {
    const std::size_t fresh = whole >= double(z_.size()) ? z_.size() : std::size_t(whole);
    std::copy_backward(z_.begin(), z_.end() - long(fresh), z_.end());
    offset_ -= whole;
    for (std::size_t k = 0; k < fresh; ++k) {
      const double eta = (offset_ + double(k)) * spacing_;
      z_[k] = enter(eta, eta / speed);
    }
  }
}

void ContactPatch::advance(double step, double slip, double transport) {
  const Linear law = at(slip);
  if (uniform_) {
    // One exponential for all: the state goes on its way to drive / decay.
    const double left = std::exp(-law.decay * step);
    const double gain = law.decay * step > 1e-8
                            ? law.drive * -std::expm1(-law.decay * step) / law.decay
                            : law.drive * step;
    move(
        step, transport, [&](double z, double) { return z * left + gain; },
        [&](double, double age) {
          return law.decay > 0.0 ? law.drive * -std::expm1(-law.decay * age) / law.decay
                                 : law.drive * age;
        });
    return;
  }
  advance_along(
      step, [&](double) { return slip; }, transport);
}

void ContactPatch::advance_along(double step, const std::function<double(double)>& slip,
                                 double transport) {
  // What varies along the patch is taken half way.
  const double half = 0.5 * step * transport / travel_;
  const auto grown = [&](double z, double eta, double time) {
    const double xi = place(eta);
    const Linear law = at(slip(std::min(xi, 1.0)));
    const double decay = law.decay * shape_.stiffness_at(xi);
    if (!(decay * time > 1e-12)) return z + law.drive * time;
    return z * std::exp(-decay * time) + law.drive * -std::expm1(-decay * time) / decay;
  };
  move(
      step, transport, [&](double z, double eta) { return grown(z, eta + half, step); },
      [&](double eta, double age) { return grown(0.0, 0.5 * eta, age); });
}

ContactPatch::Panel ContactPatch::panel(double from, double to,
                                        const std::function<double(double)>& slip) const {
  Panel p;
  p.from = from, p.to = to;
  for (std::size_t i = 0; i < 3; ++i) {
    const Linear law = at(slip(from + GrowthNodes::place[i] * (to - from)));
    p.decay[i] = law.decay;
    p.drive[i] = law.drive;
  }
  p.growth = grown(p.decay, p.drive, to - from);
  return p;
}

// A panel is fine enough if its halves together do the same. What is not finite does not become so
// in smaller pieces; a step that takes millions of them would take hours.
void ContactPatch::resolve(const Panel& whole, const std::function<double(double)>& slip,
                           double tolerance, double longest, int depth) {
  const double middle = 0.5 * (whole.from + whole.to);
  const Panel first = panel(whole.from, middle, slip), second = panel(middle, whole.to, slip);
  const Growth both = then(first.growth, second.growth);
  const bool same = std::abs(both.left - whole.growth.left) <= tolerance &&
                    std::abs(both.gain - whole.growth.gain) <= tolerance * law_->state_scale();
  const bool known = std::isfinite(both.left) && std::isfinite(both.gain);
  if (depth <= 0 || !known || (same && second.to - second.from <= longest)) {
    panels_.push_back(first);
    panels_.push_back(second);
    if (panels_.size() % 1024 == 0) stop_if_asked();
    if (panels_.size() > most_panels)
      throw InvalidInput(
          "transport", "rolling_patch: the bristles change too fast at t = " + words(whole.from) +
                           " s, a step has to be divided more than " + words(double(most_panels)) +
                           " times; reduce transport, its table or the stiffness");
    return;
  }
  resolve(first, slip, tolerance, longest, depth - 1);
  resolve(second, slip, tolerance, longest, depth - 1);
}

double ContactPatch::along(std::size_t k, double time, double z, double eta, double speed,
                           const std::function<double(double)>& slip) const {
  Panel part = time > panels_[k].from ? panel(time, panels_[k].to, slip) : panels_[k];
  if (uniform_) {
    const Growth all = then(part.growth, panels_[k].after);
    return z * all.left + all.gain;
  }
  for (;;) {
    const double length = part.to - part.from;
    for (std::size_t i = 0; i < 3; ++i)
      part.decay[i] *= stiffness(eta + GrowthNodes::place[i] * speed * length);
    const Growth g = grown(part.decay, part.drive, length);
    z = z * g.left + g.gain;
    eta += speed * length;
    if (++k == panels_.size()) return z;
    part = panels_[k];
  }
}

void ContactPatch::roll(double from, double to, const std::function<double(double)>& slip,
                        double transport, double tolerance) {
  if (!(to > from)) return;
  const double speed = transport / travel_;
  panels_.clear();
  // Where the stiffness varies a bristle must not pass more than a point's distance in a panel.
  const double longest = uniform_ || !(speed > 0.0) ? INFINITY : spacing_ / speed;
  resolve(panel(from, to, slip), slip, std::max(tolerance, 1e-15), longest, 30);
  Growth all;
  for (std::size_t k = panels_.size(); k-- > 0;) {
    panels_[k].after = all;
    all = then(panels_[k].growth, all);
  }
  QuickLook stop;
  const auto enter = [&](double, double age) {
    stop();
    const double time = std::max(from, to - age);
    const auto after = std::upper_bound(panels_.begin() + 1, panels_.end(), time,
                                        [](double t, const Panel& p) { return t < p.from; });
    return along(std::size_t(after - panels_.begin() - 1), time, 0.0, 0.0, speed, slip);
  };
  if (uniform_)
    move(
        to - from, transport, [&](double z, double) { return z * all.left + all.gain; }, enter);
  else
    move(
        to - from, transport,
        [&](double z, double eta) {
          stop();
          return along(0, from, z, eta, speed, slip);
        },
        enter);
}

void ContactPatch::mark_front() {
  // A front at the entrance that has not moved yet is the same one.
  if (front_count_ > 0 && fronts_[0].eta <= 0.0) return;
  const int kept = std::min(front_count_, int(fronts_.size()) - 1);
  for (int i = kept; i > 0; --i) fronts_[std::size_t(i)] = fronts_[std::size_t(i - 1)];
  fronts_[0] = {};
  front_count_ = kept + 1;
}

void ContactPatch::reset() {
  reset([](double) { return 0.0; });
}

void ContactPatch::reset(const std::function<double(double)>& state) {
  offset_ = 0.0;
  for (std::size_t k = 0; k < z_.size(); ++k)
    z_[k] = state(std::min(1.0, place(double(k) * spacing_)));
  front_count_ = 0;
  mark_front();
  fronts_[0].z = z_[0];
}

double ContactPatch::state_at(double xi) const {
  const double eta = eta_of(xi);
  const double index = eta * count_ - offset_;
  if (index <= 0.0) return offset_ > 0.0 ? z_[0] * std::max(0.0, eta * count_ / offset_) : z_[0];
  const auto i = std::min(std::size_t(index), z_.size() - 2);
  return z_[i] + (z_[i + 1] - z_[i]) * (index - double(i));
}

}  // namespace bristle
