// SPDX-License-Identifier: MIT
// What every fact of the shipped experiments states: its kind, its source, its tolerance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "bristle/io/experiment.hpp"
#include "io/support.hpp"

namespace bristle::io::shipped_facts_test {
namespace {

void for_every_fact(const std::function<void(const Experiment&, const Expectation&)>& look) {
  for (const auto& file : test::fs::directory_iterator(BRISTLE_EXPERIMENTS)) {
    if (file.path().extension() != ".toml") continue;
    const Experiment experiment = read_experiment(file.path().string());
    for (const auto& c : experiment.cases)
      for (const auto& e : c.expectations) look(experiment, e);
  }
}

TEST(ShippedFacts, NameTheirKind) {
  for_every_fact([](const Experiment&, const Expectation& e) {
    EXPECT_TRUE(e.kind_given) << e.where << ": " << e.key << " has no kind";
  });
}

TEST(ShippedFacts, NameTheirSource) {
  for_every_fact([](const Experiment&, const Expectation& e) {
    EXPECT_FALSE(e.source.empty()) << e.where << ": " << e.key << " has no source";
  });
}

// "T (3.44)": the letter of a document and a space.
bool begins_with_a_letter(const std::string& source) {
  return source.size() > 1 && source[0] >= 'A' && source[0] <= 'Z' && source[1] == ' ';
}

TEST(ShippedFacts, NameAPlaceInTheirDocumentIfTheDocumentSaysThem) {
  for_every_fact([](const Experiment& experiment, const Expectation& e) {
    if (e.kind != FactKind::document) return;
    EXPECT_TRUE(begins_with_a_letter(e.source)) << e.where << ": " << e.source;
    EXPECT_EQ(e.source.substr(0, 1), experiment.document.substr(0, 1)) << e.where;
  });
}

TEST(ShippedFacts, DoNotNameADocumentIfItDoesNotSayThem) {
  for_every_fact([](const Experiment&, const Expectation& e) {
    if (e.kind == FactKind::document) return;
    EXPECT_FALSE(begins_with_a_letter(e.source)) << e.where << ": " << e.source;
    const bool closed = e.kind == FactKind::closed_form;
    EXPECT_EQ(e.source.starts_with("closed form"), closed) << e.where << ": " << e.source;
    const bool computed = e.kind == FactKind::computed;
    EXPECT_EQ(e.source.starts_with("independent computation"), computed)
        << e.where << ": " << e.source;
  });
}

TEST(ShippedFacts, StateTheToleranceOfEveryNumber) {
  for_every_fact([](const Experiment&, const Expectation& e) {
    if (e.value || e.relation == "like" || e.relation == "unlike") {
      EXPECT_TRUE(e.tolerance_given) << e.where << ": " << e.key << " has no tolerance";
    }
  });
}

TEST(ShippedFacts, SayWhyAToleranceIsWiderThanATenth) {
  for_every_fact([](const Experiment&, const Expectation& e) {
    if (!e.value || *e.value == 0.0) return;
    const double relative = std::max(e.tolerance, e.within / std::abs(*e.value));
    const bool count = e.tolerance == 0.0 && e.within < 1.0 && *e.value == std::round(*e.value);
    if (relative > 0.1 && !count) {
      EXPECT_FALSE(e.why.empty()) << e.where << ": " << e.key << " allows " << relative;
    }
  });
}

// What several experiments state is one fact, and would be counted as many.
TEST(ShippedFacts, OfADocumentAreStatedOnce) {
  std::map<std::string, std::string> said;
  for_every_fact([&](const Experiment& experiment, const Expectation& e) {
    if (e.kind != FactKind::document || !e.value || !e.differs.empty()) return;
    const std::string fact = e.source + " " + words(*e.value) + " " + e.quantity;
    const auto [at, first] = said.try_emplace(fact, experiment.key);
    if (!first) {
      EXPECT_EQ(at->second, experiment.key) << e.where << ": " << fact;
    }
  });
}

}  // namespace
}  // namespace bristle::io::shipped_facts_test
