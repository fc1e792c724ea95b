// SPDX-License-Identifier: MIT
#include "run_machine.hpp"

#include <chrono>

#include "machine_cvode.hpp"
#include "machine_drive.hpp"
#include "machine_steps.hpp"

namespace bristle::detail {
namespace {

template <class Driver>
MachineEnd run_by(MachineSystem& system, const Options& options, MachineObserver& observe) {
  Driver driver(system, {options.tolerance, long(options.step_limit), 10.0, options.step});
  driver.reset();
  MachineEnd end;
  end.stored_first = system.stored(0.0, driver.state().data(), driver.mode());
  const auto began = std::chrono::steady_clock::now();
  end.outcome.report = driver.run(options.end, observe);
  end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  end.outcome.evaluations = driver.evaluations();
  end.outcome.error_estimate = end.outcome.report.error_sum;
  const auto& y = driver.state();
  end.stored_last = system.stored(driver.time(), y.data(), driver.mode());
  const auto at = std::size_t(system.states);
  end.outcome.work = {y[at], 0.0, y[at + 1]};
  for (std::size_t c = 0; c < std::size_t(system.contacts); ++c)
    end.outcome.work[1] += y[at + 2 + c];
  end.moving = system.mass.kinetic(y.data() + system.v_at());  // stored() looked at the inertia
  return end;
}

}  // namespace

void check_method(MachineSystem& system, const Options& options) {
  if (options.method == Options::rosenbrock) return;
  if (options.method == Options::coupled) {
    MachineFixed check(system);
    return;
  }
  if (options.method != Options::cvode)
    throw InvalidInput("method", "solve: method = \"" +
                                     std::string(Options::methods[std::size_t(options.method)]) +
                                     "\" does not know machines or laws with several states, use "
                                     "rosenbrock, cvode or coupled");
  if (!system.delayed.empty())
    throw InvalidInput(
        "method",
        "solve: method = \"cvode\" does not know laws that look back in time such "
        "as " +
            std::string(
                system.machine().contacts[std::size_t(system.delayed.front())].law->name()) +
            ", use rosenbrock");
  const int size = system.states + system.powers;
  if (size > MachineCvode::most)
    throw InvalidInput("method", "solve: method = \"cvode\" knows machines of at most " +
                                     std::to_string(MachineCvode::most) +
                                     " states and energies, this one has " + std::to_string(size) +
                                     ", use rosenbrock");
}

MachineEnd run_machine(MachineSystem& system, const Options& options, MachineObserver& observe) {
  if (options.method == Options::cvode) return run_by<MachineCvode>(system, options, observe);
  if (options.method == Options::coupled) return run_by<MachineSteps>(system, options, observe);
  return run_by<MachineDriver>(system, options, observe);
}

}  // namespace bristle::detail
