// SPDX-License-Identifier: MIT
// A fit as a file that can be run.
#include <numbers>

#include "bristle/io/fit_report.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/version.hpp"
#include "toml_text.hpp"

namespace bristle::io {
namespace {

// The mechanism of a rollout as it was fitted: driven by the input of the first run, beside the
// file, or dragged at the mean speed of it.
std::string rollout_text(const FitSummary& f) {
  const Track& run = f.problem.runs.front();
  const bool dragged = f.problem.mechanism == DraggedMass::name;
  const double begin = run.samples.front().time, end = run.samples.back().time - begin;
  std::string text = "\n[mechanism]\nname = \"" + f.problem.mechanism + "\"\n";
  for (const auto& [name, value] : f.mechanism) text += name + " = " + toml_value(value) + "\n";
  const auto start = rollout_start(f.problem, f.x, 0);
  double position = start.position;
  if (dragged) {
    const double from = run.drive.front(), to = run.drive.back();
    text += "# The mean speed of the measured input; positions count from where it began.\n";
    text += "drag_velocity = " + toml_number((to - from) / end) + "\n";
    position -= from;
  } else {
    text += "\n[input]\nfile = \"input.csv\"\n";
  }
  return text + "\n[initial]\nposition = " + toml_number(position) +
         "\nvelocity = " + toml_number(start.velocity) + "\nstate = " + toml_number(start.state) +
         "\n\n[solve]\nend = " + toml_number(end) +
         "\n\n[[figure]]\nname = \"motion\"\nx = \"time\"\ny = \"" +
         std::string(f.problem.measured_name()) + "\"\n";
}

// Behind a value: how far it can be trusted.
std::string remark(const FitSummary& f, const std::string& name) {
  for (const auto& p : f.parameters) {
    if (p.name != name || !p.free) continue;
    const std::string doubt = doubt_words(p);
    return "  # " + std::string(p.at_bound ? "" : "95 %: ") + interval_words(p) +
           (p.unit.empty() ? "" : " " + p.unit) + (doubt.empty() || p.at_bound ? "" : ", " + doubt);
  }
  return "";
}

// Mechanics that were fitted with the law are no part of it.
std::string terms_text(const FitSummary& f) {
  std::string text;
  for (const FitParameter& one : f.problem.parameters)
    for (const auto& p : f.parameters)
      if (one.term >= 0 && p.name == one.name)
        text += "# " + p.name + " = " + toml_number(p.value) + remark(f, p.name) + "\n";
  return text.empty() ? text : "\n# Fitted beside the law, in the measured torque:\n" + text;
}

// What was fitted beside the law.
std::string bias_text(const FitSummary& f) {
  std::string text;
  for (const auto& field : describe<ForceBias>().fields)
    for (const auto& p : f.parameters)
      if (p.name == field.name && !f.values.contains(p.name))
        text += p.name + " = " + toml_number(p.value) + remark(f, p.name) + "\n";
  return text.empty() ? text : "\n[bias]\n" + text;
}

}  // namespace

std::string fit_model_text(const FitSummary& f) {
  const DataScales data = scales_of(f.problem.runs);
  std::string text =
      "title = \"" + f.law + ", fitted\"\n# Written by bristle " + std::string(version) + ".\n";
  text += "\n[model]\nname = \"" + f.law + "\"\n";
  if (!f.unusable.empty()) text += "# Nobody should use this fit: " + f.unusable + ".\n";
  for (const auto& field : find_law(f.law).description.fields)
    text += field.name + " = " + toml_value(f.values.at(field.name)) + remark(f, field.name) + "\n";
  text += terms_text(f) + bias_text(f);
  if (f.problem.kind == FitKind::rollout) return text + rollout_text(f);
  const double amplitude = 0.5 * data.longest;
  const double frequency = amplitude > 0.0 ? data.fastest / amplitude : 1.0;
  text += "\n[mechanism]\nname = \"prescribed_motion\"\nload = " +
          toml_number(std::max(data.load, 1e-9)) +
          "\n\n[input]\nshape = \"sine\"\namplitude = " + toml_number(amplitude) +
          "\nfrequency = " + toml_number(frequency) +
          "\n\n[solve]\nend = " + toml_number(6.0 * std::numbers::pi / frequency) +
          "\n\n[[figure]]\nname = \"loop\"\nx = \"input\"\ny = \"force\"\n";
  return text;
}

}  // namespace bristle::io
