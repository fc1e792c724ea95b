// SPDX-License-Identifier: MIT
// Tables: rows of numbers, measured runs, units of their columns, formulas over them.
#include <algorithm>
#include <cmath>

#include "bristle/identify/record.hpp"
#include "bristle/io/column_reading.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/formula.hpp"
#include "bristle/io/measurement.hpp"
#include "entries.hpp"

namespace bristle::fuzz {
namespace {

// A word up to a separator, which is taken off the text as well.
std::string_view word(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return first;
}

// Choices as KEY=VALUE with | between: "position=x:mm|where=run=2|steady=".
io::MeasurementChoice choice_from(std::string_view line) {
  io::MeasurementChoice c;
  while (!line.empty()) {
    std::string_view one = word(line, '|');
    const std::string_view key = word(one, '=');
    const std::string value(one);
    const auto number = [&] { return io::number_in(value).value_or(0.0); };
    if (key == "time") c.time = value;
    else if (key == "position") c.position = value;
    else if (key == "velocity") c.velocity = value;
    else if (key == "force") c.force = value;
    else if (key == "load") c.load = value;
    else if (key == "input") c.input = value;
    else if (key == "run") c.run = value;
    else if (key == "group") c.group = value;
    else if (key == "where") c.where.push_back(value);
    else if (key == "from") c.from = number();
    else if (key == "to") c.to = number();
    else if (key == "steady") c.steady = true;
    else if (key == "motion") c.motion = true, c.input_unit = value;
    else if (key == "other") c.others.push_back({value, {value}, "--other", one.empty(), "V"});
  }
  return c;
}

}  // namespace

void csv(std::string_view input) {
  io::Table whole;
  const bool read = accepts([&] {
    io::CsvRows rows("table.csv", input);
    whole = io::table_of(rows);
  });
  // What comes in blocks from a file is the same as what is there at once.
  io::Table from_file;
  const std::string path = scratch().write("table.csv", input);
  require(accepts([&] { from_file = io::read_csv(path); }) == read,
          "a table is read from a file as from memory");
  if (!read) return;
  require(from_file.columns == whole.columns && from_file.names == whole.names,
          "a table from a file has the numbers of one from memory");
  // Written and read again, it has the same numbers.
  std::vector<std::pair<std::string, std::span<const double>>> columns;
  for (std::size_t i = 0; i < whole.columns.size(); ++i)
    columns.emplace_back("c" + std::to_string(i), whole.columns[i]);
  const std::string text = io::csv_text(columns);
  io::CsvRows again("again.csv", text);
  require(io::table_of(again).columns == whole.columns, "numbers that are written read back");
  for (const auto& name : whole.names)
    require(io::utf8(name) == name, "the name of a column is UTF-8");
}

void measurement(std::string_view input) {
  const auto [line, table] = first_line(input);
  const io::MeasurementChoice choice = choice_from(line);
  const std::string path = scratch().write("measured.csv", table);
  io::Measurement m;
  if (!accepts([&] { m = io::read_measurement({path}, choice); })) return;
  for (const auto& column : m.columns)
    require(!column.words().empty() && std::isfinite(column.factor), "a column has a factor");
  for (const auto& record : m.records) {
    for (const auto* column : {&record.time, &record.position, &record.velocity, &record.force,
                               &record.load, &record.input})
      for (const double x : *column) require(!std::isnan(x), "no NaN is taken for a sample");
    if (!choice.others.empty()) continue;
    accepts([&] {
      const Track track = prepare(record, {.steady = choice.steady, .motion = choice.motion});
      for (const auto& sample : track.samples)
        require(std::isfinite(sample.velocity) && std::isfinite(sample.middle_velocity),
                "a prepared sample has a finite velocity");
    });
  }
}

void join(std::string_view input) {
  // What stands before a line of three dashes, and behind it.
  const auto line = input.find("\n---\n");
  const std::string one(input.substr(0, line));
  const std::string other(line == input.npos ? "" : input.substr(line + 5));
  const std::string first = scratch().write("first.csv", one),
                    second = scratch().write("second.csv", other);
  for (const bool start : {false, true}) {
    io::Measurement m;
    if (!accepts([&] {
          m = io::read_measurement({first, second}, {.join = "time", .from_start = start});
        }))
      continue;
    for (const auto& record : m.records)
      for (const auto* column : {&record.time, &record.position, &record.velocity, &record.force})
        for (const double x : *column) require(!std::isnan(x), "no NaN is taken for a sample");
  }
}

void unit(std::string_view input) {
  const std::string text = io::utf8(input);
  if (const auto found = io::parse_unit(text)) {
    require(std::isfinite(found->factor) && found->factor > 0.0,
            "the factor of a unit is positive");
    io::quantity_of(found->dimension);
    io::usual_units_of(found->dimension);
  }
  // As a header above a unit, and as what an option asks for.
  const std::string header(first_line(text).first);
  // A row of units holds units and nothing else.
  std::string below(first_line(text).second);
  if (!io::parse_unit(below)) below.clear();
  io::unit_in_header(header, below);
  io::stem_of(header);
  const io::ColumnRole role{"position", {"m", "rad"}, "--position"};
  io::fits(role, header, below);
  accepts([&] {
    const auto asked = io::asked_column(header, {"x", "position (mm)"});
    const auto reading = io::read_column(role, asked, below, "data.csv");
    require(std::isfinite(reading.factor) && reading.factor != 0.0,
            "a column is read with a factor that can be undone");
  });
}

void formula(std::string_view input) {
  accepts([&] {
    const io::Formula f{std::string(input)};
    for (const double x : {-1e300, -1.0, 0.0, 0.5, 3.0, 1e300}) (void)f(x);
    require(f.text() == input, "a formula keeps its text");
  });
}

}  // namespace bristle::fuzz
