// SPDX-License-Identifier: MIT
#include "bristle/io/figure_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "bristle/io/cancel.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

struct Extent {
  double low = INFINITY, high = -INFINITY;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double part(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

Extent extent_of(std::span<const double> values) {
  Extent e;
  for (const double v : values) e.add(v);
  return e;
}

// Square of the distance of a point from the piece of line between two others.
double off_line(double x, double y, double ax, double ay, double bx, double by) {
  const double dx = bx - ax, dy = by - ay;
  const double length = dx * dx + dy * dy;
  const double t =
      length > 0.0 ? std::clamp(((x - ax) * dx + (y - ay) * dy) / length, 0.0, 1.0) : 0.0;
  const double px = x - ax - t * dx, py = y - ay - t * dy;
  return px * px + py * py;
}

// Douglas and Peucker between two points that stay: keeps the farthest and looks on both sides.
void keep_between(std::span<const double> u, std::span<const double> v, std::size_t from,
                  std::size_t to, double tolerance, std::vector<char>& kept) {
  std::vector<std::pair<std::size_t, std::size_t>> open{{from, to}};
  while (!open.empty()) {
    const auto [a, b] = open.back();
    open.pop_back();
    double worst = tolerance * tolerance;
    std::size_t at = a;
    for (std::size_t i = a + 1; i < b; ++i)
      if (const double d = off_line(u[i], v[i], u[a], v[a], u[b], v[b]); d > worst)
        worst = d, at = i;
    if (at == a) continue;
    kept[at] = 1;
    open.emplace_back(a, at);
    open.emplace_back(at, b);
  }
}

// Long pieces are cut first, so that noise does not take the square of their length.
constexpr std::size_t piece = 500;

std::vector<double> scaled(std::span<const double> values, bool logarithmic) {
  std::vector<double> s(values.begin(), values.end());
  if (logarithmic)
    for (double& v : s) v = v > 0.0 ? std::log10(v) : NAN;
  return s;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr char letters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
    for (int k = 3; k >= 0; --k) text += letters[group >> (6 * k) & 63];
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  for (std::size_t k = 0; k < missing; ++k) text[text.size() - 1 - k] = '=';
  return text;
}

ordered_json curve_data(const std::string& label, const char* kind, std::span<const double> xs,
                        std::span<const double> ys, const Plot& plot) {
  const auto us = scaled(xs, plot.log_x), vs = scaled(ys, plot.log_y);
  const Extent u = extent_of(us), v = extent_of(vs);
  std::vector<std::uint8_t> bytes;
  const auto put = [&](double part) {
    const unsigned n = std::isfinite(part) ? unsigned(std::lround(part * 65534.0)) : 65535u;
    bytes.push_back(std::uint8_t(n & 255u));
    bytes.push_back(std::uint8_t(n >> 8));
  };
  // Marks are kept all, they are few.
  std::vector<std::size_t> kept(us.size());
  std::iota(kept.begin(), kept.end(), std::size_t{0});
  const std::string_view look(kind);
  if (look != "points" && look != "dots") kept = thinned(us, vs);
  for (const std::size_t i : kept) {
    const bool gap = !std::isfinite(us[i]) || !std::isfinite(vs[i]);
    put(gap ? NAN : u.part(us[i]));
    put(gap ? NAN : v.part(vs[i]));
  }
  ordered_json j{{"label", label}, {"kind", kind}};
  if (u.low <= u.high && v.low <= v.high) j["box"] = {u.low, u.high, v.low, v.high};
  else bytes.clear();
  j["data"] = base64(bytes);
  if (std::string_view(kind) == "points")
    for (std::size_t i = 0; i < xs.size(); ++i) j["values"].push_back({xs[i], ys[i]});
  return j;
}

ordered_json range_json(const std::string& range) {
  ordered_json ends = ordered_json::array({nullptr, nullptr});
  const auto colon = range.find(':');
  for (const int side : {0, 1}) {
    const std::string text = side ? range.substr(colon + 1) : range.substr(0, colon);
    if (colon != std::string::npos && !text.empty() && text != "*") ends[side] = std::stod(text);
  }
  return ends;
}

}  // namespace

std::vector<std::size_t> thinned(std::span<const double> xs, std::span<const double> ys,
                                 double tolerance, std::size_t most) {
  const std::size_t n = std::min(xs.size(), ys.size());
  const Extent ex = extent_of(xs.first(n)), ey = extent_of(ys.first(n));
  std::vector<double> u(n), v(n);
  for (std::size_t i = 0; i < n; ++i) u[i] = ex.part(xs[i]), v[i] = ey.part(ys[i]);
  const auto good = [&](std::size_t i) { return std::isfinite(xs[i]) && std::isfinite(ys[i]); };
  std::vector<std::size_t> indices;
  for (;; tolerance *= 2.0) {
    std::vector<char> kept(n, 0);
    for (std::size_t i = 0; i < n;) {
      if (!good(i)) {
        // One gap for many, and none at the ends.
        if (i > 0 && good(i - 1)) kept[i] = 1;
        ++i;
        continue;
      }
      std::size_t end = i;
      while (end + 1 < n && good(end + 1) && end - i < piece) ++end;
      kept[i] = kept[end] = 1;
      stop_if_asked();
      keep_between(u, v, i, end, tolerance, kept);
      i = end == i ? i + 1 : end + (end + 1 < n && good(end + 1) ? 0 : 1);
    }
    indices.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (kept[i]) indices.push_back(i);
    while (!indices.empty() && !good(indices.back())) indices.pop_back();
    if (indices.size() <= most || tolerance > 1.0) return indices;
  }
}

ordered_json figure_data(const Plot& plot) {
  ordered_json j{{"name", plot.name},   {"title", plot.title},    {"alt", figure_words(plot)},
                 {"x", plot.x_label},   {"y", plot.y_label},      {"log", {plot.log_x, plot.log_y}},
                 {"equal", plot.equal}, {"overlay", plot.overlay}};
  if (!plot.x_range.empty()) j["x_range"] = range_json(plot.x_range);
  if (!plot.y_range.empty()) j["y_range"] = range_json(plot.y_range);
  j["curves"] = ordered_json::array();
  if (!plot.band_xs.empty())
    j["curves"].push_back(curve_data("equilibria", "band", plot.band_xs, plot.band_ys, plot));
  for (const Line& line : plot.lines) {
    if (line.envelope()) {
      // Along its lower end and back along its upper one.
      std::vector<double> xs = line.xs, ys = line.ys;
      xs.insert(xs.end(), line.xs.rbegin(), line.xs.rend());
      ys.insert(ys.end(), line.uppers.rbegin(), line.uppers.rend());
      j["curves"].push_back(curve_data(line.label, "envelope", xs, ys, plot));
      continue;
    }
    j["curves"].push_back(curve_data(line.label,
                                     line.faint    ? "faint"
                                     : line.dots   ? "dots"
                                     : line.dashed ? "dashed"
                                     : line.behind ? "behind"
                                     : line.points ? "points"
                                                   : "line",
                                     line.xs, line.ys, plot));
  }
  return j;
}

std::string figure_words(const Plot& plot) {
  Extent x, y;
  std::string labels;
  std::size_t count = 0;
  for (const Line& line : plot.lines) {
    for (const double v : line.xs) x.add(v);
    for (const double v : line.ys) y.add(v);
    for (const double v : line.uppers) y.add(v);
    if (line.label.empty()) continue;
    labels += (labels.empty() ? "" : "; ") + line.label;
    ++count;
  }
  std::string words = plot.title + ": " + plot.y_label + " over " + plot.x_label;
  if (x.low <= x.high && y.low <= y.high)
    words += fmt::format(", {:.4g} to {:.4g} over {:.4g} to {:.4g}", y.low, y.high, x.low, x.high);
  if (count > 0) words += fmt::format(". {} curve{}: ", count, count > 1 ? "s" : "") + labels;
  return words + ".";
}

}  // namespace bristle::io
