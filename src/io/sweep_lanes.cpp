// SPDX-License-Identifier: MIT
// The runs of a sweep in the lanes of the processor.
#include <algorithm>

#include "bristle/ensemble/lanes.hpp"
#include "bristle/ensemble/loop_lanes.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "bristle/machine/parameters.hpp"
#include "field_path.hpp"
#include "quantities.hpp"
#include "sweep_inside.hpp"

namespace bristle::io {
namespace {

// Runs of a machine that are in memory at a time.
constexpr std::size_t loops_together = 64;

// The columns that are read of each run of a machine.
std::vector<std::string> columns_read(const EnsemblePlan& ensemble) {
  std::vector<std::string> all = ensemble.trajectory;
  for (const auto& kept : ensemble.quantities)
    if (std::find(all.begin(), all.end(), kept.asked.column) == all.end())
      all.push_back(kept.asked.column);
  return all;
}

// Why the runs of a machine cannot go in lanes, or the empty text.
std::string machine_trouble(const Case& base, const EnsemblePlan& ensemble) {
  if (std::string why = loop_lanes_refuse(*base.machine, base.options); !why.empty()) return why;
  for (const auto& kept : ensemble.quantities) {
    const auto known = machine_quantities().find(kept.asked.quantity);
    if (known == machine_quantities().end() || known->second.of != MachineQuantity::a_column)
      return "the quantity " + kept.name + " needs more than samples";
  }
  for (const auto& name : columns_read(ensemble))
    if (!loop_lanes_have(*base.machine, name)) return "they do not have the column " + name;
  return "";
}

// Whether two machines have the same numbers and words.
bool same_numbers(const MachineParts& a, const MachineParts& b) {
  const auto all = parameters_of(a), others = parameters_of(b);
  return std::equal(all.begin(), all.end(), others.begin(), others.end(),
                    [](const MachineParameter& one, const MachineParameter& other) {
                      return one.field.name == other.field.name && one.value == other.value;
                    });
}

}  // namespace

// Why runs cannot go in lanes: what these do not have. Empty if they can.
std::string Sweep::Inside::lanes_trouble() const {
  if (base.kind == CaseKind::machine) return machine_trouble(base, ensemble);
  if (base.kind != CaseKind::run || !base.as<DraggedMass>())
    return "they step a dragged_mass, or a machine at fixed steps";
  if (const std::string why = lanes_refuse(*base.law); !why.empty()) return why;
  if (base.options.method != Options::rosenbrock) return "their method is rosenbrock";
  const std::vector<std::string> columns{"input", "position", "velocity", "state",
                                         "force", "mode",     "stretch"};
  const auto has = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  };
  for (const auto& kept : ensemble.quantities)
    if (!has(kept.asked.quantity) || !kept.asked.has_argument)
      return "the quantity " + kept.name + " needs more than samples";
  for (const auto& name : ensemble.trajectory)
    if (!has(name)) return "they do not have the column " + name;
  return "";
}

Machine Sweep::Inside::machine_at(const std::vector<double>& values) const {
  MachineParts made = *parts;
  std::map<std::string, double> numbers;
  for (std::size_t i = 0; i < names.size(); ++i) numbers[names[i]] = values[i];
  set_parameters(made, numbers);
  return Machine(std::move(made));
}

// What a file makes of a field may be more than one number, so the machines of two runs are made
// both ways and compared.
void Sweep::Inside::find_parts() {
  if (base.kind != CaseKind::machine) return;
  parts = base.machine->parts();
  for (const auto& path : ensemble.plan.fields()) {
    const auto [section, field] = split_path(path);
    names.push_back(section + "." + field);
  }
  try {
    for (const std::uint64_t run : {std::uint64_t(0), ensemble.plan.size() - 1}) {
      const auto values = ensemble.plan.values(run);
      if (!same_numbers(machine_at(values).parts(), case_at(values).machine->parts()))
        return parts.reset();
    }
  } catch (const std::exception&) {
    parts.reset();
  }
}

std::vector<SweepRow> Sweep::run_together(std::span<const std::uint64_t> indices,
                                          const std::function<bool(double)>& progress) const {
  std::vector<SweepRow> rows;
  const bool loops = in_lanes() && inside_->base.kind == CaseKind::machine;
  const std::size_t most = loops ? loops_together : indices.size();
  for (std::size_t at = 0; at < indices.size(); at += most) {
    if (progress && !progress(0.0)) throw Interrupted();
    const auto some = indices.subspan(at, std::min(most, indices.size() - at));
    std::vector<std::optional<SweepRow>> made(some.size());
    if (loops) inside_->run_loops(some, made);
    else if (in_lanes()) inside_->run_dragged(some, made);
    for (std::size_t i = 0; i < some.size(); ++i)
      rows.push_back(made[i] ? std::move(*made[i]) : run(some[i], progress));
  }
  return rows;
}

// Each leaves runs empty that have to be made one by one.
void Sweep::Inside::run_dragged(std::span<const std::uint64_t> indices,
                                std::vector<std::optional<SweepRow>>& rows) const {
  std::vector<std::optional<Case>> cases(indices.size());
  std::vector<LaneCase> lanes;
  std::vector<std::size_t> run_of;
  for (std::size_t i = 0; i < indices.size(); ++i) try {
      cases[i] = case_at(ensemble.plan.values(indices[i]));
      lanes.push_back({cases[i]->law.get(), *cases[i]->as<DraggedMass>(), cases[i]->options});
      run_of.push_back(i);
    } catch (const InputError&) {
      // The run itself says why.
    }
  auto made = simulate_in_lanes(lanes);
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (!made[k]) continue;
    CaseResult r;
    r.run = std::move(*made[k]);
    rows[run_of[k]] = row_of(indices[run_of[k]], *cases[run_of[k]], r);
  }
}

void Sweep::Inside::run_loops(std::span<const std::uint64_t> indices,
                              std::vector<std::optional<SweepRow>>& rows) const {
  std::vector<std::shared_ptr<const Machine>> machines;
  std::vector<LoopCase> loops;
  std::vector<std::size_t> run_of;
  for (std::size_t i = 0; i < indices.size(); ++i) try {
      const auto values = ensemble.plan.values(indices[i]);
      Options options = base.options;
      if (parts) {
        machines.push_back(std::make_shared<const Machine>(machine_at(values)));
      } else {
        const Case c = case_at(values);
        machines.push_back(c.machine);
        options = c.options;
      }
      loops.push_back({machines.back().get(), options});
      run_of.push_back(i);
    } catch (const InputError&) {
      // The run itself says why.
    } catch (const InvalidInput&) {
    }
  auto made = simulate_loops_in_lanes(loops, columns_read(ensemble));
  for (std::size_t k = 0; k < made.size(); ++k) {
    if (!made[k]) continue;
    CaseResult r;
    r.machine = std::move(*made[k]);
    rows[run_of[k]] = row_of(indices[run_of[k]], base, r);
  }
}

// The row of a run that was made.
SweepRow Sweep::Inside::row_of(std::uint64_t index, const Case& c, const CaseResult& r) const {
  SweepRow row{index + 1, ensemble.plan.values(index), {}, "done", {}};
  row.quantities.resize(ensemble.quantities.size());
  measure_into(row, c, r);
  return row;
}

}  // namespace bristle::io
