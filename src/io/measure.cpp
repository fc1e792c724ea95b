// SPDX-License-Identifier: MIT
#include "bristle/io/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/mean_curve.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/system/rolling.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

Measured loop_area(const Case& c, const CaseResult& r, double periods_back) {
  double from = 0.0, to = 0.0;
  if (!last_period(c, r.run.trajectory, from, to)) return {};
  from -= periods_back * c.period;
  to -= periods_back * c.period;
  if (from < r.run.trajectory.time.front() - 1e-9 * c.period) return {};
  return work_between(r.run.trajectory, from, to);
}

// How far the force that holds the body at rest leaves the interval of the law, in units of its
// width.
Measured outside_equilibria(const Case& c, const CaseResult& r, double) {
  const auto* body = c.as<WallSpringMass>();
  if (!body) return {};
  const auto& t = r.run.trajectory;
  double top = 0.0, worst = 0.0;
  for (const double v : t.velocity) top = std::max(top, std::abs(v));
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (std::abs(t.velocity[i]) > 1e-3 * top) continue;
    const auto rest = rest_interval(*c.law, t.position[i], body->load);
    const double held = t.input[i] - body->spring * t.position[i];
    worst =
        std::max(worst, std::max(held - rest.upper, rest.lower - held) / (rest.upper - rest.lower));
  }
  return std::max(0.0, worst);
}

Measured force_velocity_area(const Case& c, const CaseResult& r, double) {
  double from = 0.0, to = 0.0;
  const auto& t = r.run.trajectory;
  if (!last_period(c, t, from, to)) return {};
  return last_loop(t, t.velocity, t.force, c.period, to).area;
}

// The area of the loop of force against velocity, whichever way it is run through.
Measured lag_area(const Case& c, const CaseResult& r, double) {
  const Measured area = force_velocity_area(c, r, 0.0);
  return std::holds_alternative<double>(area) ? Measured(std::abs(std::get<double>(area))) : area;
}

// Positive area: the loop is run through clockwise.
Measured orientation(const Case& c, const CaseResult& r, double) {
  const auto area = loop_area(c, r, 0.0);
  if (!std::holds_alternative<double>(area)) return {};
  return std::string(std::get<double>(area) > 0.0 ? "clockwise" : "counterclockwise");
}

Measured rests_exactly(const Case&, const CaseResult& r, double) {
  const auto& t = r.run.trajectory;
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t.velocity[i] == 0.0 && t.velocity[i - 1] == 0.0) return std::string("yes");
  return std::string("no");
}

// The range of a column, with the values at events: a position turns exactly there.
Range extremes(const Case& c, const CaseResult& r, const std::string& name) {
  Range range = range_of(column(c, r, name));
  if (r.run.trajectory.time.empty()) return range;
  for (const auto& event : r.run.trajectory.events) {
    if (event.time < r.run.trajectory.time.front()) continue;
    if (name != "position" && name != "velocity" && name != "force") break;
    const double value = name == "position"   ? event.position
                         : name == "velocity" ? event.velocity
                                              : event.force;
    range = {std::min(range.least, value), std::max(range.most, value)};
  }
  return range;
}

}  // namespace

double load_of(const Case& c) {
  return c.mechanism ? bristle::load_of(*c.mechanism) : c.steady.load;
}

namespace {

// Whether cycles are marked: at the section of [solve], or at half the velocity of a drag.
bool marks_cycles(const Case& c) {
  const auto own = [](const auto& mechanism) { return mechanism.section(); };
  return c.mechanism && (c.options.section != 0.0 || std::visit(own, *c.mechanism) != 0.0);
}

const std::map<std::string, CaseQuantity>& case_quantities() {
  static const auto all = [] {
    std::map<std::string, CaseQuantity> q;
    const auto cycle = [&q](const char* name, auto pick) {
      q[name] = [pick](const Case&, const CaseResult& r, double) -> Measured {
        const LimitCycle l = find_limit_cycle(r.run.trajectory);
        if (l.cycles == 0) return {};
        return pick(l);
      };
    };
    cycle("period", [](const LimitCycle& l) { return Measured(l.period); });
    cycle("period_spread", [](const LimitCycle& l) { return Measured(l.period_spread); });
    cycle("stick_fraction", [](const LimitCycle& l) { return Measured(l.stick_fraction); });
    cycle("reverse_speed", [](const LimitCycle& l) { return Measured(l.reverse_speed); });
    cycle("velocity_amplitude", [](const LimitCycle& l) { return Measured(l.amplitude); });
    q["stick_slip"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      if (!marks_cycles(c)) return {};
      return std::string(words(find_limit_cycle(r.run.trajectory).kind));
    };
    for (const std::string name :
         {"position", "velocity", "force", "state", "stretch", "height", "acceleration"}) {
      q[name] = [name](const Case& c, const CaseResult& r, double time) -> Measured {
        const auto& t = r.run.trajectory.time;
        if (t.empty() || time < t.front() || time > t.back()) return {};
        return sample_at(t, column(c, r, name), time);
      };
      q["max_" + name] = [name](const Case& c, const CaseResult& r, double) -> Measured {
        return extremes(c, r, name).most;
      };
      q["min_" + name] = [name](const Case& c, const CaseResult& r, double) -> Measured {
        return extremes(c, r, name).least;
      };
    }
    q["loop_area"] = [](const Case& c, const CaseResult& r, double) {
      return loop_area(c, r, 0.0);
    };
    q["loop_area_before"] = [](const Case& c, const CaseResult& r, double) {
      return loop_area(c, r, 1.0);
    };
    add_row_quantities(q);
    add_oscillator_quantities(q);
    add_motion_quantities(q);
    add_sliding_quantities(q);
    q["force_velocity_area"] = force_velocity_area;
    q["lag_area"] = lag_area;
    q["orientation"] = orientation;
    q["outside_equilibria"] = outside_equilibria;
    q["rests_exactly"] = rests_exactly;
    q["peak_force"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      if (c.kind != CaseKind::steady) return {};
      return range_of(r.curve.force).most;
    };
    q["peak_velocity"] = [](const Case& c, const CaseResult& r, double) -> Measured {
      if (c.kind != CaseKind::steady) return {};
      const auto& f = r.curve.force;
      const auto at = std::size_t(std::max_element(f.begin(), f.end()) - f.begin());
      if (at == 0 || at + 1 == f.size()) return r.curve.velocity[at];
      // The top of the parabola through three points.
      const double bend = f[at - 1] - 2.0 * f[at] + f[at + 1];
      return r.curve.velocity[at] + 0.5 * (f[at - 1] - f[at + 1]) / bend *
                                        (r.curve.velocity[at + 1] - r.curve.velocity[at]);
    };
    q["steady_force"] = [](const Case& c, const CaseResult&, double v) -> Measured {
      if (c.system) {
        const auto force = c.system->steady(v);
        return force ? Measured(*force) : Measured{};
      }
      return c.law->steady(Motion<double>{0.0, v, load_of(c), 0.0});
    };
    q["largest_resting_speed"] = [](const Case&, const CaseResult& r, double from) -> Measured {
      double top = 0.0;
      const auto& t = r.run.trajectory;
      if (t.time.empty() || from > t.time.back()) return {};
      for (std::size_t i = 0; i < t.size(); ++i)
        if (t.time[i] >= from) top = std::max(top, std::abs(t.velocity[i]));
      return top;
    };
    q["work_in"] = [](const Case&, const CaseResult& r, double) -> Measured {
      return r.run.summary.ledger.work_in;
    };
    q["dissipated"] = [](const Case&, const CaseResult& r, double) -> Measured {
      return r.run.summary.ledger.dissipated;
    };
    q["ledger_error"] = [](const Case&, const CaseResult& r, double) -> Measured {
      return r.run.summary.ledger.relative_error;
    };
    return q;
  }();
  return all;
}

}  // namespace

const std::vector<std::string>& quantity_names() {
  static const auto names = [] {
    std::set<std::string> all;
    for (const auto* some : {&case_quantities(), &system_quantities(), &map_quantities()})
      for (const auto& [name, quantity] : *some) all.insert(name);
    for (const auto& [name, quantity] : machine_quantities()) all.insert(name);
    return std::vector<std::string>(all.begin(), all.end());
  }();
  return names;
}

std::vector<std::string> main_quantities() {
  return {"period",     "stick_slip", "loop_area", "max_velocity", "max_force",
          "max_output", "min_output", "kind",      "lobes"};
}

bool is_map_quantity(const std::string& name) { return map_quantities().contains(name); }

Measured measure(const Case& c, const CaseResult& result, const std::string& quantity,
                 const Argument& asked) {
  stop_if_asked();
  if (c.kind == CaseKind::machine) {
    const auto at = machine_quantities().find(quantity);
    if (at == machine_quantities().end()) return {};
    const MachineQuantity& q = at->second;
    if ((q.of == MachineQuantity::a_column && asked.column.empty()) ||
        (q.of == MachineQuantity::a_contact && asked.contact.empty()))
      return {};
    return q.take(c, result.machine, asked);
  }
  const double argument = asked.number;
  if (const auto at = map_quantities().find(quantity); at != map_quantities().end())
    return at->second(c, result, argument);
  if (c.kind == CaseKind::system || c.kind == CaseKind::curve) {
    const auto& own = system_quantities();
    const auto at = own.find(quantity);
    return at == own.end() ? Measured{} : at->second(c, result, argument);
  }
  if (c.kind == CaseKind::bode || c.kind == CaseKind::surface ||
      !case_quantities().contains(quantity))
    return {};
  // A steady curve has no motion, and only a dragged spring has a stretch.
  if (c.kind == CaseKind::steady && quantity != "steady_force" && !quantity.starts_with("peak_"))
    return {};
  if (quantity.ends_with("acceleration") && column(c, result, "acceleration").empty()) return {};
  if (quantity.ends_with("stretch") && !c.as<DraggedMass>()) return {};
  if (quantity.ends_with("height") && result.run.trajectory.height.empty()) return {};
  return case_quantities().at(quantity)(c, result, argument);
}

std::complex<double> bode_response(const Case& c, double frequency) {
  if (!c.system) return linearise(*c.law, c.bode.velocity, c.bode.load).at(frequency);
  const auto patch = patch_of(*c.system);
  return patch_response(*patch, c.bode.velocity, frequency);
}

std::string words(const Measured& measured) {
  if (const auto* number = std::get_if<double>(&measured)) return fmt::format("{:.10g}", *number);
  if (const auto* word = std::get_if<std::string>(&measured)) return *word;
  return "not defined";
}

}  // namespace bristle::io
