// SPDX-License-Identifier: MIT
#include "csv_opening.hpp"

#include <algorithm>

#include "bristle/io/csv.hpp"
#include "csv_cells.hpp"

namespace bristle::io {
namespace {

struct Counts {
  std::size_t cells = 0, numbers = 0, empty = 0;
  bool row_of_numbers() const {
    return numbers > 0 && (2 * numbers > cells || numbers + empty == cells);
  }
  // Names, or more of a header: words in most columns.
  bool words() const { return numbers == 0 && 2 * empty < cells; }
};

Counts count(const std::string& line, char separator) {
  std::vector<std::string_view> cells;
  split(line, separator, cells);
  Counts c{cells.size()};
  for (const std::string_view cell : cells) {
    const bool number =
        number_in(cell).has_value() || (separator != ',' && number_with_comma(cell).has_value());
    c.numbers += number;
    c.empty += cell.empty();
  }
  return c;
}

// A table from the first line on, with one row of names if that has no number.
TableStart plain(const std::vector<OpeningLine>& opening) {
  const char separator = separator_of(opening.front().text);
  const bool header = count(opening.front().text, separator).numbers == 0;
  return {separator, 0, header ? 1u : 0u};
}

}  // namespace

TableStart find_table(const std::vector<OpeningLine>& opening) {
  const auto first = std::find_if(opening.begin(), opening.end(), [](const OpeningLine& line) {
    return count(line.text, separator_of(line.text)).row_of_numbers();
  });
  if (first == opening.end()) return plain(opening);
  const std::size_t row = std::size_t(first - opening.begin());
  TableStart found{separator_of(first->text), row, row};
  const std::size_t width = count(first->text, found.separator).cells;
  const auto above = [&](std::size_t i) { return count(opening[i].text, found.separator); };
  // Of a single column every line has as many cells: the line above has its name.
  const std::size_t top = width == 1 && row > 0 ? row - 1 : 0;
  // Above a header of words a line with a number, such as "Channels;3;", belongs to the preamble.
  const auto preamble = [&](std::size_t i) {
    return i + 1 < row && above(i).numbers > 0 && above(i + 1).words();
  };
  while (found.header > top && above(found.header - 1).cells == width &&
         !preamble(found.header - 1))
    --found.header;
  // A row with a number among words is one of the table, gone wrong.
  found.numbers = found.header;
  while (found.numbers < row && above(found.numbers).numbers == 0 &&
         (found.numbers == found.header || above(found.numbers).words()))
    ++found.numbers;
  const bool named = found.numbers > found.header;
  if (!named && found.header > 0 && above(found.header - 1).cells > 1) return plain(opening);
  return found;
}

}  // namespace bristle::io
