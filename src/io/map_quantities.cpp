// SPDX-License-Identifier: MIT
// Quantities of input-output maps, which take many runs of a case.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/analysis/io_map.hpp"
#include "bristle/analysis/map_limits.hpp"
#include "bristle/analysis/multiplay_fit.hpp"
#include "bristle/analysis/snap_map.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/system/friction.hpp"
#include "bristle/system/rolling.hpp"
#include "quantities.hpp"

namespace bristle::io {

std::shared_ptr<const AnySystem> system_of(const Case& c, Signal& input) {
  if (c.kind == CaseKind::system) return input = c.input, c.system;
  if (c.kind != CaseKind::run) return {};
  if (const auto* given = c.as<PrescribedMotion>())
    return input = given->signal, friction_system(c.law, *given);
  if (const auto* body = c.as<WallSpringMass>())
    return input = body->signal, friction_system(c.law, *body);
  return {};
}

double area_sign(const Case& c) { return c.as<WallSpringMass>() ? -1.0 : 1.0; }

namespace {

// Runs for a quantity end early when a stop is asked for; judge() throws then.
bool unless_stopped(double) { return !stop_asked(); }

// All answers come out of one search, which takes many runs; those of the case that was asked last
// are kept. What a file gives of a case decides them; a case made by hand has nothing given.
std::optional<MapProperties> properties_of(const Case& c) {
  static thread_local std::map<std::string, Values> given;
  static thread_local std::optional<MapProperties> last;
  if (last && !c.sections.empty() && c.sections == given) return last;
  Signal input;
  const auto system = system_of(c, input);
  if (!system || c.period <= 0.0) return {};
  last = properties(*system, input, {.progress = unless_stopped});
  given = c.sections;
  return last;
}

template <class F>
CaseQuantity property(const F& pick) {
  return [pick](const Case& c, const CaseResult&, double) -> Measured {
    const auto found = properties_of(c);
    return found ? Measured(std::string(pick(*found))) : Measured{};
  };
}

// The limit of `loop_area`, with its sign, and how far it may be off. Areas that do not converge
// have no limit.
CaseQuantity of_slow_limit(double FrequencyLimit::*member) {
  return [member](const Case& c, const CaseResult&, double) -> Measured {
    Signal input;
    const auto system = system_of(c, input);
    if (!system || c.period <= 0.0) return {};
    Options o;
    o.tolerance = c.options.tolerance;
    o.samples = 3.0;
    o.progress = unless_stopped;
    FrequencyLimit slow = slow_limit(*system, input, o);
    if (!slow.converges) return {};
    slow.limit *= area_sign(c);
    return slow.*member;
  };
}

// The loop of the other output in the limit, and how well it unfolds.
LoopBranches second_loop(const Case& c, const SnapMap& map) {
  std::vector<double> second;
  for (const double y : map.output) second.push_back(c.system->resting_second(y).value_or(y));
  return split_branches(map.input, second);
}
Measured snap_unfold_error(const Case& c, const SnapMap& map) {
  if (!c.map) return {};
  const Unfolded loop = unfold(second_loop(c, map), c.map->map(), true, 0.02);
  const LoopBranches given = split_branches(map.input, map.output);
  double most = 0.0, least = INFINITY, highest = -INFINITY;
  const std::size_t up = given.up.x.size();
  for (std::size_t i = 0; i < loop.x.size(); ++i) {
    // The loop falls with the input here if the other way round fits no better.
    const double y = (i < up ? given.up : given.down).at(loop.x[i]);
    most = std::max(most, std::min(std::abs(y - loop.y[i]), std::abs(y + loop.y[i])));
    least = std::min(least, y), highest = std::max(highest, y);
  }
  return most / (highest - least);
}

// The limit of the map by its folds.
template <class F>
CaseQuantity of_snaps(const F& pick) {
  return [pick](const Case& c, const CaseResult& r, double number) -> Measured {
    if (c.kind != CaseKind::system || !c.system->resting_slope(0.0)) return {};
    if (r.response.output.empty()) return {};
    const auto seen = std::minmax_element(r.response.output.begin(), r.response.output.end());
    const double least = *seen.first, most = *seen.second;
    const RestingCurve rest{[&](double y) { return *c.system->resting_input(y); },
                            [&](double y) { return *c.system->resting_slope(y); }};
    const auto second = [&](double y) { return c.system->resting_second(y).value_or(y); };
    try {
      // A little beyond what was seen, where the equilibria go on.
      const double margin = 1e-3 * (most - least);
      const auto of = [&](const std::function<double(double)>& other) {
        return snap_map(rest, least - margin, most + margin, c.input.amplitude, other);
      };
      return pick(c, of({}), number, of(second));
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

CaseQuantity of_snap(double Snap::*member) {
  return of_snaps(
      [member](const Case&, const SnapMap& map, double number, const SnapMap&) -> Measured {
        return counted(map.snaps, number, [&](const Snap& snap) { return snap.*member; });
      });
}

// Around a velocity.
CaseQuantity of_bode(const std::function<Measured(const Case&, double)>& pick) {
  return [pick](const Case& c, const CaseResult&, double w) -> Measured {
    return c.kind == CaseKind::bode ? pick(c, w) : Measured{};
  };
}
CaseQuantity of_linear(double Linearised::*member) {
  return of_bode([member](const Case& c, double) -> Measured {
    if (c.system) return {};
    return linearise(*c.law, c.bode.velocity, c.bode.load).*member;
  });
}

// A number of a list among the fields of a system or of its inverse.
CaseQuantity of_list(const std::string& field, bool inverse) {
  return [=](const Case& c, const CaseResult&, double number) -> Measured {
    if (c.kind != CaseKind::system) return {};
    try {
      const Values values = inverse ? c.system->inverse().values : c.system->values();
      const auto at = values.find(field);
      if (at == values.end()) return {};
      const auto* list = std::get_if<std::vector<double>>(&at->second);
      if (!list) return {};
      return counted(*list, number, [](double one) { return one; });
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

CaseQuantity of_multiplay(double MultiplayFit::*member) {
  return [member](const Case& c, const CaseResult&, double) -> Measured {
    Signal input;
    const auto system = system_of(c, input);
    if (!system || c.period <= 0.0) return {};
    const PeriodicMap map =
        periodic_map(*system, input, {.samples = 4001, .progress = unless_stopped});
    try {
      return fit_multiplay(map.input, map.output).*member;
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

// A reversal at the given input on the way up of the loop, back by a seventh of the amplitude.
Measured minor_loop_words(const Case& c, const CaseResult&, double turn) {
  Signal input;
  const auto system = system_of(c, input);
  if (!system || c.period <= 0.0) return {};
  const MinorLoop m =
      minor_loop(*system, input.amplitude, turn, input.amplitude / 7.0, 0.5 * c.period);
  return std::string(m.inside ? "internal" : "external");
}

}  // namespace

const std::map<std::string, CaseQuantity>& map_quantities() {
  static const auto all = [] {
    std::map<std::string, CaseQuantity> q{
        {"hysteretic",
         property([](const MapProperties& p) { return bristle::words(p.hysteretic); })},
        {"rate_dependent",
         property([](const MapProperties& p) { return bristle::words(p.rate_dependent); })},
        {"memory", property([](const MapProperties& p) { return memory_words(p); })},
        {"return_point",
         property([](const MapProperties& p) { return bristle::words(p.return_point); })},
        {"congruent", property([](const MapProperties& p) { return bristle::words(p.congruent); })},
        {"slow_area", of_slow_limit(&FrequencyLimit::limit)},
        {"slow_area_error", of_slow_limit(&FrequencyLimit::error)},
        {"snap_area", of_snaps([](const Case&, const SnapMap& m, double, const SnapMap&) {
           return Measured(m.area);
         })},
        {"snap_second_area", of_snaps([](const Case&, const SnapMap&, double, const SnapMap& m) {
           return Measured(m.area);
         })},
        {"snap_lobe_area", of_snaps([](const Case&, const SnapMap&, double, const SnapMap& m) {
           return Measured(std::abs(m.positive_area));
         })},
        {"snap_kind", of_snaps([](const Case& c, const SnapMap& m, double, const SnapMap&) {
           return Measured(std::string(bristle::words(classify(second_loop(c, m)).kind)));
         })},
        {"snap_unfold_error", of_snaps([](const Case& c, const SnapMap& m, double, const SnapMap&) {
           return snap_unfold_error(c, m);
         })},
        {"snap_input", of_snap(&Snap::input)},
        {"snap_from", of_snap(&Snap::from)},
        {"snap_to", of_snap(&Snap::to)},
        {"pole", of_linear(&Linearised::pole)},
        {"input_gain", of_linear(&Linearised::input)},
        {"direct_gain", of_linear(&Linearised::direct)},
        {"gain",
         of_bode([](const Case& c, double w) { return Measured(std::abs(bode_response(c, w))); })},
        {"phase", of_bode([](const Case& c, double w) {
           return Measured(std::arg(bode_response(c, w)) * 180.0 / std::numbers::pi);
         })},
        {"minor_loop", minor_loop_words},
        {"multiplay_error", of_multiplay(&MultiplayFit::error)},
        {"multiplay_asymmetry", of_multiplay(&MultiplayFit::asymmetry)},
        {"weight", of_list("weights", false)},
        {"inverse_threshold", of_list("thresholds", true)},
        {"inverse_stiffness", of_list("stiffnesses", true)},
        {"inverse_weight", of_list("weights", true)}};
    add_long_motion_quantities(q);
    add_shape_quantities(q);
    add_rig_quantities(q);
    add_literal_quantities(q);
    add_stability_quantities(q);
    return q;
  }();
  return all;
}

}  // namespace bristle::io
