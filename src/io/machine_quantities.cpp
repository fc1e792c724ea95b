// SPDX-License-Identifier: MIT
// Quantities of a machine: of its columns, of the events of its contacts, of its ledger.
#include <algorithm>
#include <cmath>

#include "bristle/analysis/loop.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

const std::vector<double>* find_column(const MachineResult& r, const std::string& name) {
  for (const Column& one : r.columns)
    if (one.name == name) return &one.values;
  return nullptr;
}

// The number of a contact, -1 if there is none of that name.
int contact_number(const Case& c, const std::string& name) {
  const auto& all = c.machine->parts().contacts;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return int(i);
  return -1;
}

// The events of a contact (of all parts without one) in the part of the run, of one kind if it is
// given.
std::vector<const MachineEvent*> events_of(const Case& c, const MachineResult& r,
                                           const Argument& a) {
  std::vector<const MachineEvent*> all;
  const int contact = a.contact.empty() ? -1 : contact_number(c, a.contact);
  for (const MachineEvent& e : r.events)
    if ((a.contact.empty() || e.contact == contact) &&
        (a.event.empty() || words(e.kind) == a.event) && e.time >= a.from && e.time <= a.to)
      all.push_back(&e);
  return all;
}

Measured at_time(const Case&, const MachineResult& r, const Argument& a) {
  const auto* values = find_column(r, a.column);
  const auto* time = find_column(r, "time");
  if (!values || !time || time->empty() || a.number < time->front() || a.number > time->back())
    return {};
  return sample_at(*time, *values, a.number);
}

// The samples of a column in the part of the run that is asked for.
std::vector<double> window(const MachineResult& r, const Argument& a) {
  const auto* values = find_column(r, a.column);
  const auto* time = find_column(r, "time");
  std::vector<double> inside;
  for (std::size_t i = 0; values && time && i < std::min(time->size(), values->size()); ++i)
    if ((*time)[i] >= a.from && (*time)[i] <= a.to) inside.push_back((*values)[i]);
  return inside;
}

Measured extreme(const MachineResult& r, const Argument& a, double Range::*end) {
  const auto inside = window(r, a);
  return inside.empty() ? Measured{} : Measured(range_of(inside).*end);
}

// The part of the time in which a contact sticks, from its events.
Measured stick_fraction(const Case& c, const MachineResult& r, const Argument& a) {
  const int contact = contact_number(c, a.contact);
  const auto* time = find_column(r, "time");
  const auto* modes = find_column(r, a.contact + ".mode");
  if (contact < 0 || !time || time->empty() || !modes || modes->empty()) return {};
  const double from = std::max(a.from, time->front()), to = std::min(a.to, time->back());
  if (!(from < to)) return {};
  // Before its first event the contact has the mode from which that one leads away.
  std::vector<const MachineEvent*> events;
  for (const MachineEvent& e : r.events)
    if (e.contact == contact) events.push_back(&e);
  double mode = events.empty() ? modes->front() : events.front()->before;
  double at = from, stuck = 0.0;
  for (const MachineEvent* e : events) {
    const double next = std::clamp(e->time, from, to);
    if (mode == 0.0) stuck += std::max(0.0, next - at);
    at = std::max(at, next);
    mode = e->after;
  }
  if (mode == 0.0) stuck += std::max(0.0, to - at);
  return stuck / (to - from);
}

// From the last but one to the last time that a contact breaks away in one direction.
Measured period(const Case& c, const MachineResult& r, Argument a) {
  a.event.clear();
  std::vector<const MachineEvent*> slips;
  for (const MachineEvent* e : events_of(c, r, a))
    if (e->before == 0.0 && e->after != 0.0) slips.push_back(e);
  for (std::size_t i = slips.size(); i-- > 1;)
    if (slips[i - 1]->after == slips.back()->after) return slips.back()->time - slips[i - 1]->time;
  return {};
}

Measured event_number(const Case& c, const MachineResult& r, const Argument& a,
                      double MachineEvent::*member) {
  return counted(events_of(c, r, a), a.number, [&](const MachineEvent* e) { return e->*member; });
}

}  // namespace

const std::map<std::string, MachineQuantity>& machine_quantities() {
  using Q = MachineQuantity;
  static const std::map<std::string, Q> all{
      {"column", {Q::a_column, Q::a_time, false, "", at_time}},
      {"maximum",
       {Q::a_column, Q::nowhere, true, "",
        [](const Case&, const MachineResult& r, const Argument& a) {
          return extreme(r, a, &Range::most);
        }}},
      {"minimum",
       {Q::a_column, Q::nowhere, true, "",
        [](const Case&, const MachineResult& r, const Argument& a) {
          return extreme(r, a, &Range::least);
        }}},
      {"final",
       {Q::a_column, Q::nowhere, false, "",
        [](const Case&, const MachineResult& r, const Argument& a) -> Measured {
          const auto* values = find_column(r, a.column);
          return values && !values->empty() ? Measured(values->back()) : Measured{};
        }}},
      {"events",
       {Q::events, Q::nowhere, true, "",
        [](const Case& c, const MachineResult& r, const Argument& a) -> Measured {
          return double(events_of(c, r, a).size());
        }}},
      {"event_time",
       {Q::events, Q::a_number, true, "s",
        [](const Case& c, const MachineResult& r, const Argument& a) {
          return event_number(c, r, a, &MachineEvent::time);
        }}},
      {"event_force",
       {Q::events, Q::a_number, true, "",
        [](const Case& c, const MachineResult& r, const Argument& a) {
          return event_number(c, r, a, &MachineEvent::force);
        }}},
      {"stick_fraction", {Q::a_contact, Q::nowhere, true, "", stick_fraction}},
      {"period", {Q::a_contact, Q::nowhere, true, "s", period}},
      {"work_in",
       {Q::the_run, Q::nowhere, false, "J",
        [](const Case&, const MachineResult& r, const Argument&) -> Measured {
          return r.summary.ledger.work_in;
        }}},
      {"dissipated",
       {Q::the_run, Q::nowhere, false, "J",
        [](const Case&, const MachineResult& r, const Argument&) -> Measured {
          return r.summary.ledger.dissipated;
        }}},
      {"ledger_error",
       {Q::the_run, Q::nowhere, false, "",
        [](const Case&, const MachineResult& r, const Argument&) -> Measured {
          return r.summary.ledger.relative_error;
        }}}};
  return all;
}

}  // namespace bristle::io
