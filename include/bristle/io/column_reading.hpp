// SPDX-License-Identifier: MIT
// What a column of measured data is read as: its unit from an option, a row of units or its header.
//
// A header gives a unit in brackets, position (in), Force [kN]; behind a slash, t/ms; behind a
// comma, "x, mm"; or as an ending, position_mm, velocity_m_s. An ending counts only if it is known
// and of the quantity that is wanted: velocity_max has no unit, and force_m is said to have none.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/io/units.hpp"

namespace bristle::io {

class TableRows;

// What a column is wanted for.
struct ColumnRole {
  std::string name;                // "position"
  std::vector<std::string> units;  // in SI, such as m or rad; empty: its numbers as they stand
  std::string option;              // by which it can be named, "--position"
};

struct ColumnReading {
  std::string role, column;
  std::string unit;     // as found or given, "" if none
  std::string read_as;  // in SI, "" if the numbers are taken as they stand
  double factor = 1.0;
  bool given = false;         // by an option, as a unit or a factor
  std::string remark;         // what is worth saying about it
  std::string words() const;  // position: column "position_mm" in mm, read as m (factor 0.001)
};

// A column as it was requested: NAME, NAME:UNIT or NAME:FACTOR; a minus before the unit reverses
// the sign.
struct AskedColumn {
  std::string name, suffix;  // the suffix is empty without a colon
};
AskedColumn asked_column(const std::string& text, const std::vector<std::string>& names);

// How the column is read in the role. `below` is its cell in a row of units. Throws InputError that
// begins with `where` if a unit does not fit, with units that would.
ColumnReading read_column(const ColumnRole& role, const AskedColumn& column,
                          const std::string& below, const std::string& where);
// The same without a role: the unit of the header as it stands, empty if there is none.
std::string unit_in_header(const std::string& name, const std::string& below);

// Columns of a file as they are wanted, in SI; rows with other cells than numbers are refused.
struct WantedColumn {
  ColumnRole role;
  std::string asked;         // NAME, NAME:UNIT or NAME:FACTOR
  std::size_t fallback = 0;  // the column that is taken if none is named, counted from 0
};
struct ReadColumns {
  std::vector<std::vector<double>> values;
  std::vector<ColumnReading> readings;
  std::vector<std::string> notes;  // of the table
};
ReadColumns read_columns(const std::string& path, const std::vector<WantedColumn>& wanted);
ReadColumns read_columns(TableRows& rows, const std::string& path,
                         const std::vector<WantedColumn>& wanted);

// The name of a column without its unit, in small letters: "F [kN]" is "f".
std::string stem_of(const std::string& name);
// False if the header gives a unit of another quantity.
bool fits(const ColumnRole& role, const std::string& name, const std::string& below);

}  // namespace bristle::io
