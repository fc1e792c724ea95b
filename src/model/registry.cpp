// SPDX-License-Identifier: MIT
#include "bristle/model/registry.hpp"

#include <array>

#include "bristle/model/erase.hpp"
#include "bristle/model/law_list.hpp"

namespace bristle {
namespace {

template <Law L>
LawEntry entry() {
  return {describe<L>(), SetLaw<L>, [](const Values& values) { return erase(make<L>(values)); }};
}

template <template <class> class... Laws>
auto entries(LawTypes<Laws...>) {
  return std::array{entry<Laws<double>>()...};
}

}  // namespace

std::span<const LawEntry> laws() {
  static const auto all = entries(AllLaws{});
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
