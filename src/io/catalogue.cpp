// SPDX-License-Identifier: MIT
#include "bristle/io/catalogue.hpp"

#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/rolling.hpp"

namespace bristle::io {
namespace {

std::string kind_of(const LawEntry& law) {
  if (law.set_valued) return "set-valued at rest";
  if (law.single) return "one state";
  const auto made = law.make({});
  const auto block = made->block(1) ? made->block(1) : made->block(2);
  return block->states() == 0 ? "no state" : block->states() == 1 ? "one state" : "several states";
}

std::string kind_of(const CouplingEntry& coupling) {
  if (coupling.joints > 0) return "linkage of " + std::to_string(coupling.joints) + " bodies";
  return coupling.two_bodies ? "between two bodies" : "between two bodies or on one";
}

std::string kind_of(const SystemEntry& system) {
  return system.knows_no_time ? "operator" : "dynamic";
}

template <class Registry>
std::vector<CatalogueEntry> of_registry(const Registry& registry) {
  std::vector<CatalogueEntry> all;
  for (const auto& entry : registry) all.push_back({entry.description, kind_of(entry)});
  return all;
}

std::vector<CatalogueEntry> without_kind(const std::vector<Description>& descriptions) {
  std::vector<CatalogueEntry> all;
  for (const auto& description : descriptions) all.push_back({description});
  return all;
}

// Mechanisms of a contact, and those of a law over a rolling contact.
std::vector<Description> all_mechanisms() {
  std::vector<Description> all = mechanisms();
  all.push_back(describe<PatchShape>());
  all.push_back(describe<BrakedWheel>());
  return all;
}

// The other sections of a file that have a table of fields.
std::vector<Description> other_sections() {
  return {describe<Signal>(),     describe<Initial>(),           describe<Options>(),
          describe<Roughness>(),  describe<SteadySweep>(),       describe<BodeSweep>(),
          describe<CurveShape>(), describe<MapShape>(),          describe<SurfaceSweep>(),
          describe<ForceBias>(),  describe<PlayIdentification>()};
}

// The lists a machine is made from. A load is a signal of its own name, a drive and an input are
// signals with more fields; a controller has the fields of the signal it follows.
std::vector<Description> machine_lists() {
  Description drive = describe<DriveSettings>(), input = describe<InputSettings>();
  const Description signal = describe<Signal>();
  input.name = "machine_input";
  for (Description* both : {&drive, &input})
    both->fields.insert(both->fields.begin(), signal.fields.begin(), signal.fields.end());
  Description controller = describe<Controller>();
  controller.fields.insert(controller.fields.end(), signal.fields.begin(), signal.fields.end());
  Description load = signal;
  load.name = "load";
  load.summary = "normal force of a contact that varies in time";
  return {describe<Body>(), drive, describe<ContactSettings>(), input, controller, load};
}

}  // namespace

const std::vector<CatalogueGroup>& catalogue() {
  static const std::vector<CatalogueGroup> all{
      {"models", "Friction laws ([model] name = ...)", of_registry(laws())},
      {"systems", "Systems ([system] name = ...)", of_registry(systems())},
      {"mechanisms", "Mechanisms ([mechanism] name = ...)", without_kind(all_mechanisms())},
      {"sections", "Other sections of a file", without_kind(other_sections())},
      {"machine",
       "Parts of machines ([[body]], [[drive]], [[coupling]], [[contact]], [[input]], "
       "[[controller]], "
       "[[load]])",
       without_kind(machine_lists())},
      {"couplings", "Couplings ([[coupling]] kind = ...)", of_registry(couplings())}};
  return all;
}

std::vector<CatalogueEntry> catalogue_entries(const std::string& name) {
  std::vector<CatalogueEntry> found;
  std::vector<std::string> names;
  for (const auto& group : catalogue())
    for (const auto& entry : group.entries) {
      names.push_back(entry.description.name);
      if (names.back() == name) found.push_back(entry);
    }
  if (!found.empty()) return found;
  for (const auto& others : {quantity_names(), column_names()})
    names.insert(names.end(), others.begin(), others.end());
  const std::string near = nearest(name, names);
  throw InputError("there is no model, system, mechanism, coupling, section, quantity or column '" +
                   name + "'" + (near.empty() ? "" : ", did you mean '" + near + "'?") +
                   " (bristle models lists all)");
}

}  // namespace bristle::io
