// SPDX-License-Identifier: MIT
// Cost, derivatives and predictions of a fit, compiled for each law and kind of number.
//
// A walker leads a law through a run: along the measured motion (direct_walk.hpp) or with a body
// that moves by itself (rollout_walk.hpp). What is made of its predictions is written here once.
#pragma once

#include "block_table.hpp"
#include "bristle/identify/fit_problem.hpp"
#include "bristle/mechanism/driven_mass.hpp"
#include "bristle/scalar/dual.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {

struct LawKernel {
  std::string_view name;
  bool state;
  double (*cost)(const FitProblem&, std::span<const double>);
  double (*linearise)(const FitProblem&, std::span<const double>, NormalEquations&);
  void (*costs)(const FitProblem&, std::span<const double>, std::span<double>);
  void (*predict)(const FitProblem&, std::span<const double>, std::vector<std::vector<double>>&);
  double (*state_scale)(const FitProblem&, std::span<const double>);
  bool compared;         // whether a comparison takes it without being told
  BlockKernel blocks{};  // cost and derivatives in lanes, where law and processor have them
};
const LawKernel& kernel_of(std::string_view law);
// The same for fits of motion; null if there is none for the law.
const LawKernel* rollout_kernel_of(std::string_view law);
// The same with parameters that depend on columns, or backlash.
const LawKernel* shaped_kernel_of(std::string_view law);

namespace detail {

// The most derivatives a fit carries at once, and terms beside the force of a law.
inline constexpr int most_slopes = 16, most_terms = 8;
// Where the first stage of a step of a rollout lies, as a part of the step.
inline constexpr double stage_gamma = 0.29289321881345254;

// A law with what is measured around it, and the body it acts on in a rollout.
template <class L, class S>
struct Seen {
  L law;
  S offset = S(0.0), asymmetry = S(0.0);
  std::array<S, std::size_t(most_terms)> terms{};
  DrivenMass<S> body{};

  // The friction as it acts: with the constant beside it and the factor between the directions.
  template <class F>
  F friction(const F& force) const {
    return F(offset + force * (1.0 + asymmetry * sign(force)));
  }
};

// The body of a rollout for the values of all parameters. Like what else happens once per
// evaluation it stays a function of its own: flattened as well, it would take as long to compile as
// the walk itself.
template <class S>
[[gnu::noinline]] DrivenMass<S> body_of(const FitProblem& problem, const std::vector<S>& values) {
  const auto value = [&](std::string_view name) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string_view there = problem.parameters[i].name;
      if (there.starts_with(mechanism_prefix) && there.substr(mechanism_prefix.size()) == name)
        return values[i];
    }
    return S(0.0);
  };
  return *driven_mass<S>(problem.mechanism, value);
}

// Reads a problem at given unknowns; `x` holds them as the scalar S, shared ones first.
template <template <class> class L, class S>
[[gnu::noinline]] Seen<L<S>, S> seen(const FitProblem& problem, const S* x) {
  Seen<L<S>, S> s{};
  const auto fields = L<S>::fields();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].number) s.law.*fields[f].number = S(problem.fields[f]);
    else s.law.*fields[f].choice = int(problem.fields[f]);
  }
  std::vector<S> values(problem.parameters.size());
  int slot = 0;
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    const FitParameter& p = problem.parameters[i];
    S value = S(p.value);
    if (p.free) {
      value = p.logarithmic ? S(exp(x[slot])) : x[slot];
      if (p.above >= 0) value = value + values[std::size_t(p.above)];
      ++slot;
    }
    values[i] = value;
    const int f = problem.field_of[i];
    if (f >= 0) s.law.*fields[std::size_t(f)].number = value;
    else if (p.term >= 0) s.terms[std::size_t(p.term)] = value;
    else if (p.name == "offset") s.offset = value;
    else if (p.name == "asymmetry") s.asymmetry = value;
  }
  if (problem.kind == FitKind::rollout) s.body = body_of(problem, values);
  return s;
}

// Huber's loss of a residual and the weight of its derivatives.
template <class S>
S loss_of(const FitProblem& problem, const S& r, S& weight) {
  weight = S(1.0);
  if (problem.loss == Loss::squares) return 0.5 * r * r;
  const S size = abs(r), c = S(problem.loss_scale);
  const auto far = size > c;
  weight = select(far, S(c / select(far, size, S(1.0))), S(1.0));
  return select(far, S(c * (size - 0.5 * c)), S(0.5 * r * r));
}

// The samples up to the last one that is fitted: what comes after it says nothing of the cost.
inline std::span<const Sample> fitted_part(const Track& run) {
  std::size_t count = run.samples.size();
  while (count > 0 && run.samples[count - 1].weight == 0.0) --count;
  return {run.samples.data(), count};
}

// The unknowns of the start of a run, zero where there are none.
using RunStart = std::array<double, 3>;
inline RunStart start_of(const FitProblem& problem, std::span<const double> x, std::size_t shared,
                         std::size_t run) {
  RunStart start{};
  const std::size_t count = std::size_t(problem.starts_per_run());
  for (std::size_t i = 0; i < count; ++i) start[i] = x[shared + run * count + i];
  return start;
}

template <template <class> class L, template <template <class> class, class> class Walker>
double cost(const FitProblem& problem, std::span<const double> x) {
  const Walker<L, double> walker(problem, x.data());
  const std::size_t shared = problem.shared().size();
  double sum = 0.0, weight = 0.0;
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    walker.run(problem, problem.runs[k], fitted_part(problem.runs[k]),
               start_of(problem, x, shared, k), [&](const Sample& m, double f) {
                 sum += m.weight * loss_of(problem, f - problem.measured(m), weight);
               });
  return sum;
}

template <template <class> class L, template <template <class> class, class> class Walker, int N>
double linearise_with(const FitProblem& problem, std::span<const double> x,
                      NormalEquations& equations) {
  using D = Dual<double, N>;
  const int shared = int(problem.shared().size()), starts = problem.starts_per_run();
  std::array<D, N> u{};
  for (int i = 0; i < shared; ++i) u[std::size_t(i)] = variable<N>(x[std::size_t(i)], i);
  const Walker<L, D> walker(problem, u.data());
  double sum = 0.0, weight = 0.0;
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    // The start of this run takes the places behind the shared unknowns.
    std::array<D, 3> start{};
    const int own = shared + int(k) * starts;
    for (int i = 0; i < starts; ++i)
      start[std::size_t(i)] = variable<N>(x[std::size_t(own + i)], shared + i);
    alignas(64) std::array<double, N * N> a{};
    alignas(64) std::array<double, N> g{};
    const Track& run = problem.runs[k];
    walker.run(problem, run, fitted_part(run), start, [&](const Sample& m, const D& f) {
      if (m.weight == 0.0) return;
      const double r = f.value - problem.measured(m);
      sum += m.weight * loss_of(problem, r, weight);
      const double w = m.weight * weight;
      for (int i = 0; i < N; ++i) {
        const double wi = w * f.slope[i];
        g[std::size_t(i)] += wi * r;
        for (int j = 0; j < N; ++j) a[std::size_t(i * N + j)] += wi * f.slope[j];
      }
    });
    const int used = shared + starts;
    const auto place = [&](int i) { return i < shared ? i : own + i - shared; };
    for (int i = 0; i < used; ++i) {
      equations.gradient[std::size_t(place(i))] += g[std::size_t(i)];
      for (int j = 0; j < used; ++j) equations.at(place(i), place(j)) += a[std::size_t(i * N + j)];
    }
  }
  return sum;
}

// The same with every call inlined: calls between numbers with derivatives made fits take 10 to
// 60 % longer. It takes three to six times as long to compile, so it is for the laws whose fits
// have no quicker way.
template <template <class> class L, template <template <class> class, class> class Walker, int N>
[[gnu::flatten]] double linearise_flat(const FitProblem& problem, std::span<const double> x,
                                       NormalEquations& equations) {
  return linearise_with<L, Walker, N>(problem, x, equations);
}

// With derivatives by as many unknowns as the first of `sizes` that is enough.
template <template <class> class L, template <template <class> class, class> class Walker,
          bool flat, int... sizes>
double linearise(const FitProblem& problem, std::span<const double> x, NormalEquations& equations) {
  const int used = int(problem.shared().size()) + problem.starts_per_run();
  double sum = 0.0;
  const auto enough = [&]<int N>(std::integral_constant<int, N>) {
    if (used > N) return false;
    if constexpr (flat) sum = linearise_flat<L, Walker, N>(problem, x, equations);
    else sum = linearise_with<L, Walker, N>(problem, x, equations);
    return true;
  };
  (enough(std::integral_constant<int, sizes>{}) || ...);
  return sum;
}

template <template <class> class L, template <template <class> class, class> class Walker>
void predict(const FitProblem& problem, std::span<const double> x,
             std::vector<std::vector<double>>& found) {
  const Walker<L, double> walker(problem, x.data());
  const std::size_t shared = problem.shared().size();
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    found.emplace_back();
    found.back().reserve(problem.runs[k].samples.size());
    walker.run(problem, problem.runs[k], problem.runs[k].samples, start_of(problem, x, shared, k),
               [&](const Sample&, double f) { found.back().push_back(f); });
  }
}

// The unit of unknown states, 0 for a law without one.
template <template <class> class L>
double state_scale(const FitProblem& problem, std::span<const double> x) {
  const auto s = seen<L, double>(problem, x.data());
  if constexpr (requires { s.law.state_scale(); }) return s.law.state_scale();
  else return 0.0;
}

}  // namespace detail
}  // namespace bristle
