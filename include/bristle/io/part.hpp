// SPDX-License-Identifier: MIT
// A part: the result of a fit as one file (part.toml), which runs, fits and comparisons read.
//
// It holds a law, a hysteresis operator, or a machine as the text of its file, with parameters in
// their units, what the data say of those that were fitted, the domain of the data, the
// errors of each run, and where all of it comes from. docs/tasks/part.md lists the keys of the
// file.
//
// What is known of the fitted parameters is a normal distribution of the unknowns u of the fit:
//
//   linear             value = u
//   logarithmic        value = exp(u)
//   above another one  value = value of that one + u
//
// `covariance` is that of u, row by row, in the order of the fitted parameters. A parameter that
// was stopped by its bound has zeros there: it stays where it is.
//
// Numbers are written such that they read back as they were, bit by bit.
#pragma once

#include <cmath>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "bristle/identify/fit.hpp"

namespace bristle::io {

struct PartParameter {
  // As the fit names it: "stiffness", "offset", "mechanism.mass", "contact.bearing.viscous".
  std::string name;
  // What it belongs to: law, bias, terms, dependence, mechanism, machine or system.
  std::string of = "law";
  double value = 0.0;
  std::string unit{};
  bool fitted = false;
  // Of a fitted one.
  bool logarithmic = false;
  std::string above{};                        // the parameter it is counted from, empty: zero
  double least = -INFINITY, most = INFINITY;  // bounds of the search
  double deviation = 0.0;                     // standard deviation, in the unit
  double lower = 0.0, upper = 0.0;            // 95 % confidence interval
  bool no_lower_limit = false, no_upper_limit = false;  // up to the bound the data set none
  bool determined = true, at_bound = false;

  bool operator==(const PartParameter&) const = default;
};

// A parameter of the law that depends on a measured column (identify/dependence.hpp). Its
// coefficients are parameters of their own; it has its value where the column is at `reference`.
struct PartDependence {
  std::string parameter, column, unit{};
  DependenceForm form = DependenceForm::linear;
  double reference = 0.0;

  bool operator==(const PartDependence&) const = default;
};
// Numbers of columns, by name.
using Conditions = std::map<std::string, double>;

// The range of a quantity in the data: speed, position, load, force, time_step, frequency, and
// columns of temperature, pressure and the like by their names.
struct PartRange {
  std::string quantity;
  double from = 0.0, to = 0.0;
  std::string unit{};

  bool operator==(const PartRange&) const = default;
};

struct PartData {
  std::string file;         // as it was named
  std::string fingerprint;  // of its bytes (io/files.hpp), empty for what cannot be read twice

  bool operator==(const PartData&) const = default;
};

// How well a run was met; `samples` is 0 where nothing of it was fitted, or nothing held out.
struct PartRun {
  std::string name;
  std::string quantity, unit;  // what was compared
  Agreement fitted, held_out;
};

using PartRandom = std::mt19937_64;

struct Part {
  std::string kind = "law";  // machine, or system: a hysteresis operator
  std::string law;           // its name
  std::string system;        // that of the operator
  Values choices;            // fields of the law or the operator that are words or lists
  std::string mechanism;     // of a fit of motion, otherwise empty
  std::string machine;       // the text of the file of a machine
  std::vector<PartParameter> parameters;
  std::vector<double> covariance;
  std::vector<PartDependence> depends;
  std::vector<PartRange> domain;
  std::vector<PartData> data;
  std::vector<PartRun> runs;
  std::vector<std::string> warnings;
  std::string unusable;  // why the fit must not be used, empty if there is no such reason
  std::string version, command, licence, source;

  const PartParameter* find(std::string_view name) const;  // null if there is none
  std::vector<std::size_t> fitted() const;                 // indices of the fitted parameters
  const PartRange* range(std::string_view quantity) const;
  // The covariance of the values themselves, to first order, in the order of the fitted ones.
  std::vector<double> value_covariance() const;

  // The values of what a parameter may belong to, ready to be run; with `drawn`, those of a draw;
  // with `at`, those where columns have these numbers.
  Values values(std::string_view of = "law", std::span<const double> drawn = {},
                const Conditions& at = {}) const;

  // One set of parameters, in their order, from the distribution of the fitted ones; held ones
  // keep their values. A set beyond the bounds of the search is drawn anew, and clipped to them
  // where thousands of others lie beyond them too. The same state of `random` gives the same set on
  // every machine.
  std::vector<double> draw(PartRandom& random) const;
  // The same from independent standard normal numbers, one per fitted parameter.
  std::vector<double> draw(std::span<const double> normals) const;
};

// Throws InputError with file, line, key and what is allowed: for keys that are not known, a law or
// parameters that do not exist or are out of range, and for a covariance that is not symmetric and
// positive semidefinite.
Part read_part(const std::string& path);  // also FileError
Part parse_part(const std::string& text, const std::string& path);
// Whether a text of TOML says that it is a part.
bool is_part(const std::string& text);

std::string part_text(const Part& part);
void write_part(const std::string& path, const Part& part);  // throws FileError

}  // namespace bristle::io
