// SPDX-License-Identifier: MIT
// Stick-slip by Bristle: the system known at compile time, no energy ledger.
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/solve/integrate.hpp"
#include "stick_slip.hpp"

namespace bench {
namespace {

using Sys = bristle::System<bristle::DraggedMass, bristle::LuGre<>>;

// Reads x and F at the output points out of the step that covers them.
struct Sampler {
  const Sys& system;
  const Problem& problem;
  Curves& out;
  int next = 0;

  template <class Method>
  void step(const Method& method, const bristle::Mode& mode, double t, double end) {
    for (; next < points; ++next) {
      const double at = output_time(problem, next);
      if (at > end) break;
      const double s = std::fmin((at - t) / (end - t), 1.0);
      const auto y = Method::states(method.dense(s));
      out.x[next] = y[0];
      out.force[next] = system.friction(at, y, mode);
    }
  }
  template <class State>
  void event(int, double, const State&, const bristle::Mode&, const bristle::Mode&) {}
  bool cancelled() const { return false; }
};

}  // namespace

bool solve_bristle(const Problem& p, double tolerance, Curves& out) {
  bristle::DraggedMass body{p.mass, p.spring, p.drag};
  bristle::LuGre<> law;
  law.stiffness = p.stiffness;
  law.damping = p.damping;
  law.viscous = p.viscous;
  law.coulomb_force = p.coulomb_force;
  law.static_force = p.static_force;
  law.stribeck_velocity = p.stribeck_velocity;
  const Sys system(body, law);
  Sampler sampler{system, p, out};
  bristle::StepControl control;
  control.end = p.end;
  control.tolerance = tolerance;
  const auto report = bristle::integrate<false>(system, 0.0, {}, control, sampler);
  return report.status == bristle::Status::done && sampler.next == points;
}

}  // namespace bench
