// SPDX-License-Identifier: MIT
// How many facts of each kind there are, and how they came out.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "bristle/io/verdict.hpp"

namespace bristle::io {

struct KindCounts {
  long met = 0, with_choice = 0, missed = 0, explained = 0, undefined = 0;
  long total() const { return met + with_choice + missed + undefined; }
  long of(Outcome outcome) const;
};

struct FactCounts {
  std::array<KindCounts, fact_kinds.size()> kinds{};

  KindCounts& operator[](FactKind kind) { return kinds[std::size_t(kind)]; }
  const KindCounts& operator[](FactKind kind) const { return kinds[std::size_t(kind)]; }
  void add(const std::vector<Verdict>& verdicts);
  long total() const;
  // Facts that are neither met nor explained, of any kind.
  long open() const;
};

// A table for people, one row for each kind, with columns for a terminal or as Markdown.
std::string counts_table(const FactCounts& counts);
std::string counts_markdown(const FactCounts& counts);
nlohmann::ordered_json as_json(const FactCounts& counts);

}  // namespace bristle::io
