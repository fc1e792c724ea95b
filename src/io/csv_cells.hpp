// SPDX-License-Identifier: MIT
// The cells of a line of a table.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace bristle::io {

std::string_view trimmed(std::string_view cell);  // without blanks and quotes around it

// Cells between separators; between blanks, of which there may be several, if the separator is one.
void split(std::string_view line, char separator, std::vector<std::string_view>& cells);

// The separator of a line, looked for outside of quotes: semicolons, then tabs, then commas. Blanks
// are it if they alone leave nothing but numbers.
char separator_of(std::string_view line);

// A number with a decimal comma; nothing without a comma.
std::optional<double> number_with_comma(std::string_view cell);

// Where the comment of a line begins, npos if it has none: at a sign # that is not that of an error
// of a spreadsheet, such as #DIV/0!, nor, behind other text, that of a number, such as #2.
std::size_t comment_in(std::string_view line);

}  // namespace bristle::io
