// SPDX-License-Identifier: MIT
// A law along the measured motion whose parameters change from sample to sample, or that is driven
// through a gap.
//
// Backlash in series: the drive, whose motion was measured, pushes the body with one side of a gap.
// The force on the drive is that of the law as long as a side touches; where it would pull, the
// sides part at force zero, the body stays, and the drive crosses the gap of twice `backlash`.
#pragma once

#include "bristle/identify/dependence.hpp"
#include "direct_walk.hpp"

namespace bristle {
namespace detail {

template <template <class> class L, class S>
class ShapedWalker {
 public:
  ShapedWalker(const FitProblem& problem, const S* x)
      : seen_(detail::seen<L, S>(problem, x)), own_(problem.parameters.size()) {
    int slot = 0;
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const FitParameter& p = problem.parameters[i];
      own_[i] = S(p.value);
      if (p.free) own_[i] = p.logarithmic ? S(exp(x[slot])) : x[slot];
      slot += p.free;
    }
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (problem.parameters[i].name == backlash_name) gap_ = own_[i];
  }

  // As the walkers of direct_walk.hpp.
  template <class Start, class Each>
  void run(const FitProblem& problem, const Track& run, std::span<const Sample> samples,
           const Start& start, const Each& each) const {
    const bool steady = problem.kind == FitKind::steady, gapped = problem.has_backlash();
    S z(0.0);
    if constexpr (requires { seen_.law.state_scale(); }) z = start[0] * seen_.law.state_scale();
    Now now{seen_.law, seen_.offset, S(1.0)};
    Contact contact;
    const double* before_row = nullptr;
    QuickLook stop;
    stop_if_asked();
    double before = 0.0;
    for (const Sample& s : samples) {
      stop();
      if (const double* row = row_of(problem, run, s); row && !same(problem, row, before_row)) {
        set(problem, row, now);
        before_row = row;
      }
      const Motion<S> motion{S(s.position), S(s.velocity), S(s.load), S(s.time)};
      S f(0.0);
      if (steady) {
        f = steady_force(now.law, motion);
      } else {
        if constexpr (requires { seen_.law.state_scale(); }) {
          if (gapped) {
            f = through_gap(now.law, s, motion, before, z, contact);
          } else {
            z = after(now.law, s, before, z);
            f = force(now.law, z, motion);
          }
          before = s.velocity;
        } else {
          f = force(now.law, z, motion);
        }
      }
      S sum = S(now.offset + f * now.factor * (1.0 + seen_.asymmetry * sign(f)));
      const double* terms =
          run.terms.data() + std::size_t(problem.terms) * std::size_t(&s - run.samples.data());
      for (int k = 0; k < problem.terms; ++k) sum = S(sum + seen_.terms[std::size_t(k)] * terms[k]);
      each(s, sum);
    }
  }

 private:
  // What holds for one row of conditions.
  struct Now {
    L<S> law;
    S offset, factor;
  };
  // The side of the gap that touches, 0: none, and where the drive is between the sides.
  struct Contact {
    int side = 0;
    S place = S(0.0), force = S(0.0);
    bool known = false;
  };

  static const double* row_of(const FitProblem& problem, const Track& run, const Sample& s) {
    return problem.depends.empty()
               ? nullptr
               : run.conditions->data() + std::size_t(s.row) * std::size_t(problem.conditions);
  }
  static bool same(const FitProblem& problem, const double* row, const double* before) {
    return before && std::equal(row, row + problem.conditions, before);
  }

  // The parameters for a row, one counted from another after that one.
  [[gnu::noinline]] void set(const FitProblem& problem, const double* row, Now& now) const {
    std::vector<S> values = own_;
    now.factor = S(1.0);
    for (const Dependence& d : problem.depends) {
      S& value = d.parameter < 0 ? now.factor : values[std::size_t(d.parameter)];
      value =
          depending(d.form, value, own_.data() + d.first, row[std::size_t(d.column)] - d.reference);
      value = select(value < S(d.least), S(d.least), select(value > S(d.most), S(d.most), value));
    }
    const auto fields = L<S>::fields();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const FitParameter& p = problem.parameters[i];
      if (p.free && p.above >= 0) values[i] = values[i] + values[std::size_t(p.above)];
      if (const int f = problem.field_of[i]; f >= 0)
        now.law.*fields[std::size_t(f)].number = values[i];
      else if (p.name == "offset") now.offset = values[i];
    }
  }

  S after(const L<S>& law, const Sample& s, double before, const S& z) const {
    return advanced_sample<L, S>(law, s, before, true, z);
  }

  // The force on the drive; moves the state and the drive within the gap.
  S through_gap(const L<S>& law, const Sample& s, const Motion<S>& motion, double before, S& z,
                Contact& c) const {
    if (!c.known) {
      c.known = true, c.force = force(law, z, motion);
      c.side = c.force < S(0.0) ? -1 : 1;
      c.place = c.side * gap_;
      return c.force;
    }
    const double way = s.middle_velocity * s.step;
    S left = S(way);  // of the way, for the gap
    if (c.side != 0) {
      const S moved = after(law, s, before, z), pushed = force(law, moved, motion);
      if (!(pushed * c.side < S(0.0))) {
        z = moved, c.force = pushed;
        return c.force;
      }
      // The sides part where the force vanishes, on a straight line between the samples.
      const S part = c.force * c.side > S(0.0) ? S(c.force / (c.force - pushed)) : S(0.0);
      z = z + part * (moved - z);
      left = (1.0 - part) * way;
      c.side = 0;
    }
    c.place = c.place + left;
    c.force = S(0.0);
    const int touched = c.place > gap_ ? 1 : c.place < -gap_ ? -1 : 0;
    if (touched == 0 || way == 0.0) return c.force;
    // What is left of the way moves the body.
    const S part = S((c.place - touched * gap_) / way);
    const Motion<S> middle{S(s.middle_position), S(part * s.middle_velocity), S(s.load), S(s.time)};
    z = advance(law, z, middle, S(s.step));
    c.side = touched, c.place = touched * gap_;
    c.force = force(law, z, motion);
    if (c.force * c.side < S(0.0)) c.force = S(0.0);
    return c.force;
  }

  Seen<L<S>, S> seen_;  // at the references
  std::vector<S> own_;  // values of all parameters, without what they are counted from
  S gap_ = S(0.0);
};

// Numbers with derivatives of 8 or 16 unknowns; more would only take longer to compile.
template <template <class> class L>
double shaped_linearise(const FitProblem& problem, std::span<const double> x,
                        NormalEquations& equations) {
  const int used = int(problem.shared().size()) + problem.starts_per_run();
  return used <= 8 ? linearise_with<L, ShapedWalker, 8>(problem, x, equations)
                   : linearise_with<L, ShapedWalker, most_slopes>(problem, x, equations);
}

template <template <class> class L>
void shaped_costs(const FitProblem& problem, std::span<const double> many,
                  std::span<double> result) {
  const std::size_t n = std::size_t(problem.unknowns());
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = cost<L, ShapedWalker>(problem, many.subspan(k * n, n));
}

}  // namespace detail

template <template <class> class L>
LawKernel shaped_kernel() {
  using namespace detail;
  return {L<double>::name, StateLaw<L<double>>,      cost<L, ShapedWalker>, shaped_linearise<L>,
          shaped_costs<L>, predict<L, ShapedWalker>, state_scale<L>,        true};
}

}  // namespace bristle
