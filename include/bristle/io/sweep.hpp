// SPDX-License-Identifier: MIT
// A sweep: one experiment run at many values of its fields, one row of quantities per run.
//
// Rows are text of the final table from the moment they are made: number, varied values, quantities
// and status. They are collected in chunks in a journal beside the result directory, so that a
// sweep that is stopped or killed goes on with the first chunk that is missing; the results are the
// same to the byte whatever the number of threads, parts and interruptions.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bristle/io/experiment.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/messages.hpp"

namespace bristle::io {

struct SweepRow {
  std::uint64_t number = 0;  // counted from 1
  std::vector<double> values;
  std::vector<Measured> quantities;
  std::string status;      // "done", or why the run failed
  std::string trajectory;  // rows of trajectories.csv, where they are kept

  bool done() const { return status == "done"; }
};

// What the command line adds to the file.
struct SweepChanges {
  std::vector<Setting> settings;
  std::vector<std::string> vary;        // "section.field=from:to:count[:log]" or "...=1,2,5"
  std::vector<std::string> quantities;  // in place of those of the file
  std::string label;                    // of the case
  bool lanes = false;                   // as `lanes = true` of [ensemble]
};

struct SweepChunks;

class Sweep {
 public:
  // Reads and checks; throws InputError for fields, ranges and quantities that do not fit the file.
  Sweep(const std::string& path, const SweepChanges& changes);
  // The same of a text; `path` names it in messages, and is where files it names are looked for.
  Sweep(const std::string& text, const std::string& path, const SweepChanges& changes);
  ~Sweep();
  Sweep(Sweep&&) noexcept;

  const Plan& plan() const;
  const Experiment& experiment() const;  // as the file has it, without cases
  const std::vector<KeptQuantity>& quantities() const;
  std::vector<std::string> columns() const;           // of the table
  std::string label(const std::string& field) const;  // meaning and unit, for figures
  std::string column_label(const std::string& column) const;
  // What makes its rows: file, changes, data it reads and version. Names it, does not protect it.
  const std::string& fingerprint() const;
  // Copies of the files it reads, by the path the file gives.
  const Attachments& attachments() const;
  // Of the quantity i: its unit, empty if it has none, and its name with the unit behind it.
  std::string unit(std::size_t i) const;
  std::string quantity_label(std::size_t i) const;
  // What is to be said of its values and parts, of the middle of what is drawn.
  const std::vector<std::string>& warnings() const;
  const std::vector<std::string>& trajectory() const;  // columns that are kept of each run

  const std::optional<BoundarySpec>& boundary() const;  // along which it is refined
  // All runs in chunks, shorter ones where trajectories are kept.
  SweepChunks chunks() const;
  // One run, numbered from 0. A run that fails is a row with its reason; throws Interrupted alone.
  SweepRow run(std::uint64_t index, const std::function<bool(double)>& progress = {}) const;
  // Whether runs go side by side in the lanes of the processor, as requested; if not, why.
  bool in_lanes() const;
  const std::string& why_no_lanes() const;
  // Several runs, in lanes where that can be done. A row is the same whatever runs beside it.
  std::vector<SweepRow> run_together(std::span<const std::uint64_t> indices,
                                     const std::function<bool(double)>& progress = {}) const;
  // The experiment of one run alone, to be run with all of its results.
  Experiment experiment_of(std::uint64_t index) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

// Text of a table: a row, and the row of a text. Throws InputError if it is no such row.
std::string row_text(const SweepRow& row);
SweepRow row_from(std::string_view line, std::size_t fields, std::size_t quantities,
                  const std::string& where);
std::string header_text(const std::vector<std::string>& columns);
// The rows of a run in trajectories.csv: its number, the time and the columns of each sample.
std::string trajectory_text(std::uint64_t number, const Case& c, const CaseResult& result,
                            const std::vector<std::string>& columns);
// A chunk as it is kept: its rows, and behind a form feed the rows of its trajectories.
inline constexpr char trajectories_begin = '\f';

// Chunks of runs, and which of them are worked on here: part `part` of `parts`, counted from 1.
struct SweepChunks {
  std::uint64_t runs = 0;
  std::uint64_t shortest = 1, longest = 128;  // runs per chunk at least and at most
  std::uint64_t part = 1, parts = 1;
  // Of some of the runs alone: their numbers from 0, and where the numbers of their chunks begin.
  std::shared_ptr<const std::vector<std::uint64_t>> list{};
  std::uint64_t offset = 0;

  std::uint64_t run(std::uint64_t position) const { return list ? (*list)[position] : position; }
  std::uint64_t length() const;  // runs per chunk, by the number of runs and these two alone
  std::uint64_t count() const;   // chunks of this part
  std::uint64_t chunk(std::uint64_t i) const { return offset + i * parts + part - 1; }
  std::uint64_t first(std::uint64_t chunk) const { return (chunk - offset) * length(); }
  std::uint64_t end(std::uint64_t chunk) const { return std::min(runs, first(chunk) + length()); }
  std::uint64_t own_runs() const;  // of this part
  bool own(std::uint64_t chunk) const;
};

// The finished chunks of a sweep in one file that only grows; a chunk that was cut off by a kill or
// a full disk is dropped when the file is opened again. Locked while it is open.
class SweepJournal {
 public:
  // With `fresh` the chunks of an earlier journal are dropped. Throws InputError if the file
  // belongs to another sweep, or is no journal at all, FileError if another process has it.
  SweepJournal(std::string path, const std::string& fingerprint, bool fresh = false);
  ~SweepJournal();
  SweepJournal(const SweepJournal&) = delete;
  SweepJournal& operator=(const SweepJournal&) = delete;

  bool has(std::uint64_t chunk) const;
  std::uint64_t chunks() const;
  std::vector<std::uint64_t> numbers() const;  // of the chunks, in order
  // Any thread. Throws FileError where the disk is full; what was there before stays.
  void append(std::uint64_t chunk, std::string_view rows);
  // The rows of the next chunk in the order of their numbers; false after the last.
  bool next(std::uint64_t& position, std::string& rows) const;
  void remove();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

struct SweepProgress {
  std::uint64_t done = 0, runs = 0;      // of this part; done counts earlier ones too
  double rate = 0.0;                     // runs per second, of this process
  double smallest = NAN, largest = NAN;  // of the first quantity, so far
};

struct SweepOptions {
  int threads = 1;
  double budget = 0.0;  // [s], 0: none
  std::function<bool(const SweepProgress&)> progress{};
};

struct SweepOutcome {
  std::uint64_t made = 0;  // runs of this call, those of unfinished chunks left out
  bool budget_spent = false;
  double seconds = 0.0, processor_seconds = 0.0;
};

// "12 s", "3 h", "4e+05 years"
std::string time_words(double seconds);
// Throws InputError for a sweep that would take more than a day, judged from its first run, or from
// as many as go side by side in lanes; `budget` is how one is given.
void refuse_endless(const Sweep& sweep, const SweepChunks& chunks, int threads,
                    const std::string& budget, const std::function<bool(double)>& progress);

// Works through the chunks that the journal does not have. Throws Interrupted if a stop is asked
// for, FileError if the journal cannot be written. With `messages` the other processes take part:
// they get the next chunk that is left whenever they have sent one back.
SweepOutcome run_sweep(const Sweep& sweep, const SweepChunks& chunks, SweepJournal& journal,
                       const SweepOptions& options, Messages* messages = nullptr);
// The same of a map that is refined along its boundary, round by round; `rows` are those of its
// table in the order of their numbers.
SweepOutcome refine_sweep(const Sweep& sweep, SweepJournal& journal, const SweepOptions& options,
                          std::vector<std::string>& rows);
// What the other processes do until no chunk is left or their budget is spent.
void work_for_sweep(const Sweep& sweep, const SweepChunks& chunks, const SweepOptions& options,
                    Messages& messages);

}  // namespace bristle::io
