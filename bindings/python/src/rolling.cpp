// SPDX-License-Identifier: MIT
// Bristles distributed over a rolling contact, at the step of a host.
#include "bristle/system/contact_patch.hpp"
#include "given.hpp"
#include "law_object.hpp"

namespace bristle::python {

void bind_rolling(py::module_& module) {
  using py::arg;
  py::class_<ContactPatch>(module, "ContactPatch")
      .def(py::init([](const LawObject& law, const py::dict& shape) {
        require_single(*law.law, "a contact patch");
        return ContactPatch(law.law, make_from<PatchShape>(shape));
      }))
      .def_static("_table", [] { return table_of(describe<PatchShape>()); })
      .def(
          "advance",
          [](ContactPatch& patch, double step, double slip, const py::object& transport) {
            patch.advance(
                within(positive, step, "step", "s"), within(any_number, slip, "slip", "m/s"),
                transport.is_none() ? patch.shape().transport
                                    : within(non_negative, cast_as<double>(transport, "transport"),
                                             "transport", "1/s"));
          },
          arg("step"), arg("slip"), arg("transport") = py::none(),
          "Rolls for a time [s] with a slip velocity [m/s], best that of the middle of the step,\n"
          "and a transport speed [1/s].")
      .def(
          "force",
          [](const ContactPatch& patch, double slip) {
            return patch.force(within(any_number, slip, "slip", "m/s"));
          },
          arg("slip"), "The force now [N], for the slip velocity now.")
      .def(
          "steady_force",
          [](const ContactPatch& patch, double slip) {
            return patch.steady_force(within(any_number, slip, "slip", "m/s"));
          },
          arg("slip"), "The force at constant slip [N].")
      .def_property_readonly("stored", &ContactPatch::stored, "Energy in the bristles [J].")
      .def_property_readonly("points", &ContactPatch::points, "Points along the patch.")
      .def("reset", py::overload_cast<>(&ContactPatch::reset), "Undeformed again.");
}

}  // namespace bristle::python
