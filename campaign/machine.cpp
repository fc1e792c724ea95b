// SPDX-License-Identifier: MIT
#include "machine.hpp"

#include <utility>

namespace bristle::campaign {
namespace {

Values section_of(const Machine& machine, const std::string& name) {
  const auto at = machine.find(name);
  return at == machine.end() ? Values{} : at->second;
}

Values without_name(Values values) {
  values.erase("name");
  return values;
}

// The mechanism of the given name, with its values and its signal.
AnyMechanism mechanism_of(const Machine& machine) {
  const std::string name = text(machine, "mechanism", "name");
  const Values own = without_name(section_of(machine, "mechanism"));
  const Signal signal = make<Signal>(section_of(machine, "input"));
  AnyMechanism found;
  bool known = false;
  for_each_mechanism([&]<class M>(const M&) {
    if (name != M::name) return;
    // The signal is there before the whole is checked, since a mechanism may refuse it.
    M m{};
    const Description description = describe<M>();
    refuse_unknown(description, own);
    if constexpr (requires { m.signal; }) m.signal = signal;
    assign(m, description, own);
    validate(m);
    found = m;
    known = true;
  });
  if (!known) throw InvalidInput("name", "the campaign has no mechanism '" + name + "'");
  return found;
}

std::string quoted(const Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return '"' + *word + '"';
  std::string written = words(value);
  if (std::holds_alternative<double>(value) && written.find_first_of(".e") == std::string::npos)
    written += ".0";
  return written;
}

}  // namespace

Parts assemble(const Machine& machine) {
  Parts parts;
  parts.law = make_law(text(machine, "model", "name"), without_name(section_of(machine, "model")));
  parts.mechanism = mechanism_of(machine);
  parts.options = make<Options>(section_of(machine, "solve"));
  parts.options.initial = make<Initial>(section_of(machine, "initial"));
  return parts;
}

Simulation run(const Parts& parts) {
  return std::visit([&](const auto& m) { return simulate(*parts.law, m, parts.options); },
                    parts.mechanism);
}

std::string toml_text(const Machine& machine, const std::string& title) {
  std::string out = "title = \"" + title + "\"\n";
  for (const std::string section : {"model", "mechanism", "input", "initial", "solve"}) {
    const Values values = section_of(machine, section);
    if (values.empty()) continue;
    out += "\n[" + section + "]\n";
    if (const auto name = values.find("name"); name != values.end())
      out += "name = " + quoted(name->second) + "\n";
    for (const auto& [key, value] : values)
      if (key != "name") out += key + " = " + quoted(value) + "\n";
  }
  return out;
}

double number(const Machine& machine, const std::string& section, const std::string& field,
              double otherwise) {
  const Values values = section_of(machine, section);
  const auto at = values.find(field);
  const double* found = at == values.end() ? nullptr : std::get_if<double>(&at->second);
  return found ? *found : otherwise;
}

std::string text(const Machine& machine, const std::string& section, const std::string& field) {
  const Values values = section_of(machine, section);
  const auto at = values.find(field);
  const auto* found = at == values.end() ? nullptr : std::get_if<std::string>(&at->second);
  return found ? *found : std::string();
}

}  // namespace bristle::campaign
