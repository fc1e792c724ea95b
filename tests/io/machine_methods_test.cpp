// SPDX-License-Identifier: MIT
// The machines that are shipped, by both adaptive methods.
#include <gtest/gtest.h>

#include <filesystem>

#include "bristle/io/experiment.hpp"
#include "bristle/solve/machine_run.hpp"
#include "sundials.hpp"

namespace bristle::io::machine_methods_test {
namespace {

// The largest difference of two columns, over the largest number in them.
double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off = std::max(off, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(a[i]));
  }
  return size > 0.0 ? off / size : off;
}

TEST(MachineMethods, EveryShippedMachineMovesTheSameByBoth) {
  BRISTLE_NEEDS_SUNDIALS();
  int machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BRISTLE_EXPERIMENTS)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("m_")) continue;
    // Bodies that nothing but friction in the plane stops are followed too loosely by the second
    // method, and its ledger says so (docs/tasks/methods.md).
    if (name == "m_three_pads.toml") continue;
    for (const Case& c : read_experiment(entry.path().string()).cases) {
      SCOPED_TRACE(name + " " + c.label);
      Options options = c.options;
      // Each sample of a controller starts the second method anew, and its matrix is dense: a part
      // of a long run is enough.
      const bool many = c.machine->coordinates() > 20 || !c.machine->parts().controllers.empty();
      options.end = std::min(options.end, many ? 1.0 : 10.0);
      if (options.record_from >= options.end) options.record_from = 0.0;
      // Sweeps across the border of a limit cycle are drawn at a wide tolerance; near it the motion
      // depends on everything.
      if (options.tolerance > 1e-9) continue;
      options.tolerance =
          std::max(options.tolerance, 1e-11);  // below it the second one only rounds
      const auto first = simulate(*c.machine, options);
      options.method = Options::cvode;
      const auto second = simulate(*c.machine, options);
      ASSERT_TRUE(second.summary.ok()) << second.summary.message;
      EXPECT_TRUE(second.summary.ledger.closes) << second.summary.message;
      ASSERT_EQ(first["time"], second["time"]);
      // A tolerance is that of one step of thousands.
      const double allowed = 1e3 * options.tolerance;
      for (const auto& body : c.machine->parts().bodies) {
        const std::string x = body.name + ".position", v = body.name + ".velocity";
        EXPECT_LT(apart(first[x], second[x]), allowed) << x;
        EXPECT_LT(apart(first[v], second[v]), 100.0 * allowed) << v;
      }
      EXPECT_LT(apart(first["dissipated"], second["dissipated"]), 10.0 * allowed);
      ++machines;
    }
  }
  EXPECT_GE(machines, 15);
}

}  // namespace
}  // namespace bristle::io::machine_methods_test
