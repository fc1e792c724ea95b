// SPDX-License-Identifier: MIT
#include "bristle/io/fact_counts.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace bristle::io {
namespace {

struct Column {
  std::string_view title;
  long (*count)(const KindCounts&);
};

constexpr std::array<Column, 6> columns{{
    {"facts", [](const KindCounts& k) { return k.total(); }},
    {"met", [](const KindCounts& k) { return k.met; }},
    {"met with stated choice", [](const KindCounts& k) { return k.with_choice; }},
    {"not met", [](const KindCounts& k) { return k.missed; }},
    {"of these explained", [](const KindCounts& k) { return k.explained; }},
    {"not defined", [](const KindCounts& k) { return k.undefined; }},
}};

KindCounts sum(const FactCounts& counts) {
  KindCounts all;
  for (const auto& k : counts.kinds) {
    all.met += k.met;
    all.with_choice += k.with_choice;
    all.missed += k.missed;
    all.explained += k.explained;
    all.undefined += k.undefined;
  }
  return all;
}

}  // namespace

long KindCounts::of(Outcome outcome) const {
  switch (outcome) {
    case Outcome::met: return met;
    case Outcome::met_with_choice: return with_choice;
    case Outcome::missed: return missed;
    case Outcome::undefined: break;
  }
  return undefined;
}

void FactCounts::add(const std::vector<Verdict>& verdicts) {
  for (const auto& v : verdicts) {
    KindCounts& k = (*this)[v.kind];
    switch (v.outcome) {
      case Outcome::met: ++k.met; break;
      case Outcome::met_with_choice: ++k.with_choice; break;
      case Outcome::missed: ++k.missed, k.explained += !v.missed(); break;
      case Outcome::undefined: ++k.undefined; break;
    }
  }
}

long FactCounts::total() const { return sum(*this).total(); }

long FactCounts::open() const {
  const KindCounts all = sum(*this);
  return all.missed - all.explained + all.undefined;
}

std::string counts_table(const FactCounts& counts) {
  std::string table = fmt::format("{:<26}", "");
  for (const auto& c : columns) table += fmt::format("  {}", c.title);
  const auto row = [&](std::string_view name, const KindCounts& k) {
    table += fmt::format("\n{:<26}", name);
    for (const auto& c : columns) table += fmt::format("  {:>{}}", c.count(k), c.title.size());
  };
  for (const auto& info : fact_kinds) row(info.plural, counts[info.kind]);
  row("all", sum(counts));
  return table + "\n";
}

std::string counts_markdown(const FactCounts& counts) {
  std::string table = "| kind of fact |", rule = "|---|";
  for (const auto& c : columns) {
    table += fmt::format(" {} |", c.title);
    rule += "---:|";
  }
  table += "\n" + rule + "\n";
  const auto row = [&](std::string_view name, const KindCounts& k) {
    table += fmt::format("| {} |", name);
    for (const auto& c : columns) table += fmt::format(" {} |", c.count(k));
    table += "\n";
  };
  for (const auto& info : fact_kinds) row(info.plural, counts[info.kind]);
  row("all", sum(counts));
  return table;
}

nlohmann::ordered_json as_json(const FactCounts& counts) {
  nlohmann::ordered_json all;
  for (const auto& info : fact_kinds) {
    const KindCounts& k = counts[info.kind];
    all[std::string(info.key)] = {{"facts", k.total()},           {"met", k.met},
                                  {"with_choice", k.with_choice}, {"missed", k.missed},
                                  {"explained", k.explained},     {"undefined", k.undefined}};
  }
  return all;
}

}  // namespace bristle::io
