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

// Along a given motion the bristle is exact by either method of fixed step.
bool exact_bristles(const MachineSystem& system, const Options& options) {
  const bool given = options.method == Options::coupled && system.n == 0;
  return (given || options.method == Options::bristle_only) &&
         MachineExact::knows(system.machine());
}

// A law that is set-valued has no bristle; its steps are coupled.
bool without_bristles(const Machine& machine) {
  for (const auto& contact : machine.contacts)
    if (!contact.set_valued) return false;
  return true;
}

}  // namespace

void check_method(MachineSystem& system, const Options& options, bool named) {
  const bool coupled = options.method == Options::coupled;
  if ((coupled || named) && exact_bristles(system, options)) return;
  if (coupled || (named && steps_are_fixed(options) && without_bristles(system.machine()))) {
    MachineFixed check(system);
    return;
  }
  if (named && system.lags > 0 && options.method == Options::bristle_only)
    throw InvalidInput("method",
                       "solve: method = \"bristle_only\" does not support inputs with a lag, use "
                       "rosenbrock, cvode or coupled");
  refuse_only_fixed(system.machine());
  if (options.method == Options::rosenbrock) return;
  if (options.method != Options::cvode)
    throw InvalidInput("method",
                       "solve: method = \"" +
                           std::string(Options::methods[std::size_t(options.method)]) +
                           "\" does not support machines or laws with several states, use "
                           "rosenbrock, cvode or coupled");
  if (!system.delayed.empty())
    throw InvalidInput(
        "method",
        "solve: method = \"cvode\" does not support laws with a delay such as " +
            std::string(
                system.machine().contacts[std::size_t(system.delayed.front())].law->name()) +
            ", use rosenbrock");
  const int size = system.states + system.powers;
  if (size > MachineCvode::most)
    throw InvalidInput("method", "solve: method = \"cvode\" supports machines of at most " +
                                     std::to_string(MachineCvode::most) +
                                     " states and energies, this one has " + std::to_string(size) +
                                     ", use rosenbrock");
}

MachineEnd run_machine(MachineSystem& system, const Options& options, MachineObserver& observe) {
  if (options.method == Options::cvode) return run_by<MachineCvode>(system, options, observe);
  if (exact_bristles(system, options))
    return run_by<MachineSteps<MachineExact>>(system, options, observe);
  if (steps_are_fixed(options)) return run_by<MachineSteps<MachineFixed>>(system, options, observe);
  return run_by<MachineDriver>(system, options, observe);
}

}  // namespace bristle::detail
