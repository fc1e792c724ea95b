// SPDX-License-Identifier: MIT
// Block laws that remember: what they know beyond position, velocity and their own rates.
//
// Such a law keeps numbers that change at events only (the place of the last reversal, the time at
// which a rest began) as states with rate zero, and numbers its pieces by the cell of a branch. To
// the contract of block_law.hpp it adds
//
//   begin(z, motion)                 the first piece, with what is remembered at the start
//   crossed(z, motion, branch)       the piece that follows where margin() reached zero; sets z
//   reversed(z, motion, branch)      the piece that follows where the velocity reached zero
//   breaks_away(before, after)       whether going from one piece to another is a break-away
//
// and, each of them where it is needed,
//
//   by_acceleration = true           motion.acceleration is looked at; steepest(load) bounds how
//                                    fast the force falls with it [kg]
//   looks_back()                     motion.past is looked at, the velocity that long ago
//   held(branch)                     a piece that keeps the velocity branch.along[0], whatever
//                                    force within bounds(z, motion, branch) that takes;
//                                    left(z, motion, branch, way) is the piece that follows where
//                                    no such force does, accelerated forward (1) or backward (-1)
//   either_way(branch)               a piece in which the velocity may change its sign
//
// Where no force can change the motion, motion.given is true and no piece is held.
#pragma once

#include "bristle/model/block_motion.hpp"

namespace bristle {

template <class L>
concept RememberingLaw = requires(const L& law, double* z, BlockMotion<double> motion,
                                  Branch<> branch) {
  { law.begin(z, motion) } -> std::same_as<Branch<>>;
  { law.crossed(z, motion, branch) } -> std::same_as<Branch<>>;
  { law.reversed(z, motion, branch) } -> std::same_as<Branch<>>;
  { law.breaks_away(branch, branch) } -> std::same_as<bool>;
};

// A force and its derivative with respect to the acceleration [kg].
struct AcceleratedForce {
  double force, slope;
};

class BlockMemory {
 public:
  virtual ~BlockMemory() = default;
  virtual Branch<> begin(double* z, const BlockMotion<double>&) const = 0;
  virtual Branch<> crossed(double* z, const BlockMotion<double>&, const Branch<>&) const = 0;
  virtual Branch<> reversed(double* z, const BlockMotion<double>&, const Branch<>&) const = 0;
  virtual bool breaks_away(const Branch<>& before, const Branch<>& after) const = 0;

  virtual bool by_acceleration() const = 0;
  virtual double steepest(double load) const = 0;
  virtual AcceleratedForce accelerated(const double* z, const BlockMotion<double>&,
                                       const Branch<>&) const = 0;
  virtual double delay() const = 0;  // 0: the law does not look back
  virtual bool held(const Branch<>&) const = 0;
  virtual Interval<double> bounds(const double* z, const BlockMotion<double>&,
                                  const Branch<>&) const = 0;
  virtual Branch<> left(const double* z, const BlockMotion<double>&, const Branch<>&,
                        double way) const = 0;
  virtual bool either_way(const Branch<>&) const = 0;
};

template <RememberingLaw L>
class ErasedMemory final : public BlockMemory {
 public:
  explicit ErasedMemory(const L& law) : law_(law) {}

  Branch<> begin(double* z, const BlockMotion<double>& m) const override {
    return law_.begin(z, m);
  }
  Branch<> crossed(double* z, const BlockMotion<double>& m, const Branch<>& b) const override {
    return law_.crossed(z, m, b);
  }
  Branch<> reversed(double* z, const BlockMotion<double>& m, const Branch<>& b) const override {
    return law_.reversed(z, m, b);
  }
  bool breaks_away(const Branch<>& before, const Branch<>& after) const override {
    return law_.breaks_away(before, after);
  }
  bool by_acceleration() const override {
    return requires { L::by_acceleration; };
  }
  double steepest(double load) const override {
    if constexpr (requires { law_.steepest(load); }) return law_.steepest(load);
    else return 0.0;
  }
  AcceleratedForce accelerated(const double* z, const BlockMotion<double>& m,
                               const Branch<>& b) const override {
    using D = Dual<double, 1>;
    BlockMotion<D> seen;
    seen.position[0] = D(m.position[0]), seen.velocity[0] = D(m.velocity[0]);
    seen.load = D(m.load), seen.time = D(m.time), seen.past = D(m.past);
    seen.acceleration = variable<1>(m.acceleration, 0);
    seen.given = m.given;
    std::array<D, most_states> state, rate;
    for (int i = 0; i < law_.states(); ++i) state[std::size_t(i)] = D(z[i]);
    BlockResponse<D> out;
    out.rate = rate.data();
    law_.respond(state.data(), seen, b, out);
    return {out.force[0].value, out.force[0].slope[0]};
  }
  double delay() const override {
    if constexpr (requires { law_.looks_back(); }) return law_.looks_back();
    else return 0.0;
  }
  bool held(const Branch<>& b) const override {
    if constexpr (requires { law_.held(b); }) return law_.held(b);
    else return false;
  }
  Interval<double> bounds(const double* z, const BlockMotion<double>& m,
                          const Branch<>& b) const override {
    if constexpr (requires { law_.bounds(z, m, b); }) return law_.bounds(z, m, b);
    else return {};
  }
  Branch<> left(const double* z, const BlockMotion<double>& m, const Branch<>& b,
                double way) const override {
    if constexpr (requires { law_.left(z, m, b, way); }) return law_.left(z, m, b, way);
    else return b;
  }
  bool either_way(const Branch<>& b) const override {
    if constexpr (requires { law_.either_way(b); }) return law_.either_way(b);
    else return false;
  }

 private:
  L law_;
};

}  // namespace bristle
