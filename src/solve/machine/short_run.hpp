// SPDX-License-Identifier: MIT
// A machine with one contact, told as the trajectory of a mechanism: how the named mechanisms run
// with laws of several states, and at fixed steps.
#pragma once

#include <functional>

#include "bristle/machine/short_forms.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle::detail {

struct ShortForm {
  MachineParts parts;
  std::function<double(double time)> input;  // what the trajectory calls so
  std::string input_name, input_unit;
  double section = 0.0;    // velocity whose upward crossings mark cycles, 0: none
  double period = 0.0;     // of the drive, 0: none
  std::size_t moving = 1;  // bodies that start where the options say
  // Of a damper beside the contact that the mechanism does not count: its loss is taken from the
  // work and from what is dissipated [N s/m].
  double damping = 0.0;
  // Further columns, from the states, the motion of the first drive and the friction.
  struct Transducer {
    std::string name;
    std::function<double(const double* q, const double* v, const DrivePart::Motion& base,
                         double friction)>
        read;
  };
  std::vector<Transducer> transducers{};
};

Simulation simulate_short(const ShortForm& form, const Options& options);

template <class M>
ShortForm short_form(const AnyLaw& law, const M& mechanism, const Options& options) {
  // The law outlives the run, which does not own it.
  const LawPointer pointer(std::shared_ptr<const AnyLaw>(), &law);
  ShortForm form{
      parts_of(mechanism, pointer), {}, std::string(M::input_name), std::string(M::input_unit)};
  form.input = [&mechanism](double t) { return mechanism.input(t, mechanism.piece(t)); };
  form.section = options.section != 0.0 ? options.section : mechanism.section();
  if constexpr (requires { mechanism.drive_period(); }) form.period = mechanism.drive_period();
  if constexpr (std::is_same_v<M, BaseExcitedMass>) form.damping = mechanism.damping;
  return form;
}

template <class M>
Simulation simulate_as_machine(const AnyLaw& law, const M& mechanism, const Options& options) {
  return simulate_short(short_form(law, mechanism, options), options);
}

}  // namespace bristle::detail
