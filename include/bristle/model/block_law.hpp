// SPDX-License-Identifier: MIT
// Laws with several states, and laws in the plane.
//
// A block law of dimension d (1 or 2) with n states is an aggregate of parameters with a table of
// fields and pure functions on arrays:
//
//   static constexpr int dimension        1 or 2
//   states()                              n, from 0 to most_states
//   respond(z, motion, branch, out)       rates of the n states, force and dissipation
//   stored(z, motion)                     energy in the bristles [J]
//   state_scale(i)                        size of state i at break-away, for error control
//   force_scale(load)                     size of the force, for error control
//   radius(motion)                        set-valued laws only: the largest force at rest
//
// A law whose equations have pieces also gives cell(z, motion, direction), margin(z, motion,
// branch) and crossed(z, motion, branch), as in model.hpp. If stick and slip are among the pieces,
// stuck(branch) distinguishes them. In the plane a branch carries a unit vector `along`, the
// direction of the motion when the step began: what depends on the speed is continued smoothly
// through rest along it (plane_speed).
// A law that looks neither at `along` nor at the direction says so by a static constant undirected
// = true: its contact in the plane may turn within a step.
//
// A law with memory beyond its states, or that depends on the acceleration or on a past velocity,
// follows block_memory.hpp as well. A law with data to be made from its parameters
// gives prepare(), which is called once.
//
// A law that depends on the load says so by a static constant by_load = true, and by signed_load =
// true if that may be negative. A law with a planar form of its own gives in_plane(). The force
// opposes positive velocity. An isotropic law of one dimension has a planar form without further
// work, see planar_form.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "bristle/model/block_memory.hpp"
#include "bristle/model/field.hpp"

namespace bristle {

template <class L>
concept BlockLawType = Described<L> &&
    requires(const L& law, const double* z, BlockMotion<double> motion, Branch<> branch,
             BlockResponse<double> out) {
  { L::dimension } -> std::convertible_to<int>;
  { law.states() } -> std::convertible_to<int>;
  law.respond(z, motion, branch, out);
  { law.stored(z, motion) } -> std::convertible_to<double>;
  { law.force_scale(1.0) } -> std::convertible_to<double>;
};

// The speed in the plane with the sign of the motion along the branch, so that it goes on smoothly
// where the motion passes through rest; exactly at rest it is the part along the branch.
template <class S>
S plane_speed(const std::array<S, 2>& v, const std::array<double, 2>& along) {
  const S part = v[0] * along[0] + v[1] * along[1];
  const S squared = v[0] * v[0] + v[1] * v[1];
  if (!(value_of(squared) > 0.0)) return part;
  const S speed = sqrt(squared);
  return value_of(part) < 0.0 ? S(-speed) : speed;
}

// A block law chosen at run time.
class BlockLaw {
 public:
  virtual ~BlockLaw() = default;
  virtual int dimension() const = 0;
  virtual int states() const = 0;
  virtual bool set_valued() const = 0;
  virtual bool undirected() const = 0;

  virtual void respond(const double* z, const BlockMotion<double>&, const Branch<>&,
                       BlockResponse<double>&) const = 0;
  // The response with its derivatives; allocates nothing.
  virtual void linearise(const double* z, const BlockMotion<double>&, const Branch<>&,
                         BlockSlopes&) const = 0;
  virtual double stored(const double* z, const BlockMotion<double>&) const = 0;
  virtual double radius(const BlockMotion<double>&) const = 0;  // of a set-valued law
  // Whether the equations have pieces, and the piece in a direction.
  virtual bool pieces() const = 0;
  virtual double cell(const double* z, const BlockMotion<double>&, double direction) const = 0;
  virtual double margin(const double* z, const BlockMotion<double>&, const Branch<>&) const = 0;
  virtual Branch<> crossed(const double* z, const BlockMotion<double>&, const Branch<>&) const = 0;
  // Whether a piece is stick, of a law whose pieces include stick; none of any other law.
  virtual std::optional<bool> stuck(const Branch<>&) const = 0;
  virtual double state_scale(int i) const = 0;
  virtual double force_scale(double load) const = 0;
  // Of a law that remembers, else null.
  virtual const BlockMemory* memory() const = 0;
};

template <BlockLawType L>
class ErasedBlock final : public BlockLaw {
 public:
  explicit ErasedBlock(const L& law) : law_(law) {
    if constexpr (requires { law_.prepare(); }) law_.prepare();
    if constexpr (RememberingLaw<L>) memory_ = std::make_shared<const ErasedMemory<L>>(law_);
  }

  int dimension() const override { return L::dimension; }
  int states() const override { return law_.states(); }
  bool set_valued() const override {
    return requires(BlockMotion<double> m) { law_.radius(m); };
  }
  bool undirected() const override {
    return requires { L::undirected; };
  }
  void respond(const double* z, const BlockMotion<double>& m, const Branch<>& b,
               BlockResponse<double>& out) const override {
    law_.respond(z, m, b, out);
  }
  void linearise(const double* z, const BlockMotion<double>& m, const Branch<>& b,
                 BlockSlopes& out) const override;
  double stored(const double* z, const BlockMotion<double>& m) const override {
    return law_.stored(z, m);
  }
  double radius(const BlockMotion<double>& m) const override {
    if constexpr (requires { law_.radius(m); }) return law_.radius(m);
    else return 0.0;
  }
  bool pieces() const override {
    if constexpr (RememberingLaw<L>) return true;
    else return requires(const double* z, BlockMotion<double> m) {
        law_.cell(z, m, 1.0);
      };
  }
  double cell(const double* z, const BlockMotion<double>& m, double direction) const override {
    if constexpr (requires { law_.cell(z, m, direction); }) return law_.cell(z, m, direction);
    else return 0.0;
  }
  double margin(const double* z, const BlockMotion<double>& m, const Branch<>& b) const override {
    if constexpr (requires { law_.margin(z, m, b); }) return law_.margin(z, m, b);
    else return 1.0;
  }
  Branch<> crossed(const double* z, const BlockMotion<double>& m,
                   const Branch<>& b) const override {
    if constexpr (!RememberingLaw<L> && requires { law_.crossed(z, m, b); })
      return law_.crossed(z, m, b);
    else return b;
  }
  std::optional<bool> stuck(const Branch<>& b) const override {
    if constexpr (requires { law_.stuck(b); }) return law_.stuck(b);
    else return std::nullopt;
  }
  double state_scale(int i) const override {
    if constexpr (requires { law_.state_scale(i); }) return law_.state_scale(i);
    else return 0.0;
  }
  double force_scale(double load) const override { return law_.force_scale(load); }
  const BlockMemory* memory() const override { return memory_.get(); }

 private:
  L law_;
  std::shared_ptr<const BlockMemory> memory_{};
};

template <BlockLawType L>
void ErasedBlock<L>::linearise(const double* z, const BlockMotion<double>& m, const Branch<>& b,
                               BlockSlopes& out) const {
  constexpr int lanes = 8;  // derivatives found in one pass
  using D = Dual<double, lanes>;
  constexpr int d = L::dimension;
  const int n = law_.states(), columns = out.columns();
  std::array<D, most_states> state, rate;
  for (int first = 0; first < columns; first += lanes) {
    const auto seed = [&](double value, int column) {
      D x(value);
      if (column >= first && column < first + lanes) x.slope[std::size_t(column - first)] = 1.0;
      return x;
    };
    BlockMotion<D> motion;
    for (int i = 0; i < d; ++i) {
      motion.position[std::size_t(i)] = seed(m.position[std::size_t(i)], i);
      motion.velocity[std::size_t(i)] = seed(m.velocity[std::size_t(i)], out.by_velocity(i));
    }
    for (int i = 0; i < n; ++i) state[std::size_t(i)] = seed(z[i], out.by_state(i));
    motion.load = seed(m.load, out.by_load());
    motion.time = D(m.time);
    if constexpr (RememberingLaw<L>) {
      motion.acceleration = seed(m.acceleration, out.by_acceleration());
      motion.time = seed(m.time, out.by_time());
      motion.past = D(m.past) + m.past_rate * (motion.time - D(m.time));
      motion.given = m.given;
    }
    BlockResponse<D> r;
    r.rate = rate.data();
    law_.respond(state.data(), motion, b, r);
    const auto put = [&](int row, const D& x) {
      out.value[std::size_t(row)] = x.value;
      for (int k = 0; k < lanes && first + k < columns; ++k)
        out.slope[std::size_t(row * columns + first + k)] = x.slope[std::size_t(k)];
    };
    for (int i = 0; i < d; ++i) put(i, r.force[std::size_t(i)]);
    for (int i = 0; i < n; ++i) put(out.rate_row(i), rate[std::size_t(i)]);
    put(out.loss_row(), r.dissipation);
  }
}

}  // namespace bristle
