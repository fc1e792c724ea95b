// SPDX-License-Identifier: MIT
#include "binary_tables.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/units.hpp"
#include "shown.hpp"

namespace bristle::io {

void ColumnRows::choose(std::vector<Found> all) {
  std::map<std::size_t, std::size_t> count;
  for (const Found& c : all)
    if (c.length > 1) ++count[c.length];
  std::size_t most = 0;
  for (const auto& [length, columns] : count)
    if (columns >= most) most = columns, rows_ = length;
  if (rows_ == 0) throw InputError(path_ + ": holds no columns of numbers");
  std::string others;
  std::size_t left = 0;
  for (Found& c : all) {
    c.name = utf8(c.name);
    if (c.length != rows_) {
      if (++left <= 10)
        others += (others.empty() ? "" : ", ") + c.name + " (" + std::to_string(c.length) + ")";
      continue;
    }
    if (!c.unit.empty() && !parse_unit(c.unit)) {
      notes_.push_back(path_ + ": '" + shown(utf8(c.unit)) + "' of " + c.name +
                       " is no unit that is known");
      c.unit.clear();
    }
    names_.push_back(c.name), units_.push_back(c.unit);
    columns_.push_back(std::move(c));
  }
  if (std::all_of(units_.begin(), units_.end(), [](const auto& u) { return u.empty(); }))
    units_.clear();
  if (left > 0)
    notes_.push_back(path_ + ": the table has " + std::to_string(rows_) +
                     " rows; left out are columns of another length: " + others +
                     (left > 10 ? " and " + std::to_string(left - 10) + " more" : ""));
  values_.resize(columns_.size());
}

const std::vector<double>& ColumnRows::values(std::size_t column) const {
  auto& there = values_[column];
  if (there.empty()) {
    there = load(columns_[column]);
    if (there.size() != rows_)
      throw InputError(path_ + ": " + names_[column] + " has " + std::to_string(there.size()) +
                       " values where " + std::to_string(rows_) + " were announced");
  }
  return there;
}

void ColumnRows::keep(const std::vector<std::size_t>& columns) {
  for (const std::size_t i : columns) values(i);
}

std::optional<double> ColumnRows::number(std::size_t column) const {
  return values(column)[row_ - 1];
}

std::string ColumnRows::text(std::size_t column) const {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, values(column)[row_ - 1]).ptr;
  return {buffer, end};
}

}  // namespace bristle::io
