// SPDX-License-Identifier: MIT
// In place of cvode.cpp in a build without SUNDIALS: whatever asks for CVODE is refused as it is
// set up.
#include "bristle/model/field.hpp"
#include "bristle/version.hpp"
#include "cvode.hpp"

namespace bristle {

const bool with_sundials = false;

namespace detail {

struct Cvode::Impl {};

Cvode::Cvode(CvodeProblem, double, std::span<const double>, double, std::span<const double>) {
  throw InvalidInput(
      "method",
      "solve: the methods cvode and switch need SUNDIALS, and this program was built "
      "without it, use rosenbrock");
}
Cvode::~Cvode() = default;

// There is no object that these could be called on.
Cvode::Outcome Cvode::step(double, double&, std::span<double>, int&) { return Outcome::failed; }
void Cvode::between(double, std::span<double>) const {}
void Cvode::restart(double, std::span<const double>) {}
void Cvode::limit_step(double) {}
long Cvode::steps() const { return 0; }
long Cvode::evaluations() const { return 0; }
long Cvode::rejected() const { return 0; }
int Cvode::not_finite() const { return -1; }
std::span<const double> Cvode::local_errors() { return {}; }

}  // namespace detail
}  // namespace bristle
