// SPDX-License-Identifier: MIT
// Quantities of an oscillator with measured friction.
#include <cmath>
#include <numbers>

#include "bristle/analysis/loop.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

// The whole beats at the end of a record: where they begin, or a negative time for none.
double last_beats(const Case& c, const OscillatorRun& r) {
  if (r.time.size() < 4 || !(c.beat > 0.0)) return -1.0;
  const double beats = std::floor((r.time.back() - r.time.front()) / c.beat + 1e-9);
  return beats < 1.0 ? -1.0 : std::max(r.time.back() - beats * c.beat, r.time.front());
}

// The size of a multiple of the driving frequency in the position, over whole beats.
Measured harmonic(const Case& c, const CaseResult& result, double number) {
  const OscillatorRun& r = result.oscillator;
  const double from = last_beats(c, r);
  if (from < 0.0) return {};
  const double w = std::max(number, 1.0) * 2.0 * std::numbers::pi / c.beat;
  double real = 0.0, imaginary = 0.0, weight = 0.0;
  for (std::size_t i = 0; i + 1 < r.time.size(); ++i) {
    if (r.time[i] < from * (1.0 - 1e-12)) continue;
    real += r.position[i] * std::cos(w * r.time[i]);
    imaginary += r.position[i] * std::sin(w * r.time[i]);
    weight += 1.0;
  }
  return 2.0 * std::hypot(real, imaginary) / weight;
}

// A mean over the break-aways recorded, of the size of something.
template <class F>
Quantity of_breakaways(const F& f) {
  return [f](const Case& c, const CaseResult& r, double) -> Measured {
    const auto all = break_aways(r.oscillator);
    if (all.empty()) return {};
    double sum = 0.0;
    for (const BreakAway& b : all) sum += std::abs(f(c, b.event));
    return sum / double(all.size());
  };
}

// The range of a column, with the values at events: a position turns exactly there.
Range extremes(const OscillatorRun& r, const std::string& name) {
  Range range = range_of(oscillator_column(r, name));
  for (const ContactEvent& e : r.events) {
    if (name == "acceleration") break;
    const double value = name == "position"   ? e.position
                         : name == "velocity" ? e.velocity
                                              : e.force;
    range = {std::min(range.least, value), std::max(range.most, value)};
  }
  return range;
}

// The largest less the smallest coefficient of a break-away, over their mean.
Measured breakaway_spread(const Case&, const CaseResult& r, double) {
  double least = INFINITY, most = 0.0;
  for (const BreakAway& b : break_aways(r.oscillator)) {
    least = std::min(least, std::abs(b.event.force));
    most = std::max(most, std::abs(b.event.force));
  }
  if (!(most > 0.0)) return {};
  return 2.0 * (most - least) / (most + least);
}

}  // namespace

std::vector<BreakAway> break_aways(const OscillatorRun& run) {
  std::vector<BreakAway> all;
  const ContactEvent* before = nullptr;
  for (const ContactEvent& e : run.events) {
    // A motion that slows down and speeds up again without a reversal does not break away.
    const bool rested =
        before && (before->mode == ContactMode::yields || before->mode == ContactMode::sticks);
    if (e.mode == ContactMode::speeds_up && rested) all.push_back({e, e.time - before->time});
    before = &e;
  }
  return all;
}

const std::vector<std::string>& oscillator_columns() {
  static const std::vector<std::string> names{
      "time",          "input",         "position",      "velocity",
      "acceleration",  "force",         "mode",          "work_in",
      "dissipated",    "stored",        "friction_work", "body_acceleration",
      "body_position", "body_velocity", "transducer",    "solutions"};
  return names;
}

std::vector<double> oscillator_column(const OscillatorRun& r, const std::string& name) {
  const std::vector<double>* columns[]{
      &r.time,          &r.base,          &r.position,      &r.velocity,
      &r.acceleration,  &r.force,         &r.mode,          &r.work_in,
      &r.dissipated,    &r.stored,        &r.friction_work, &r.body_acceleration,
      &r.body_position, &r.body_velocity, &r.transducer,    &r.solutions};
  const auto& names = oscillator_columns();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return *columns[i];
  return {};
}

const std::map<std::string, Quantity>& oscillator_quantities() {
  static const auto all = [] {
    std::map<std::string, Quantity> q;
    for (const std::string name : {"position", "velocity", "acceleration", "force"}) {
      q[name] = [name](const Case&, const CaseResult& r, double time) -> Measured {
        const auto& t = r.oscillator.time;
        if (t.empty() || time < t.front() || time > t.back()) return {};
        return sample_at(t, oscillator_column(r.oscillator, name), time);
      };
      q["max_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        return extremes(r.oscillator, name).most;
      };
      q["min_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        return extremes(r.oscillator, name).least;
      };
      q["rms_" + name] = [name](const Case&, const CaseResult& r, double) -> Measured {
        double sum = 0.0;
        const auto x = oscillator_column(r.oscillator, name);
        for (const double a : x) sum += a * a;
        return std::sqrt(sum / double(x.size()));
      };
    }
    q["friction_work_cycle"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      const auto& run = r.oscillator;
      const double from = last_beats(c, run);
      if (from < 0.0) return {};
      const double beats = std::round((run.time.back() - from) / c.beat);
      return (run.friction_work.back() - sample_at(run.time, run.friction_work, from)) / beats;
    };
    q["harmonic"] = harmonic;
    // The area of force over velocity along the record, one beat on the mean; positive where
    // friction is higher while the motion speeds up.
    q["force_velocity_area"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      const auto& run = r.oscillator;
      const double from = last_beats(c, run);
      if (from < 0.0) return {};
      double area = 0.0;
      for (std::size_t i = 1; i < run.time.size(); ++i)
        if (run.time[i] > from)
          area += 0.5 * (run.force[i] + run.force[i - 1]) * (run.velocity[i] - run.velocity[i - 1]);
      return area / std::round((run.time.back() - from) / c.beat);
    };
    q["breakaway_velocity"] =
        of_breakaways([](const Case&, const ContactEvent& e) { return e.velocity; });
    q["breakaway_force"] =
        of_breakaways([](const Case&, const ContactEvent& e) { return e.force; });
    q["breakaway_coefficient"] = of_breakaways(
        [](const Case& c, const ContactEvent& e) { return e.force / c.oscillator.load; });
    q["breakaway_curve"] = [](const Case& c, const CaseResult&, double speed) -> Measured {
      if (c.seven_parameter) return {};
      return c.friction.law.breakaway(std::abs(speed));
    };
    q["breakaway_spread"] = breakaway_spread;
    q["natural_frequency"] = [](const Case& c, const CaseResult&, double) -> Measured {
      return c.oscillator.natural_frequency();
    };
    q["damping_ratio"] = [](const Case& c, const CaseResult&, double) -> Measured {
      return c.oscillator.damping_ratio();
    };
    // The part of its evaluations in which the literal form had several accelerations, or none.
    q["several_solutions"] = [](const Case&, const CaseResult& r, double) -> Measured {
      if (r.oscillator.evaluations == 0) return {};
      return double(r.oscillator.several) / double(r.oscillator.evaluations);
    };
    q["no_solution"] = [](const Case&, const CaseResult& r, double) -> Measured {
      if (r.oscillator.evaluations == 0) return {};
      return double(r.oscillator.none) / double(r.oscillator.evaluations);
    };
    q["ledger_error"] = [](const Case&, const CaseResult& r, double) -> Measured {
      return r.oscillator.ledger_error;
    };
    add_motion_quantities(q);
    return q;
  }();
  return all;
}

}  // namespace bristle::io
