// SPDX-License-Identifier: MIT
// SUNDIALS CVODE behind a small interface, so that its headers stay in one file.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>

namespace bristle::detail {

// The errors of a multistep method add up over thousands of steps, so each may be a small part only
// of the tolerance of the run, as far as rounding allows.
inline double step_tolerance(double tolerance) {
  return std::max(1e-2 * tolerance, std::min(tolerance, 1e-12));
}

struct CvodeProblem {
  int size = 0;
  std::function<void(double t, const double* y, double* dydt)> rates;
  // Column by column; without one CVODE takes differences.
  std::function<void(double t, const double* y, double* jacobian)> jacobian;
  std::function<void(double t, const double* y, double* guards)> guards;
  int guard_count = 0;
  // Makes the error that each state may have smaller where its distance from the start says little.
  std::function<void(const double* y, double* allowed)> refine{};
  // Takes the Jacobian anew at every step. One that has become much smaller since it was taken
  // makes corrections small, and they pass for convergence.
  bool fresh_jacobian = false;
  // The guards that are velocities: a step that ends beyond their zero is repeated in short ones.
  std::function<bool(int guard)> turns = [](int guard) { return guard == 0; };
};

class Cvode {
 public:
  enum class Outcome { stepped, reached, guard, failed };

  // The error of each state may be `relative` times its distance from the start, and at least
  // `absolute`.
  Cvode(CvodeProblem problem, double t, std::span<const double> y, double relative,
        std::span<const double> absolute);
  ~Cvode();
  Cvode(const Cvode&) = delete;

  // One internal step, which ends at `end` or at the first guard that falls through zero if it
  // comes there.
  Outcome step(double end, double& t, std::span<double> y, int& guard);
  // The states within the last step, before anything is started anew.
  void between(double t, std::span<double> y) const;
  // Starts anew from a changed state or changed equations.
  void restart(double t, std::span<const double> y);
  void limit_step(double longest);

  long steps() const;
  long evaluations() const;
  long rejected() const;
  // A component whose rate was not finite since a step last succeeded, -1 if there is none.
  int not_finite() const;
  std::span<const double> local_errors();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bristle::detail
