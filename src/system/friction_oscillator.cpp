// SPDX-License-Identifier: MIT
#include "bristle/system/friction_oscillator.hpp"

#include <memory>
#include <numbers>

#include "bristle/solve/trajectory.hpp"
#include "hysteretic_contact.hpp"
#include "oscillator_body.hpp"
#include "oscillator_numbers.hpp"
#include "other_runs.hpp"
#include "seven_contact.hpp"

namespace bristle {
namespace {

FrictionOscillator checked(FrictionOscillator body, const Options& options) {
  validate(options);
  body.base.prepare(options.end);
  validate(body.base);
  validate(body);
  return body;
}

template <class Body, class Contact>
OscillatorRun run_on(const FrictionOscillator& o, Contact& contact, const Options& options,
                     const OscillatorState& from) {
  Body body(o);
  auto start = body.start();
  if (from.states.size() == start.size())
    std::copy(from.states.begin(), from.states.end(), start.begin());
  OscillatorRun r = detail::ContactRun<Body, Contact>(body, contact, o, options)(start, from.time);
  detail::tell_status(r);
  return r;
}

}  // namespace

std::string_view words(ContactMode mode) {
  static constexpr std::string_view names[]{"yields", "speeds up", "holds", "slows down", "sticks"};
  return names[int(mode)];
}

double FrictionOscillator::natural_frequency() const {
  return std::sqrt(spring / mass) / (2.0 * std::numbers::pi);
}
double FrictionOscillator::damping_ratio() const {
  return 0.5 * damping / std::sqrt(spring * mass);
}

OscillatorRun simulate_oscillator(const MeasuredFriction& friction, const FrictionOscillator& given,
                                  const Options& options, const OscillatorState& from) {
  validate(friction.law);
  const FrictionOscillator body = checked(given, options);
  if (body.kind == 2) return detail::follow(friction, body, options);
  if (friction.law.form == HystereticStatic<>::literal)
    return detail::run_literal(friction, body, options);
  const double mass = body.contact_mass(), least = friction.law.steepest(body.load);
  if (!(mass > least))
    throw InvalidInput("delay", "hysteretic_static: a mass of " + words(mass) +
                                    " kg in contact must be greater than " + words(least) +
                                    " kg, or this delay leaves several accelerations to choose "
                                    "from");
  std::unique_ptr<RoughSurface> surface;
  if (friction.roughness) surface = std::make_unique<RoughSurface>(*friction.roughness);
  detail::HystereticContact contact(friction.law, body.load, mass, surface.get());
  if (!from.states.empty()) {
    contact.mode = from.mode;
    contact.side = from.side;
    contact.anchor = from.anchor;
    contact.start = from.start_coefficient;
    contact.begun = true;
  }
  OscillatorRun r = body.kind == 0 ? run_on<detail::SingleBody>(body, contact, options, from)
                                   : run_on<detail::RigBody>(body, contact, options, from);
  r.last.mode = contact.mode;
  r.last.side = contact.side;
  r.last.anchor = contact.anchor;
  r.last.start_coefficient = contact.start;
  return r;
}

OscillatorRun simulate_oscillator(const SevenParameter& law, const FrictionOscillator& given,
                                  const Options& options) {
  validate(law);
  const FrictionOscillator body = checked(given, options);
  if (!(law.delay < options.end))
    throw InvalidInput("delay", "seven_parameter: delay = " + words(law.delay) +
                                    " s must be less than the run, which ends at " +
                                    words(options.end) + " s");
  if (body.kind == 2) return detail::follow(law, body, options);
  detail::SevenContact contact(law, body.contact_mass());
  OscillatorRun r = body.kind == 0 ? run_on<detail::SingleBody>(body, contact, options, {})
                                   : run_on<detail::RigBody>(body, contact, options, {});
  r.last.mode = contact.mode;
  return r;
}

}  // namespace bristle
