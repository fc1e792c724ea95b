// SPDX-License-Identifier: MIT
// From the parts of a machine in a file to the machine.
#include "bristle/solve/machine_run.hpp"
#include "build_case.hpp"
#include "section_values.hpp"

namespace bristle::io {
namespace {

// The values of a section that are fields of the table, or all others.
Values part_of(const Section& section, const Description& table, bool inside) {
  Values values;
  for (const auto& [key, entry] : section) {
    const bool own =
        std::any_of(table.fields.begin(), table.fields.end(),
                    [&name = key](const FieldInfo& field) { return field.name == name; });
    if (own == inside) values[key] = entry.value;
  }
  return values;
}

// The word by which a part chooses what it is: the kind of a coupling, the law of a contact.
std::string choice_of(const Section& section, const MachineEntry& entry, const std::string& key,
                      const std::string& example) {
  std::string word = text_of(section, key, "");
  if (word.empty())
    throw InputError(entry.where + ": [[" + entry.list + "]] '" + entry.name + "' needs a " + key +
                     ", such as " + example);
  return word;
}

class Builder {
 public:
  Builder(const Sections& sections, const std::string& path, Attachments& attachments)
      : sections_(sections), path_(path), attachments_(attachments) {}

  void add(const MachineEntry& entry, MachineParts& parts) {
    const Section& section = sections_.at(entry.section());
    if (entry.list == "body") add_body(entry, section, parts);
    else if (entry.list == "drive") add_drive(entry, section, parts);
    else if (entry.list == "coupling") add_coupling(entry, section, parts);
    else if (entry.list == "contact") add_contact(entry, section, parts);
    else if (entry.list == "controller") add_controller(entry, section, parts);
    else if (entry.list == "load")
      parts.loads.push_back({entry.name, entry.ends[0].first, signal(entry, {"N"})});
    else add_input(entry, section, parts);
  }

 private:
  Signal signal(const MachineEntry& entry, std::vector<std::string> units,
                std::vector<FieldInfo> others = {}) {
    return read_signal(sections_.at(entry.section()),
                       {path_, entry.where, end_of(sections_), std::move(units), std::move(others)},
                       attachments_);
  }

  void add_body(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const Body body = located(section, entry.where, [&] { return make<Body>(values_of(section)); });
    if (!section.contains("inertia"))
      throw InputError(
          entry.where + ": [[body]] '" + entry.name +
          "' needs its inertia, such as inertia = 1.0 [kg or kg m2], or 0.0 for one to "
          "which a linkage gives inertia");
    parts.bodies.push_back({entry.name, body});
  }

  void add_drive(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const Description own = describe<DriveSettings>();
    DrivePart part{entry.name};
    part.settings = located(section, entry.where,
                            [&] { return make<DriveSettings>(part_of(section, own, true)); });
    const std::vector<std::string> units = part.by_velocity()
                                               ? std::vector<std::string>{"m/s", "rad/s"}
                                               : std::vector<std::string>{"m", "rad"};
    part.signal = signal(entry, units, own.fields);
    parts.drives.push_back(std::move(part));
  }

  void add_coupling(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const std::string kind = choice_of(section, entry, "kind", "kind = \"spring_damper\"");
    auto coupling = located(section, entry.where, [&] {
      const CouplingEntry& found = find_coupling(kind);
      if (found.two_bodies && entry.ends_key == "on")
        throw InvalidInput("on", "coupling: " + kind + " joins " +
                                     (found.joints > 2 ? "several" : "two") +
                                     " bodies, write between = [\"NAME\", \"OTHER\"]");
      return found.make(values_of(section, {"kind"}));
    });
    CouplingPart part{entry.name, {}, std::move(coupling)};
    for (const auto& end : entry.ends) part.between.push_back(end.first);
    parts.couplings.push_back(std::move(part));
  }

  void add_contact(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const std::string law =
        choice_of(section, entry, "law", "law = { name = \"coulomb\", coulomb_force = 1.0 }");
    const Description own = describe<ContactSettings>();
    const LawEntry* found = nullptr;
    try {
      found = &find_law(law);
    } catch (const InvalidInput& error) {
      throw InputError(section.at("law").where + ": " + error.what());
    }
    Values values = part_of(section, own, false);
    values.erase("law");
    ContactPart part{entry.name, MotionPath{entry.ends}, nullptr};
    part.across.of = entry.across;
    part.law = located(section, entry.where, [&] {
      // What is no field of the law may have been meant for the contact.
      Description both = found->description;
      both.fields.insert(both.fields.end(), own.fields.begin(), own.fields.end());
      refuse_unknown(both, values);
      return found->make(values);
    });
    part.settings = located(section, entry.where,
                            [&] { return make<ContactSettings>(part_of(section, own, true)); });
    parts.contacts.push_back(std::move(part));
  }

  void add_input(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const Description own = describe<InputSettings>();
    // With a gain the signal may be a voltage, a current or a pressure.
    std::vector<std::string> units;
    if (!section.contains("gain")) units = {"N", "N m"};
    InputPart part{entry.name, entry.ends[0].first, signal(entry, units, own.fields)};
    part.settings = located(section, entry.where,
                            [&] { return make<InputSettings>(part_of(section, own, true)); });
    parts.inputs.push_back(std::move(part));
  }

  // The fields of the controller and of the signal it follows stand in one table.
  void add_controller(const MachineEntry& entry, const Section& section, MachineParts& parts) {
    const Description own = describe<Controller>();
    if (!section.contains("shape") && !section.contains("file"))
      throw InputError(entry.where + ": [[controller]] '" + entry.name +
                       "' needs a reference to follow, such as shape = \"ramp\" with offset = 0.1 "
                       "for a constant one");
    auto others = own.fields;
    others.push_back({.name = "reads"});
    ControllerPart part{entry.name, text_of(section, "reads", entry.ends[0].first),
                        entry.ends[0].first};
    part.reference = signal(entry, {}, others);
    part.controller = located(section, entry.where,
                              [&] { return make<Controller>(part_of(section, own, true)); });
    parts.controllers.push_back(std::move(part));
  }

  const Sections& sections_;
  const std::string& path_;
  Attachments& attachments_;
};

// The line of what the machine refuses: of the field, of the bodies, or of the whole entry.
std::string place_of(const InvalidPart& error, const Sections& sections,
                     const std::vector<MachineEntry>& entries, const std::string& path) {
  std::size_t index = 0;
  for (const auto& entry : entries) {
    if (entry.list != error.list || index++ != error.index) continue;
    const Section& section = sections.at(entry.section());
    if (const auto at = section.find(error.field); at != section.end()) return at->second.where;
    if (error.field == "name" && !entry.name_where.empty()) return entry.name_where;
    const bool ends = error.field == "on" || error.field == "between" || error.field == "of";
    return ends ? entry.ends_where : entry.where;
  }
  return path;
}

// The common period of all signals that have one, 0 if they differ.
double common_period(const MachineParts& parts) {
  double period = 0.0;
  bool same = true;
  const auto look = [&](const Signal& signal) {
    const double one = signal.period();
    if (one > 0.0 && period > 0.0 && one != period) same = false;
    if (one > 0.0) period = one;
  };
  for (const auto& drive : parts.drives) look(drive.signal);
  for (const auto& input : parts.inputs) look(input.signal);
  for (const auto& controller : parts.controllers) look(controller.reference);
  for (const auto& load : parts.loads) look(load.load);
  return same ? period : 0.0;
}

}  // namespace

void build_machine(Case& c, const Sections& sections, const std::vector<MachineEntry>& entries,
                   const std::string& path) {
  c.kind = CaseKind::machine;
  std::set<std::string> read{"solve"};
  for (const auto& entry : entries) read.insert(entry.section());
  refuse_others(sections, read, "beside a [[body]]");
  c.options = located(sections.at("solve"), path + ": [solve]",
                      [&] { return make<Options>(values_of(sections.at("solve"))); });
  MachineParts parts;
  Builder builder(sections, path, c.attachments);
  for (const auto& entry : entries) builder.add(entry, parts);
  c.period = c.beat = common_period(parts);
  try {
    c.machine = std::make_shared<const Machine>(std::move(parts));
    check_loads(*c.machine, c.options.end);
  } catch (const InvalidPart& error) {
    throw InputError(place_of(error, sections, entries, path) + ": " + error.what());
  }
}

}  // namespace bristle::io
