// SPDX-License-Identifier: MIT
#include "bristle/io/fit_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "bristle/model/registry.hpp"
#include "html.hpp"
#include "plot_look.hpp"
#include "report_parts.hpp"
#include "rollout_plots.hpp"

namespace bristle::io {
namespace {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();

void point(Line& line, double x, double y) { line.xs.push_back(x), line.ys.push_back(y); }

std::vector<std::string> agreement_row(const std::string& name, const Agreement& a) {
  return {name,
          std::to_string(a.samples),
          fmt::format("{:.5g}", a.rmse),
          fmt::format("{:.2f} %", 100.0 * a.nrmse),
          fmt::format("{:.5f}", a.r2),
          fmt::format("{:.4g}", a.worst)};
}

std::string parameters(const FitReport& r) { return parameter_table(r.fit.parameters); }

// The matrix as shades: dark is strong, blue positive, red negative.
std::string correlations(const FitSummary& f) {
  const std::size_t n = f.unknowns.size();
  if (n < 2) return "";
  std::string h =
      "<div class=\"wide\"><table><caption>Correlation of the estimates: near 1 or -1 two "
      "parameters cannot be distinguished.</caption><thead><tr><th>";
  for (const auto& name : f.unknowns) h += "<th>" + escaped(name);
  h += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < n; ++i) {
    h += "<tr><th>" + escaped(f.unknowns[i]);
    for (std::size_t j = 0; j < n; ++j) {
      const double c = f.correlation[i * n + j];
      h += fmt::format(
          "<td class=\"n\" style=\"background:color-mix(in srgb,var({}) "
          "{:.0f}%,transparent)\">{:.2f}",
          c > 0.0 ? "--c0" : "--c1", 70.0 * std::min(std::abs(c), 1.0), c);
    }
    h += "</tr>\n";
  }
  return h + "</tbody></table></div>\n";
}

void each_profile(const FitReport& r, const std::function<void(const Plot&)>& draw) {
  for (const Profile& p : r.profiles) {
    Line rise{.label = p.parameter}, limit{.label = "95 %", .faint = true};
    for (const auto& at : p.points) {
      point(rise, at.value, at.rise);
      point(limit, at.value, 3.841458820694124);
    }
    draw({.name = "profile-" + p.parameter,
          .title = "Profile of " + p.parameter,
          .x_label = p.parameter,
          .y_label = "rise of the sum of squares over the variance",
          .lines = {limit, rise}});
  }
}

}  // namespace

void each_fit_plot(const FitReport& r, const std::function<void(const Plot&)>& draw) {
  const FitProblem& problem = r.fit.problem;
  if (problem.kind == FitKind::rollout) {
    for (Plot& plot : rollout_plots(r)) choose_units(plot), draw(plot);
    each_profile(r, draw);
    return;
  }
  const bool steady = problem.kind == FitKind::steady, held_out = r.fit.held_out.samples > 0;
  const auto forces = fit_predict(problem, r.fit.x);
  const std::string force = "force [" + r.measurement.units.force + "]";
  const std::string x = r.measurement.units.way, time = steady ? "point" : "time [s]";
  bool moves = false;
  // Adds to the lines of a plot for every sample, with the force of the law; of curves that are not
  // over time, runs are separated by gaps. A long measurement has room for one plot at a time.
  const auto drawn = [&](Plot plot, bool gaps, const auto& add) {
    double clock = 0.0;
    for (std::size_t k = 0; k < forces.size(); ++k) {
      const auto& samples = problem.runs[k].samples;
      // Runs stand one after the other.
      const double shift = k == 0 ? 0.0 : clock - samples.front().time;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        clock = steady ? double(i + 1) : samples[i].time + shift;
        moves = moves || samples[i].position != samples.front().position;
        add(plot.lines, clock, samples[i], forces[k][i]);
      }
      for (Line& line : plot.lines)
        if (gaps) point(line, gap, gap);
    }
    choose_units(plot);
    draw(plot);
  };

  Plot over{.name = "force",
            .title = "Measured and fitted force",
            .x_label = time,
            .y_label = force,
            .lines = {{.label = "measured"}, {.label = "fitted"}}};
  if (held_out) over.lines.push_back({.label = "predicted (held out)"});
  drawn(std::move(over), false, [&](auto& lines, double t, const Sample& s, double f) {
    point(lines[0], t, s.force);
    point(lines[1], t, s.weight > 0.0 ? f : gap);
    if (held_out) point(lines[2], t, s.weight > 0.0 ? gap : f);
  });
  Plot left{.name = "residuals",
            .title = "Residuals: measured less fitted",
            .x_label = time,
            .y_label = force,
            .lines = {{.label = "fitted"}}};
  if (held_out) left.lines.push_back({.label = "held out"});
  drawn(std::move(left), false, [&](auto& lines, double t, const Sample& s, double f) {
    point(lines[0], t, s.weight > 0.0 ? s.force - f : gap);
    if (held_out) point(lines[1], t, s.weight > 0.0 ? gap : s.force - f);
  });
  if (moves)
    drawn({.name = "loop",
           .title = "Force over position",
           .x_label = "position [" + x + "]",
           .y_label = force,
           .lines = {{.label = "measured"}, {.label = r.fit.law}}},
          true, [&](auto& lines, double, const Sample& s, double f) {
            point(lines[0], s.position, s.force), point(lines[1], s.position, f);
          });
  drawn(
      {.name = "curve",
       .title = "Force over velocity",
       .x_label = "velocity [" + x + "/s]",
       .y_label = force,
       .lines = {{.label = "measured", .points = steady}, {.label = r.fit.law, .points = steady}}},
      true, [&](auto& lines, double, const Sample& s, double f) {
        point(lines[0], s.velocity, s.force), point(lines[1], s.velocity, f);
      });
  each_profile(r, draw);
}

std::string data_card(const Measurement& m) {
  std::vector<std::string> sentences;
  for (const ColumnReading& r : m.columns) sentences.push_back(r.words());
  sentences.insert(sentences.end(), m.notes.begin(), m.notes.end());
  if (sentences.empty()) return "";
  return "<section class=\"card\"><h2>About the data</h2>\n" + list(sentences) + "</section>\n";
}

std::string fit_html(const FitReport& r) {
  const FitSummary& f = r.fit;
  std::string h = opening(f.law + " fitted to " + r.data);
  const Agreement& judged = f.held_out.samples > 0 ? f.held_out : f.fitted;
  h += fmt::format(
      "<p>Error {:.4g} {} rms, {:.2f} % of the range{}. {}</p>\n", judged.rmse,
      r.fit.problem.measured_unit(), 100.0 * judged.nrmse,
      f.held_out.samples > 0 ? " on samples that were not fitted" : "",
      f.unusable.empty()
          ? ""
          : "<b class=\"missed\">This fit must not be used: " + escaped(f.unusable) + ".</b>");
  h += "<section class=\"card\"><h2>Parameters</h2>\n" + parameters(r) + "</section>\n";
  if (!f.warnings.empty())
    h += "<section class=\"card\"><h2>Warnings</h2>\n" + list(f.warnings) + "</section>\n";
  h += "<section class=\"card\"><h2>Fit and data</h2><div class=\"figures\">\n";
  each_fit_plot(r, [&](const Plot& plot) { h += figure(plot); });
  h += "</div></section>\n<section class=\"card\"><h2>Goodness of fit</h2>\n";
  std::vector<std::vector<std::string>> cells{agreement_row("fitted samples", f.fitted)};
  if (f.held_out.samples > 0) cells.push_back(agreement_row("held-out samples", f.held_out));
  if (f.runs.size() > 1)
    for (const RunAgreement& one : f.runs) {
      if (one.fitted.samples > 0)
        cells.push_back(agreement_row("run " + escaped(one.run) + ", fitted", one.fitted));
      if (one.held_out.samples > 0)
        cells.push_back(agreement_row("run " + escaped(one.run) + ", held out", one.held_out));
    }
  cells.push_back(agreement_row("a constant in place of the law", f.constant));
  cells.push_back(agreement_row(f.problem.terms > 0 ? "the same mechanics with Coulomb friction"
                                                    : std::string(simple_name(f)),
                                f.coulomb));
  h += table("<th><th>samples<th>rmse [" + r.fit.problem.measured_unit() +
                 "]<th>of the range<th>R<sup>2</sup><th>largest error",
             cells);
  h += fmt::format(
      "<p class=\"small soft\">AIC {:.1f}, BIC {:.1f}; residuals {}; {} evaluations, {} distinct "
      "{} found.</p>\n",
      f.aic, f.bic,
      f.white ? "white by Ljung and Box"
              : fmt::format("correlated over {:.3g} samples", f.correlation_time),
      f.evaluations, f.distinct_minima, f.distinct_minima == 1 ? "minimum" : "minima");
  if (f.problem.kind == FitKind::rollout)
    h += fmt::format(
        "<p class=\"small soft\">Rolled out with the mechanism {}; halving its steps moves the fit "
        "by "
        "{:.3g} {} rms.</p>\n",
        f.problem.mechanism, f.step_error, r.fit.problem.measured_unit());
  for (const std::string& sentence :
       {gravity_words(f), velocity_words(f),
        r.delay ? delay_words(*r.delay, f.problem.measured_unit()) : ""})
    if (!sentence.empty()) h += "<p class=\"small soft\">" + escaped(sentence) + ".</p>\n";
  for (const std::string& sentence : dependence_words(f))
    h += "<p class=\"small soft\">" + escaped(sentence) + "</p>\n";
  if (const std::string motion = motion_words(f); !motion.empty())
    h += "<p class=\"small soft\">Motion: " + escaped(motion) + ".</p>\n";
  h += correlations(f) + "</section>\n";
  h += data_card(r.measurement);
  return h + closing(r.command);
}

std::vector<std::string> comparison_words(const Comparison& c, const std::string& unit) {
  std::vector<std::string> all;
  if (c.ranking.empty() || !c.ranking.front().refused.empty()) return all;
  if (c.best_static > 0.0 && c.best_dynamic > 0.0)
    all.push_back(fmt::format(
        "held-out error of the best law without a state: {:.4g} {}, of the best law with "
        "one: {:.4g} {}, a ratio of {:.3g}",
        c.best_static, unit, c.best_dynamic, unit, c.best_static / c.best_dynamic));
  const Compared &best = c.ranking.front(), &simple = c.ranking[c.simplest];
  if (c.simplest > 0)
    all.push_back(
        fmt::format("the simplest law within one standard error of the best ({:.4g} +- {:.2g} {}) "
                    "is {}, with {} "
                    "parameters in place of {}",
                    best.fit.held_out.rmse, best.error_deviation, unit, simple.name(),
                    simple.fit.unknowns.size(), best.fit.unknowns.size()));
  if (c.folds.empty()) return all;
  std::string chosen;
  for (const Fold& f : c.folds)
    chosen +=
        (chosen.empty() ? "" : "; ") + fmt::format("{}: {} {:.4g}", f.held_out, f.winner, f.error);
  all.push_back(
      fmt::format("nested cross-validation: error {:.4g} {} of the law that is chosen without the "
                  "samples it is "
                  "judged on ({})",
                  c.nested_error, unit, chosen));
  return all;
}

RunErrors run_errors(const Comparison& c) {
  RunErrors errors;
  for (const Compared& e : c.ranking) {
    if (!e.refused.empty() || e.fit.runs.size() < 2) continue;
    if (errors.runs.empty())
      for (const RunAgreement& r : e.fit.runs) errors.runs.push_back(r.run);
    errors.laws.push_back({e.name(), {}});
    for (const RunAgreement& r : e.fit.runs)
      errors.laws.back().second.push_back(r.held_out.samples > 0 ? r.held_out.rmse : r.fitted.rmse);
  }
  return errors;
}

namespace {

std::string run_error_table(const Comparison& c, const std::string& unit) {
  const RunErrors errors = run_errors(c);
  if (errors.runs.empty()) return "";
  std::string head = "<th>law, rmse [" + unit + "]";
  for (const auto& run : errors.runs) head += "<th>" + escaped(run);
  std::vector<std::vector<std::string>> cells;
  for (const auto& [law, each] : errors.laws) {
    cells.push_back({escaped(law)});
    for (const double e : each) cells.back().push_back(fmt::format("{:.5g}", e));
  }
  return "<section class=\"card\"><h2>Errors of each run</h2><p>On held-out samples, or on all of "
         "a "
         "run of which none is held out.</p>\n" +
         table(head, cells) + "</section>\n";
}

}  // namespace

std::string comparison_html(const Comparison& c, const Measurement& m, const std::string& data,
                            const std::string& command) {
  std::string h = opening("Comparison of laws on " + data) +
                  "<section class=\"card\"><h2>Laws by held-out error</h2>\n";
  std::vector<std::vector<std::string>> cells;
  double worst = 0.0;
  for (const auto& e : c.ranking)
    if (e.refused.empty()) worst = std::max(worst, e.fit.held_out.rmse);
  for (const auto& e : c.ranking) {
    if (!e.refused.empty()) {
      cells.push_back({"<b>" + escaped(e.name()) + "</b>", "", "", "", "", "", escaped(e.refused)});
      continue;
    }
    const auto& f = e.fit;
    const std::string bar = fmt::format(
        "<div style=\"height:.7rem;border-radius:3px;background:var(--c0);width:{:.0f}%\"></div>",
        100.0 * f.held_out.rmse / worst);
    std::string doubt;
    for (const auto& p : f.parameters)
      if (p.free && !p.determined) doubt += (doubt.empty() ? "not determined: " : ", ") + p.name;
    cells.push_back({"<b>" + escaped(e.name()) + "</b>" + bar,
                     fmt::format("{:.5g}", f.held_out.rmse), fmt::format("{:.5g}", f.fitted.rmse),
                     fmt::format("{:.5f}", f.held_out.r2), std::to_string(f.unknowns.size()),
                     fmt::format("{:.1f}", f.bic), escaped(doubt)});
  }
  h += table("<th>law<th>held out, rmse [" + m.units.force +
                 "]<th>fitted, rmse<th>R<sup>2</sup> held "
                 "out<th>parameters<th>BIC<th>",
             cells);
  h += list(comparison_words(c, m.units.force)) + "</section>\n";
  h += run_error_table(c, m.units.force);
  // The best law against the data.
  if (!c.ranking.empty() && c.ranking.front().refused.empty()) {
    const FitReport best{c.ranking.front().fit, m, {}, command, data};
    h += "<section class=\"card\"><h2>The best: " + escaped(best.fit.law) +
         "</h2><div class=\"figures\">\n";
    each_fit_plot(best, [&](const Plot& plot) { h += figure(plot); });
    h += "</div>\n" + parameters(best) + list(best.fit.warnings) + "</section>\n";
  }
  h += data_card(m);
  return h + closing(command);
}

}  // namespace bristle::io
