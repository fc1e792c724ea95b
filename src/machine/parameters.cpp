// SPDX-License-Identifier: MIT
#include "bristle/machine/parameters.hpp"

#include <algorithm>
#include <map>

#include "bristle/model/registry.hpp"

namespace bristle {

std::string unit_for(std::string_view unit, bool turning) {
  static const std::map<std::string_view, std::string_view> turned{
      {"m", "rad"},           {"m/s", "rad/s"},
      {"N", "N m"},           {"N/m", "N m/rad"},
      {"N s/m", "N m s/rad"}, {"N/s", "N m/s"},
      {"kg", "kg m2"},        {"1/m", "1/rad"},
      {"s/m", "s/rad"},       {"N per unit", "N m per unit"}};
  if (const auto both = unit.find(" or "); both != std::string_view::npos)
    return std::string(turning ? unit.substr(both + 4) : unit.substr(0, both));
  const auto at = turned.find(unit);
  return std::string(turning && at != turned.end() ? at->second : unit);
}

bool turns(const MachineParts& parts, const MotionPath& path) {
  bool any = false;
  for (const auto& [name, weight] : path.of)
    for (const auto& body : parts.bodies) {
      if (body.name != name) continue;
      if (body.body.motion != Body::rotation || std::abs(weight) != 1.0) return false;
      any = true;
    }
  return any;
}

namespace {

// "m/s or rad/s" of "m or rad"
std::string per_second(std::string unit) {
  if (unit.empty()) return unit;
  const auto both = unit.find(" or ");
  if (both != std::string::npos) unit.insert(both, "/s");
  return unit + "/s";
}

// Collects the fields of the parts, one table after the other.
class Collector {
 public:
  void begin(const char* list, const std::string& part, bool turning) {
    head_ = std::string(list) + "." + part + ".";
    turning_ = turning;
  }
  void word(const char* name, const char* meaning, std::string text) {
    all.push_back({{.name = head_ + name, .meaning = meaning}, std::move(text), false});
  }
  void table(const Description& description, const Values& values) {
    for (FieldInfo field : description.fields) {
      const Value& value = values.at(field.name);
      field.unit = unit_for(field.unit, turning_);
      field.name = head_ + field.name;
      const bool numeric = field.choices.empty();
      all.push_back({std::move(field), value, numeric});
    }
  }
  // Signals are in the unit of what they drive, "N or m" in their table.
  void signal(const Signal& signal, const char* unit) {
    Description description = describe<Signal>();
    for (FieldInfo& field : description.fields) {
      if (field.unit == "N or m") field.unit = unit;
      if (field.unit == "N/s or m/s") field.unit = per_second(unit);
    }
    const bool turning = std::exchange(turning_, false);
    table(description, values_of(signal));
    turning_ = turning;
  }

  std::vector<MachineParameter> all;

 private:
  std::string head_;
  bool turning_ = false;
};

std::string words_of(const MotionPath& path) {
  std::string text;
  for (const auto& [name, weight] : path.of) {
    text += text.empty() ? "" : weight < 0.0 ? " - " : " + ";
    if (text.empty() && weight < 0.0) text += "-";
    if (std::abs(weight) != 1.0) text += words(std::abs(weight)) + " ";
    text += name;
  }
  return text;
}

// "a, b, c"
std::string words_of(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<MachineParameter> parameters_of(const MachineParts& parts) {
  Collector c;
  for (const auto& body : parts.bodies) {
    c.begin("body", body.name, body.body.motion == Body::rotation);
    c.table(describe<Body>(), values_of(body.body));
  }
  for (const auto& drive : parts.drives) {
    c.begin("drive", drive.name, false);
    c.table(describe<DriveSettings>(), values_of(drive.settings));
    c.signal(drive.signal, drive.by_velocity() ? "m/s or rad/s" : "m or rad");
  }
  for (const auto& part : parts.couplings) {
    const bool linkage = part.coupling->kind() == AnyCoupling::Kind::linkage;
    const auto weights = part.coupling->weights();
    const MotionPath path{{{part.between[0], weights[0]}, {part.between[1], weights[1]}}};
    // The units of a linkage are its own, whichever of its bodies turn.
    c.begin("coupling", part.name, !linkage && turns(parts, path));
    c.word("kind", "kind of the coupling", std::string(part.coupling->name()));
    if (linkage) c.word("between", "bodies that are its joints", words_of(part.between));
    else c.word("between", "stretch along which it acts", words_of(path));
    c.table(part.coupling->description(), part.coupling->values());
    if (!part.signals.empty()) c.signal(part.signals[0], turns(parts, path) ? "rad" : "m");
  }
  for (const auto& part : parts.contacts) {
    c.begin("contact", part.name, turns(parts, part.path));
    c.word("law", "friction law", std::string(part.law->name()));
    c.word("between", "motion that the contact acts on", words_of(part.path));
    if (!part.across.of.empty())
      c.word("across", "motion along the second axis", words_of(part.across));
    if (!part.load_from.empty()) c.word("load_from", "gear that carries the load", part.load_from);
    const Values values = part.law->values();
    const auto known = laws();
    const auto at = std::find_if(known.begin(), known.end(), [&](const LawEntry& entry) {
      return entry.description.name == part.law->name();
    });
    Description own;
    for (const auto& [name, value] : values) own.fields.push_back({.name = name});
    c.table(at != known.end() ? at->description : own, values);
    c.table(describe<ContactSettings>(), values_of(part.settings));
  }
  for (const auto& part : parts.inputs) {
    const bool turning = turns(parts, {{{part.on, 1.0}}});
    c.begin("input", part.name, turning);
    c.word("on", "body on which it acts", part.on);
    // With a gain the signal may be a voltage, a current or a pressure.
    c.signal(part.signal, part.settings.gain != 1.0 ? "" : turning ? "N m" : "N");
    c.table(describe<InputSettings>(), values_of(part.settings));
  }
  for (const auto& part : parts.controllers) {
    const bool turning = turns(parts, {{{part.reads, 1.0}}});
    c.begin("controller", part.name, turning);
    c.word("reads", "body whose motion it measures", part.reads);
    c.word("on", "body on which it acts", part.on);
    c.table(describe<Controller>(), values_of(part.controller));
    const bool speed = part.controller.form == Controller::velocity;
    c.signal(part.reference, turning ? (speed ? "rad/s" : "rad") : speed ? "m/s" : "m");
  }
  for (const auto& part : parts.loads) {
    c.begin("load", part.name, false);
    c.word("on", "contact on which it acts", part.on);
    c.signal(part.load, "N");
  }
  return std::move(c.all);
}

namespace {

using Numbers = std::map<std::string_view, double>;  // by the names of fields

// Assigns what a table has of the numbers and takes it from them.
template <class Owner>
void assign_fields(Owner& owner, Numbers& numbers) {
  bool any = false;
  for (const auto& field : Owner::fields()) {
    const auto at = numbers.find(field.name);
    if (at == numbers.end() || !field.number) continue;
    owner.*field.number = at->second;
    numbers.erase(at);
    any = true;
  }
  if (any) validate(owner);
}

// The same for what is made anew from its values; false if none is one of them.
bool change(Values& values, Numbers& numbers) {
  bool any = false;
  for (auto& [name, value] : values) {
    const auto at = numbers.find(name);
    if (at == numbers.end() || !std::holds_alternative<double>(value)) continue;
    value = at->second;
    numbers.erase(at);
    any = true;
  }
  return any;
}

void assign(BodyPart& p, Numbers& n) { assign_fields(p.body, n); }
void assign(DrivePart& p, Numbers& n) { assign_fields(p.settings, n), assign_fields(p.signal, n); }
void assign(LoadPart& p, Numbers& n) { assign_fields(p.load, n); }
void assign(InputPart& p, Numbers& n) { assign_fields(p.settings, n), assign_fields(p.signal, n); }
void assign(ControllerPart& p, Numbers& n) {
  assign_fields(p.controller, n), assign_fields(p.reference, n);
}
void assign(CouplingPart& p, Numbers& n) {
  Values values = p.coupling->values();
  if (change(values, n)) p.coupling = p.coupling->with(values);
  if (!p.signals.empty()) assign_fields(p.signals[0], n);
}
void assign(ContactPart& p, Numbers& n) {
  Values values = p.law->values();
  if (change(values, n)) p.law = make_law(p.law->name(), values);
  assign_fields(p.settings, n);
}

}  // namespace

void set_parameters(MachineParts& parts, const std::map<std::string, double>& values) {
  std::map<std::string_view, Numbers> by_part;  // "contact.bearing"
  for (const auto& [name, value] : values) {
    const auto last = std::min(name.rfind('.'), name.size() - 1);
    by_part[std::string_view(name).substr(0, last)][std::string_view(name).substr(last + 1)] =
        value;
  }
  for (auto& entry : by_part) {
    const std::string_view path = entry.first;
    Numbers& numbers = entry.second;
    const auto in = [&](std::string_view list, auto& all) {
      for (auto& part : all)
        if (path.starts_with(list) && path.substr(list.size()) == part.name) assign(part, numbers);
    };
    in("body.", parts.bodies);
    in("drive.", parts.drives);
    in("coupling.", parts.couplings);
    in("contact.", parts.contacts);
    in("input.", parts.inputs);
    in("controller.", parts.controllers);
    in("load.", parts.loads);
    if (numbers.empty()) continue;
    std::vector<std::string> names;
    for (const auto& one : parameters_of(parts))
      if (one.numeric && std::holds_alternative<double>(one.value)) names.push_back(one.field.name);
    const std::string wrong = std::string(path) + "." + std::string(numbers.begin()->first);
    throw InvalidInput(wrong, not_found("parameter", wrong, names));
  }
}

}  // namespace bristle
