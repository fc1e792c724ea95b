// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bristle/analysis/round_trip.hpp"
#include "bristle/io/csv.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/files.hpp"
#include "bristle/io/model_file.hpp"
#include "bristle/io/part.hpp"
#include "commands.hpp"
#include "invert_part.hpp"
#include "numbers.hpp"

namespace bristle::cli {
namespace {

using nlohmann::ordered_json;

struct InvertArguments {
  std::string file, label, out, forces;
  double amplitude = 0.0;
  bool json = false;
};

const io::Case& pick_case(const io::Experiment& experiment, const std::string& label) {
  std::vector<std::string> labels;
  for (const auto& c : experiment.cases) {
    if (label.empty() ? c.kind == io::CaseKind::system : c.label == label) {
      if (c.kind == io::CaseKind::system) return c;
      throw io::InputError(experiment.path + ": case '" + label + "' has no [system] to invert");
    }
    labels.push_back(c.label);
  }
  if (label.empty())
    throw io::InputError(experiment.path +
                         ": there is no [system] to invert; a friction law is compensated, not "
                         "inverted");
  if (labels == std::vector<std::string>{""})
    throw io::InputError(experiment.path + ": has one case without a label, leave out --case " +
                         label);
  throw io::InputError(experiment.path + ": " + not_found("case", label, labels));
}

// A round trip within the limits of an inverse is exact but for rounding, or for the tolerance of
// the solver.
bool recovers(const RoundTrip& trip) { return trip.error <= 1e-6; }

int invert(const InvertArguments& a) {
  if (!a.out.empty()) io::check_output_file(a.out, a.file);
  if (io::is_part(io::read_text(a.file))) {
    if (!a.out.empty() && a.forces.empty())
      throw io::InputError("--out " + a.out +
                           ": the inverse of a part has no file of its own, --forces gives it "
                           "something to invert");
    return invert_part({a.file, a.forces, a.out, a.json});
  }
  if (!a.forces.empty())
    throw io::InputError("--forces " + a.forces + ": needs the part of a structural loop");
  const io::Experiment experiment = io::read_experiment(a.file);
  const io::Case& c = pick_case(experiment, a.label);
  SystemModel back;
  RoundTrip trip;
  const double amplitude = a.amplitude > 0.0 ? a.amplitude : c.input.scale();
  const double centre = c.input.shape == Signal::samples ? 0.0 : c.input.offset;
  try {
    back = c.system->inverse();
    trip = verify_inverse(*c.system, centre - amplitude, centre + amplitude);
  } catch (const InvalidInput& error) {
    throw io::InputError(a.file + ": " + error.what());
  }
  // The inverse is tried with the range of outputs, a little less than all of it.
  Options o;
  o.end = c.period > 0.0 ? 2.0 * c.period : 10.0;
  const auto outputs = c.system->respond(c.input, o).output;
  const auto [low, high] = std::minmax_element(outputs.begin(), outputs.end());
  const std::string text =
      io::model_text(back, "Inverse of: " + experiment.title, 0.99 * *low, 0.99 * *high);
  if (!a.out.empty()) io::write_text(a.out, text);
  if (a.json) {
    ordered_json values;
    for (const auto& [key, value] : back.values)
      std::visit([&into = values[key]](const auto& v) { into = v; }, value);
    ordered_json j{{"file", io::utf8(a.file)},
                   {"system", c.system->name()},
                   {"inverse", {{"name", back.name}, {"parameters", values}}},
                   {"exact", back.exact},
                   {"recovered", recovers(trip)},
                   {"round_trip_error", trip.error},
                   {"round_trip_inputs", trip.inputs},
                   {"round_trip_amplitude", amplitude}};
    fmt::print("{}\n", j.dump(2));
    return io::success;
  }
  fmt::print("{}: the inverse of {} is a {}\n", a.file, c.system->name(), back.name);
  fmt::print("  {}\n", back.exact);
  if (recovers(trip))
    fmt::print("  verified on {} random inputs of amplitude {:g}: recovered to {:.2g} of it\n",
               trip.inputs, amplitude, trip.error);
  else
    fmt::print(
        "  warning: {} random inputs of amplitude {:g} are not recovered, the largest error is "
        "{:.2g} of it: the limits above do not cover them (see --amplitude)\n",
        trip.inputs, amplitude, trip.error);
  if (a.out.empty()) fmt::print("\n{}", text);
  else fmt::print("inverse: {}\n", a.out);
  return io::success;
}

}  // namespace

void add_invert(CLI::App& program, Action& action) {
  auto* command =
      program.add_subcommand("invert", "Write the inverse of a hysteresis model, and verify it");
  auto a = std::make_shared<InvertArguments>();
  command->add_option("file", a->file, "file with a [system], or the part of a structural loop")
      ->required();
  command->add_option("--case", a->label, "case to invert, default the first with a system")
      ->type_name("LABEL");
  command
      ->add_option("--amplitude", a->amplitude,
                   "size of the random inputs it is verified with, default that of the file")
      ->type_name("A")
      ->check(a_number(positive));
  command->add_option("--out", a->out, "file to write; without, it is printed")->type_name("FILE");
  command
      ->add_option(
          "--forces", a->forces,
          "with a part of degrading_bouc_wen: a table of forces to convert into displacements")
      ->type_name("FILE[:COLUMN]");
  command->add_flag("--json", a->json, "print the inverse and the round trip as JSON");
  command->footer(
      "Exact in closed form: prandtl_ishlinskii (with its envelope), maxwell_slip up to its "
      "widest\n"
      "threshold. As a system: multiplay. By bracketing: preisach with weights that are not "
      "negative.\n"
      "An operator without an inverse is refused, and the slope or weight responsible is named.\n"
      "Examples:\n"
      "  bristle invert experiments/t_5_17_magnetostriction.toml --out inverse.toml\n"
      "  bristle invert experiments/t_2_6_s_shape.toml --amplitude 19\n"
      "  bristle loop data.csv --fit 20 --out fitted && bristle invert fitted/model.toml");
  command->callback([&action, a] { action = [a] { return invert(*a); }; });
}

}  // namespace bristle::cli
