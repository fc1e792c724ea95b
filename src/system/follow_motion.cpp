// SPDX-License-Identifier: MIT
// Friction over a given motion: position, velocity and acceleration are known, the force follows.
#include <chrono>
#include <cmath>
#include <memory>

#include "bristle/solve/pacer.hpp"
#include "oscillator_numbers.hpp"
#include "other_runs.hpp"
#include "seven_contact.hpp"

namespace bristle::detail {
namespace {

// The motion at a time, on its smooth piece.
struct Given {
  double x, v, a;
};
Given at(const Signal& s, double t) {
  const int piece = s.piece(t);
  return {s.value(t, piece), s.slope(t, piece), s.curvature(t, piece)};
}

// Where a guard that was positive at `low` and is negative at `high` passes zero.
template <class Guard>
double passing(const Guard& guard, double low, double high) {
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (guard(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

// Walks through time in steps that miss nothing and records on the way.
template <class Follower>
OscillatorRun walk(Follower& f, const FrictionOscillator& body, const Options& o) {
  const auto began = std::chrono::steady_clock::now();
  OscillatorRun r;
  const auto count = std::size_t(o.samples);
  for (auto* column :
       {&r.time, &r.base, &r.position, &r.velocity, &r.acceleration, &r.force, &r.body_acceleration,
        &r.mode, &r.work_in, &r.friction_work, &r.dissipated, &r.stored})
    column->reserve(count);
  const double apart = (o.end - o.record_from) / double(count - 1);
  const double longest = std::min({body.base.longest_step() / 16.0, f.longest_step(), apart});
  double t = 0.0, work = 0.0;
  Given now = at(body.base, t);
  f.begin(t, now);
  double force = f.force(t, now), v = now.v;
  Pacer looks;
  while (true) {
    const double sample =
        r.time.size() + 1 == count ? o.end : o.record_from + apart * double(r.time.size());
    if (r.time.size() < count && t >= sample * (1.0 - 1e-14)) {
      r.time.push_back(t);
      r.base.push_back(now.x);
      r.position.push_back(now.x);
      r.velocity.push_back(now.v);
      r.acceleration.push_back(now.a);
      r.body_acceleration.push_back(now.a);
      r.force.push_back(force);
      r.mode.push_back(double(f.mode(t, now)));
      for (auto* column : {&r.work_in, &r.friction_work, &r.dissipated}) column->push_back(work);
      r.stored.push_back(0.0);
      look_at_last_sample(r);
      continue;
    }
    if (t >= o.end) break;
    if (looks.due() && o.cancelled(t / o.end)) {
      r.status = Status::cancelled;
      break;
    }
    if (r.steps >= long(o.step_limit)) {
      r.status = Status::step_limit;
      break;
    }
    double next = std::min(t + longest, r.time.size() < count ? std::max(sample, t) : o.end);
    if (next <= t) next = t + longest;
    f.advance(t, next, r);
    now = at(body.base, next);
    const double before = force * v;
    force = f.force(next, now);
    v = now.v;
    work += 0.5 * (before + force * v) * (next - t);
    t = next;
    ++r.steps;
  }
  judge_numbers(r, t);
  r.message = std::to_string(r.steps) + " steps along a given motion to " + words(t) + " s with " +
              std::to_string(r.events.size()) + " changes of the contact.";
  tell_status(r);
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return r;
}

// A law of the hysteretic family: remembers where it last turned.
class HystereticFollower {
 public:
  HystereticFollower(const MeasuredFriction& f, const FrictionOscillator& body)
      : law_(f.law), signal_(body.base), load_(body.load) {
    if (f.roughness) surface_ = std::make_unique<RoughSurface>(*f.roughness);
  }
  double longest_step() const { return std::numeric_limits<double>::infinity(); }
  void begin(double, const Given& g) {
    anchor_ = g.x;
    start_ = law_.start_coefficient(ended(g));
    side_ = g.v < 0.0 || (g.v == 0.0 && g.a < 0.0) ? -1.0 : 1.0;
    broken_ = g.v != 0.0;
  }
  void advance(double t, double next, OscillatorRun& r) {
    if (side_ * at(signal_, next).v < 0.0) {
      const double turn = passing([&](double s) { return side_ * at(signal_, s).v; }, t, next);
      const Given g = at(signal_, turn);
      start_ = law_.start_coefficient(ended(g));
      anchor_ = g.x;
      side_ = -side_;
      broken_ = false;
      r.events.push_back({turn, ContactMode::yields, g.x, g.v, -side_ * load_ * start_});
    }
    const Given g = at(signal_, next);
    if (law_.yields() && !broken_ && side_ * g.a > 0.0 && yielding(g) >= kinetic(g, 1.0)) {
      broken_ = true;
      const double when =
          passing([&](double s) { return kinetic(at(signal_, s), 1.0) - yielding(at(signal_, s)); },
                  t, next);
      const Given b = at(signal_, when);
      r.events.push_back({when, ContactMode::speeds_up, b.x, b.v, side_ * load_ * yielding(b)});
    }
  }
  ContactMode mode(double, const Given& g) const {
    if (side_ * g.a < 0.0) return ContactMode::slows_down;
    return law_.yields() && !broken_ ? ContactMode::yields : ContactMode::speeds_up;
  }
  double force(double t, const Given& g) const {
    const ContactMode m = mode(t, g);
    const double f = m == ContactMode::slows_down ? kinetic(g, -1.0)
                     : m == ContactMode::yields   ? std::min(yielding(g), kinetic(g, 1.0))
                                                  : kinetic(g, 1.0);
    return side_ * load_ * f;
  }

 private:
  double kinetic(const Given& g, double way) const {
    return law_.kinetic(side_ * g.v, side_ * g.a, way, surface_ ? (*surface_)(g.v) : 0.0);
  }
  double ended(const Given& g) const {
    return law_.kinetic(0.0, -std::abs(g.a), -1.0, surface_ ? (*surface_)(0.0) : 0.0);
  }
  double yielding(const Given& g) const {
    return law_.compliant(side_ * (g.x - anchor_), load_, start_);
  }

  const HystereticStatic<>& law_;
  const Signal& signal_;
  double load_;
  std::unique_ptr<RoughSurface> surface_;
  double anchor_ = 0.0, start_ = 0.0, side_ = 1.0;
  bool broken_ = false;
};

class SevenFollower {
 public:
  SevenFollower(const SevenParameter& law, const FrictionOscillator& body)
      : contact_(law, body.mass), signal_(body.base) {}
  double longest_step() const { return contact_.longest_step(); }
  void begin(double t, const Given& g) { contact_.begin(t, g.x, g.v, 0.0); }
  void advance(double t, double next, OscillatorRun& r) {
    const auto guard = [&](double s) {
      const Given g = at(signal_, s);
      return contact_.guard(0, s, g.x, g.v, 0.0);
    };
    if (guard(next) < 0.0) {
      const double when = guard(t) > 0.0 ? passing(guard, t, next) : t;
      const Given g = at(signal_, when);
      contact_.change(0, when, g.x, g.v, 0.0);
      r.events.push_back(
          {when, contact_.mode, g.x, g.v, contact_.solve(when, g.x, g.v, 0.0).force});
    }
    contact_.accepted(t, next - t, [&](double part) {
      const Given g = at(signal_, t + part * (next - t));
      return std::pair{g.v, g.a};
    });
  }
  ContactMode mode(double, const Given&) const { return contact_.mode; }
  double force(double t, const Given& g) const { return contact_.solve(t, g.x, g.v, 0.0).force; }

 private:
  SevenContact contact_;
  const Signal& signal_;
};

}  // namespace

OscillatorRun follow(const MeasuredFriction& friction, const FrictionOscillator& body,
                     const Options& options) {
  HystereticFollower f(friction, body);
  return walk(f, body, options);
}

OscillatorRun follow(const SevenParameter& law, const FrictionOscillator& body,
                     const Options& options) {
  SevenFollower f(law, body);
  return walk(f, body, options);
}

}  // namespace bristle::detail
