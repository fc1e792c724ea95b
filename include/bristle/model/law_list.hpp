// SPDX-License-Identifier: MIT
// All friction laws as types: the one list behind the registry and behind whatever is compiled for
// each law. Heavy, since it includes every law; for source files only.
#pragma once

#include "bristle/model/bouc_wen.hpp"
#include "bristle/model/compressed_bristle.hpp"
#include "bristle/model/coulomb.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/degrading_bouc_wen.hpp"
#include "bristle/model/drbm.hpp"
#include "bristle/model/elasto_plastic.hpp"
#include "bristle/model/ffbm.hpp"
#include "bristle/model/frbd.hpp"
#include "bristle/model/gear_friction.hpp"
#include "bristle/model/gear_hysteresis.hpp"
#include "bristle/model/gms.hpp"
#include "bristle/model/hysteretic_static.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/mpabm.hpp"
#include "bristle/model/planar_reset.hpp"
#include "bristle/model/regularised.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/model/rotating_bristle.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/model/sbm.hpp"
#include "bristle/model/seven_parameter.hpp"
#include "bristle/model/stribeck.hpp"

namespace bristle {

template <template <class> class... Laws>
struct LawTypes {};

using AllLaws =
    LawTypes<Coulomb, Stribeck, Dahl, LuGre, ElastoPlastic, FrBD, ResetIntegrator, Ffbm, Mpabm, Sbm,
             Sawtooth, Drbm, RotatingBristle, CompressedBristle, GearFriction, BoucWen>;

// Laws with several states, without memory and smooth, or in the plane only (block_law.hpp).
template <class... Laws>
struct BlockLawTypes {};

using AllBlockLaws = BlockLawTypes<Gms, Regularised, GearHysteresis, PlanarReset,
                                   HystereticStatic<>, SevenParameter, DegradingBoucWen<>>;

// Laws with several states that follow a displacement (advance(z, way), force(z, position)) and can
// be fitted.
using AllPathLaws = LawTypes<DegradingBoucWen>;

}  // namespace bristle
