// SPDX-License-Identifier: MIT
// The time loop of a fit, compiled for each law and kind of number.
#pragma once

#include "bristle/identify/fit_problem.hpp"
#include "bristle/model/advance.hpp"
#include "bristle/scalar/pack.hpp"

namespace bristle {

struct LawKernel {
  std::string_view name;
  bool state;
  double (*cost)(const FitProblem&, std::span<const double>);
  double (*linearise)(const FitProblem&, std::span<const double>, NormalEquations&);
  void (*costs)(const FitProblem&, std::span<const double>, std::span<double>);
  void (*predict)(const FitProblem&, std::span<const double>, std::vector<std::vector<double>>&);
};
const LawKernel& kernel_of(std::string_view law);

namespace detail {

// A law with what is measured around it.
template <class L, class S>
struct Seen {
  L law;
  S offset = S(0.0), asymmetry = S(0.0);
};

// Reads a problem at given unknowns; `x` holds them as the scalar S, shared ones first.
template <template <class> class L, class S>
Seen<L<S>, S> seen(const FitProblem& problem, const S* x) {
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
    else if (p.name == "offset") s.offset = value;
    else s.asymmetry = value;
  }
  return s;
}

// Leads the law along a run; each(sample, force) for every sample.
template <class L, class S, class Each>
void walk(const Seen<L, S>& seen, const FitProblem& problem, const Track& run, const S& start,
          const Each& each) {
  S z(0.0);
  if constexpr (requires { seen.law.state_scale(); }) z = start * seen.law.state_scale();
  for (const Sample& s : run.samples) {
    const Motion<S> motion{S(s.position), S(s.velocity), S(s.load), S(s.time)};
    S f(0.0);
    if (problem.steady) {
      f = steady_force(seen.law, motion);
    } else {
      if constexpr (requires { seen.law.state_scale(); }) {
        if (s.step > 0.0) {
          const Motion<S> middle{S(s.middle_position), S(s.middle_velocity), S(s.load), S(s.time)};
          z = advance(seen.law, z, middle, S(s.step));
        }
      }
      f = force(seen.law, z, motion);
    }
    each(s, S(seen.offset + f * (1.0 + seen.asymmetry * sign(f))));
  }
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

template <template <class> class L>
double cost(const FitProblem& problem, std::span<const double> x) {
  const auto s = seen<L, double>(problem, x.data());
  const std::size_t shared = problem.shared().size();
  double sum = 0.0, weight = 0.0;
  for (std::size_t k = 0; k < problem.runs.size(); ++k)
    walk(s, problem, problem.runs[k], problem.starts_unknown() ? x[shared + k] : 0.0,
         [&](const Sample& m, double f) {
           sum += m.weight * loss_of(problem, f - m.force, weight);
         });
  return sum;
}

// Flattened: calls between numbers with derivatives would cost more than what they compute.
template <template <class> class L, int N>
[[gnu::flatten]] double linearise_with(const FitProblem& problem, std::span<const double> x,
                                       NormalEquations& equations) {
  using D = Dual<double, N>;
  const int shared = int(problem.shared().size());
  const bool starts = problem.starts_unknown();
  std::array<D, N> u{};
  for (int i = 0; i < shared; ++i) u[std::size_t(i)] = variable<N>(x[std::size_t(i)], i);
  const auto s = seen<L, D>(problem, u.data());
  double sum = 0.0, weight = 0.0;
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    // The state this run starts from takes the place behind the shared unknowns.
    D start(0.0);
    const int own = shared + int(k);
    if (starts) start = variable<N>(x[std::size_t(own)], shared);
    alignas(64) std::array<double, N * N> a{};
    alignas(64) std::array<double, N> g{};
    walk(s, problem, problem.runs[k], start, [&](const Sample& m, const D& f) {
      if (m.weight == 0.0) return;
      const double r = f.value - m.force;
      sum += m.weight * loss_of(problem, r, weight);
      const double w = m.weight * weight;
      for (int i = 0; i < N; ++i) {
        const double wi = w * f.slope[i];
        g[std::size_t(i)] += wi * r;
        // The lower triangle, in whole vectors.
        for (int j = 0; j < N; ++j) a[std::size_t(i * N + j)] += wi * f.slope[j];
      }
    });
    const int used = shared + (starts ? 1 : 0);
    const auto place = [&](int i) { return i < shared ? i : own; };
    for (int i = 0; i < used; ++i) {
      equations.gradient[std::size_t(place(i))] += g[std::size_t(i)];
      for (int j = 0; j < used; ++j)
        equations.at(place(i), place(j)) += a[std::size_t(std::max(i, j) * N + std::min(i, j))];
    }
  }
  return sum;
}

template <template <class> class L>
double linearise(const FitProblem& problem, std::span<const double> x, NormalEquations& equations) {
  constexpr int most = int(L<double>::fields().size()) + 3;
  const int used = int(problem.shared().size()) + (problem.starts_unknown() ? 1 : 0);
  if (used <= 4) return linearise_with<L, 4>(problem, x, equations);
  if constexpr (most > 4)
    if (used <= 8) return linearise_with<L, 8>(problem, x, equations);
  if constexpr (most > 8)
    if (used <= 12) return linearise_with<L, 12>(problem, x, equations);
  if constexpr (most > 12) return linearise_with<L, 16>(problem, x, equations);
  return 0.0;  // a law has no more unknowns
}

template <template <class> class L>
void costs(const FitProblem& problem, std::span<const double> many, std::span<double> result) {
  const std::size_t n = std::size_t(problem.unknowns()), shared = problem.shared().size();
  constexpr std::size_t lanes = Pack::size;
  std::vector<Pack> x(n);
  alignas(64) std::array<double, lanes> lane{};
  for (std::size_t first = 0; first < result.size(); first += lanes) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < lanes; ++l)
        lane[l] = many[std::min(first + l, result.size() - 1) * n + i];
      x[i] = Pack::load_unaligned(lane.data());
    }
    const auto s = seen<L, Pack>(problem, x.data());
    Pack sum(0.0), weight(0.0);
    for (std::size_t k = 0; k < problem.runs.size(); ++k)
      walk(s, problem, problem.runs[k], problem.starts_unknown() ? x[shared + k] : Pack(0.0),
           [&](const Sample& m, const Pack& f) {
             sum += Pack(m.weight) * loss_of(problem, Pack(f - Pack(m.force)), weight);
           });
    sum.store_unaligned(lane.data());
    for (std::size_t l = 0; l < lanes && first + l < result.size(); ++l)
      result[first + l] = lane[l];
  }
}

template <template <class> class L>
void predict(const FitProblem& problem, std::span<const double> x,
             std::vector<std::vector<double>>& forces) {
  const auto s = seen<L, double>(problem, x.data());
  const std::size_t shared = problem.shared().size();
  for (std::size_t k = 0; k < problem.runs.size(); ++k) {
    forces.emplace_back();
    forces.back().reserve(problem.runs[k].samples.size());
    walk(s, problem, problem.runs[k], problem.starts_unknown() ? x[shared + k] : 0.0,
         [&](const Sample&, double f) { forces.back().push_back(f); });
  }
}

}  // namespace detail

template <template <class> class L>
LawKernel law_kernel() {
  return {L<double>::name,      StateLaw<L<double>>, detail::cost<L>,
          detail::linearise<L>, detail::costs<L>,    detail::predict<L>};
}

}  // namespace bristle
