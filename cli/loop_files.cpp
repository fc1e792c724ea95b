// SPDX-License-Identifier: MIT
#include "loop_files.hpp"

#include <fmt/format.h>

#include "bristle/io/errors.hpp"
#include "bristle/version.hpp"
#include "note.hpp"

namespace bristle::cli {

std::string LoopColumns::words() const { return "  " + x.words() + "\n  " + y.words() + "\n"; }

nlohmann::ordered_json LoopColumns::json() const {
  auto all = nlohmann::ordered_json::array();
  for (const auto* r : {&x, &y}) {
    all.push_back({{"role", r->role}, {"column", r->column}, {"unit", nullptr}});
    if (!r->unit.empty()) all.back()["unit"] = r->unit;
  }
  return all;
}

LoopColumns loop_columns(const std::string& file, const std::string& x, const std::string& y,
                         const std::vector<std::string>& others) {
  const auto table = io::open_table(file);
  io::TableRows& rows = *table;
  if (rows.names().size() < 2) throw io::InputError(file + ": needs two columns, input and output");
  std::vector<io::WantedColumn> wanted{{{"input", {}, "--x"}, x, 0}, {{"output", {}, "--y"}, y, 1}};
  for (const auto& name : others) wanted.push_back({{name, {}, ""}, name});
  io::ReadColumns read = io::read_columns(rows, file, wanted);
  LoopColumns c{
      std::move(read.values[0]), std::move(read.values[1]), {}, read.readings[0], read.readings[1]};
  say_notes(read.notes);
  for (std::size_t i = 2; i < read.values.size(); ++i)
    c.others.push_back(std::move(read.values[i]));
  return c;
}

void say_notes(const std::vector<std::string>& notes) {
  for (const auto& sentence : notes) note("bristle: {}\n", sentence);
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
    note("bristle: no figure: {}; data and gnuplot scripts are written\n", why);
  summary["provenance"] = {{"bristle", version}};
  out.write(std::string(io::summary_name),
            summary.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  out.commit();
}

}  // namespace bristle::cli
