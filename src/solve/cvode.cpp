// SPDX-License-Identifier: MIT
#include "cvode.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "bristle/solve/watch.hpp"
#include "bristle/version.hpp"

namespace bristle {

const bool with_sundials = true;

namespace detail {

struct Cvode::Impl {
  CvodeProblem problem;
  SUNContext context = nullptr;
  N_Vector y = nullptr, absolute = nullptr, errors = nullptr, between = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* memory = nullptr;
  std::vector<int> roots;
  std::vector<double> seen, first, inside, last;  // guards
  std::vector<double> origin, start;
  double relative = 0.0;
  double longest = 0.0;       // step [s], 0: any
  double short_until = -1.0;  // steps are short up to this time [s]
  long past_steps = 0, past_evaluations = 0, past_rejected = 0;
  int not_finite = -1;
  int still = 0;  // steps in succession without progress

  ~Impl() {
    if (memory) CVodeFree(&memory);
    if (solver) SUNLinSolFree(solver);
    if (matrix) SUNMatDestroy(matrix);
    if (y) N_VDestroy(y);
    if (absolute) N_VDestroy(absolute);
    if (errors) N_VDestroy(errors);
    if (between) N_VDestroy(between);
    if (context) SUNContext_Free(&context);
  }

  static int rates(double t, N_Vector y, N_Vector dydt, void* data) {
    Impl& s = *static_cast<Impl*>(data);
    double* const rate = N_VGetArrayPointer(dydt);
    s.problem.rates(t, N_VGetArrayPointer(y), rate);
    double sum = 0.0;
    for (int i = 0; i < s.problem.size; ++i) sum += rate[i];
    if (sum - sum == 0.0) return 0;
    for (int i = 0; i < s.problem.size; ++i)
      if (!std::isfinite(rate[i])) {
        s.not_finite = i;
        return 1;  // a shorter step may do
      }
    return 0;
  }
  static int jacobian(double t, N_Vector y, N_Vector, SUNMatrix j, void* data, N_Vector, N_Vector,
                      N_Vector) {
    const auto& p = static_cast<Impl*>(data)->problem;
    p.jacobian(t, N_VGetArrayPointer(y), SUNDenseMatrix_Data(j));
    return 0;
  }
  static int guards(double t, N_Vector y, double* g, void* data) {
    const auto& p = static_cast<Impl*>(data)->problem;
    p.guards(t, N_VGetArrayPointer(y), g);
    return 0;
  }
  // Errors are weighed by how far a state has gone from its start, not by where that was; what
  // rounding does to it is always allowed.
  static int weights(N_Vector y, N_Vector weight, void* data) {
    const auto& s = *static_cast<Impl*>(data);
    const double *at = N_VGetArrayPointer(y), *least = N_VGetArrayPointer(s.absolute);
    double* w = N_VGetArrayPointer(weight);
    for (std::size_t i = 0; i < s.origin.size(); ++i)
      w[i] = s.relative * std::abs(at[i] - s.origin[i]) + least[i] + 1e-15 * std::abs(at[i]);
    if (s.problem.refine) s.problem.refine(at, w);
    for (std::size_t i = 0; i < s.origin.size(); ++i) w[i] = 1.0 / w[i];
    return 0;
  }
  static void silent(int, const char*, const char*, char*, void*) {}

  // Whether a guard is positive at both ends of the step and negative in between; then t and y are
  // moved back to where the first of them crosses zero.
  bool dips(double before, double& t, std::span<double> y, int& guard) {
    const double width = t - before;
    if (!(width > 0.0)) return false;
    const auto look = [&](double s, std::vector<double>& values) {
      CVodeGetDky(memory, std::min(before + s, t), 0, between);
      problem.guards(std::min(before + s, t), N_VGetArrayPointer(between), values.data());
    };
    look(0.0, first), look(0.5 * width, inside), look(width, last);
    double earliest = width;
    bool any = false;
    for (int g = 0; g < problem.guard_count; ++g) {
      const auto k = std::size_t(g);
      if (!(first[k] > 0.0 && last[k] > 0.0) || !may_dip(first[k], inside[k], last[k])) continue;
      const auto value = [&](double s) {
        look(s, seen);
        return seen[k];
      };
      const double below = first_dip(value, width, 4, 0.0);
      if (std::isnan(below)) continue;
      const double found = locate(value, 0.0, first[k], below, value(below), 1e-16 * t, true);
      if (any && found >= earliest) continue;
      earliest = found;
      guard = g;
      any = true;
    }
    if (!any) return false;
    t = before + earliest;
    CVodeGetDky(memory, t, 0, between);
    std::copy_n(N_VGetArrayPointer(between), y.size(), y.begin());
    return true;
  }

  void collect() {
    long n = 0;
    CVodeGetNumSteps(memory, &n);
    past_steps += n;
    CVodeGetNumRhsEvals(memory, &n);
    past_evaluations += n;
    CVodeGetNumErrTestFails(memory, &n);
    past_rejected += n;
  }
};

Cvode::Cvode(CvodeProblem problem, double t, std::span<const double> y, double relative,
             std::span<const double> absolute)
    : impl_(std::make_unique<Impl>()) {
  Impl& s = *impl_;
  s.problem = std::move(problem);
  const auto n = sunindextype(s.problem.size);
  bool ok = SUNContext_Create(nullptr, &s.context) == 0;
  s.y = N_VNew_Serial(n, s.context);
  s.absolute = N_VNew_Serial(n, s.context);
  s.errors = N_VNew_Serial(n, s.context);
  s.between = N_VNew_Serial(n, s.context);
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(s.y));
  std::copy(absolute.begin(), absolute.end(), N_VGetArrayPointer(s.absolute));
  s.origin.assign(y.begin(), y.end());
  s.relative = relative;
  s.memory = CVodeCreate(CV_BDF, s.context);
  s.matrix = SUNDenseMatrix(n, n, s.context);
  s.solver = SUNLinSol_Dense(s.y, s.matrix, s.context);
  s.roots.resize(std::size_t(s.problem.guard_count));
  for (auto* v : {&s.seen, &s.first, &s.inside, &s.last}) v->resize(s.roots.size());
  s.start.resize(std::size_t(n));
  ok = ok && s.memory && CVodeInit(s.memory, Impl::rates, t, s.y) == 0 &&
       CVodeSetErrHandlerFn(s.memory, Impl::silent, nullptr) == 0 &&
       CVodeWFtolerances(s.memory, Impl::weights) == 0 &&
       CVodeSetLinearSolver(s.memory, s.solver, s.matrix) == 0 &&
       (!s.problem.jacobian || CVodeSetJacFn(s.memory, Impl::jacobian) == 0) &&
       CVodeSetUserData(s.memory, &s) == 0 && CVodeSetMaxErrTestFails(s.memory, 20) == 0 &&
       CVodeSetMaxNumSteps(s.memory, 100'000'000) == 0;
  if (s.problem.fresh_jacobian)
    ok = ok && CVodeSetLSetupFrequency(s.memory, 1) == 0 &&
         CVodeSetJacEvalFrequency(s.memory, 1) == 0;
  if (s.problem.guard_count > 0) {
    std::vector<int> falling(s.roots.size(), -1);
    ok = ok && CVodeRootInit(s.memory, s.problem.guard_count, Impl::guards) == 0 &&
         CVodeSetNoInactiveRootWarn(s.memory) == 0 &&
         CVodeSetRootDirection(s.memory, falling.data()) == 0;
  }
  if (!ok) throw std::runtime_error("CVODE could not be set up");
}

Cvode::~Cvode() = default;

// A step that turns the body round is repeated in short ones. CVODE judges a step by its ends: one
// that ends well beyond the crossing has not seen a force that changes just before it.
Cvode::Outcome Cvode::step(double end, double& t, std::span<double> y, int& guard) {
  Impl& s = *impl_;
  CVodeSetStopTime(s.memory, end);
  for (;;) {
    const double before = t;
    std::copy(y.begin(), y.end(), s.start.begin());
    const int flag = CVode(s.memory, end, s.y, &t, CV_ONE_STEP);
    std::copy_n(N_VGetArrayPointer(s.y), y.size(), y.begin());
    // Before a place it cannot pass CVODE creeps on by steps of rounding.
    if (t - before > 1e-14 * std::abs(t)) s.still = 0, s.not_finite = -1;
    if (flag < 0 || ++s.still > 1000) return Outcome::failed;
    // CVODE compares the signs of a guard at the ends of its steps; a dip inside one is looked for.
    bool found = s.problem.guard_count > 0 && s.dips(before, t, y, guard);
    if (!found && flag == CV_ROOT_RETURN) {
      CVodeGetRootInfo(s.memory, s.roots.data());
      for (std::size_t i = 0; i < s.roots.size(); ++i)
        if (s.roots[i] != 0) guard = int(i);
      found = true;
    }
    const bool repeat =
        found && s.problem.turns(guard) && t > s.short_until && t - before > 1e-13 * t;
    if (repeat) {
      s.short_until = t + (t - before);
      CVodeSetMaxStep(s.memory, (t - before) / 8.0);
      t = before;
      std::copy(s.start.begin(), s.start.end(), y.begin());
      restart(t, y);
      CVodeSetStopTime(s.memory, end);
      continue;
    }
    if (found || t > s.short_until) CVodeSetMaxStep(s.memory, s.longest);
    if (found) return Outcome::guard;
    return flag == CV_TSTOP_RETURN || t >= end ? Outcome::reached : Outcome::stepped;
  }
}

void Cvode::between(double t, std::span<double> y) const {
  CVodeGetDky(impl_->memory, t, 0, impl_->between);
  std::copy_n(N_VGetArrayPointer(impl_->between), y.size(), y.begin());
}

void Cvode::restart(double t, std::span<const double> y) {
  Impl& s = *impl_;
  s.collect();
  std::copy(y.begin(), y.end(), N_VGetArrayPointer(s.y));
  CVodeReInit(s.memory, t, s.y);
}

void Cvode::limit_step(double longest) {
  impl_->longest = longest;
  CVodeSetMaxStep(impl_->memory, longest);
}

long Cvode::steps() const {
  long n = 0;
  CVodeGetNumSteps(impl_->memory, &n);
  return impl_->past_steps + n;
}
long Cvode::evaluations() const {
  long n = 0;
  CVodeGetNumRhsEvals(impl_->memory, &n);
  return impl_->past_evaluations + n;
}
long Cvode::rejected() const {
  long n = 0;
  CVodeGetNumErrTestFails(impl_->memory, &n);
  return impl_->past_rejected + n;
}
int Cvode::not_finite() const { return impl_->not_finite; }
std::span<const double> Cvode::local_errors() {
  CVodeGetEstLocalErrors(impl_->memory, impl_->errors);
  return {N_VGetArrayPointer(impl_->errors), std::size_t(impl_->problem.size)};
}

}  // namespace detail
}  // namespace bristle
