// SPDX-License-Identifier: MIT
#include "bristle/analysis/butterfly.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/analysis/loop.hpp"
#include "bristle/io/errors.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "numbers.hpp"
#include "play_fit.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

struct ButterflyArguments {
  std::string file, x, y, out, map = "quadratic";
  double a = 1.0;
  double tolerance = 0.01;
  int plays = 0;
  bool each = false, falling = false, json = false;
};

ordered_json as_json(const FoldedCurve& folded) {
  ordered_json j{{"kind", words(folded.kind)}, {"lobes", ordered_json::array()}};
  for (const Lobe& l : folded.lobes)
    j["lobes"].push_back({{"from", l.from},
                          {"to", l.to},
                          {"area", l.area},
                          {"orientation", l.area > 0.0 ? "counterclockwise" : "clockwise"}});
  return j;
}

LoopBranches branches_of(const ButterflyArguments& a, const LoopColumns& columns) {
  try {
    return split_branches(columns.input, columns.output);
  } catch (const InvalidInput& error) {
    throw io::InputError(a.file + ": " + error.what());
  }
}

// The valley or the peak of the loop decides which way the map opens; its own extreme is the mean
// of the two extremes of the loop.
Unfolded take_apart(const ButterflyArguments& a, const LoopBranches& loop, bool valley) {
  const double size = valley ? a.a : -a.a;
  if (a.each) return unfold_each(loop, size, !a.falling, std::max(0.1, a.tolerance));
  const double centre = 0.5 * (loop.up.extreme(valley).second + loop.down.extreme(valley).second);
  const UnimodalMap map = a.map == "quadratic" ? UnimodalMap::quadratic(size, centre)
                                               : UnimodalMap::absolute(centre, -size, -size);
  return unfold(loop, map, !a.falling, a.tolerance);
}

void write(const ButterflyArguments& a, const LoopBranches& loop, const Unfolded* simple,
           const LoopFit* fit, const ordered_json& summary) {
  io::ResultDirectory out(a.out);
  std::vector<double> x = loop.up.x, y = loop.up.y;
  x.insert(x.end(), loop.down.x.rbegin(), loop.down.x.rend());
  y.insert(y.end(), loop.down.y.rbegin(), loop.down.y.rend());
  std::vector<io::Plot> plots;
  const auto draw = [&](const std::string& name, const std::string& title, const auto& px,
                        const auto& py) {
    out.write(name + ".csv", io::csv_text({{"input", px}, {"output", py}}));
    io::Plot plot{
        .name = name,
        .title = title,
        .x_label = a.x.empty() ? "input" : io::utf8(a.x),
        .y_label = name == "butterfly" ? (a.y.empty() ? "output" : io::utf8(a.y)) : "unfolded"};
    plot.lines.push_back({name + ".csv", "1", "2", ""});
    plots.push_back(std::move(plot));
  };
  draw("butterfly", io::utf8(a.file), x, y);
  if (simple) draw("loop", "unfolded", simple->x, simple->y);
  if (fit) {
    const MeasuredRun run{simple->x, simple->y};
    write_models(*fit, std::span(&run, 1), out);
  }
  finish_loops(out, plots, summary);
}

int butterfly(const ButterflyArguments& a) {
  if (a.map != "quadratic" && a.map != "absolute")
    throw io::InputError("--map " + a.map + " is not allowed, it must be quadratic or absolute");
  if (a.each && a.map != "quadratic")
    throw io::InputError("--each has no meaning with --map absolute, only with quadratic");
  const LoopColumns columns = loop_columns(a.file, a.x, a.y);
  const LoopBranches loop = branches_of(a, columns);
  ordered_json j{{"file", io::utf8(a.file)}, {"columns", columns.json()}};
  j["loop"] = as_json(classify(loop));
  const Theorem valley =
                    theorem_5_3_3(loop, true, a.each ? std::max(0.1, a.tolerance) : a.tolerance),
                peak =
                    theorem_5_3_3(loop, false, a.each ? std::max(0.1, a.tolerance) : a.tolerance);
  std::unique_ptr<Unfolded> simple;
  std::unique_ptr<LoopFit> fit;
  if (valley.applies || peak.applies) {
    const Theorem& t = valley.applies ? valley : peak;
    simple = std::make_unique<Unfolded>(take_apart(a, loop, valley.applies));
    j["unfolds"] = {{"map", a.map},
                    {"opens", valley.applies ? "up" : "down"},
                    {"extremes_at", t.places},
                    {"extreme_gap", simple->extreme_gap},
                    {"jump", simple->jump}};
    if (a.plays > 0) {
      const MeasuredRun run{simple->x, simple->y};
      const std::span one(&run, 1);
      const Loop shape = polygon_loop(run.input, run.output);
      const double part = shape.area / (shape.width * shape.height);
      fit = std::make_unique<LoopFit>(fit_loops(one, part, a.plays, true));
      j["fit"] = fit_json(*fit, std::span(&run, 1));
    }
  } else {
    j["does_not_unfold"] = {{"with_a_valley", valley.why}, {"with_a_peak", peak.why}};
  }
  if (!a.out.empty()) write(a, loop, simple.get(), fit.get(), j);
  const int code = fit && !fit->explains() ? io::fit_unfinished : io::success;
  if (a.json) {
    fmt::print("{}\n", j.dump(2));
    return code;
  }
  fmt::print("{}", columns.words());
  fmt::print("{}: {}\n", a.file, j["loop"]["kind"].get<std::string>());
  for (const auto& l : j["loop"]["lobes"])
    fmt::print("  lobe from {:g} to {:g}: area {:.6g}, {}\n", l["from"].get<double>(),
               l["to"].get<double>(), l["area"].get<double>(), l["orientation"].get<std::string>());
  if (simple) {
    const auto& u = j["unfolds"];
    fmt::print(
        "  unfolds by a {} map that opens {}: extremes at {:g} and {:g}, {:.2g} of the "
        "height apart, jump {:.3g}\n",
        a.map, u["opens"].get<std::string>(), u["extremes_at"][0].get<double>(),
        u["extremes_at"][1].get<double>(), simple->extreme_gap, simple->jump);
    if (fit) print_fit(j["fit"]);
  } else {
    fmt::print("  does not unfold: with a valley {}; with a peak {}\n", valley.why, peak.why);
  }
  if (!a.out.empty()) fmt::print("results: {}\n", a.out);
  return code;
}

}  // namespace

void add_butterfly(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "butterfly",
      "Classify a measured butterfly loop, unfold it, and fit and invert the simple loop");
  auto a = std::make_shared<ButterflyArguments>();
  command->add_option("file", a->file, "CSV with one period of input and output")->required();
  command->add_option("--x", a->x, "column of the input, default the first")->type_name("NAME");
  command->add_option("--y", a->y, "column of the output, default the second")->type_name("NAME");
  command->add_option("--map", a->map, "map to unfold by: quadratic (default) or absolute")
      ->type_name("MAP");
  command->add_option("--a", a->a, "its size: a (y - centre)^2 or a |y - centre|, default 1")
      ->type_name("A")
      ->check(a_number(positive));
  command->add_flag("--each", a->each, "use one map per direction, if the extremes differ");
  command->add_flag("--falling", a->falling, "unfold to a simple loop that falls with the input");
  command
      ->add_option(
          "--tolerance", a->tolerance,
          "tolerance relative to the height: by it extremes may differ and branches step back")
      ->type_name("T")
      ->check(a_number({0.0, 0.5}));
  command->add_option("--fit", a->plays, "fit N plays under a tanh, or N stops if clockwise")
      ->type_name("N")
      ->check(a_whole_number(1, 500));
  command->add_option("--out", a->out, "directory for pictures, loops, models and a summary")
      ->type_name("DIR");
  command->add_flag("--json", a->json, "print everything as JSON");
  command->footer(
      "A butterfly with two equal minima (or maxima) is the image of a simple loop under a map "
      "with "
      "a\nvalley (or a peak). Unfolded, the loop can be fitted and inverted as any other.\n"
      "Closed curves and maps as formulas go in a file with [curve] and [map], for bristle run.\n"
      "Examples:\n"
      "  bristle butterfly strain.csv --x current --y strain --fit 20 --out actuator\n"
      "  bristle butterfly strain.csv --each --json");
  command->callback([&action, a] { action = [a] { return butterfly(*a); }; });
}

}  // namespace bristle::cli
