// SPDX-License-Identifier: MIT
#include "bristle/model/registry.hpp"

#include <array>

#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/gear_friction.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/rotating_bristle.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/model/sbm.hpp"
#include "bristle/model/stribeck.hpp"

namespace bristle {
namespace {

template <Law L>
LawEntry entry() {
  return {describe<L>(), SetLaw<L>, [](const Values& values) { return erase(make<L>(values)); }};
}

}  // namespace

std::span<const LawEntry> laws() {
  static const std::array all{entry<Coulomb<>>(),
                              entry<Stribeck<>>(),
                              entry<Dahl<>>(),
                              entry<LuGre<>>(),
                              entry<ElastoPlastic<>>(),
                              entry<FrBD<>>(),
                              entry<ResetIntegrator<>>(),
                              entry<Ffbm<>>(),
                              entry<Mpabm<>>(),
                              entry<Sbm<>>(),
                              entry<Sawtooth<>>(),
                              entry<Drbm<>>(),
                              entry<RotatingBristle<>>(),
                              entry<CompressedBristle<>>(),
                              entry<GearFriction<>>()};
  return all;
}

const LawEntry& find_law(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& law : laws()) {
    if (law.description.name == name) return law;
    names.push_back(law.description.name);
  }
  throw InvalidInput("name", not_found("model", name, names));
}

std::shared_ptr<const AnyLaw> make_law(std::string_view name, const Values& values) {
  return find_law(name).make(values);
}

}  // namespace bristle
