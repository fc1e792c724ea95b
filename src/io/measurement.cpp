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
#include "bristle/io/files.hpp"
#include "data_column.hpp"
#include "join.hpp"
#include "shown.hpp"

namespace bristle::io {
namespace {

std::string brief(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", x);
  return text;
}

// COLUMN=VALUE
struct Condition {
  std::size_t at;
  std::string wanted;
  std::optional<double> number;

  bool holds(const TableRows& rows) const {
    const auto there = number ? rows.number(at) : std::nullopt;
    return there ? *there == *number : rows.text(at) == wanted;
  }
};

// What cells say in place of a number that is missing.
bool says_nothing(const std::string& cell) {
  const std::string text = lower_case(cell);
  // A spreadsheet writes its errors with a sign, such as #DIV/0!.
  return text.empty() || text.front() == '#' || text == "na" || text == "n/a" || text == "-" ||
         text == "null" || text == "none";
}

// The rows of one table, sorted into runs.
class FileOfRuns {
 public:
  FileOfRuns(std::unique_ptr<TableRows> table, const MeasurementChoice& choice)
      : choice_(choice),
        table_(std::move(table)),
        rows_(*table_),
        path_(rows_.path()),
        found_(choose_columns(rows_, path_, choice)) {
    for (const auto& text : choice.where) {
      const auto equals = text.find('=');
      if (equals == std::string::npos)
        throw InputError("--where " + shown(text) + ": must read COLUMN=VALUE");
      const std::string wanted = text.substr(equals + 1);
      conditions_.push_back({rows_.index(text.substr(0, equals)), wanted, number_in(wanted)});
    }
    const auto& names = rows_.names();
    const bool run = std::find(names.begin(), names.end(), "run") != names.end();
    const std::string by = choice.run.empty() && !choice.others.empty() && run ? "run" : choice.run;
    if (!by.empty()) run_ = rows_.index(by);
    if (!choice.group.empty() && choice.group != "run") group_ = rows_.index(choice.group);
    values_.resize(found_.columns.size());
    std::vector<std::size_t> kept;
    for (const Column& c : found_.columns)
      if (c.there()) kept.push_back(c.at);
    rows_.keep(kept);
  }

  const ColumnChoice& found() const { return found_; }

  void read(Measurement& result) {
    for (long row = 0; rows_.next(); ++row) {
      if (row == 1000 && !run_ && order_.size() == 1) reserve(runs_.begin()->second);
      if (std::all_of(conditions_.begin(), conditions_.end(),
                      [&](const Condition& c) { return c.holds(rows_); }))
        take_row();
    }
    if (runs_.empty()) throw InputError(path_ + ": no row is left after the choice of rows");
    if (missing_ > 0)
      result.notes.push_back(path_ + ": " + std::to_string(missing_) +
                             (missing_ == 1 ? " row with a missing value was left out"
                                            : " rows with missing values were left out"));
    result.notes.insert(result.notes.end(), rows_.notes().begin(), rows_.notes().end());
    for (const auto& name : order_) {
      note_gaps(runs_[name], result.notes);
      result.records.push_back(std::move(runs_[name]));
    }
  }

 private:
  void take_row() {
    bool whole = true, driven = false;
    for (std::size_t k = 0; k < found_.columns.size(); ++k) {
      const Column& column = found_.columns[k];
      if (!column.there()) continue;
      const auto number = rows_.number(column.at);
      if (loose(k)) {
        values_[k] = number.value_or(NAN);
        continue;
      }
      if (!number)
        if (const std::string cell = rows_.text(column.at); !says_nothing(cell))
          throw InputError(rows_.where() + ": '" + cell + "' in column '" + column.reading.column +
                           "' is not a number" + rows_.hint(column.at));
      const bool there = number && std::isfinite(*number);
      if (k == input_column) driven = there;
      else whole = whole && there;
      if (k == time_column && !there) break;
      if (k == time_column && (*number < choice_.from || *number > choice_.to)) return;
      values_[k] = number.value_or(0.0) * column.reading.factor;
    }
    if (!whole && !driven) {
      ++missing_;
      return;
    }
    Record& r = record();
    if (driven) r.input_time.push_back(values_[0]), r.input.push_back(values_[input_column]);
    if (!whole) return;
    const std::array into{&r.time, &r.position, &r.velocity, &r.force, &r.load};
    for (std::size_t k = 0; k < found_.columns.size(); ++k) {
      if (!found_.columns[k].there() || k == input_column) continue;
      (k < into.size() ? *into[k] : r.others[k - column_count]).push_back(values_[k]);
    }
  }

  // A condition nobody asked for: it leaves no row out.
  bool loose(std::size_t k) const {
    return choice_.others.empty() && k >= column_count && choice_.beside[k - column_count].optional;
  }

  // The run that a row belongs to.
  Record& record() {
    if (!run_ && !group_ && current_) return *current_;
    const std::string name =
        run_ ? rows_.text(*run_) : utf8(std::filesystem::path(path_).stem().string());
    auto [entry, fresh] = runs_.try_emplace(name);
    Record& r = entry->second;
    const std::string group = choice_.group.empty()    ? ""
                              : choice_.group == "run" ? name
                                                       : rows_.text(*group_);
    if (fresh) {
      order_.push_back(name), r.name = name, r.group = group;
      r.others.resize(found_.columns.size() - column_count);
    }
    if (r.group != group)
      throw InputError(rows_.where() + ": column '" + choice_.group + "' goes from '" + r.group +
                       "' to '" + group + "' within run " + name +
                       ", it must be the same throughout a run");
    current_ = &r;
    return r;
  }

  // Room for all rows at once, so that columns need not be copied as they grow.
  void reserve(Record& r) const {
    const std::size_t rows = rows_.expected_rows();
    for (std::vector<double>* column :
         {&r.time, &r.position, &r.velocity, &r.force, &r.load, &r.input_time, &r.input})
      if (!column->empty()) column->reserve(rows);
    for (auto& column : r.others)
      if (!column.empty()) column.reserve(rows);
  }

  void note_gaps(const Record& r, std::vector<std::string>& notes) const {
    if (r.time.size() < 4 || choice_.steady) return;
    // The middle of some steps will do for the usual one.
    std::vector<double> some;
    const std::size_t stride = std::max<std::size_t>(1, r.time.size() / 100000);
    for (std::size_t i = 1; i < r.time.size(); i += stride)
      some.push_back(r.time[i] - r.time[i - 1]);
    const auto middle = some.begin() + long(some.size() / 2);
    std::nth_element(some.begin(), middle, some.end());
    const double usual = *middle;
    long gaps = 0;
    double longest = 0.0, at = 0.0;
    for (std::size_t i = 1; i < r.time.size(); ++i) {
      const double step = r.time[i] - r.time[i - 1];
      gaps += step > 5.0 * usual;
      if (step > longest) longest = step, at = r.time[i - 1];
    }
    if (gaps > 0)
      notes.push_back(path_ + ": run " + r.name + " has " + std::to_string(gaps) +
                      (gaps == 1 ? " gap" : " gaps") + " of more than five steps of " +
                      brief(usual) + " s, the longest " + brief(longest) + " s at " + brief(at) +
                      " s");
  }

  const MeasurementChoice& choice_;
  const std::unique_ptr<TableRows> table_;
  TableRows& rows_;
  const std::string path_;
  ColumnChoice found_;
  std::vector<Condition> conditions_;
  std::optional<std::size_t> run_, group_;  // columns
  std::map<std::string, Record> runs_;
  std::vector<std::string> order_;
  std::vector<double> values_;
  Record* current_ = nullptr;
  long missing_ = 0;
};

// Names of columns and values as the tables have them.
MeasurementChoice in_utf8(MeasurementChoice c) {
  for (std::string* text :
       {&c.time, &c.position, &c.velocity, &c.force, &c.load, &c.input, &c.run, &c.group, &c.join})
    *text = utf8(*text);
  for (std::string& text : c.where) text = utf8(text);
  for (auto* all : {&c.others, &c.beside})
    for (OtherColumn& other : *all) other.asked = utf8(other.asked);
  return c;
}

void refuse_twice(const std::vector<std::string>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const bool one = same_file(files[k], files[i]);
      if (one || same_content(files[k], files[i]))
        throw InputError(files[k] + " and " + files[i] +
                         (one ? " are the same file" : " have the same content") +
                         ": its samples would be counted twice");
    }
}

// Of the conditions those that all files have.
void keep_common_conditions(Measurement& m, std::vector<ColumnReading> first) {
  for (std::size_t k = first.size(); k-- > 0;) {
    const bool everywhere = !first[k].column.empty() &&
                            std::all_of(m.records.begin(), m.records.end(), [&](const Record& r) {
                              return k < r.others.size() && !r.others[k].empty();
                            });
    if (everywhere) continue;
    first.erase(first.begin() + long(k));
    for (Record& r : m.records)
      if (k < r.others.size()) r.others.erase(r.others.begin() + long(k));
  }
  m.conditions = std::move(first);
}

bool alike(const ColumnReading& a, const ColumnReading& b) {
  return a.column == b.column && a.unit == b.unit && a.factor == b.factor;
}

}  // namespace

Measurement read_measurement(const std::vector<std::string>& files,
                             const MeasurementChoice& asked) {
  MeasurementChoice choice = in_utf8(asked);
  refuse_twice(files);
  const bool joined = !choice.join.empty();
  if (joined && files.size() < 2)
    throw InputError("--join " + shown(choice.join) + ": needs at least two files to join");
  if (joined && choice.time.empty()) choice.time = choice.join;
  Measurement m;
  std::vector<ColumnReading> conditions;
  for (std::size_t i = 0; i < (joined ? 1 : files.size()); ++i) {
    FileOfRuns file(joined ? join_tables(files, {choice.join, choice.from_start, choice.skip})
                           : open_table(files[i], choice.skip),
                    choice);
    const ColumnChoice& found = file.found();
    std::vector<ColumnReading> readings;
    for (const Column& c : found.columns)
      if (c.there()) readings.push_back(c.reading);
    if (i == 0) {
      for (std::size_t k = column_count; choice.others.empty() && k < found.columns.size(); ++k)
        conditions.push_back(found.columns[k].reading);
      m.columns = readings, m.units = found.units;
      m.input_name =
          found.columns[choice.others.empty() ? input_column : column_count].reading.column;
    } else if (found.units.way != m.units.way) {
      throw InputError(files[i] + ": is a motion in " + found.units.way + ", " + files.front() +
                       " one in " + m.units.way + ": they cannot be fitted together");
    } else if (!std::equal(readings.begin(), readings.end(), m.columns.begin(), m.columns.end(),
                           alike)) {
      for (const ColumnReading& r : readings) m.notes.push_back(files[i] + ": " + r.words());
    }
    file.read(m);
  }
  if (choice.others.empty()) keep_common_conditions(m, std::move(conditions));
  return m;
}

}  // namespace bristle::io
