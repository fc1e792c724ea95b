// SPDX-License-Identifier: MIT
#include "loop_files.hpp"

#include <fmt/format.h>

#include "bristle/io/errors.hpp"
#include "bristle/version.hpp"

namespace bristle::cli {

LoopColumns loop_columns(const io::Table& table, const std::string& file, const std::string& x,
                         const std::string& y) {
  const auto pick = [&](const std::string& name, std::size_t index) -> const std::vector<double>& {
    if (!name.empty()) return table.column(name, file);
    if (table.columns.size() > index) return table.columns[index];
    throw io::InputError(file + ": needs two columns, input and output");
  };
  return {pick(x, 0), pick(y, 1)};
}

void check_increasing(const std::vector<double>& column, const std::string& file,
                      const std::string& name) {
  for (std::size_t i = 1; i < column.size(); ++i)
    if (!(column[i] > column[i - 1]))
      throw io::InputError(fmt::format("{}: row {}: {} = {:g} does not come after {:g}", file,
                                       i + 1, name, column[i], column[i - 1]));
}

void finish_loops(io::ResultDirectory& out, const std::vector<io::Plot>& plots,
                  nlohmann::ordered_json summary) {
  std::vector<std::string> scripts;
  for (const auto& plot : plots) {
    scripts.push_back(plot.name + ".gp");
    out.write(scripts.back(), io::gnuplot_script(plot));
  }
  std::string why;
  if (!io::draw(out.working(), scripts, why))
    fmt::print(stderr, "bristle: no figure: {}; data and gnuplot scripts are written\n", why);
  summary["provenance"] = {{"bristle", version}};
  out.write(std::string(io::summary_name), summary.dump(2) + "\n");
  out.commit();
}

}  // namespace bristle::cli
