// SPDX-License-Identifier: MIT
// Loads that gears carry to contacts.
#include "bristle/machine/machine.hpp"

namespace bristle {

// The load that a gear carries to a contact. Both bodies share one coordinate, so that what acts on
// the second body is known from the motion of the contact.
void Machine::add_carried() {
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const ContactPart& part = parts_.contacts[c];
    if (part.load_from.empty()) continue;
    const auto refuse = [&](const std::string& sentence) {
      throw InvalidPart("contact", c, "load_from", "contact: " + sentence);
    };
    const CouplingPart* gear = nullptr;
    std::vector<std::string> known;
    for (const auto& one : parts_.couplings) {
      if (one.coupling->kind() != AnyCoupling::Kind::rigid) continue;
      known.push_back(one.name);
      if (one.name == part.load_from) gear = &one;
    }
    if (!gear) refuse(not_found("gear", part.load_from, known));
    Contact& contact = contacts[c];
    const std::string law(part.law->name());
    if (!part.law->signed_load() || !contact.set_valued || contact.block)
      refuse(law + " cannot take its load from a gear, whose load changes its sign; " +
             "use gear_friction");
    if (contact.load_part >= 0) refuse("\"" + part.name + "\" has a [[load]] as well");
    const bool alone = part.path.of.size() <= 2 && part.path.of[0].first == gear->between[0] &&
                       part.path.of[0].second == 1.0 &&
                       (part.path.of.size() == 1 || part.path.of[1].first == ground);
    if (!alone)
      refuse("\"" + part.name + "\" takes its load from \"" + gear->name +
             "\", so it must be on the first body of that gear, \"" + gear->between[0] + "\"");
    const int line = contact.line, coordinate = lines[std::size_t(line)].coordinates[0].index;
    const double weight = lines[std::size_t(line)].coordinates[0].weight;
    for (std::size_t other = 0; other < lines.size(); ++other)
      for (const auto& term : lines[other].coordinates)
        if (int(other) != line && term.index == coordinate)
          refuse("another contact acts on \"" + gear->between[0] + "\" or \"" + gear->between[1] +
                 "\", whose gear gives the load of \"" + part.name + "\"");
    const std::string& far = gear->between[1];
    for (const auto& one : parts_.couplings)
      if (one.coupling->kind() == AnyCoupling::Kind::rigid && &one != gear &&
          (one.between[0] == far || one.between[1] == far))
        refuse("\"" + far + "\", beyond the gear, has another gear");
    Carried carries;
    for (std::size_t i = 0; i < parts_.bodies.size(); ++i) {
      if (parts_.bodies[i].name != far) continue;
      const double factor = weight_of_[i] / weight;
      carries.inertia = parts_.bodies[i].body.inertia * factor * factor;
      for (std::size_t k = 0; k < parts_.inputs.size(); ++k)
        if (parts_.inputs[k].on == far) carries.inputs.push_back({k, factor});
    }
    for (std::size_t k = 0; k < parts_.controllers.size(); ++k)
      if (parts_.controllers[k].on == far)
        refuse("a controller acts on \"" + far + "\", beyond the gear");
    for (const auto& one : linear)
      if (const auto& ends = parts_.couplings[one.part].between; ends[0] == far || ends[1] == far)
        refuse("the " + std::string(parts_.couplings[one.part].coupling->name()) + " \"" +
               parts_.couplings[one.part].name + "\" acts on \"" + far + "\", beyond the gear");
    for (std::size_t k = 0; k < others.size(); ++k) {
      const auto& ends = parts_.couplings[others[k].part].between;
      if (ends[0] != far && ends[1] != far) continue;
      if (others[k].row.coordinates.size() != 1 || !others[k].row.drives.empty())
        refuse("\"" + parts_.couplings[others[k].part].name + "\" couples \"" + far +
               "\", beyond the gear, with something that moves");
      carries.others.push_back({k, others[k].row.coordinates[0].weight / weight});
    }
    carries.per_force = carries.inertia * weight * weight / inertia[std::size_t(coordinate)];
    contact.carried = int(carried.size());
    carried.push_back(std::move(carries));
    only_fixed = "has a load that \"" + gear->name + "\" carries at \"" + part.name + "\"";
  }
}

}  // namespace bristle
