// SPDX-License-Identifier: MIT
// Fits and comparisons of laws, from arrays or from files.
#include <chrono>
#include <future>
#include <thread>

#include "bristle/identify/compare.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/io/measurement.hpp"
#include "bristle/model/registry.hpp"
#include "fit_dicts.hpp"
#include "interrupt.hpp"

namespace bristle::python {
namespace {

// Works in a thread of its own, while this one lets Python handle its signals.
template <class Compute>
auto watched(const Compute& compute) {
  auto result = std::async(std::launch::async, compute);
  bool raised = false;
  while (true) {
    std::future_status status;
    {
      const py::gil_scoped_release unlocked;
      status = result.wait_for(std::chrono::milliseconds(20));
    }
    if (status == std::future_status::ready) break;
    if (!raised && PyErr_CheckSignals() != 0) raised = stop_request = true;
  }
  if (!raised) return result.get();
  stop_request = false;
  throw py::error_already_set();
}

template <class T>
T option(const py::dict& options, const char* name, T usual) {
  return options.contains(name) ? options[name].cast<T>() : usual;
}

FitOptions options_from(const py::dict& given) {
  FitOptions o;
  o.offset = option(given, "offset", false);
  o.asymmetric = option(given, "asymmetric", false);
  o.steady = option(given, "steady", false);
  o.robust = option(given, "robust", false);
  o.starts = option(given, "starts", o.starts);
  o.seed = option(given, "seed", o.seed);
  o.hold_out = option(given, "hold_out", 0.0);
  o.repetitions = option(given, "repetitions", o.repetitions);
  o.threads =
      option(given, "threads", int(std::clamp(std::thread::hardware_concurrency(), 1u, 16u)));
  o.free = option(given, "free", o.free);
  o.guess = option(given, "guess", o.guess);
  o.bounds = option(given, "bounds", o.bounds);
  if (!(o.hold_out >= 0.0 && o.hold_out <= 0.9))
    throw InvalidInput("hold_out", "hold_out = " + words(o.hold_out) +
                                       " is not allowed, it must be at least 0 and at most 0.9");
  return o;
}

struct Data {
  std::vector<Track> runs;
  DataUnits units;
  std::vector<std::string> notes;
  std::vector<std::string> files{};
};

Data prepared(std::vector<Record> records, const py::dict& options) {
  Data data;
  const double bandwidth = option(options, "bandwidth", 0.0);
  for (const Record& record : records)
    data.runs.push_back(prepare(record, {.bandwidth = bandwidth,
                                         .smooth = option(options, "smooth", true),
                                         .steady = option(options, "steady", false)}));
  return data;
}

// Runs as dictionaries of columns.
Data data_from(const py::list& runs, const py::dict& options) {
  std::vector<Record> records;
  for (const auto& one : runs) {
    const auto columns = py::cast<py::dict>(one);
    Record record;
    record.name = std::to_string(records.size() + 1);
    const std::pair<const char*, std::vector<double>*> known[]{{"time", &record.time},
                                                               {"position", &record.position},
                                                               {"velocity", &record.velocity},
                                                               {"force", &record.force},
                                                               {"load", &record.load}};
    for (const auto& [name, values] : known)
      if (columns.contains(name)) *values = numbers_from(columns[name], name);
    records.push_back(std::move(record));
  }
  return prepared(std::move(records), options);
}

// Files as the command reads them; `columns` names columns as its options do.
Data data_of_files(const std::vector<std::string>& files, const py::dict& columns,
                   const py::dict& options) {
  io::MeasurementChoice choice;
  choice.time = option(columns, "time", choice.time);
  choice.position = option(columns, "position", choice.position);
  choice.velocity = option(columns, "velocity", choice.velocity);
  choice.force = option(columns, "force", choice.force);
  choice.load = option(columns, "load", choice.load);
  choice.run = option(columns, "run", choice.run);
  choice.where = option(columns, "where", choice.where);
  choice.from = option(columns, "start", choice.from);
  choice.to = option(columns, "end", choice.to);
  choice.steady = option(options, "steady", false);
  io::Measurement measurement = io::read_measurement(files, choice);
  Data data = prepared(std::move(measurement.records), options);
  data.units = measurement.units;
  data.notes = std::move(measurement.notes);
  data.files = files;
  return data;
}

py::dict summary_of(const FitSummary& f, const std::vector<std::string>& notes,
                    const std::vector<std::string>& files) {
  py::dict all;
  all["law"] = f.law;
  all["values"] = f.values;
  all["converged"] = f.converged();
  all["message"] = f.message;
  all["parameters"] = list_of(f.parameters);
  all["fitted"] = dict_of(f.fitted);
  all["held_out"] = dict_of(f.held_out);
  all["bic"] = f.bic;
  all["warnings"] = f.warnings;
  all["notes"] = notes;
  py::list predicted;
  if (!f.x.empty() && !f.problem.runs.empty())
    for (const auto& run : fit_predict(f.problem, f.x))
      predicted.append(py::array_t<double>(py::ssize_t(run.size()), run.data()));
  all["predicted"] = predicted;
  // A comparison lets go of the samples of all but the best.
  if (!f.x.empty() && !f.problem.runs.empty() && !f.problem.runs.front().samples.empty())
    all["part"] =
        io::part_of(f, {.files = files, .command = "bristle.fit", .licence = {}, .source = {}});
  return all;
}

py::dict fit_law(const std::string& law, Data& data, const py::dict& given, const py::dict& fixed) {
  FitOptions options = options_from(given);
  options.values = values_from(fixed, find_law(law).description);
  options.units = data.units;
  options.solver.stop = stop_asked;
  const FitSummary summary = watched([&] { return fit(law, std::move(data.runs), options); });
  if (summary.x.empty()) throw InvalidInput("model", law + ": " + summary.message);
  return summary_of(summary, data.notes, data.files);
}

py::list compare_laws(const std::vector<std::string>& laws, Data& data, const py::dict& given) {
  CompareOptions options;
  options.laws = laws;
  options.fit = options_from(given);
  options.fit.units = data.units;
  options.fit.solver.stop = stop_asked;
  options.progress = [](double) { return !stop_asked(); };
  const Comparison comparison = watched([&] { return compare(data.runs, options); });
  py::list all;
  for (const Compared& one : comparison.ranking) {
    py::dict entry = summary_of(one.fit, data.notes, data.files);
    entry["refused"] = one.refused;
    all.append(entry);
  }
  return all;
}

}  // namespace

void bind_identify(py::module_& module) {
  py::class_<Data>(module, "FitData");
  module.def("fit_data", data_from);
  module.def("fit_files", data_of_files);
  module.def("fit", fit_law);
  module.def("compare", compare_laws);
}

}  // namespace bristle::python
