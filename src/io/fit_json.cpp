// SPDX-License-Identifier: MIT
// A fit as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "bristle/io/fit_report.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/version.hpp"
#include "report_parts.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

ordered_json as_json(const Agreement& a) {
  return {{"samples", a.samples},
          {"rmse", a.rmse},
          {"nrmse", a.nrmse},
          {"r2", a.r2},
          {"largest_error", a.worst}};
}

ordered_json finite(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }

ordered_json brief(const FitSummary& f) {
  ordered_json j{{"model", f.law}, {"converged", f.converged()}, {"message", f.message}};
  j["usable"] = f.unusable.empty();
  if (!f.unusable.empty()) j["unusable_because"] = f.unusable;
  j["parameters"] = parameters_json(f.parameters);
  j["fitted"] = as_json(f.fitted);
  if (f.held_out.samples > 0) j["held_out"] = as_json(f.held_out);
  j["runs"] = ordered_json::array();
  for (const RunAgreement& r : f.runs) {
    j["runs"].push_back({{"run", r.run}});
    if (r.fitted.samples > 0) j["runs"].back()["fitted"] = as_json(r.fitted);
    if (r.held_out.samples > 0) j["runs"].back()["held_out"] = as_json(r.held_out);
  }
  j["aic"] = finite(f.aic);
  j["bic"] = finite(f.bic);
  return j;
}

}  // namespace

ordered_json columns_json(const Measurement& measurement) {
  ordered_json all = ordered_json::array();
  for (const ColumnReading& r : measurement.columns) {
    all.push_back({{"role", r.role}, {"column", r.column}});
    all.back()["unit"] = r.unit.empty() ? ordered_json(nullptr) : ordered_json(r.unit);
    all.back()["factor"] = r.factor;
    all.back()["read_as"] = r.read_as.empty() ? ordered_json(nullptr) : ordered_json(r.read_as);
    if (!r.remark.empty()) all.back()["remark"] = r.remark;
  }
  return all;
}

ordered_json fit_json(const FitReport& r) {
  const FitSummary& f = r.fit;
  ordered_json j{{"data", r.data}};
  j.update(brief(f));
  const bool rollout = f.problem.kind == FitKind::rollout;
  j["doing_nothing"] = {{"constant", as_json(f.constant)},
                        {rollout               ? "line_of_input"
                         : f.problem.terms > 0 ? "mechanics_and_coulomb"
                                               : "sign_of_velocity",
                         as_json(f.coulomb)}};
  if (rollout)
    j["rollout"] = {{"mechanism", f.problem.mechanism},
                    {"input", r.measurement.input_name},
                    {"output", f.problem.measured_name()},
                    {"step_error", f.step_error}};
  for (const Dependence& d : f.problem.depends) {
    const std::string& name = f.problem.parameters[std::size_t(d.first)].name;
    j["dependences"].push_back({{"parameter", name.substr(0, name.find('.'))},
                                {"column", name.substr(name.find('.') + 1)},
                                {"form", word_of(d.form)},
                                {"reference", d.reference}});
  }
  if (const GravityTerm g = gravity_of(f); g.there)
    j["gravity"] = {{"torque", g.torque},
                    {"torque_standard_deviation", g.torque_deviation},
                    {"angle_rad", g.angle},
                    {"angle_standard_deviation", g.angle_deviation}};
  if (r.delay)
    j["delay"] = {{"delay_s", r.delay->seen() ? r.delay->delay : 0.0},
                  {"seen", r.delay->seen()},
                  {"estimate_s", r.delay->delay},
                  {"lower_95", r.delay->lower},
                  {"upper_95", r.delay->upper},
                  {"rmse_without", r.delay->without},
                  {"rmse_with", r.delay->with}};
  j["tried"] = ordered_json::array();
  for (const TriedForm& t : f.tried)
    j["tried"].push_back({{"option", t.option}, {"rmse", finite(t.error)}});
  j["residuals"] = {{"white", f.white}, {"correlation_time_samples", f.correlation_time}};
  j["correlation"] = {{"names", f.unknowns}, {"matrix", f.correlation}};
  if (!f.problem.runs.empty() && f.problem.runs.front().window > 0.0 &&
      !f.problem.runs.front().filter.used)
    j["differentiator"] =
        f.problem.runs.front().exact
            ? ordered_json{{"samples", 5}}
            : ordered_json{{"window_s", f.problem.runs.front().window},
                           {"bandwidth_hz", smoothing_bandwidth(f.problem.runs.front().window)}};
  if (f.problem.kind == FitKind::direct) {
    ordered_json runs = ordered_json::array();
    for (const Track& run : f.problem.runs) {
      const MotionFilter& filter = run.filter;
      ordered_json q{{"run", run.name}, {"position_noise", filter.noise}};
      q["bandwidth_hz"] = filter.bandwidth > 0.0 ? ordered_json(filter.bandwidth) : nullptr;
      q["smoothed"] = filter.used;
      q["chosen_from_data"] = !filter.asked;
      q["at_rest"] = filter.rest;
      q["samples_of_open_direction"] = filter.undecided;
      runs.push_back(q);
    }
    j["motion"] = {{"unit", f.problem.units.way}, {"runs", runs}, {"repeated_fits", f.repeated}};
  }
  if (!r.profiles.empty()) {
    j["profiles"] = ordered_json::array();
    for (const Profile& p : r.profiles) {
      ordered_json q{{"parameter", p.parameter},
                     {"lower_95", p.open_below ? ordered_json(nullptr) : ordered_json(p.lower)},
                     {"upper_95", p.open_above ? ordered_json(nullptr) : ordered_json(p.upper)}};
      q["points"] = ordered_json::array();
      for (const auto& point : p.points) q["points"].push_back({point.value, point.rise});
      j["profiles"].push_back(q);
    }
  }
  j["warnings"] = f.warnings;
  j["columns"] = columns_json(r.measurement);
  j["notes"] = r.measurement.notes;
  j["search"] = {{"evaluations", f.evaluations}, {"distinct_minima", f.distinct_minima}};
  j["provenance"] = {{"bristle", version}, {"command", r.command}};
  return j;
}

ordered_json comparison_json(const Comparison& c) {
  ordered_json j{{"ranking", ordered_json::array()}};
  for (const auto& entry : c.ranking) {
    if (!entry.refused.empty()) {
      j["ranking"].push_back({{"model", entry.fit.law}, {"refused", entry.refused}});
      continue;
    }
    ordered_json q = brief(entry.fit);
    if (!entry.form.empty()) q["beside_the_law"] = entry.form;
    q["standard_error_of_held_out"] = entry.error_deviation;
    q["unknowns"] = entry.fit.unknowns.size();
    q["seconds"] = entry.seconds;
    q["warnings"] = entry.fit.warnings;
    j["ranking"].push_back(q);
  }
  j["best_without_state"] = c.best_static;
  j["best_with_state"] = c.best_dynamic;
  if (!c.ranking.empty() && c.ranking.front().refused.empty())
    j["simplest_within_one_standard_error"] = c.ranking[c.simplest].name();
  if (!c.folds.empty()) {
    j["nested"] = {{"rmse", c.nested_error}, {"folds", ordered_json::array()}};
    for (const Fold& f : c.folds)
      j["nested"]["folds"].push_back(
          {{"held_out", f.held_out}, {"chosen", f.winner}, {"rmse", f.error}});
  }
  j["provenance"] = {{"bristle", version}};
  return j;
}

}  // namespace bristle::io
