// SPDX-License-Identifier: MIT
// The kinds of facts an experiment states: their source, and the words of their verdict.
//
// Only what a document says can be reproduced. A closed form and an independent computation are
// references to agree with; a check is our own and says nothing about a document.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace bristle::io {

enum class FactKind { document, closed_form, computed, check };

// How a fact came out.
enum class Outcome { met, met_with_choice, missed, undefined };

struct FactKindInfo {
  FactKind kind;
  std::string_view key;                           // in files and JSON
  std::string_view words;                         // for people, of one fact
  std::string_view plural;                        // for people, after a number
  std::string_view meaning;                       // in one sentence
  std::string_view met, met_with_choice, missed;  // the verdicts
};

inline constexpr std::array<FactKindInfo, 4> fact_kinds{{
    {FactKind::document, "document", "said by the document", "said by the documents",
     "a number, a word or a property that the document prints or draws", "reproduced",
     "reproduced with stated choice", "not reproduced"},
    {FactKind::closed_form, "closed_form", "closed form", "closed forms",
     "a formula evaluated without the solver", "agrees", "agrees", "differs"},
    {FactKind::computed, "computed", "independent computation", "independent computations",
     "the result of another program or another method", "agrees", "agrees", "differs"},
    {FactKind::check, "check", "check", "checks",
     "our own check: an energy balance, a symmetry, two of our runs compared", "passes", "passes",
     "fails"},
}};

inline constexpr std::string_view undefined_words = "not defined";

constexpr const FactKindInfo& info(FactKind kind) { return fact_kinds[std::size_t(kind)]; }

constexpr std::string_view verdict_words(FactKind kind, Outcome outcome) {
  const FactKindInfo& k = info(kind);
  switch (outcome) {
    case Outcome::met: return k.met;
    case Outcome::met_with_choice: return k.met_with_choice;
    case Outcome::missed: return k.missed;
    case Outcome::undefined: break;
  }
  return undefined_words;
}

// The kind of a key, none for any other word.
constexpr std::optional<FactKind> fact_kind(std::string_view key) {
  for (const auto& k : fact_kinds)
    if (k.key == key) return k.kind;
  return std::nullopt;
}

}  // namespace bristle::io
