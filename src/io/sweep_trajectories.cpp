// SPDX-License-Identifier: MIT
// Whole trajectories of the runs of a sweep: their rows, and bands over the draws.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/sweep_results.hpp"
#include "bristle/solve/stop_look.hpp"
#include "quantile.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

// Trajectories of evenly spaced runs, as many as memory that does not grow with their number holds.
class ThinnedRuns {
 public:
  explicit ThinnedRuns(std::size_t columns) : columns_(columns) {}

  void add(const TrajectorySample& s) {
    if (s.number != number_) begin(s.number);
    if (!kept_) return;
    auto& run = runs_.back();
    if (runs_.size() == 1) times_.push_back(s.time);
    else if (run.size() / columns_ >= times_.size() || times_[run.size() / columns_] != s.time)
      uneven_ = true;
    run.insert(run.end(), s.values.begin(), s.values.end());
  }
  // False where runs were sampled at different instants.
  bool end() {
    for (const auto& run : runs_) uneven_ = uneven_ || run.size() != times_.size() * columns_;
    return !uneven_ && !runs_.empty();
  }
  const std::vector<double>& times() const { return times_; }
  std::size_t runs() const { return runs_.size(); }
  std::vector<double> sorted(std::size_t time, std::size_t column) const {
    std::vector<double> all;
    for (const auto& run : runs_) all.push_back(run[time * columns_ + column]);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  void begin(std::uint64_t number) {
    number_ = number;
    kept_ = seen_++ % stride_ == 0;
    if (!kept_) return;
    runs_.emplace_back();
    if (runs_.size() * times_.size() * columns_ <= most_numbers || runs_.size() < 4) return;
    for (std::size_t i = 1; 2 * i < runs_.size(); ++i) runs_[i] = std::move(runs_[2 * i]);
    runs_.resize((runs_.size() + 1) / 2);
    stride_ *= 2;
    // The run that begins is kept if its place in the longer stride is.
    kept_ = (seen_ - 1) % stride_ == 0;
  }

  static constexpr std::size_t most_numbers = std::size_t(1) << 23;
  std::size_t columns_;
  std::vector<std::vector<double>> runs_;
  std::vector<double> times_;
  std::uint64_t number_ = 0, seen_ = 0, stride_ = 1;
  bool kept_ = false, uneven_ = false;
};

}  // namespace

std::string trajectory_text(std::uint64_t number, const Case& c, const CaseResult& result,
                            const std::vector<std::string>& columns) {
  std::vector<std::vector<double>> values{column(c, result, "time")};
  for (const auto& name : columns) values.push_back(column(c, result, name));
  std::string text;
  for (std::size_t i = 0; i < values.front().size(); ++i) {
    text += std::to_string(number);
    for (const auto& one : values) fmt::format_to(std::back_inserter(text), ",{}", one.at(i));
    text += "\n";
  }
  return text;
}

std::vector<std::string> trajectory_columns(const Sweep& sweep) {
  std::vector<std::string> all{"number", "time"};
  all.insert(all.end(), sweep.trajectory().begin(), sweep.trajectory().end());
  return all;
}

void each_sample(const std::string& path, const Sweep& sweep,
                 const std::function<void(const TrajectorySample&)>& use) {
  std::ifstream in(path);
  std::string line;
  const std::string header = header_text(trajectory_columns(sweep));
  if (!std::getline(in, line) || line + "\n" != header)
    throw InputError(path + ": is not the table of the trajectories of this sweep");
  TrajectorySample sample;
  sample.values.resize(sweep.trajectory().size());
  StopLook stop;
  while (std::getline(in, line)) {
    stop();
    const char *at = line.data(), *const end = at + line.size();
    const std::uint64_t before = sample.number;
    auto read = std::from_chars(at, end, sample.number);
    bool good = read.ec == std::errc() && sample.number >= before;
    const auto next = [&](double& value) {
      good = good && read.ptr < end && *read.ptr == ',';
      if (!good) return;
      const auto one = std::from_chars(read.ptr + 1, end, value);
      good = one.ec == std::errc();
      read.ptr = one.ptr;
    };
    next(sample.time);
    for (double& value : sample.values) next(value);
    if (!good || read.ptr != end)
      throw InputError(path + ": '" + shown(line) +
                       "' is not the next row of a trajectory, the file is damaged");
    use(sample);
  }
  if (in.bad()) throw FileError(path + ": cannot be read");
}

std::vector<Plot> write_bands(const std::string& path, const Sweep& sweep, ResultDirectory& out,
                              std::string& note) {
  const auto& names = sweep.trajectory();
  ThinnedRuns runs(names.size());
  each_sample(path, sweep, [&](const TrajectorySample& s) { runs.add(s); });
  if (!runs.end()) {
    note = "no bands: the runs are sampled at different instants";
    return {};
  }
  std::vector<std::vector<double>> low(names.size()), median(low), high(low);
  StopLook stop;
  for (std::size_t i = 0; i < runs.times().size(); ++i)
    for (std::size_t k = 0; k < names.size(); ++k) {
      stop();
      const auto sorted = runs.sorted(i, k);
      low[k].push_back(sorted_quantile(sorted, 0.025));
      median[k].push_back(sorted_quantile(sorted, 0.5));
      high[k].push_back(sorted_quantile(sorted, 0.975));
    }
  std::vector<std::pair<std::string, std::span<const double>>> table{{"time", runs.times()}};
  std::vector<Plot> plots;
  for (std::size_t k = 0; k < names.size(); ++k) {
    table.emplace_back(names[k] + ".low", low[k]);
    table.emplace_back(names[k] + ".median", median[k]);
    table.emplace_back(names[k] + ".high", high[k]);
    Plot plot;
    plot.name = "band-" + plain_name(names[k]);
    plot.title = sweep.experiment().title;
    plot.x_label = "time [s]", plot.y_label = sweep.column_label(names[k]);
    Line line{"bands.csv", "($1)", fmt::format("(${})", 3 * k + 3), "median"};
    line.xs = runs.times(), line.ys = median[k];
    plot.lines.push_back(std::move(line));
    plot.band_xs = runs.times(), plot.band_ys = low[k];
    plot.band_xs.insert(plot.band_xs.end(), runs.times().rbegin(), runs.times().rend());
    plot.band_ys.insert(plot.band_ys.end(), high[k].rbegin(), high[k].rend());
    plot.band_file = plot.name + "-outline.csv";
    plot.band_label = fmt::format("95 % of {} draws", runs.runs());
    out.write(plot.band_file, csv_text({{"time", plot.band_xs}, {names[k], plot.band_ys}}));
    plots.push_back(std::move(plot));
  }
  out.write("bands.csv", csv_text(table));
  return plots;
}

}  // namespace bristle::io
