// SPDX-License-Identifier: MIT
// Stick-slip by Boost.odeint's rosenbrock4 with error control, dense output and analytic Jacobian.
// Twice: in the states as they are, and in states divided by their sizes, because odeint has one
// absolute tolerance for all states.
//
// In Boost 1.74 the coefficient d4 of rosenbrock4 has the wrong sign (Hairer and Wanner: -0.0362),
// which costs it its order on any system that depends on time. It is put right here; without that
// an error of 1e-4 takes hundreds of times longer.
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_controller.hpp>
#include <boost/numeric/odeint/stepper/rosenbrock4_dense_output.hpp>

#include "stick_slip.hpp"

namespace bench {
namespace {

namespace odeint = boost::numeric::odeint;
using Vector = boost::numeric::ublas::vector<double>;
using Matrix = boost::numeric::ublas::matrix<double>;

struct Coefficients : odeint::default_rosenbrock_coefficients<double> {
  const double d4 = -0.3620000000000023e-01;
};

bool solve(const Problem& p, double tolerance, const std::array<double, 3>& scale, Curves& out) {
  const Equations equations{p};
  const auto unscaled = [&scale](const Vector& u) {
    return std::array<double, 3>{u[0] * scale[0], u[1] * scale[1], u[2] * scale[2]};
  };
  const auto rates = [&](const Vector& u, Vector& dudt, double t) {
    equations.rates(t, unscaled(u), dudt);
    for (int i = 0; i < 3; ++i) dudt[i] /= scale[i];
  };
  const auto jacobian = [&](const Vector& u, Matrix& j, const double&, Vector& dfdt) {
    equations.jacobian(unscaled(u), [&](int row, int column, double value) {
      j(row, column) = value * scale[column] / scale[row];
    });
    dfdt[0] = dfdt[2] = 0.0;
    dfdt[1] = equations.velocity_rate_by_time() / scale[1];
  };
  const auto system = std::make_pair(rates, jacobian);

  using Controller = odeint::rosenbrock4_controller<odeint::rosenbrock4<double, Coefficients>>;
  odeint::rosenbrock4_dense_output<Controller> stepper(Controller(tolerance, tolerance));
  Vector u(3, 0.0);
  stepper.initialize(u, 0.0, 1e-6);
  int next = 0;
  const auto sample = [&](double at) {
    stepper.calc_state(at, u);
    const auto y = unscaled(u);
    out.x[next] = y[0];
    out.force[next] = equations.friction(y[1], y[2]).force;
    ++next;
  };
  while (next < points) {
    const auto covered = stepper.do_step(system);
    while (next < points && output_time(p, next) <= covered.second) sample(output_time(p, next));
  }
  return std::isfinite(out.x[points - 1]);
}

}  // namespace

bool solve_odeint(const Problem& p, double tolerance, Curves& out) {
  return solve(p, tolerance, {1.0, 1.0, 1.0}, out);
}

bool solve_odeint_scaled(const Problem& p, double tolerance, Curves& out) {
  return solve(p, tolerance, Equations{p}.scales(), out);
}

}  // namespace bench
