// SPDX-License-Identifier: MIT
// Analyses of series of samples: spectra, kinds of motion, forces from measured motions.
#include "bindings.hpp"
#include "bristle/analysis/indirect_force.hpp"
#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/motion_kind.hpp"
#include "bristle/analysis/spectrum.hpp"
#include "values.hpp"

namespace bristle::python {
namespace {

py::dict indirect(const BaseExcitedMass& body, const py::dict& columns,
                  const SmoothingOptions& options) {
  MeasuredSignals s;
  for (auto& [name, values] : {std::pair{"time", &s.time},
                               {"position", &s.position},
                               {"velocity", &s.velocity},
                               {"body_acceleration", &s.body_acceleration},
                               {"base", &s.base}})
    if (columns.contains(name)) *values = numbers_from(columns[name], name);
  const IndirectForce found = indirect_force(body, s, options);
  py::dict all;
  all["time"] = array_of(found.time);
  all["velocity"] = array_of(found.velocity);
  all["body_acceleration"] = array_of(found.body_acceleration);
  all["force"] = array_of(found.force);
  return all;
}

py::dict spectrum_of(const py::object& time, const py::object& signal,
                     const std::vector<double>& named) {
  const auto t = numbers_from(time, "time"), x = numbers_from(signal, "signal");
  const Spectrum s = spectrum(t, x, named);
  py::list peaks;
  for (const SpectrumPeak& p : s.peaks)
    peaks.append(py::make_tuple(p.frequency, p.amplitude, p.name));
  py::dict all;
  all["frequency"] = array_of(s.frequency);
  all["amplitude"] = array_of(s.amplitude);
  all["power"] = array_of(s.power);
  all["peaks"] = peaks;
  all["dominant"] = s.dominant();
  all["resolution"] = s.resolution;
  all["variance"] = s.variance;
  return all;
}

// The kind of a motion by its section: one point per beat, with the velocity or the slope.
py::dict motion_kind(const py::object& time, const py::object& signal, const py::object& velocity,
                     double beat) {
  const auto t = numbers_from(time, "time"), x = numbers_from(signal, "signal");
  if (!(beat > 0.0 && beat < largest))
    throw InvalidInput("beat", "beat = " + words(beat) + " s is not allowed, it must be " +
                                   words(positive, "s", beat));
  const double step = even_step(t);
  const auto y = velocity.is_none() ? smoothed(x, step, 1, {.half_width = 2.0, .degree = 4.0})
                                    : numbers_from(velocity, "velocity");
  if (x.size() != t.size() || y.size() != t.size())
    throw InvalidInput("signal", "time, signal and velocity must have as many numbers");
  const Section section = strobe(t, x, y, beat, t.front());
  MotionOptions options;
  const Range range = range_of(x);
  options.width = range.most - range.least;
  const MotionVerdict v = classify_motion(section, options);
  const bool enough = v.beats == 0 && section.x.size() >= 200;
  py::dict all;
  all["kind"] = std::string(words(v.kind));
  all["points"] = section.x.size();
  all["beats"] = v.beats;
  all["chaos"] = v.chaos;
  all["series_exponent"] =
      enough ? py::object(py::float_(series_exponent(section.x, beat, {.follow = 5}))) : py::none();
  return all;
}

}  // namespace

void bind_series(py::module_& module) {
  module.def("indirect_force", [](const BaseExcitedMass& body, const py::dict& columns,
                                  double half_width, double degree) {
    SmoothingOptions options{half_width, degree};
    validate(options);
    return indirect(body, columns, options);
  });
  module.def("spectrum", spectrum_of);
  module.def("motion_kind", motion_kind);
}

}  // namespace bristle::python
