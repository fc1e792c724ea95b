// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <set>

#include "bristle/io/csv.hpp"
#include "bristle/io/sweep_results.hpp"
#include "quantile.hpp"
#include "sweep_figure.hpp"

namespace bristle::io {
namespace {

// The most runs that are read into figures, and the most cells of a map that are drawn.
constexpr std::uint64_t most_drawn = std::uint64_t(1) << 20;
constexpr std::uint64_t most_cells = 40000;

using Cells = std::vector<std::vector<double>>;  // the values of one quantity per point of the grid

// The axes of the grid that is drawn: of a map refined along its boundary those it began with.
std::vector<Axis> drawn_axes(const Sweep& sweep) {
  auto axes = sweep.plan().axes;
  if (sweep.boundary())
    for (auto& axis : axes) axis.count = ((axis.count - 1) >> sweep.boundary()->halvings) + 1;
  return axes;
}

// One quantity at the points of the first two axes; words are counted from 0 in their order.
Cells cells_of(const std::string& path, const Sweep& sweep, std::size_t quantity,
               const std::vector<std::string>& words) {
  const Plan& plan = sweep.plan();
  const auto axes = drawn_axes(sweep);
  std::uint64_t points = 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, axes.size()); ++i) points *= axes[i].size();
  Cells cells(points);
  each_row(path, sweep, [&](const SweepRow& row) {
    if (!row.done() || (row.number > most_drawn && !sweep.boundary())) return;
    auto at = plan.grid_point(row.number - 1);
    if (sweep.boundary())
      for (auto& index : at) {
        if (index % (std::uint64_t(1) << sweep.boundary()->halvings) != 0) return;
        index >>= sweep.boundary()->halvings;
      }
    // Of further axes their first values.
    for (std::size_t i = 2; i < at.size(); ++i)
      if (at[i] != 0) return;
    const std::uint64_t cell = at.empty()       ? 0
                               : at.size() == 1 ? at[0]
                                                : at[0] * axes[1].size() + at[1];
    const Measured& m = row.quantities[quantity];
    if (const auto* value = std::get_if<double>(&m); value && std::isfinite(*value))
      cells[cell].push_back(*value);
    if (const auto* word = std::get_if<std::string>(&m))
      if (const auto found = std::find(words.begin(), words.end(), *word); found != words.end())
        cells[cell].push_back(double(found - words.begin()));
  });
  for (auto& cell : cells) std::sort(cell.begin(), cell.end());
  return cells;
}

// The number that stands for a cell: the median, or the most frequent word.
double middle_of(const std::vector<double>& sorted, bool words) {
  if (!words || sorted.empty()) return sorted_quantile(sorted, 0.5);
  double best = sorted.front();
  std::ptrdiff_t most = 0;
  for (auto at = sorted.begin(); at != sorted.end();) {
    const auto next = std::upper_bound(at, sorted.end(), *at);
    if (next - at > most) most = next - at, best = *at;
    at = next;
  }
  return best;
}

// Where the cell of each value of an axis ends, half way to its neighbours.
struct Ends {
  double low, high;
};
std::vector<Ends> ends_of(const Axis& axis) {
  std::vector<double> values;
  for (std::uint64_t i = 0; i < axis.size(); ++i) values.push_back(axis.value(i));
  std::vector<double> sorted(values);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  const auto between = [&](double a, double b) {
    return axis.log ? std::copysign(std::sqrt(a * b), a) : 0.5 * (a + b);
  };
  const auto beyond = [&](double a, double other) {  // as far on the other side
    const double edge = between(a, other);
    return axis.log ? a * a / edge : 2.0 * a - edge;
  };
  std::vector<Ends> ends;
  for (const double v : values) {
    const auto at = std::size_t(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin());
    if (sorted.size() == 1) {
      ends.push_back({v - 0.5, v + 0.5});
      continue;
    }
    ends.push_back(
        {at > 0 ? between(v, sorted[at - 1]) : beyond(v, sorted[1]),
         at + 1 < sorted.size() ? between(v, sorted[at + 1]) : beyond(v, sorted[at - 1])});
  }
  return ends;
}

// A quantity over one axis, with the middle 95 % of the draws where there are several.
void add_curve(Plot& plot, const Sweep& sweep, const Cells& cells, ResultDirectory& out) {
  const Axis& axis = sweep.plan().axes.front();
  Line line{plot.name + ".csv", "($1)", "($2)", sweep.plan().draw_count() > 1 ? "median" : ""};
  line.points = axis.size() <= 60;
  std::vector<double> low, high, xs;
  for (std::uint64_t i = 0; i < axis.size(); ++i) {
    line.xs.push_back(axis.value(i));
    line.ys.push_back(sorted_quantile(cells[i], 0.5));
    low.push_back(sorted_quantile(cells[i], 0.025));
    high.push_back(sorted_quantile(cells[i], 0.975));
  }
  out.write(line.file,
            csv_text({{axis.field, line.xs}, {"median", line.ys}, {"low", low}, {"high", high}}));
  if (sweep.plan().draw_count() > 1) {
    // Along the lower end and back along the upper one.
    for (const bool up : {false, true})
      for (std::size_t k = 0; k < low.size(); ++k) {
        const std::size_t i = up ? low.size() - 1 - k : k;
        if (std::isnan(low[i])) continue;
        plot.band_xs.push_back(line.xs[i]);
        plot.band_ys.push_back(up ? high[i] : low[i]);
      }
    plot.band_file = plot.name + "-band.csv";
    plot.band_label = "95 % of the draws";
    out.write(plot.band_file, csv_text({{axis.field, plot.band_xs}, {"value", plot.band_ys}}));
  }
  plot.x_label = sweep.label(axis.field);
  plot.log_x = axis.log;
  plot.lines.push_back(std::move(line));
}

void add_map(Plot& plot, const Sweep& sweep, const Cells& cells, bool words, ResultDirectory& out) {
  const auto axes = drawn_axes(sweep);
  const auto x_ends = ends_of(axes[0]), y_ends = ends_of(axes[1]);
  std::vector<std::vector<double>> columns(7);
  for (std::uint64_t i = 0; i < axes[0].size(); ++i)
    for (std::uint64_t j = 0; j < axes[1].size(); ++j) {
      const double z = middle_of(cells[i * axes[1].size() + j], words);
      if (std::isnan(z)) continue;
      const double row[] = {axes[0].value(i),
                            axes[1].value(j),
                            x_ends[i].low,
                            x_ends[i].high,
                            y_ends[j].low,
                            y_ends[j].high,
                            z};
      for (std::size_t k = 0; k < 7; ++k) columns[k].push_back(row[k]);
    }
  plot.map_file = plot.name + ".csv";
  out.write(plot.map_file, csv_text({{axes[0].field, columns[0]},
                                     {axes[1].field, columns[1]},
                                     {"x_low", columns[2]},
                                     {"x_high", columns[3]},
                                     {"y_low", columns[4]},
                                     {"y_high", columns[5]},
                                     {"value", columns[6]}}));
  plot.map_label = plot.y_label;
  plot.x_label = sweep.label(axes[0].field), plot.y_label = sweep.label(axes[1].field);
  plot.log_x = axes[0].log, plot.log_y = axes[1].log;
}

void add_histogram(Plot& plot, const std::vector<double>& sorted, ResultDirectory& out) {
  const double low = sorted.front(), high = sorted.back();
  const auto bins = std::clamp<std::size_t>(std::size_t(std::sqrt(double(sorted.size()))), 5, 60);
  const double width = high > low ? (high - low) / double(bins) : std::max(1e-12, std::abs(low));
  std::vector<double> places, heights(bins), widths(bins, width);
  for (std::size_t i = 0; i < bins; ++i) places.push_back(low + (double(i) + 0.5) * width);
  for (const double v : sorted) heights[std::min(bins - 1, std::size_t((v - low) / width))] += 1.0;
  plot.bars_file = plot.name + ".csv";
  out.write(plot.bars_file, csv_text({{"value", places}, {"runs", heights}, {"width", widths}}));
  plot.x_label = plot.y_label, plot.y_label = "runs";
  plot.y_range = "0:*";
}

// Bars of the total index, or of the mean size of the effects, from the largest to the smallest.
Plot tornado(const Sweep& sweep, const std::string& quantity, const SensitivityResult& r,
             const std::string& name, ResultDirectory& out) {
  const bool morris = sweep.plan().sensitivity->method == SensitivityDesign::morris;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < r.inputs.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return r.inputs[a].total > r.inputs[b].total;
  });
  Plot plot;
  plot.name = name;
  plot.title = "Sensitivity of " + quantity;
  plot.x_label = morris ? "mean size of the elementary effects" : "total Sobol index";
  std::vector<double> rows, values, widths;
  for (const std::size_t i : order) {
    rows.push_back(double(rows.size() + 1));
    values.push_back(r.inputs[i].total), widths.push_back(r.inputs[i].total_half_width);
    plot.row_names.push_back(sweep.plan().random_fields[i].field);
  }
  plot.rows_file = plot.name + ".csv";
  out.write(plot.rows_file, csv_text({{"row", rows}, {"value", values}, {"half_width", widths}}));
  return plot;
}

}  // namespace

std::vector<Plot> sweep_plots(const std::string& path, const Sweep& sweep,
                              const SweepStatistics& statistics,
                              const std::map<std::string, SensitivityResult>& sensitivities,
                              ResultDirectory& out, std::string& note) {
  const Plan& plan = sweep.plan();
  const auto axes = drawn_axes(sweep);
  std::uint64_t shown = 1;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, axes.size()); ++i) shown *= axes[i].size();
  if (shown > (plan.axes.size() > 1 ? most_cells : most_drawn)) {
    note = "no figures: the grid of " + std::to_string(shown) + " points is too fine to draw";
    return {};
  }
  if (statistics.rows > most_drawn)
    note = "figures show the first " + std::to_string(most_drawn) + " runs";
  std::string slice;
  for (std::size_t i = 2; i < plan.axes.size(); ++i)
    slice +=
        (slice.empty() ? " at " : ", ") + plan.axes[i].field + " = " + words(plan.axes[i].value(0));
  std::vector<Plot> plots;
  std::set<std::string> taken;
  std::optional<Line> boundary;
  if (sweep.boundary()) boundary = write_boundary(path, sweep, out);
  for (std::size_t q = 0; q < statistics.quantities.size(); ++q) {
    const QuantityStatistics& s = statistics.quantities[q];
    std::string name = "sweep-" + plain_name(s.name);
    if (!taken.insert(name).second) name += "-" + std::to_string(q + 1), taken.insert(name);
    if (const auto at = sensitivities.find(s.name); at != sensitivities.end())
      plots.push_back(tornado(sweep, s.name, at->second, name + "-sensitivity", out));
    const bool by_words = s.words > 0;
    if (s.numbers + s.words == 0 || (by_words && (plan.axes.size() < 2 || s.counts.size() > 12)))
      continue;
    std::vector<std::string> all_words;
    for (const auto& [word, count] : s.counts) all_words.push_back(word);
    const Cells cells = cells_of(path, sweep, q, all_words);
    Plot plot;
    plot.name = name;
    plot.y_label = s.unit.empty() ? quantity_label(s.name) : sweep.quantity_label(q);
    plot.title = sweep.experiment().title + slice;
    plot.map_words = all_words;
    if (plan.axes.empty()) add_histogram(plot, cells.front(), out);
    else if (plan.axes.size() == 1) add_curve(plot, sweep, cells, out);
    else add_map(plot, sweep, cells, by_words, out);
    if (boundary && s.name == sweep.boundary()->quantity) plot.lines.push_back(*boundary);
    plots.push_back(std::move(plot));
  }
  return plots;
}

}  // namespace bristle::io
