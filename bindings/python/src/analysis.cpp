// SPDX-License-Identifier: MIT
// Limit cycles and steady curves of what was simulated or measured.
#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/loop.hpp"
#include "given.hpp"
#include "law_object.hpp"
#include "result_object.hpp"

namespace bristle::python {
namespace {

const Trajectory& trajectory_of(const ResultObject& result) {
  if (result.trajectory) return *result.trajectory;
  throw InvalidInput("result",
                     "only a run of a law on a mechanism has this, not one of a machine "
                     "or a system");
}

py::dict limit_cycle(const ResultObject& result, double rest_speed, double rest_fraction) {
  within(non_negative, rest_speed, "rest_speed", "m/s");
  within(non_negative, rest_fraction, "rest_fraction");
  const LimitCycle cycle = find_limit_cycle(trajectory_of(result), {rest_speed, rest_fraction});
  py::dict all;
  all["kind"] = std::string(words(cycle.kind));
  all["cycles"] = cycle.cycles;
  all["period"] = cycle.period;
  all["period_spread"] = cycle.period_spread;
  all["amplitude"] = cycle.amplitude;
  all["stick_fraction"] = cycle.stick_fraction;
  all["reverse_speed"] = cycle.reverse_speed;
  return all;
}

// The steady force at each velocity.
py::object steady(const LawObject& object, const py::object& velocity, double load) {
  within(object.law->signed_load() ? any_number : non_negative, load, "load", "N");
  const auto at = [&](double v) { return object.law->steady(Motion<double>{0.0, v, load, 0.0}); };
  if (number_array(velocity, "v").ndim() == 0)
    return py::float_(at(within(any_number, cast_as<double>(velocity, "v"), "v", "m/s")));
  const auto speeds = numbers_from(velocity, "v");
  py::array_t<double> forces(py::ssize_t(speeds.size()));
  for (std::size_t i = 0; i < speeds.size(); ++i) forces.mutable_at(i) = at(speeds[i]);
  return forces;
}

}  // namespace

void bind_analysis(py::module_& module) {
  const LimitCycleOptions usual;
  module.def("limit_cycle", limit_cycle, py::arg("result"),
             py::arg("rest_speed") = usual.rest_speed,
             py::arg("rest_fraction") = usual.rest_fraction);
  module.def("work_between", [](const ResultObject& result, double from, double to) {
    return work_between(trajectory_of(result), within(any_number, from, "start", "s"),
                        within(any_number, to, "end", "s"));
  });
  module.def("steady", steady, py::arg("law"), py::arg("v"), py::arg("load") = 1.0);
}

}  // namespace bristle::python
