// SPDX-License-Identifier: MIT
// `bristle loop FILE.toml`: the maps of the systems in a file.
#include "loop_map.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/analysis/io_map.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/measure.hpp"
#include "loop_files.hpp"

namespace bristle::cli {

using nlohmann::ordered_json;

int loop_of_file(const std::string& file, const std::string& directory, bool json) {
  const io::Experiment experiment = io::read_experiment(file);
  ordered_json j{{"file", io::utf8(file)}, {"loops", ordered_json::array()}};
  std::vector<PeriodicMap> maps;
  for (const auto& c : experiment.cases) {
    Signal input;
    const auto system = io::system_of(c, input);
    if (!system || c.period <= 0.0) continue;
    input.change_time = 0.0;
    PeriodicMap map = periodic_map(*system, input);
    if (map.output.empty()) continue;
    map.area *= io::area_sign(c);
    const MapProperties p = properties(*system, input);
    j["loops"].push_back({{"label", c.label},
                          {"system", system->name()},
                          {"frequency", input.frequency},
                          {"area", map.area},
                          {"orientation", map.area > 0.0 ? "clockwise" : "counterclockwise"},
                          {"height", map.height},
                          {"periods", map.periods},
                          {"closing_error", map.closing_error},
                          {"closes", map.closed},
                          {"hysteretic", words(p.hysteretic)},
                          {"rate_dependent", words(p.rate_dependent)},
                          {"memory", memory_words(p)},
                          {"return_point", words(p.return_point)},
                          {"congruent", words(p.congruent)},
                          {"open_part", p.open_area}});
    maps.push_back(map);
  }
  if (maps.empty())
    throw io::InputError(
        file +
        ": it describes no input-output map: that needs a [system], or a [model] in "
        "prescribed_motion or wall_spring_mass, with a periodic [input]");
  if (!directory.empty()) {
    io::ResultDirectory out(directory);
    io::Plot plot{
        .name = "loops", .title = experiment.title, .x_label = "input", .y_label = "output"};
    for (std::size_t i = 0; i < maps.size(); ++i) {
      const std::string name = fmt::format("loop{}.csv", i + 1);
      out.write(name, io::csv_text({{"input", maps[i].input}, {"output", maps[i].output}}));
      plot.lines.push_back({name, "1", "2", j["loops"][i]["label"].get<std::string>()});
    }
    finish_loops(out, {plot}, j);
  }
  if (json) {
    fmt::print("{}\n", j.dump(2));
    return io::success;
  }
  for (const auto& l : j["loops"]) {
    const auto text = [&](const char* key) { return l[key].get<std::string>(); };
    const std::string label = text("label");
    fmt::print("{}{}{}: area {:.8g}, {}; {} after {} periods (error {:.1e})\n", label,
               label.empty() ? "" : ", ", text("system"), l["area"].get<double>(),
               text("orientation"), l["closes"].get<bool>() ? "closed" : "not closed",
               l["periods"].get<int>(), l["closing_error"].get<double>());
    fmt::print(
        "  hysteretic {}, rate dependent {}, memory {}, return points kept {}, minor loops "
        "congruent {}\n",
        text("hysteretic"), text("rate_dependent"), text("memory"), text("return_point"),
        text("congruent"));
  }
  if (!directory.empty()) fmt::print("results: {}\n", directory);
  return io::success;
}

}  // namespace bristle::cli
