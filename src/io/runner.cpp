// SPDX-License-Identifier: MIT
#include "bristle/io/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bristle/io/animate.hpp"
#include "bristle/io/cancel.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/gallery.hpp"
#include "bristle/io/kept.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/report.hpp"
#include "case_names.hpp"
#include "case_tables.hpp"
#include "machine_tables.hpp"
#include "part_use.hpp"
#include "quantities.hpp"
#include "result_figures.hpp"

namespace bristle::io {
namespace {

Simulation simulate_case(const Case& c, const Options& options) {
  return std::visit([&](const auto& m) { return simulate(*c.law, m, options); }, *c.mechanism);
}

// Round the curve and back: the lower side from left to right, the upper side from right to left.
CurveResult fold_case(const Case& c) {
  const ClosedCurve curve = c.curve->curve();
  const UnimodalMap map = c.map->map();
  CurveResult r;
  constexpr int n = 600;
  for (int i = 0; i <= 2 * n; ++i) {
    const int k = i <= n ? i : 2 * n - i;
    r.x.push_back(0.5 * (curve.x0 + curve.x1) -
                  0.5 * (curve.x1 - curve.x0) * std::cos(std::numbers::pi * k / n));
    r.y.push_back((i <= n ? curve.lower : curve.upper)(r.x.back()));
    r.image.push_back(map(r.y.back()));
  }
  r.folded = fold(curve, map);
  // The loops that fold into the image, point by point (5.4)-(5.11).
  const UnimodalMap back = c.unfold ? c.unfold->map() : map;
  const LoopBranches loop = folded_loop(curve, map);
  if (!theorem_5_3_3(loop, back).applies) return r;
  const double up = loop.up.extreme(map.valley()).first,
               down = loop.down.extreme(map.valley()).first;
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    const int side = r.x[i] < (i <= std::size_t(n) ? up : down) ? -1 : 1;
    r.rising.push_back(back.inverse(r.image[i], side));
    r.falling.push_back(back.inverse(r.image[i], -side));
  }
  return r;
}

BodeCurve bode_case(const Case& c) {
  BodeCurve r;
  const int n = int(c.bode.points);
  for (int i = 0; i < n; ++i) {
    stop_if_asked();
    const double w = c.bode.from * std::pow(c.bode.to / c.bode.from, double(i) / (n - 1));
    const auto h = bode_response(c, w);
    r.frequency.push_back(w);
    r.gain.push_back(std::abs(h));
    r.phase.push_back(std::arg(h) * 180.0 / std::numbers::pi);
  }
  return r;
}

bool needs_average(const Experiment& experiment) {
  return std::any_of(experiment.figures.begin(), experiment.figures.end(), [](const auto& f) {
    return f.x == "moving_average" || f.y == "moving_average";
  });
}

// A curve with numbers that are not finite is no result; empty if all of them are.
std::string not_finite_of(const SteadyCurve& curve) {
  for (std::size_t i = 0; i < curve.force.size(); ++i)
    if (!std::isfinite(curve.force[i]))
      return "not finite: force at velocity = " + words(curve.velocity[i]) + " m/s";
  return "";
}
std::string not_finite_of(const BodeCurve& curve) {
  for (std::size_t i = 0; i < curve.gain.size(); ++i)
    if (!std::isfinite(curve.gain[i]) || !std::isfinite(curve.phase[i]))
      return std::string("not finite: ") + (std::isfinite(curve.gain[i]) ? "phase" : "gain") +
             " at frequency = " + words(curve.frequency[i]) + " rad/s";
  return "";
}

// Columns that are computed from a run may overflow where its own numbers do not.
void look_at_columns(const Case& c, CaseResult& r) {
  Summary& s = r.run.summary;
  if (c.kind != CaseKind::run || s.status != Status::done) return;
  for (const auto& name : columns_of(c, r)) {
    if (held_column(c, r, name)) continue;
    const auto values = column(c, r, name);
    const auto at = std::find_if_not(values.begin(), values.end(),
                                     [](double value) { return std::isfinite(value); });
    if (at == values.end()) continue;
    s.status = s.counts.status = Status::not_finite;
    s.message = "not finite: " + name +
                " at t = " + words(r.run.trajectory.time[std::size_t(at - values.begin())]) +
                " s, which is computed from a run that was done";
    return;
  }
}

}  // namespace

void write_inputs(const std::string& text, const Attachments& attachments, ResultDirectory& out) {
  out.write("experiment.toml", text);
  for (const auto& [given, content] : attachments) {
    bool inside = true;
    for (const auto& part : std::filesystem::path(given))
      inside = inside && is_plain_name(part.string());
    // A folder in the place of a result, or the other way round, does not do either.
    std::string name = given;
    const std::string first = std::filesystem::path(given).begin()->string();
    if (!inside || out.has(given) || out.has(first) || std::filesystem::exists(out.path(given)))
      name = "input/" + plain_name(std::filesystem::path(given).filename().string());
    for (int n = 2; out.has(name) || std::filesystem::exists(out.path(name)); ++n)
      name = "input/" + std::to_string(n) + "-" +
             plain_name(std::filesystem::path(given).filename().string());
    out.write(name, content);
  }
}

bool ExperimentResult::ok(const Experiment& experiment) const {
  for (std::size_t i = 0; i < cases.size(); ++i)
    if (!cases[i].ok(experiment.cases[i])) return false;
  return true;
}

CaseResult run_case(const Case& c, const std::string& path,
                    const std::function<bool(double)>& progress) {
  CaseResult r;
  if (c.kind == CaseKind::steady && c.system) {
    const int n = int(c.steady.points);
    for (int k = 0; k < n; ++k) {
      stop_if_asked();
      const double v = c.steady.from + (c.steady.to - c.steady.from) * k / (n - 1);
      r.curve.velocity.push_back(v);
      r.curve.force.push_back(c.system->steady(v).value_or(NAN));
    }
    r.not_finite = not_finite_of(r.curve);
  } else if (c.kind == CaseKind::steady) {
    r.curve = steady_curve(*c.law, c.steady.from, c.steady.to, int(c.steady.points), c.steady.load);
    r.not_finite = not_finite_of(r.curve);
  } else if (c.kind == CaseKind::bode) {
    try {
      r.bode = bode_case(c);
      r.not_finite = not_finite_of(r.bode);
    } catch (const InvalidInput& error) {
      throw InputError(path + ": " + error.what());
    }
  } else if (c.kind == CaseKind::surface) {
    r.surface = draw_surface(c);
  } else if (c.kind == CaseKind::curve) {
    r.folded = fold_case(c);
  } else {
    Options options = c.options;
    options.progress = progress;
    try {
      if (c.kind == CaseKind::machine) r.machine = simulate(*c.machine, options);
      else if (c.kind == CaseKind::system) {
        r.response = c.system->respond(c.input, options);
        if (c.identification && r.response.ok()) r.identified = identify_case(c, r.response);
      } else r.run = simulate_case(c, options);
    } catch (const InvalidInput& error) {
      throw InputError(path + ": " + error.what());
    }
    look_at_columns(c, r);
    for (const Status status : {r.run.summary.status, r.response.status, r.machine.summary.status})
      if (status == Status::cancelled) throw Interrupted();
  }
  return r;
}

ExperimentResult run_experiment(const Experiment& experiment,
                                const std::function<bool(double)>& progress) {
  ExperimentResult result;
  const auto began = std::chrono::steady_clock::now();
  const double share = 1.0 / double(experiment.cases.size());
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    const std::function<bool(double)> own = [&](double done) {
      return progress((double(i) + done) * share);
    };
    CaseResult r = run_case(c, experiment.path, progress ? own : progress);
    for (auto& sentence : beyond_domain(c, r)) result.warnings.push_back(std::move(sentence));
    result.cases.push_back(std::move(r));
  }
  result.verdicts = judge(experiment, result.cases);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

namespace {

// Tables, scripts and vector figures are most of what a run writes, and can be made again.
void remove_tables(const std::string& directory) {
  std::vector<std::filesystem::path> all;
  for (const auto& file : std::filesystem::directory_iterator(directory))
    for (const char* ending : {".csv", ".gp", ".svg"})
      if (file.path().extension() == ending) all.push_back(file.path());
  for (const auto& path : all) std::filesystem::remove(path);
}

}  // namespace

std::string write_results(const Experiment& experiment, const ExperimentResult& result,
                          const std::string& directory, const WriteOptions& options) {
  ResultDirectory out(directory);
  const auto files = file_names(experiment);
  // What a sweep gave stands with its figure.
  for (std::size_t i = 0; i < result.cases.size(); ++i)
    if (experiment.cases[i].sweep.empty())
      write_case(out, files[i], experiment.cases[i], result.cases[i], needs_average(experiment));
  for (std::size_t i = 0; i < result.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    const CaseResult& r = result.cases[i];
    const std::string name = files.size() > 1 ? "events-" + files[i] : "events.csv";
    if (!c.sweep.empty()) continue;
    if (c.kind == CaseKind::run) out.write(name, events_csv(r.run.trajectory));
    if (c.kind == CaseKind::machine) out.write(name, machine_events_csv(*c.machine, r.machine));
  }
  if (options.animate)
    for (std::size_t i = 0; i < result.cases.size(); ++i)
      if (const auto svg = animation_svg(experiment, experiment.cases[i], result.cases[i]);
          !svg.empty())
        out.write(
            "animation" +
                (files.size() > 1 ? "-" + files[i].substr(0, files[i].size() - 4) : std::string()) +
                ".svg",
            svg);

  // Figures: the scripts are kept whether or not they can be drawn.
  std::vector<std::string> scripts;
  std::vector<Plot> plots;
  for (const auto& f : figures_of(experiment)) {
    plots.push_back(plot_of(f, experiment, result, files, out));
    out.write(f.name + ".gp", gnuplot_script(plots.back()));
    scripts.push_back(f.name + ".gp");
  }
  std::string trouble;
  if (options.figures && !draw(out.working(), scripts, trouble))
    trouble = "no figures: " + trouble + "; data and gnuplot scripts are written";

  if (!options.tables) remove_tables(out.working());
  if (!options.stamp.empty()) {
    GallerySection section = make_section(experiment, result, plots, options.stamp);
    if (!options.tables) section.content["files"] = nlohmann::ordered_json::array();
    section.content["drawn"] = options.figures && trouble.empty();
    out.write(std::string(section_name), sealed(section.content));
  }
  out.write(std::string(summary_name), summary_json(experiment, result, options));
  out.write("report.html", report_html(experiment, result, plots, options.command));
  Attachments attachments;
  for (const auto& c : experiment.cases)
    attachments.insert(c.attachments.begin(), c.attachments.end());
  write_inputs(experiment.text, attachments, out);
  if (options.cancelled && options.cancelled()) throw Interrupted();
  out.commit();
  return trouble;
}

}  // namespace bristle::io
