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

// The titles of the columns of "<th>law<th>R<sup>2</sup>", without tags.
std::vector<std::string> titles(std::string_view head) {
  std::vector<std::string> all;
  bool tag = false;
  for (std::size_t i = 0; i < head.size(); ++i) {
    if (head.substr(i).starts_with("<th")) all.emplace_back();
    if (head[i] == '<') tag = true;
    else if (head[i] == '>') tag = false;
    else if (!tag && !all.empty()) all.back() += head[i];
  }
  return all;
}

// Numbers and names stay on one line; on a narrow screen each cell stands under its title.
std::string rows(std::string_view head, const std::vector<std::vector<std::string>>& cells) {
  const auto labels = titles(head);
  std::string h;
  for (const auto& row : cells) {
    h += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      h += "<td";
      if (i > 0 && i < labels.size() && !labels[i].empty())
        h += " data-l=\"" + escaped(labels[i]) + "\"";
      if (i + 1 < row.size() && row[i].size() <= 60) h += " style=\"white-space:nowrap\"";
      h += ">" + row[i];
    }
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
  return "<div class=\"wide\"><table class=\"cards\"><thead><tr>" + head +
         "</tr></thead><tbody>\n" + rows(head, cells) + "</tbody></table></div>\n";
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
  if (p.at_bound)
    return p.value <= p.least  ? "at its lower bound"
           : p.value >= p.most ? "at its upper bound"
                               : "at its bound";
  if (std::isnan(p.lower)) return "none";
  if (p.no_lower_limit() && p.no_upper_limit()) return "no limit";
  if (p.no_upper_limit()) return fmt::format("above {:.5g}", p.lower);
  if (p.no_lower_limit()) return fmt::format("below {:.5g}", p.upper);
  return fmt::format("{:.5g} to {:.5g}", p.lower, p.upper);
}

std::string bound_words(const FittedParameter& p) {
  if (!p.free || !std::isfinite(p.least) || !std::isfinite(p.most)) return "";
  return fmt::format("{:.3g} to {:.3g}", p.least, p.most);
}

std::string doubt_words(const FittedParameter& p) {
  return !p.free ? "" : p.at_bound ? "at a bound" : !p.determined ? "not determined" : "";
}

std::string velocity_words(const FitSummary& fit) {
  if (fit.problem.kind == FitKind::steady || fit.problem.runs.empty()) return "";
  const Track& run = fit.problem.runs.front();
  if (!run.timed)
    return "no column of time: rows count as steps of one second, which does not matter to a "
           "rate-independent law";
  if (run.window == 0.0) return "";
  if (run.filter.used) return "made from the position: the slope of the smoothed motion";
  if (run.exact)
    return "made from the position, which has no noise: the slope of the polynomial through five "
           "samples";
  return fmt::format(
      "made from the position: the slope of a parabola over {:.3g} s to both sides, which passes "
      "motion up to {:.3g} Hz",
      run.window, smoothing_bandwidth(run.window));
}

std::string gravity_words(const FitSummary& fit) {
  const GravityTerm g = gravity_of(fit);
  if (!g.there) return "";
  constexpr double z = 1.96;
  return fmt::format(
      "{:.5g} N m (95 % {:.5g} to {:.5g}) times sin(q + q0), q0 = {:.4g} rad ({:.4g} to {:.4g})",
      g.torque, g.torque - z * g.torque_deviation, g.torque + z * g.torque_deviation, g.angle,
      g.angle - z * g.angle_deviation, g.angle + z * g.angle_deviation);
}

std::string delay_words(const DelayEstimate& d, const std::string& unit) {
  const auto ms = [](double t) { return fmt::format("{:.4g}", 1e3 * t); };
  if (d.at_limit)
    return fmt::format(
        "the error still falls at a delay of {} ms, the longest tried: --delay auto:SECONDS tries "
        "longer ones",
        ms(d.delay));
  const std::string interval = "95 % " + ms(d.lower) + " to " + ms(d.upper) + " ms";
  if (!d.seen()) return "no delay of the force is found (" + interval + ")";
  return fmt::format("the force {} the motion by {} ms ({}), taken out: error {:.4g} -> {:.4g} {}",
                     d.delay > 0.0 ? "lags" : "leads", ms(std::abs(d.delay)), interval, d.without,
                     d.with, unit);
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
                              : "no noise of the position is found; ";
  const std::string range =
      least < most ? fmt::format("{:.3g} to {:.3g}", least, most) : fmt::format("{:.3g}", most);
  if (used)
    s += fmt::format("smoothed without phase up to {} Hz ({})", range,
                     asked ? "as asked for" : "chosen from the data");
  else if (most > 0.0)
    s += fmt::format(
        "used as measured, since the error of the force is no smaller if it is smoothed up to "
        "{} Hz",
        range);
  else s += "used as measured";
  if (rest > 0.0) s += fmt::format(", held at rest for {:.0f} % of the samples", 100.0 * rest);
  if (undecided > 0)
    s += fmt::format(
        "; {} of {} samples, at rest or next to a start, stop or reversal, are excluded from the "
        "fit: the filter does not determine their direction",
        undecided, fit.fitted.samples);
  if (fit.repeated > 0)
    s += fmt::format("; intervals from {} fits repeated with this noise", fit.repeated);
  return s;
}

std::string parameter_table(const std::vector<FittedParameter>& parameters) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& p : parameters)
    cells.push_back(
        {"<b>" + escaped(p.name) + "</b>", fmt::format("{:.6g}", p.value), escaped(p.unit),
         interval_words(p) + (p.by_profile ? " (profile)" : ""),
         p.free && !p.determined ? "<span class=\"missed\">" + doubt_words(p) + "</span>" : "",
         bound_words(p), escaped(p.meaning)});
  return table("<th>parameter<th>value<th>unit<th>95 % interval<th><th>searched within<th>meaning",
               cells);
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
      if (std::isfinite(p.least)) q["bounds"] = {p.least, finite(p.most)};
      q["limited_below"] = !p.no_lower_limit();
      q["limited_above"] = !p.no_upper_limit();
      q["interval_by"] = p.by_profile ? "profile" : "linearisation";
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
