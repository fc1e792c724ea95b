// SPDX-License-Identifier: MIT
// Runs at a fixed step.
#pragma once

#include <algorithm>
#include <cmath>

#include "bristle/solve/coupled_step.hpp"
#include "bristle/solve/pacer.hpp"
#include "bristle/solve/recorder.hpp"
#include "outcome.hpp"

namespace bristle::detail {

// Fixed steps of the coupled kind, or with the exact bristle and an explicit body.
template <class M, class L>
Outcome run_fixed(const System<M, L>& system, const M& mechanism, const L& law,
                  const typename System<M, L>::State& start, const Options& o,
                  Recorder<System<M, L>>& record) {
  using Sys = System<M, L>;
  Outcome out;
  auto y = start;
  std::array<double, 3> work{};
  const long count = std::max(1L, std::lround(o.end / o.step));
  const double h = o.end / double(count);
  Mode mode = system.start(0.0, y);
  if (record.next_sample() <= 0.0) record.sample(0.0, y, work, mode);

  const auto account = [&](double t, const typename Sys::State& at, double force, double loss,
                           double weight) {
    std::array<double, M::size> own{};
    for (int i = 0; i < M::size; ++i) own[i] = at[i];
    const int piece = mechanism.piece(t);
    work[0] += weight * mechanism.power_in(t, own, force, piece);
    work[1] += weight * force * mechanism.motion(t, own, piece).velocity;
    work[2] += weight * loss;
  };

  Pacer looks;
  for (long n = 0; n < count; ++n) {
    const double t = double(n) * h;
    const double end = n + 1 == count ? o.end : double(n + 1) * h;
    const auto was = y;
    const Mode before = mode;
    if constexpr (!Sys::moves) {
      // Given motion: the bristle follows exactly with the velocity of the middle of the step.
      const double middle = t + 0.5 * h;
      const int piece = mechanism.piece(middle);
      const auto m = mechanism.motion(middle, {}, piece);
      auto at = y;
      if constexpr (!Sys::set_valued) {
        at[0] = law.law.advance(y[0], m, 0.5 * h);
        y[0] = law.law.advance(y[0], m, h);
      }
      const auto branch =
          law.law.engage(Sys::set_valued ? 0.0 : at[0], m, sign(m.velocity), mode.branch);
      const auto r = law.law.respond(Sys::set_valued ? 0.0 : at[0], m, branch);
      account(middle, at, r.force, r.dissipation, h);
      ++out.evaluations;
    } else if (o.method == Options::coupled || Sys::set_valued) {
      CoupledStep<M, L> method(mechanism, law);
      method.step(t, h, y);
      out.evaluations += method.evaluations();
      account(t + CoupledStep<M, L>::gamma * h, method.first().y, method.first().friction,
              method.first().dissipation, (1.0 - CoupledStep<M, L>::gamma) * h);
      account(end, method.second().y, method.second().friction, method.second().dissipation,
              CoupledStep<M, L>::gamma * h);
    } else if constexpr (!Sys::set_valued) {
      const Mode now{{sign(y[1]), 0.0}, mechanism.piece(t)};
      const auto m = system.motion(t, y, now);
      y[2] = law.law.advance(y[2], m, h);
      const auto branch = law.law.engage(y[2], m, sign(m.velocity), mode.branch);
      const auto r = law.law.respond(y[2], m, branch);
      std::array<double, 2> own{y[0], y[1]}, rate{};
      mechanism.rates(t, own, r.force, now.piece, rate);
      account(t, y, r.force, r.dissipation, h);
      y[1] += h * rate[1];
      y[0] += h * y[1];
      ++out.evaluations;
    }
    // What overflowed is not recorded.
    double sum = 0.0;
    for (const double value : y) sum += value;
    if (!(sum - sum == 0.0)) {
      if (const auto column = not_finite_at(system, end, y, mode); !column.empty()) {
        out.report.status = Status::not_finite;
        out.report.not_finite = {column, end};
        break;
      }
    }
    mode = system.start(end, y, mode);
    if constexpr (Sys::set_valued && Sys::moves) {
      mode.branch.direction = sign(y[1]);
      if (mode.stuck() != before.stuck()) record.event(0, end, y, before, mode);
      out.report.events += mode.stuck() != before.stuck();
    }
    const auto at = between(system, t, h, was, y, mode);
    record.section(t, h, mode, at);
    record.watch(t, h, mode, at);
    // Samples fall on the step that ends nearest after them; of several within one step one is
    // taken.
    if (record.next_sample() <= end * (1.0 + 1e-14)) record.sample(end, y, work, mode);
    record.leave_out(end * (1.0 + 1e-14));
    ++out.report.steps;
    if (looks.due() && o.cancelled(end / o.end)) {
      out.report.status = Status::cancelled;
      break;
    }
    out.report.time = end;
  }
  out.work = work;
  return out;
}

}  // namespace bristle::detail
