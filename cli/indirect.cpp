// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "bristle/analysis/indirect_force.hpp"
#include "bristle/io/errors.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

struct IndirectArguments {
  std::string file, time = "time", position = "position", velocity, acceleration, base, out;
  BaseExcitedMass body;
  SmoothingOptions smoothing;
};

int indirect(const IndirectArguments& a) {
  MeasuredSignals s;
  std::vector<io::WantedColumn> wanted;
  std::vector<std::vector<double>*> into;
  const auto want = [&](const char* name, const char* unit, const std::string& asked,
                        auto& column) {
    if (asked.empty()) return;
    wanted.push_back({{name, {unit}, std::string("--") + name}, asked});
    into.push_back(&column);
  };
  want("time", "s", a.time, s.time);
  want("position", "m", a.position, s.position);
  want("velocity", "m/s", a.velocity, s.velocity);
  want("acceleration", "m/s2", a.acceleration, s.body_acceleration);
  want("base", "m", a.base, s.base);
  io::ReadColumns read = io::read_columns(a.file, wanted);
  say_notes(read.notes);
  for (std::size_t i = 0; i < into.size(); ++i) *into[i] = std::move(read.values[i]);
  IndirectForce f;
  try {
    f = indirect_force(a.body, s, a.smoothing);
  } catch (const InvalidInput& error) {
    throw io::InputError(a.file + ": " + error.what());
  }
  const std::string how = fmt::format("polynomials of degree {} over {} samples",
                                      a.smoothing.degree, 2 * int(a.smoothing.half_width) + 1);
  nlohmann::ordered_json summary{
      {"file", io::utf8(a.file)},
      {"mass", a.body.mass},
      {"spring", a.body.spring},
      {"damping", a.body.damping},
      {"velocity", a.velocity.empty() ? "differentiated by " + how : "measured"},
      {"acceleration", a.acceleration.empty() ? "differentiated by " + how : "measured"}};
  io::ResultDirectory out(a.out);
  out.write("friction.csv", io::csv_text({{"time", f.time},
                                          {"velocity", f.velocity},
                                          {"acceleration", f.body_acceleration},
                                          {"force", f.force}}));
  io::Plot plot;
  plot.name = "friction";
  plot.title = "Friction force from measured signals";
  plot.x_label = "velocity v [m/s]";
  plot.y_label = "friction force F [N]";
  plot.lines.push_back({"friction.csv", "($2)", "($4)", ""});
  finish_loops(out, {plot}, summary);
  for (const auto& r : read.readings) fmt::print("  {}\n", r.words());
  fmt::print("{} samples; velocity {}, acceleration {}\nresults: {}/friction.csv\n", f.time.size(),
             summary["velocity"].get<std::string>(), summary["acceleration"].get<std::string>(),
             a.out);
  return io::success;
}

}  // namespace

void add_indirect(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "indirect",
      "Friction force of a measured oscillator: F = -(mass y'' + spring x + damping v)");
  auto a = std::make_shared<IndirectArguments>();
  a->out = "out/indirect";
  command->add_option("file", a->file, "CSV with even samples")->required();
  command->add_option("--time", a->time, "column of time, default time")->type_name("NAME");
  command->add_option("--position", a->position, "displacement against the base, default position")
      ->type_name("NAME");
  command->add_option("--velocity", a->velocity, "its velocity; without, it is differentiated")
      ->type_name("NAME");
  command
      ->add_option("--acceleration", a->acceleration,
                   "acceleration of the mass; without, that of position + base is taken")
      ->type_name("NAME");
  command->add_option("--base", a->base, "motion of the base")->type_name("NAME");
  command->add_option("--mass", a->body.mass, "mass [kg], default 3.35")
      ->type_name("KG")
      ->check(a_number());
  command->add_option("--spring", a->body.spring, "stiffness [N/m], default 5040")
      ->type_name("N/M")
      ->check(a_number());
  command->add_option("--damping", a->body.damping, "viscous damping [N s/m], default 16.85")
      ->type_name("N S/M")
      ->check(a_number());
  command
      ->add_option("--half-width", a->smoothing.half_width,
                   "samples on either side of the differentiator, default 8")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--degree", a->smoothing.degree, "degree of its polynomials, default 4")
      ->type_name("N")
      ->check(a_number());
  command->add_option("--out", a->out, "result directory, default out/indirect")->type_name("DIR");
  command->footer(
      "The differentiator fits polynomials by least squares and has no delay; what is faster than "
      "its\nwindow is smoothed away. Examples:\n"
      "  bristle indirect rig.csv --velocity lvt --acceleration accelerometer\n"
      "  bristle indirect out/h_8_periodic/smooth.csv --base input --half-width 4");
  command->callback([&action, a] { action = [a] { return indirect(*a); }; });
}

}  // namespace bristle::cli
