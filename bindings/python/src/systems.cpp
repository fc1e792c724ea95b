// SPDX-License-Identifier: MIT
// Systems with an input and an output, operators among them, and their inverses.
#include <cmath>

#include "bristle/analysis/fit_relays.hpp"
#include "bristle/analysis/fit_stops.hpp"
#include "bristle/analysis/round_trip.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/model_file.hpp"
#include "bristle/system/registry.hpp"
#include "interrupt.hpp"
#include "machine_source.hpp"
#include "map_dicts.hpp"
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
  return dict_of(ask(std::move(progress), [&](const MapOptions& options) {
    return periodic_map(*object.system, input, options);
  }));
}

py::dict properties_of(const SystemObject& object, const Signal& input, py::object progress) {
  return dict_of(ask(std::move(progress), [&](const MapOptions& options) {
    return properties(*object.system, input, options);
  }));
}

py::dict quality_dict(const FitQuality& q) {
  py::dict quality;
  quality["rmse"] = q.rms;
  quality["line_rmse"] = q.line_rms;
  quality["r2"] = q.r_squared;
  quality["explains"] = q.explains();
  quality["why_not"] = q.why_not();
  return quality;
}

// Runs as pairs of arrays.
std::vector<MeasuredRun> runs_from(const py::list& given) {
  std::vector<MeasuredRun> runs;
  for (const auto& one : given) {
    const auto pair = py::cast<py::tuple>(one);
    runs.push_back({numbers_from(pair[0], "input"), numbers_from(pair[1], "output")});
  }
  return runs;
}

// A Prandtl-Ishlinskii model from measured runs: plays for loops that are run through
// counterclockwise, stops beside a spring for clockwise ones.
py::tuple fit_operator(const py::list& given, int elements, bool clockwise, bool asymmetric) {
  const auto runs = runs_from(given);
  const PlayFit fitted = watched(py::none(), [&](auto) -> PlayFit {
    if (clockwise) return fit_stops(runs, {.stops = elements});
    return fit_plays(runs, {.plays = elements, .asymmetric = asymmetric});
  });
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
  const std::string name(PlaysModel::name);
  return py::make_tuple(name, dict_of(values_of(m), find_system(name).description),
                        quality_dict(fitted.quality));
}

// A Preisach operator of relays on levels.
py::tuple fit_preisach(const py::list& given, int levels, bool even) {
  if (levels < 2 || levels > 60)
    throw InvalidInput("levels", "levels = " + std::to_string(levels) +
                                     " is not allowed, it must be at least 2 and at most 60");
  const auto runs = runs_from(given);
  const RelayFit fitted =
      watched(py::none(), [&](auto) { return fit_relays(runs, {.levels = levels, .even = even}); });
  const std::string name(PreisachModel::name);
  return py::make_tuple(name, dict_of(values_of(fitted.model), find_system(name).description),
                        quality_dict(fitted.quality));
}

// The first system of a file, or that of a case; its input, and what it was called.
py::tuple system_from(const std::string& text, const std::string& path, const std::string& label,
                      const py::dict& settings) {
  const io::Experiment experiment = parse(text, path, settings);
  std::vector<std::string> labels;
  for (const io::Case& c : experiment.cases) {
    labels.push_back(c.label);
    if (label.empty() ? c.kind != io::CaseKind::system : c.label != label) continue;
    if (c.kind != io::CaseKind::system)
      throw io::InputError(experiment.path + ": case '" + label + "' has no [system]");
    return py::make_tuple(std::string(c.system->name()),
                          dict_of(c.system->values(), c.system->description()), c.input);
  }
  if (label.empty()) throw io::InputError(experiment.path + ": there is no [system] in it");
  throw io::InputError(experiment.path + ": " + not_found("case", label, labels));
}

py::dict round_trip(const SystemObject& object, double low, double high, int inputs,
                    std::uint64_t seed) {
  if (!(low < high) || !std::isfinite(high - low))
    throw InvalidInput("high", "high = " + words(high) + " must be greater than low = " +
                                   words(low) + ", and both finite");
  if (inputs < 2 || inputs > 10000000)
    throw InvalidInput("inputs", "inputs = " + std::to_string(inputs) +
                                     " is not allowed, it must be at least 2 and at most 10000000");
  const RoundTrip trip = watched(
      py::none(), [&](auto) { return verify_inverse(*object.system, low, high, inputs, seed); });
  py::dict all;
  all["error"] = trip.error;
  all["inputs"] = trip.inputs;
  return all;
}

std::string text_of(const SystemObject& object, const std::string& title, double low, double high) {
  return io::model_text({std::string(object.system->name()), object.system->values(), ""}, title,
                        low, high);
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
      .def("_round_trip", round_trip)
      .def("_text", text_of)
      .def("_properties", properties_of)
      .def("follow", follow, py::arg("inputs"),
           "The outputs for one input after the other, of a rate-independent system, from its\n"
           "states at the start.");
  module.def("system_tables", system_tables);
  module.def("fit_operator", fit_operator);
  module.def("fit_preisach", fit_preisach);
  module.def("system_from", system_from);
}

}  // namespace bristle::python
