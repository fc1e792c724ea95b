// SPDX-License-Identifier: MIT
#include "bristle/io/loop_report.hpp"

#include "html.hpp"
#include "report_parts.hpp"

namespace bristle::io {

std::string loop_html(const LoopPage& page) {
  std::string h = opening(page.title);
  h += "<section class=\"card\"><h2>Figure</h2><div class=\"figures\">\n" + figure(page.plot) +
       "</div>\n";
  if (!page.sentences.empty()) h += list(page.sentences);
  h += "</section>\n<section class=\"card\"><h2>Measured loops</h2>\n";
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : page.loops) {
    cells.emplace_back();
    for (const auto& cell : row) cells.back().push_back(escaped(cell));
  }
  h += table(
      "<th>loop<th>points<th>width<th>height<th>area<th>orientation<th>closing error, of the range",
      cells);
  return h + "</section>\n" + closing(page.command);
}

}  // namespace bristle::io
