// SPDX-License-Identifier: MIT
#include "bristle/system/registry.hpp"

#include "bristle/system/cubic.hpp"
#include "bristle/system/duhem.hpp"
#include "bristle/system/linear_lag.hpp"
#include "bristle/system/multiplay.hpp"
#include "bristle/system/nonlinear_feedback.hpp"
#include "bristle/system/operators.hpp"
#include "bristle/system/two_bar_linkage.hpp"

namespace bristle {
namespace {

template <class S>
SystemEntry entry() {
  return {describe<S>(), !DynamicSystem<S>,
          [](const Values& values) { return as_system(make<S>(values)); }};
}

}  // namespace

std::span<const SystemEntry> systems() {
  static const std::array all{
      entry<LinearLag>(),         entry<Cubic>(),         entry<MaxwellSlipModel>(),
      entry<Multiplay>(),         entry<PlaysModel>(),    entry<PreisachModel>(),
      entry<NonlinearFeedback>(), entry<BoucWenSystem>(), entry<TwoBarLinkage>()};
  return all;
}

const SystemEntry& find_system(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& s : systems()) {
    if (s.description.name == name) return s;
    names.push_back(s.description.name);
  }
  throw InvalidInput("name", not_found("system", name, names));
}

Description AnySystem::description() const { return find_system(name()).description; }

std::shared_ptr<const AnySystem> make_system(std::string_view name, const Values& values) {
  return find_system(name).make(values);
}

}  // namespace bristle
