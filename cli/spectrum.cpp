// SPDX-License-Identifier: MIT
#include "bristle/analysis/spectrum.hpp"

#include <fmt/format.h>

#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/motion_kind.hpp"
#include "bristle/io/errors.hpp"
#include "commands.hpp"
#include "loop_files.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

struct SpectrumArguments {
  std::string file, column, time = "time", velocity, out;
  std::vector<double> drive;
  double beat = 0.0;
  bool json = false;
};

// The kind of the motion by its section: one point per drive period, with velocity or neighbour.
nlohmann::ordered_json motion(const SpectrumArguments& a, const io::ReadColumns& read) {
  const auto &time = read.values[0], &x = read.values[1];
  const double step = even_step(time);
  std::vector<double> y;
  if (!a.velocity.empty()) {
    y = read.values[2];
  } else {
    y = smoothed(x, step, 1, {.half_width = 2.0, .degree = 4.0});
  }
  const Section section = strobe(time, x, y, a.beat, time.front());
  MotionOptions o;
  const Range range = range_of(x);
  o.width = range.most - range.least;
  const MotionVerdict v = classify_motion(section, o);
  nlohmann::ordered_json j{{"kind", words(v.kind)}, {"points", section.x.size()}};
  if (v.beats > 0) j["beats"] = v.beats;
  else {
    j["chaos"] = v.chaos;
    if (section.x.size() >= 200)
      j["series_exponent"] = series_exponent(section.x, a.beat, {.follow = 5});
  }
  return j;
}

int spectrum_command(const SpectrumArguments& a) {
  std::vector<io::WantedColumn> wanted{{{"time", {"s"}, "--time"}, a.time},
                                       {{"column", {}, "--column"}, a.column}};
  if (!a.velocity.empty()) wanted.push_back({{"velocity", {}, "--velocity"}, a.velocity});
  const io::ReadColumns read = io::read_columns(a.file, wanted);
  say_notes(read.notes);
  const auto &time = read.values[0], &x = read.values[1];
  const std::string& name = read.readings[1].column;
  nlohmann::ordered_json summary{{"file", io::utf8(a.file)}, {"column", name}};
  Spectrum s;
  try {
    s = spectrum(time, x, a.drive);
    if (a.beat > 0.0) summary["motion"] = motion(a, read);
  } catch (const InvalidInput& error) {
    throw io::InputError(a.file + ": " + error.what());
  }
  if (const Range range = range_of(x); range.least == range.most && x.size() > 1)
    throw io::InputError(fmt::format("{}: column '{}' is {} in every row, it has no spectrum",
                                     io::utf8(a.file), name, range.least));
  summary["samples"] = x.size();
  summary["resolution"] = s.resolution;
  summary["variance"] = s.variance;
  summary["dominant_peaks"] = s.dominant();
  summary["peaks"] = nlohmann::ordered_json::array();
  for (const auto& p : s.peaks)
    summary["peaks"].push_back(
        {{"frequency", p.frequency}, {"amplitude", p.amplitude}, {"name", p.name}});
  if (!a.out.empty()) {
    io::ResultDirectory out(a.out);
    out.write(
        "spectrum.csv",
        io::csv_text({{"frequency", s.frequency}, {"amplitude", s.amplitude}, {"power", s.power}}));
    io::Plot plot;
    plot.name = "spectrum";
    plot.title = "Power spectrum of " + name;
    plot.x_label = "frequency [Hz]";
    plot.y_label = "power of " + name;
    plot.log_y = true;
    plot.lines.push_back({"spectrum.csv", "($1)", "($3)", name});
    finish_loops(out, {plot}, summary);
  }
  if (a.json) {
    fmt::print("{}\n", summary.dump(2));
    return io::success;
  }
  for (const auto& r : read.readings) fmt::print("  {}\n", r.words());
  fmt::print("{} samples, lines {:.6g} Hz apart\n  frequency [Hz]  amplitude\n", x.size(),
             s.resolution);
  for (std::size_t i = 0; i < std::min<std::size_t>(s.peaks.size(), 12); ++i)
    fmt::print("  {:<14.7g}  {:<12.6g}  {}\n", s.peaks[i].frequency, s.peaks[i].amplitude,
               s.peaks[i].name);
  if (a.beat > 0.0) {
    const auto& m = summary["motion"];
    fmt::print("  motion: {}", m["kind"].get<std::string>());
    if (m.contains("beats")) fmt::print(", repeats after {} beats", m["beats"].get<int>());
    else fmt::print(", K = {:.3f} by the 0-1 test", m["chaos"].get<double>());
    if (m.contains("series_exponent"))
      fmt::print(", exponent of the series {:.3g} 1/s", m["series_exponent"].get<double>());
    fmt::print("\n");
  }
  if (!a.out.empty()) fmt::print("results: {}/spectrum.png\n", a.out);
  return io::success;
}

}  // namespace

void add_spectrum(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand(
      "spectrum", "Spectrum of a column with its peaks named, and the kind of its motion");
  auto a = std::make_shared<SpectrumArguments>();
  command->add_option("file", a->file, "CSV with even samples")->required();
  command->add_option("--column", a->column, "column")->required()->type_name("NAME");
  command->add_option("--time", a->time, "column of time, default time")->type_name("NAME");
  command->add_option("--drive", a->drive, "one or two frequencies that peaks are named after [Hz]")
      ->expected(1, 2)
      ->delimiter(',')
      ->check(a_number(positive, "Hz"))
      ->type_name("F1[,F2]");
  command
      ->add_option("--beat", a->beat,
                   "drive period [s]: classify the motion by its samples once per period")
      ->type_name("S")
      ->check(a_number(positive, "s"));
  command->add_option("--velocity", a->velocity, "column of the velocity, for the section")
      ->type_name("NAME");
  command->add_option("--out", a->out, "result directory")->type_name("DIR");
  command->add_flag("--json", a->json, "print as JSON");
  command->footer(
      "A peak n f1 + m f2 is named so for |n| + |m| up to 9. Examples:\n"
      "  bristle spectrum out/h_9_multi_periodic/smooth.csv --column position --drive 8,16\n"
      "  bristle spectrum measured.csv --column x --drive 10 --beat 0.1 --out spectrum");
  command->callback([&action, a] { action = [a] { return spectrum_command(*a); }; });
}

}  // namespace bristle::cli
