// SPDX-License-Identifier: MIT
#include "drawn_curves.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/analysis/mean_curve.hpp"
#include "bristle/analysis/sliding.hpp"
#include "bristle/io/csv.hpp"

namespace bristle::io {

void add_mean(Plot& plot, const FigureSpec& f, const Case& c, const CaseResult& r,
              const std::string& number, ResultDirectory& out) {
  for (const double way : {1.0, -1.0}) {
    // Samples of the other direction count as at rest, which the mean leaves out.
    std::vector<double> speed = r.run.trajectory.velocity;
    for (double& v : speed) v = std::max(way * v, 0.0);
    MeanCurve mean = mean_curve(speed, column(c, r, f.y));
    if (mean.velocity.empty()) continue;
    for (double& v : mean.velocity) v *= way;
    Line line{f.name + "_mean" + number + (way > 0.0 ? "" : "-backward") + ".csv", "($1)", "($2)",
              c.label.empty() ? "mean" : c.label + ", mean"};
    out.write(line.file, csv_text({{"velocity", mean.velocity}, {"mean", mean.value}}));
    line.xs = mean.velocity, line.ys = mean.value;
    plot.lines.push_back(std::move(line));
  }
}

void add_peaks(Plot& plot, const FigureSpec& f, const Case& c, const CaseResult& r,
               const std::string& number, ResultDirectory& out) {
  Line line{f.name + "_peaks" + number + ".csv", "($1)", "($2)", c.label};
  line.dots = true;
  for (const SlipPeak& peak : slip_peaks(r.run.trajectory.time, r.run.trajectory.velocity)) {
    if (peak.time < f.from || (f.to > 0.0 && peak.time > f.to)) continue;
    line.xs.push_back(peak.time);
    line.ys.push_back(peak.speed);
  }
  out.write(line.file, csv_text({{"time", line.xs}, {"speed", line.ys}}));
  plot.x_label = axis_label(c, r, "time");
  plot.y_label = "largest speed of each slip [m/s]";
  plot.lines.push_back(std::move(line));
}

void add_closed_forms(Plot& plot, const FigureSpec& f, ResultDirectory& out) {
  double low = INFINITY, high = -INFINITY;
  for (const Line& line : plot.lines)
    for (const double x : line.xs)
      if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  constexpr int n = 400;
  for (std::size_t k = 0; k < f.curves.size(); ++k) {
    const ClosedForm& curve = f.curves[k];
    const double from = curve.from.value_or(low), to = curve.to.value_or(high);
    Line line{f.name + "_formula" + std::to_string(k + 1) + ".csv", "($1)", "($2)", curve.label};
    line.dashed = true;
    const bool by_ratio = plot.log_x && from > 0.0;
    for (int i = 0; i <= n && from <= to; ++i) {
      const double part = double(i) / n;
      const double x = by_ratio ? from * std::pow(to / from, part) : from + (to - from) * part;
      const double y = curve.formula(x);
      if (!std::isfinite(y)) continue;
      line.xs.push_back(x);
      line.ys.push_back(y);
    }
    out.write(line.file, csv_text({{"x", line.xs}, {"y", line.ys}}));
    plot.lines.push_back(std::move(line));
  }
}

}  // namespace bristle::io
