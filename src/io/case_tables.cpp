// SPDX-License-Identifier: MIT
#include "case_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/analysis/mean_curve.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle::io {

void write_case(ResultDirectory& out, const std::string& name, const Case& c, const CaseResult& r,
                bool averaged) {
  auto names = columns_of(c, r);
  if (averaged && c.kind == CaseKind::run) names.emplace_back("moving_average");
  // Columns that the result holds are not copied: of many samples they are most of the memory.
  std::vector<std::vector<double>> computed(names.size());
  std::vector<std::span<const double>> data;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    stop_if_asked();
    const auto* held = held_column(c, r, names[i]);
    if (!held) computed[i] = column(c, r, names[i]);
    data.emplace_back(held ? *held : computed[i]);
    rows = std::max(rows, data.back().size());
  }
  // The names once, then some thousand rows at a time.
  constexpr std::size_t most = 4096;
  std::size_t at = 0;
  bool begun = false;
  out.write(name, [&](std::string& block) {
    if (begun && at >= rows) return false;
    std::vector<std::pair<std::string, std::span<const double>>> columns;
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::size_t from = std::min(at, data[i].size());
      columns.emplace_back(names[i], data[i].subspan(from, std::min(most, data[i].size() - from)));
    }
    block = csv_text(columns);
    if (begun) block.erase(0, block.find('\n') + 1);
    begun = true;
    at += most;
    return true;
  });
}

std::string events_csv(const Trajectory& t) {
  std::string text = "time,kind,position,velocity,force,energy\n";
  StopLook stop;
  for (const Event& e : t.events) {
    stop();
    text += fmt::format("{},{},{},{},{},{}\n", e.time, words(e.kind), e.position, e.velocity,
                        e.force, e.energy);
  }
  return text;
}

std::string resting_csv(const Case& c, const CaseResult& r, const std::string& y) {
  std::vector<double> input, output;
  if (r.response.output.empty()) return csv_text({{"input", input}, {"output", output}});
  const auto [least, most] =
      std::minmax_element(r.response.output.begin(), r.response.output.end());
  const double margin = 0.1 * (*most - *least);
  for (int i = 0; i <= 2000; ++i) {
    const double at = *least - margin + (*most - *least + 2.0 * margin) * i / 2000.0;
    const auto u = c.system->resting_input(at);
    const auto second = c.system->resting_second(at);
    if (!u || !std::isfinite(*u) || (y != "output" && !second)) continue;
    input.push_back(*u);
    output.push_back(y == "output" ? at : *second);
  }
  return csv_text({{"input", input}, {"output", output}});
}

std::string equilibria_csv(const Case& c, const CaseResult& r) {
  std::vector<double> input, position;
  if (r.run.trajectory.position.empty())
    return csv_text({{"input", input}, {"position", position}});
  const auto [least, most] =
      std::minmax_element(r.run.trajectory.position.begin(), r.run.trajectory.position.end());
  const double margin = 0.15 * (*most - *least);
  const auto& body = *c.as<WallSpringMass>();
  // Up along the least input, down along the largest: an outline.
  for (int i = 0; i <= 3001; ++i) {
    const double part = (i <= 1500 ? i : 3001 - i) / 1500.0;
    const double at = *least - margin + (*most - *least + 2.0 * margin) * part;
    const auto rest = rest_interval(*c.law, at, body.load);
    input.push_back(body.spring * at + (i <= 1500 ? rest.lower : rest.upper));
    position.push_back(at);
  }
  return csv_text({{"input", input}, {"position", position}});
}

std::string fit_csv(const Case& c, const CaseResult& r, const FigureSpec& f) {
  const MeanCurve mean = mean_curve(r.run.trajectory.velocity, column(c, r, f.y));
  const FallShape shape = f.fit == "sech" ? FallShape::sech : FallShape::gaussian;
  const FallFit fit = fit_fall(mean, shape);
  std::vector<double> fitted;
  for (const double v : mean.velocity) fitted.push_back(fit.at(v, shape));
  return csv_text({{"velocity", mean.velocity}, {"mean", mean.value}, {"fit", fitted}});
}

}  // namespace bristle::io
