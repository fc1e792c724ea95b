// SPDX-License-Identifier: MIT
#include "run.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/overrides.hpp"
#include "bristle/io/runner.hpp"
#include "commands.hpp"
#include "note.hpp"
#include "print.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct RunArguments {
  std::string file;
  std::vector<std::string> settings;
  std::string out;
  std::string method, part;
  bool json = false;
  bool no_figures = false;
  bool animate = false;
  bool no_verify = false;
  std::string command;
};

// The part of a law goes into [model], that of a machine beside its lists. Its path is that of the
// command line, not of the file.
io::Setting part_setting(const std::string& file) {
  const std::string kind = io::read_part(file).kind;
  const std::string section = kind == "law" ? "model" : kind == "system" ? kind : "";
  return {section, "part", std::filesystem::absolute(file).string()};
}

// A run says how far it is off, unless its file or the command decides otherwise. The many runs of
// a [[sweep]] do so only if their file asks for it.
void verify_runs(io::Experiment& experiment, bool wanted) {
  for (auto& c : experiment.cases) {
    const auto solve = c.sections.find("solve");
    const bool given = solve != c.sections.end() && solve->second.contains("verify");
    if (!wanted) c.options.verify = Options::no;
    else if (!given && c.sweep.empty()) c.options.verify = Options::yes;
  }
}

// What the samples of a run need is known before it begins.
void check_size(const io::Experiment& experiment, const std::string& file) {
  constexpr double gigabyte = 1e9, text_of_a_number = 20.0;
  double memory = 0.0, table = 0.0;
  const auto add = [&](const io::Case& c) {
    if (c.kind != io::CaseKind::run && c.kind != io::CaseKind::machine &&
        c.kind != io::CaseKind::system)
      return;
    const double numbers = c.options.samples * double(io::columns_of(c, {}).size());
    memory += numbers * double(sizeof(double)), table += numbers * text_of_a_number;
  };
  for (const auto& c : experiment.cases) add(c);
  double there = double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGE_SIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    there = std::min(there, double(limit.rlim_cur));
  if (memory > there)
    throw io::InputError(
        fmt::format("{}: solve: samples need {:.3g} GB of memory, there are {:.3g} GB; take "
                    "fewer samples",
                    file, memory / gigabyte, there / gigabyte));
  if (table > 4.0 * gigabyte)
    note("bristle: warning: {}: the samples make tables of about {:.2g} GB\n", file,
         table / gigabyte);
}

int run(const RunArguments& a) {
  std::vector<io::Setting> settings;
  for (const auto& text : a.settings) settings.push_back(io::parse_setting(text));
  if (!a.method.empty()) {
    for (const auto& s : settings)
      if (s.section == "solve" && s.field == "method")
        throw io::InputError("--method " + a.method + " and --set solve.method=" + s.value +
                             " contradict each other: both set solve.method");
    settings.push_back({"solve", "method", a.method, "--method " + a.method});
  }
  if (!a.part.empty()) settings.push_back(part_setting(a.part));
  io::Experiment experiment = io::read_experiment(a.file, settings);
  check_size(experiment, a.file);
  if (a.animate && std::none_of(experiment.cases.begin(), experiment.cases.end(),
                                [](const io::Case& c) { return c.kind == io::CaseKind::run; }))
    throw io::InputError("--animate: " + a.file +
                         " has no body of a [mechanism] over its bristles to draw");
  verify_runs(experiment, !a.no_verify);
  if (!a.method.empty())
    for (const auto& place : io::other_texts(experiment, "solve", "method", a.method))
      note("bristle: --method {} overrides {}\n", a.method, place);
  return run_and_write(experiment, {a.file, a.out.empty() ? "out/" + experiment.key : a.out,
                                    a.command, a.json, a.no_figures, a.animate});
}

}  // namespace

int run_and_write(const io::Experiment& experiment, const RunOutput& a) {
  for (const auto& warning : experiment.warnings) note("bristle: warning: {}\n", warning);
  std::string out = a.out;
  { const io::ResultDirectory usable(out); }  // throws now rather than after a long run

  io::ExperimentResult result;
  {
    Progress progress(experiment.key);
    result = io::run_experiment(experiment, [&](double done) { return progress.show(done); });
  }
  if (interrupted()) throw io::Interrupted();
  // Half a run does not take the place of a whole one.
  if (!result.ok(experiment)) out += ".failed";
  const io::WriteOptions options{!a.no_figures, a.command, a.animate, interrupted};
  const std::string trouble = io::write_results(experiment, result, out, options);
  for (const auto& warning : result.warnings) note("bristle: warning: {}\n", warning);
  if (a.json) {
    fmt::print("{}", io::summary_json(experiment, result, options));
  } else {
    fmt::print("{}\n", experiment.title);
    print_cases(experiment, result);
    print_verdicts(result.verdicts);
    fmt::print("results: {}/report.html\n", out);
  }
  if (!trouble.empty()) note("bristle: {}\n", trouble);
  if (result.ok(experiment)) return io::success;
  for (std::size_t i = 0; i < result.cases.size(); ++i)
    if (!result.cases[i].ok(experiment.cases[i]))
      note("bristle: {}: {}\n", a.file, result.cases[i].message(experiment.cases[i]));
  return io::run_failed;
}

void add_run(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand("run", "Simulate what a TOML file describes");
  auto a = std::make_shared<RunArguments>();
  a->command = command_line;
  command->add_option("file", a->file, "experiment file")->required();
  command->add_option("--set", a->settings, "change a field: section.field=value (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("S.F=V");
  command
      ->add_option("--out", a->out,
                   "result directory, default out/NAME; earlier results there are replaced, other "
                   "files stay")
      ->type_name("DIR");
  command->add_option("--method", a->method, "rosenbrock, cvode, coupled, bristle_only or switch")
      ->type_name("M");
  command
      ->add_option("--part", a->part,
                   "take the law, or the values of a machine, from the result of a fit")
      ->type_name("FILE");
  command->add_flag("--json", a->json, "print the summary as JSON");
  command->add_flag("--no-figures", a->no_figures, "write data and scripts, do not draw");
  command->add_flag("--no-verify", a->no_verify,
                    "leave out the second, finer run that estimates the error of the first one");
  command->add_flag("--animate", a->animate,
                    "also write an animated SVG of the body over its bristles");
  command->footer(
      "A file gives a law, the mechanism it acts on and the duration:\n"
      "  [model]\n  name = \"lugre\"\n  stiffness = 1e5\n"
      "  [mechanism]\n  name = \"dragged_mass\"\n  spring = 2.0\n  drag_velocity = 0.1\n"
      "  [solve]\n  end = 40.0\n"
      "The result directory holds report.html, summary.json, one CSV per case, figures as SVG and "
      "PNG\n"
      "with their gnuplot scripts, and the input.\n"
      "Examples:\n"
      "  bristle run stick_slip.toml\n"
      "  bristle run stick_slip.toml --set mechanism.drag_velocity=0.02 --out slow\n"
      "  bristle run stick_slip.toml --part fitted/part.toml\n"
      "  bristle run stick_slip.toml --method cvode --json --no-figures\n"
      "  bristle run experiments/t_3_7_drbm_stick_slip.toml --animate");
  command->callback([&action, a] { action = [a] { return run(*a); }; });
}

}  // namespace bristle::cli
