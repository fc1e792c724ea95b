// SPDX-License-Identifier: MIT
#include "bristle/io/errors.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/analysis/indicators.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/solve/stop_look.hpp"
#include "commands.hpp"
#include "loop_files.hpp"

namespace bristle::cli {
namespace {

struct ErrorArguments {
  std::string first, second, time = "time", column, other;
  bool json = false;
};

int errors(const ErrorArguments& a) {
  const auto read = [&](const std::string& file, const std::string& column) {
    return io::read_columns(
        file, {{{"time", {"s"}, "--time"}, a.time}, {{"column", {}, "--column"}, column}});
  };
  const auto one = read(a.first, a.column);
  const auto two = read(a.second, a.other.empty() ? a.column : a.other);
  for (const auto* read : {&one, &two}) say_notes(read->notes);
  const auto &t = one.values[0], &s = two.values[0], &x = one.values[1], &y = two.values[1];
  check_increasing(t, a.first, a.time);
  check_increasing(s, a.second, a.time);
  const std::string &unit = one.readings[1].unit, &other = two.readings[1].unit;
  if (!unit.empty() && !other.empty() && unit != other)
    throw io::InputError(a.first + ": column '" + one.readings[1].column + "' is in " + unit +
                         ", '" + two.readings[1].column + "' of " + a.second + " in " + other +
                         ": they cannot be compared");
  // At the times of the first file that the second covers.
  std::vector<double> left, right;
  StopLook stop;
  for (std::size_t i = 0; i < t.size(); ++i) {
    stop();
    if (s.empty() || t[i] < s.front() || t[i] > s.back()) continue;
    left.push_back(x[i]);
    right.push_back(sample_at(s, y, t[i]));
  }
  if (left.empty())
    throw io::InputError(a.first + ": none of its times lies within those of " + a.second);
  const Indicators r = indicators(left, right);
  if (a.json)
    fmt::print("{}\n", nlohmann::ordered_json{{"samples", left.size()},
                                              {"rmse", r.rmse},
                                              {"mean", r.mean},
                                              {"std", r.std},
                                              {"max", r.largest}}
                           .dump(2));
  else
    fmt::print("{} samples\n  rmse {:.6g}\n  mean {:.6g}\n  std  {:.6g}\n  max  {:.6g}\n",
               left.size(), r.rmse, r.mean, r.std, r.largest);
  return io::success;
}

}  // namespace

void add_errors(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "errors",
      "Compare a column of two tables: root mean square, mean, deviation and largest error");
  auto a = std::make_shared<ErrorArguments>();
  command->add_option("first", a->first, "CSV that gives the times")->required();
  command->add_option("second", a->second, "CSV that is interpolated at these times by cubics")
      ->required();
  command->add_option("--column", a->column, "column to compare")->required()->type_name("NAME");
  command->add_option("--other", a->other, "its name in the second table, if it differs")
      ->type_name("NAME");
  command->add_option("--time", a->time, "column of time in both, default time")->type_name("NAME");
  command->add_flag("--json", a->json, "print as JSON");
  command->footer(
      "The difference is the first less the second.\nExample:\n"
      "  bristle errors out/r_9_valve/ramp-FrBD.csv out/r_9_valve/ramp-LuGre.csv --column "
      "position");
  command->callback([&action, a] { action = [a] { return errors(*a); }; });
}

}  // namespace bristle::cli
