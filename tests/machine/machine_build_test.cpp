// SPDX-License-Identifier: MIT
// What a machine refuses, and how it says so.
#include <gtest/gtest.h>

#include "bristle/machine/machine.hpp"
#include "bristle/model/registry.hpp"

namespace bristle::machine_build_test {
namespace {

MachineParts pair() {
  MachineParts p;
  p.bodies = {{"motor"}, {"load"}};
  p.couplings = {{"shaft", {"motor", "load"}, couple(SpringDamper{10.0})}};
  p.contacts = {{"bearing", between("motor", "ground"), make_law("coulomb", {})}};
  return p;
}

// The sentence of a refusal, with the part it names.
std::string refusal(const MachineParts& p) {
  try {
    const Machine machine(p);
  } catch (const InvalidPart& error) {
    return error.list + " " + std::to_string(error.index) + " " + error.field + ": " + error.what();
  }
  return "accepted";
}

TEST(MachineParts, AreAcceptedWhereEveryNameIsKnown) { EXPECT_EQ(refusal(pair()), "accepted"); }

TEST(MachineParts, NeedABodyWithInertia) {
  EXPECT_EQ(refusal({}), "body 0 name: a machine needs at least one [[body]]");
  auto p = pair();
  p.bodies[1].body.inertia = 0.0;
  EXPECT_EQ(refusal(p),
            "body 1 inertia: body: inertia = 0 of \"load\" is not allowed, it must be greater than "
            "0: only a body to which a linkage gives inertia may have none of its own");
}

TEST(MachineParts, OnAnUnknownBodyAreRefusedWithTheNearestName) {
  auto p = pair();
  p.contacts[0].path = between("moter", "ground");
  EXPECT_EQ(
      refusal(p),
      "contact 0 on: contact: there is no body 'moter', did you mean 'motor'? (bodies: motor, "
      "load, ground)");
}

TEST(MachineParts, ThatCoupleABodyWithItselfAreRefused) {
  auto p = pair();
  p.couplings[0].between = {"load", "load"};
  EXPECT_EQ(refusal(p), "coupling 0 between: coupling: couples \"load\" with itself");
}

TEST(MachineParts, WithAStateThatTheLawDoesNotHaveAreRefused) {
  auto p = pair();
  p.contacts[0].settings.state = 1e-3;
  EXPECT_EQ(refusal(p),
            "contact 0 state: contact: state = 0.001 m has no meaning, coulomb has no state: leave "
            "it out");
  p.contacts[0].settings = {.states = {1e-3}};
  EXPECT_EQ(refusal(p), "contact 0 states: contact: states has 1 number, coulomb has 0 states");
  p.contacts[0].law = make_law("lugre", {});
  EXPECT_EQ(refusal(p), "accepted");
}

TEST(MachineParts, ThatAreNotConnectedAreRefused) {
  auto p = pair();
  p.couplings.clear();
  EXPECT_EQ(refusal(p),
            "body 1 name: body: \"load\" is not connected with \"motor\" by couplings or contacts");
}

TEST(MachineParts, WithALoopOfGearsAreRefused) {
  auto p = pair();
  p.bodies.push_back({"third"});
  p.couplings = {{"g1", {"motor", "load"}, couple(Gear{2.0})},
                 {"g2", {"load", "third"}, couple(Gear{2.0})},
                 {"g3", {"third", "motor"}, couple(Gear{0.25})}};
  EXPECT_NE(refusal(p).find("closes a loop of rigid couplings"), std::string::npos) << refusal(p);
  EXPECT_EQ(refusal(p).substr(0, 10), "coupling 2");
}

TEST(MachineParts, WithTwoOfOneNameAreRefused) {
  auto p = pair();
  p.bodies[1].name = "motor";
  EXPECT_NE(refusal(p).find("body 1 name: body: name = \"motor\" stands twice"), std::string::npos)
      << refusal(p);
  p = pair();
  p.bodies[1].name = "ground";
  EXPECT_NE(refusal(p).find("is the name of what stands still"), std::string::npos);
}

TEST(MachineParts, OfDifferentListsNeedDifferentNames) {
  auto p = pair();
  p.contacts[0].name = "load";
  EXPECT_NE(refusal(p).find("contact 0 name: contact: name = \"load\" is that of another part"),
            std::string::npos)
      << refusal(p);
}

TEST(MachineParts, WithADriveThatJumpsAreRefused) {
  auto p = pair();
  Signal e;
  e.change_time = 1.0;
  e.amplitude_after = 2.0;
  p.drives = {{"hand", e}};
  EXPECT_NE(refusal(p).find("drive 0 change_time"), std::string::npos) << refusal(p);
}

TEST(MachineParts, MayHaveADriveWhoseVelocityJumps) {
  auto p = pair();
  Signal e;
  e.change_time = 1.0;
  e.amplitude_after = 2.0;
  p.drives = {{"hand", e, {.gives = DriveSettings::velocity}}};
  EXPECT_EQ(refusal(p), "accepted");
}

TEST(MachineParts, WithAVelocityThatHasNoIntegralAreRefused) {
  auto p = pair();
  Signal e;
  e.shape = Signal::duffing;
  e.prepare(1.0);
  p.drives = {{"hand", e, {.gives = DriveSettings::velocity}}};
  EXPECT_EQ(refusal(p),
            "drive 0 gives: drive: a signal of shape = \"duffing\" gives a position, not a "
            "velocity");
}

TEST(MachineParts, ThatPushTheGroundAreRefused) {
  auto p = pair();
  p.inputs = {{"push", "ground", Signal{}}};
  EXPECT_NE(refusal(p).find("input 0 on: input: a force acts on a body"), std::string::npos)
      << refusal(p);
}

TEST(Couplings, AreListedOnceWithTheirFields) {
  for (const auto& one : couplings()) {
    EXPECT_FALSE(one.description.summary.empty());
    EXPECT_EQ(&find_coupling(one.description.name), &one);
    EXPECT_EQ(one.make({})->name(), one.description.name);
  }
  EXPECT_THROW(find_coupling("sprinng"), InvalidInput);
}

}  // namespace
}  // namespace bristle::machine_build_test
