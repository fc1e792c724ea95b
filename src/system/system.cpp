// SPDX-License-Identifier: MIT
#include "bristle/system/system.hpp"

#include <string>

#include "bristle/solve/trajectory.hpp"
#include "sampler.hpp"

namespace bristle {

void check_states(std::string_view system, std::span<const double> states, int size) {
  if (states.empty() || int(states.size()) == size) return;
  throw InvalidInput("states", std::string(system) + ": states has " +
                                   std::to_string(states.size()) + " numbers, it must have " +
                                   std::to_string(size) + " or none");
}

std::vector<double> AnySystem::follow(std::span<const double>) const {
  throw InvalidInput("name", std::string(name()) +
                                 ": its output depends on time, not only on the "
                                 "sequence of inputs");
}

SystemModel AnySystem::inverse() const {
  throw InvalidInput("name", std::string(name()) + ": no inverse is known for this system");
}

void finish(SystemResponse& r, const Options& options, const detail::ResponseRecorder& record) {
  if (record.stopped()) r.status = Status::cancelled;
  if (r.not_finite && r.status != Status::cancelled) r.status = Status::not_finite;
  const double reached = r.time.empty() ? 0.0 : r.time.back();
  if (r.ok()) r.message = "reached " + words(options.end);
  else if (r.status == Status::not_finite)
    r.message =
        "not finite: " + std::string(r.not_finite.column) + " at t = " + words(r.not_finite.time);
  else r.message = std::string(words(r.status)) + " after " + words(reached);
  (r.message += " s by ") += r.method;
  if (r.steps > 0) ((r.message += " in ") += std::to_string(r.steps)) += " steps";
  r.message += '.';
}

}  // namespace bristle
