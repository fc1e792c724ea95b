// SPDX-License-Identifier: MIT
#include "bristle/identify/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/io/fit_report.hpp"
#include "commands.hpp"
#include "data_options.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct CompareArguments : DataArguments {
  std::string models = "all", out, command_line, start;
  bool json = false, forms = false;
  int folds = 0;
};

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const auto comma = std::min(list.find(',', at), list.size());
    if (comma > at) names.push_back(list.substr(at, comma - at));
    at = comma + 1;
    if (!names.empty() && std::count(names.begin(), names.end(), names.back()) > 1)
      throw io::InputError("--models " + list + ": " + names.back() + " is named twice");
  }
  return names;
}

// One row per law, one column per run.
void print_run_errors(const Comparison& c, const std::string& unit) {
  const io::RunErrors errors = io::run_errors(c);
  if (errors.runs.empty()) return;
  fmt::print("\nerrors of each run, rmse [{}], held out where something is\n", unit);
  std::size_t width = 18;
  for (const auto& [law, each] : errors.laws) width = std::max(width, law.size());
  fmt::print("{:<{}}", "", width);
  for (const auto& run : errors.runs) fmt::print(" {:>12}", run);
  fmt::print("\n");
  for (const auto& [law, each] : errors.laws) {
    fmt::print("{:<{}}", law, width);
    for (std::size_t i = 0; i < each.size(); ++i)
      fmt::print(" {:>{}.5g}", each[i], std::max<std::size_t>(12, errors.runs[i].size()));
    fmt::print("\n");
  }
}

// The law of a part begins where the part ended, with what was held of it.
void begin_with(const CompareArguments& a, CompareOptions& options) {
  if (a.start.empty()) return;
  const io::Part part = io::read_part(a.start);
  const std::string where = "--start " + a.start + ": ";
  if (part.kind != "law")
    throw io::InputError(
        where + "is the part of " +
        (part.kind == "system" ? "the operator " + part.system : std::string("a machine")) +
        ", laws are compared here");
  const io::PartParameter* gap = part.find(backlash_name);
  if (!part.depends.empty() || (gap && gap->fitted))
    throw io::InputError(where + "the " + part.law + " of the part has " +
                         (part.depends.empty() ? "backlash" : "parameters that depend on columns") +
                         ", laws are compared without: bristle fit begins with all of it");
  if (!options.laws.empty() &&
      std::find(options.laws.begin(), options.laws.end(), part.law) == options.laws.end())
    throw io::InputError(where + "is of the law " + part.law + ", which is not among --models");
  if (options.laws.empty()) {
    options.laws = compared_laws();
    if (std::find(options.laws.begin(), options.laws.end(), part.law) == options.laws.end())
      options.laws.push_back(part.law);
  }
  LawStart& own = options.starts[part.law];
  own.values = part.choices;
  for (const io::PartParameter& p : part.parameters) {
    if (p.of == "bias" && p.fitted) {
      options.fit.offset = options.fit.offset || p.name == "offset";
      options.fit.asymmetric = options.fit.asymmetric || p.name == "asymmetry";
    }
    if (p.of != "law") continue;
    if (!p.fitted) own.values[p.name] = p.value;
    else own.guess[p.name] = p.value, own.free.insert(p.name);
  }
}

void print(const Comparison& c, const FitInput& input) {
  const std::string& unit = input.measurement.units.force;
  print_columns(input.measurement);
  fmt::print("\n");
  std::size_t width = 18;
  for (const auto& e : c.ranking) width = std::max(width, e.name().size());
  fmt::print("{:<{}} {:>12} {:>12} {:>10} {:>6} {:>12} {:>7}\n", "law", width, "held out", "fitted",
             "R2 held", "free", "BIC", "time");
  fmt::print("{:<{}} {:>12} {:>12}\n", "", width, "rmse [" + unit + "]", "rmse [" + unit + "]");
  for (const auto& e : c.ranking) {
    if (!e.refused.empty()) {
      fmt::print("{:<{}} not fitted: {}\n", e.name(), width, e.refused);
      continue;
    }
    std::string doubt;
    for (const auto& p : e.fit.parameters)
      if (p.free && !p.determined) doubt += (doubt.empty() ? " not determined: " : ", ") + p.name;
    fmt::print("{:<{}} {:>12.5g} {:>12.5g} {:>10.5f} {:>6} {:>12.1f} {:>5.1f} s{}{}\n", e.name(),
               width, e.fit.held_out.rmse, e.fit.fitted.rmse, e.fit.held_out.r2,
               e.fit.unknowns.size(), e.fit.bic, e.seconds,
               e.fit.converged() ? "" : " (not converged)", doubt);
  }
  print_run_errors(c, unit);
  const auto sentences = io::comparison_words(c, unit);
  if (!sentences.empty()) fmt::print("\n");
  for (const std::string& sentence : sentences) fmt::print("{}\n", sentence);
  if (!input.warnings.empty() || !input.measurement.notes.empty()) fmt::print("\n");
  for (const auto& w : input.warnings) fmt::print("  ! {}\n", w);
  for (const auto& n : input.measurement.notes) fmt::print("  note: {}\n", n);
}

// Why the best of all laws must not be used, empty if there is no such reason.
std::string useless_because(const Comparison& c) {
  if (c.ranking.empty() || !c.ranking.front().refused.empty()) return "no law could be fitted";
  const FitSummary& best = c.ranking.front().fit;
  return best.unusable.empty() ? "" : "the best of them must not be used: " + best.unusable;
}

int run_compare(const CompareArguments& a) {
  for (const auto& [option, given] : {std::pair{"--fix ", a.fix}, {"--free ", a.free}})
    if (!given.empty())
      throw io::InputError(option + given.front() +
                           ": has no meaning for a comparison, laws differ in their parameters");
  const FitInput input = read_input(a, "");
  CompareOptions options;
  options.fit = fit_options(a, "", input);
  if (!a.hold_out.empty() && options.fit.hold_out == 0.0 && options.fit.hold_out_runs.empty())
    throw io::InputError("--hold-out " + a.hold_out.front() +
                         ": laws are ranked by their error on held-out samples, so a part of each "
                         "run up to 0.9 or whole runs must be held out");
  options.fit.units = input.measurement.units;
  options.fit.conditions = input.conditions;
  options.forms = a.forms, options.folds = a.folds;
  if (a.models != "all") options.laws = names_in(a.models);
  begin_with(a, options);
  Progress progress("comparing");
  options.progress = [&](double part) { return progress.show(part); };
  const Comparison c = compare(input.runs, options);
  if (interrupted()) throw io::Interrupted();
  auto j = io::comparison_json(c);
  j["data"] = input.name;
  j["columns"] = io::columns_json(input.measurement);
  j["warnings"] = input.warnings;
  j["notes"] = input.measurement.notes;
  const std::string useless = useless_because(c);
  if (!useless.empty()) j["unusable_because"] = useless;
  if (!a.out.empty()) {
    io::ResultDirectory out(a.out);
    out.write("report.html", io::comparison_html(c, input.measurement, input.name, a.command_line));
    if (!c.ranking.empty() && c.ranking.front().refused.empty()) {
      const FitSummary& best = c.ranking.front().fit;
      out.write("part.toml", io::part_text(io::part_of(best, {a.files, a.command_line, "", "",
                                                              std::nullopt, input.conditions})));
      out.write("run.toml", io::fit_run_text(best));
    }
    out.write(std::string(io::summary_name), j.dump(2) + "\n");
    out.commit();
  }
  if (a.json) fmt::print("{}\n", j.dump(2));
  else print(c, input);
  if (!a.json && !useless.empty()) fmt::print("\n  !! {}\n", useless);
  if (!a.out.empty() && !a.json) fmt::print("results: {}/report.html\n", a.out);
  return useless.empty() ? io::success : io::fit_unfinished;
}

}  // namespace

void add_compare(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "compare", "Fit many laws to measured data and rank them by their held-out error");
  auto a = std::make_shared<CompareArguments>();
  a->command_line = command_line;
  add_data_options(*command, *a);
  command->add_option("--models", a->models, "all (default), or names with commas between")
      ->type_name("NAMES");
  command->add_flag("--forms", a->forms,
                    "fit each law also with an offset, with an asymmetry and with both, with a "
                    "force that changes with a measured load, and with backlash");
  command
      ->add_option("--start", a->start,
                   "the result of a fit: its law starts from its parameters and fixed values")
      ->type_name("PART");
  command
      ->add_option(
          "--nested", a->folds,
          "nested cross-validation with this number of folds: runs, or parts of runs, are held "
          "out one after the other, and the law is chosen on the others alone")
      ->type_name("FOLDS")
      ->check(a_whole_number(2, 20));
  command
      ->add_option("--out", a->out, "directory for a report, the best fit as a part and a summary")
      ->type_name("DIR");
  command->add_flag("--json", a->json, "print everything as JSON");
  group_fit_options(*command);
  // They are refused with a sentence of their own, since laws differ in their parameters.
  for (const char* name : {"--fix", "--free"}) command->get_option(name)->group("");
  command->footer(
      "Without --hold-out the last 30 % of each run are held out. bristle fit --help explains "
      "units\n"
      "and columns.\nExample:\n"
      "  bristle compare data/tribometer/strokes.csv --from 10 --to 209 --out compared");
  command->callback([&action, a] { action = [a] { return run_compare(*a); }; });
}

}  // namespace bristle::cli
