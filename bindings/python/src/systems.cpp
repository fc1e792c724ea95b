// SPDX-License-Identifier: MIT
// Systems with an input and an output, operators among them, and their inverses.
#include "bristle/analysis/fit_stops.hpp"
#include "bristle/analysis/io_map.hpp"
#include "bristle/system/operators.hpp"
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

// Asks a question about maps without the interpreter's lock; Ctrl-C stops it.
template <class Ask>
auto ask(py::object progress, const Ask& question) {
  return interruptible(std::move(progress), [&](auto look) {
    MapOptions options;
    options.progress = look;
    return question(options);
  });
}

py::dict map_of(const SystemObject& object, const Signal& input, py::object progress) {
  const PeriodicMap m = ask(std::move(progress), [&](const MapOptions& options) {
    return periodic_map(*object.system, input, options);
  });
  py::dict all;
  all["input"] = array_of(m.input);
  all["output"] = array_of(m.output);
  all["area"] = m.area;
  all["height"] = m.height;
  all["closing_error"] = m.closing_error;
  all["periods"] = m.periods;
  all["closed"] = m.closed;
  return all;
}

py::dict properties_of(const SystemObject& object, const Signal& input, py::object progress) {
  const MapProperties p = ask(std::move(progress), [&](const MapOptions& options) {
    return properties(*object.system, input, options);
  });
  const auto answer = [](Answer a) -> py::object {
    if (a == Answer::unknown) return py::none();
    return py::bool_(a == Answer::yes);
  };
  py::dict all;
  all["hysteretic"] = answer(p.hysteretic);
  all["rate_dependent"] = answer(p.rate_dependent);
  all["local_memory"] = answer(p.local_memory);
  all["return_point"] = answer(p.return_point);
  all["congruent"] = answer(p.congruent);
  return all;
}

// A Prandtl-Ishlinskii model from one measured run: plays for a loop that is run through
// counterclockwise, stops beside a spring for a clockwise one.
py::tuple fit_operator(const py::object& input, const py::object& output, int elements,
                       bool clockwise, bool asymmetric) {
  const MeasuredRun run{numbers_from(input, "input"), numbers_from(output, "output")};
  const auto fitted = [&]() -> PlayFit {
    const py::gil_scoped_release unlocked;
    if (clockwise) return fit_stops({&run, 1}, {.stops = elements});
    return fit_plays({&run, 1}, {.plays = elements, .asymmetric = asymmetric});
  }();
  PlaysModel m;
  m.direct = fitted.model.direct;
  m.thresholds = fitted.model.thresholds;
  m.weights = fitted.model.weights;
  m.scale = fitted.model.envelope.scale;
  m.rate = fitted.model.envelope.rate;
  m.shift = fitted.model.envelope.shift;
  m.level = fitted.model.envelope.level;
  m.offset = fitted.model.offset;
  m.states = fitted.starts[0];
  const FitQuality& q = fitted.quality;
  py::dict quality;
  quality["rmse"] = q.rms;
  quality["line_rmse"] = q.line_rms;
  quality["r2"] = q.r_squared;
  quality["explains"] = q.explains();
  quality["why_not"] = q.why_not();
  const Description description = find_system(std::string(PlaysModel::name)).description;
  return py::make_tuple(std::string(PlaysModel::name), dict_of(values_of(m), description), quality);
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
      .def("_map", map_of)
      .def("_properties", properties_of)
      .def("follow", follow, py::arg("inputs"),
           "The outputs for one input after the other, of a rate-independent system, from its\n"
           "states at the start.");
  module.def("system_tables", system_tables);
  module.def("fit_operator", fit_operator);
}

}  // namespace bristle::python
