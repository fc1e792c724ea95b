// SPDX-License-Identifier: MIT
#include "bristle/io/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numbers>
#include <set>

#include "bristle/analysis/motion_kind.hpp"
#include "bristle/analysis/spectrum.hpp"
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
#include "drawn_curves.hpp"
#include "quantities.hpp"
#include "sweep_figure.hpp"

namespace bristle::io {
namespace {

Simulation simulate_case(const Case& c, const Options& options) {
  if (c.mechanism == DraggedMass::name) return simulate(*c.law, c.dragged_mass, options);
  if (c.mechanism == WallSpringMass::name) return simulate(*c.law, c.wall_spring_mass, options);
  if (c.mechanism == DiaphragmValve::name) return simulate(*c.law, c.diaphragm_valve, options);
  if (c.mechanism == BaseExcitedMass::name) return simulate(*c.law, c.base_excited_mass, options);
  if (c.mechanism == Pendulum::name) return simulate(*c.law, c.pendulum, options);
  return simulate(*c.law, c.prescribed_motion, options);
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

// The lines of a figure that shows a spectrum or a section of a case.
void draw_motion(const Case& c, const CaseResult& r, const FigureSpec& f, std::size_t index,
                 ResultDirectory& out, Plot& plot) {
  const std::string number = index ? std::to_string(index + 1) : "";
  if (!f.spectrum.empty()) {
    const Spectrum s = spectrum(column(c, r, "time"), column(c, r, f.spectrum));
    const std::string file = f.name + "_spectrum" + number + ".csv";
    out.write(
        file,
        csv_text({{"frequency", s.frequency}, {"amplitude", s.amplitude}, {"power", s.power}}));
    plot.lines.push_back({file, "($1)", "($3)", c.label});
    plot.lines.back().xs = s.frequency;
    plot.lines.back().ys = s.power;
    plot.x_label = "frequency [Hz]";
    plot.y_label = "power of the " + f.spectrum;
    plot.log_y = true;
  } else {
    const auto s =
        strobe(column(c, r, "time"), column(c, r, f.x), column(c, r, f.y), c.beat, f.from);
    const std::string file = f.name + "_section" + number + ".csv";
    out.write(file, csv_text({{"time", s.time}, {f.x, s.x}, {f.y, s.y}}));
    plot.lines.push_back({.file = file, .x = "($2)", .y = "($3)", .label = c.label, .dots = true});
    plot.lines.back().xs = s.x;
    plot.lines.back().ys = s.y;
    plot.x_label = axis_label(c, r, f.x);
    plot.y_label = axis_label(c, r, f.y);
  }
}

bool needs_average(const Experiment& experiment) {
  return std::any_of(experiment.figures.begin(), experiment.figures.end(), [](const auto& f) {
    return f.x == "moving_average" || f.y == "moving_average";
  });
}

// The column of a case's file as gnuplot reads it, cut to the time range of the figure.
std::string plot_column(const Case& c, const CaseResult& r, const std::string& name,
                        const FigureSpec& f, bool cut) {
  auto order = columns_of(c, r);
  if (c.kind == CaseKind::run) order.emplace_back("moving_average");
  std::string expression;
  if (name == "stretch") expression = "($2-$3)";
  else
    expression =
        "$" + std::to_string(std::find(order.begin(), order.end(), name) - order.begin() + 1);
  cut = cut && order.front() == "time";
  if (!cut || (f.from <= 0.0 && f.to <= 0.0)) return "(" + expression + ")";
  std::string condition = fmt::format("$1>={:.17g}", f.from * (1.0 - 1e-9));
  if (f.to > 0.0) condition += fmt::format(" && $1<={:.17g}", f.to);
  return "(" + condition + " ? " + expression + " : 1/0)";
}

// A column of a figure as it is drawn: cut to the time range, with gaps outside of it.
std::vector<double> drawn_column(const Case& c, const CaseResult& r, const std::string& name,
                                 const FigureSpec& f) {
  auto values = column(c, r, name);
  const auto names = columns_of(c, r);
  if ((f.from <= 0.0 && f.to <= 0.0) || names.front() != "time") return values;
  const auto time = column(c, r, "time");
  for (std::size_t i = 0; i < std::min(time.size(), values.size()); ++i)
    if (time[i] < f.from * (1.0 - 1e-9) || (f.to > 0.0 && time[i] > f.to)) values[i] = NAN;
  return values;
}

// The file as read, and copies of the files it reads. A copy lies where the file says, so that
// experiment.toml can be run again, unless that is outside or the name of a result: then under
// input/. Written last, so that all results have their names.
void write_inputs(const Experiment& experiment, ResultDirectory& out) {
  out.write("experiment.toml", experiment.text);
  std::set<std::string> copied;
  for (const auto& c : experiment.cases)
    for (const auto& [given, text] : c.attachments) {
      if (!copied.insert(given).second) continue;
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
      out.write(name, text);
    }
}

std::vector<FigureSpec> figures_of(const Experiment& experiment) {
  if (!experiment.figures.empty()) return experiment.figures;
  FigureSpec f;
  f.name = "figure";
  const std::string& mechanism = experiment.cases.front().mechanism;
  const CaseKind kind = experiment.cases.front().kind;
  if (kind == CaseKind::system) f.x = "input", f.y = "output";
  else if (kind == CaseKind::planar) f.x = "x1", f.y = "x2";
  else if (kind == CaseKind::oscillator) f.x = "velocity", f.y = "force";
  else if (kind == CaseKind::curve) f.x = "x", f.y = "image";
  else if (kind == CaseKind::surface) f.x = "place", f.y = "roughness";
  else if (kind == CaseKind::steady) f.x = "velocity", f.y = "force";
  else if (kind == CaseKind::bode) f.x = "frequency", f.y = "gain";
  else if (mechanism == PrescribedMotion::name) f.x = "input", f.y = "force";
  else if (mechanism == WallSpringMass::name) f.x = "input", f.y = "position";
  else f.x = "time", f.y = "velocity";
  return {f};
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

}  // namespace

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
      if (c.kind == CaseKind::planar) r.planar = simulate_planar(c.planar, c.planar_body, options);
      else if (c.kind == CaseKind::oscillator)
        r.oscillator = c.seven_parameter
                           ? simulate_oscillator(*c.seven_parameter, c.oscillator, options)
                           : simulate_oscillator(c.friction, c.oscillator, options);
      else if (c.kind == CaseKind::system) {
        r.response = c.system->respond(c.input, options);
        if (c.identification && r.response.ok()) r.identified = identify_case(c, r.response);
      } else r.run = simulate_case(c, options);
    } catch (const InvalidInput& error) {
      throw InputError(path + ": " + error.what());
    }
    for (const Status status :
         {r.run.summary.status, r.response.status, r.planar.status, r.oscillator.status})
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
    result.cases.push_back(std::move(r));
  }
  result.verdicts = judge(experiment, result.cases);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

std::string write_results(const Experiment& experiment, const ExperimentResult& result,
                          const std::string& directory, const WriteOptions& options) {
  ResultDirectory out(directory);
  const auto files = file_names(experiment);
  // What a sweep gave stands with its figure.
  for (std::size_t i = 0; i < result.cases.size(); ++i)
    if (experiment.cases[i].sweep.empty())
      write_case(out, files[i], experiment.cases[i], result.cases[i], needs_average(experiment));
  for (std::size_t i = 0; i < result.cases.size(); ++i)
    if (experiment.cases[i].kind == CaseKind::run && experiment.cases[i].sweep.empty())
      out.write(files.size() > 1 ? "events-" + files[i] : "events.csv",
                events_csv(result.cases[i].run.trajectory));
    else if (experiment.cases[i].kind == CaseKind::oscillator && experiment.cases[i].sweep.empty())
      out.write(files.size() > 1 ? "events-" + files[i] : "events.csv",
                contact_events_csv(result.cases[i].oscillator));
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
    Plot plot;
    plot.name = f.name;
    plot.title = f.title.empty() ? experiment.title : f.title;
    plot.x_range = f.x_range;
    plot.y_range = f.y_range;
    plot.overlay = f.overlay;
    plot.equal = f.equal;
    plot.log_x = f.log_x || f.x == "frequency";
    plot.log_y = f.log_y || f.y == "gain";
    if (!f.sweeps.empty()) add_sweeps(plot, f, experiment, result, out);
    for (std::size_t i = 0; i < experiment.cases.size() && f.sweeps.empty(); ++i) {
      const Case& c = experiment.cases[i];
      if (!c.sweep.empty()) continue;
      if (!f.cases.empty() && std::find(f.cases.begin(), f.cases.end(), c.label) == f.cases.end())
        continue;
      const CaseResult& r = result.cases[i];
      if (!f.spectrum.empty() || f.section) {
        draw_motion(c, r, f, i, out, plot);
        continue;
      }
      const std::string number = i ? std::to_string(i + 1) : "";
      if (f.peaks) {
        add_peaks(plot, f, c, r, number, out);
        continue;
      }
      plot.x_label = axis_label(c, r, f.x);
      plot.y_label = axis_label(c, r, f.y);
      plot.lines.push_back(
          {files[i], plot_column(c, r, f.x, f, true), plot_column(c, r, f.y, f, false), c.label});
      plot.lines.back().xs = drawn_column(c, r, f.x, f);
      plot.lines.back().ys = drawn_column(c, r, f.y, f);
      // Several columns of one case are told apart by what they are.
      const auto named = [&](const std::string& y) {
        const std::string axis = axis_label(c, r, y);
        return (c.label.empty() ? "" : c.label + ": ") + axis.substr(0, axis.find(" ["));
      };
      if (!f.with.empty()) plot.lines.back().label = named(f.y);
      for (const auto& y : f.with) {
        if (column(c, r, y).empty()) continue;
        plot.lines.push_back(
            {files[i], plot_column(c, r, f.x, f, true), plot_column(c, r, y, f, false), named(y)});
        plot.lines.back().xs = drawn_column(c, r, f.x, f);
        plot.lines.back().ys = drawn_column(c, r, y, f);
      }
      if (f.mean && c.kind == CaseKind::run) {
        // The mean is what counts: the loop stays behind it.
        plot.lines.back().behind = true;
        add_mean(plot, f, c, r, number, out);
      }
      if (!f.fit.empty() && f.x == "velocity") {
        const std::string file = f.name + "_fit" + number + ".csv";
        out.write(file, fit_csv(c, r, f));
        plot.lines.push_back({file, "($1)", "($2)", "mean"});
        plot.lines.push_back({file, "($1)", "($3)", f.fit + " fit"});
        const Table fit = read_csv(out.path(file));
        for (const std::size_t k : {1, 2}) {
          Line& line = plot.lines[plot.lines.size() - 3 + k];
          line.xs = fit.columns[0], line.ys = fit.columns[k];
        }
      }
      if (f.equilibria && plot.band_file.empty() && c.mechanism == WallSpringMass::name) {
        plot.band_file = f.name + "_equilibria.csv";
        out.write(plot.band_file, equilibria_csv(c, r));
        const Table band = read_csv(out.path(plot.band_file));
        plot.band_xs = band.columns[0], plot.band_ys = band.columns[1];
      }
      if (f.equilibria && i == 0 && c.kind == CaseKind::system) {
        const std::string file = f.name + "_equilibria.csv";
        out.write(file, resting_csv(c, r, f.y));
        const Table rest = read_csv(out.path(file));
        plot.lines.insert(plot.lines.begin(), {.file = file,
                                               .x = "($1)",
                                               .y = "($2)",
                                               .label = "equilibria",
                                               .faint = true,
                                               .xs = rest.columns[0],
                                               .ys = rest.columns[1]});
      }
    }
    add_closed_forms(plot, f, out);
    plot.caption = f.title.empty() ? plot.y_label.substr(0, plot.y_label.find(" [")) + " over " +
                                         plot.x_label.substr(0, plot.x_label.find(" ["))
                                   : f.title;
    out.write(f.name + ".gp", gnuplot_script(plot));
    scripts.push_back(f.name + ".gp");
    plots.push_back(std::move(plot));
  }
  std::string trouble;
  if (options.figures && !draw(out.working(), scripts, trouble))
    trouble = "no figures: " + trouble + "; data and gnuplot scripts are written";

  if (!options.stamp.empty())
    out.write(std::string(section_name),
              sealed(make_section(experiment, result, plots, options.stamp).content));
  out.write(std::string(summary_name), summary_json(experiment, result, options));
  out.write("report.html", report_html(experiment, result, plots, options.command));
  write_inputs(experiment, out);
  if (options.cancelled && options.cancelled()) throw Interrupted();
  out.commit();
  return trouble;
}

}  // namespace bristle::io
