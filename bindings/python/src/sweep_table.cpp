// SPDX-License-Identifier: MIT
#include "sweep_table.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::python {
namespace {

// Numbers, NaN where there is none; a list of words, None where there is none.
py::object column_of(const std::vector<io::Measured>& column) {
  const bool words = std::any_of(column.begin(), column.end(), [](const auto& m) {
    return std::holds_alternative<std::string>(m);
  });
  if (!words) {
    std::vector<double> numbers;
    for (const auto& m : column) {
      const auto* number = std::get_if<double>(&m);
      numbers.push_back(number ? *number : NAN);
    }
    return array_of(numbers);
  }
  py::list all;
  for (const auto& m : column) {
    if (const auto* word = std::get_if<std::string>(&m)) all.append(*word);
    else if (const auto* number = std::get_if<double>(&m)) all.append(*number);
    else all.append(py::none());
  }
  return all;
}

py::dict statistics_dict(const io::QuantityStatistics& q) {
  py::dict all;
  all["runs"] = q.numbers + q.words;
  all["undefined"] = q.undefined;
  all["mean"] = q.mean;
  all["deviation"] = q.deviation;
  all["smallest"] = q.smallest;
  all["largest"] = q.largest;
  all["low"] = q.low;
  all["median"] = q.median;
  all["high"] = q.high;
  all["counts"] = q.counts;
  return all;
}

py::dict sensitivity_dict(const SensitivityResult& result, const Plan& plan) {
  py::dict all;
  for (std::size_t i = 0; i < result.inputs.size(); ++i) {
    const InputSensitivity& s = result.inputs[i];
    py::dict one;
    one["first"] = s.first;
    one["first_half_width"] = s.first_half_width;
    one["total"] = s.total;
    one["total_half_width"] = s.total_half_width;
    one["sigma"] = s.sigma;
    all[py::str(plan.random_fields[i].field)] = one;
  }
  return all;
}

}  // namespace

SweepTable read_back(const io::Sweep& sweep, const std::string& path) {
  SweepTable t;
  t.fields.resize(sweep.plan().fields().size());
  t.quantities.resize(sweep.quantities().size());
  io::each_row(path, sweep, [&](const io::SweepRow& row) {
    t.number.push_back(double(row.number));
    for (std::size_t i = 0; i < t.fields.size(); ++i) t.fields[i].push_back(row.values[i]);
    for (std::size_t i = 0; i < t.quantities.size(); ++i)
      t.quantities[i].push_back(row.quantities[i]);
    t.status.push_back(row.status);
  });
  t.statistics = io::statistics_of(path, sweep);
  t.sensitivities = io::sensitivities_of(path, sweep);
  return t;
}

py::dict table_dict(const SweepTable& t, const io::Sweep& sweep) {
  py::dict columns, statistics, sensitivities, labels;
  columns["number"] = array_of(t.number).attr("astype")("int64");
  const auto fields = sweep.plan().fields();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    columns[py::str(fields[i])] = array_of(t.fields[i]);
    labels[py::str(fields[i])] = sweep.label(fields[i]);
  }
  for (std::size_t i = 0; i < t.quantities.size(); ++i)
    columns[py::str(sweep.quantities()[i].name)] = column_of(t.quantities[i]);
  columns["status"] = py::cast(t.status);
  for (const auto& q : t.statistics.quantities) statistics[py::str(q.name)] = statistics_dict(q);
  for (const auto& [name, result] : t.sensitivities)
    sensitivities[py::str(name)] = sensitivity_dict(result, sweep.plan());
  std::vector<std::uint64_t> axes;
  for (const Axis& axis : sweep.plan().axes) axes.push_back(axis.size());
  py::dict all;
  all["title"] = sweep.experiment().title;
  all["planned"] = sweep.plan().size();
  all["axes"] = axes;
  all["draws"] = sweep.plan().draw_count();
  all["fields"] = fields;
  all["labels"] = labels;
  all["columns"] = columns;
  all["statistics"] = statistics;
  all["sensitivity"] = sensitivities;
  all["failed"] = t.statistics.failed;
  all["first_failure"] = t.statistics.first_failure;
  all["seconds"] = t.outcome.seconds;
  all["budget_spent"] = t.outcome.budget_spent;
  all["trouble"] = t.trouble;
  return all;
}

}  // namespace bristle::python
