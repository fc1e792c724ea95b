// SPDX-License-Identifier: MIT
// The mechanisms with one contact. A new one is added to this list; files, the command, Python and
// the random campaigns take them from here.
#pragma once

#include <variant>
#include <vector>

#include "bristle/mechanism/base_excited_mass.hpp"
#include "bristle/mechanism/diaphragm_valve.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/mechanism/pendulum.hpp"
#include "bristle/mechanism/prescribed_motion.hpp"
#include "bristle/mechanism/rig.hpp"
#include "bristle/mechanism/wall_spring_mass.hpp"
#include "bristle/model/describe.hpp"

namespace bristle {

using AnyMechanism = std::variant<DraggedMass, WallSpringMass, BaseExcitedMass, Pendulum,
                                  DiaphragmValve, PrescribedMotion, Rig>;

// Calls look(M{}) for every mechanism M.
template <class Look>
void for_each_mechanism(const Look& look) {
  [&]<class... M>(const std::variant<M...>*) {
    (look(M{}), ...);
  }(static_cast<const AnyMechanism*>(nullptr));
}

// Their tables, in the order of the list.
inline std::vector<Description> mechanisms() {
  std::vector<Description> all;
  for_each_mechanism([&]<class M>(const M&) { all.push_back(describe<M>()); });
  return all;
}

// The signal that drives a mechanism; null if it has none.
inline const Signal* signal_of(const AnyMechanism& mechanism) {
  return std::visit(
      [](const auto& m) -> const Signal* {
        if constexpr (requires { m.signal; }) return &m.signal;
        else return nullptr;
      },
      mechanism);
}

// Prepares the signal, if there is one, for evaluation up to a time.
inline void prepare_signal(AnyMechanism& mechanism, double end) {
  std::visit(
      [&](auto& m) {
        if constexpr (requires { m.signal; }) m.signal.prepare(end);
      },
      mechanism);
}

inline double load_of(const AnyMechanism& mechanism) {
  return std::visit([](const auto& m) { return m.load; }, mechanism);
}

}  // namespace bristle
