// SPDX-License-Identifier: MIT
#include "bristle/io/column_reading.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/describe.hpp"
#include "header_unit.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

struct Match {
  double factor;
  std::string read_as, remark;
};

// One of the units that a role takes; those of an input are given by whoever asks for it.
Unit unit_of_role(const ColumnRole& role, const std::string& text) {
  if (const auto unit = parse_unit(text)) return *unit;
  throw InputError(role.name + ": '" + shown(text) + "' is not a unit that is known");
}

// A unit in a role, if it is one of the quantity that is wanted.
std::optional<Match> matched(const ColumnRole& role, const Unit& unit) {
  static const Dimension mass = parse_unit("kg")->dimension, gravity = parse_unit("gn")->dimension;
  for (const auto& text : role.units) {
    const Unit wanted = unit_of_role(role, text);
    if (unit.dimension == wanted.dimension) return Match{unit.factor / wanted.factor, text, ""};
  }
  for (const auto& text : role.units) {
    const Unit wanted = unit_of_role(role, text);
    // People measure forces in kg, torques in kg cm, and accelerations in g.
    if (unit.dimension * gravity == wanted.dimension)
      return Match{standard_gravity * unit.factor / wanted.factor, text,
                   "a mass stands for its weight at 9.80665 m/s2"};
    if (wanted.dimension == gravity && unit.dimension == mass && unit.text.ends_with('g') &&
        unit.text != "kg")
      return Match{1e3 * standard_gravity * unit.factor, text, "g is taken as 9.80665 m/s2"};
  }
  return std::nullopt;
}

// "length (m, mm, ...) or angle (rad, deg, ...)"
std::string wanted_units(const ColumnRole& role) {
  std::string all;
  for (const auto& text : role.units) {
    const Dimension d = unit_of_role(role, text).dimension;
    const std::string usual = usual_units_of(d);
    all +=
        (all.empty() ? "" : " or ") + quantity_of(d) + " (" + (usual.empty() ? text : usual) + ")";
  }
  return all;
}

[[noreturn]] void refuse(const ColumnRole& role, const std::string& where, const Unit& unit) {
  const std::string quantity = quantity_of(unit.dimension);
  throw InputError(where + ": '" + unit.text + "' is a unit of " + quantity + ", " + role.name +
                   " needs one of " + wanted_units(role) + ", or a factor: " + role.option +
                   " NAME:FACTOR");
}

void apply(ColumnReading& r, const ColumnRole& role, const Unit& unit, double sign,
           const std::string& where) {
  const auto match = matched(role, unit);
  if (!match) refuse(role, where, unit);
  r.unit = (sign < 0.0 ? "-" : "") + unit.text;
  r.read_as = match->read_as, r.factor = sign * match->factor, r.remark = match->remark;
}

// NAME:UNIT or NAME:FACTOR.
void apply_suffix(ColumnReading& r, const ColumnRole& role, const std::string& suffix) {
  const std::string where = role.option + " " + shown(r.column) + ":" + shown(suffix);
  r.given = true;
  if (const auto factor = number_in(suffix)) {
    if (!std::isfinite(*factor) || *factor == 0.0)
      throw InputError(where + ": the factor must be finite and not 0");
    r.factor = *factor;
    r.read_as = role.units.empty() ? "" : role.units.front();
    return;
  }
  const bool minus = suffix.starts_with('-');
  const auto unit = parse_unit(minus ? std::string_view(suffix).substr(1) : suffix);
  if (!unit) {
    const std::string near = nearest(suffix, usual_units());
    throw InputError(
        where + ": there is no unit '" + shown(suffix) + "'" +
        (near.empty() ? "" : ", did you mean '" + near + "'?") +
        (role.units.empty() ? "" : ", " + role.name + " takes one of " + wanted_units(role)));
  }
  if (role.units.empty())
    throw InputError(where + ": " + role.name + " is a plain number, it takes no unit");
  apply(r, role, *unit, minus ? -1.0 : 1.0, where);
  for (const HeaderUnit& one : header_units(r.column).units)
    if (one.certain && r.remark.empty() && one.unit.dimension != unit->dimension)
      r.remark = "its header says " + one.unit.text;
}

// The unit of a header in a role: the first that fits, or what is wrong with those there are.
void apply_header(ColumnReading& r, const ColumnRole& role, const std::string& where) {
  const HeaderUnits found = header_units(r.column);
  for (const HeaderUnit& one : found.units)
    if (matched(role, one.unit)) return apply(r, role, one.unit, 1.0, where);
  for (const HeaderUnit& one : found.units) {
    if (one.certain) refuse(role, where + ": column '" + r.column + "'", one.unit);
    if (r.remark.empty())
      r.remark = "its ending is not taken for the unit " + one.unit.text + " of " +
                 quantity_of(one.unit.dimension);
  }
  if (!found.unknown.empty()) r.remark = "'" + found.unknown + "' is no unit that is known";
}

}  // namespace

std::string ColumnReading::words() const {
  std::string text = role + ": column \"" + column + "\"";
  if (read_as.empty()) {
    if (!unit.empty()) text += " in " + unit;
  } else if (unit.empty()) {
    text += given ? " times " + bristle::words(factor) : ", no unit given";
    text += ", read as " + read_as;
  } else {
    text += " in " + unit;
    if (unit != read_as)
      text += ", read as " + read_as + " (factor " + bristle::words(factor) + ")";
  }
  return remark.empty() ? text : text + "; " + remark;
}

AskedColumn asked_column(const std::string& text, const std::vector<std::string>& names) {
  const auto colon = text.rfind(':');
  const bool plain = std::find(names.begin(), names.end(), text) != names.end();
  if (plain || colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

ColumnReading read_column(const ColumnRole& role, const AskedColumn& column,
                          const std::string& below, const std::string& where) {
  ColumnReading r{.role = role.name, .column = column.name};
  if (!column.suffix.empty()) {
    apply_suffix(r, role, column.suffix);
    return r;
  }
  if (role.units.empty()) {
    r.unit = unit_in_header(column.name, below);
    return r;
  }
  r.read_as = role.units.front();
  if (!below.empty())
    apply(r, role, *parse_unit(below), 1.0, where + ": column '" + column.name + "'");
  else apply_header(r, role, where);
  return r;
}

ReadColumns read_columns(TableRows& rows, const std::string& path,
                         const std::vector<WantedColumn>& wanted) {
  ReadColumns read;
  const auto& names = rows.names();
  for (const WantedColumn& w : wanted) {
    if (w.asked.empty() && w.fallback >= names.size())
      throw InputError(path + ": has " + std::to_string(names.size()) + " columns, the " +
                       w.role.name + " should be number " + std::to_string(w.fallback + 1) +
                       ", or name it by " + w.role.option);
    const AskedColumn asked =
        w.asked.empty() ? AskedColumn{names[w.fallback], ""} : asked_column(utf8(w.asked), names);
    const std::size_t at = rows.index(asked.name);
    read.readings.push_back(read_column(w.role, {names[at], asked.suffix}, rows.unit(at), path));
  }
  std::vector<std::string> kept;
  for (const auto& r : read.readings) kept.push_back(r.column);
  Table table = table_of(rows, kept);
  for (std::size_t k = 0; k < kept.size(); ++k) {
    auto& column = table.columns[table.index(kept[k], path)];
    // A column that is wanted twice is copied, the last one takes it.
    const bool again = std::find(kept.begin() + long(k) + 1, kept.end(), kept[k]) != kept.end();
    read.values.push_back(again ? column : std::move(column));
    if (read.readings[k].factor != 1.0)
      for (double& x : read.values.back()) x *= read.readings[k].factor;
  }
  read.notes = rows.notes();
  return read;
}

ReadColumns read_columns(const std::string& path, const std::vector<WantedColumn>& wanted) {
  const auto rows = open_table(path);
  return read_columns(*rows, path, wanted);
}

bool fits(const ColumnRole& role, const std::string& name, const std::string& below) {
  if (role.units.empty()) return true;
  if (!below.empty()) return matched(role, *parse_unit(below)).has_value();
  const HeaderUnits found = header_units(name);
  const auto any = [&](const HeaderUnit& one) { return matched(role, one.unit).has_value(); };
  return found.units.empty() || std::any_of(found.units.begin(), found.units.end(), any);
}

std::string unit_in_header(const std::string& name, const std::string& below) {
  if (!below.empty()) return below;
  const HeaderUnits found = header_units(name);
  for (const HeaderUnit& one : found.units)
    if (one.certain) return one.unit.text;
  return found.units.empty() ? "" : found.units.front().unit.text;
}

}  // namespace bristle::io
