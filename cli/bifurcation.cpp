// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <filesystem>

#include "bristle/io/bifurcation_file.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "note.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct BifurcationArguments {
  io::BifurcationPlan plan;
  BifurcationOptions options;
  std::vector<std::string> settings;
  std::string out, command;
  bool resume = false, json = false;
};

// Ranges of the parameter over which the motion is of one kind.
nlohmann::ordered_json kinds(const Bifurcation& b) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& c : b.columns) {
    std::string kind(words(c.motion.kind));
    if (c.motion.beats > 1) kind += " " + std::to_string(c.motion.beats);
    if (!all.empty() && all.back().at("motion") == kind) all.back()["to"] = c.value;
    else all.push_back({{"motion", kind}, {"from", c.value}, {"to", c.value}});
  }
  return all;
}

int bifurcation_command(BifurcationArguments a) {
  for (const auto& text : a.settings) a.plan.settings.push_back(io::parse_setting(text));
  if (a.out.empty())
    a.out = "out/bifurcation-" + std::filesystem::path(a.plan.file).stem().string();
  const std::string partial = a.out + ".partial.csv";
  io::ResultDirectory out(a.out);
  const SectionAt section = io::section_at(a.plan, a.options);
  const std::string mark = io::fingerprint(a.plan, a.options);
  Bifurcation earlier;
  const bool resumed = a.resume && std::filesystem::exists(partial);
  if (resumed) earlier = io::read_diagram(partial, a.options, mark);
  const std::size_t before = earlier.done();

  // What is done is kept beside the result while it grows; a cancelled diagram goes on from there.
  const auto keep = [&](const Bifurcation& b) {
    io::write_text(partial, io::diagram_csv(b, a.plan, mark));
  };
  Bifurcation b;
  {
    Progress progress("bifurcation");
    b = bifurcation(
        section, a.options,
        {.progress = [&](double done) { return progress.show(done); }, .checkpoint = keep},
        std::move(earlier));
  }
  if (b.status == Status::cancelled) {
    keep(b);
    note("bristle: {} of {} values are kept in {}; continue with --resume\n", b.done(),
         b.columns.size(), partial);
    throw io::Interrupted();
  }
  out.write("bifurcation.csv", io::diagram_csv(b, a.plan));
  const auto ranges = kinds(b);
  finish_loops(out, {io::diagram_plot(b, a.plan)},
               {{"file", io::utf8(a.plan.file)},
                {"parameter", a.plan.parameter},
                {"from", a.options.from},
                {"to", a.options.to},
                {"values", a.options.values},
                {"periods", a.options.periods},
                {"keep", a.options.keep},
                {"command", a.command},
                {"motions", ranges}});
  std::error_code gone;
  std::filesystem::remove(partial, gone);
  if (a.json) {
    fmt::print("{}\n", ranges.dump(2));
  } else {
    if (resumed) fmt::print("resumed: {} of {} values were there\n", before, b.columns.size());
    std::size_t shown = 0;
    for (const auto& r : ranges) {
      if (++shown > 20) break;
      fmt::print("  {:<14.8g} to {:<14.8g} {}\n", r.at("from").get<double>(),
                 r.at("to").get<double>(), r.at("motion").get<std::string>());
    }
    if (ranges.size() > 20) fmt::print("  ... and {} more, see summary.json\n", ranges.size() - 20);
    fmt::print("results: {}/bifurcation.png\n", a.out);
  }
  return io::success;
}

}  // namespace

void add_bifurcation(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "bifurcation",
      "Draw a bifurcation diagram: the position once per drive period over one parameter");
  auto a = std::make_shared<BifurcationArguments>();
  a->command = command_line;
  command->add_option("file", a->plan.file, "experiment file of a driven body or machine")
      ->required();
  command->add_option("--parameter", a->plan.parameter, "what is varied, section.field")
      ->required()
      ->type_name("S.F");
  command->add_option("--from", a->options.from, "first value")
      ->required()
      ->type_name("V")
      ->check(a_number());
  command->add_option("--to", a->options.to, "last value")
      ->required()
      ->type_name("V")
      ->check(a_number());
  command->add_option("--values", a->options.values, "number of values, default 1000")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--periods", a->options.periods, "drive periods of each run, default 300")
      ->type_name("N")
      ->check(a_number());
  command
      ->add_option("--keep", a->options.keep, "drive periods at its end that are drawn, default 60")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--threads", a->options.threads, "threads, default one per core")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--case", a->plan.label, "label of the case, default the first")
      ->type_name("LABEL");
  command->add_option("--x", a->plan.x, "column drawn, default position")->type_name("NAME");
  command->add_option("--y", a->plan.y, "second column of the section, default velocity")
      ->type_name("NAME");
  command->add_option("--set", a->settings, "change a field: section.field=value (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("S.F=V");
  command->add_option("--out", a->out, "result directory, default out/bifurcation-NAME")
      ->type_name("DIR");
  command->add_flag("--resume", a->resume, "continue a diagram that was interrupted");
  command->add_flag("--json", a->json, "print the kinds of motion as JSON");
  command->footer(
      "Each value is simulated from rest, so the diagram does not depend on their order.\n"
      "Interrupted, it keeps what is done in DIR.partial.csv; --resume continues to the same "
      "result.\n"
      "Examples:\n"
      "  bristle bifurcation experiments/h_8_periodic.toml --parameter input.amplitude --from "
      "0.001 "
      "--to 0.006\n"
      "  bristle bifurcation my.toml --parameter input.frequency --from 30 --to 90 --values 200 "
      "--set solve.tolerance=1e-6");
  command->callback([&action, a] { action = [a] { return bifurcation_command(*a); }; });
}

}  // namespace bristle::cli
