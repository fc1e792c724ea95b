// SPDX-License-Identifier: MIT
#include "bristle/system/contact_patch.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace bristle {
namespace {

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

// (1 - exp(-c)) / c, and the like for a linear and a quadratic weight, without cancellation.
double mean_rise(double c) {  // integral of 1 - exp(-c x) over [0, 1]
  return c < 1e-4 ? c * (0.5 - c * (1.0 / 6.0 - c / 24.0)) : 1.0 + std::expm1(-c) / c;
}

// The integral of a cubic through four points over [a, b].
double cubic_integral(const double* x, const double* f, double a, double b) {
  // Newton's form, integrated exactly by Gauss and Legendre with two points.
  const double d01 = (f[1] - f[0]) / (x[1] - x[0]), d12 = (f[2] - f[1]) / (x[2] - x[1]),
               d23 = (f[3] - f[2]) / (x[3] - x[2]);
  const double d012 = (d12 - d01) / (x[2] - x[0]), d123 = (d23 - d12) / (x[3] - x[1]);
  const double d = (d123 - d012) / (x[3] - x[0]);
  const auto value = [&](double t) {
    return f[0] + (t - x[0]) * (d01 + (t - x[1]) * (d012 + (t - x[2]) * d));
  };
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a), node = half / std::numbers::sqrt3;
  return half * (value(middle - node) + value(middle + node));
}

}  // namespace

void PatchShape::check() const {
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
  count_ = int(shape_.points);
  spacing_ = 1.0 / count_;
  uniform_ = shape_.stiffness_table.empty() && shape_.transport_table.empty();
  z_.assign(std::size_t(count_) + 4, 0.0);
  if (!shape_.transport_table.empty()) {
    // eta is the time of travel, scaled to 1: dxi/deta is the local speed over its harmonic mean.
    constexpr int fine = 20000;
    std::vector<double> travel(fine + 1, 0.0);
    for (int i = 0; i < fine; ++i)
      travel[std::size_t(i + 1)] =
          travel[std::size_t(i)] + 1.0 / shape_.transport_at((i + 0.5) / fine) / fine;
    // `transport` is a speed: the whole patch takes travel.back() / transport.
    places_.resize(4001);
    std::size_t k = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const double goal = travel.back() * double(i) / double(places_.size() - 1);
      while (k + 2 < travel.size() && travel[k + 1] < goal) ++k;
      places_[i] = (double(k) + (goal - travel[k]) / (travel[k + 1] - travel[k])) / fine;
    }
    travel_ = travel.back();
  }
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
  if (places_.empty()) return eta;
  const double at = std::clamp(eta, 0.0, 1.0) * double(places_.size() - 1);
  const auto i = std::min(std::size_t(at), places_.size() - 2);
  return places_[i] + (places_[i + 1] - places_[i]) * (at - double(i));
}

double ContactPatch::weight(double eta) const {
  if (places_.empty()) return shape_.pressure_at(eta);
  const double step = 1.0 / double(places_.size() - 1);
  const double low = std::max(0.0, eta - step), high = std::min(1.0, eta + step);
  return shape_.pressure_at(place(eta)) * (place(high) - place(low)) / (high - low);
}

template <class Update, class Enter>
void ContactPatch::move(double step, double transport, const Update& update, const Enter& enter) {
  // In eta the whole patch is one long and all bristles go at the same speed; what varies along it
  // is taken half way.
  const double speed = transport / travel_, half = 0.5 * speed * step;
  for (std::size_t k = 0; k < z_.size(); ++k)
    z_[k] = update(z_[k], (offset_ + double(k)) * spacing_ + half);
  for (int i = 0; i < front_count_; ++i)
    fronts_[std::size_t(i)] = {
        fronts_[std::size_t(i)].eta + 2.0 * half,
        update(fronts_[std::size_t(i)].z, fronts_[std::size_t(i)].eta + half)};
  // The points beyond the end still serve its integral, so a front counts until it has passed them.
  while (front_count_ > 0 && fronts_[std::size_t(front_count_ - 1)].eta >= 1.0 + 4.0 * spacing_)
    --front_count_;
  if (!(transport > 0.0)) return;
  offset_ += speed * step * count_;
  const double whole = std::floor(offset_);
  if (whole > 0.0) {
    const std::size_t fresh = whole >= double(z_.size()) ? z_.size() : std::size_t(whole);
    std::copy_backward(z_.begin(), z_.end() - long(fresh), z_.end());
    offset_ -= whole;
    for (std::size_t k = 0; k < fresh; ++k) {
      const double eta = (offset_ + double(k)) * spacing_;
      z_[k] = enter(0.5 * eta, eta / speed);
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
  const auto grown = [&](double z, double xi, double time) {
    const double decay = law.decay * shape_.stiffness_at(xi);
    if (!(decay * time > 1e-12)) return z + law.drive * time;
    return z * std::exp(-decay * time) + law.drive * -std::expm1(-decay * time) / decay;
  };
  move(
      step, transport, [&](double z, double eta) { return grown(z, place(eta), step); },
      [&](double eta, double age) { return grown(0.0, place(eta), age); });
}

void ContactPatch::advance_along(double step, const std::function<double(double)>& slip,
                                 double transport) {
  const auto grown = [&](double z, double eta, double time) {
    const double xi = place(eta);
    const Linear law = at(slip(std::min(xi, 1.0)));
    const double decay = law.decay * shape_.stiffness_at(xi);
    if (!(decay * time > 1e-12)) return z + law.drive * time;
    return z * std::exp(-decay * time) + law.drive * -std::expm1(-decay * time) / decay;
  };
  move(
      step, transport, [&](double z, double eta) { return grown(z, eta, step); },
      [&](double eta, double age) { return grown(0.0, eta, age); });
}

void ContactPatch::mark_front() {
  // A front at the entrance that has not moved yet is the same one.
  if (front_count_ > 0 && fronts_[0].eta <= 0.0) return;
  const int kept = std::min(front_count_, int(fronts_.size()) - 1);
  for (int i = kept; i > 0; --i) fronts_[std::size_t(i)] = fronts_[std::size_t(i - 1)];
  fronts_[0] = {0.0, 0.0};
  front_count_ = kept + 1;
}

// Over a stretch without a kink: its ends and the points between, by cubics through four
// neighbours. An open end uses the points beyond the patch as well.
template <class Value>
double ContactPatch::smooth(const Value& value, double from, double at_from, double to,
                            double at_to, End end) const {
  if (!(to - from > 1e-12)) return 0.0;
  const auto eta = [&](std::size_t k) { return (offset_ + double(k)) * spacing_; };
  const auto f = [&](std::size_t k) { return value(z_[k], eta(k)); };
  // Points within, but none so near to an end that their distance cannot be divided by.
  const double near = 0.3 * spacing_;
  const double first_index = std::ceil((from + near) / spacing_ - offset_);
  auto k0 = std::size_t(std::max(0.0, first_index));
  const bool front = end == End::front, open = end == End::open;
  const double last_index = std::floor((to - (front ? near : 0.0)) / spacing_ - offset_);
  if (last_index < double(k0) + 2.0) {
    // Few points: a polynomial through what there is, none of them so near to the end that it would
    // stand there twice. Without a front the value at the end is that
    // of the straight line between the points around it.
    if (!front) {
      const auto k = std::size_t(std::max(0.0, std::floor(to / spacing_ - offset_)));
      at_to = f(k) + (f(k + 1) - f(k)) * (to - eta(k)) / spacing_;
    }
    double x[4]{from}, y[4]{at_from};
    int n = 1;
    for (std::size_t k = k0; double(k) <= last_index && eta(k) <= to - near && n < 3; ++k, ++n)
      x[n] = eta(k), y[n] = f(k);
    x[n] = to, y[n] = at_to, ++n;
    if (n == 4) return cubic_integral(x, y, from, to);
    if (n == 2) return 0.5 * (to - from) * (at_from + at_to);
    // Newton's form of second order, integrated over the stretch.
    const double d01 = (y[1] - y[0]) / (x[1] - x[0]), d12 = (y[2] - y[1]) / (x[2] - x[1]);
    const double bend = (d12 - d01) / (x[2] - x[0]), h = to - from, u = x[1] - x[0];
    return h * (y[0] + 0.5 * h * d01 + bend * h * (h / 3.0 - 0.5 * u));
  }
  const auto k1 = std::size_t(last_index);
  const double x[4]{from, eta(k0), eta(k0 + 1), eta(k0 + 2)};
  const double y[4]{at_from, f(k0), f(k0 + 1), f(k0 + 2)};
  double sum = cubic_integral(x, y, from, x[2]);
  // Between points: from k0 + 1 to k1 - 1 if the end is a kink, else up to k1.
  const std::size_t stop = open ? k1 : k1 - 1;
  double a = y[1], b = y[2], c = y[3], inner = 0.0;
  for (std::size_t k = k0 + 1; k < stop; ++k) {
    const double d = f(k + 2);
    inner += 13.0 * (b + c) - a - d;
    a = b, b = c, c = d;
  }
  sum += inner * spacing_ / 24.0;
  if (open) {
    const double u[4]{eta(k1 - 1), eta(k1), eta(k1 + 1), eta(k1 + 2)};
    const double g[4]{f(k1 - 1), f(k1), f(k1 + 1), f(k1 + 2)};
    return sum + cubic_integral(u, g, u[1], to);
  }
  if (front) {
    const double u[4]{eta(k1 - 2), eta(k1 - 1), eta(k1), to};
    const double g[4]{f(k1 - 2), f(k1 - 1), f(k1), at_to};
    return sum + cubic_integral(u, g, u[1], to);
  }
  const double u[4]{k1 > 2 ? eta(k1 - 3) : from, eta(k1 - 2), eta(k1 - 1), eta(k1)};
  const double g[4]{k1 > 2 ? f(k1 - 3) : at_from, f(k1 - 2), f(k1 - 1), f(k1)};
  return sum + cubic_integral(u, g, u[2], to);
}

template <class Value>
double ContactPatch::integral(const Value& value) const {
  double sum = 0.0, from = 0.0, at_from = 0.0;
  End end = End::open;
  for (int i = 0; i < front_count_; ++i) {
    const Front& front = fronts_[std::size_t(i)];
    if (front.eta >= 1.0) {
      end = End::closed;
      break;
    }
    const double at = value(front.z, front.eta);
    sum += smooth(value, from, at_from, front.eta, at, End::front);
    from = front.eta, at_from = at;
  }
  // At the start all of the patch is ahead of the front, and need not vanish at the entrance.
  if (from == 0.0 && front_count_ > 0) at_from = value(z_[0], 0.0);
  return sum + smooth(value, from, at_from, 1.0, 0.0, end);
}

double ContactPatch::force(double slip) const {
  const Linear law = at(slip);
  const bool varies = !shape_.stiffness_table.empty();
  double sum = 0.0;
  if (shape_.pressure == PatchShape::constant && places_.empty() && !varies) {
    sum = integral([](double z, double) { return z; });
  } else if (shape_.pressure == PatchShape::parabolic && places_.empty() && !varies) {
    sum = integral([](double z, double eta) { return 6.0 * eta * (1.0 - eta) * z; });
  } else {
    sum = integral([&](double z, double eta) {
      return weight(eta) * (varies ? shape_.stiffness_at(place(eta)) : 1.0) * z;
    });
  }
  double total = shape_.load * (law.slope * sum + law.level);
  if (shape_.derivative == 1) {
    // The damping sees the rate at a fixed place: V dz/dxi less. By parts, from the ends.
    const Branch<> branch{slip < 0.0 ? -1.0 : 1.0, 0.0};
    const double size = law_->state_scale();
    const Response<LocalDual> r =
        law_->respond(variable<5>(size, 2),
                      Motion<LocalDual>{LocalDual(0.0), LocalDual(slip), LocalDual(1.0),
                                        LocalDual(0.0), LocalDual(0.0)},
                      branch);
    // F = load (s z + damping z'): damping = (dF/dz - s) / (dz'/dz), with s from zero velocity.
    const double stiff = (law_->respond(size, {0.0, 0.0, 1.0, 0.0, 0.0}, branch).force) / size;
    const double damping =
        r.rate.slope[2] != 0.0 ? (r.force.slope[2] - stiff) / r.rate.slope[2] : 0.0;
    double slope = 0.0;
    constexpr int n = 400;
    for (int i = 0; i < n; ++i) {
      const double xi = (i + 0.5) / n, h = 0.5 / n;
      slope += shape_.pressure_at(xi) * (state_at(xi + h) - state_at(xi - h)) / (2.0 * h) / n;
    }
    total -= shape_.load * damping * shape_.transport * slope;
  }
  return total;
}

double ContactPatch::stored() const {
  const Motion<double> motion{0.0, 0.0, shape_.load, 0.0, 0.0};
  const Branch<> branch{1.0, 0.0};
  return integral([&](double z, double eta) {
    return weight(eta) * shape_.stiffness_at(place(eta)) * law_->stored(z, motion, branch);
  });
}

double ContactPatch::steady_force(double slip, double transport) const {
  if (slip == 0.0) return 0.0;
  const Linear law = at(slip);
  const double c = law.decay / transport, top = law.decay > 0.0 ? law.drive / law.decay : 0.0;
  double mean_state = 0.0;
  if (uniform_ && shape_.pressure == PatchShape::constant) {
    mean_state = top * mean_rise(c);
  } else if (uniform_ && shape_.pressure == PatchShape::exponential &&
             shape_.pressure_fall > 1e-8) {
    // The mean of (1 - exp(-c xi)) under a falling weight.
    const double a = shape_.pressure_fall;
    mean_state = top * (1.0 - a / (a + c) * std::expm1(-(a + c)) / std::expm1(-a));
  } else if (uniform_ && shape_.pressure == PatchShape::parabolic && c > 0.05) {
    mean_state = top * (1.0 - 6.0 * (c - 2.0 + (c + 2.0) * std::exp(-c)) / (c * c * c));
  } else {
    // Along the patch, from the entrance: exact over small pieces of constant coefficients.
    constexpr int n = 2000;
    double z = 0.0, before = 0.0;
    for (int i = 0; i < n; ++i) {
      const double xi = (i + 0.5) / n, stiff = shape_.stiffness_at(xi);
      const double time = 1.0 / (n * transport * (places_.empty() ? 1.0 : shape_.transport_at(xi)));
      const double decay = law.decay * stiff;
      before = z;
      z = z * std::exp(-decay * time) + (decay * time > 1e-12
                                             ? law.drive * -std::expm1(-decay * time) / decay
                                             : law.drive * time);
      mean_state += shape_.pressure_at(xi) * stiff * 0.5 * (before + z) / n;
    }
  }
  return shape_.load * (law.slope * mean_state + law.level);
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
  double eta = xi;
  if (!places_.empty()) {
    const auto at = std::lower_bound(places_.begin(), places_.end(), xi);
    eta = double(at - places_.begin()) / double(places_.size() - 1);
  }
  const double index = eta * count_ - offset_;
  if (index <= 0.0) return offset_ > 0.0 ? z_[0] * std::max(0.0, eta * count_ / offset_) : z_[0];
  const auto i = std::min(std::size_t(index), z_.size() - 2);
  return z_[i] + (z_[i + 1] - z_[i]) * (index - double(i));
}

}  // namespace bristle
