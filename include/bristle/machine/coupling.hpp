// SPDX-License-Identifier: MIT
// The contract of a coupling, and a coupling chosen at run time.
//
// A coupling acts along a stretch s, a weighted sum of positions of bodies, and its rate w. It is
// an aggregate of parameters with a table of fields, of one of four kinds:
//
//   linear   static constexpr bool linear = true and members stiffness, damping and rest:
//            force = stiffness (s - rest) + damping w. It enters the matrices of the machine.
//   rigid    static constexpr bool rigid = true and a member ratio: the first body moves that many
//            times as far as the second one. It removes a coordinate.
//   other    template functions force(s, w, piece), stored(s, piece) and loss(s, w, piece), where
//            force w = d stored / dt + loss. The force pulls against the stretch. Where the
//            equations have pieces, piece(s, w) numbers them, margin(s, w, piece) is positive
//            inside one and next(s, w, piece) is the one that follows.
//   linkage  static constexpr int joints = N and template functions kinetic(q, v) and potential(q)
//            of the positions of N bodies: their inertia depends on where they are (linkage.hpp).
//
// A coupling may give weights(): the weights of the two bodies in the stretch, {1, -1} without.
#pragma once

#include <array>
#include <memory>

#include "bristle/machine/linkage.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

// The force of a coupling with its derivatives, and what it stores and loses.
struct Pull {
  double force = 0.0, by_stretch = 0.0, by_rate = 0.0;
  double loss = 0.0, loss_by_stretch = 0.0, loss_by_rate = 0.0;  // [W]
};

struct LinearPull {
  double stiffness = 0.0, damping = 0.0, rest = 0.0;
};

class AnyCoupling {
 public:
  enum class Kind { linear, rigid, other, linkage };

  virtual ~AnyCoupling() = default;
  virtual std::string_view name() const = 0;
  virtual Values values() const = 0;
  virtual Description description() const = 0;
  // The same coupling with other values of its fields. Throws InvalidInput.
  virtual std::shared_ptr<const AnyCoupling> with(const Values& values) const = 0;
  virtual Kind kind() const = 0;
  virtual std::array<double, 2> weights() const = 0;
  virtual LinearPull linear() const = 0;
  virtual double ratio() const = 0;
  virtual Pull pull(double s, double w, int piece) const = 0;
  virtual double stored(double s, int piece) const = 0;
  virtual int piece(double s, double w) const = 0;
  virtual double margin(double s, double w, int piece) const = 0;
  virtual int next(double s, double w, int piece) const = 0;
  // Of a linkage, see LinkageEquations.
  virtual int joints() const = 0;  // 0 for the other kinds
  virtual void forces(const double* q, const double* v, double* mass, double* force) const = 0;
  virtual void slopes(const double* q, const double* v, const double* a, double* by_q,
                      double* by_v) const = 0;
  virtual double potential(const double* q) const = 0;
};

template <Described C>
class ErasedCoupling final : public AnyCoupling {
 public:
  explicit ErasedCoupling(const C& coupling) : c_(coupling) {
    validate(coupling);
    if constexpr (Linkage<C>) LinkageEquations<C>::check(coupling);
  }

  std::string_view name() const override { return C::name; }
  Values values() const override { return values_of(c_); }
  Description description() const override { return describe<C>(); }
  std::shared_ptr<const AnyCoupling> with(const Values& values) const override {
    C other = c_;
    const Description own = describe<C>();
    refuse_unknown(own, values);
    assign(other, own, values);
    return std::make_shared<const ErasedCoupling>(other);
  }
  Kind kind() const override {
    if constexpr (requires { C::linear; }) return Kind::linear;
    else if constexpr (requires { C::rigid; }) return Kind::rigid;
    else if constexpr (Linkage<C>) return Kind::linkage;
    else return Kind::other;
  }
  std::array<double, 2> weights() const override {
    if constexpr (requires { c_.weights(); }) return c_.weights();
    else return {1.0, -1.0};
  }
  LinearPull linear() const override {
    if constexpr (requires { C::linear; }) return {c_.stiffness, c_.damping, c_.rest};
    else return {};
  }
  double ratio() const override {
    if constexpr (requires { C::rigid; }) return c_.ratio;
    else return 1.0;
  }
  Pull pull(double s, double w, int piece) const override {
    if constexpr (requires { c_.force(s, w, piece); }) {
      using D = Dual<double, 2>;
      const D ds = variable<2>(s, 0), dw = variable<2>(w, 1);
      const D force = c_.force(ds, dw, piece), loss = c_.loss(ds, dw, piece);
      return {force.value, force.slope[0], force.slope[1],
              loss.value,  loss.slope[0],  loss.slope[1]};
    } else {
      return {};
    }
  }
  double stored(double s, int piece) const override {
    if constexpr (requires { c_.stored(s, piece); }) return c_.stored(s, piece);
    else return 0.0;
  }
  int piece(double s, double w) const override {
    if constexpr (requires { c_.piece(s, w); }) return c_.piece(s, w);
    else return 0;
  }
  double margin(double s, double w, int piece) const override {
    if constexpr (requires { c_.margin(s, w, piece); }) return c_.margin(s, w, piece);
    else return 1.0;
  }
  int next(double s, double w, int piece) const override {
    if constexpr (requires { c_.next(s, w, piece); }) return c_.next(s, w, piece);
    else return piece;
  }
  int joints() const override {
    if constexpr (Linkage<C>) return C::joints;
    else return 0;
  }
  void forces(const double* q, const double* v, double* mass, double* force) const override {
    if constexpr (Linkage<C>) LinkageEquations<C>::forces(c_, q, v, mass, force);
  }
  void slopes(const double* q, const double* v, const double* a, double* by_q,
              double* by_v) const override {
    if constexpr (Linkage<C>) LinkageEquations<C>::slopes(c_, q, v, a, by_q, by_v);
  }
  double potential(const double* q) const override {
    if constexpr (Linkage<C>) return LinkageEquations<C>::potential(c_, q);
    else return 0.0;
  }

 private:
  C c_;
};

template <Described C>
std::shared_ptr<const AnyCoupling> couple(const C& coupling) {
  return std::make_shared<const ErasedCoupling<C>>(coupling);
}

}  // namespace bristle
