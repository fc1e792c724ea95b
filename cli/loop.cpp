// SPDX-License-Identifier: MIT
#include "bristle/analysis/loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "bristle/analysis/fit_relays.hpp"
#include "bristle/analysis/split_loops.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/loop_report.hpp"
#include "bristle/io/model_file.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "loop_map.hpp"
#include "numbers.hpp"
#include "operator_part.hpp"
#include "play_fit.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

struct LoopArguments {
  std::string file, x, y, time, by, out, licence, source, command;
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

// The loops of a table, the rows that are in none of them, and what a fit takes: all rows, as one
// run with its memory from the first row on, or as one run for each number in the column `by`.
struct Record {
  std::vector<Found> loops;
  std::vector<LeftOut> left_out;
  std::vector<MeasuredRun> runs;
  std::size_t rows = 0;

  // Of all loops, each over the box around it: large loops do not outvote small ones.
  double area() const {
    double sum = 0.0;
    for (const auto& l : loops)
      if (l.loop.width * l.loop.height > 0.0) sum += l.loop.area / (l.loop.width * l.loop.height);
    return sum;
  }
};

void add(std::vector<Found>& all, std::string label, std::vector<double> x, std::vector<double> y,
         double closing) {
  const Loop loop = polygon_loop(x, y);
  all.push_back({std::move(label), std::move(x), std::move(y), loop, closing});
}

// Time, say, is no input of a loop: it never turns.
void check_turns(const std::string& file, const LoopColumns& columns) {
  const auto& x = columns.input;
  if (x.size() < 4)
    throw io::InputError(file + ": a loop needs at least 4 rows, there " +
                         (x.size() == 1 ? "is 1" : "are " + std::to_string(x.size())));
  const bool rises = std::is_sorted(x.begin(), x.end());
  if (!rises && !std::is_sorted(x.begin(), x.end(), std::greater<>())) return;
  throw io::InputError(file + ": the input \"" + columns.x.column + "\" never " +
                       (rises ? "falls" : "rises") +
                       ", so there is no loop; name the column of the input with --x");
}

void check_columns(const std::string& file, const LoopColumns& columns) {
  if (columns.x.column == columns.y.column)
    throw io::InputError(io::utf8(file) + ": column '" + columns.x.column +
                         "' cannot be both input and output");
  const auto [least, most] = std::minmax_element(columns.input.begin(), columns.input.end());
  if (columns.input.size() > 3 && *least == *most)
    throw io::InputError(fmt::format("{}: the input, column '{}', is {} in every row: no loop",
                                     io::utf8(file), columns.x.column, *least));
}

Record read_record(const LoopArguments& a, const LoopColumns& columns) {
  const auto &x = columns.input, &y = columns.output;
  if (!a.time.empty()) check_increasing(columns.others.front(), a.file, a.time);
  Record r;
  r.rows = x.size();
  const auto part = [](const std::vector<double>& c, std::size_t first, std::size_t end) {
    return std::vector<double>(c.begin() + long(first), c.begin() + long(end));
  };
  if (!a.by.empty()) {
    const auto& group = columns.others.back();
    for (std::size_t i = 0, end = 0; i < x.size(); i = end) {
      for (end = i; end < x.size() && group[end] == group[i];) ++end;
      auto px = part(x, i, end), py = part(y, i, end);
      r.runs.push_back({px, py});
      const double closing = closing_error(px, py);
      add(r.loops, fmt::format("{} {:g}", a.by, group[i]), std::move(px), std::move(py), closing);
    }
    return r;
  }
  check_turns(a.file, columns);
  const auto stretches = split_loops(x, y);
  for (const Stretch& s : stretches)
    add(r.loops, fmt::format("loop {}", r.loops.size() + 1), part(x, s.first, s.end),
        part(y, s.first, s.end), s.closing_error);
  r.left_out = rows_left_out(x, stretches);
  r.runs.push_back({x, y});
  return r;
}

// Which rows are in no loop, and why: in JSON, and as one sentence each.
ordered_json left_out_json(const Record& r) {
  ordered_json all = ordered_json::array();
  for (const LeftOut& l : r.left_out)
    all.push_back({{"first_row", l.first + 1}, {"last_row", l.end}, {"why", l.why}});
  return all;
}
void print_left_out(const Record& r) {
  std::size_t count = 0;
  for (const LeftOut& l : r.left_out) count += l.end - l.first;
  if (count == 0) return;
  fmt::print("\n{} of {} rows are in no loop of this list (a fit uses them all):\n", count, r.rows);
  for (const LeftOut& l : r.left_out)
    fmt::print("  rows {} to {}: {}\n", l.first + 1, l.end, l.why);
}

// The fitted operator along the rows it was fitted to, over the data.
void draw_fit(const LoopFit& fit, const Record& record, io::ResultDirectory& out, io::Plot& plot) {
  for (std::size_t i = 0; i < record.runs.size(); ++i) {
    const auto& input = record.runs[i].input;
    const auto output = fitted_output(fit, record.runs, i);
    const std::string file = fmt::format("fit{}.csv", i + 1);
    out.write(file, io::csv_text({{"input", input}, {"output", output}}));
    plot.lines.push_back({.file = file,
                          .x = "1",
                          .y = "2",
                          .label = i == 0 ? "fitted" : "",
                          .xs = input,
                          .ys = output,
                          .dashed = true});
  }
}

// Names of the runs of a fit, and where they come from.
OperatorData operator_data(const LoopArguments& a, const LoopColumns& columns,
                           const Record& record) {
  OperatorData data{
      record.runs, {}, columns.x, columns.y, {{a.file}, a.command, a.licence, a.source}};
  for (std::size_t i = 0; i < record.runs.size(); ++i)
    data.names.push_back(a.by.empty() ? "all rows" : record.loops[i].label);
  return data;
}

io::LoopPage page_of(const LoopArguments& a, const Record& record, const io::Plot& plot,
                     const ordered_json& summary) {
  const std::string name = io::utf8(std::filesystem::path(a.file).filename().string());
  io::LoopPage page{"Loops of " + name, plot, {}, {}, a.command};
  for (const auto& l : record.loops)
    page.loops.push_back({l.label, std::to_string(l.x.size()), fmt::format("{:.6g}", l.loop.width),
                          fmt::format("{:.6g}", l.loop.height), fmt::format("{:.6g}", l.loop.area),
                          std::string(l.loop.orientation()), fmt::format("{:.2e}", l.closing)});
  if (summary.contains("fit")) page.sentences = fit_sentences(summary["fit"]);
  for (const LeftOut& l : record.left_out)
    page.sentences.push_back(
        fmt::format("rows {} to {} are in no loop: {}", l.first + 1, l.end, l.why));
  return page;
}

void draw(const LoopArguments& a, const LoopColumns& columns, const Record& record,
          const LoopFit* fit, const RelayFit* relays, const ordered_json& summary) {
  const auto& loops = record.loops;
  io::ResultDirectory out(a.out);
  io::Plot plot{.name = "loops",
                .title = fit ? "Measured loops and the fitted model" : "Measured loops",
                .x_label = columns.x.column,
                .y_label = columns.y.column};
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string file = fmt::format("loop{}.csv", i + 1);
    out.write(file, io::csv_text({{"input", loops[i].x}, {"output", loops[i].y}}));
    plot.lines.push_back({.file = file,
                          .x = "1",
                          .y = "2",
                          .label = loops[i].label,
                          .xs = loops[i].x,
                          .ys = loops[i].y});
  }
  if (fit) {
    write_models(*fit, record.runs, out);
    draw_fit(*fit, record, out, plot);
    if (fit->explains())
      out.write("part.toml", io::part_text(operator_part(*fit, operator_data(a, columns, record))));
  }
  if (relays && relays->quality.explains()) {
    double largest = 0.0;
    for (const auto& run : record.runs)
      for (const double u : run.input) largest = std::max(largest, std::abs(u));
    out.write("relays.toml",
              io::model_text({std::string(PreisachModel::name), values_of(relays->model), ""},
                             "Fitted Preisach model", -largest, largest));
  }
  out.write("report.html", io::loop_html(page_of(a, record, plot, summary)));
  finish_loops(out, {plot}, summary);
}

int loop(const LoopArguments& a) {
  if (a.file.ends_with(".toml")) {
    if (!a.x.empty() || !a.y.empty() || !a.by.empty() || a.plays > 0 || a.relays > 0)
      throw io::InputError(
          a.file + ": --x, --y, --by, --fit and --relays have no meaning for a file of a system");
    return loop_of_file(a.file, a.out, a.json);
  }
  std::vector<std::string> others;
  for (const auto* name : {&a.time, &a.by})
    if (!name->empty()) others.push_back(*name);
  const LoopColumns columns = loop_columns(a.file, a.x, a.y, others);
  check_columns(a.file, columns);
  const Record record = read_record(a, columns);
  const auto& loops = record.loops;
  const auto& runs = record.runs;
  ordered_json j{{"file", io::utf8(a.file)},
                 {"columns", columns.json()},
                 {"rows", record.rows},
                 {"loops", ordered_json::array()}};
  for (const auto& l : loops)
    j["loops"].push_back({{"label", l.label},
                          {"points", l.x.size()},
                          {"width", l.loop.width},
                          {"height", l.loop.height},
                          {"area", l.loop.area},
                          {"orientation", l.loop.orientation()},
                          {"closing_error", l.closing},
                          {"closes", l.closing <= 0.05}});
  j["rows_in_no_loop"] = left_out_json(record);
  LoopFit fit;
  RelayFit relays;
  if (a.relays > 0) {
    relays = fit_relays(runs, {.levels = a.relays});
    j["relay_fit"] = {{"levels", relays.model.levels.size()}};
    j["relay_fit"].update(quality_json(relays.quality));
    j["relay_fit"]["relative_error"] = relays.relative;
  }
  if (a.plays > 0) {
    fit = fit_loops(runs, record.area(), a.plays, a.asymmetric);
    j["fit"] = fit_json(fit, runs);
  }
  if (!a.out.empty())
    draw(a, columns, record, a.plays > 0 ? &fit : nullptr, a.relays > 0 ? &relays : nullptr, j);
  const bool useless =
      (a.plays > 0 && !fit.explains()) || (a.relays > 0 && !relays.quality.explains());
  const int code = useless ? io::fit_unfinished : io::success;
  if (a.json) {
    fmt::print("{}\n", j.dump(2));
    return code;
  }
  fmt::print("{}\n", columns.words());
  fmt::print("{:<16} {:>7} {:>12} {:>12} {:>14} {:<17} {}\n", "loop", "points", "width", "height",
             "area", "orientation", "closing error");
  for (const auto& l : loops)
    fmt::print("{:<16} {:>7} {:>12.6g} {:>12.6g} {:>14.8g} {:<17} {:.2e}{}\n", l.label, l.x.size(),
               l.loop.width, l.loop.height, l.loop.area, l.loop.orientation(), l.closing,
               l.closing <= 0.05 ? "" : " (does not close)");
  print_left_out(record);
  if (a.plays > 0) print_fit(j["fit"]);
  if (a.relays > 0) {
    fmt::print("\nrelays on {} levels fit to {:.4g} rms, {:.3g} % of the largest output\n",
               relays.model.levels.size(), relays.error, 100.0 * relays.relative);
    if (!relays.quality.explains())
      fmt::print("the fit explains nothing: {}; no model is written\n", relays.quality.why_not());
  }
  if (!a.out.empty()) fmt::print("results: {}/report.html\n", a.out);
  return code;
}

}  // namespace

void add_loop(CLI::App& program, Action& action, const std::string& command_line) {
  auto* command = program.add_subcommand(
      "loop", "Measure and fit the hysteresis loops of a table, or classify those of a system");
  auto a = std::make_shared<LoopArguments>();
  a->command = command_line;
  command
      ->add_option("file", a->file,
                   "CSV with columns of input and output, or a TOML file of a system")
      ->required();
  command->add_option("--x", a->x, "column of the input, default the first")->type_name("NAME");
  command->add_option("--y", a->y, "column of the output, default the second")->type_name("NAME");
  command->add_option("--time", a->time, "column of time; it is checked that it increases")
      ->type_name("NAME");
  command->add_option("--by", a->by, "column that numbers the loops; without, they are split")
      ->type_name("NAME");
  command
      ->add_option("--fit", a->plays,
                   "fit N plays under a tanh to counterclockwise loops, N stops beside a spring to "
                   "clockwise ones")
      ->type_name("N")
      ->check(a_whole_number(1, 500));
  command->add_option("--relays", a->relays, "fit a Preisach operator of relays on N levels")
      ->type_name("N")
      ->check(a_whole_number(2, 60));
  command->add_flag("--asymmetric", a->asymmetric, "with --fit: the tanh may be off centre");
  command
      ->add_option("--out", a->out,
                   "directory for a page with the fit over the data, the loops, a fitted model, "
                   "its part and a summary")
      ->type_name("DIR");
  command->add_option("--licence", a->licence, "licence of the data, written into the part")
      ->type_name("TEXT");
  command->add_option("--source", a->source, "source of the data, written into the part")
      ->type_name("TEXT");
  command->add_flag("--json", a->json, "print everything as JSON, with the fitted operator");
  command->footer(
      "The area is the integral of output over input around the loop: the energy lost, positive\n"
      "if clockwise. A record of many periods is split where the input passes upward through its\n"
      "middle; a fit takes all rows. A fit that leaves more than 80 % of the residual of a\n"
      "straight line, or more than 25 % of the range, is not inverted; the exit code is then 5.\n"
      "For a system the input is repeated until the loop closes. The result says whether it is\n"
      "hysteretic and depends on the rate, whether its memory is local or nonlocal, and whether\n"
      "it has return-point memory and congruent minor loops.\nExamples:\n"
      "  bristle loop experiments/t_1_7_maxwell_slip.toml\n"
      "  bristle loop data/bh-loops/MnZn_ferrite.csv --x H_A_per_m --y B_T --by loop\n"
      "  bristle loop data/bh-loops/MnZn_ferrite.csv --x H_A_per_m --y B_T --by loop --fit 20 "
      "--json");
  command->callback([&action, a] { action = [a] { return loop(*a); }; });
}

}  // namespace bristle::cli
