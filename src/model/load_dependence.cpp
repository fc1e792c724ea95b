// SPDX-License-Identifier: MIT
#include "bristle/model/load_dependence.hpp"

#include <algorithm>

#include "bristle/model/registry.hpp"

namespace bristle {
namespace {

// What a law answers to a motion at a load.
std::vector<double> answers(const AnyLaw& law, double velocity, double bent, double load) {
  const Motion<double> motion{1e-3, velocity, load, 0.0};
  const double z = bent * law.state_scale();
  const auto branch = law.engage(z, motion, velocity, Branch<>{});
  const auto response = law.respond(z, motion, branch);
  const auto limits = law.limits(motion);
  return {response.force, response.rate, law.steady(motion), limits.lower, limits.upper};
}

}  // namespace

bool depends_on_load(const AnyLaw& law) {
  if (!law.single()) return law.by_load();
  for (const double velocity : {-0.2, 1e-3, 0.1})
    for (const double bent : {-0.4, 0.3})
      if (answers(law, velocity, bent, 1.0) != answers(law, velocity, bent, 3.0)) return true;
  return false;
}

bool depends_on_load(std::string_view law) {
  const LawEntry& entry = find_law(law);
  if (depends_on_load(*entry.make({}))) return true;
  Values raised;
  for (const FieldInfo& f : entry.description.fields)
    if (f.choices.empty() && !f.list && f.default_value == 0.0)
      raised[f.name] = std::clamp(0.1, f.bounds.lower, f.bounds.upper);
  try {
    return !raised.empty() && depends_on_load(*entry.make(raised));
  } catch (const InvalidInput&) {
    return false;  // zeros that must stay so
  }
}

}  // namespace bristle
