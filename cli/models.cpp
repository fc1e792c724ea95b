// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/units.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/system/rolling.hpp"
#include "commands.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

// An absent bound is null: JSON has no infinity.
ordered_json bound(double value) {
  return std::abs(value) >= largest ? ordered_json(nullptr) : ordered_json(value);
}

ordered_json as_json(const Description& d) {
  ordered_json j{{"name", d.name}, {"summary", d.summary}};
  j["fields"] = ordered_json::array();
  for (const auto& f : d.fields) {
    ordered_json one{{"name", f.name}, {"unit", f.unit}, {"meaning", f.meaning}};
    if (f.choices.empty()) {
      if (f.list) one["default"] = f.default_list, one["list"] = true;
      else one["default"] = f.default_value;
      one["lower"] = bound(f.bounds.lower);
      one["upper"] = bound(f.bounds.upper);
      one["lower_allowed"] = !f.bounds.open_below;
      one["usual"] = f.usual.limits() ? ordered_json{f.usual.smallest, f.usual.most} : nullptr;
    } else {
      one["default"] = f.default_text();
      one["choices"] = f.choices;
    }
    j["fields"].push_back(std::move(one));
  }
  return j;
}

void print(const Description& d, std::string_view kind) {
  fmt::print("{}{}\n  {}\n\n", d.name, kind.empty() ? "" : fmt::format(" ({})", kind), d.summary);
  for (const auto& f : d.fields)
    fmt::print("  {:<22} {:<12} {}\n  {:<22} {:<12}   {}{}\n", f.name, f.default_text(), f.meaning,
               "", f.unit.empty() ? "" : "[" + f.unit + "]", f.allowed(),
               f.usual.limits() ? ", " + f.usual_text() : "");
  fmt::print("\n");
}

const char* kind_of(const LawEntry& law) {
  if (law.set_valued) return "set-valued at rest";
  if (law.single) return "one state";
  const auto made = law.make({});
  const auto block = made->block(1) ? made->block(1) : made->block(2);
  return block->states() == 0 ? "no state" : block->states() == 1 ? "one state" : "several states";
}

std::string kind_of(const CouplingEntry& coupling) {
  if (coupling.joints > 0) return fmt::format("linkage of {} bodies", coupling.joints);
  return coupling.two_bodies ? "between two bodies" : "between two bodies or on one";
}

const char* kind_of(const SystemEntry& system) {
  return system.knows_no_time ? "operator" : "dynamic";
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
          describe<Roughness>(),  describe<io::SteadySweep>(),   describe<BodeSweep>(),
          describe<CurveShape>(), describe<MapShape>(),          describe<io::SurfaceSweep>(),
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

[[noreturn]] void refuse(const std::string& name) {
  std::vector<std::string> names;
  std::string all;
  for (const auto& law : laws()) names.push_back(law.description.name);
  for (const auto& system : systems()) names.push_back(system.description.name);
  for (const auto& d : all_mechanisms()) names.push_back(d.name);
  for (const auto& d : other_sections()) names.push_back(d.name);
  for (const auto& d : machine_lists()) names.push_back(d.name);
  for (const auto& coupling : couplings()) names.push_back(coupling.description.name);
  for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
  const std::string near = nearest(name, names);
  throw io::InputError("there is no model, system, mechanism, coupling or section '" + name + "'" +
                       (near.empty() ? "" : ", did you mean '" + near + "'?") +
                       " (there are: " + all + ")");
}

// What an [expect] or a [[figure]] may ask for.
int list_names(const std::vector<std::string>& names, bool json) {
  if (json) fmt::print("{}\n", ordered_json(names).dump(2));
  else
    for (const auto& name : names) fmt::print("{}\n", name);
  return 0;
}

// The units a column may be in, by quantity.
int list_units(bool json) {
  ordered_json all = ordered_json::array();
  for (const auto& q : io::quantities()) {
    if (!json) fmt::print("{}{}\n", q.name, q.unit.empty() ? "" : fmt::format(" [{}]", q.unit));
    for (const auto& text : io::usual_units()) {
      const io::Unit unit = *io::parse_unit(text);
      if (unit.dimension != q.dimension) continue;
      all.push_back(
          {{"unit", text}, {"quantity", q.name}, {"factor", unit.factor}, {"si", q.unit}});
      if (!json) fmt::print("  {:<8} {}\n", text, words(unit.factor));
    }
  }
  if (json) fmt::print("{}\n", all.dump(2));
  else
    fmt::print(
        "\nPrefixes n, u (or µ), m, c, k and M go with m, s, rad, N, Pa, A and V where they make "
        "sense;\nproducts and quotients of all these are units too: N mm, mm/s^2, kN/m, oz-in.\n");
  return 0;
}

int list(const std::string& name, bool json) {
  if (name == "units") return list_units(json);
  if (name == "quantities") return list_names(io::quantity_names(), json);
  if (name == "columns") return list_names(io::column_names(), json);
  if (json) {
    ordered_json models = ordered_json::array();
    for (const auto& law : laws()) {
      if (!name.empty() && law.description.name != name) continue;
      ordered_json one = as_json(law.description);
      one["kind"] = law.set_valued ? "set_valued" : "state";
      models.push_back(std::move(one));
    }
    ordered_json all{{"models", models}};
    for (const char* key : {"systems", "mechanisms", "sections", "couplings", "machine"})
      all[key] = ordered_json::array();
    const auto add = [&](const char* key, const Description& d) {
      if (name.empty() || d.name == name) all[key].push_back(as_json(d));
    };
    for (const auto& coupling : couplings()) add("couplings", coupling.description);
    for (const auto& d : machine_lists()) add("machine", d);
    for (const auto& system : systems()) {
      if (!name.empty() && system.description.name != name) continue;
      ordered_json one = as_json(system.description);
      one["kind"] = system.knows_no_time ? "operator" : "dynamic";
      all["systems"].push_back(std::move(one));
    }
    for (const auto& d : all_mechanisms()) add("mechanisms", d);
    for (const auto& d : other_sections()) add("sections", d);
    if (std::all_of(all.begin(), all.end(), [](const auto& list) { return list.empty(); }))
      refuse(name);
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  if (!name.empty()) {
    for (const auto& list : {all_mechanisms(), other_sections()})
      for (const auto& d : list)
        if (d.name == name) return print(d, ""), 0;
    // A law and a system may have one name.
    bool found = false;
    for (const auto& law : laws())
      if (law.description.name == name) print(law.description, kind_of(law)), found = true;
    for (const auto& system : systems())
      if (system.description.name == name) print(system.description, kind_of(system)), found = true;
    if (found) return 0;
    for (const auto& coupling : couplings())
      if (coupling.description.name == name)
        return print(coupling.description, kind_of(coupling)), 0;
    for (const auto& d : machine_lists())
      if (d.name == name) return print(d, ""), 0;
    refuse(name);
  }
  fmt::print("Models ([model] name = ...):\n");
  for (const auto& law : laws())
    fmt::print("  {:<18} {} ({})\n", law.description.name, law.description.summary, kind_of(law));
  fmt::print("\nSystems ([system] name = ...):\n");
  for (const auto& system : systems())
    fmt::print("  {:<18} {} ({})\n", system.description.name, system.description.summary,
               kind_of(system));
  fmt::print("\nMechanisms ([mechanism] name = ...):\n");
  for (const auto& d : all_mechanisms()) fmt::print("  {:<18} {}\n", d.name, d.summary);
  fmt::print("\nOther sections of a file:\n");
  for (const auto& d : other_sections()) fmt::print("  {:<18} {}\n", d.name, d.summary);
  fmt::print(
      "\nMachines are made of [[body]], [[drive]], [[coupling]], [[contact]] and [[input]]:\n");
  for (const auto& d : machine_lists()) fmt::print("  {:<18} {}\n", d.name, d.summary);
  fmt::print("\nCouplings ([[coupling]] kind = ...):\n");
  for (const auto& coupling : couplings())
    fmt::print("  {:<18} {} ({})\n", coupling.description.name, coupling.description.summary,
               kind_of(coupling));
  fmt::print(
      "\n`bristle models NAME` shows the fields of one of them, --json all of it; `bristle models "
      "quantities`\nlists what [expect] may ask for, `bristle models columns` what figures may "
      "draw, `bristle models units` the units of columns.\n");
  return 0;
}

}  // namespace

void add_models(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "models", "Show the friction laws, systems and parts of machines, and the fields of each");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option(
      "name", *name,
      "one model, system, mechanism, coupling or section, or quantities, columns or units; "
      "without, all are listed");
  command->add_flag("--json", *json, "names, units, defaults, bounds and meanings as JSON");
  command->footer("Examples:\n  bristle models\n  bristle models frbd\n  bristle models --json");
  command->callback([&action, name, json] { action = [=] { return list(*name, *json); }; });
}

}  // namespace bristle::cli
