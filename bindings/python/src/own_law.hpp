// SPDX-License-Identifier: MIT
// A law whose equations are written in Python: an object with rate(z, motion) and force(z, motion).
//
// It is a state law like those of the engine, so that erase() makes of it whatever solvers and
// machines ask for. Every evaluation calls Python, which costs some microseconds.
#pragma once

#include <memory>

#include "bristle/model/erase.hpp"
#include "own_call.hpp"

namespace bristle::python {

// What the equations see of the motion; `speed` is |velocity|, smooth within a step.
template <class S>
struct OwnMotion {
  S position, velocity, load, time, speed;
  double direction;
};

// `elastic_force` is the derivative of `stored` with respect to the state; a law has both or none.
struct LawDefinition : OwnObject {
  explicit LawDefinition(py::object given);

  double state_scale = 0.0;
  bool has_stored = false, has_steady = false;
};

struct OwnLaw {
  using Number = double;
  static constexpr std::string_view name = "own_law";
  static constexpr std::string_view summary = "law written in Python";
  static constexpr std::array<Field<OwnLaw>, 0> fields() { return {}; }

  std::shared_ptr<const LawDefinition> definition{};

  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& m, const Branch<V>& branch) const {
    if constexpr (std::same_as<S, double> || std::same_as<S, LocalDual>) {
      const OwnMotion<S> seen = view(m, branch.direction);
      const S rate = definition->call<S>("rate", z, seen),
              force = definition->call<S>("force", z, seen);
      const S elastic =
          definition->has_stored ? definition->call<S>("elastic_force", z, seen) : S(0.0);
      return {rate, force, force * m.velocity - elastic * rate};
    } else {
      // Through the derivatives with respect to the arguments of a law.
      return ErasedLaw<OwnLaw>(*this).AnyLaw::respond(z, m, Branch<>{branch.direction});
    }
  }
  template <class S, class V>
  S steady(const Motion<S>& m, const Branch<V>& branch) const {
    if (!definition->has_steady) return S(std::numeric_limits<double>::quiet_NaN());
    return definition->call<S>("steady", S(0.0), view(m, branch.direction));
  }
  template <class S>
  S stored(const S& z, const Motion<S>& m) const {
    if (!definition->has_stored) return S(0.0);
    return definition->call<S>("stored", z, view(m, double(sign(value_of(m.velocity)))));
  }
  double state_scale() const { return definition ? definition->state_scale : 1.0; }

 private:
  template <class S>
  static OwnMotion<S> view(const Motion<S>& m, double direction) {
    return {m.position, m.velocity, m.load, m.time, direction * m.velocity, direction};
  }
};

}  // namespace bristle::python
