// SPDX-License-Identifier: MIT
// Quantities of passivity, of the bound of the state and of input-to-state stability.
#include <algorithm>
#include <functional>

#include "bristle/analysis/passivity.hpp"
#include "bristle/analysis/stability.hpp"
#include "bristle/system/rolling.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

const ContactPatch* patch_in(const Case& c) { return c.system ? patch_of(*c.system) : nullptr; }

// Of the law of a case, and of the patch it is distributed over.
Measured passivity(const Case& c, const CaseResult&, double) {
  if (!c.law || c.law->set_valued()) return {};
  const Certificate law = certify(*c.law);
  if (const ContactPatch* patch = patch_in(c))
    if (!certify(patch->shape()).shown) return std::string("not shown");
  return std::string(law.kind == Certificate::always  ? "passive"
                     : law.kind == Certificate::below ? "passive below"
                                                      : "not passive");
}
Measured passive_below(const Case& c, const CaseResult&, double) {
  if (!c.law || c.law->set_valued()) return {};
  const Certificate law = certify(*c.law);
  return law.kind == Certificate::below ? Measured(law.speed) : Measured{};
}

// The largest fall of the dissipated energy between samples, over its largest rise.
Measured given_back(const Case& c, const CaseResult& r, double) {
  std::vector<double> lost;
  if (c.kind == CaseKind::run) lost = r.run.trajectory.dissipated;
  else if (const ContactPatch* patch = patch_in(c); patch && c.kind == CaseKind::system)
    lost = dissipated(*patch, c.input, c.options.end, int(c.options.samples));
  double fall = 0.0, rise = 0.0;
  for (std::size_t i = 1; i < lost.size(); ++i) {
    fall = std::max(fall, lost[i - 1] - lost[i]);
    rise = std::max(rise, lost[i] - lost[i - 1]);
  }
  return rise > 0.0 ? Measured(fall / rise) : Measured{};
}

// The argument is the largest speed of the inputs.
StabilityOptions options_for(double top_speed) {
  StabilityOptions o;
  if (top_speed > 0.0) o.top_speed = top_speed;
  return o;
}

CaseQuantity of_bound(const std::function<Measured(const StateBound&)>& pick) {
  return [pick](const Case& c, const CaseResult&, double top_speed) -> Measured {
    if (!c.law || c.law->set_valued() || c.system) return {};
    try {
      return pick(certify_bound(*c.law, options_for(top_speed)));
    } catch (const InvalidInput&) {
      return {};
    }
  };
}

CaseQuantity of_patch(const std::function<Measured(const PatchStability&)>& pick) {
  return [pick](const Case& c, const CaseResult&, double top_speed) -> Measured {
    const ContactPatch* patch = patch_in(c);
    if (!patch) return {};
    return pick(certify_stability(*patch, options_for(top_speed)));
  };
}

std::string holds(bool yes) { return yes ? "holds" : "violated"; }

}  // namespace

void add_stability_quantities(std::map<std::string, CaseQuantity>& q) {
  q["passivity"] = passivity;
  q["passive_below"] = passive_below;
  q["given_back"] = given_back;
  q["state_bound"] = of_bound([](const StateBound& b) { return b.bound; });
  q["state_bound_ratio"] = of_bound([](const StateBound& b) { return b.worst; });
  q["bounded"] = of_bound([](const StateBound& b) {
    return std::string(!b.holds() ? "no" : b.premise ? "at any speed" : "up to a speed");
  });
  q["input_to_state"] = of_patch([](const PatchStability& s) { return holds(s.state_holds()); });
  q["input_to_state_ratio"] = of_patch([](const PatchStability& s) { return s.worst_state; });
  q["input_to_state_gain"] = of_patch([](const PatchStability& s) { return s.gain; });
  q["input_to_output"] = of_patch([](const PatchStability& s) { return holds(s.force_holds()); });
  q["input_to_output_ratio"] = of_patch([](const PatchStability& s) { return s.worst_force; });
}

}  // namespace bristle::io
