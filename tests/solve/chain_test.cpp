// SPDX-License-Identifier: MIT
// Machines with more bristle contacts than are stopped at every reversal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bristle/model/erase.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::chain_test {
namespace {

// Blocks on springs to a plate that swings, with springs between neighbours. The static forces
// differ from block to block by a spread.
Machine chain(int blocks, double spread) {
  MachineParts parts;
  parts.drives = {{"plate", {.amplitude = 0.05, .frequency = 3.0}}};
  for (int i = 0; i < blocks; ++i) {
    const std::string number = std::to_string(i), name = "block" + number;
    parts.bodies.push_back({name, {.inertia = 1.0}});
    parts.couplings.push_back({"drag" + number, {name, "plate"}, couple(SpringDamper{200.0, 0.5})});
    if (i > 0)
      parts.couplings.push_back({"spring" + number,
                                 {"block" + std::to_string(i - 1), name},
                                 couple(SpringDamper{100.0, 0.2})});
    LuGre<> law;
    law.stiffness = 1e4, law.damping = 50.0, law.stribeck_velocity = 0.01;
    law.static_force = 1.5 + spread * std::sin(2.4 * i);
    parts.contacts.push_back({"pad" + number, between(name, "ground"), erase(law)});
  }
  return Machine(parts);
}

Options options() {
  Options o;
  o.end = 5.0;
  o.tolerance = 1e-9;
  o.samples = 101.0;
  return o;
}

long reversals(const MachineResult& run, int contact) {
  return std::count_if(run.events.begin(), run.events.end(), [&](const MachineEvent& e) {
    return e.kind == EventKind::reversal && e.contact == contact;
  });
}

TEST(Chain, OfManyEqualBlocksMovesAsOneOfThem) {
  const auto one = simulate(chain(1, 0.0), options()), many = simulate(chain(48, 0.0), options());
  ASSERT_TRUE(one.summary.ok() && many.summary.ok());
  for (const char* column : {"block0.position", "pad0.force"})
    for (std::size_t k = 0; k < 101; ++k)
      EXPECT_NEAR(many[column][k], one[column][k], 1e-6) << column << " " << k;
  for (const char* column : {"block47.position", "block20.position"})
    for (std::size_t k = 0; k < 101; ++k)
      EXPECT_NEAR(many[column][k], one["block0.position"][k], 1e-6) << column << " " << k;
  EXPECT_NEAR(many.summary.ledger.dissipated, 48.0 * one.summary.ledger.dissipated,
              1e-6 * many.summary.ledger.dissipated);
}

TEST(Chain, OfManyBlocksListsTheirReversalsWithoutStoppingAtEach) {
  Options o = options();
  o.tolerance = 1e-6;
  const auto few = simulate(chain(24, 0.3), o), many = simulate(chain(192, 0.3), o);
  ASSERT_TRUE(few.summary.ok() && many.summary.ok());
  EXPECT_GE(reversals(many, 0), 4);
  EXPECT_EQ(reversals(many, 0), reversals(few, 0));
  EXPECT_GE(few.summary.counts.steps, long(few.events.size()));
  EXPECT_LT(2 * many.summary.counts.steps, long(many.events.size()));
}

TEST(Chain, OfManyBlocksClosesItsLedger) {
  const auto run = simulate(chain(100, 0.3), options());
  ASSERT_TRUE(run.summary.ok());
  EXPECT_LT(run.summary.ledger.relative_error, 1e-8);
}

}  // namespace
}  // namespace bristle::chain_test
