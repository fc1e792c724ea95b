// SPDX-License-Identifier: MIT
// Judges the numbers of an oscillator's run, and puts how it ended in front of its message.
#pragma once

#include <cmath>
#include <string>

#include "bristle/solve/trajectory.hpp"
#include "bristle/system/friction_oscillator.hpp"

namespace bristle::detail {

inline void look_at_last_sample(OscillatorRun& r) {
  constexpr std::array<std::string_view, 9> names{"base",          "position",   "velocity",
                                                  "acceleration",  "force",      "work_in",
                                                  "friction_work", "dissipated", "stored"};
  r.not_finite.look(r.time.back(),
                    std::array{r.base.back(), r.position.back(), r.velocity.back(),
                               r.acceleration.back(), r.force.back(), r.work_in.back(),
                               r.friction_work.back(), r.dissipated.back(), r.stored.back()},
                    names);
}

// A run whose numbers are not finite did not succeed.
inline void judge_numbers(OscillatorRun& r, double time) {
  if (r.status == Status::cancelled) return;
  r.not_finite.look(time, std::array{r.ledger_error},
                    std::array<std::string_view, 1>{"ledger_error"});
  if (r.not_finite) r.status = Status::not_finite;
}

inline void tell_status(OscillatorRun& r) {
  if (r.status == Status::not_finite)
    r.message = "not finite: " + std::string(r.not_finite.column) +
                " at t = " + words(r.not_finite.time) + " s; " + r.message;
  else if (!r.ok()) r.message = "stopped, " + std::string(words(r.status)) + ": " + r.message;
}

}  // namespace bristle::detail
