// SPDX-License-Identifier: MIT
// Warnings of values that are allowed and unusual.
#include <gtest/gtest.h>

#include "bristle/io/experiment.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/registry.hpp"
#include "io/support.hpp"

namespace bristle::io::usual_test {
namespace {

TEST(UsualValues, AreThoseOfEveryShippedExperiment) {
  for (const auto& file : test::fs::directory_iterator(BRISTLE_EXPERIMENTS)) {
    if (file.path().extension() != ".toml") continue;
    for (const auto& warning : read_experiment(file.path().string()).warnings)
      ADD_FAILURE() << warning;
  }
}

TEST(UsualValues, AreTheDefaultsOfEveryLawAndSystem) {
  const auto look = [](const Description& d) {
    Values defaults;
    for (const auto& field : d.fields) {
      if (field.list) defaults[field.name] = field.default_list;
      else if (field.choices.empty()) defaults[field.name] = field.default_value;
    }
    for (const auto& odd : unusual_values(d, defaults)) ADD_FAILURE() << odd.sentence;
  };
  for (const auto& law : laws()) look(law.description);
  for (const auto& system : systems()) look(system.description);
}

TEST(UnusualValues, AreReportedOnceWithTheirPlace) {
  const test::TemporaryDirectory folder;
  const std::string path = (folder.root() / "odd.toml").string();
  folder.write("odd.toml",
               "[model]\nname = \"lugre\"\nstribeck_velocity = 1e-300\n"
               "[mechanism]\nname = \"dragged_mass\"\nmass = 1e-30\n"
               "[[case]]\nlabel = \"a\"\n[[case]]\nlabel = \"b\"\nmodel.stiffness = 1e20\n");
  const Experiment e = read_experiment(path, {parse_setting("solve.end=1e12")});
  ASSERT_EQ(e.warnings.size(), 4u);
  EXPECT_EQ(e.warnings[0],
            path + ":6: mechanism: mass = 1e-30 kg is unusual, it is usually 1e-09 to 1e+07 kg");
  EXPECT_EQ(e.warnings[1],
            path +
                ":3: model: stribeck_velocity = 1e-300 m/s is unusual, it is usually "
                "1e-10 to 10000 m/s");
  EXPECT_NE(e.warnings[2].find("--set solve.end=1e12: solve: end = 1e+12 s is unusual"),
            std::string::npos);
  EXPECT_NE(e.warnings[3].find("odd.toml:11: model: stiffness = 1e+20 N/m"), std::string::npos);
}

}  // namespace
}  // namespace bristle::io::usual_test
