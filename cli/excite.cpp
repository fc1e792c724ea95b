// SPDX-License-Identifier: MIT
#include "bristle/identify/excite.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/part.hpp"
#include "bristle/model/registry.hpp"
#include "commands.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace bristle::cli {
namespace {

struct ExciteArguments {
  std::string model, out, part;
  std::optional<double> stroke, speed, noise, load;
  std::vector<std::string> set, fix;
  ExciteOptions options;
  bool json = false;
};

// The law of a part, its values and what is known of them; limits and noise, unless given, are what
// its data have seen.
io::Part begin_from(ExciteArguments& a) {
  const io::Part part = io::read_part(a.part);
  if (part.kind != "law")
    throw io::InputError("--part " + a.part + ": is that of a machine, a law is needed");
  if (!a.model.empty() && a.model != part.law)
    throw io::InputError("--model " + a.model + " and --part " + a.part +
                         " contradict each other: the part is of the law " + part.law);
  a.model = part.law;
  a.options.values = part.values();
  for (const io::PartParameter& p : part.parameters) {
    if (p.fitted) a.options.known.push_back(p.name);
    else if (p.of == "law") a.options.fixed.insert(p.name);
  }
  a.options.covariance = part.value_covariance();
  if (const auto* seen = part.range("position")) a.options.stroke = 0.5 * (seen->to - seen->from);
  if (const auto* seen = part.range("speed")) a.options.speed = seen->to;
  if (const auto* seen = part.range("load")) a.options.load = 0.5 * (seen->from + seen->to);
  double squares = 0.0, samples = 0.0;
  for (const io::PartRun& r : part.runs) {
    if (r.quantity != "force" || r.fitted.samples == 0) continue;
    squares += double(r.fitted.samples) * r.fitted.rmse * r.fitted.rmse;
    samples += double(r.fitted.samples);
  }
  if (squares > 0.0) a.options.noise = std::sqrt(squares / samples);
  return part;
}

// The interval of a parameter before and after the motion.
void print_intervals(const io::Part& part, const Excitation& e) {
  constexpr double z = 1.959963984540054;
  fmt::print("\n  {:<22} {:>13} {:<10} {:<26} {:<26}\n", "parameter", "value", "unit",
             "95 % interval before", "expected with this motion");
  for (const auto& [name, relative] : e.deviations) {
    const io::PartParameter* p = part.find(name);
    if (!p) continue;
    const double size = std::abs(p->value) * relative;
    const bool wide = !(z * relative < std::log(1e6));
    const std::string after =
        p->value == 0.0 || wide ? "no limit"
        : p->logarithmic
            ? fmt::format("{:.5g} to {:.5g}", p->value * std::exp(-z * relative),
                          p->value * std::exp(z * relative))
            : fmt::format("{:.5g} to {:.5g}", p->value - z * size, p->value + z * size);
    fmt::print("  {:<22} {:>13.6g} {:<10} {:<26} {:<26} {}\n", name, p->value, p->unit,
               !p->fitted    ? "held"
               : p->at_bound ? "at a bound"
                             : fmt::format("{:.5g} to {:.5g}", p->lower, p->upper),
               after, p->fitted && !p->determined ? "not determined before" : "");
  }
}

int run_excite(ExciteArguments a) {
  io::Part part;
  if (!a.part.empty()) part = begin_from(a);
  if (a.model.empty())
    throw io::InputError("--model: is needed, the law that is expected, or --part");
  if (!a.out.empty()) io::check_output_file(a.out, a.part);
  for (const auto& [given, into] : {std::pair{&a.stroke, &a.options.stroke},
                                    {&a.speed, &a.options.speed},
                                    {&a.noise, &a.options.noise},
                                    {&a.load, &a.options.load}})
    if (*given) *into = **given;
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
  const auto* way = part.range("position");
  fmt::print("position = sum of\n");
  constexpr double turn = 2.0 * std::numbers::pi;
  for (const Sine& s : e.sines)
    fmt::print("  {:.6g} {} sin(2 pi {:.6g} Hz t + {:.4f})\n", s.amplitude, way ? way->unit : "m",
               s.frequency, s.phase - turn * std::floor(s.phase / turn));
  fmt::print("\n  {:<22} {:>18} {:>18}\n", "expected deviation", "this motion", "best single sine");
  for (std::size_t i = 0; i < e.deviations.size(); ++i)
    fmt::print("  {:<22} {:>16.3g} % {:>16.3g} %\n", e.deviations[i].first,
               100.0 * e.deviations[i].second,
               i < e.single.size() ? 100.0 * e.single[i].second : 0.0);
  if (!a.part.empty()) print_intervals(part, e);
  if (!a.out.empty()) fmt::print("\nmotion: {}\n", a.out);
  return io::success;
}

}  // namespace

void add_excite(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "excite", "Design an excitation: a motion that determines the parameters of a law");
  auto a = std::make_shared<ExciteArguments>();
  auto& o = a->options;
  command->add_option("--model", a->model, "expected law")->type_name("NAME");
  command
      ->add_option("--part", a->part,
                   "the result of a fit: its law, its values and their covariance; limits and "
                   "noise are those of its data unless given")
      ->type_name("FILE");
  command->add_option("--set", a->set, "expected value of a parameter; may be repeated")
      ->type_name("NAME=VALUE");
  command
      ->add_option("--fix", a->fix,
                   "a parameter that is known and not to be fitted; may be repeated")
      ->type_name("NAME");
  command->add_option("--stroke", a->stroke, "largest position, default 0.01")
      ->type_name("M")
      ->check(a_number());
  command->add_option("--speed", a->speed, "largest velocity, default 0.1")
      ->type_name("M/S")
      ->check(a_number());
  command->add_option("--acceleration", o.acceleration, "largest acceleration, default no limit")
      ->type_name("M/S2")
      ->check(a_number());
  command->add_option("--duration", o.duration, "duration of the motion, default 10")
      ->type_name("S")
      ->check(a_number());
  command->add_option("--rate", o.rate, "sampling rate, default 1000")
      ->type_name("HZ")
      ->check(a_number());
  command->add_option("--load", a->load, "normal force, default 1")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--noise", a->noise, "standard deviation of the force, default 0.01")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--sines", o.sines, "number of sines, default 3")
      ->type_name("N")
      ->check(a_whole_number(1, 1000));
  command->add_option("--trials", o.trials, "number of motions tried by the search, default 400")
      ->type_name("N")
      ->check(a_whole_number(10, 100000));
  command->add_option("--out", a->out, "CSV for the motion")->type_name("FILE");
  command->add_flag("--json", a->json, "print as JSON");
  command->footer(
      "The search maximises the determinant of the information matrix over the amplitudes,\n"
      "frequencies and phases of a few sines within the limits. With --part the information of\n"
      "its data is added, so the motion determines what these data do not.\nExamples:\n"
      "  bristle excite --part fitted/part.toml --stroke 0.002 --duration 20 --out motion.csv\n"
      "  bristle excite --model lugre --set stiffness=1e5 --stroke 0.002 --speed 0.02 --out "
      "motion.csv");
  command->callback([&action, a] { action = [a] { return run_excite(*a); }; });
}

}  // namespace bristle::cli
