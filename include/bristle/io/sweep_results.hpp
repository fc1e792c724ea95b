// SPDX-License-Identifier: MIT
// What a sweep leaves behind: sweep.csv, sweep.h5, figures, summary.json and the input.
#pragma once

#include <map>

#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"
#include "bristle/io/sweep.hpp"

namespace bristle::io {

// Of one quantity over the runs that have it.
struct QuantityStatistics {
  std::string name, unit;
  std::uint64_t numbers = 0, words = 0, undefined = 0;
  double mean = 0.0, deviation = 0.0;
  double smallest = NAN, largest = NAN;
  std::uint64_t smallest_at = 0, largest_at = 0;  // numbers of runs
  double low = NAN, median = NAN, high = NAN;     // 2.5 %, 50 % and 97.5 %
  std::uint64_t quantiles_of = 0;                 // evenly spaced runs, all up to a million
  std::map<std::string, std::uint64_t> counts;    // of words
  std::size_t longest = 1;                        // word [bytes]
};

struct SweepStatistics {
  std::uint64_t rows = 0, failed = 0, first_failed = 0;
  std::string first_failure;
  std::size_t longest_status = 1;
  std::vector<QuantityStatistics> quantities;
};

// Reads the table of a sweep row by row. Throws InputError or FileError.
void each_row(const std::string& path, const Sweep& sweep,
              const std::function<void(const SweepRow&)>& use);
SweepStatistics statistics_of(const std::string& path, const Sweep& sweep);

// One row of trajectories.csv.
struct TrajectorySample {
  std::uint64_t number = 0;
  double time = 0.0;
  std::vector<double> values;
};
std::vector<std::string> trajectory_columns(const Sweep& sweep);
// Reads the table of the trajectories row by row. Throws InputError or FileError.
void each_sample(const std::string& path, const Sweep& sweep,
                 const std::function<void(const TrajectorySample&)>& use);
// The bands of 95 % of the draws over time: bands.csv, and a figure per column. Of more numbers
// than memory should hold, those of evenly spaced runs.
std::vector<Plot> write_bands(const std::string& path, const Sweep& sweep, ResultDirectory& out,
                              std::string& note);

// Sensitivity of each quantity that is a number, by name; empty if the plan asks for none.
std::map<std::string, SensitivityResult> sensitivities_of(const std::string& path,
                                                          const Sweep& sweep);

// The points of the boundary of a refined map, as boundary.csv and as dots.
Line write_boundary(const std::string& table, const Sweep& sweep, ResultDirectory& out);

// Figures of the table, with their data in the directory: curves, bands, maps, histograms, bars.
// `note` says what is not drawn.
std::vector<Plot> sweep_plots(const std::string& path, const Sweep& sweep,
                              const SweepStatistics& statistics,
                              const std::map<std::string, SensitivityResult>& sensitivities,
                              ResultDirectory& out, std::string& note);

// The same table as HDF5: one dataset per column, the provenance as attributes. False where the
// program was built without HDF5. Messages name the file `shown`.
bool write_sweep_hdf5(const std::string& path, const std::string& shown, const std::string& table,
                      const Sweep& sweep, const SweepStatistics& statistics);
bool write_trajectories_hdf5(const std::string& path, const std::string& shown,
                             const std::string& table, const Sweep& sweep, std::uint64_t rows);

struct SweepRecord {
  std::string command;
  SweepChanges changes;
  SweepChunks chunks;
  SweepOutcome outcome;
  int threads = 1;
  bool figures = true;
};

// The rows block by block; false after the last.
using RowSource = std::function<bool(std::string& block)>;
struct SweepRows {
  RowSource rows, trajectories;  // of sweep.csv and of trajectories.csv
};
SweepRows rows_in(const SweepJournal& journal);
RowSource rows_of(std::vector<std::string> rows);  // those of refine_sweep()

// Writes all results and gives the directory its name. Returns what could not be done in words.
std::string write_sweep(const Sweep& sweep, const SweepRecord& record, const SweepRows& rows,
                        const std::string& directory, SweepStatistics& statistics);

// Throws InputError if the directory holds results of something else than this sweep.
void refuse_other_results(const std::string& directory, const Sweep& sweep);

// A sweep from the result directory of one of its parts, as it was called.
Sweep sweep_of_results(const std::string& directory, SweepRecord& record);
// All rows of the parts in the order of their numbers. Throws InputError if some are missing, there
// twice, or of another sweep.
SweepRows merged_rows(const Sweep& sweep, const std::vector<std::string>& directories);

}  // namespace bristle::io
