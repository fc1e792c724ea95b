// SPDX-License-Identifier: MIT
#include "build_case.hpp"

#include "bristle/io/units.hpp"
#include "bristle/machine/short_forms.hpp"
#include "bristle/model/bias.hpp"
#include "bristle/system/rolling.hpp"
#include "section_values.hpp"

namespace bristle::io {
namespace {

// The signal of [input]; `unit` is that of the input in SI, "" if it has none of its own.
Signal read_input(const Sections& sections, const std::string& path, Attachments& attachments,
                  const std::string& unit = "") {
  SignalPlace place{path, path + ": [input]", end_of(sections), {}};
  if (!unit.empty() && parse_unit(unit)) place.units.push_back(unit);
  return read_signal(sections.at("input"), place, attachments);
}

template <class M>
M read_mechanism(const Sections& sections, const std::string& path, Attachments& attachments) {
  const Section& section = sections.at("mechanism");
  M mechanism = located(section, path + ": [mechanism]",
                        [&] { return make<M>(values_of(section, {"name"})); });
  if constexpr (requires { mechanism.signal; })
    mechanism.signal = read_input(sections, path, attachments, std::string(M::input_unit));
  // What a mechanism asks of its signal.
  located(sections.at("input"), path + ": [input]", [&] { return validate(mechanism), 0; });
  return mechanism;
}

// One of the sections that have the fields of a map.
MapShape read_shape(const Sections& sections, const std::string& name, const std::string& path) {
  const Section& section = sections.at(name);
  return located(section, path + ": [" + name + "]",
                 [&] { return make<MapShape>(values_of(section)); });
}

// The map of the output, if the file has one, and what goes with it.
void read_map(Case& c, const Sections& sections, const std::set<std::string>& given,
              const std::string& path) {
  if (!sections.at("map").empty() || c.kind == CaseKind::curve)
    c.map = read_shape(sections, "map", path);
  if (c.kind == CaseKind::curve) {
    refuse_section(sections, "map_down", "beside a [curve], it belongs to a [system]");
    if (given.contains("unfold")) c.unfold = read_shape(sections, "unfold", path);
    return;
  }
  refuse_section(sections, "unfold", "beside a [system], it belongs to a [curve]");
  if (!given.contains("map_down")) return;
  const auto where = [&](const std::string& name) {
    const Section& section = sections.at(name);
    return section.empty() ? path + ": [" + name + "]" : section.begin()->second.where;
  };
  if (!c.map) throw InputError(where("map_down") + ": [map_down] has no meaning without a [map]");
  c.map_down = read_shape(sections, "map_down", path);
  for (const auto& [name, shape] : {std::pair{"map", &*c.map}, {"map_down", &*c.map_down}})
    if (shape->shape != MapShape::quadratic || shape->centre != 0.0)
      throw InputError(where(name) + ": [" + name +
                       "] must be quadratic with centre 0 where there is a [map_down]");
}

// A system with an input and an output.
void build_system(Case& c, const Sections& sections, const std::set<std::string>& given,
                  const std::string& path) {
  c.kind = CaseKind::system;
  refuse_others(sections, {"system", "input", "solve", "map", "map_down", "unfold", "identify"},
                "beside a [system]");
  const Section& section = sections.at("system");
  const std::string name = text_of(section, "name", "");
  if (name.empty()) throw InputError(path + ": [system] needs a name, such as name = \"cubic\"");
  c.system = located(section, path + ": [system]",
                     [&] { return make_system(name, values_of(section, {"name"})); });
  c.options = located(sections.at("solve"), path + ": [solve]",
                      [&] { return make<Options>(values_of(sections.at("solve"))); });
  c.input = read_input(sections, path, c.attachments);
  c.period = c.input.period();
  read_map(c, sections, given, path);
  if (!given.contains("identify")) return;
  c.identification = located(sections.at("identify"), path + ": [identify]", [&] {
    return make<PlayIdentification>(values_of(sections.at("identify")));
  });
}

// A closed curve and the map that folds it.
void build_curve(Case& c, const Sections& sections, const std::set<std::string>& given,
                 const std::string& path) {
  c.kind = CaseKind::curve;
  refuse_others(sections, {"curve", "map", "map_down", "unfold"}, "beside a [curve]");
  const Section& section = sections.at("curve");
  c.curve =
      located(section, path + ": [curve]", [&] { return make<CurveShape>(values_of(section)); });
  read_map(c, sections, given, path);
}

void read_bode(Case& c, const Sections& sections, const std::string& path) {
  c.kind = CaseKind::bode;
  refuse_section(sections, "input", "for a frequency response");
  refuse_section(sections, "bias", "for a frequency response");
  refuse_section(sections, "steady", "beside a [bode]");
  c.bode = located(sections.at("bode"), path + ": [bode]",
                   [&] { return make<BodeSweep>(values_of(sections.at("bode"))); });
}

// A law distributed over a rolling contact: a system whose input is a slip velocity or a torque.
void build_rolling(Case& c, const Sections& sections, const std::set<std::string>& given,
                   const std::string& path) {
  const Section& section = sections.at("mechanism");
  refuse_section(sections, "initial", "for a rolling contact");
  refuse_section(sections, "bias", "for a rolling contact");
  std::set<std::string> wheel_fields{"name"};
  const bool wheel = c.rolling == RollingKind::wheel;
  if (wheel)
    for (const auto& field : BrakedWheel::fields()) wheel_fields.emplace(field.name);
  try {
    c.system = located(section, path + ": [mechanism]", [&] {
      PatchShape shape = make<PatchShape>(values_of(section, wheel_fields));
      if (!wheel) return patch_system(c.law, std::move(shape));
      Values own;
      for (const auto& [key, entry] : section)
        if (key != "name" && wheel_fields.contains(key)) own[key] = entry.value;
      BrakedWheel made = make<BrakedWheel>(own);
      made.patch = std::move(shape);
      return wheel_system(c.law, std::move(made));
    });
  } catch (const InvalidInput& error) {
    throw InputError(path + ": " + error.what());
  }
  if (!wheel && given.contains("bode")) return read_bode(c, sections, path);
  if (!wheel && given.contains("steady")) {
    c.kind = CaseKind::steady;
    refuse_section(sections, "input", "for a steady sweep");
    c.steady = located(sections.at("steady"), path + ": [steady]",
                       [&] { return make<SteadySweep>(values_of(sections.at("steady"))); });
    return;
  }
  refuse_section(sections, "steady", "for a wheel");
  c.kind = CaseKind::system;
  c.input = read_input(sections, path, c.attachments);
  c.period = c.input.period();
}

// What a fit found beside the law.
void read_bias(Case& c, const Sections& sections, const std::string& path) {
  const Section& section = sections.at("bias");
  if (section.empty()) return;
  c.law = located(section, path + ": [bias]",
                  [&] { return biased(c.law, make<ForceBias>(values_of(section))); });
}

// The random part of a force alone.
void build_surface(Case& c, const Sections& sections, const std::string& path) {
  c.kind = CaseKind::surface;
  for (const char* other : {"model", "mechanism", "input", "initial", "solve", "steady", "bode",
                            "system", "curve", "map", "map_down", "unfold", "identify", "bias"})
    refuse_section(sections, other, "beside a [surface]");
  const Section& roughness = sections.at("roughness");
  c.roughness = located(roughness, path + ": [roughness]",
                        [&] { return make<Roughness>(values_of(roughness)); });
  c.surface = located(sections.at("surface"), path + ": [surface]",
                      [&] { return make<SurfaceSweep>(values_of(sections.at("surface"))); });
}

}  // namespace

Case build_case(const std::string& label, const Sections& sections,
                const std::set<std::string>& given, const std::vector<MachineEntry>& machine,
                const std::string& path) {
  Case c;
  c.label = label;
  for (const auto& [name, section] : sections)
    if (!section.empty()) c.sections[name] = values_of(section);
  if (!machine.empty()) return build_machine(c, sections, machine, path), c;
  if (given.contains("surface")) return build_surface(c, sections, path), c;
  if (given.contains("system")) return build_system(c, sections, given, path), c;
  if (given.contains("curve")) return build_curve(c, sections, given, path), c;
  for (const char* other : {"map", "map_down", "unfold", "identify"})
    refuse_section(sections, other, "without a [system] or a [curve]");

  const Section& model = sections.at("model");
  const std::string law = text_of(model, "name", "");
  if (law.empty()) throw InputError(path + ": [model] needs a name, such as name = \"lugre\"");
  refuse_section(sections, "roughness", "without a [surface]");
  c.law =
      located(model, path + ": [model]", [&] { return make_law(law, values_of(model, {"name"})); });
  if (!c.law->single() && !c.law->block(1))
    throw InputError(model.at("name").where + ": " + law +
                     " acts in the plane only: put it on a [[contact]] with two axes, such as on = "
                     "[\"x\", \"y\"]");
  c.options = located(sections.at("solve"), path + ": [solve]",
                      [&] { return make<Options>(values_of(sections.at("solve"))); });
  c.options.initial = located(sections.at("initial"), path + ": [initial]",
                              [&] { return make<Initial>(values_of(sections.at("initial"))); });

  const Section& mechanism = sections.at("mechanism");
  if (mechanism.empty() && given.contains("bode")) return read_bode(c, sections, path), c;
  if (mechanism.empty()) {
    read_bias(c, sections, path);
    c.kind = CaseKind::steady;
    if (!given.contains("steady"))
      throw InputError(path +
                       ": needs a [mechanism] to simulate, a [steady] range of velocities or a "
                       "[bode] range of frequencies");
    refuse_section(sections, "input", "for a steady sweep");
    c.steady = located(sections.at("steady"), path + ": [steady]",
                       [&] { return make<SteadySweep>(values_of(sections.at("steady"))); });
    return c;
  }
  const std::string name = text_of(mechanism, "name", "");
  if (name == PatchShape::name) c.rolling = RollingKind::patch;
  if (name == BrakedWheel::name) c.rolling = RollingKind::wheel;
  if (c.rolling) return build_rolling(c, sections, given, path), c;
  read_bias(c, sections, path);
  refuse_section(sections, "steady", "beside a [mechanism]");
  refuse_section(sections, "bode", "beside a [mechanism] other than rolling_patch");
  // Reads the mechanism if it is the one of the case.
  std::vector<std::string> known;
  for_each_mechanism([&]<class M>(const M&) {
    known.emplace_back(M::name);
    if (name != M::name) return;
    M there = read_mechanism<M>(sections, path, c.attachments);
    if constexpr (requires { there.signal; })
      c.period = there.signal.period(), c.beat = there.signal.beat();
    else refuse_section(sections, "input", "for dragged_mass, its drive is drag_velocity");
    // A law with several states runs as a machine, which may refuse it.
    if (!c.law->single())
      located(sections.at("model"), path + ": [model]",
              [&] { return Machine(parts_of(there, c.law)), 0; });
    c.mechanism = std::move(there);
  });
  if (!c.mechanism) {
    known.insert(known.end(), {std::string(PatchShape::name), std::string(BrakedWheel::name)});
    const auto at = mechanism.find("name");
    throw InputError((at != mechanism.end() ? at->second.where : path + ": [mechanism]") + ": " +
                     not_found("mechanism", name, known));
  }
  return c;
}

}  // namespace bristle::io
