// SPDX-License-Identifier: MIT
#include "result_object.hpp"

namespace bristle::python {
namespace {

py::array copy_of(const std::vector<double>& values) {
  return py::array_t<double>(py::ssize_t(values.size()), values.data());
}

// A column of the events: one number or word of each.
template <class Events, class Pick>
py::object picked(const Events& events, const Pick& pick) {
  if constexpr (std::is_convertible_v<decltype(pick(events[0])), double>) {
    std::vector<double> values;
    for (const auto& event : events) values.push_back(pick(event));
    return copy_of(values);
  } else {
    py::list values;
    for (const auto& event : events) values.append(py::str(std::string(pick(event))));
    return values;
  }
}

py::dict ledger_of(const Ledger& ledger) {
  py::dict all;
  all["work_in"] = ledger.work_in;
  all["friction_work"] = ledger.friction_work;
  all["dissipated"] = ledger.dissipated;
  all["stored_change"] = ledger.stored_change;
  all["closing_error"] = ledger.closing_error;
  all["relative_error"] = ledger.relative_error;
  all["closes"] = ledger.closes;
  return all;
}

py::dict summary_of(const Summary& summary) {
  py::dict all;
  all["status"] = std::string(words(summary.status));
  all["message"] = summary.message;
  all["warning"] = summary.warning;
  all["method"] = summary.method;
  all["steps"] = summary.counts.steps;
  all["rejected"] = summary.counts.rejected;
  all["events"] = summary.counts.events;
  all["evaluations"] = summary.evaluations;
  all["seconds"] = summary.seconds;
  all["error_estimate"] = summary.error_estimate;
  if (summary.global_error >= 0.0) all["global_error"] = summary.global_error;
  all["time_reached"] = summary.counts.time;
  all["releases"] = summary.releases;
  all["released_energy"] = summary.released_energy;
  return all;
}

const ResultObject::Column& find_column(const ResultObject& result, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& column : result.columns) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  throw InvalidInput("column", not_found("column", name, names));
}

}  // namespace

ResultObject result_of(const std::shared_ptr<const Simulation>& run) {
  const Trajectory& t = run->trajectory;
  ResultObject result{.owner = run, .columns = {}, .summary = run->summary, .trajectory = &t};
  result.columns = {{"time", "s", "time", &t.time},
                    {"input", t.input_unit, t.input_name, &t.input},
                    {"position", "m", "position of the body", &t.position},
                    {"velocity", "m/s", "velocity of the body", &t.velocity},
                    {"state", "", "state of the law", &t.state},
                    {"force", "N", "friction", &t.force},
                    {"mode", "", "1 slides forward, -1 backward, 0 sticks", &t.mode},
                    {"work_in", "J", "delivered by the drive so far", &t.work_in},
                    {"dissipated", "J", "lost so far", &t.dissipated},
                    {"stored", "J", "in masses, springs and bristles now", &t.stored}};
  if (!t.height.empty())
    result.columns.push_back({"height", "m", "height of a body that bristles carry", &t.height});
  result.events = [&t] {
    py::dict all;
    all["time"] = picked(t.events, [](const Event& e) { return e.time; });
    all["kind"] = picked(t.events, [](const Event& e) { return words(e.kind); });
    all["position"] = picked(t.events, [](const Event& e) { return e.position; });
    all["velocity"] = picked(t.events, [](const Event& e) { return e.velocity; });
    all["force"] = picked(t.events, [](const Event& e) { return e.force; });
    all["energy"] = picked(t.events, [](const Event& e) { return e.energy; });
    return all;
  };
  return result;
}

ResultObject result_of(const std::shared_ptr<const MachineResult>& run, const Machine& machine) {
  ResultObject result{.owner = run, .columns = {}, .summary = run->summary};
  for (const Column& column : run->columns)
    result.columns.push_back({column.name, column.unit, column.meaning, &column.values});
  // The names are kept beside the run: the machine may be gone when the events are asked for.
  std::vector<std::string> contacts, couplings;
  for (const auto& one : machine.parts().contacts) contacts.push_back(one.name);
  for (const auto& one : machine.parts().couplings) couplings.push_back(one.name);
  result.events = [&events = run->events, contacts, couplings] {
    const auto name = [&](const MachineEvent& e) -> std::string {
      return e.contact >= 0    ? contacts.at(std::size_t(e.contact))
             : e.coupling >= 0 ? couplings.at(std::size_t(e.coupling))
                               : "";
    };
    py::dict all;
    all["time"] = picked(events, [](const MachineEvent& e) { return e.time; });
    all["kind"] = picked(events, [](const MachineEvent& e) { return words(e.kind); });
    all["name"] = picked(events, name);
    all["before"] = picked(events, [](const MachineEvent& e) { return e.before; });
    all["after"] = picked(events, [](const MachineEvent& e) { return e.after; });
    all["force"] = picked(events, [](const MachineEvent& e) { return e.force; });
    return all;
  };
  return result;
}

void bind_result(py::module_& module) {
  py::class_<ResultObject>(module, "Result")
      .def("column",
           [](const py::object& self, const std::string& name) {
             const auto& result = self.cast<const ResultObject&>();
             return view_of(*find_column(result, name).values, self);
           })
      .def("table",
           [](const ResultObject& result) {
             py::list all;
             for (const auto& column : result.columns)
               all.append(py::make_tuple(column.name, column.unit, column.meaning));
             return all;
           })
      .def("events",
           [](const ResultObject& result) { return result.events ? result.events() : py::dict(); })
      .def("summary", [](const ResultObject& result) { return summary_of(result.summary); })
      .def("ledger",
           [](const ResultObject& result) -> py::object {
             if (!result.has_ledger) return py::none();
             return ledger_of(result.summary.ledger);
           })
      .def_property_readonly("ok", [](const ResultObject& result) { return result.summary.ok(); })
      .def_property_readonly("message",
                             [](const ResultObject& result) { return result.summary.message; });
}

}  // namespace bristle::python
