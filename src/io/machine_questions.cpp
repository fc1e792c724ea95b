// SPDX-License-Identifier: MIT
// What the figures and facts of a file ask of a machine, checked before it is run.
#include <algorithm>

#include "bristle/io/errors.hpp"
#include "build_case.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

using Names = std::vector<std::string>;

void check_name(const std::string& where, const char* kind, const std::string& name,
                const Names& known) {
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError(where + ": " + not_found(kind, name, known));
}

Names event_names() {
  Names names;
  for (const EventKind kind : {EventKind::stick, EventKind::slip, EventKind::reversal,
                               EventKind::switched, EventKind::release})
    names.emplace_back(words(kind));
  return names;
}

Names contact_names(const Case& c) {
  Names names;
  for (const auto& contact : c.machine->parts().contacts) names.push_back(contact.name);
  return names;
}

// A quantity of a machine, with the column or the contact that it is asked with.
const MachineQuantity& check_quantity(const Case& c, const std::string& where,
                                      const std::string& who, const std::string& quantity,
                                      const std::string& column, const std::string& contact) {
  Names known;
  for (const auto& [name, one] : machine_quantities()) known.push_back(name);
  check_name(where, "quantity of a machine", quantity, known);
  using Q = MachineQuantity;
  const Q& q = machine_quantities().at(quantity);
  const auto refuse = [&](const std::string& why) {
    throw InputError(where + ": " + who + ": " + why);
  };
  if (q.of == Q::a_column && column.empty())
    refuse(quantity + " needs a column, such as column = \"" +
           c.machine->parts().bodies.front().name + ".position\"");
  if (q.of == Q::a_contact && contact.empty())
    refuse(quantity + " needs a contact, such as contact = \"bearing\"");
  if (q.of != Q::a_column && !column.empty()) refuse("column has no meaning for " + quantity);
  if (q.of != Q::a_contact && q.of != Q::events && !contact.empty())
    refuse("contact has no meaning for " + quantity);
  if (!column.empty()) check_name(where, "column", column, columns_of(c, {}));
  if (!contact.empty()) check_name(where, "contact", contact, contact_names(c));
  return q;
}

void check_fact(const Case& c, const Expectation& e) {
  const std::string who = "[expect] " + e.key;
  const auto unused = [&](const char* key, bool given) {
    if (given)
      throw InputError(e.where + ": " + who + ": " + key + " has no meaning for " + e.quantity);
  };
  const MachineQuantity& q = check_quantity(c, e.where, who, e.quantity, e.column, e.contact);
  if (!e.event.empty()) check_name(e.where, "event", e.event, event_names());
  unused("event", !e.event.empty() && q.of != MachineQuantity::events);
  if (q.at == MachineQuantity::a_time && !e.has_argument)
    throw InputError(e.where + ": " + who + ": " + e.quantity + " needs a time");
  if (q.at == MachineQuantity::a_number && !e.has_argument)
    throw InputError(e.where + ": " + who + ": " + e.quantity + " needs a number, counted from 1");
  unused("time or number", e.has_argument && q.at == MachineQuantity::nowhere);
  unused("from or to", !q.windowed && (e.from || e.to));
  if (e.from && e.to && !(*e.from < *e.to))
    throw InputError(e.where + ": " + who + ": to = " + words(*e.to) +
                     " s must be greater than from = " + words(*e.from) + " s");
  const bool timed = q.at == MachineQuantity::a_time;
  const double last = timed ? e.argument : e.to.value_or(e.from.value_or(0.0));
  if (last > c.options.end)
    throw InputError(e.where + ": " + who + " asks for " + words(last) + " s, the run ends at " +
                     words(c.options.end) + " s");
}

void check_figure(const Case& c, const FigureSpec& f) {
  const std::string who = "figure '" + f.name + "'";
  const auto known = columns_of(c, {});
  for (const auto& [column, where] : f.places) check_name(where, "column", column, known);
  for (const auto& [key, given] : {std::pair{"equilibria", f.equilibria},
                                   {"mean", f.mean},
                                   {"peaks", f.peaks},
                                   {"fit", !f.fit.empty()}})
    if (given)
      throw InputError(f.where + ": " + who + ": " + key + " has no meaning for a machine");
  if (!f.sweeps.empty()) {
    check_quantity(c, f.where, who, f.quantity, f.column, f.contact);
    if (!f.over.empty())
      throw InputError(f.where + ": " + who + ": over has no meaning for a machine");
    return;
  }
  if (f.spectrum.empty() && std::find(known.begin(), known.end(), f.y) == known.end())
    throw InputError(f.where + ": " + who + " needs y, a column such as \"" +
                     c.machine->parts().bodies.front().name + ".position\"");
  if (f.section && !(c.beat > 0.0))
    throw InputError(f.where + ": " + who +
                     ": a section needs drives and inputs of one common period");
}

}  // namespace

void check_questions(const Case& c, const std::vector<FigureSpec>& figures) {
  if (c.kind == CaseKind::machine) {
    for (const auto& e : c.expectations) check_fact(c, e);
    for (const auto& f : figures) check_figure(c, f);
    return;
  }
  const auto refuse = [](const std::string& where, const std::string& who, const char* key,
                         bool given) {
    if (given)
      throw InputError(where + ": " + who + ": " + key +
                       " has no meaning without a machine, that is without a [[body]]");
  };
  for (const auto& e : c.expectations) {
    refuse(e.where, "[expect] " + e.key, "column", !e.column.empty());
    refuse(e.where, "[expect] " + e.key, "contact", !e.contact.empty());
    refuse(e.where, "[expect] " + e.key, "event", !e.event.empty());
    refuse(e.where, "[expect] " + e.key, "from or to", e.from || e.to);
  }
  for (const auto& f : figures) {
    refuse(f.where, "figure '" + f.name + "'", "column", !f.column.empty());
    refuse(f.where, "figure '" + f.name + "'", "contact", !f.contact.empty());
  }
}

}  // namespace bristle::io
