// SPDX-License-Identifier: MIT
// Systems with an input and an output, operators among them, and their inverses.
#include "bristle/system/registry.hpp"
#include "interrupt.hpp"
#include "page.hpp"
#include "result_object.hpp"

namespace bristle::python {
namespace {

struct SystemObject {
  std::shared_ptr<const AnySystem> system;
};

py::list system_tables() {
  const auto& comments = io::page::header_comments();
  py::list all;
  for (const auto& entry : systems()) {
    py::dict table = table_of(entry.description);
    const auto comment = comments.find(entry.description.name);
    table["equations"] = comment == comments.end() ? "" : std::string(comment->second);
    table["rate_independent"] = entry.knows_no_time;
    all.append(table);
  }
  return all;
}

ResultObject respond(const SystemObject& object, Signal input, Options options,
                     py::object progress) {
  input.prepare(options.end);
  const auto run = interruptible(std::move(progress), [&](auto look) {
    options.progress = look;
    return std::make_shared<const SystemResponse>(object.system->respond(input, options));
  });
  ResultObject result{.owner = run, .columns = {}, .summary = {}, .has_ledger = false};
  result.columns = {{"time", "s", "time", &run->time},
                    {"input", "", "input of the system", &run->input},
                    {"output", "", "output of the system", &run->output},
                    {"area", "", "integral of the output over the input so far", &run->area}};
  if (!run->second.empty())
    result.columns.push_back(
        {std::string(object.system->second_name()), "", "second output", &run->second});
  result.summary.status = run->status;
  result.summary.message = run->message;
  result.summary.method = run->method;
  result.summary.counts.steps = run->steps;
  result.summary.counts.rejected = run->rejected;
  result.summary.counts.time = run->time.empty() ? 0.0 : run->time.back();
  result.summary.evaluations = run->evaluations;
  result.summary.seconds = run->seconds;
  return result;
}

py::array follow(const SystemObject& object, const py::object& inputs) {
  const auto given = numbers_from(inputs, "inputs");
  const auto outputs = [&] {
    const py::gil_scoped_release unlocked;
    return object.system->follow(given);
  }();
  return py::array_t<double>(py::ssize_t(outputs.size()), outputs.data());
}

}  // namespace

void bind_systems(py::module_& module) {
  py::class_<SystemObject>(module, "System")
      .def(py::init([](const std::string& name, const py::dict& values) {
        const SystemEntry& entry = find_system(name);
        return SystemObject{entry.make(values_from(values, entry.description))};
      }))
      .def("_values",
           [](const SystemObject& o) {
             return dict_of(o.system->values(), o.system->description());
           })
      .def("_inverse",
           [](const SystemObject& o) {
             const SystemModel model = o.system->inverse();
             return py::make_tuple(model.name,
                                   dict_of(model.values, find_system(model.name).description),
                                   model.exact);
           })
      .def("_respond", respond)
      .def("follow", follow, py::arg("inputs"),
           "The outputs for one input after the other, of a rate-independent system, from its\n"
           "states at the start.");
  module.def("system_tables", system_tables);
}

}  // namespace bristle::python
