// SPDX-License-Identifier: MIT
#include "sweep.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "bristle/ensemble/lanes.hpp"
#include "bristle/ensemble/parallel.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/runner.hpp"
#include "note.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "ranks.hpp"
#include "run.hpp"

namespace bristle::cli {
namespace {

struct SweepArguments {
  std::string file, part, budget, out, command;
  io::SweepChanges changes;
  std::vector<std::string> settings;
  std::uint64_t only = 0;
  int threads = 0;
  bool json = false, no_figures = false, fresh = false;
};

// "60s", "10min", "1.5h" or a number of seconds.
double seconds_in(const std::string& text) {
  double number = 0.0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const std::string unit(read.ptr, end);
  const double factor = unit.empty() || unit == "s" ? 1.0
                        : unit == "min"             ? 60.0
                        : unit == "h"               ? 3600.0
                                                    : 0.0;
  if (read.ec != std::errc() || factor == 0.0 || !(number > 0.0 && number <= 1e9))
    throw io::InputError("--budget " + text + ": must be a time such as 60s, 10min or 2h");
  return factor * number;
}

// "3/64"
void read_part(const std::string& text, io::SweepChunks& chunks) {
  const char* const end = text.data() + text.size();
  auto at = std::from_chars(text.data(), end, chunks.part);
  const bool slash = at.ec == std::errc() && at.ptr != end && *at.ptr == '/';
  if (slash) at = std::from_chars(at.ptr + 1, end, chunks.parts);
  if (!slash || at.ec != std::errc() || at.ptr != end || chunks.part < 1 ||
      chunks.part > chunks.parts || chunks.parts > 1000000)
    throw io::InputError("--part " + text + ": must have the form 3/64, part 3 of 64 parts");
}

// Where the first run leaves what the data of its parts have seen; a run that fails says so in its
// row.
std::vector<std::string> beyond_parts(const io::Sweep& sweep) {
  const io::Experiment first = sweep.experiment_of(0);
  if (first.cases.front().parts.empty()) return {};
  try {
    return io::run_experiment(first, [](double) { return !interrupted(); }).warnings;
  } catch (const InvalidInput&) {
    return {};
  } catch (const io::InputError&) {
    return {};
  }
}

std::string progress_words(const io::Sweep& sweep, const io::SweepProgress& p) {
  std::string text = fmt::format("{} of {} runs, {:.3g} per second", p.done, p.runs, p.rate);
  if (!std::isnan(p.smallest))
    text += fmt::format(", {} from {:.4g} to {:.4g}", sweep.quantities().front().name, p.smallest,
                        p.largest);
  return text;
}

// One run of the sweep, with everything that `run` writes.
int run_alone(const io::Sweep& sweep, const SweepArguments& a) {
  if (a.only > sweep.plan().size())
    throw io::InputError(
        fmt::format("--only {}: must be a number from 1 to {}", a.only, sweep.plan().size()));
  const io::Experiment e = sweep.experiment_of(a.only - 1);
  const std::string out = a.out.empty() ? fmt::format("out/sweep-{}-run-{}", e.key, a.only) : a.out;
  return run_and_write(e, {a.file, out, a.command, a.json, a.no_figures, false});
}

int sweep_command(SweepArguments a) {
  if (a.file.empty())
    throw io::InputError("sweep needs an experiment file (see bristle sweep --help)");
  for (const auto& text : a.settings) a.changes.settings.push_back(io::parse_setting(text));
  const io::Sweep sweep(a.file, a.changes);
  if (a.only > 0) return run_alone(sweep, a);
  io::SweepRecord record{a.command, a.changes, {}, {}, a.threads, !a.no_figures};
  if (record.threads <= 0) record.threads = available_threads();
  record.chunks = sweep.chunks();
  if (!a.part.empty()) read_part(a.part, record.chunks);
  const auto& chunks = record.chunks;
  if (chunks.count() == 0)
    throw io::InputError(
        fmt::format("--part {}: a sweep of {} runs has no such part", a.part, chunks.runs));
  const double budget = a.budget.empty() ? 0.0 : seconds_in(a.budget);
  if (a.out.empty()) {
    a.out = "out/sweep-" + sweep.experiment().key;
    if (chunks.parts > 1) a.out += fmt::format("-part-{}-of-{}", chunks.part, chunks.parts);
  }
  while (a.out.size() > 1 && a.out.back() == '/') a.out.pop_back();
  const auto ranks = Ranks::find();
  if (ranks && a.threads > 1)
    throw io::InputError(
        fmt::format("--threads {}: every process of mpirun works on one thread, "
                    "start more processes",
                    a.threads));
  if (ranks) record.threads = 1;
  if (sweep.boundary() && (ranks || chunks.parts > 1))
    throw io::InputError(sweep.boundary()->where +
                         ": a map that is refined along its boundary is made by one process, "
                         "without --part and mpirun");
  if (ranks && ranks->rank() > 0) {
    try {
      io::work_for_sweep(sweep, chunks, {1, budget, {}}, *ranks);
    } catch (const io::Interrupted&) {
      return io::interrupted;  // what is kept is said by the first process
    }
    ranks->finish();
    return io::success;
  }

  for (const auto& sentence : sweep.warnings()) note("bristle: {}\n", sentence);
  if (!sweep.why_no_lanes().empty())
    note("bristle: runs do not go in lanes: {}\n", sweep.why_no_lanes());
  // What would fail at the end fails now.
  io::refuse_other_results(a.out, sweep);
  { const io::ResultDirectory usable(a.out); }
  for (const auto& sentence : beyond_parts(sweep)) note("bristle: run 1: {}\n", sentence);
  if (budget == 0.0 && !sweep.boundary())
    io::refuse_endless(sweep, chunks, ranks ? ranks->size() : record.threads,
                       "--budget, such as --budget 1h", [](double) { return !interrupted(); });
  if (const auto folder = std::filesystem::path(a.out).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder);
  const std::string journal_path = a.out + ".unfinished";
  io::SweepJournal journal(journal_path,
                           sweep.fingerprint() + fmt::format(" {}/{}", chunks.part, chunks.parts),
                           a.fresh);
  const std::uint64_t before = journal.chunks();
  std::vector<std::string> refined;  // rows of a map that is refined along its boundary
  const auto resumable = [&] {
    if (sweep.boundary())
      return fmt::format(
          "the runs that were made are kept in {}, the same command continues from there",
          journal_path);
    return fmt::format("{} of {} runs are kept in {}, the same command continues from there",
                       std::min(chunks.own_runs(), journal.chunks() * chunks.length()),
                       chunks.own_runs(), journal_path);
  };
  try {
    Progress progress("sweep");
    io::SweepOptions options{record.threads, budget, {}};
    options.progress = [&](const io::SweepProgress& p) {
      return progress.show(double(p.done) / double(p.runs),
                           [&] { return progress_words(sweep, p); });
    };
    if (sweep.boundary()) {
      record.outcome = io::refine_sweep(sweep, journal, options, refined);
      record.chunks.runs = refined.size();
    } else {
      record.outcome = io::run_sweep(sweep, chunks, journal, options, ranks.get());
    }
  } catch (const io::Interrupted&) {
    throw io::Interrupted("interrupted; " + resumable());
  }
  if (ranks) ranks->finish();
  if (journal.chunks() == 0) {
    journal.remove();
    throw io::InputError(fmt::format("--budget {}: not one chunk of {} run{} ended within it",
                                     a.budget, chunks.length(), chunks.length() == 1 ? "" : "s"));
  }
  io::SweepStatistics statistics;
  std::string trouble;
  io::SweepRows rows = io::rows_in(journal);
  if (sweep.boundary()) rows.rows = io::rows_of(std::move(refined));
  try {
    trouble = io::write_sweep(sweep, record, rows, a.out, statistics);
  } catch (const io::Interrupted&) {
    throw io::Interrupted("interrupted; " + resumable());
  } catch (const io::FileError& error) {
    throw io::FileError(std::string(error.what()) + "; " + resumable());
  }
  if (!record.outcome.budget_spent) journal.remove();
  if (!trouble.empty()) note("bristle: {}\n", trouble);
  if (before > 0 && !a.json && !sweep.boundary())
    fmt::print("resumed: {} of {} chunks of runs were there\n", before, chunks.count());
  if (sweep.in_lanes() && !a.json)
    fmt::print("runs went in {} lanes per thread ({})\n", lane_sets().front().lanes,
               lane_sets().front().name);
  if (record.outcome.budget_spent)
    note("bristle: the budget of {} is spent: {}\n", a.budget, resumable());
  return report_sweep(sweep, statistics, record.chunks.own_runs(), a.out, a.json);
}

}  // namespace

int report_sweep(const io::Sweep& sweep, const io::SweepStatistics& statistics,
                 std::uint64_t planned, const std::string& directory, bool json) {
  if (json) {
    fmt::print("{}", io::read_text(directory + "/" + std::string(io::summary_name)));
  } else {
    const std::string of =
        statistics.rows < planned ? fmt::format(" of {}", planned) : std::string();
    fmt::print("{}: {}{} runs\n", sweep.experiment().title, statistics.rows, of);
    for (const auto& q : statistics.quantities) {
      const std::string unit = q.unit.empty() ? "" : " " + q.unit;
      if (q.numbers > 0)
        fmt::print(
            "  {}: from {:.6g} (run {}) to {:.6g}{} (run {}), median {:.6g}, 95 % within "
            "{:.6g} to {:.6g}\n",
            q.name, q.smallest, q.smallest_at, q.largest, unit, q.largest_at, q.median, q.low,
            q.high);
      for (const auto& [word, count] : q.counts)
        fmt::print("  {}: {} in {} runs\n", q.name, word, count);
      if (q.undefined > 0) fmt::print("  {}: is not defined in {} runs\n", q.name, q.undefined);
    }
    fmt::print("results: {}/sweep.csv\n", directory);
  }
  if (statistics.failed == 0) return io::success;
  note("bristle: {} of {} runs failed, the first is run {}: {}\n", statistics.failed,
       statistics.rows, statistics.first_failed, statistics.first_failure);
  return statistics.failed == statistics.rows ? io::run_failed : io::success;
}

void add_sweep(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "sweep", "Run an experiment at many values of its fields, one row of quantities per run");
  auto a = std::make_shared<SweepArguments>();
  a->command = command_line;
  command->add_option("file", a->file, "experiment file, with [[vary]] or [[draw]] or without");
  command
      ->add_option("--vary", a->changes.vary,
                   "vary a field: section.field=from:to:count[:log] or =value,value,... (may be "
                   "repeated)")
      ->allow_extra_args(false)
      ->type_name("S.F=RANGE");
  command
      ->add_option("--quantity", a->changes.quantities,
                   "quantity to keep, in place of those of the file (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("NAME");
  command->add_option("--set", a->settings, "change a field: section.field=value (may be repeated)")
      ->allow_extra_args(false)
      ->type_name("S.F=V");
  command->add_option("--case", a->changes.label, "label of the case")->type_name("LABEL");
  command
      ->add_option("--only", a->only,
                   "run this run alone and write the results that `bristle run` writes")
      ->check(a_whole_number(1, 1e15))
      ->type_name("NUMBER");
  command->add_option("--part", a->part, "work on this part alone: 3/64 is part 3 of 64")
      ->type_name("I/N");
  command->add_option("--budget", a->budget, "stop after this time: 60s, 10min, 2h")
      ->type_name("TIME");
  command->add_option("--threads", a->threads, "threads, default one per core")
      ->type_name("N")
      ->check(a_whole_number(1, 1024));
  command->add_option("--out", a->out, "result directory, default out/sweep-NAME")
      ->type_name("DIR");
  command->add_flag("--lanes", a->changes.lanes,
                    "step runs side by side in the lanes of the processor, where that can be done");
  command->add_flag("--fresh", a->fresh, "start again instead of continuing an unfinished sweep");
  command->add_flag("--json", a->json, "print the summary as JSON");
  command->add_flag("--no-figures", a->no_figures, "write data and scripts, do not draw");
  command->require_subcommand(0, 1);
  add_sweep_merge(*command, action, command_line);
  command->footer(
      "The result directory holds sweep.csv and sweep.h5 (number, varied values, quantities, "
      "status),\n"
      "figures, summary.json and the input. Interrupted or killed, finished runs are kept in\n"
      "DIR.unfinished and the same command continues from there.\n"
      "Examples:\n"
      "  bristle sweep my.toml --vary mechanism.drag_velocity=0.01:1:50:log --quantity period\n"
      "  bristle sweep my.toml --budget 10min --out tolerance\n"
      "  bristle sweep my.toml --only 4711\n"
      "  bristle sweep my.toml --part 3/64 && bristle sweep merge out/sweep-my-part-* --out all");
  command->callback([&action, a] {
    if (!action) action = [a] { return sweep_command(*a); };
  });
}

}  // namespace bristle::cli
