// SPDX-License-Identifier: MIT
// Machines that once failed in a campaign of random runs (docs/reliability.md), made small. Files
// named pair_* are run by the default method and by cvode, all others by the method they name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "agreement.hpp"
#include "bristle/io/experiment.hpp"
#include "draw.hpp"
#include "minimise.hpp"
#include "properties.hpp"
#include "sundials.hpp"

namespace bristle::campaign {
namespace {

std::vector<std::string> kept() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(BRISTLE_KEPT))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Kept : public testing::TestWithParam<std::string> {};

TEST_P(Kept, MachineHasThePropertiesOfEveryRun) {
  const auto experiment = io::read_experiment(BRISTLE_KEPT "/" + GetParam() + ".toml");
  const Machine machine = experiment.cases.front().sections;
  const Parts parts = assemble(machine);
  const Simulation done = run(parts);
  EXPECT_TRUE(done.summary.ok() || done.summary.status == Status::out_of_range)
      << done.summary.message;
  const bool fixed = parts.options.method == Options::coupled;
  for (const auto& v : fixed ? fixed_violations(parts, done) : adaptive_violations(parts, done))
    ADD_FAILURE() << v.property << ": " << v.words << "\n" << done.summary.message;
}

TEST_P(Kept, PairAgreesWithinTenTolerances) {
  BRISTLE_NEEDS_SUNDIALS();
  if (!GetParam().starts_with("pair_")) return;
  const auto experiment = io::read_experiment(BRISTLE_KEPT "/" + GetParam() + ".toml");
  const Machine machine = experiment.cases.front().sections;
  const Parts parts = assemble(machine);
  const double tolerance = parts.options.tolerance;
  const auto first = run_by(machine, Options::rosenbrock, tolerance);
  const auto second = run_by(machine, Options::cvode, tolerance);
  ASSERT_TRUE(second.summary.ok()) << second.summary.message;
  EXPECT_LT(distance(compared(parts, first), compared(parts, second)), 10.0 * tolerance);
}

INSTANTIATE_TEST_SUITE_P(Machines, Kept, testing::ValuesIn(kept()),
                         [](const auto& info) { return info.param; });

// Drawing is a function of seed and number alone, so that a trial can be repeated.
TEST(Draw, GivesTheSameMachineForTheSameSeedAndNumber) {
  const auto drawn = [](std::uint64_t seed, std::uint64_t index) {
    Random random = random_of(seed, index);
    return toml_text(draw(random, index), "one");
  };
  EXPECT_EQ(drawn(3, 17), drawn(3, 17));
  EXPECT_NE(drawn(3, 17), drawn(4, 17));
  EXPECT_NE(drawn(3, 17), drawn(3, 32));
}

// The smallest machine of which something holds is found field by field.
TEST(Minimise, LeavesOnlyTheFieldsThatMatter) {
  Random random = random_of(1, 3);
  Machine machine = draw(random, 3);
  machine["model"]["stiffness"] = 123.456;
  const Machine small = minimised(
      machine, [](const Machine& m) { return number(m, "model", "stiffness", 1e5) < 1000.0; });
  EXPECT_EQ(number(small, "model", "stiffness", 0.0), 100.0);
  EXPECT_EQ(small.at("model").size(), 2u);
  EXPECT_EQ(small.at("mechanism").size(), 1u);
}

}  // namespace
}  // namespace bristle::campaign
