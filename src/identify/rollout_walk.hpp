// SPDX-License-Identifier: MIT
// A body that moves by itself under its input and a friction law, in fixed steps with derivatives.
//
// The steps are those of method "coupled" (machine_fixed.hpp: two stages, order 2, velocity and
// bristle solved together, so that stick holds at any step) for the body of
// mechanism/driven_mass.hpp. A stage is one equation R(v) = 0 in its velocity:
//
//   R(v) = mass (v - v_base) - w (push(x) - F(v, z)),   x = x_base + w v,   w = gamma h
//
// with the bristle z that belongs to v. It is solved in doubles to rounding. One more Newton
// iteration in numbers with derivatives, v - R / R'(v), then gives the derivatives of the solution
// by the implicit function theorem, also where R is itself a function of parameters and of the
// state before. Values stay those of the doubles. At stick of a set-valued law v is exactly zero,
// and so are its derivatives.
#pragma once

#include "bristle/model/model.hpp"
#include "law_kernel.hpp"

namespace bristle::detail {

// The body and its bristle; `lagged` is the input as it arrives.
template <class S>
struct Rolling {
  S position{}, velocity{}, state{}, lagged{};
};

template <class S>
double plain(const S& x) {
  return value_of(x);
}

template <class S>
Rolling<double> plain(const Rolling<S>& y) {
  return {plain(y.position), plain(y.velocity), plain(y.state), plain(y.lagged)};
}

// What a stage starts from: the base it is counted from, the start of the step, w, load and time.
template <class S>
struct StageInput {
  Rolling<S> base, start;
  double w = 0.0, load = 1.0, time = 0.0;
  double since = 0.0;  // the start of the step
};

template <class F>
struct StageForce {
  F force, state;
};

// Friction at velocity v of a stage with the bristle that belongs to it, on the branch of v.
template <class Law, class T, class S, class F>
StageForce<F> stage_force(const Seen<Law, T>& seen, const StageInput<S>& in, const F& v) {
  const F x = in.base.position + in.w * v;
  const Motion<F> motion{x, v, F(in.load), F(in.time)};
  const auto branch = branch_of(seen.law, F(in.base.state), motion);
  if constexpr (!requires { seen.law.state_scale(); }) {
    return {seen.friction(F(seen.law.sliding(motion, branch))), F(0.0)};
  } else if constexpr (requires { seen.law.advance(x, x); }) {
    const F z = seen.law.advance(F(in.start.state), F(x - in.start.position));
    return {seen.friction(force(seen.law, z, motion)), z};
  } else if constexpr (requires { seen.law.advance(x, motion, x); }) {
    const Motion<F> middle{x, F((x - in.start.position) / in.since), motion.load, motion.time};
    const F z = seen.law.advance(F(in.start.state), middle, F(in.since));
    return {seen.friction(force(seen.law, z, motion)), z};
  } else {
    const auto bristle = seen.law.affine(motion, branch);
    const F z = (in.base.state + in.w * bristle.drive) / (1.0 + in.w * bristle.decay);
    return {seen.friction(seen.law.respond(z, motion, branch).force), z};
  }
}

// The solution of a stage in doubles, with the slopes that carry derivatives on.
struct StageRoot {
  double velocity = 0.0, state = 0.0;
  double state_slope = 0.0;  // dz/dv
  double slope = 1.0;        // R'(v)
  bool stuck = false;
};

// Newton with exact slopes inside a bracket; `side` keeps the root on one side of zero.
template <class Seen>
[[gnu::noinline]] StageRoot slide(const Seen& seen, const StageInput<double>& in, double lagged,
                                  double v, double side) {
  constexpr double far = std::numeric_limits<double>::infinity();
  double low = side > 0.0 ? 0.0 : -far, high = side < 0.0 ? 0.0 : far;
  StageRoot root;
  for (int i = 0; i < 100; ++i) {
    const auto f = stage_force(seen, in, variable<1>(v, 0));
    const double push = seen.body.push(in.base.position + in.w * v, lagged);
    const double residual = seen.body.mass * (v - in.base.velocity) - in.w * (push - f.force.value);
    const double stiffness = seen.body.stiffness(in.base.position + in.w * v);
    const double slope = seen.body.mass + in.w * (in.w * stiffness + f.force.slope[0]);
    root = {v, f.state.value, f.state.slope[0], slope, false};
    (residual > 0.0 ? high : low) = v;
    const double size = seen.body.mass * (std::abs(v) + std::abs(in.base.velocity)) +
                        in.w * (std::abs(push) + std::abs(f.force.value));
    if (!(std::abs(residual) > 2e-16 * size)) break;
    double next = v - residual / slope;
    const bool bracketed = low > -far && high < far;
    if (!(slope > 0.0) || next <= low || next >= high || i > 40)
      next = bracketed ? 0.5 * (low + high) : v - residual / (slope > 0.0 ? slope : seen.body.mass);
    if (next == v || (bracketed && high - low <= 1e-16 * std::abs(high))) break;
    v = next;
  }
  return root;
}

template <class Seen>
StageRoot solve_stage(const Seen& seen, const StageInput<double>& in, double lagged, double guess) {
  if constexpr (requires { seen.law.state_scale(); }) {
    return slide(seen, in, lagged, guess, 0.0);
  } else {
    // The friction that ends the stage at rest; inside the interval it is the answer.
    const double held =
        seen.body.push(in.base.position, lagged) + seen.body.mass * in.base.velocity / in.w;
    const auto allowed = seen.law.limits(Motion<double>{in.base.position, 0.0, in.load, in.time});
    const double most = seen.friction(allowed.upper), least = seen.friction(allowed.lower);
    if (held <= most && held >= least) return {.stuck = true};
    const double side = held > most ? 1.0 : -1.0;
    return slide(seen, in, lagged, guess * side > 0.0 ? guess : side * 1e-9, side);
  }
}

template <template <class> class L, class S>
struct RolloutWalker {
  static constexpr double gamma = stage_gamma;

  Seen<L<S>, S> seen;          // with derivatives
  Seen<L<double>, double> at;  // its values

  RolloutWalker(const FitProblem& problem, const S* x) : seen(detail::seen<L, S>(problem, x)) {
    std::array<double, most_slopes> values{};
    const std::size_t shared = problem.shared().size();
    for (std::size_t i = 0; i < shared; ++i) values[i] = plain(x[i]);
    at = detail::seen<L, double>(problem, values.data());
  }

  Rolling<S> stage(const StageInput<S>& in, double input, double guess) const {
    const S lagged = (seen.body.lag * in.base.lagged + in.w * input) / (seen.body.lag + in.w);
    const StageInput<double> values{plain(in.base), plain(in.start), in.w,
                                    in.load,        in.time,         in.since};
    const StageRoot root = solve_stage(at, values, plain(lagged), guess);
    if (root.stuck) return {in.base.position, S(0.0), S(0.0), lagged};
    S v(root.velocity), z(root.state);
    if constexpr (!PlainNumber<S>) {
      const auto f = stage_force(seen, in, v);
      const S push = seen.body.push(S(in.base.position + in.w * v), lagged);
      const S residual = seen.body.mass * (v - in.base.velocity) - in.w * (push - f.force);
      const double inverse = 1.0 / root.slope;
      for (std::size_t i = 0; i < v.slope.size(); ++i) {
        v.slope[i] = -inverse * residual.slope[i];
        z.slope[i] = f.state.slope[i] + root.state_slope * v.slope[i];
      }
    }
    return {in.base.position + in.w * v, v, z, lagged};
  }

  // An observer of the measured motion with both its poles at 1 / follow per sample.
  static void draw(Rolling<S>& y, const Sample& s, bool by_position, double follow) {
    if (!by_position) {
      y.velocity = y.velocity + (s.velocity - y.velocity) / follow;
    } else if (s.step > 0.0) {
      const S off = s.position - y.position;
      y.position = y.position + 2.0 / follow * off;
      y.velocity = y.velocity + off / (follow * follow * s.step);
    }
  }

  // each(sample, position or velocity) for the given samples, the first of a run; the start is the
  // state in units of its scale, and what position and velocity differ by from the measured ones in
  // their units. Throws Cancelled if a stop is asked for meanwhile.
  template <class Start, class Each>
  void run(const FitProblem& problem, const Track& run, std::span<const Sample> samples,
           const Start& start, const Each& each) const {
    const bool by_position = problem.output == FitOutput::position;
    if (samples.empty()) return;
    const Sample& first = samples.front();
    Rolling<S> y{first.position + problem.position_unit * start[1],
                 first.velocity + problem.velocity_unit * start[2], S(0.0), S(run.drive.front())};
    if constexpr (requires { seen.law.state_scale(); }) y.state = start[0] * seen.law.state_scale();
    const double* input = run.drive.data() + 1;
    QuickLook stop;
    stop_if_asked();
    for (const Sample& s : samples) {
      const double h = s.steps > 0 ? s.step / s.steps : 0.0, w = gamma * h;
      for (int i = 0; i < s.steps; ++i, input += 2) {
        stop();
        const double time = s.time - (s.steps - i) * h;
        const Rolling<S> one = stage({y, y, w, s.load, time + w, w}, input[0], plain(y.velocity));
        constexpr double c = (1.0 - gamma) / gamma;
        const Rolling<S> base{y.position + c * (one.position - y.position),
                              y.velocity + c * (one.velocity - y.velocity),
                              y.state + c * (one.state - y.state),
                              y.lagged + c * (one.lagged - y.lagged)};
        y = stage({base, y, w, s.load, time + h, h}, input[1], plain(one.velocity));
      }
      each(s, by_position ? y.position : y.velocity);
      if (problem.follow > 0.0) draw(y, s, by_position, problem.follow);
    }
  }
};

}  // namespace bristle::detail
