// SPDX-License-Identifier: MIT
// run_file(): all cases of an experiment file, with the facts it states.
#include "experiment_object.hpp"
#include "interrupt.hpp"
#include "machine_source.hpp"

namespace bristle::python {
namespace {

using Kept = std::shared_ptr<ExperimentObject>;

ResultObject result_of_case(const Kept& kept, std::size_t index) {
  const io::Case& c = kept->experiment.cases[index];
  const io::CaseResult& r = kept->result.cases[index];
  if (c.kind == io::CaseKind::run)
    return result_of(std::shared_ptr<const Simulation>(kept, &r.run));
  if (c.kind == io::CaseKind::machine)
    return result_of(std::shared_ptr<const MachineResult>(kept, &r.machine), *c.machine);
  ResultObject result{.owner = kept, .columns = {}, .summary = {}, .has_ledger = false};
  result.summary.status = r.ok(c) ? Status::done : Status::failed;
  result.summary.message = r.message(c);
  auto& computed = kept->computed[index];
  const auto names = io::columns_of(c, r);
  computed.clear();
  computed.reserve(names.size());  // columns point into it
  for (const std::string& name : names) {
    const auto* held = io::held_column(c, r, name);
    if (!held) held = &computed.emplace_back(io::column(c, r, name));
    result.columns.push_back({name, "", io::axis_label(c, r, name), held});
  }
  return result;
}

py::list cases_of(const Kept& kept) {
  py::list all;
  for (std::size_t i = 0; i < kept->experiment.cases.size(); ++i)
    all.append(py::make_tuple(kept->experiment.cases[i].label, result_of_case(kept, i)));
  return all;
}

py::list facts_of(const ExperimentObject& e) {
  py::list all;
  for (const io::Verdict& v : e.result.verdicts) {
    py::dict one;
    one["case"] = v.label;
    one["fact"] = v.key;
    one["reference"] = v.reference;
    one["ours"] = v.ours;
    one["tolerance"] = v.tolerance;
    one["verdict"] = v.verdict();
    all.append(one);
  }
  return all;
}

// As `bristle run` writes them; what could not be done in words.
std::string write_directory(const ExperimentObject& e, const std::string& directory, bool figures,
                            bool animate) {
  const io::WriteOptions options{figures, "bristle.run_file", animate, stop_asked};
  return watched(py::none(), [&](auto) {
    return io::write_results(e.experiment, e.result, directory, options);
  });
}

}  // namespace

Kept run_experiment(io::Experiment experiment, py::object progress) {
  auto kept = std::make_shared<ExperimentObject>();
  kept->experiment = std::move(experiment);
  kept->result = interruptible(
      std::move(progress), [&](auto look) { return io::run_experiment(kept->experiment, look); });
  kept->computed.resize(kept->experiment.cases.size());
  return kept;
}

void bind_experiment(py::module_& module) {
  py::class_<ExperimentObject, Kept>(module, "Experiment")
      .def("cases", cases_of)
      .def("facts", facts_of)
      .def("write", write_directory)
      .def_property_readonly("title", [](const ExperimentObject& e) { return e.experiment.title; })
      .def_property_readonly("warnings", [](const ExperimentObject& e) {
        std::vector<std::string> all = e.experiment.warnings;
        all.insert(all.end(), e.result.warnings.begin(), e.result.warnings.end());
        return all;
      });
  module.def("run_file", [](const std::string& text, const std::string& path,
                            const py::dict& settings, py::object progress) {
    return run_experiment(parse(text, path, settings), std::move(progress));
  });
}

}  // namespace bristle::python
