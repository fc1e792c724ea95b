// SPDX-License-Identifier: MIT
// What a measurement finds beside a friction law: a constant, and a factor between the directions.
//
//   F = offset + F_law (1 + asymmetry sign(F_law))
//
// offset [N], asymmetry between -0.99 and 0.99. The state of the law does not notice: its rate
// stays that of the law alone. What the difference of the two forces takes from the motion counts
// as dissipated, and is negative where an offset pushes. A body carried by bristles has no bias.
#pragma once

#include <array>

#include "bristle/model/any_law.hpp"

namespace bristle {

struct ForceBias {
  using Number = double;
  static constexpr std::string_view name = "bias";
  static constexpr std::string_view summary =
      "a constant beside the friction force, and a factor between its directions";

  double offset = 0.0;
  double asymmetry = 0.0;

  static constexpr auto fields() {
    using F = Field<ForceBias>;
    return std::array{
        F{"offset", "N", "constant added to the friction force", any_number, &ForceBias::offset},
        F{"asymmetry", "", "part by which forces of positive sign are larger", Bounds{-0.99, 0.99},
          &ForceBias::asymmetry}};
  }

  template <class S>
  S operator()(const S& force) const {
    return S(offset + force * (1.0 + asymmetry * sign(force)));
  }
};

// The law with the bias; it keeps its name, values and state. Throws InvalidInput if the law lifts
// the body.
std::shared_ptr<const AnyLaw> biased(std::shared_ptr<const AnyLaw> law, const ForceBias& bias);

}  // namespace bristle
