// SPDX-License-Identifier: MIT
// What every fact of the shipped experiments states: its kind, its source, its tolerance.
#include <gtest/gtest.h>

#include <functional>

#include "bristle/io/experiment.hpp"
#include "io/support.hpp"

namespace bristle::io {
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

}  // namespace
}  // namespace bristle::io
