// SPDX-License-Identifier: MIT
// Friction laws: the registry with the names of the types, and one class for all of them.
#include <map>

#include "batch.hpp"
#include "bristle/model/law_list.hpp"
#include "bristle/model/registry.hpp"
#include "page.hpp"

namespace bristle::python {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

// The types of laws with one state; the others are called after their names.
template <template <class> class... Laws>
Names names_of(LawTypes<Laws...>) {
  return {{std::string(Laws<double>::name), type_name<Laws<double>>()}...};
}

// One entry per law: its table, the name of its class, and the equations from its header.
py::list law_tables() {
  const Names names = names_of(AllLaws{});
  const auto& comments = io::page::header_comments();
  py::list all;
  for (const auto& entry : laws()) {
    const std::string& name = entry.description.name;
    py::dict table = table_of(entry.description);
    const auto comment = comments.find(name);
    table["type"] = names.contains(name) ? names.at(name) : "";
    table["equations"] = comment == comments.end() ? "" : std::string(comment->second);
    table["set_valued"] = entry.set_valued;
    table["single"] = entry.single;
    all.append(table);
  }
  return all;
}

}  // namespace

void bind_laws(py::module_& module) {
  py::class_<LawObject> law(module, "Law");
  law.def(py::init([](const std::string& name, const py::dict& values) {
       const LawEntry& entry = find_law(name);
       return LawObject{entry.make(values_from(values, entry.description))};
     }))
      .def("_values",
           [](const LawObject& o) {
             return dict_of(o.law->values(), find_law(o.law->name()).description);
           })
      .def_property_readonly("set_valued", [](const LawObject& o) { return o.law->set_valued(); })
      .def_property_readonly(
          "state_scale", [](const LawObject& o) { return o.law->state_scale(); },
          "Size of the state at break-away.");
  bind_batch(law);
  module.def("law_tables", law_tables);
  module.def("batch_lanes", batch_lanes, "Which kernels compute arrays of joints.");
  module.def("not_found",
             [](const std::string& kind, const std::string& word,
                const std::vector<std::string>& names) { return not_found(kind, word, names); });
}

}  // namespace bristle::python
