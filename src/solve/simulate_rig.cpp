// SPDX-License-Identifier: MIT
#include "bristle/solve/simulate.hpp"
#include "machine/short_run.hpp"
#include "verify.hpp"

namespace bristle {

Simulation simulate(const AnyLaw& law, const Rig& rig, const Options& options) {
  validate(rig);
  validate(rig.signal);
  validate(options);
  validate(options.initial);
  detail::ShortForm form = detail::short_form(law, rig, options);
  form.moving = 2;  // the mass with its tongue
  using Base = DrivePart::Motion;
  const auto link = [&rig](const double* q, const double* v) {
    return rig.link(q[0] - q[1], v[0] - v[1]);
  };
  form.transducers = {
      {"acceleration",
       [=, &rig](const double* q, const double* v, const Base& base, double friction) {
         return (link(q, v) - friction) / rig.tongue_mass -
                (0.5 * friction - rig.pad_spring * (q[2] - base.value)) / rig.pad_mass;
       }},
      {"body_position",
       [](const double* q, const double*, const Base& base, double) { return q[0] - base.value; }},
      {"body_velocity",
       [](const double*, const double* v, const Base& base, double) { return v[0] - base.slope; }},
      {"body_acceleration",
       [=, &rig](const double* q, const double* v, const Base& base, double) {
         return -(rig.spring * (q[0] - base.value) + rig.damping * (v[0] - base.slope) +
                  link(q, v)) /
                (rig.mass - rig.tongue_mass);
       }},
      {"transducer",
       [=](const double* q, const double* v, const Base&, double) { return link(q, v); }}};
  return detail::verified_on<Rig>(
      options, [&](const Options& o) { return detail::simulate_short(form, o); });
}

}  // namespace bristle
