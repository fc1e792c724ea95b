// SPDX-License-Identifier: MIT
// A law driven along the measured motion, or through the points of a steady map.
#pragma once

#include "bristle/model/advance.hpp"
#include "bristle/scalar/pack.hpp"
#include "law_kernel.hpp"

namespace bristle {
namespace detail {

// Rows of bristles jump with position and remember how they came to where they are: their force
// does not follow from a few numbers in a way that derivatives could tell. A law may also say by a
// static constant not_fitted = true that it is left out.
template <template <class> class L>
constexpr bool follows_motion() {
  return !requires { L<double>::by_position; }
  &&!requires { L<double>::not_fitted; }
  &&!requires(const L<double>& law, Motion<double> m, Branch<> b) { law.engage(m, 1.0, b); };
}

// The state after the step that leads to a sample, along a velocity that changes evenly, in parts
// of the step.
template <template <class> class L, class S>
S advanced_sample(const L<S>& law, const Sample& s, double before, bool parted, S z) {
  // An update that is not exact at constant velocity needs shorter steps.
  constexpr int least_parts = requires(Motion<S> m) { law.advance(z, m, z); }
  ? 4 : 1;
  if (!(s.step > 0.0)) return z;
  const int parts = parted ? std::max(s.steps, s.steps > 0 ? least_parts : 1) : 1;
  const double rise = (s.velocity - before) / parts;
  for (int k = 0; k < parts; ++k) {
    const double velocity = s.middle_velocity + rise * (k + 0.5 - 0.5 * parts);
    const Motion<S> middle{S(s.middle_position), S(velocity), S(s.load), S(s.time)};
    z = advance(law, z, middle, S(s.step / parts));
  }
  return z;
}

template <template <class> class L, class S>
struct DirectWalker {
  Seen<L<S>, S> seen;

  DirectWalker(const FitProblem& problem, const S* x) : seen(detail::seen<L, S>(problem, x)) {}

  // each(sample, force) for the given samples, the first of a run; the first number of the start is
  // the state. Throws Cancelled if a stop is asked for meanwhile.
  template <class Start, class Each>
  void run(const FitProblem& problem, const Track& run, std::span<const Sample> samples,
           const Start& start, const Each& each) const {
    const bool steady = problem.kind == FitKind::steady;
    S z(0.0);
    if constexpr (requires { seen.law.state_scale(); }) z = start[0] * seen.law.state_scale();
    QuickLook stop;
    stop_if_asked();
    // The steps of a sample are those of a rollout if there is a mechanism.
    const bool parted = problem.mechanism.empty();
    double before = 0.0;
    for (const Sample& s : samples) {
      stop();
      const Motion<S> motion{S(s.position), S(s.velocity), S(s.load), S(s.time)};
      S f(0.0);
      if (steady) {
        f = steady_force(seen.law, motion);
      } else {
        if constexpr (requires { seen.law.state_scale(); }) {
          z = advanced_sample<L, S>(seen.law, s, before, parted, z);
          before = s.velocity;
        }
        f = force(seen.law, z, motion);
      }
      if (problem.terms == 0) {
        each(s, seen.friction(f));
        continue;
      }
      S sum = seen.friction(f);
      const double* row =
          run.terms.data() + std::size_t(problem.terms) * std::size_t(&s - run.samples.data());
      for (int k = 0; k < problem.terms; ++k) sum = S(sum + seen.terms[std::size_t(k)] * row[k]);
      each(s, sum);
    }
  }
};

// A law with several states, driven along the measured motion by its own update.
template <template <class> class L, class S>
struct PathWalker {
  Seen<L<S>, S> seen;

  PathWalker(const FitProblem& problem, const S* x) : seen(detail::seen<L, S>(problem, x)) {}

  // The first number of the start is the first state; the others begin at zero.
  template <class Start, class Each>
  void run(const FitProblem& problem, const Track& run, std::span<const Sample> samples,
           const Start& start, const Each& each) const {
    constexpr int parts = 4;
    std::array<S, std::size_t(L<S>::count)> z{};
    for (S& one : z) one = S(0.0);
    z[0] = start[0];
    QuickLook stop;
    stop_if_asked();
    double before = 0.0;
    bool first = true;
    for (const Sample& s : samples) {
      stop();
      // Along a velocity that changes evenly.
      if (!first && s.step > 0.0) {
        const int pieces = std::max(s.steps, parts);
        const double rise = (s.velocity - before) / pieces;
        for (int k = 0; k < pieces; ++k) {
          const double velocity = s.middle_velocity + rise * (k + 0.5 - 0.5 * pieces);
          seen.law.advance(z.data(), S(velocity * s.step / pieces));
        }
      }
      first = false;
      before = s.velocity;
      S sum = seen.friction(seen.law.force(z.data(), S(s.position)));
      const double* row =
          run.terms.data() + std::size_t(problem.terms) * std::size_t(&s - run.samples.data());
      for (int k = 0; k < problem.terms; ++k) sum = S(sum + seen.terms[std::size_t(k)] * row[k]);
      each(s, sum);
    }
  }
};

template <template <class> class L, template <template <class> class, class> class Walker>
void lane_costs(const FitProblem& problem, std::span<const double> many, std::span<double> result) {
  const std::size_t n = std::size_t(problem.unknowns()), shared = problem.shared().size();
  const bool starts = problem.starts_per_run() > 0;
  constexpr std::size_t lanes = Pack::size;
  std::vector<Pack> x(n);
  alignas(64) std::array<double, lanes> lane{};
  for (std::size_t first = 0; first < result.size(); first += lanes) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < lanes; ++l)
        lane[l] = many[std::min(first + l, result.size() - 1) * n + i];
      x[i] = Pack::load_unaligned(lane.data());
    }
    const Walker<L, Pack> walker(problem, x.data());
    Pack sum(0.0), weight(0.0);
    for (std::size_t k = 0; k < problem.runs.size(); ++k)
      walker.run(problem, problem.runs[k], fitted_part(problem.runs[k]),
                 std::array{starts ? x[shared + k] : Pack(0.0)},
                 [&](const Sample& m, const Pack& f) {
                   sum += Pack(m.weight) * loss_of(problem, Pack(f - Pack(m.force)), weight);
                 });
    sum.store_unaligned(lane.data());
    for (std::size_t l = 0; l < lanes && first + l < result.size(); ++l)
      result[first + l] = lane[l];
  }
}

}  // namespace detail

template <template <class> class L>
LawKernel law_kernel() {
  using namespace detail;
  constexpr int most = int(L<double>::fields().size()) + 3 + most_terms;
  return {L<double>::name,
          StateLaw<L<double>>,
          cost<L, DirectWalker>,
          linearise<L, DirectWalker, most>,
          lane_costs<L, DirectWalker>,
          predict<L, DirectWalker>,
          state_scale<L>,
          true};
}

template <template <class> class L>
LawKernel path_kernel() {
  using namespace detail;
  constexpr int most = int(L<double>::fields().size()) + 3 + most_terms;
  return {L<double>::name,
          true,
          cost<L, PathWalker>,
          linearise<L, PathWalker, most>,
          lane_costs<L, PathWalker>,
          predict<L, PathWalker>,
          [](const FitProblem&, std::span<const double>) { return 1.0; },
          L<double>::compared};
}

}  // namespace bristle
