// SPDX-License-Identifier: MIT
#include "bristle/machine/couplings.hpp"

#include "bristle/machine/servo.hpp"

namespace bristle {
namespace {

template <Described C>
CouplingEntry entry(bool two_bodies = false) {
  return {describe<C>(), two_bodies, requires {C::signal_names;
}
, [](const Values& values) { return couple(make<C>(values)); }
};  // namespace
}  // namespace bristle

}  // namespace

std::span<const CouplingEntry> couplings() {
  static const std::array all{entry<SpringDamper>(), entry<Belt>(true),       entry<Gear>(true),
                              entry<Weight>(),       entry<PendulumWeight>(), entry<Backlash>(),
                              entry<EndStop>(),      entry<Servo>()};
  return all;
}

const CouplingEntry& find_coupling(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& one : couplings()) {
    if (one.description.name == name) return one;
    names.push_back(one.description.name);
  }
  throw InvalidInput("kind", not_found("coupling", name, names));
}

}  // namespace bristle
