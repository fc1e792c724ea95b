// SPDX-License-Identifier: MIT
#include "bristle/model/registry.hpp"

#include <array>

#include "bristle/model/erase.hpp"
#include "bristle/model/erase_block.hpp"
#include "bristle/model/law_list.hpp"

namespace bristle {
namespace {

template <Law L>
LawEntry entry() {
  return {describe<L>(), SetLaw<L>, true,
          [](const Values& values) { return erase(make<L>(values)); }};
}
template <BlockLawType L>
LawEntry entry() {
  constexpr bool set_valued = requires(const L& law, BlockMotion<double> m) { law.radius(m); };
  return {describe<L>(), set_valued, false,
          [](const Values& values) { return erase(make<L>(values)); }};
}

template <template <class> class... Laws, class... Blocks>
auto entries(LawTypes<Laws...>, BlockLawTypes<Blocks...>) {
  return std::array{entry<Laws<double>>()..., entry<Blocks>()...};
}

}  // namespace

std::span<const LawEntry> laws() {
  static const auto all = entries(AllLaws{}, AllBlockLaws{});
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

void require_single(const AnyLaw& law, std::string_view what) {
  if (law.single()) return;
  throw InvalidInput("name", std::string(what) +
                                 " supports only laws with one state along a line, " + "not " +
                                 std::string(law.name()));
}

std::shared_ptr<const AnyLaw> make_law(std::string_view name, const Values& values) {
  return find_law(name).make(values);
}

}  // namespace bristle
