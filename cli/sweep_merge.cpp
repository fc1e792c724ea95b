// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bristle/io/errors.hpp"
#include "note.hpp"
#include "progress.hpp"
#include "sweep.hpp"

namespace bristle::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> directories;
  std::string out, command;
  bool json = false, no_figures = false;
};

int merge(const MergeArguments& a) {
  io::SweepRecord record;
  const io::Sweep sweep = io::sweep_of_results(a.directories.front(), record);
  record.command = a.command;
  record.figures = !a.no_figures;
  io::refuse_other_results(a.out, sweep);
  io::SweepStatistics statistics;
  const std::string trouble =
      io::write_sweep(sweep, record, io::merged_rows(sweep, a.directories), a.out, statistics);
  if (!trouble.empty()) note("bristle: {}\n", trouble);
  return report_sweep(sweep, statistics, statistics.rows, a.out, a.json);
}

}  // namespace

void add_sweep_merge(CLI::App& sweep, Action& action, const std::string& command_line) {
  auto* command = sweep.add_subcommand("merge", "Put the parts of a sweep together");
  auto a = std::make_shared<MergeArguments>();
  a->command = command_line;
  command->add_option("directories", a->directories, "result directories of all parts")
      ->required()
      ->type_name("DIR");
  command->add_option("--out", a->out, "result directory of the whole")
      ->required()
      ->type_name("DIR");
  command->add_flag("--json", a->json, "print the summary as JSON");
  command->add_flag("--no-figures", a->no_figures, "write data and scripts, do not draw");
  command->footer("Example:\n  bristle sweep merge out/sweep-my-part-*-of-64 --out out/sweep-my");
  command->callback([&action, a] { action = [a] { return merge(*a); }; });
}

}  // namespace bristle::cli
