// SPDX-License-Identifier: MIT
#include "bristle/io/part.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/part_diff.hpp"
#include "commands.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

struct PartArguments {
  std::string what;
  std::vector<std::string> files;
};

std::string interval_of(const io::PartParameter& p) {
  if (!p.fitted) return "held";
  if (p.at_bound) return "at a bound";
  if (p.no_lower_limit && p.no_upper_limit) return "no limit";
  if (p.no_upper_limit) return fmt::format("above {:.5g}", p.lower);
  if (p.no_lower_limit) return fmt::format("below {:.5g}", p.upper);
  return fmt::format("{:.5g} to {:.5g}", p.lower, p.upper);
}

void print_parameters_of(const io::Part& part) {
  std::size_t width = 22;
  for (const auto& p : part.parameters) width = std::max(width, p.name.size());
  fmt::print("\n  {:<{}} {:<9} {:>13} {:>13} {:<10} {:<26}\n", "parameter", width, "of", "value",
             "deviation", "unit", "95 % interval");
  for (const auto& p : part.parameters)
    fmt::print("  {:<{}} {:<9} {:>13.6g} {:>13} {:<10} {:<26} {}\n", p.name, width, p.of, p.value,
               p.fitted && !p.at_bound ? fmt::format("{:.3g}", p.deviation) : "", p.unit,
               interval_of(p), p.fitted && !p.at_bound && !p.determined ? "not determined" : "");
  for (const auto& [key, value] : part.choices)
    fmt::print("  {:<{}} {:<9} {:>13}\n", key, width, part.kind, words(value));
}

void print_runs(const io::Part& part) {
  const auto line = [](const io::PartRun& r, const char* what, const Agreement& a) {
    if (a.samples > 0)
      fmt::print("  {:<22} {:<20} {:<9} rmse {:.5g} {}{}, {} samples\n", r.name, r.quantity, what,
                 a.rmse, r.unit, std::isfinite(a.r2) ? fmt::format(", R2 {:.5f}", a.r2) : "",
                 a.samples);
  };
  if (!part.runs.empty()) fmt::print("\n");
  for (const auto& r : part.runs) line(r, "fitted", r.fitted), line(r, "held out", r.held_out);
}

int show(const std::string& file) {
  const io::Part part = io::read_part(file);
  if (part.kind == "machine") fmt::print("a machine, fitted\n");
  else if (part.kind == "system") fmt::print("{}, fitted\n", part.system);
  else
    fmt::print("{}, fitted{}\n", part.law,
               part.mechanism.empty() ? "" : " with the mechanism " + part.mechanism);
  print_parameters_of(part);
  for (const auto& d : part.depends)
    fmt::print("  {} is {} in {}, counted from {:g}{}\n", d.parameter, word_of(d.form), d.column,
               d.reference, d.unit.empty() ? "" : " " + d.unit);
  if (!part.domain.empty()) fmt::print("\n");
  for (const auto& r : part.domain)
    fmt::print("  range: {:<15} {:.5g} to {:.5g} {}\n", r.quantity, r.from, r.to, r.unit);
  print_runs(part);
  fmt::print("\n");
  if (!part.unusable.empty()) fmt::print("  !! this fit must not be used: {}\n", part.unusable);
  for (const auto& w : part.warnings) fmt::print("  ! {}\n", w);
  for (const auto& d : part.data)
    fmt::print("  data: {}{}\n", d.file, d.fingerprint.empty() ? "" : ", " + d.fingerprint);
  for (const auto& [key, text] : {std::pair{"source", part.source},
                                  {"licence", part.licence},
                                  {"made by bristle", part.version},
                                  {"command", part.command}})
    if (!text.empty()) fmt::print("  {}: {}\n", key, text);
  return io::success;
}

int check(const std::string& file) {
  const io::Part part = io::read_part(file);
  // The machine must be one, and have what was fitted.
  if (part.kind == "machine") io::read_experiment(file);
  fmt::print("{}: a valid part, {} parameters, {} fitted\n", file, part.parameters.size(),
             part.fitted().size());
  bool differs = false;
  for (const auto& d : part.data) {
    const io::DataState state = io::data_state(d, file);
    differs = differs || state == io::DataState::differs;
    fmt::print("  data: {}: {}\n", d.file, io::data_words(state));
  }
  return differs ? io::expectation_missed : io::success;
}

int diff(const std::string& one, const std::string& other) {
  const auto all = io::part_differences(io::read_part(one), io::read_part(other));
  std::size_t width = 22;
  for (const auto& d : all) width = std::max(width, d.name.size());
  fmt::print("  {:<{}} {:>13} {:>13} {:<10} {:>14}\n", "parameter", width, "first", "second",
             "unit", "deviations");
  const auto value = [](const std::optional<double>& v) {
    return v ? fmt::format("{:.6g}", *v) : std::string("-");
  };
  long significant = 0;
  for (const auto& d : all) {
    significant += d.significant;
    fmt::print("  {:<{}} {:>13} {:>13} {:<10} {:>14} {}\n", d.name, width, value(d.one),
               value(d.other), d.unit, d.deviations ? fmt::format("{:.2f}", *d.deviations) : "",
               d.verdict);
  }
  fmt::print("\n{} of {} parameters differ significantly (95 %)\n", significant, all.size());
  return significant > 0 ? io::expectation_missed : io::success;
}

int run_part(const PartArguments& a) {
  const std::size_t needed = a.what == "diff" ? 2 : 1;
  if (a.files.size() != needed)
    throw io::InputError("part " + a.what + ": takes " + std::to_string(needed) +
                         (needed == 1 ? " file" : " files") + ", " +
                         std::to_string(a.files.size()) + " are given");
  if (a.what == "show") return show(a.files[0]);
  return a.what == "check" ? check(a.files[0]) : diff(a.files[0], a.files[1]);
}

}  // namespace

void add_part(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "part", "Show, check or compare the results of fits (part.toml of bristle fit --out)");
  auto a = std::make_shared<PartArguments>();
  command->add_option("action", a->what, "show, check or diff")
      ->required()
      ->check(one_of({"show", "check", "diff"}));
  command->add_option("files", a->files, "part files: one, or two for diff")->required();
  command->footer(
      "show prints the parameters with standard deviations and 95 % intervals, the range of\n"
      "the data, the errors per run and its origin. check reads the whole part, covariance "
      "included,\n"
      "and compares the fingerprints of those data files that it finds, by their names or in the\n"
      "folder of the part; the exit code is 1 if they differ. diff gives differences in combined\n"
      "standard deviations, of logarithms where these were fitted; the exit code is 1 if one\n"
      "exceeds 1.96.\n"
      "Examples:\n"
      "  bristle fit data/tribometer/strokes.csv --model dahl --from 10 --to 209 --out fitted\n"
      "  bristle part show fitted/part.toml\n"
      "  bristle part check fitted/part.toml\n"
      "  bristle part diff monday.toml friday.toml");
  command->callback([&action, a] { action = [a] { return run_part(*a); }; });
}

}  // namespace bristle::cli
