// SPDX-License-Identifier: MIT
// Random runs by the default method: properties that hold of every one of them.
#include <algorithm>

#include "bristle/solve/trajectory.hpp"
#include "draw.hpp"
#include "properties.hpp"
#include "trials.hpp"

namespace bristle::campaign {
namespace {

// What was found of a machine by its run.
struct Found {
  std::vector<Violation> violations;
  Status status = Status::done;
  // The ledger does not close within the steps allowed, and the run says so and warns of it.
  bool told = false;
};

Found look_at(const Machine& machine) {
  Parts parts = assemble(machine);
  parts.options.progress = [](double) { return !interrupted(); };
  Simulation done = run(parts);
  Found found{adaptive_violations(parts, done), done.summary.status};
  // A ledger that closes only over more steps than are allowed here must do so within the limit
  // that a run has by default.
  const bool limited = found.status == Status::step_limit || !done.summary.warning.empty();
  if (!limited || found.violations.empty() || found.violations.front().property != "ledger")
    return found;
  parts.options.step_limit = Options{}.step_limit;
  done = run(parts);
  found.violations = adaptive_violations(parts, done);
  if (found.status == Status::done) found.status = Status::step_limit;
  found.told = found.violations.size() == 1 && found.violations.front().property == "ledger" &&
               !done.summary.warning.empty() && !done.summary.ledger.closes;
  return found;
}

Trial one(std::uint64_t seed, std::uint64_t index) {
  Random random = random_of(seed, index);
  Trial trial;
  trial.machine = draw(random, index);
  trial.law = text(trial.machine, "model", "name");
  trial.mechanism = text(trial.machine, "mechanism", "name");
  const Found found = look_at(trial.machine);
  // A run that ended early says so; what it has must hold all the same.
  if (found.status != Status::done) trial.kind = std::string(words(found.status));
  if (found.violations.empty()) return trial;
  const auto worst =
      std::max_element(found.violations.begin(), found.violations.end(),
                       [](const Violation& a, const Violation& b) { return a.size < b.size; });
  trial.failed = !found.told;
  trial.kind = found.told ? "ledger open, reported" : worst->property;
  trial.words = worst->words;
  trial.size = worst->size;
  return trial;
}

}  // namespace

int run_adaptive(const Request& request) {
  return carry_out(
      "adaptive", request, [&](std::uint64_t index) { return one(request.seed, index); },
      [](const Machine& machine, const std::string& kind) {
        const Found found = look_at(machine);
        return !found.told && std::any_of(found.violations.begin(), found.violations.end(),
                                          [&](const Violation& v) { return v.property == kind; });
      });
}

}  // namespace bristle::campaign
