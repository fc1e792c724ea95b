// SPDX-License-Identifier: MIT
// A friction law chosen at run time, behind one virtual call per evaluation.
//
// The laws themselves have no base class. This wrapper lets solvers be compiled once for all of
// them instead of once for each: erase(LuGre<>{...}) gives an AnyLaw.
#pragma once

#include <memory>
#include <optional>

#include "bristle/model/block_law.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/model/expansion.hpp"
#include "bristle/model/lift.hpp"
#include "bristle/model/model.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

// Derivatives with respect to the arguments of a law: position, velocity, state, load, height.
using LocalDual = Dual<double, 5>;

class AnyLaw {
 public:
  virtual ~AnyLaw() = default;

  virtual std::string_view name() const = 0;
  virtual Values values() const = 0;
  virtual bool set_valued() const = 0;
  // Whether the law has at most one state and acts along a line: what respond() and the calls below
  // it speak of. Every other law is a block law.
  virtual bool single() const { return true; }
  // Whether the load may be negative; of a block law, whether its friction depends on it.
  virtual bool signed_load() const { return false; }
  virtual bool by_load() const { return false; }
  // The law as a block law of a dimension (block_law.hpp); null if it has no such form.
  virtual std::shared_ptr<const BlockLaw> block(int) const { return nullptr; }

  virtual Response<double> respond(double z, const Motion<double>&, const Branch<>&) const = 0;
  virtual Response<LocalDual> respond(const LocalDual& z, const Motion<LocalDual>&,
                                      const Branch<>&) const = 0;
  virtual double stored(double z, const Motion<double>&, const Branch<>&) const = 0;
  virtual double steady(const Motion<double>&) const = 0;
  virtual double state_scale() const = 0;
  virtual Interval<double> limits(const Motion<double>&) const = 0;  // of a set-valued law
  // The branch for a direction, coming from the branch `before` (a new one at the start).
  virtual Branch<> engage(double z, const Motion<double>&, double direction,
                          const Branch<>& before) const = 0;
  virtual double margin(double z, const Motion<double>&, const Branch<>&) const = 0;
  virtual Branch<> crossed(const Branch<>&) const = 0;
  virtual double released(const Branch<>&) const = 0;  // energy set free as the piece ends [J]
  // What is recorded as the state: that of the law, or what a law without one calls so.
  virtual double shown(double z, const Motion<double>&, double direction) const = 0;
  virtual bool by_position() const = 0;  // the sliding force does not depend on the velocity
  virtual bool expandable() const = 0;   // whether it has the series of expansion.hpp
  virtual Expansion expand(double position, const Branch<>&, double allowed) const = 0;
  virtual bool remembers() const = 0;  // more than its state: see engage
  // How the law lifts the body, if it does.
  virtual std::optional<Lift> lift() const = 0;
  // The state after a step at constant motion, exact for laws linear in their state
  // (fixed_step.hpp).
  virtual double advance(double z, const Motion<double>& middle, double step) const = 0;

  // Whether the state depends on the displacement alone, and then the state after one.
  virtual bool by_displacement() const = 0;
  virtual double displaced(double z, double displacement) const = 0;

  // The size of the force, for error control.
  virtual double force_scale(double load) const = 0;

  // The response to a motion that depends on K variables: the chain rule over the local
  // derivatives.
  template <int K>
  Response<Dual<double, K>> respond(const Dual<double, K>& z, const Motion<Dual<double, K>>& motion,
                                    const Branch<>& branch) const {
    Motion<LocalDual> local;
    local.position = variable<5>(motion.position.value, 0);
    local.velocity = variable<5>(motion.velocity.value, 1);
    local.load = variable<5>(motion.load.value, 3);
    local.time = motion.time.value;
    local.height = variable<5>(motion.height.value, 4);
    const Response<LocalDual> r = respond(variable<5>(z.value, 2), local, branch);
    const auto lift = [&](const LocalDual& x) {
      Dual<double, K> y(x.value);
      for (int i = 0; i < K; ++i)
        y.slope[i] = x.slope[0] * motion.position.slope[i] + x.slope[1] * motion.velocity.slope[i] +
                     x.slope[2] * z.slope[i] + x.slope[3] * motion.load.slope[i] +
                     x.slope[4] * motion.height.slope[i];
      return y;
    };
    return {lift(r.rate), lift(r.force), lift(r.dissipation)};
  }
};

// Refuses a law with several states where only those with one are known: "`what` knows ...".
void require_single(const AnyLaw& law, std::string_view what);

}  // namespace bristle
