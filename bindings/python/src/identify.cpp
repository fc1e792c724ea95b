// SPDX-License-Identifier: MIT
// Fits and comparisons of laws, from arrays or from files.
#include "bindings.hpp"
#include "bristle/identify/compare.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/model/registry.hpp"
#include "fit_dicts.hpp"
#include "fit_input.hpp"
#include "interrupt.hpp"

namespace bristle::python {
namespace {

// A fit with what was said about its data.
struct FitObject {
  FitSummary fit;
  std::vector<std::string> notes, files;
  std::string licence, source;
  std::optional<DelayEstimate> delay{};
  std::optional<std::pair<double, double>> unused_load{};
  std::vector<ConditionColumn> conditions{};
};

py::dict dict_of_delay(const DelayEstimate& d) {
  py::dict all;
  all["delay"] = d.delay;
  all["lower"] = d.lower;
  all["upper"] = d.upper;
  all["seen"] = d.seen();
  all["at_limit"] = d.at_limit;
  all["rmse_without"] = d.without;
  all["rmse_with"] = d.with;
  return all;
}

py::dict dict_of_fit(const FitObject& object) {
  const FitSummary& f = object.fit;
  py::dict all;
  all["law"] = f.law;
  all["values"] = f.values;
  all["mechanism"] = f.mechanism;
  all["converged"] = f.converged();
  all["message"] = f.message;
  all["unusable"] = f.unusable;
  all["parameters"] = list_of(f.parameters);
  all["fitted"] = dict_of(f.fitted);
  all["held_out"] = dict_of(f.held_out);
  all["bic"] = f.bic;
  all["warnings"] = f.warnings;
  all["notes"] = object.notes;
  all["delay"] = object.delay ? py::object(dict_of_delay(*object.delay)) : py::none();
  // A comparison lets go of the samples of all but the best.
  const bool samples =
      !f.x.empty() && !f.problem.runs.empty() && !f.problem.runs.front().samples.empty();
  py::list predicted;
  if (!f.x.empty() && !f.problem.runs.empty())
    for (const auto& run : fit_predict(f.problem, f.x)) predicted.append(array_of(run));
  all["predicted"] = predicted;
  if (samples)
    all["part"] = io::part_of(f, {.files = object.files,
                                  .command = "bristle.fit",
                                  .licence = object.licence,
                                  .source = object.source,
                                  .load = object.unused_load,
                                  .conditions = object.conditions});
  return all;
}

// The held parameters: those of the law by its table, "mechanism.mass" of the mechanism.
void hold(const py::dict& fixed, const std::string& law, FitOptions& options) {
  py::dict own;
  for (const auto& [key, value] : fixed) {
    const auto name = text_from(key, "fix: a name");
    if (name.starts_with(mechanism_prefix) && !options.rollout.mechanism.empty())
      options.rollout.values[name.substr(mechanism_prefix.size())] = cast_as<double>(value, name);
    else own[key] = value;
  }
  options.values = values_from(own, find_law(law).description);
}

FitObject fit_law(const std::string& law, FitInput input, const py::dict& given,
                  const py::dict& fixed) {
  FitOptions options = fit_options_from(given);
  hold(fixed, law, options);
  options.solver.stop = stop_asked;
  const Preparing preparing(given);
  apply_drive(given, input);
  options.units = input.units;
  weigh_load(law, input, options);
  FitObject object;
  object.files = input.files;
  object.unused_load = input.unused_load, object.conditions = input.conditions;
  object.licence = option<std::string>(given, "licence", "");
  object.source = option<std::string>(given, "source", "");
  object.fit = watched(py::none(), [&](auto) {
    Preparing known = preparing;
    if (preparing.find_delay) {
      object.delay =
          estimate_delay(law, input.records, {preparing.longest, preparing.prepare, options});
      if (object.delay->seen() && !object.delay->at_limit) known.delay = object.delay->delay;
    }
    std::vector<Track> runs = known.runs(input.records);
    const bool doubted = !preparing.prepare.motion && !options.terms.any();
    const std::string doubt = doubted ? sign_doubt(runs) : "";
    FitSummary summary = fit(law, std::move(runs), options);
    if (!doubt.empty()) summary.warnings.insert(summary.warnings.begin(), doubt);
    return summary;
  });
  object.notes = input.notes;
  if (object.fit.status == FitStatus::stopped) throw Cancelled();
  if (object.fit.x.empty()) throw InvalidInput("model", law + ": " + object.fit.message);
  return object;
}

py::dict profile_of(const FitObject& object, const std::string& name, int points) {
  std::vector<std::string> free;
  for (const auto& p : object.fit.parameters)
    if (p.free) free.push_back(p.name);
  if (std::find(free.begin(), free.end(), name) == free.end())
    throw InvalidInput("name", not_found("fitted parameter", name, free));
  if (points < 3 || points > 10001)
    throw InvalidInput("points", "points = " + std::to_string(points) +
                                     " is not allowed, it must be at least 3 and at most 10001");
  if (object.fit.problem.runs.empty() || object.fit.problem.runs.front().samples.empty())
    throw InvalidInput("name",
                       "a comparison keeps the samples of its best law only: fit() the "
                       "law to have profiles of it");
  const Profile p = watched(py::none(), [&](auto) { return profile(object.fit, name, points); });
  std::vector<double> value, rise;
  for (const ProfilePoint& one : p.points) value.push_back(one.value), rise.push_back(one.rise);
  py::dict all;
  all["parameter"] = p.parameter;
  all["value"] = array_of(value);
  all["rise"] = array_of(rise);
  all["lower"] = p.open_below ? py::object(py::none()) : py::float_(p.lower);
  all["upper"] = p.open_above ? py::object(py::none()) : py::float_(p.upper);
  return all;
}

// Where the fits of laws begin: a dictionary of fix, guess and free for each of them.
std::map<std::string, LawStart> starts_in(const py::dict& started) {
  std::map<std::string, LawStart> all;
  for (const auto& [key, value] : started) {
    const auto law = py::cast<std::string>(key);
    const auto begun = py::cast<py::dict>(value);
    all[law] = {values_from(begun["fix"], find_law(law).description),
                cast_as<std::set<std::string>>(begun["free"], "free"),
                cast_as<std::map<std::string, double>>(begun["guess"], "guess")};
  }
  return all;
}

py::dict compare_laws(const std::vector<std::string>& laws, FitInput input, const py::dict& given,
                      const py::dict& started, const py::object& progress) {
  CompareOptions options;
  options.laws = laws;
  options.fit = fit_options_from(given);
  options.fit.solver.stop = stop_asked;
  options.starts = starts_in(started);
  apply_drive(given, input);
  weigh_load("", input, options.fit);
  options.fit.units = input.units;
  options.forms = option(given, "forms", false);
  if (given.contains("nested")) Given(given).take("nested", options.folds, 2, 20);
  const Preparing preparing(given);
  if (preparing.find_delay)
    throw InvalidInput("delay",
                       "delay = auto: a delay is found along one law: find it by fit(), "
                       "and give it here in seconds");
  const Comparison c = watched(progress, [&](auto look) {
    options.progress = [&](double part) { return look(part) && !stop_asked(); };
    return compare(preparing.runs(input.records), options);
  });
  if (stop_asked()) throw Cancelled();
  py::list ranking, folds;
  for (const Compared& one : c.ranking) {
    py::dict entry;
    entry["refused"] = one.refused;
    entry["name"] = one.name();
    entry["form"] = one.form;
    entry["error_deviation"] = one.error_deviation;
    entry["seconds"] = one.seconds;
    if (one.refused.empty()) {
      FitObject object;
      object.fit = one.fit;
      object.notes = input.notes, object.files = input.files;
      object.conditions = input.conditions;
      entry["fit"] = std::move(object);
    }
    ranking.append(entry);
  }
  for (const Fold& f : c.folds) folds.append(py::make_tuple(f.held_out, f.winner, f.error));
  py::dict all;
  all["ranking"] = ranking;
  all["simplest"] = c.simplest;
  all["folds"] = folds;
  all["nested_error"] = c.nested_error;
  all["best_static"] = c.best_static;
  all["best_dynamic"] = c.best_dynamic;
  return all;
}

}  // namespace

void bind_identify(py::module_& module) {
  py::class_<FitInput>(module, "FitData");
  py::class_<FitObject>(module, "FitResult").def("dict", dict_of_fit).def("profile", profile_of);
  module.def("fit_data", input_from);
  module.def("fit_files", input_of_files);
  module.def("fit", fit_law);
  module.def("compare", compare_laws);
  module.def("compared_laws", compared_laws);
}

}  // namespace bristle::python
