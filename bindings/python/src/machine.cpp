// SPDX-License-Identifier: MIT
// Machines: from parts, and from TOML.
#include "bristle/io/errors.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/files.hpp"
#include "bristle/machine/parameters.hpp"
#include "interrupt.hpp"
#include "law_object.hpp"
#include "machine_object.hpp"
#include "machine_source.hpp"

namespace bristle::python {

namespace {

using Ends = std::vector<std::pair<std::string, double>>;

void for_each_signal(MachineParts& parts, const auto& f) {
  for (auto& drive : parts.drives) f(drive.signal);
  for (auto& input : parts.inputs) f(input.signal);
  for (auto& controller : parts.controllers) f(controller.reference);
  for (auto& load : parts.loads) f(load.load);
  for (auto& coupling : parts.couplings)
    for (auto& signal : coupling.signals) f(signal);
}

MachineObject machine_from(const std::string& text, const std::string& path,
                           const std::string& label, const py::dict& settings) {
  const io::Experiment experiment = parse(text, path, settings);
  std::vector<std::string> labels;
  for (const io::Case& c : experiment.cases) {
    labels.push_back(c.label);
    if (!label.empty() && c.label != label) continue;
    if (!c.machine)
      throw io::InputError(experiment.path +
                           ": there is no [[body]], so this is no machine; run_file() runs it");
    return {c.machine, c.options, experiment.title};
  }
  throw io::InputError(experiment.path + ": " + not_found("case", label, labels));
}

// The signals a coupling follows, in its order; those not given are at rest.
std::vector<Signal> signals_in_order(const CouplingPart& part,
                                     const std::map<std::string, Signal>& given) {
  const auto known = part.coupling->signal_names();
  const auto rest = part.coupling->signal_rest();
  std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [name, signal] : given)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InvalidInput("signals",
                         "coupling: '" + part.name + "': " + not_found("signal", name, names));
  std::vector<Signal> all;
  if (given.empty()) return all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto at = given.find(names[i]);
    Signal constant;
    constant.shape = Signal::ramp;
    constant.offset = rest[i];
    constant.rate = 0.0;
    all.push_back(at == given.end() ? constant : at->second);
  }
  return all;
}

py::dict parameters(const MachineObject& object) {
  py::dict all;
  for (const auto& parameter : parameters_of(object.machine->parts()))
    std::visit([&](const auto& value) { all[parameter.field.name.c_str()] = value; },
               parameter.value);
  return all;
}

py::list names(const auto& parts) {
  py::list all;
  for (const auto& part : parts) all.append(part.name);
  return all;
}

}  // namespace

std::vector<io::Setting> settings_from(const py::dict& settings) {
  std::vector<io::Setting> changes;
  for (const auto& [key, value] : settings)
    changes.push_back(io::parse_setting(text_from(key, "settings: a name") + "=" +
                                        text_from(py::str(value), "settings: a value")));
  return changes;
}

io::Experiment parse(const std::string& text, const std::string& path, const py::dict& settings) {
  const auto changes = settings_from(settings);
  return text.empty() ? io::read_experiment(path, changes)
                      : io::parse_experiment(text, path, changes);
}

std::shared_ptr<const Machine> MachineObject::until(double end) const {
  MachineParts parts = machine->parts();
  bool made = false;
  for_each_signal(parts, [&](Signal& signal) {
    if (signal.shape != Signal::duffing) return;
    signal.prepare(end);
    made = true;
  });
  return made ? std::make_shared<const Machine>(std::move(parts)) : machine;
}

void bind_machine(py::module_& module) {
  py::class_<MachineParts>(module, "MachineParts")
      .def(py::init<>())
      .def("body",
           [](MachineParts& p, std::string name, const Body& body) {
             p.bodies.push_back({std::move(name), body});
           })
      .def("drive",
           [](MachineParts& p, std::string name, const Signal& s) {
             p.drives.push_back({std::move(name), s});
           })
      .def("coupling",
           [](MachineParts& p, std::string name, std::vector<std::string> between,
              const CouplingObject& c, const std::map<std::string, Signal>& signals) {
             p.couplings.push_back({std::move(name), std::move(between), c.coupling});
             p.couplings.back().signals = signals_in_order(p.couplings.back(), signals);
           })
      .def("contact",
           [](MachineParts& p, std::string name, Ends path, Ends across, const LawObject& law,
              const ContactSettings& settings, std::string load_from) {
             p.contacts.push_back(
                 {std::move(name), {std::move(path)}, law.law, settings, {std::move(across)}});
             p.contacts.back().load_from = std::move(load_from);
           })
      .def("load",
           [](MachineParts& p, std::string name, std::string on, const Signal& s) {
             p.loads.push_back({std::move(name), std::move(on), s});
           })
      .def("input",
           [](MachineParts& p, std::string name, std::string on, const Signal& s,
              const InputSettings& settings) {
             p.inputs.push_back({std::move(name), std::move(on), s, settings});
           })
      .def("controller", [](MachineParts& p, std::string name, std::string on, std::string reads,
                            const Signal& s, const Controller& settings) {
        p.controllers.push_back({std::move(name), std::move(reads), std::move(on), settings, s});
      });

  py::class_<MachineObject>(module, "Machine")
      .def(py::init([](const MachineParts& parts) {
        MachineObject made{std::make_shared<const Machine>(parts)};
        raise_pending();
        return made;
      }))
      .def_static("from_toml", machine_from)
      .def("parameters", parameters)
      .def(
          "options",
          [](const MachineObject& o) { return dict_of(values_of(o.options), describe<Options>()); })
      .def_property_readonly("title", [](const MachineObject& o) { return o.title; })
      .def("bodies", [](const MachineObject& o) { return names(o.machine->parts().bodies); })
      .def("contacts", [](const MachineObject& o) { return names(o.machine->parts().contacts); })
      .def("inputs", [](const MachineObject& o) { return names(o.machine->parts().inputs); });
}

}  // namespace bristle::python
