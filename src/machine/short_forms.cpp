// SPDX-License-Identifier: MIT
#include "bristle/machine/short_forms.hpp"

namespace bristle {
namespace {

// One body with a contact to the ground or to what carries it.
MachineParts one_body(double inertia, double load, LawPointer law,
                      const std::string& against = std::string(ground)) {
  MachineParts p;
  p.bodies = {{"body", {.inertia = inertia}}};
  p.contacts = {{"contact", between("body", against), std::move(law), {.load = load}}};
  return p;
}

}  // namespace

MachineParts parts_of(const DraggedMass& m, LawPointer law) {
  MachineParts p = one_body(m.mass, m.load, std::move(law));
  Signal drag;
  drag.shape = Signal::ramp;
  drag.rate = m.drag_velocity;
  p.drives = {{"drag", drag}};
  p.couplings = {{"spring", {"drag", "body"}, couple(SpringDamper{m.spring})}};
  return p;
}

MachineParts parts_of(const WallSpringMass& m, LawPointer law) {
  MachineParts p = one_body(m.mass, m.load, std::move(law));
  p.couplings = {{"spring", {"body", std::string(ground)}, couple(SpringDamper{m.spring})}};
  p.inputs = {{"input", "body", m.signal}};
  return p;
}

MachineParts parts_of(const BaseExcitedMass& m, LawPointer law) {
  MachineParts p = one_body(m.mass, m.load, std::move(law), "base");
  const int piece = m.signal.piece(0.0);
  p.bodies[0].body.position = m.signal.value(0.0, piece);
  p.bodies[0].body.velocity = m.signal.slope(0.0, piece);
  p.drives = {{"base", m.signal}};
  p.couplings = {{"spring", {"body", "base"}, couple(SpringDamper{m.spring, m.damping})}};
  return p;
}

MachineParts parts_of(const Rig& m, LawPointer law) {
  MachineParts p;
  const int piece = m.signal.piece(0.0);
  const double e = m.signal.value(0.0, piece), rate = m.signal.slope(0.0, piece);
  p.bodies = {{"mass", {m.mass - m.tongue_mass, e, rate}},
              {"tongue", {m.tongue_mass, e, rate}},
              {"pads", {2.0 * m.pad_mass, e, rate}}};
  p.drives = {{"base", m.signal}};
  p.couplings = {
      {"springs", {"mass", "base"}, couple(SpringDamper{m.spring, m.damping})},
      {"transducer", {"mass", "tongue"}, couple(SpringDamper{m.tongue_spring, m.tongue_damping})},
      {"mounting", {"pads", "base"}, couple(SpringDamper{2.0 * m.pad_spring})}};
  p.contacts = {{"contact", between("tongue", "pads"), std::move(law), {.load = m.load}}};
  return p;
}

MachineParts parts_of(const Pendulum& m, LawPointer law) {
  MachineParts p = one_body(m.inertia, m.load, std::move(law));
  p.bodies[0].body.motion = Body::rotation;
  p.couplings = {
      {"weight", {"body", std::string(ground)}, couple(PendulumWeight{m.weight, m.tilt})}};
  p.inputs = {{"input", "body", m.signal}};
  return p;
}

MachineParts parts_of(const DiaphragmValve& m, LawPointer law) {
  MachineParts p = one_body(m.mass, m.load, std::move(law));
  p.couplings = {{"spring",
                  {"body", std::string(ground)},
                  couple(SpringDamper{m.spring, 0.0, -m.preload / m.spring})}};
  p.inputs = {
      {"input",
       "body",
       m.signal,
       {.gain = m.area * m.gain, .bias = m.area * m.least_pressure, .lag = m.time_constant}}};
  return p;
}

MachineParts parts_of(const PrescribedMotion& m, LawPointer law) {
  MachineParts p;
  p.drives = {{"body", m.signal}};
  p.contacts = {
      {"contact", between("body", std::string(ground)), std::move(law), {.load = m.load}}};
  return p;
}

}  // namespace bristle
