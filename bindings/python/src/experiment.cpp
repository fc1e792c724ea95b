// SPDX-License-Identifier: MIT
// run_file(): all cases of an experiment file, with the facts it states.
#include "bristle/io/runner.hpp"
#include "interrupt.hpp"
#include "machine_source.hpp"
#include "result_object.hpp"

namespace bristle::python {
namespace {

// What the columns of the results point into.
struct Kept {
  io::Experiment experiment;
  io::ExperimentResult result;
  std::vector<std::vector<std::vector<double>>> computed;  // columns that no result holds
};

ResultObject result_of(const std::shared_ptr<Kept>& kept, std::size_t index) {
  const io::Case& c = kept->experiment.cases[index];
  const io::CaseResult& r = kept->result.cases[index];
  if (c.kind == io::CaseKind::run)
    return python::result_of(std::shared_ptr<const Simulation>(kept, &r.run));
  if (c.kind == io::CaseKind::machine)
    return python::result_of(std::shared_ptr<const MachineResult>(kept, &r.machine), *c.machine);
  ResultObject result{.owner = kept, .columns = {}, .summary = {}, .has_ledger = false};
  result.summary.status = r.ok(c) ? Status::done : Status::failed;
  result.summary.message = r.message(c);
  auto& computed = kept->computed[index];
  const auto names = io::columns_of(c, r);
  computed.reserve(names.size());  // columns point into it
  for (const std::string& name : names) {
    const auto* held = io::held_column(c, r, name);
    if (!held) held = &computed.emplace_back(io::column(c, r, name));
    result.columns.push_back({name, "", io::axis_label(c, r, name), held});
  }
  return result;
}

py::dict run_file(const std::string& text, const std::string& path, const py::dict& settings,
                  py::object progress) {
  const auto kept = std::make_shared<Kept>();
  kept->experiment = parse(text, path, settings);
  kept->result = interruptible(
      std::move(progress), [&](auto look) { return io::run_experiment(kept->experiment, look); });
  kept->computed.resize(kept->experiment.cases.size());
  py::list cases, facts;
  for (std::size_t i = 0; i < kept->experiment.cases.size(); ++i)
    cases.append(py::make_tuple(kept->experiment.cases[i].label, result_of(kept, i)));
  for (const io::Verdict& v : kept->result.verdicts) {
    py::dict one;
    one["case"] = v.label;
    one["fact"] = v.key;
    one["reference"] = v.reference;
    one["ours"] = v.ours;
    one["tolerance"] = v.tolerance;
    one["verdict"] = v.verdict();
    facts.append(one);
  }
  py::dict all;
  all["title"] = kept->experiment.title;
  all["cases"] = cases;
  all["facts"] = facts;
  std::vector<std::string> warnings = kept->experiment.warnings;
  const auto& seen = kept->result.warnings;
  warnings.insert(warnings.end(), seen.begin(), seen.end());
  all["warnings"] = warnings;
  return all;
}

}  // namespace

void bind_experiment(py::module_& module) { module.def("run_file", run_file); }

}  // namespace bristle::python
