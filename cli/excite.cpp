// SPDX-License-Identifier: MIT
#include "bristle/identify/excite.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/model/registry.hpp"
#include "commands.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct ExciteArguments {
  std::string model, out;
  std::vector<std::string> set, fix;
  ExciteOptions options;
  bool json = false;
};

int run_excite(ExciteArguments a) {
  const Description& description = find_law(a.model).description;
  for (const auto& text : a.set) {
    const auto at = text.find('=');
    if (at == std::string::npos) throw io::InputError("--set " + text + ": must read NAME=VALUE");
    const std::string value = text.substr(at + 1);
    const auto number = io::number_in(value);
    a.options.values[text.substr(0, at)] = number ? Value(*number) : Value(value);
  }
  std::vector<std::string> names;
  for (const auto& field : description.fields) names.push_back(field.name);
  for (const auto& name : a.fix) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw io::InputError("--fix: " + not_found("parameter of " + a.model, name, names));
    a.options.fixed.insert(name);
  }
  Progress progress("searching");
  a.options.progress = [&](double part) { return progress.show(part); };
  const Excitation e = excite(a.model, a.options);
  if (interrupted()) throw io::Interrupted();
  nlohmann::ordered_json j{{"model", a.model}, {"sines", nlohmann::ordered_json::array()}};
  for (const Sine& s : e.sines)
    j["sines"].push_back(
        {{"amplitude", s.amplitude}, {"frequency_hz", s.frequency}, {"phase", s.phase}});
  for (std::size_t i = 0; i < e.deviations.size(); ++i)
    j["expected_relative_deviation"][e.deviations[i].first] = e.deviations[i].second;
  for (const auto& [name, value] : e.single) j["best_single_sine"][name] = value;
  j["gain_of_log_determinant"] = e.gain;
  if (!a.out.empty())
    io::write_text(a.out, io::csv_text({{"time", e.motion.time},
                                        {"position", e.motion.position},
                                        {"velocity", e.motion.velocity},
                                        {"expected_force", e.motion.force}}));
  if (a.json) {
    fmt::print("{}\n", j.dump(2));
    return io::success;
  }
  fmt::print("position = sum of\n");
  for (const Sine& s : e.sines)
    fmt::print("  {:.6g} m sin(2 pi {:.6g} Hz t + {:.4f})\n", s.amplitude, s.frequency, s.phase);
  fmt::print("\n  {:<22} {:>18} {:>18}\n", "expected deviation", "this motion", "best single sine");
  for (std::size_t i = 0; i < e.deviations.size(); ++i)
    fmt::print("  {:<22} {:>16.3g} % {:>16.3g} %\n", e.deviations[i].first,
               100.0 * e.deviations[i].second,
               i < e.single.size() ? 100.0 * e.single[i].second : 0.0);
  if (!a.out.empty()) fmt::print("\nmotion: {}\n", a.out);
  return io::success;
}

}  // namespace

void add_excite(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "excite", "Propose a motion from which the parameters of a law can be told");
  auto a = std::make_shared<ExciteArguments>();
  auto& o = a->options;
  command->add_option("--model", a->model, "law that is expected")->required()->type_name("NAME");
  command->add_option("--set", a->set, "a value that is expected; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_option("--fix", a->fix, "a parameter that is known; may be repeated")
      ->type_name("NAME");
  command->add_option("--stroke", o.stroke, "largest position, default 0.01")->type_name("M");
  command->add_option("--speed", o.speed, "largest velocity, default 0.1")->type_name("M/S");
  command->add_option("--acceleration", o.acceleration, "largest, default no limit")
      ->type_name("M/S2");
  command->add_option("--duration", o.duration, "default 10")->type_name("S");
  command->add_option("--rate", o.rate, "of sampling, default 1000")->type_name("HZ");
  command->add_option("--load", o.load, "normal force, default 1")->type_name("N");
  command->add_option("--noise", o.noise, "standard deviation of the force, default 0.01")
      ->type_name("N");
  command->add_option("--sines", o.sines, "how many, default 3")->type_name("N");
  command->add_option("--trials", o.trials, "of the search, default 400")
      ->type_name("N")
      ->check(CLI::Range(10, 100000));
  command->add_option("--out", a->out, "CSV for the motion")->type_name("FILE");
  command->add_flag("--json", a->json, "print as JSON");
  command->footer(
      "The determinant of the information matrix is made large over amplitudes, frequencies and\n"
      "phases of a few sines within the limits given.\nExample:\n"
      "  bristle excite --model lugre --set stiffness=1e5 --stroke 0.002 --speed 0.02 --out "
      "motion.csv");
  command->callback([&action, a] { action = [a] { return run_excite(*a); }; });
}

}  // namespace bristle::cli
