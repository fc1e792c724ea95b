// SPDX-License-Identifier: MIT
#include "bristle/io/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "data_column.hpp"

namespace bristle::io {
namespace {

std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", x);
  return text;
}

// Time, position, velocity, force, load, input; then others.
constexpr std::size_t force_column = 3, input_column = 5, column_count = 6;
using Columns = std::vector<Column>;

struct Sorter {
  const MeasurementChoice& choice;
  Measurement& result;

  void read(const std::string& path) {
    const Cells cells = read_cells(path);
    const Columns columns = chosen_columns(cells, path);
    const std::size_t count = columns.size();
    std::vector<std::size_t> at(count);
    for (std::size_t k = 0; k < count; ++k)
      if (!columns[k].name.empty()) at[k] = cells.index(columns[k].name, path);
    note_units(columns);
    const std::string by = run_column(cells);

    std::map<std::string, Record> runs;
    std::vector<std::string> order;
    long missing = 0;
    std::vector<double> value(count);
    for (std::size_t row = 0; row < cells.rows.size(); ++row) {
      if (!chosen(cells, row, path)) continue;
      std::fill(value.begin(), value.end(), 0.0);
      bool whole = true, outside = false, driven = false;
      for (std::size_t k = 0; k < count; ++k) {
        if (columns[k].name.empty()) continue;
        const std::string& cell = cells.rows[row][at[k]];
        const auto number = number_in(cell);
        const std::string text = lower_case(cell);
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
      const std::string name = by.empty() ? std::filesystem::path(path).stem().string()
                                          : cells.rows[row][cells.index(by, path)];
      auto [entry, fresh] = runs.try_emplace(name);
      Record& r = entry->second;
      const std::string group = group_of(cells, row, path, name);
      if (fresh) {
        order.push_back(name), r.name = name, r.group = group;
        r.others.resize(count - column_count);
      }
      if (r.group != group)
        throw InputError(path + ":" + std::to_string(cells.lines[row]) + ": column '" +
                         choice.group + "' goes from '" + r.group + "' to '" + group +
                         "' within run " + name + ", it must be the same throughout a run");
      if (driven) r.input_time.push_back(value[0]), r.input.push_back(value[input_column]);
      const std::array into{&r.time, &r.position, &r.velocity, &r.force, &r.load};
      for (std::size_t k = 0; whole && k < into.size(); ++k)
        if (!columns[k].name.empty()) into[k]->push_back(value[k]);
      for (std::size_t k = column_count; whole && k < count; ++k)
        if (!columns[k].name.empty()) r.others[k - column_count].push_back(value[k]);
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

  // The column that tells runs apart, empty if each file is a run.
  std::string run_column(const Cells& cells) const {
    const bool there =
        std::find(cells.names.begin(), cells.names.end(), "run") != cells.names.end();
    return choice.run.empty() && !choice.others.empty() && there ? "run" : choice.run;
  }

  std::string group_of(const Cells& cells, std::size_t row, const std::string& path,
                       const std::string& run) const {
    if (choice.group.empty()) return "";
    if (choice.group == "run") return run;
    return cells.rows[row][cells.index(choice.group, path)];
  }

  // Time, position and the others, which must all be there unless they are optional.
  Columns other_columns(const Cells& cells, const std::string& path) const {
    Columns c(column_count);
    const auto needed = [&](const OtherColumn& o, const std::string& taken) {
      const Column found = choose_column(o.asked, cells, path, o.usual, taken);
      if (found.name.empty() && !o.optional)
        throw InputError(path + ": no column looks like a " + o.usual.front() + ", name it by " +
                         o.option + " (columns: " + words_of(cells.names) + ")");
      return found;
    };
    for (const OtherColumn& o : choice.others) c.push_back(needed(o, ""));
    c[0] = needed({choice.time, {"time", "t"}, "--time"}, "");
    c[1] = needed({choice.position, {"position", "angle"}, "--position"}, c[column_count].name);
    return c;
  }

  Columns chosen_columns(const Cells& cells, const std::string& path) const {
    if (!choice.others.empty()) return other_columns(cells, path);
    Columns c(column_count);
    if (choice.motion) c[input_column] = choose_column(choice.input, cells, path, {});
    const std::string& taken = c[input_column].name;
    if (!choice.steady || !choice.time.empty())
      c[0] = choose_column(choice.time, cells, path, {"time", "t"}, taken);
    c[1] = choose_column(choice.position, cells, path, {"position", "displacement", "angle", "x"},
                         taken);
    c[2] = choose_column(choice.velocity, cells, path, {"velocity", "speed", "v"}, taken);
    c[4] = choose_column(choice.load, cells, path, {"normal_force", "load", "n"}, taken);
    if (choice.motion) return c;
    c[force_column] = choose_column(choice.force, cells, path,
                                    {"friction_force", "friction", "force", "torque", "f"});
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
    result.input_name = columns[choice.others.empty() ? input_column : column_count].name;
    for (const std::size_t k : {1u, 2u}) {
      const std::string text = lower_case(columns[k].name + " " + columns[k].unit);
      if (text.find("rad") != text.npos || text.find("deg") != text.npos ||
          text.find("rpm") != text.npos)
        result.units.way = "rad";
    }
    const std::string text = columns[force_column].name + " " + columns[force_column].unit;
    if (text.find("Nm") != text.npos || lower_case(text).find("torque") != text.npos ||
        (choice.motion && result.units.way == "rad"))
      result.units.force = "N m";
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

Measurement read_measurement(const std::vector<std::string>& files,
                             const MeasurementChoice& choice) {
  Measurement m;
  Sorter sorter{choice, m};
  for (const auto& file : files) sorter.read(file);
  return m;
}

}  // namespace bristle::io
