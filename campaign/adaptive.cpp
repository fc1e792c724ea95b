// SPDX-License-Identifier: MIT
// Random runs by the default method: properties that hold of every one of them.
#include <algorithm>

#include "bristle/solve/trajectory.hpp"
#include "draw.hpp"
#include "properties.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

std::vector<Violation> violations_of(const Machine& machine, Status& status) {
  Parts parts = assemble(machine);
  parts.options.progress = [](double) { return !interrupted(); };
  Simulation done = run(parts);
  status = done.summary.status;
  auto found = adaptive_violations(parts, done);
  // A ledger that closes only over more steps than are allowed here must do so within the limit
  // that a run has by default.
  const bool limited = status == Status::step_limit || !done.summary.warning.empty();
  if (limited && !found.empty() && found.front().property == "ledger") {
    parts.options.step_limit = Options{}.step_limit;
    done = run(parts);
    found = adaptive_violations(parts, done);
    if (status == Status::done) status = Status::step_limit;
  }
  return found;
}

Trial one(std::uint64_t seed, std::uint64_t index) {
  Random random = random_of(seed, index);
  Trial trial;
  trial.machine = draw(random, index);
  trial.law = text(trial.machine, "model", "name");
  trial.mechanism = text(trial.machine, "mechanism", "name");
  Status status = Status::done;
  const auto found = violations_of(trial.machine, status);
  // A run that ended early says so; what it has must hold all the same.
  if (status != Status::done) trial.kind = std::string(words(status));
  if (found.empty()) return trial;
  const auto worst =
      std::max_element(found.begin(), found.end(),
                       [](const Violation& a, const Violation& b) { return a.size < b.size; });
  trial.failed = true;
  trial.kind = worst->property;
  trial.words = worst->words;
  trial.size = worst->size;
  return trial;
}

}  // namespace

int run_adaptive(const Request& request) {
  return carry_out(
      "adaptive", request, [&](std::uint64_t index) { return one(request.seed, index); },
      [](const Machine& machine, const std::string& kind) {
        Status status = Status::done;
        for (const auto& v : violations_of(machine, status))
          if (v.property == kind) return true;
        return false;
      });
}

}  // namespace bristle::campaign
