// SPDX-License-Identifier: MIT
#include "operator_part.hpp"

#include <algorithm>
#include <cmath>

namespace bristle::cli {
namespace {

Agreement operator_agreement(const std::vector<double>& measured,
                             const std::vector<double>& fitted) {
  const auto [low, high] = std::minmax_element(measured.begin(), measured.end());
  Agreement a;
  a.samples = long(measured.size());
  double mean = 0.0, squares = 0.0, around = 0.0;
  for (const double y : measured) mean += y / double(a.samples);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double error = fitted[i] - measured[i];
    squares += error * error, around += (measured[i] - mean) * (measured[i] - mean);
    a.worst = std::max(a.worst, std::abs(error));
  }
  a.rmse = std::sqrt(squares / double(a.samples));
  a.nrmse = *high > *low ? a.rmse / (*high - *low) : NAN;
  a.r2 = around > 0.0 ? 1.0 - squares / around : NAN;
  return a;
}

void add_operator_range(io::Part& part, const char* quantity, const std::vector<double>& column,
                        const std::string& unit) {
  const auto [low, high] = std::minmax_element(column.begin(), column.end());
  for (io::PartRange& r : part.domain)
    if (r.quantity == quantity) {
      r.from = std::min(r.from, *low), r.to = std::max(r.to, *high);
      return;
    }
  part.domain.push_back({quantity, *low, *high, unit});
}

}  // namespace

io::Part operator_part(const LoopFit& fit, const OperatorData& data) {
  io::Part part;
  part.kind = "system";
  part.system = PlaysModel::name;
  for (const auto& [name, value] : values_of(plays_model(fit.chosen()))) {
    if (const auto* number = std::get_if<double>(&value))
      part.parameters.push_back({.name = name, .of = "system", .value = *number});
    else part.choices[name] = value;
  }
  for (std::size_t i = 0; i < data.runs.size(); ++i) {
    const auto fitted = fitted_output(fit, data.runs, i);
    part.runs.push_back({data.names[i],
                         "output",
                         data.output.unit,
                         operator_agreement(data.runs[i].output, fitted),
                         {}});
    add_operator_range(part, "input", data.runs[i].input, data.input.unit);
    add_operator_range(part, "output", data.runs[i].output, data.output.unit);
  }
  note_origin(part, data.origin);
  return part;
}

}  // namespace bristle::cli
