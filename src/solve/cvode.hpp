// SPDX-License-Identifier: MIT
// SUNDIALS CVODE behind a small interface, so that its headers stay in one file.
#pragma once

#include <functional>
#include <memory>
#include <span>

namespace bristle::detail {

struct CvodeProblem {
  int size = 0;
  std::function<void(double t, const double* y, double* dydt)> rates;
  // Column by column; without one CVODE takes differences.
  std::function<void(double t, const double* y, double* jacobian)> jacobian;
  std::function<void(double t, const double* y, double* guards)> guards;
  int guard_count = 0;
  // Asked between internal steps, some hundred times per second at most; true ends advance().
  std::function<bool()> stopped{};
};

class Cvode {
 public:
  enum class Outcome { reached, guard, failed, stopped };

  // The error of each state may be `relative` times its distance from the start, and at least
  // `absolute`.
  Cvode(CvodeProblem problem, double t, std::span<const double> y, double relative,
        std::span<const double> absolute);
  ~Cvode();
  Cvode(const Cvode&) = delete;

  // Goes to `end` or to the first guard that falls through zero, whichever comes first.
  Outcome advance(double end, double& t, std::span<double> y, int& guard);
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
