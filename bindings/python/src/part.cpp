// SPDX-License-Identifier: MIT
// Parts: the results of fits as files.
#include "bristle/io/part.hpp"

#include <algorithm>

#include "bindings.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/io/part_diff.hpp"
#include "bristle/model/registry.hpp"
#include "fit_dicts.hpp"

namespace bristle::python {
namespace {

py::list parameters_of_part(const io::Part& part) {
  py::list all;
  for (const io::PartParameter& p : part.parameters) {
    py::dict one;
    one["name"] = p.name;
    one["of"] = p.of;
    one["value"] = p.value;
    one["unit"] = p.unit;
    one["fitted"] = p.fitted;
    one["scale"] = p.logarithmic ? "log" : "linear";
    one["above"] = p.above;
    one["bounds"] = py::make_tuple(p.least, p.most);
    one["deviation"] = p.deviation;
    one["lower"] = p.lower;
    one["upper"] = p.upper;
    one["determined"] = p.determined;
    one["at_bound"] = p.at_bound;
    all.append(one);
  }
  return all;
}

// One row per draw, one column per parameter.
py::array_t<double> draws_of(const io::Part& part, py::ssize_t n, unsigned long long seed) {
  if (n < 0 || n > 10000000)
    throw InvalidInput("n", "n = " + std::to_string(n) +
                                " is not allowed, it must be at least 0 and at most 10000000");
  const auto width = py::ssize_t(part.parameters.size());
  py::array_t<double> all({n, width});
  io::PartRandom random(seed);
  for (py::ssize_t k = 0; k < n; ++k) {
    if (k % 16384 == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
    const auto one = part.draw(random);
    std::copy(one.begin(), one.end(), all.mutable_data(k, 0));
  }
  return all;
}

// Whether the data are those that were fitted, by file.
py::dict check(const io::Part& part, const std::string& path) {
  // The machine must be one, and have what was fitted.
  if (part.kind == "machine") io::parse_experiment(io::part_text(part), path);
  py::dict all;
  for (const io::PartData& d : part.data)
    all[py::str(d.file)] = io::data_words(io::data_state(d, path));
  return all;
}

py::list differences(const io::Part& one, const io::Part& other) {
  py::list all;
  for (const io::PartDifference& d : io::part_differences(one, other)) {
    py::dict entry;
    entry["name"] = d.name;
    entry["unit"] = d.unit;
    entry["first"] = d.one;
    entry["second"] = d.other;
    entry["deviations"] = d.deviations;
    entry["significant"] = d.significant;
    entry["verdict"] = d.verdict;
    all.append(entry);
  }
  return all;
}

// The values where columns have the numbers of `at`, which must be columns it depends on.
Values values_of_part(const io::Part& part, const std::string& of, const io::Conditions& at) {
  std::vector<std::string> columns;
  for (const io::PartDependence& d : part.depends) columns.push_back(d.column);
  for (const auto& [name, number] : at)
    if (std::find(columns.begin(), columns.end(), name) == columns.end())
      throw InvalidInput("at", columns.empty()
                                   ? "at: the parameters of the part depend on no column"
                                   : "at: " + not_found("column", name, columns));
  return part.values(of, {}, at);
}

py::list dependences_of(const io::Part& part) {
  py::list all;
  for (const io::PartDependence& d : part.depends) {
    py::dict one;
    one["parameter"] = d.parameter;
    one["column"] = d.column;
    one["unit"] = d.unit;
    one["form"] = std::string(word_of(d.form));
    one["reference"] = d.reference;
    all.append(one);
  }
  return all;
}

}  // namespace

void bind_part(py::module_& module) {
  py::class_<io::Part>(module, "Part")
      .def_static("read", &io::read_part)
      .def_static("parse", &io::parse_part)
      .def("write", [](const io::Part& part, const std::string& path) { write_part(path, part); })
      .def("text", &io::part_text)
      .def("draw", draws_of)
      .def("check", check)
      .def("differences", differences)
      .def("values", values_of_part)
      .def_property_readonly("depends", dependences_of)
      .def_readonly("kind", &io::Part::kind)
      .def_readonly("law", &io::Part::law)
      .def_readonly("mechanism", &io::Part::mechanism)
      .def_readonly("machine", &io::Part::machine)
      .def_readonly("warnings", &io::Part::warnings)
      .def_readonly("unusable", &io::Part::unusable)
      .def_readonly("version", &io::Part::version)
      .def_readonly("command", &io::Part::command)
      .def_readonly("licence", &io::Part::licence)
      .def_readonly("source", &io::Part::source)
      .def_property_readonly("parameters", parameters_of_part)
      .def_property_readonly("value_covariance",
                             [](const io::Part& part) {
                               const auto n = py::ssize_t(part.fitted().size());
                               return array_of(part.value_covariance()).attr("reshape")(n, n);
                             })
      .def_property_readonly("choices", [](const io::Part& part) { return part.choices; })
      .def_property_readonly("data",
                             [](const io::Part& part) {
                               py::dict all;
                               for (const io::PartData& d : part.data)
                                 all[py::str(d.file)] = d.fingerprint;
                               return all;
                             })
      .def_property_readonly("covariance",
                             [](const io::Part& part) {
                               const auto n = py::ssize_t(part.fitted().size());
                               return array_of(part.covariance).attr("reshape")(n, n);
                             })
      .def_property_readonly("domain",
                             [](const io::Part& part) {
                               py::dict all;
                               for (const io::PartRange& r : part.domain)
                                 all[py::str(r.quantity)] = py::make_tuple(r.from, r.to, r.unit);
                               return all;
                             })
      .def_property_readonly("runs", [](const io::Part& part) {
        py::list all;
        for (const io::PartRun& r : part.runs) {
          py::dict one;
          one["run"] = r.name;
          one["quantity"] = r.quantity;
          one["unit"] = r.unit;
          one["fitted"] = dict_of(r.fitted);
          one["held_out"] = dict_of(r.held_out);
          all.append(one);
        }
        return all;
      });
}

}  // namespace bristle::python
