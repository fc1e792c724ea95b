// SPDX-License-Identifier: MIT
#include "plot_look.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bristle/io/csv.hpp"

namespace bristle::io {
namespace {

struct Ends {
  double low = INFINITY, high = -INFINITY;

  void add(double v) {
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  double width() const { return high > low ? high - low : 0.0; }
  double size() const { return std::max(std::abs(low), std::abs(high)); }
};

Ends ends_of(const std::vector<double>& values) {
  Ends e;
  for (const double v : values) e.add(v);
  return e;
}

bool is_plain(const Line& line) {
  return !line.faint && !line.points && !line.dots && !line.dashed && !line.behind &&
         !line.envelope();
}

// How often a curve turns round by more than a part of its range.
std::size_t swings_of(const std::vector<double>& ys) {
  const double least = 0.05 * ends_of(ys).width();
  std::size_t count = 0;
  double extreme = NAN;
  int way = 0;
  for (const double y : ys) {
    if (!std::isfinite(y)) continue;
    if (std::isnan(extreme)) extreme = y;
    if (way == 0 ? std::abs(y - extreme) > least : way * (extreme - y) > least) {
      way = y > extreme ? 1 : -1;
      extreme = y;
      ++count;
    } else if (way != 0) {
      extreme = way > 0 ? std::max(extreme, y) : std::min(extreme, y);
    }
  }
  return count;
}

bool increases(const std::vector<double>& xs) {
  double last = -INFINITY;
  for (const double x : xs) {
    if (!std::isfinite(x)) continue;
    if (x < last) return false;
    last = x;
  }
  return true;
}

constexpr std::size_t bins = 300;          // about two pixels each
constexpr std::size_t most_swings = bins;  // that can be distinguished

void make_envelope(Line& line, const std::string& file, ResultDirectory& out) {
  const Ends x = ends_of(line.xs);
  std::vector<Ends> ends(bins);
  std::size_t last = bins;
  for (std::size_t i = 0; i < line.xs.size(); ++i) {
    if (!std::isfinite(line.xs[i]) || !std::isfinite(line.ys[i])) continue;
    const double part = (line.xs[i] - x.low) / x.width();
    const std::size_t bin = std::min(bins - 1, std::size_t(part * double(bins)));
    ends[bin].add(line.ys[i]);
    // The line enters a bin from the one before.
    if (last < bin) ends[last].add(line.ys[i]);
    last = bin;
  }
  line.xs.clear(), line.ys.clear();
  for (std::size_t i = 0; i < bins; ++i) {
    if (!(ends[i].low <= ends[i].high)) continue;
    line.xs.push_back(x.low + x.width() * (double(i) + 0.5) / double(bins));
    line.ys.push_back(ends[i].low);
    line.uppers.push_back(ends[i].high);
  }
  line.file = file, line.x = "($1)", line.y = "($2)", line.upper = "($3)";
  if (!line.label.empty()) line.label += " (range)";
  out.write(file, csv_text({{"x", line.xs}, {"lower", line.ys}, {"upper", line.uppers}}));
}

// Whether two curves over the same values lie within a hundredth of their range nearly everywhere.
bool coincide(const Line& a, const Line& b) {
  if (a.xs.size() != b.xs.size() || a.xs.size() < 3) return false;
  const double x = ends_of(a.xs).width(), y = ends_of(a.ys).width();
  std::size_t near = 0;
  for (std::size_t i = 0; i < a.xs.size(); ++i) {
    const bool gap = !std::isfinite(a.xs[i] + a.ys[i] + b.xs[i] + b.ys[i]);
    near +=
        gap || (std::abs(a.xs[i] - b.xs[i]) <= 0.01 * x && std::abs(a.ys[i] - b.ys[i]) <= 0.01 * y);
  }
  return double(near) >= 0.6 * double(a.xs.size());
}

// A smaller or larger unit, and the sizes for which it is the better one.
struct Prefix {
  std::string_view unit, name;
  double factor, below, from;
};
constexpr Prefix prefixes[]{{"m", "µm", 1e6, 2e-4, 0.0},      {"m", "mm", 1e3, 0.2, 2e-4},
                            {"m/s", "µm/s", 1e6, 2e-4, 0.0},  {"m/s", "mm/s", 1e3, 0.1, 2e-4},
                            {"s", "µs", 1e6, 2e-4, 0.0},      {"s", "ms", 1e3, 0.5, 2e-4},
                            {"rad", "mrad", 1e3, 0.05, 0.0},  {"N", "mN", 1e3, 0.05, 0.0},
                            {"N", "kN", 1e-3, INFINITY, 2e4}, {"N m", "mN m", 1e3, 0.05, 0.0},
                            {"J", "mJ", 1e3, 0.05, 0.0},      {"Pa", "kPa", 1e-3, INFINITY, 2e4}};

// "0.01:*" in the new unit.
std::string scaled_range(const std::string& range, double factor) {
  const auto colon = range.find(':');
  if (colon == std::string::npos) return range;
  const auto end = [&](const std::string& side) {
    const auto value = number_in(side);
    return value ? fmt::format("{:.12g}", *value * factor) : side;
  };
  return end(range.substr(0, colon)) + ":" + end(range.substr(colon + 1));
}

// Another unit for the label of an axis; null where it is best as it is.
const Prefix* prefix_for(const std::string& label, double size) {
  const auto at = label.rfind(" [");
  if (at == std::string::npos || label.back() != ']' || !(size > 0.0)) return nullptr;
  const std::string unit = label.substr(at + 2, label.size() - at - 3);
  for (const Prefix& p : prefixes)
    if (p.unit == unit && size < p.below && size >= p.from) return &p;
  return nullptr;
}

void rename(std::string& label, const Prefix& p) {
  label = label.substr(0, label.rfind(" [")) + " [" + std::string(p.name) + "]";
}

// "(($2)*1000)" of "($2)" and "($2*1000)" of "2".
void multiply(std::string& column, double factor) {
  const bool number = column.find_first_not_of("0123456789") == std::string::npos;
  column = fmt::format("({}{}*{:g})", number ? "$" : "", column, factor);
}

void multiply(std::vector<double>& values, double factor) {
  for (double& v : values) v *= factor;
}

// The largest number that is seen along an axis.
double size_along(const Plot& plot, bool x) {
  const std::string& range = x ? plot.x_range : plot.y_range;
  Ends e;
  const auto colon = range.find(':');
  if (colon != std::string::npos) {
    const auto low = number_in(range.substr(0, colon)), high = number_in(range.substr(colon + 1));
    if (low && high) return std::max(std::abs(*low), std::abs(*high));
  }
  for (const Line& line : plot.lines) {
    for (const double v : x ? line.xs : line.ys) e.add(v);
    for (const double v : line.uppers)
      if (!x) e.add(v);
  }
  return e.low <= e.high ? e.size() : 0.0;
}

void scale_x(Plot& plot, const Prefix& p) {
  rename(plot.x_label, p);
  plot.x_range = scaled_range(plot.x_range, p.factor);
  plot.x_factor = p.factor;
  multiply(plot.band_xs, p.factor);
  for (Line& line : plot.lines) multiply(line.x, p.factor), multiply(line.xs, p.factor);
}

void scale_y(Plot& plot, const Prefix& p) {
  rename(plot.y_label, p);
  plot.y_range = scaled_range(plot.y_range, p.factor);
  plot.y_factor = p.factor;
  multiply(plot.band_ys, p.factor);
  for (Line& line : plot.lines) {
    multiply(line.y, p.factor), multiply(line.ys, p.factor);
    if (line.envelope()) multiply(line.upper, p.factor), multiply(line.uppers, p.factor);
  }
}

}  // namespace

void make_envelopes(Plot& plot, ResultDirectory& out) {
  if (plot.log_x || plot.log_y) return;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    Line& line = plot.lines[i];
    if (!is_plain(line) || line.xs.size() != line.ys.size() || !increases(line.xs) ||
        !(ends_of(line.xs).width() > 0.0) || swings_of(line.ys) <= most_swings)
      continue;
    make_envelope(line, plot.name + "_envelope" + std::to_string(i + 1) + ".csv", out);
  }
}

void tell_apart(Plot& plot) {
  for (std::size_t i = 0; i < plot.lines.size() && !plot.overlay; ++i)
    for (std::size_t k = i + 1; k < plot.lines.size(); ++k)
      if (is_plain(plot.lines[i]) && is_plain(plot.lines[k]) &&
          coincide(plot.lines[i], plot.lines[k]))
        plot.overlay = true;
}

void choose_units(Plot& plot) {
  const double x = size_along(plot, true), y = size_along(plot, false);
  // Both axes in one scale stay in one unit.
  const double both = std::max(x, y);
  const Prefix* along = prefix_for(plot.x_label, plot.equal ? both : x);
  const Prefix* up = prefix_for(plot.y_label, plot.equal ? both : y);
  if (plot.equal && along != up) return;
  if (along && !plot.log_x) scale_x(plot, *along);
  if (up && !plot.log_y) scale_y(plot, *up);
}

}  // namespace bristle::io
