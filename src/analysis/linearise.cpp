// SPDX-License-Identifier: MIT
#include "bristle/analysis/linearise.hpp"

#include <cmath>

namespace bristle {
namespace {

// A response with derivatives with respect to velocity and state.
Response<LocalDual> derived(const AnyLaw& law, double z, double v, double load) {
  Motion<LocalDual> m;
  m.position = LocalDual(0.0);
  m.velocity = variable<5>(v, 1);
  m.load = LocalDual(load);
  m.time = LocalDual(0.0);
  m.height = LocalDual(0.0);
  return law.respond(variable<5>(z, 2), m, Branch<>{v < 0.0 ? -1.0 : 1.0, 0.0});
}

// The state that stays: the rate falls with the state, so it lies between two that bracket it.
double steady_state(const AnyLaw& law, double v, double load) {
  const auto rate = [&](double z) {
    return law
        .respond(z, Motion<double>{0.0, v, load, 0.0, 0.0}, Branch<>{v < 0.0 ? -1.0 : 1.0, 0.0})
        .rate;
  };
  double low = -law.state_scale(), high = law.state_scale();
  for (int i = 0; i < 60 && rate(low) < 0.0; ++i) low *= 2.0;
  for (int i = 0; i < 60 && rate(high) > 0.0; ++i) high *= 2.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (rate(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace

std::complex<double> Linearised::at(double frequency) const {
  return output * input / (std::complex<double>(0.0, frequency) - pole) + direct;
}

Linearised linearise(const AnyLaw& law, double velocity, double load) {
  require_single(law, "linearisation");
  if (law.set_valued())
    throw InvalidInput("name", std::string(law.name()) + " has no state to linearise");
  if (velocity == 0.0)
    throw InvalidInput("velocity", "velocity = 0 m/s is not allowed: friction has no slope there");
  Linearised l;
  l.velocity = velocity;
  l.state = steady_state(law, velocity, load);
  const auto r = derived(law, l.state, velocity, load);
  l.force = r.force.value;
  l.pole = r.rate.slope[2];
  l.input = r.rate.slope[1];
  l.output = r.force.slope[2];
  l.direct = r.force.slope[1];
  return l;
}

std::complex<double> patch_response(const ContactPatch& patch, double slip, double frequency) {
  const AnyLaw& law = patch.law();
  const PatchShape& shape = patch.shape();
  if (shape.derivative != 0)
    throw InvalidInput("derivative",
                       "rolling_patch: derivative = \"" +
                           std::string(PatchShape::derivatives[std::size_t(shape.derivative)]) +
                           "\" has no frequency response here, it must be \"total\"");
  constexpr int n = 4000;
  std::complex<double> z(0.0), sum(0.0);
  double steady = 0.0;
  const auto undeformed = derived(law, 0.0, slip, 1.0);
  const double drive = undeformed.rate.value;
  for (int i = 0; i < n; ++i) {
    // Through a small piece of the patch with the coefficients of its middle.
    const double xi = (i + 0.5) / n, stiff = shape.stiffness_at(xi);
    const double time = 1.0 / (n * shape.transport * shape.transport_at(xi));
    const double decay = -undeformed.rate.slope[2] * stiff;
    const auto exact = [&](double from, double t) {
      return decay * t > 1e-12
                 ? from * std::exp(-decay * t) + drive * -std::expm1(-decay * t) / decay
                 : from + drive * t;
    };
    const double middle = exact(steady, 0.5 * time);
    // A stiffer bristle of state z is the law at the state stiffness times z.
    const auto r = derived(law, stiff * middle, slip, 1.0);
    const std::complex<double> rate(decay, frequency);
    const double source = r.rate.slope[1];
    const auto moved = [&](const std::complex<double>& from, double t) {
      const std::complex<double> left = std::exp(-rate * t);
      return std::abs(rate) * t > 1e-9 ? from * left + source * (1.0 - left) / rate
                                       : from + source * t;
    };
    const std::complex<double> half = moved(z, 0.5 * time);
    sum += shape.pressure_at(xi) * (r.force.slope[2] * stiff * half + r.force.slope[1]) / double(n);
    z = moved(z, time);
    steady = exact(steady, time);
  }
  return shape.load * sum;
}

}  // namespace bristle
