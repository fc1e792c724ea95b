// SPDX-License-Identifier: MIT
// Figures as small pictures for the overview, made from the packed curves of figure_data().
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "gallery_parts.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

constexpr double width = 240.0, height = 150.0, edge = 8.0;

struct Curve {
  std::string kind;
  std::vector<double> xs, ys;  // a gap is not a number
};

std::vector<std::uint8_t> bytes_of(const std::string& base64) {
  std::array<int, 256> value{};
  value.fill(-1);
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < letters.size(); ++i)
    value[static_cast<unsigned char>(letters[i])] = int(i);
  std::vector<std::uint8_t> bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : base64) {
    if (value[static_cast<unsigned char>(c)] < 0) break;
    group = group << 6 | std::uint32_t(value[static_cast<unsigned char>(c)]);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(std::uint8_t(group >> bits & 255u));
  }
  return bytes;
}

Curve unpacked(const ordered_json& packed) {
  Curve c{packed.at("kind").get<std::string>(), {}, {}};
  if (!packed.contains("box")) return c;
  const auto box = packed.at("box").get<std::vector<double>>();
  const auto bytes = bytes_of(packed.at("data").get<std::string>());
  const auto put = [&](std::vector<double>& into, std::size_t at, double low, double high) {
    const unsigned n = unsigned(bytes[at]) | unsigned(bytes[at + 1]) << 8;
    into.push_back(n == 65535u ? NAN : low + (high - low) * n / 65534.0);
  };
  for (std::size_t at = 0; at + 3 < bytes.size(); at += 4) {
    put(c.xs, at, box[0], box[1]);
    put(c.ys, at + 2, box[2], box[3]);
  }
  return c;
}

// The ends of an axis: those of the curves, unless the figure gives its own.
struct Ends {
  double low = INFINITY, high = -INFINITY;

  void add(double v) {
    if (std::isfinite(v)) low = std::min(low, v), high = std::max(high, v);
  }
  void take(const ordered_json& figure, const char* name, bool logarithmic) {
    if (!figure.contains(name)) return;
    const auto side = [&](std::size_t i, double& end) {
      const ordered_json& given = figure.at(name).at(i);
      if (!given.is_null())
        end = logarithmic ? std::log10(given.get<double>()) : given.get<double>();
    };
    side(0, low), side(1, high);
  }
  double part(double v) const { return high > low ? (v - low) / (high - low) : 0.5; }
};

// Points nearer than `apart` to the last one drawn are left out.
std::string path_of(const Curve& c, const Ends& x, const Ends& y, double apart) {
  std::string d;
  double last_x = NAN, last_y = NAN;
  for (std::size_t i = 0; i < c.xs.size(); ++i) {
    const bool there = std::isfinite(c.xs[i]) && std::isfinite(c.ys[i]);
    const double px = edge + x.part(c.xs[i]) * (width - 2.0 * edge);
    const double py = height - edge - y.part(c.ys[i]) * (height - 2.0 * edge);
    if (there && std::hypot(px - last_x, py - last_y) < apart) continue;
    if (there) d += fmt::format("{}{:.0f} {:.0f}", std::isfinite(last_x) ? "L" : "M", px, py);
    last_x = there ? px : NAN, last_y = there ? py : NAN;
  }
  return d;
}

}  // namespace

std::string thumbnail(const ordered_json& figure) {
  std::vector<Curve> curves;
  Ends x, y;
  for (const auto& packed : figure.at("curves")) {
    curves.push_back(unpacked(packed));
    for (const double v : curves.back().xs) x.add(v);
    for (const double v : curves.back().ys) y.add(v);
  }
  x.take(figure, "x_range", figure.at("log").at(0).get<bool>());
  y.take(figure, "y_range", figure.at("log").at(1).get<bool>());
  std::string h;
  std::size_t colour = 0, drawn = 0;
  for (const Curve& c : curves) {
    const bool plain = c.kind != "faint" && c.kind != "behind" && c.kind != "band";
    // A picture this small shows no more than some hundred points.
    std::string path = path_of(c, x, y, 1.0);
    for (double apart = 2.0; path.size() > 6000 && apart < width; apart *= 2.0)
      path = path_of(c, x, y, apart);
    if (path.empty()) continue;
    ++drawn;
    const bool area = c.kind == "band" || c.kind == "envelope";
    const std::string look =
        plain ? fmt::format("{}c{}", area ? "envelope " : "", colour++ % 7) : c.kind;
    if (c.kind == "dots" || c.kind == "points") {
      std::string marks = path;
      for (std::size_t at = 0; (at = marks.find_first_of("ML", at)) != std::string::npos;) {
        const std::size_t end = std::min(marks.find_first_of("ML", at + 1), marks.size());
        marks.insert(end, "h.1");
        marks[at] = 'M';
        at = end + 3;
      }
      h += "<path class=\"marks " + look + "\" d=\"" + marks + "\"/>";
    } else {
      h += "<path class=\"line " + look + "\" d=\"" + path + (area ? "Z" : "") + "\"/>";
    }
  }
  if (drawn == 0) return "";
  return fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" aria-hidden=\"true\">", width, height) +
         h + "</svg>";
}

}  // namespace bristle::io
