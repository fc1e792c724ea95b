// SPDX-License-Identifier: MIT
// All that files can name, with the tables of fields.
#include "bristle/io/catalogue.hpp"

#include "bindings.hpp"
#include "bristle/io/measure.hpp"
#include "bristle/io/units.hpp"
#include "values.hpp"

namespace bristle::python {
namespace {

py::dict entry_of(const io::CatalogueEntry& entry) {
  py::dict table = table_of(entry.description);
  table["kind"] = entry.kind;
  return table;
}

py::dict catalogue() {
  py::dict all;
  for (const auto& group : io::catalogue()) {
    py::list entries;
    for (const auto& entry : group.entries) entries.append(entry_of(entry));
    all[py::str(group.key)] = entries;
  }
  return all;
}

py::list entries_of(const std::string& name) {
  py::list all;
  for (const auto& entry : io::catalogue_entries(name)) all.append(entry_of(entry));
  return all;
}

// The units a column may be in: quantity, factor and the unit in SI.
py::dict units() {
  py::dict all;
  for (const auto& q : io::quantities())
    for (const auto& text : io::usual_units()) {
      const io::Unit unit = *io::parse_unit(text);
      if (unit.dimension == q.dimension)
        all[py::str(text)] = py::make_tuple(q.name, unit.factor, q.unit);
    }
  return all;
}

}  // namespace

void bind_catalogue(py::module_& module) {
  module.def("catalogue", catalogue);
  module.def("catalogue_entries", entries_of);
  module.def("units", units);
  module.def("quantity_names", [] { return io::quantity_names(); });
  module.def("column_names", [] { return io::column_names(); });
}

}  // namespace bristle::python
