// SPDX-License-Identifier: MIT
// Excitation design, fits of machines, certificates, and the least squares behind fits of laws
// written in Python.
#include "bristle/analysis/linearise.hpp"
#include "bristle/analysis/passivity.hpp"
#include "bristle/identify/excite.hpp"
#include "bristle/identify/machine_fit.hpp"
#include "bristle/model/registry.hpp"
#include "fit_dicts.hpp"
#include "given.hpp"
#include "interrupt.hpp"
#include "law_object.hpp"
#include "machine_object.hpp"

namespace bristle::python {
namespace {

py::dict excite_law(const std::string& law, const py::dict& values, const py::dict& given,
                    const py::object& progress) {
  ExciteOptions o;
  o.values = values_from(values, find_law(law).description);
  std::vector<std::string> fixed;
  Given options(given);
  options.take("fix", fixed);
  options.take("stroke", o.stroke);
  options.take("speed", o.speed);
  options.take("acceleration", o.acceleration);
  options.take("duration", o.duration);
  options.take("rate", o.rate);
  options.take("load", o.load);
  options.take("noise", o.noise);
  options.take("sines", o.sines, 1, 100);
  options.take("trials", o.trials, 1, 100000000);
  options.take("seed", o.seed);
  options.take("known", o.known);
  options.take("covariance", o.covariance);
  options.refuse_others();
  if (o.covariance.size() != o.known.size() * o.known.size())
    throw InvalidInput("covariance", "covariance must have a row and a column for each of known");
  std::vector<std::string> names;
  for (const auto& field : find_law(law).description.fields) names.push_back(field.name);
  for (const auto& name : fixed)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InvalidInput("fix", "fix: " + not_found("parameter of " + law, name, names));
  o.fixed.insert(fixed.begin(), fixed.end());
  const Excitation e = watched(progress, [&](auto look) {
    o.progress = look;
    return excite(law, o);
  });
  py::list sines;
  for (const Sine& s : e.sines) sines.append(py::make_tuple(s.amplitude, s.frequency, s.phase));
  py::dict all, deviations, single;
  for (const auto& [name, value] : e.deviations) deviations[name.c_str()] = value;
  for (const auto& [name, value] : e.single) single[name.c_str()] = value;
  all["sines"] = sines;
  all["time"] = array_of(e.motion.time);
  all["position"] = array_of(e.motion.position);
  all["velocity"] = array_of(e.motion.velocity);
  all["force"] = array_of(e.motion.force);
  all["deviations"] = deviations;
  all["single_sine"] = single;
  all["gain"] = e.gain;
  return all;
}

MachineRecord record_from(const py::dict& run, const MachineFitOptions& options,
                          const std::vector<std::string>& columns, const Machine& machine,
                          std::size_t number) {
  MachineRecord record;
  record.name = std::to_string(number + 1);
  std::vector<std::string> known{"time"};
  for (const auto& input : machine.parts().inputs) known.push_back(input.name);
  for (const auto& coupling : machine.parts().couplings)
    for (const auto signal : coupling.coupling->signal_names())
      known.push_back(coupling.name + "." + std::string(signal));
  known.insert(known.end(), columns.begin(), columns.end());
  for (const auto& [key, values] : run) {
    const auto name = text_from(key, "runs: a column");
    if (name == "values") {
      record.values = cast_as<std::map<std::string, double>>(values, name);
      continue;
    }
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InvalidInput("runs", "runs: " + not_found("input or reading", name, known));
    const bool reading = std::find(columns.begin(), columns.end(), name) != columns.end();
    if (name == "time") record.time = numbers_from(values, name);
    else if (!reading) record.inputs[name] = numbers_from(values, name);
  }
  for (std::size_t i = 0; i < options.readings.size(); ++i) {
    if (!run.contains(columns[i].c_str()))
      throw InvalidInput("runs", "runs: run " + record.name + " has no column " + columns[i]);
    record.readings.push_back(numbers_from(run[columns[i].c_str()], columns[i]));
  }
  return record;
}

// A reading is "BODY.position" or "BODY.velocity".
Reading reading_of(const std::string& text) {
  const auto dot = text.rfind('.');
  const std::string kind = dot == std::string::npos ? "" : text.substr(dot + 1);
  if (kind != "position" && kind != "velocity")
    throw InvalidInput("readings", "readings: '" + text +
                                       "' is not allowed, it must be BODY.position or "
                                       "BODY.velocity");
  return {text.substr(0, dot), kind == "velocity"};
}

py::dict machine_fit_of(const MachineFit& fit, const std::vector<std::string>& columns) {
  py::list agreements, predicted;
  for (const auto& a : fit.agreements) {
    py::dict one;
    one["run"] = a.run;
    one["reading"] = a.reading.body + (a.reading.velocity ? ".velocity" : ".position");
    one["fitted"] = dict_of(a.fitted);
    one["held_out"] = dict_of(a.held_out);
    one["mean_absolute"] = a.mean_absolute;
    agreements.append(one);
  }
  for (const auto& run : fit.predicted) {
    py::dict one;
    for (std::size_t i = 0; i < run.size(); ++i) one[columns[i].c_str()] = array_of(run[i]);
    predicted.append(one);
  }
  py::dict all;
  all["converged"] = fit.converged();
  all["message"] = fit.message;
  all["parameters"] = list_of(fit.parameters);
  all["agreements"] = agreements;
  all["predicted"] = predicted;
  all["correlation"] = fit.correlation;
  all["warnings"] = fit.warnings;
  return all;
}

// Options and runs of a fit of a machine, as Python gives them.
struct MachineTask {
  MachineTask(const MachineObject& object, const py::list& given_runs,
              std::vector<std::string> given_columns, const py::dict& given)
      : columns(std::move(given_columns)) {
    for (const auto& text : columns) options.readings.push_back(reading_of(text));
    Given choice(given);
    choice.take("free", options.free);
    choice.take("guess", options.guess);
    choice.take("bounds", options.bounds);
    choice.take("starts", options.starts, 0, 100000);
    choice.take("refined", options.refined, 1, 100000);
    choice.take("steps", options.steps, 1, 10000);
    choice.take("seed", options.seed);
    choice.take("threads", options.threads, 1, 1024);
    choice.take("hold_out", options.hold_out, 0.0, 0.9);
    choice.take("free_start", options.free_start);
    choice.take("robust", options.robust);
    choice.refuse_others();
    for (const auto& run : given_runs)
      runs.push_back(
          record_from(py::cast<py::dict>(run), options, columns, *object.machine, runs.size()));
  }

  std::vector<std::string> columns;
  MachineFitOptions options;
  std::vector<MachineRecord> runs;
};

py::tuple found_machine(const MachineObject& object, const MachineFit& fit,
                        const std::vector<std::string>& columns) {
  if (fit.parameters.empty()) throw InvalidInput("machine", fit.message);
  MachineObject found{std::make_shared<const Machine>(fit.parts), object.options, object.title};
  return py::make_tuple(found, machine_fit_of(fit, columns));
}

py::tuple fit_machine_to(const MachineObject& object, const py::list& runs,
                         const std::vector<std::string>& columns, const py::dict& given,
                         const py::object& progress) {
  MachineTask task(object, runs, columns, given);
  const MachineFit fit = watched(progress, [&](auto look) {
    task.options.progress = look;
    return fit_machine(object.machine->parts(), task.runs, task.options);
  });
  return found_machine(object, fit, columns);
}

// One fit per group of runs, which is predicted by it.
py::list cross_validate_machine(const MachineObject& object, const py::list& runs,
                                const std::vector<std::string>& columns,
                                const std::vector<std::string>& groups, const py::dict& given,
                                const py::object& progress) {
  MachineTask task(object, runs, columns, given);
  const auto folds = watched(progress, [&](auto look) {
    task.options.progress = look;
    return cross_validate(object.machine->parts(), task.runs, groups, task.options);
  });
  py::list all;
  for (const MachineFold& fold : folds)
    all.append(py::make_tuple(fold.group, fold.held_out, found_machine(object, fold.fit, columns)));
  return all;
}

py::dict certify_law(const LawObject& object, double top_speed, double load) {
  const Certificate c = certify(*object.law, within(positive, top_speed, "top_speed", "m/s"),
                                within(non_negative, load, "load", "N"));
  py::dict all;
  all["passive"] = c.kind == Certificate::always;
  all["speed"] = c.kind == Certificate::below ? py::object(py::float_(c.speed)) : py::none();
  all["proved"] = !c.searched;
  all["words"] = c.words();
  return all;
}

py::dict linearise_law(const LawObject& object, double velocity, double load) {
  const Linearised l = linearise(*object.law, within(any_number, velocity, "velocity", "m/s"),
                                 within(non_negative, load, "load", "N"));
  py::dict all;
  all["velocity"] = l.velocity;
  all["state"] = l.state;
  all["force"] = l.force;
  all["pole"] = l.pole;
  all["input"] = l.input;
  all["output"] = l.output;
  all["direct"] = l.direct;
  return all;
}

// `residuals(x, with_jacobian)` returns the residuals and, where it is asked for, their Jacobian.
py::dict minimise_in_python(const py::function& residuals, const std::vector<double>& start,
                            const std::vector<double>& lower, const std::vector<double>& upper,
                            int iterations) {
  const int n = int(start.size());
  const auto cost = [&](std::span<const double> x, NormalEquations* equations) {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    const py::tuple answer =
        residuals(std::vector<double>(x.begin(), x.end()), equations != nullptr);
    const auto r =
        py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(answer[0]);
    const auto* value = r.data();
    double sum = 0.0;
    for (py::ssize_t i = 0; i < r.size(); ++i) sum += 0.5 * value[i] * value[i];
    if (!equations) return sum;
    const auto j =
        py::cast<py::array_t<double, py::array::c_style | py::array::forcecast>>(answer[1]);
    if (j.ndim() != 2 || j.shape(0) != r.size() || j.shape(1) != n)
      throw py::value_error("the Jacobian must have a row per residual and a column per unknown");
    equations->reset(n);
    for (py::ssize_t i = 0; i < r.size(); ++i) {
      const double* row = j.data() + i * n;
      for (int a = 0; a < n; ++a) {
        equations->gradient[std::size_t(a)] += row[a] * value[i];
        for (int b = 0; b < n; ++b) equations->at(a, b) += row[a] * row[b];
      }
    }
    return sum;
  };
  LeastSquaresOptions options;
  options.iterations = iterations;
  options.cost_tolerance = 1e-9;  // differences stand for derivatives
  const LeastSquaresSummary found = minimise(cost, start, lower, upper, options);
  py::dict all;
  all["x"] = found.x;
  all["converged"] = found.status == FitStatus::converged;
  all["message"] = found.message;
  all["cost"] = found.cost;
  return all;
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("excite", excite_law);
  module.def("fit_machine", fit_machine_to);
  module.def("cross_validate_machine", cross_validate_machine);
  module.def("certify", certify_law);
  module.def("linearise", linearise_law);
  module.def("minimise", minimise_in_python);
}

}  // namespace bristle::python
