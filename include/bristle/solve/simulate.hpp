// SPDX-License-Identifier: MIT
// One call: a law, a mechanism, options -> trajectory and summary.
//
//   auto run = bristle::simulate(bristle::LuGre<>{}, bristle::DraggedMass{}, {.end = 40.0});
//   std::puts(run.summary.message.c_str());
//
// Throws InvalidInput before the first step; afterwards never: how a run ended is in its summary.
#pragma once

#include "bristle/mechanism/base_excited_mass.hpp"
#include "bristle/mechanism/diaphragm_valve.hpp"
#include "bristle/mechanism/dragged_mass.hpp"
#include "bristle/mechanism/pendulum.hpp"
#include "bristle/mechanism/prescribed_motion.hpp"
#include "bristle/mechanism/rig.hpp"
#include "bristle/mechanism/wall_spring_mass.hpp"
#include "bristle/model/erase.hpp"
#include "bristle/model/erase_block.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/trajectory.hpp"

namespace bristle {

Simulation simulate(const AnyLaw& law, const DraggedMass& mechanism, const Options& options = {});
Simulation simulate(const AnyLaw& law, const WallSpringMass& mechanism,
                    const Options& options = {});
Simulation simulate(const AnyLaw& law, const PrescribedMotion& mechanism,
                    const Options& options = {});
Simulation simulate(const AnyLaw& law, const DiaphragmValve& mechanism,
                    const Options& options = {});
Simulation simulate(const AnyLaw& law, const BaseExcitedMass& mechanism,
                    const Options& options = {});
Simulation simulate(const AnyLaw& law, const Pendulum& mechanism, const Options& options = {});
// A machine of three bodies; the trajectory is that of the tongue against the pads.
Simulation simulate(const AnyLaw& law, const Rig& mechanism, const Options& options = {});

template <Law L, Mechanism M>
Simulation simulate(const L& law, const M& mechanism, const Options& options = {}) {
  return simulate(ErasedLaw<L>(law), mechanism, options);
}
template <BlockLawType L, class M>
Simulation simulate(const L& law, const M& mechanism, const Options& options = {}) {
  return simulate(ErasedBlockLaw<L>(law), mechanism, options);
}

}  // namespace bristle
