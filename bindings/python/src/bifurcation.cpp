// SPDX-License-Identifier: MIT
// Bifurcation diagrams of experiment files, on all cores.
#include <filesystem>

#include "bindings.hpp"
#include "bristle/io/bifurcation_file.hpp"
#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "interrupt.hpp"
#include "machine_source.hpp"

namespace bristle::python {
namespace {

// What is done is kept in a file, if one is named, and taken from there at the next call.
Bifurcation diagram(const io::BifurcationPlan& plan, const BifurcationOptions& options,
                    const std::string& kept, const std::function<bool(double)>& look) {
  const SectionAt section = io::section_at(plan, options);
  Bifurcation earlier;
  std::string mark;
  BifurcationHooks hooks{.progress = look, .checkpoint = {}};
  if (!kept.empty()) {
    mark = io::fingerprint(plan, options);
    if (std::filesystem::exists(kept)) earlier = io::read_diagram(kept, options, mark);
    hooks.checkpoint = [&](const Bifurcation& b) {
      io::write_text(kept, io::diagram_csv(b, plan, mark));
    };
  }
  Bifurcation b = bifurcation(section, options, hooks, std::move(earlier));
  if (!kept.empty()) hooks.checkpoint(b);
  if (b.status == Status::cancelled) throw Cancelled();
  return b;
}

py::dict bifurcation_of(const std::string& text, const std::string& path,
                        const std::string& parameter, const BifurcationOptions& options,
                        const std::string& label, const std::pair<std::string, std::string>& looked,
                        const py::dict& settings, const std::string& kept,
                        const py::object& progress) {
  const io::BifurcationPlan plan{
      path, parameter, label, looked.first, looked.second, settings_from(settings), text};
  const Bifurcation b =
      watched(progress, [&](auto look) { return diagram(plan, options, kept, look); });
  std::vector<double> values, value, time, x, y, chaos;
  std::vector<std::string> kinds;
  std::vector<int> beats;
  for (const BifurcationColumn& c : b.columns) {
    values.push_back(c.value);
    kinds.emplace_back(words(c.motion.kind));
    beats.push_back(c.motion.beats);
    chaos.push_back(c.motion.chaos);
    value.insert(value.end(), c.section.x.size(), c.value);
    time.insert(time.end(), c.section.time.begin(), c.section.time.end());
    x.insert(x.end(), c.section.x.begin(), c.section.x.end());
    y.insert(y.end(), c.section.y.begin(), c.section.y.end());
  }
  py::dict all;
  all["values"] = array_of(values);
  all["kinds"] = kinds;
  all["beats"] = py::array(py::cast(beats));
  all["chaos"] = array_of(chaos);
  all["value"] = array_of(value);
  all["time"] = array_of(time);
  all["x"] = array_of(x);
  all["y"] = array_of(y);
  all["labels"] = io::diagram_labels(plan, options.from);
  return all;
}

}  // namespace

void bind_bifurcation(py::module_& module) {
  bind_described<BifurcationOptions>(module);
  module.def("bifurcation", bifurcation_of);
}

}  // namespace bristle::python
