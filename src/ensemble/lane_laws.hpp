// SPDX-License-Identifier: MIT
// Numbers and choices of a law as lanes take them.
#pragma once

#include "bristle/model/erase.hpp"

namespace bristle {

// In the order of the fields of the law.
template <int Most>
struct LawNumbers {
  double parameters[Most] = {};
  int choices[Most] = {};
};

template <int Most, class Law>
LawNumbers<Most> numbers_of(const Law& law) {
  static_assert(Law::fields().size() <= Most);
  LawNumbers<Most> all;
  int number = 0, choice = 0;
  for (const auto& field : Law::fields()) {
    if (field.number) all.parameters[number++] = law.*(field.number);
    if (field.choice) all.choices[choice++] = law.*(field.choice);
  }
  return all;
}

}  // namespace bristle
