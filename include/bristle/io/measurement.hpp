// SPDX-License-Identifier: MIT
// Measured runs from tables: columns by name, units converted, rows chosen, runs distinguished.
#pragma once

#include <string>
#include <vector>

#include "bristle/identify/record.hpp"
#include "bristle/io/column_reading.hpp"

namespace bristle::io {

// A column beside those of time and motion.
struct OtherColumn {
  std::string asked;
  std::vector<std::string> usual;
  std::string option;     // by which it can be named
  bool optional = false;  // without it the column of a record is empty
  std::string unit = "";  // in SI; empty for a plain number
};

// A column is named as NAME, NAME:UNIT or NAME:FACTOR (io/column_reading.hpp). Without a name
// the usual ones are tried: time, velocity, position, force, load and those that begin so.
struct MeasurementChoice {
  std::string time, position, velocity, force, load;
  double motor_constant = 0.0;       // if not 0, the column of force is a current: N or N m per A
  std::string input;                 // of a mechanism; it has no usual name
  std::string run;                   // column whose values name the runs
  std::vector<std::string> where;    // COLUMN=VALUE: only rows with that
  double from = -1e300, to = 1e300;  // of time, in the unit of its column
  long skip = 0;                     // lines at the start of each file that are skipped
  std::string join;         // column of time by which all files become one table (src/io/join.hpp)
  bool from_start = false;  // the clock of each joined file counts from its first row
  bool steady = false;
  bool motion = false;  // motion under an input is wanted, no force; the input may have rows of its
                        // own, with the other cells empty
  std::string input_unit;  // of that input, in SI; N m: the mechanism turns
  // If there are any: angles, time and these are read, in every row, and nothing else. Runs are
  // distinguished by a column `run` if there is one.
  std::vector<OtherColumn> others;
  bool others_alone = false;  // no column of angles then
  // Columns of conditions beside the motion: those named, and those of usual names, which are
  // optional and may have empty cells (NaN). They are Record::others if there are no `others`.
  std::vector<OtherColumn> beside;
  std::string group;  // column with one value throughout a run, as text; "run": each is its own
};

struct Measurement {
  std::vector<Record> records;
  std::vector<ColumnReading> columns;     // what was read as what, in the first file
  std::vector<std::string> notes;         // what was left out or looks odd
  DataUnits units;                        // rad and N m if the columns say so
  std::string input_name;                 // its column
  std::vector<ColumnReading> conditions;  // those of `beside` that all files have
};

// One or several files; a file is a run unless a column names the runs, or the files are joined.
// Throws InputError with
// file, column and line: also if two of the files are the same, or if units do not fit.
Measurement read_measurement(const std::vector<std::string>& files,
                             const MeasurementChoice& choice);

}  // namespace bristle::io
