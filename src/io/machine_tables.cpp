// SPDX-License-Identifier: MIT
#include "machine_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace bristle::io {
namespace {

// More lines than these cannot be distinguished.
constexpr std::size_t most_lines = 8, most_contacts = 6;

// "position" of "motor.position"
std::string behind_dot(const std::string& column) {
  const auto dot = column.rfind('.');
  return dot == std::string::npos ? column : column.substr(dot + 1);
}

// At most so many of a list, its first and last among them, at equal distances.
std::vector<std::string> some(const std::vector<std::string>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<std::string> few;
  for (std::size_t i = 0; i < most; ++i) few.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return few;
}

// Columns that end in `what`, one figure for each unit.
void add_over_time(std::vector<FigureSpec>& figures, const Machine& machine,
                   const std::string& what, const std::string& name) {
  std::map<std::string, std::vector<std::string>> by_unit;
  const auto& bodies = machine.parts().bodies;
  for (const Column& column : bristle::columns_of(machine))
    for (const auto& body : bodies)
      if (column.name == body.name + "." + what) by_unit[column.unit].push_back(column.name);
  for (const auto& [unit, columns] : by_unit) {
    const auto drawn = some(columns, most_lines);
    FigureSpec f;
    f.name = figures.empty() || figures.back().name != name ? name : name + "_2";
    f.y = drawn.front();
    f.with.assign(drawn.begin() + 1, drawn.end());
    figures.push_back(std::move(f));
  }
}

}  // namespace

std::string machine_events_csv(const Machine& machine, const MachineResult& result) {
  std::string text = "time,list,name,kind,before,after,force\n";
  const MachineParts& parts = machine.parts();
  for (const MachineEvent& e : result.events) {
    const bool contact = e.contact >= 0;
    const std::string name = contact           ? parts.contacts.at(std::size_t(e.contact)).name
                             : e.coupling >= 0 ? parts.couplings.at(std::size_t(e.coupling)).name
                                               : "";
    text += fmt::format("{},{},{},{},{},{},{}\n", e.time, contact ? "contact" : "coupling", name,
                        words(e.kind), e.before, e.after, e.force);
  }
  return text;
}

std::vector<FigureSpec> machine_figures(const Machine& machine) {
  std::vector<FigureSpec> figures;
  add_over_time(figures, machine, "position", "positions");
  add_over_time(figures, machine, "velocity", "velocities");
  std::vector<std::string> contacts;
  for (const auto& contact : machine.parts().contacts) contacts.push_back(contact.name);
  for (const auto& contact : some(contacts, most_contacts)) {
    // Of a contact in the plane the force on one axis over that on the other.
    const auto at = std::find(contacts.begin(), contacts.end(), contact) - contacts.begin();
    const bool planar = machine.contacts[std::size_t(at)].dimension == 2;
    FigureSpec f;
    f.name = "force_" + contact;
    f.x = contact + (planar ? ".force_1" : ".velocity");
    f.y = contact + (planar ? ".force_2" : ".force");
    figures.push_back(std::move(f));
  }
  return figures;
}

std::string machine_axis(const Case& c, const CaseResult& r, const FigureSpec& f) {
  const std::string label = axis_label(c, r, f.y), what = behind_dot(f.y);
  const bool alike = std::all_of(f.with.begin(), f.with.end(),
                                 [&](const std::string& y) { return behind_dot(y) == what; });
  if (f.with.empty() || !alike) return label;
  const auto unit = label.find(" [");
  return what + (unit == std::string::npos ? "" : label.substr(unit));
}

nlohmann::ordered_json contacts_json(const Case& c, const CaseResult& r) {
  auto all = nlohmann::ordered_json::object();
  for (const auto& contact : c.machine->parts().contacts) {
    auto& one = all[contact.name] = nlohmann::ordered_json::object();
    Argument asked;
    asked.contact = contact.name;
    asked.column = contact.name + ".work";
    for (const auto& [key, quantity] :
         {std::pair{"events", "events"}, {"stick_fraction", "stick_fraction"}, {"work", "final"}}) {
      const Measured m = measure(c, r, quantity, asked);
      if (const auto* number = std::get_if<double>(&m)) one[key] = *number;
    }
  }
  return all;
}

}  // namespace bristle::io
