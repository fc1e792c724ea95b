// SPDX-License-Identifier: MIT
#include "report_parts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/io/figure_data.hpp"
#include "bristle/version.hpp"
#include "gallery_parts.hpp"
#include "html.hpp"
#include "page.hpp"

namespace bristle::io {

using nlohmann::ordered_json;

namespace {

std::string rows(const std::vector<std::vector<std::string>>& cells) {
  std::string h;
  for (const auto& row : cells) {
    h += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      h += (i + 1 < row.size() ? "<td style=\"white-space:nowrap\">" : "<td>") + row[i];
    h += "</tr>\n";
  }
  return h;
}

}  // namespace

std::string opening(const std::string& title) {
  return page_head(title) + "<header class=\"top\"><h1>" + escaped(title) + "</h1>" +
         page_navigation("") + "</header><main id=\"main\">\n";
}

std::string closing(const std::string& command) {
  return "</main><footer class=\"soft small\">bristle " + std::string(version) +
         (command.empty() ? "" : ", <code>" + escaped(command) + "</code>") + "</footer><script>" +
         std::string(page::figure_js) + "</script>\n<script>" + std::string(page::gallery_js) +
         "</script></body></html>\n";
}

std::string table(const std::string& head, const std::vector<std::vector<std::string>>& cells) {
  return "<div class=\"wide\"><table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows(cells) +
         "</tbody></table></div>\n";
}

std::string figure(const Plot& plot) {
  const auto data = figure_data(plot);
  return "<figure class=\"plot\"><figcaption>" + escaped(plot.title) +
         "</figcaption><script type=\"application/json\">" +
         inside_script(data.dump(-1, ' ', false, ordered_json::error_handler_t::replace)) +
         "</script></figure>\n";
}

std::string list(const std::vector<std::string>& sentences) {
  std::string h = "<ul class=\"words\">\n";
  for (const auto& s : sentences) h += "<li>" + escaped(s) + "</li>\n";
  return h + "</ul>\n";
}

std::string interval_words(const FittedParameter& p) {
  if (!p.free) return "held";
  if (p.at_bound) return "at its bound";
  return std::isnan(p.lower) ? "none" : fmt::format("{:.5g} to {:.5g}", p.lower, p.upper);
}

std::string motion_words(const FitSummary& fit) {
  if (fit.problem.kind != FitKind::direct) return "";
  double noise = 0.0, rest = 0.0, least = INFINITY, most = 0.0;
  long undecided = 0;
  bool asked = false, used = false;
  for (const Track& run : fit.problem.runs) {
    const MotionFilter& f = run.filter;
    noise = std::max(noise, f.noise), rest = std::max(rest, f.rest);
    asked = asked || f.asked, used = used || f.used, undecided += f.undecided;
    if (f.bandwidth > 0.0) least = std::min(least, f.bandwidth), most = std::max(most, f.bandwidth);
  }
  if (noise == 0.0 && !asked) return "";
  std::string s = noise > 0.0 ? fmt::format("the position has noise of {:.3g} {} rms; ", noise,
                                            fit.problem.units.way)
                              : "no noise of the position is seen; ";
  const std::string range =
      least < most ? fmt::format("{:.3g} to {:.3g}", least, most) : fmt::format("{:.3g}", most);
  if (used)
    s += fmt::format("smoothed without phase up to {} Hz ({})", range,
                     asked ? "as asked for" : "chosen from the data");
  else if (most > 0.0)
    s += fmt::format(
        "used as measured, since the force is met no better if it is smoothed up to "
        "{} Hz",
        range);
  else s += "used as measured";
  if (rest > 0.0) s += fmt::format(", held at rest for {:.0f} % of the samples", 100.0 * rest);
  if (undecided > 0)
    s += fmt::format(
        "; {} of {} samples, at rest or next to a start, stop or reversal, are left out of the "
        "fit: the filter cannot tell their direction",
        undecided, fit.fitted.samples);
  if (fit.repeated > 0)
    s += fmt::format("; intervals from {} fits repeated with this noise", fit.repeated);
  return s;
}

std::string parameter_table(const std::vector<FittedParameter>& parameters) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& p : parameters)
    cells.push_back({"<b>" + escaped(p.name) + "</b>", fmt::format("{:.6g}", p.value),
                     escaped(p.unit), interval_words(p),
                     p.free && !p.determined ? "<span class=\"missed\">not determined</span>" : "",
                     escaped(p.meaning)});
  return table("<th>parameter<th>value<th>unit<th>95 % interval<th><th>meaning", cells);
}

ordered_json parameters_json(const std::vector<FittedParameter>& parameters) {
  const auto finite = [](double x) {
    return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr);
  };
  ordered_json all = ordered_json::array();
  for (const auto& p : parameters) {
    ordered_json q{{"name", p.name}, {"unit", p.unit}, {"value", p.value}, {"fitted", p.free}};
    if (p.free) {
      q["standard_deviation"] = finite(p.deviation);
      q["lower_95"] = finite(p.lower);
      q["upper_95"] = finite(p.upper);
      q["determined"] = p.determined;
      q["at_bound"] = p.at_bound;
      if (p.noise_move != 0.0) {
        q["moved_by_position_noise"] = finite(p.noise_move);
        q["position_noise_decides"] = p.noise_decides;
      }
    }
    all.push_back(q);
  }
  return all;
}

}  // namespace bristle::io
