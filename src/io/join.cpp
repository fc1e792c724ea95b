// SPDX-License-Identifier: MIT
#include "join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "bristle/io/column_reading.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/model/field.hpp"
#include "bristle/solve/stop_look.hpp"
#include "place_of.hpp"

namespace bristle::io {
namespace {

std::string missing_words(long rows) {
  if (rows == 0) return "";
  if (rows == 1) return "; 1 row with a missing value was left out";
  return "; " + std::to_string(rows) + " rows with missing values were left out";
}

std::string stem(const std::string& path) {
  return utf8(std::filesystem::path(path).stem().string());
}

// A clock in seconds: the column, its factor, and where it starts.
struct Clock {
  std::size_t column = 0;
  double factor = 1.0;
  std::optional<double> origin;  // of a clock that counts from the first row

  double operator()(double value) const { return value * factor - origin.value_or(0.0); }
};

// The time of a file, by its name or, if there is no such column, by that name with another unit:
// time_ms for time.
Clock clock_of(const TableRows& rows, const std::string& asked) {
  AskedColumn column = asked_column(utf8(asked), rows.names());
  const auto& names = rows.names();
  const auto alike = [&](const std::string& name) { return stem_of(name) == stem_of(column.name); };
  if (std::find(names.begin(), names.end(), column.name) == names.end() &&
      std::count_if(names.begin(), names.end(), alike) == 1)
    column = {*std::find_if(names.begin(), names.end(), alike), ""};
  const std::size_t at = rows.index(column.name);
  const ColumnReading r = read_column({"time", {"s"}, "--join"}, {rows.names()[at], column.suffix},
                                      rows.unit(at), rows.path());
  return {at, r.factor, {}};
}

// Another file: its kept columns over its own time.
struct Beside {
  std::unique_ptr<TableRows> rows;
  Clock clock{};
  std::vector<std::size_t> kept{};  // columns of it
  std::vector<double> time{};
  std::vector<std::vector<double>> values{};  // one per kept column
  std::size_t at = 0;                         // the row before the present time
  long missing = 0, bridged = 0;
  double usual_step = 0.0;
};

class JoinedRows : public TableRows {
 public:
  JoinedRows(const std::vector<std::string>& files, const JoinOptions& options)
      : TableRows(files.front()), from_start_(options.from_start) {
    first_ = open_table(files.front(), options.skip);
    clock_ = clock_of(*first_, options.column);
    names_ = first_->names(), units_ = first_->units();
    units_.resize(names_.size());
    for (std::size_t k = 1; k < files.size(); ++k) {
      Beside b{open_table(files[k], options.skip)};
      b.clock = clock_of(*b.rows, options.column);
      for (std::size_t i = 0; i < b.rows->names().size(); ++i) {
        if (i == b.clock.column) continue;
        std::string name = b.rows->names()[i];
        if (std::find(names_.begin(), names_.end(), name) != names_.end())
          name = stem(files[k]) + "." + name;
        origin_.push_back({k - 1, i});
        names_.push_back(name), units_.push_back(b.rows->unit(i));
      }
      others_.push_back(std::move(b));
    }
  }

  // The other files are read as a whole, in those columns alone.
  void keep(const std::vector<std::size_t>& columns) override {
    std::vector<std::size_t> own{clock_.column};
    for (const std::size_t c : columns) {
      if (c < first_->names().size()) own.push_back(c);
      else wanted(c);
    }
    first_->keep(own);
    for (Beside& b : others_) read(b);
    kept_ = true;
  }

  bool next() override {
    if (!kept_) keep({});
    while (first_->next()) {
      stop_();
      ++seen_;
      const auto value = first_->number(clock_.column);
      if (!value || !std::isfinite(*value)) {
        time_ = NAN;
        return true;
      }
      if (from_start_ && !clock_.origin) clock_.origin = *value * clock_.factor;
      time_ = clock_(*value);
      if (std::all_of(others_.begin(), others_.end(), [&](Beside& b) { return reach(b); })) {
        if (used_++ == 0) begin_ = time_;
        end_ = time_;
        for (Beside& b : others_) b.bridged += in_gap(b);
        return true;
      }
    }
    say();
    return false;
  }

  std::optional<double> number(std::size_t column) const override {
    if (column < first_->names().size()) return first_->number(column);
    const auto [file, c] = origin_[column - first_->names().size()];
    const Beside& b = others_[file];
    const auto slot = std::find(b.kept.begin(), b.kept.end(), c);
    if (slot == b.kept.end() || std::isnan(time_)) return std::nullopt;
    if (in_gap(b)) return NAN;
    const auto& y = b.values[std::size_t(slot - b.kept.begin())];
    const std::size_t next = std::min(b.at + 1, y.size() - 1);
    const double step = b.time[next] - b.time[b.at];
    const double part = step > 0.0 ? std::clamp((time_ - b.time[b.at]) / step, 0.0, 1.0) : 0.0;
    return y[b.at] + part * (y[next] - y[b.at]);
  }

  std::string text(std::size_t column) const override {
    if (column < first_->names().size()) return first_->text(column);
    throw InputError(path_ + ": " + names_[column] +
                     " is a column of a joined file: rows are chosen, and runs separated, by "
                     "columns of the first file");
  }
  std::string where() const override { return first_->where(); }
  std::size_t expected_rows() const override { return first_->expected_rows(); }
  std::string hint(std::size_t column) const override {
    return column < first_->names().size() ? first_->hint(column) : "";
  }

 private:
  void wanted(std::size_t column) {
    const auto [file, c] = origin_[column - first_->names().size()];
    auto& kept = others_[file].kept;
    if (std::find(kept.begin(), kept.end(), c) == kept.end()) kept.push_back(c);
  }

  void read(Beside& b) {
    std::vector<std::size_t> columns{b.clock.column};
    columns.insert(columns.end(), b.kept.begin(), b.kept.end());
    b.rows->keep(columns);
    b.values.resize(b.kept.size());
    std::vector<double> row(columns.size());
    while (b.rows->next()) {
      stop_();
      bool whole = true;
      for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto value = b.rows->number(columns[k]);
        if (!value && !b.rows->text(columns[k]).empty())
          throw InputError(b.rows->where() + ": '" + b.rows->text(columns[k]) + "' in column '" +
                           b.rows->names()[columns[k]] + "' is not a number" +
                           b.rows->hint(columns[k]));
        whole = whole && value && std::isfinite(*value);
        row[k] = value.value_or(NAN);
      }
      if (!whole) {
        ++b.missing;
        continue;
      }
      if (from_start_ && !b.clock.origin) b.clock.origin = row[0] * b.clock.factor;
      const double t = b.clock(row[0]);
      if (!b.time.empty() && !(t > b.time.back()))
        throw InputError(b.rows->where() + ": time = " + words(t) + " s does not come after " +
                         time_words(b.time.back()) +
                         " s, files can be joined by increasing times only");
      if (b.time.size() == 1000) {
        b.time.reserve(b.rows->expected_rows());
        for (auto& v : b.values) v.reserve(b.rows->expected_rows());
      }
      b.time.push_back(t);
      for (std::size_t k = 0; k < b.kept.size(); ++k) b.values[k].push_back(row[k + 1]);
    }
    if (b.time.size() < 2)
      throw InputError(b.rows->path() + ": has " + std::to_string(b.time.size()) +
                       " rows with numbers, two are needed to read between them");
    std::vector<double> steps;
    for (std::size_t i = 1; i < b.time.size(); ++i) steps.push_back(b.time[i] - b.time[i - 1]);
    const auto middle = steps.begin() + long(steps.size() / 2);
    std::nth_element(steps.begin(), middle, steps.end());
    b.usual_step = *middle;
  }

  // Between two rows that are more than five usual steps apart: what was there is not known.
  bool in_gap(const Beside& b) const {
    const std::size_t next = std::min(b.at + 1, b.time.size() - 1);
    return b.time[next] - b.time[b.at] > 5.0 * b.usual_step && time_ > b.time[b.at] &&
           time_ < b.time[next];
  }

  // Moves to the row before the present time; false if the file does not cover it.
  bool reach(Beside& b) const {
    if (time_ < b.time.front() || time_ > b.time.back()) return false;
    if (time_ < b.time[b.at]) b.at = 0;
    while (b.at + 2 < b.time.size() && b.time[b.at + 1] <= time_) ++b.at;
    return true;
  }

  // A time or a step without what rounding leaves of it.
  static std::string time_words(double t) { return words(std::stod(fmt::format("{:.10g}", t))); }

  void say() {
    for (const Beside& b : others_) {
      const std::string name = b.rows->path();
      if (used_ == 0)
        throw InputError(path_ + " and " + name + " have no time in common (the second covers " +
                         time_words(b.time.front()) + " to " + time_words(b.time.back()) +
                         " s): if both began together, --clock start counts each from its first "
                         "row");
      const double step = (b.time.back() - b.time.front()) / double(b.time.size() - 1);
      notes_.push_back(
          name + ": joined by time, " + std::to_string(b.time.size()) + " rows every " +
          time_words(step) + " s read on straight lines between them at " + std::to_string(used_) +
          " times of " + path_ + " from " + time_words(begin_) + " to " + time_words(end_) + " s" +
          (from_start_ ? ", each clock counted from its first row" : "") +
          (b.bridged > 1 ? "; " + std::to_string(b.bridged) +
                               " of these times lie in its gaps and are left out"
           : b.bridged == 1 ? "; 1 of these times lies in its gaps and is left out"
                            : "") +
          missing_words(b.missing));
      for (const auto& n : b.rows->notes()) notes_.push_back(n);
    }
    if (used_ < seen_)
      notes_.push_back(path_ + ": " + std::to_string(seen_ - used_) + " of " +
                       std::to_string(seen_) + " rows lie outside the common range of time");
    for (const auto& n : first_->notes()) notes_.push_back(n);
  }

  std::unique_ptr<TableRows> first_;
  Clock clock_;
  std::vector<Beside> others_;
  std::vector<std::pair<std::size_t, std::size_t>> origin_;  // file and column of those joined
  bool from_start_ = false, kept_ = false;
  double time_ = 0.0, begin_ = 0.0, end_ = 0.0;
  long seen_ = 0, used_ = 0;
  StopLook stop_;
};

}  // namespace

std::unique_ptr<TableRows> join_tables(const std::vector<std::string>& files,
                                       const JoinOptions& options) {
  return std::make_unique<JoinedRows>(files, options);
}

}  // namespace bristle::io
