// SPDX-License-Identifier: MIT
// Quantities of a machine: of its columns, of the events of its contacts, of its ledger.
#include <algorithm>
#include <cmath>

#include "bristle/analysis/decay.hpp"
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
struct Window {
  std::vector<double> time, values;
};
Window window(const MachineResult& r, const Argument& a) {
  const auto* values = find_column(r, a.column);
  const auto* time = find_column(r, "time");
  Window inside;
  if (values) inside.time.reserve(values->size()), inside.values.reserve(values->size());
  for (std::size_t i = 0; values && time && i < std::min(time->size(), values->size()); ++i)
    if ((*time)[i] >= a.from && (*time)[i] <= a.to)
      inside.time.push_back((*time)[i]), inside.values.push_back((*values)[i]);
  return inside;
}

// What is taken of the range of a column.
template <class Take>
MachineQuantity of_range(const Take& take) {
  return {MachineQuantity::a_column, MachineQuantity::nowhere, true, "",
          [take](const Case&, const MachineResult& r, const Argument& a) -> Measured {
            const Window inside = window(r, a);
            return inside.values.empty() ? Measured{} : Measured(take(range_of(inside.values)));
          }};
}

// What is taken of the envelope of a column.
template <class Take>
MachineQuantity of_decay(const char* unit, const Take& take) {
  return {MachineQuantity::a_column, MachineQuantity::nowhere, true, unit,
          [take](const Case&, const MachineResult& r, const Argument& a) -> Measured {
            const Window inside = window(r, a);
            const Decay decay = find_decay(inside.time, inside.values);
            return decay.known() ? Measured(take(decay)) : Measured{};
          }};
}

// The size of a local extreme, counted from the first.
Measured extreme(const Case&, const MachineResult& r, const Argument& a) {
  const Window inside = window(r, a);
  return counted(find_decay(inside.time, inside.values, 0.0).size, a.number,
                 [](double size) { return size; });
}

// The part of the time in which a contact sticks, from its events.
Measured stick_fraction(const Case& c, const MachineResult& r, const Argument& a) {
  const int contact = contact_number(c, a.contact);
  const auto* time = find_column(r, "time");
  const auto* modes = find_column(r, a.contact + ".mode");
  if (contact < 0 || !time || time->empty() || !modes || modes->empty()) return {};
  // Bristles that only creep do not stick.
  if (!c.machine->contacts[std::size_t(contact)].tells_stick) return {};
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
      {"maximum", of_range([](const Range& range) { return range.most; })},
      {"minimum", of_range([](const Range& range) { return range.least; })},
      {"swing", of_range([](const Range& range) { return 0.5 * (range.most - range.least); })},
      {"extreme", {Q::a_column, Q::a_number, true, "", extreme}},
      {"decay", of_decay("",
                         [](const Decay& d) {
                           return std::string(d.exponential() ? "exponential" : "straight line");
                         })},
      {"decay_rate", of_decay("1/s", [](const Decay& d) { return d.rate; })},
      {"decay_fall", of_decay("/s", [](const Decay& d) { return d.fall; })},
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
