// SPDX-License-Identifier: MIT
// The columns of a case and what their axes are called.
#include <algorithm>
#include <map>

#include "bristle/analysis/mean_curve.hpp"
#include "quantities.hpp"

namespace bristle::io {

const std::vector<std::string>& column_names() {
  static const auto names = [] {
    std::vector<std::string> all{
        "time",     "input",     "position",       "velocity",   "state",
        "force",    "mode",      "work_in",        "dissipated", "stored",
        "height",   "stretch",   "moving_average", "output",     "area",
        "distance", "speed",     "recovered",      "image",      "unfolded",
        "x",        "y",         "frequency",      "gain",       "phase",
        "rising",   "falling",   "unfolded_each",  "identified", "identified_image",
        "place",    "roughness", "correlation",    "expected"};
    Case rig;
    rig.mechanism = Rig{};
    for (const auto& name : oscillator_columns(rig)) all.push_back(name);
    return all;
  }();
  return names;
}

std::vector<std::string> columns_of(const Case& c, const CaseResult& r) {
  switch (c.kind) {
    case CaseKind::steady: return {"velocity", "force"};
    case CaseKind::bode: return {"frequency", "gain", "phase"};
    case CaseKind::curve: {
      std::vector<std::string> names{"x", "y", "image"};
      if (!r.folded.rising.empty()) names.insert(names.end(), {"rising", "falling"});
      return names;
    }
    case CaseKind::machine: {
      std::vector<std::string> names;
      for (const Column& one : bristle::columns_of(*c.machine)) names.push_back(one.name);
      return names;
    }
    case CaseKind::surface: return {"place", "roughness", "correlation", "expected"};
    case CaseKind::system: {
      std::vector<std::string> names{"time", "input", "output", "area"};
      if (!r.response.second.empty()) names.emplace_back(c.system->second_name());
      if (c.map) names.insert(names.end(), {"image", "unfolded"});
      if (c.map_down) names.emplace_back("unfolded_each");
      if (r.identified) names.emplace_back("identified");
      if (r.identified && c.map) names.emplace_back("identified_image");
      return names;
    }
    default: break;
  }
  std::vector<std::string> names{"time",  "input", "position", "velocity",   "state",
                                 "force", "mode",  "work_in",  "dissipated", "stored"};
  if (!r.run.trajectory.height.empty()) names.push_back("height");
  // By what the case is, not by what it holds: names are also asked for before a run.
  const auto own = oscillator_columns(c);
  names.insert(names.end(), own.begin(), own.end());
  return names;
}

const std::vector<double>* held_column(const Case& c, const CaseResult& r,
                                       const std::string& name) {
  if (c.kind == CaseKind::machine)
    for (const Column& one : r.machine.columns)
      if (one.name == name) return &one.values;
  if (c.kind != CaseKind::run) return nullptr;
  const Trajectory& t = r.run.trajectory;
  const std::pair<std::string_view, const std::vector<double>*> held[]{
      {"time", &t.time},
      {"input", &t.input},
      {"position", &t.position},
      {"velocity", &t.velocity},
      {"state", &t.state},
      {"force", &t.force},
      {"mode", &t.mode},
      {"work_in", &t.work_in},
      {"dissipated", &t.dissipated},
      {"stored", &t.stored},
      {"friction_work", &t.friction_work}};
  for (const auto& [own, values] : held)
    if (own == name) return values;
  return name == "height" && !t.height.empty() ? &t.height : nullptr;
}

std::vector<double> column(const Case& c, const CaseResult& result, const std::string& name) {
  if (const auto* held = held_column(c, result, name)) return *held;
  const Trajectory& t = result.run.trajectory;
  if (c.kind == CaseKind::steady)
    return name == "velocity" ? result.curve.velocity : result.curve.force;
  if (c.kind == CaseKind::bode)
    return name == "frequency" ? result.bode.frequency
           : name == "gain"    ? result.bode.gain
                               : result.bode.phase;
  if (c.kind == CaseKind::curve)
    return name == "x"         ? result.folded.x
           : name == "y"       ? result.folded.y
           : name == "rising"  ? result.folded.rising
           : name == "falling" ? result.folded.falling
                               : result.folded.image;
  if (c.kind == CaseKind::machine) return {};
  if (c.kind == CaseKind::surface)
    return name == "place"         ? result.surface.place
           : name == "roughness"   ? result.surface.roughness
           : name == "correlation" ? result.surface.correlation
                                   : result.surface.expected;
  if (c.kind == CaseKind::system) return system_column(c, result, name);
  if (name.ends_with("acceleration") || name.starts_with("body_") || name == "transducer" ||
      name == "indirect_force")
    return oscillator_column(c, t, name);
  if (name == "height") return std::vector<double>(t.size(), 0.0);
  if (name == "moving_average") return moving_average(t.state, moving_average_weight);
  std::vector<double> stretch(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) stretch[i] = t.input[i] - t.position[i];
  return stretch;
}

namespace {

const std::map<std::string, std::string>& column_labels() {
  static const std::map<std::string, std::string> labels{
      {"time", "time [s]"},
      {"position", "position x [m]"},
      {"velocity", "velocity v [m/s]"},
      {"state", "bristle state z [m]"},
      {"force", "friction force F [N]"},
      {"mode", "mode"},
      {"work_in", "work in [J]"},
      {"dissipated", "dissipated [J]"},
      {"stored", "stored [J]"},
      {"height", "height y [m]"},
      {"moving_average", "moving average of the angles [rad]"},
      {"stretch", "stretch of the spring l [m]"},
      {"output", "output y"},
      {"area", "integral of output over input"},
      {"distance", "distance of the ends q [m]"},
      {"recovered", "recovered input"},
      {"speed", "speed [m/s]"},
      {"frequency", "angular frequency [rad/s]"},
      {"acceleration", "acceleration v' [m/s2]"},
      {"body_acceleration", "acceleration of the mass [m/s2]"},
      {"friction_work", "work of friction [J]"},
      {"gain", "gain from velocity to force [N s/m]"},
      {"phase", "phase [deg]"},
      {"image", "image of the output f(y)"},
      {"unfolded", "unfolded image"},
      {"unfolded_each", "image unfolded by one map per direction"},
      {"identified", "output of the identified model"},
      {"identified_image", "image of the identified model"},
      {"place", "velocity, or distance between two of them [m/s]"},
      {"roughness", "random part of the friction coefficient"},
      {"correlation", "autocorrelation over the draws"},
      {"expected", "exp(-lambda distance)"},
      {"indirect_force", "friction force by (5.3) [N]"},
      {"transducer", "force of the transducer [N]"},
      {"body_position", "displacement of the mass [m]"},
      {"body_velocity", "velocity of the mass [m/s]"},
      {"rising", "rising loop y"},
      {"falling", "falling loop y"},
      {"x", "x"},
      {"y", "y"}};
  return labels;
}

}  // namespace

std::string column_words(const std::string& name) {
  const auto at = column_labels().find(name);
  return at == column_labels().end() ? name : at->second;
}

std::string axis_label(const Case& c, const CaseResult& result, const std::string& name) {
  if (c.kind == CaseKind::machine) {
    for (const Column& one : bristle::columns_of(*c.machine))
      if (one.name == name) return name + (one.unit.empty() ? "" : " [" + one.unit + "]");
    return name;
  }
  if (c.system && c.law && name == "output") return "friction force F [N]";
  if (c.system && c.law && name == "input")
    return c.rolling == RollingKind::wheel ? "brake torque [N m]" : "slip velocity v [m/s]";
  if (c.kind == CaseKind::system && name == "input") return "input u";
  if (name == "state" && c.law && c.law->name() == "drbm") return "sum of the angles [rad]";
  // An arm turns.
  if (c.as<Pendulum>()) {
    static const std::map<std::string, std::string> turning{{"position", "angle q [rad]"},
                                                            {"velocity", "velocity v [rad/s]"},
                                                            {"state", "bristle state z [rad]"},
                                                            {"force", "friction torque F [N m]"},
                                                            {"input", "torque u [N m]"}};
    if (const auto label = turning.find(name); label != turning.end()) return label->second;
  }
  if (name == "input") {
    const std::string& input = result.run.trajectory.input_name;
    return input == "input_force"     ? "input force u [N]"
           : input == "command"       ? "command OP [%]"
           : input == "base_position" ? "motion of the base e [m]"
           : input == "drag_position" ? "drag position y [m]"
                                      : "displacement u [m]";
  }
  return column_labels().at(name);
}

}  // namespace bristle::io
