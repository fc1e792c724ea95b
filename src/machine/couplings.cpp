// SPDX-License-Identifier: MIT
#include "bristle/machine/couplings.hpp"

namespace bristle {
namespace {

template <Described C>
CouplingEntry entry() {
  constexpr bool rigid = requires { C::rigid; };
  // Weights say how far each end moves it: with them both ends are bodies.
  constexpr bool weighted = requires(const C& c) { c.weights(); };
  int joints = 0;
  if constexpr (Linkage<C>) joints = C::joints;
  return {describe<C>(), rigid || weighted || Linkage<C>, joints,
          [](const Values& values) { return couple(make<C>(values)); }};
}

}  // namespace

std::span<const CouplingEntry> couplings() {
  static const std::array all{
      entry<SpringDamper>(), entry<Belt>(),           entry<Gear>(),
      entry<Weight>(),       entry<PendulumWeight>(), entry<Backlash>(),
      entry<EndStop>(),      entry<TwoLinkArm>(),     entry<CartPendulum>()};
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
