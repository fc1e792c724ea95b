// SPDX-License-Identifier: MIT
#include "bristle/io/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numbers>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/describe.hpp"

namespace bristle::io {
namespace {

const std::map<std::string, double, std::less<>>& units() {
  constexpr double turn = 2.0 * std::numbers::pi;
  static const std::map<std::string, double, std::less<>> all{
      {"s", 1.0},          {"ms", 1e-3},
      {"us", 1e-6},        {"min", 60.0},
      {"m", 1.0},          {"cm", 1e-2},
      {"mm", 1e-3},        {"um", 1e-6},
      {"nm", 1e-9},        {"in", 0.0254},
      {"rad", 1.0},        {"mrad", 1e-3},
      {"deg", turn / 360}, {"rev", turn},
      {"m/s", 1.0},        {"mm/s", 1e-3},
      {"um/s", 1e-6},      {"cm/s", 1e-2},
      {"rad/s", 1.0},      {"deg/s", turn / 360},
      {"rpm", turn / 60},  {"N", 1.0},
      {"mN", 1e-3},        {"uN", 1e-6},
      {"kN", 1e3},         {"lbf", 4.4482216152605},
      {"Nm", 1.0},         {"mNm", 1e-3},
      {"kg", 9.80665}};
  return all;
}

struct Column {
  std::string name, unit;
  double factor = 1.0;
};

Column parsed(const std::string& spec) {
  const auto colon = spec.rfind(':');
  if (colon == std::string::npos) return {spec, ""};
  Column c{spec.substr(0, colon), spec.substr(colon + 1)};
  c.factor = unit_factor(c.unit, c.name);
  return c;
}

std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", x);
  return text;
}

std::string lower(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

// The column asked for, or the first of a usual name that is not taken; empty if there is none.
Column choose(const std::string& asked, const Cells& cells, const std::string& path,
              std::initializer_list<const char*> usual, const std::string& taken = "") {
  if (!asked.empty()) {
    const auto plain = std::find(cells.names.begin(), cells.names.end(), asked);
    const Column c = plain != cells.names.end() ? Column{asked, ""} : parsed(asked);
    cells.index(c.name, path);
    return c;
  }
  for (const char* word : usual)
    for (const auto& name : cells.names) {
      if (name == taken) continue;
      const std::string n = lower(name), w = word;
      const auto at = n.find(w);
      if (n == w || (w.size() > 1 && at != n.npos && (at == 0 || n[at - 1] == '_')))
        return {name, ""};
    }
  return {};
}

constexpr std::size_t force_column = 3, input_column = 5, column_count = 6;
using Columns = std::array<Column, column_count>;

struct Sorter {
  const MeasurementChoice& choice;
  Measurement& result;

  void read(const std::string& path) {
    const Cells cells = read_cells(path);
    const Columns columns = chosen_columns(cells, path);
    std::array<std::size_t, column_count> at{};
    for (std::size_t k = 0; k < column_count; ++k)
      if (!columns[k].name.empty()) at[k] = cells.index(columns[k].name, path);
    note_units(columns);

    std::map<std::string, Record> runs;
    std::vector<std::string> order;
    long missing = 0;
    for (std::size_t row = 0; row < cells.rows.size(); ++row) {
      if (!chosen(cells, row, path)) continue;
      std::array<double, column_count> value{};
      bool whole = true, outside = false, driven = false;
      for (std::size_t k = 0; k < column_count; ++k) {
        if (columns[k].name.empty()) continue;
        const std::string& cell = cells.rows[row][at[k]];
        const auto number = number_in(cell);
        const std::string text = lower(cell);
        if (!number && !text.empty() && text != "na" && text != "n/a" && text != "-")
          throw InputError(path + ":" + std::to_string(cells.lines[row]) + ": '" + cell +
                           "' in column '" + columns[k].name + "' is not a number");
        const bool there = number && std::isfinite(*number);
        if (k == input_column) driven = there;
        else whole = whole && there;
        if (k == 0 && !there) break;
        value[k] = number.value_or(0.0) * columns[k].factor;
        outside = outside || (k == 0 && number && (*number < choice.from || *number > choice.to));
      }
      if (outside) continue;
      if (!whole && !driven) {
        ++missing;
        continue;
      }
      const std::string name = choice.run.empty() ? std::filesystem::path(path).stem().string()
                                                  : cells.rows[row][cells.index(choice.run, path)];
      auto [entry, fresh] = runs.try_emplace(name);
      if (fresh) order.push_back(name), entry->second.name = name;
      Record& r = entry->second;
      if (driven) r.input_time.push_back(value[0]), r.input.push_back(value[input_column]);
      const std::array into{&r.time, &r.position, &r.velocity, &r.force, &r.load};
      for (std::size_t k = 0; whole && k < into.size(); ++k)
        if (!columns[k].name.empty()) into[k]->push_back(value[k]);
    }
    if (runs.empty()) throw InputError(path + ": no row is left after the choice of rows");
    if (missing > 0)
      result.notes.push_back(path + ": " + std::to_string(missing) +
                             (missing == 1 ? " row with a missing value was left out"
                                           : " rows with missing values were left out"));
    for (const auto& name : order) {
      note_gaps(runs[name], path);
      result.records.push_back(std::move(runs[name]));
    }
  }

  Columns chosen_columns(const Cells& cells, const std::string& path) const {
    Columns c;
    if (choice.motion) c[input_column] = choose(choice.input, cells, path, {});
    const std::string& taken = c[input_column].name;
    if (!choice.steady || !choice.time.empty())
      c[0] = choose(choice.time, cells, path, {"time", "t"}, taken);
    c[1] = choose(choice.position, cells, path, {"position", "displacement", "angle", "x"}, taken);
    c[2] = choose(choice.velocity, cells, path, {"velocity", "speed", "v"}, taken);
    c[4] = choose(choice.load, cells, path, {"normal_force", "load", "n"}, taken);
    if (choice.motion) return c;
    c[force_column] =
        choose(choice.force, cells, path, {"friction_force", "friction", "force", "torque", "f"});
    if (c[force_column].name.empty())
      throw InputError(path + ": no column looks like a force, name it by --force (columns: " +
                       words_of(cells.names) + ")");
    return c;
  }

  static std::string words_of(const std::vector<std::string>& names) {
    std::string all;
    for (const auto& n : names) all += (all.empty() ? "" : ", ") + n;
    return all;
  }

  bool chosen(const Cells& cells, std::size_t row, const std::string& path) const {
    for (const std::string& condition : choice.where) {
      const auto equals = condition.find('=');
      if (equals == std::string::npos)
        throw InputError("--where " + condition + ": must read COLUMN=VALUE");
      const std::string& cell = cells.rows[row][cells.index(condition.substr(0, equals), path)];
      const std::string wanted = condition.substr(equals + 1);
      const auto a = number_in(cell), b = number_in(wanted);
      if (a && b ? *a != *b : cell != wanted) return false;
    }
    return true;
  }

  void note_units(const Columns& columns) {
    result.input_name = columns[input_column].name;
    for (const std::size_t k : {1u, 2u}) {
      const std::string text = lower(columns[k].name + " " + columns[k].unit);
      if (text.find("rad") != text.npos || text.find("deg") != text.npos ||
          text.find("rpm") != text.npos)
        result.position_unit = "rad";
    }
    const std::string text = columns[force_column].name + " " + columns[force_column].unit;
    if (text.find("Nm") != text.npos || lower(text).find("torque") != text.npos)
      result.force_unit = "N m";
  }

  void note_gaps(const Record& r, const std::string& path) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < r.time.size(); ++i) steps.push_back(r.time[i] - r.time[i - 1]);
    if (steps.size() < 3 || choice.steady) return;
    auto sorted = steps;
    std::nth_element(sorted.begin(), sorted.begin() + long(sorted.size() / 2), sorted.end());
    const double middle = sorted[sorted.size() / 2];
    const auto longest = std::max_element(steps.begin(), steps.end());
    const long gaps =
        std::count_if(steps.begin(), steps.end(), [&](double s) { return s > 5.0 * middle; });
    if (gaps > 0)
      result.notes.push_back(path + ": run " + r.name + " has " + std::to_string(gaps) +
                             (gaps == 1 ? " gap" : " gaps") + " of more than five steps of " +
                             brief(middle) + " s, the longest " + brief(*longest) + " s at " +
                             brief(r.time[std::size_t(longest - steps.begin())]) + " s");
  }
};

}  // namespace

double unit_factor(const std::string& unit, const std::string& column) {
  const auto found = units().find(unit);
  if (found != units().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [name, factor] : units()) names.push_back(name);
  throw InputError("column '" + column + "': " + not_found("unit", unit, names));
}

Measurement read_measurement(const std::vector<std::string>& files,
                             const MeasurementChoice& choice) {
  Measurement m;
  Sorter sorter{choice, m};
  for (const auto& file : files) sorter.read(file);
  return m;
}

}  // namespace bristle::io
