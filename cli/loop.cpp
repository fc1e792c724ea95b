// SPDX-License-Identifier: MIT
#include "bristle/analysis/loop.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/analysis/fit_relays.hpp"
#include "bristle/analysis/split_loops.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/model_file.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "loop_map.hpp"
#include "play_fit.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

struct LoopArguments {
  std::string file, x, y, time, by, out;
  int plays = 0, relays = 0;
  bool json = false, asymmetric = false;
};

// One loop of the record: its rows, and where it came from.
struct Found {
  std::string label;
  std::vector<double> x, y;
  Loop loop;
  double closing = 0.0;
};

void add(std::vector<Found>& all, std::string label, std::vector<double> x, std::vector<double> y,
         double closing) {
  const Loop loop = polygon_loop(x, y);
  all.push_back({std::move(label), std::move(x), std::move(y), loop, closing});
}

std::vector<Found> loops_in(const LoopArguments& a) {
  const io::Table table = io::read_csv(a.file);
  const auto [x, y] = loop_columns(table, a.file, a.x, a.y);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      throw io::InputError(a.file + ": row " + std::to_string(i + 1) + " is not a number");
  if (!a.time.empty()) check_increasing(table.column(a.time, a.file), a.file, a.time);
  std::vector<Found> all;
  if (!a.by.empty()) {
    const auto& group = table.column(a.by, a.file);
    for (std::size_t i = 0, end = 0; i < x.size(); i = end) {
      for (end = i; end < x.size() && group[end] == group[i];) ++end;
      const auto part = [&](const std::vector<double>& c) {
        return std::vector<double>(c.begin() + long(i), c.begin() + long(end));
      };
      auto px = part(x), py = part(y);
      const Range rx = range_of(px), ry = range_of(py);
      const double closing = std::max(std::abs(px.back() - px.front()) / (rx.most - rx.least),
                                      std::abs(py.back() - py.front()) / (ry.most - ry.least));
      add(all, fmt::format("{} {:g}", a.by, group[i]), std::move(px), std::move(py), closing);
    }
    return all;
  }
  int number = 0;
  for (const Stretch& s : split_loops(x, y))
    add(all, fmt::format("loop {}", ++number), {x.begin() + long(s.first), x.begin() + long(s.end)},
        {y.begin() + long(s.first), y.begin() + long(s.end)}, s.closing_error);
  return all;
}

void draw(const LoopArguments& a, const std::vector<Found>& loops, const PlayFit* fit,
          const RelayFit* relays, const ordered_json& summary) {
  io::ResultDirectory out(a.out);
  io::Plot plot{.name = "loops",
                .title = a.file,
                .x_label = a.x.empty() ? "input" : a.x,
                .y_label = a.y.empty() ? "output" : a.y};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string file = fmt::format("loop{}.csv", i + 1);
    out.write(file, io::csv_text({{"input", loops[i].x}, {"output", loops[i].y}}));
    plot.lines.push_back({file, "1", "2", loops[i].label});
  }
  double largest = 0.0;
  for (const auto& l : loops)
    for (const double u : l.x) largest = std::max(largest, std::abs(u));
  if (fit) write_models(*fit, largest, out);
  if (relays)
    out.write("relays.toml",
              io::model_text({std::string(PreisachModel::name), values_of(relays->model), ""},
                             "Fitted Preisach model", -largest, largest));
  finish_loops(out, {plot}, summary);
}

int loop(const LoopArguments& a) {
  if (a.file.ends_with(".toml")) {
    if (!a.x.empty() || !a.y.empty() || !a.by.empty() || a.plays > 0 || a.relays > 0)
      throw io::InputError(
          a.file + ": --x, --y, --by, --fit and --relays have no meaning for a file of a system");
    return loop_of_file(a.file, a.out, a.json);
  }
  const auto loops = loops_in(a);
  ordered_json j{{"file", a.file}, {"loops", ordered_json::array()}};
  for (const auto& l : loops)
    j["loops"].push_back({{"label", l.label},
                          {"points", l.x.size()},
                          {"width", l.loop.width},
                          {"height", l.loop.height},
                          {"area", l.loop.area},
                          {"orientation", l.loop.clockwise() ? "clockwise" : "counterclockwise"},
                          {"closing_error", l.closing},
                          {"closes", l.closing <= 0.05}});
  std::vector<MeasuredRun> runs;
  for (const auto& l : loops) runs.push_back({l.x, l.y});
  PlayFit fit;
  RelayFit relays;
  if (a.relays > 0) {
    relays = fit_relays(runs, {.levels = a.relays});
    j["relay_fit"] = {{"levels", relays.model.levels.size()},
                      {"rms_error", relays.error},
                      {"relative_error", relays.relative}};
  }
  if (a.plays > 0) {
    fit = fit_plays(runs, {.plays = a.plays, .asymmetric = a.asymmetric});
    j["fit"] = fit_json(fit, runs);
  }
  if (!a.out.empty())
    draw(a, loops, a.plays > 0 ? &fit : nullptr, a.relays > 0 ? &relays : nullptr, j);
  if (a.json) {
    fmt::print("{}\n", j.dump(2));
    return io::success;
  }
  fmt::print("{:<16} {:>7} {:>12} {:>12} {:>14} {:<17} {}\n", "loop", "points", "width", "height",
             "area", "orientation", "closing error");
  for (const auto& l : loops)
    fmt::print("{:<16} {:>7} {:>12.6g} {:>12.6g} {:>14.8g} {:<17} {:.2e}{}\n", l.label, l.x.size(),
               l.loop.width, l.loop.height, l.loop.area,
               l.loop.clockwise() ? "clockwise" : "counterclockwise", l.closing,
               l.closing <= 0.05 ? "" : " (does not close)");
  if (a.plays > 0) print_fit(j["fit"], a.plays);
  if (a.relays > 0)
    fmt::print("\nrelays on {} levels fit to {:.4g} rms, {:.3g} % of the largest output\n",
               relays.model.levels.size(), relays.error, 100.0 * relays.relative);
  if (!a.out.empty()) fmt::print("results: {}\n", a.out);
  return io::success;
}

}  // namespace

void add_loop(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "loop", "Measure and fit the hysteresis loops of a table, or classify those of a system");
  auto a = std::make_shared<LoopArguments>();
  command
      ->add_option("file", a->file,
                   "CSV with columns of input and output, or a TOML file of a system")
      ->required();
  command->add_option("--x", a->x, "column of the input, default the first")->type_name("NAME");
  command->add_option("--y", a->y, "column of the output, default the second")->type_name("NAME");
  command->add_option("--time", a->time, "column of time, to be checked: it must increase")
      ->type_name("NAME");
  command->add_option("--by", a->by, "column that numbers the loops; without, they are split")
      ->type_name("NAME");
  command->add_option("--fit", a->plays, "fit a generalised Prandtl-Ishlinskii operator of N plays")
      ->type_name("N")
      ->check(CLI::Range(1, 500));
  command->add_option("--relays", a->relays, "fit a Preisach operator of relays on N levels")
      ->type_name("N")
      ->check(CLI::Range(2, 60));
  command->add_flag("--asymmetric", a->asymmetric, "with --fit: the tanh may be off centre");
  command
      ->add_option("--out", a->out,
                   "directory for a picture, the loops, a fitted model and a summary")
      ->type_name("DIR");
  command->add_flag("--json", a->json, "print everything as JSON, with the fitted operator");
  command->footer(
      "The area is the integral of output over input around the loop: the energy lost, positive "
      "if\nclockwise. A record of many periods is split where the input passes upward through its "
      "middle.\nOf a system the map is driven until it closes; then it is said whether it is "
      "hysteretic, depends on\nthe rate, has local or nonlocal memory, keeps return points and has "
      "congruent minor loops.\nExamples:\n"
      "  bristle loop experiments/t_1_7_maxwell_slip.toml\n"
      "  bristle loop data/bh-loops/MnZn_ferrite.csv --x H_A_per_m --y B_T --by loop\n"
      "  bristle loop data/bh-loops/MnZn_ferrite.csv --x H_A_per_m --y B_T --by loop --fit 20 "
      "--json");
  command->callback([&action, a] { action = [a] { return loop(*a); }; });
}

}  // namespace bristle::cli
