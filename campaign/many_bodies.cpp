// SPDX-License-Identifier: MIT
#include "many_bodies.hpp"

#include <cmath>

namespace bristle::campaign {
namespace {

bool chance(Random& random, double part) { return between(random, 0.0, 1.0) < part; }
double near(Random& random, double value) { return value * decades(random, -0.5, 0.5); }

std::string word(const Values& values, const std::string& field) {
  const auto at = values.find(field);
  return at == values.end() ? std::string() : std::get<std::string>(at->second);
}

// The values without those that are no fields of the part itself.
Values fields_of(const Values& values, const Description& description) {
  Values own;
  for (const auto& field : description.fields)
    if (const auto at = values.find(field.name); at != values.end()) own[field.name] = at->second;
  return own;
}
template <class T>
T part(const Values& values) {
  return make<T>(fields_of(values, describe<T>()));
}

// Laws that any machine takes; those with a list of elements have defaults of their own.
const std::vector<std::string> laws_drawn{
    "coulomb",         "lugre",    "stribeck", "dahl", "frbd",        "coulomb",
    "elasto_plastic",  "bouc_wen", "gms",      "sbm",  "regularised", "reset_integrator",
    "rotating_bristle"};

Values draw_load(Random& random, const std::string& name, const std::string& on) {
  return {{"name", name},
          {"on", on},
          {"offset", 1.0},
          {"amplitude", between(random, 0.1, 0.8)},
          {"frequency", near(random, 2.0)}};
}

std::string quoted(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return '"' + *text + '"';
  std::string written = words(value);
  if (std::holds_alternative<double>(value) && written.find_first_of(".e") == written.npos)
    written += ".0";
  return written;
}

}  // namespace

ManyBodies draw_bodies(Random& random, std::uint64_t index) {
  ManyBodies m;
  const int n = 2 + int(index % 3);
  m.pieces.push_back({"drive", {{"name", "belt"}, {"shape", "ramp"}, {"rate", near(random, 0.3)}}});
  for (int i = 0; i < n; ++i) {
    const std::string k = std::to_string(i), name = "b" + k;
    const std::string other = i == 0 ? "ground" : "b" + std::to_string(i - 1);
    m.pieces.push_back({"body", {{"name", name}, {"inertia", near(random, 1.0)}}});
    const bool play = i > 0 && chance(random, 0.2);
    Values coupling{{"name", "k" + k},
                    {"kind", play ? "backlash" : "spring_damper"},
                    {"first", name},
                    {"second", other},
                    {"stiffness", near(random, play ? 30.0 : 8.0) * decades(random, 0.0, 1.0)},
                    {"damping", near(random, 0.1)}};
    if (play) coupling["gap"] = 0.02;
    m.pieces.push_back({"coupling", coupling});
    const auto& entry = find_law(laws_drawn[(index + 5 * std::uint64_t(i)) % laws_drawn.size()]);
    m.pieces.push_back(
        {"contact",
         {{"name", "g" + k}, {"first", name}, {"second", chance(random, 0.3) ? "belt" : "ground"}},
         draw_law(random, entry)});
    if (i > 0 && chance(random, 0.5)) {
      const std::string pad = "m" + k;
      m.pieces.push_back({"contact",
                          {{"name", pad}, {"first", name}, {"second", other}},
                          {{"name", "coulomb"}, {"coulomb_force", near(random, 0.4)}}});
      if (chance(random, 0.3)) {
        m.pieces.back().values["forces"] = "per_load";
        m.pieces.push_back({"load", draw_load(random, "l" + k, pad)});
      }
    }
    m.pieces.push_back({"input",
                        {{"name", "f" + k},
                         {"on", name},
                         {"amplitude", near(random, 2.0)},
                         {"frequency", near(random, 1.5)},
                         {"phase", between(random, -3.0, 3.0)},
                         {"lag", chance(random, 0.3) ? 0.1 : 0.0}}});
  }
  m.solve = {{"end", 3.0},
             {"tolerance", decades(random, -10.0, -6.0)},
             {"samples", 101.0},
             {"step_limit", 1e5}};
  return m;
}

bristle::Machine built(const ManyBodies& machine) {
  MachineParts p;
  for (const auto& [list, v, law] : machine.pieces) {
    const std::string name = word(v, "name"), first = word(v, "first"), second = word(v, "second");
    if (list == "body") p.bodies.push_back({name, part<Body>(v)});
    if (list == "drive") p.drives.push_back({name, part<Signal>(v), part<DriveSettings>(v)});
    if (list == "input")
      p.inputs.push_back({name, word(v, "on"), part<Signal>(v), part<InputSettings>(v)});
    if (list == "load") p.loads.push_back({name, word(v, "on"), part<Signal>(v)});
    if (list == "coupling")
      p.couplings.push_back({name,
                             {first, second},
                             word(v, "kind") == "backlash" ? couple(part<Backlash>(v))
                                                           : couple(part<SpringDamper>(v))});
    if (list == "contact") {
      Values own = law;
      own.erase("name");
      p.contacts.push_back({name, bristle::between(first, second), make_law(word(law, "name"), own),
                            part<ContactSettings>(v)});
    }
  }
  return bristle::Machine(std::move(p));
}

std::string toml_text(const ManyBodies& machine, const std::string& title) {
  std::string out = "title = \"" + title + "\"\n";
  for (const auto& [list, values, law] : machine.pieces) {
    out += "\n[[" + list + "]]\n";
    for (const auto& [key, value] : values)
      if (key != "first" && key != "second") out += key + " = " + quoted(value) + "\n";
    if (values.contains("first"))
      out +=
          "between = [" + quoted(values.at("first")) + ", " + quoted(values.at("second")) + "]\n";
    if (law.empty()) continue;
    std::string fields;
    for (const auto& [key, value] : law)
      fields += (fields.empty() ? "" : ", ") + key + " = " + quoted(value);
    out += "law = { " + fields + " }\n";
  }
  out += "\n[solve]\n";
  for (const auto& [key, value] : machine.solve) out += key + " = " + quoted(value) + "\n";
  return out;
}

std::vector<Violation> violations(const bristle::Machine& machine, const Options& options,
                                  const MachineResult& run) {
  std::vector<Violation> found;
  for (const auto& column : run.columns)
    for (const double x : column.values)
      if (!std::isfinite(x)) {
        found.push_back({"finite", column.name + " is not finite", 1.0});
        break;
      }
  const auto& time = run["time"];
  if (run.summary.ok() &&
      (time.size() != std::size_t(options.samples) || time.back() != options.end))
    found.push_back({"last sample", std::to_string(time.size()) + " samples", 1.0});
  for (const auto& contact : machine.parts().contacts) {
    if (!contact.law->set_valued()) continue;
    const auto& mode = run[contact.name + ".mode"];
    const auto& velocity = run[contact.name + ".velocity"];
    for (std::size_t i = 0; i < mode.size(); ++i)
      if (mode[i] == 0.0 && velocity[i] != 0.0) {
        found.push_back({"stick",
                         contact.name + " sticks with velocity " + words(velocity[i]) +
                             " m/s at t = " + words(time[i]) + " s",
                         1.0});
        break;
      }
  }
  const double allowed = allowed_ledger_error(options.tolerance);
  const double off = run.summary.ledger.relative_error;
  if (!(off <= allowed))
    found.push_back({"ledger", "off by " + words(off) + " of the work", off / allowed});
  return found;
}

}  // namespace bristle::campaign
