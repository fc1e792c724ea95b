// SPDX-License-Identifier: MIT
#include "bristle/io/catalogue.hpp"

#include <gtest/gtest.h>

#include "bristle/io/bifurcation_file.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep.hpp"
#include "bristle/machine/couplings.hpp"
#include "bristle/model/registry.hpp"
#include "io/support.hpp"

namespace bristle::io::catalogue_test {
namespace {

using test::contains;
using test::refusal;
using test::TemporaryDirectory;

const CatalogueGroup& group(const std::string& key) {
  for (const auto& one : catalogue())
    if (one.key == key) return one;
  throw std::runtime_error("there is no group " + key);
}

TEST(Catalogue, HasEveryLawAndEveryCouplingInTheirOrder) {
  ASSERT_EQ(group("models").entries.size(), laws().size());
  for (std::size_t i = 0; i < laws().size(); ++i)
    EXPECT_EQ(group("models").entries[i].description.name, laws()[i].description.name);
  EXPECT_EQ(group("couplings").entries.size(), couplings().size());
}

TEST(Catalogue, FindsAnEntryWithItsKindAndFields) {
  const auto found = catalogue_entries("lugre");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, "one state");
  EXPECT_FALSE(found[0].description.fields.empty());
}

TEST(Catalogue, SuggestsTheNearestNameForOneThatThereIsNot) {
  EXPECT_PRED2(contains, refusal<InputError>([] { catalogue_entries("draged_mass"); }),
               "did you mean 'dragged_mass'?");
  EXPECT_PRED2(contains, refusal<InputError>([] { catalogue_entries("loop_aera"); }),
               "did you mean 'loop_area'?");
}

const std::string stick_slip =
    "[model]\nname = \"lugre\"\n[mechanism]\nname = \"dragged_mass\"\n[solve]\nend = 2.0\n";

TEST(SweepOfAText, IsTheSweepOfAFileWithThatText) {
  const TemporaryDirectory dir;
  const SweepChanges changes{{}, {"mechanism.spring=1,2,4"}, {"max_force"}, ""};
  const Sweep file(dir.write("a.toml", stick_slip), changes), text(stick_slip, "text", changes);
  EXPECT_EQ(file.fingerprint(), text.fingerprint());
  EXPECT_EQ(row_text(file.run(1)), row_text(text.run(1)));
}

TEST(DiagramOfAText, HasTheSectionOfTheFileWithThatText) {
  const TemporaryDirectory dir;
  const std::string rig =
      "[model]\nname = \"dahl\"\n[mechanism]\nname = \"base_excited_mass\"\n[input]\namplitude = "
      "0.003\nfrequency = 60.0\n";
  BifurcationOptions options;
  options.from = 0.001, options.to = 0.002, options.periods = 10.0, options.keep = 3.0;
  BifurcationPlan file{dir.write("a.toml", rig), "input.amplitude"}, text{"text", file.parameter};
  text.text = rig;
  EXPECT_EQ(fingerprint(file, options), fingerprint(text, options));
  EXPECT_EQ(section_at(file, options)(0.0015).x, section_at(text, options)(0.0015).x);
}

}  // namespace
}  // namespace bristle::io::catalogue_test
