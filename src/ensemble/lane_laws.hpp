// SPDX-License-Identifier: MIT
// Numbers and choices of a law as lanes take them.
#pragma once

#include <algorithm>

#include "bristle/model/any_law.hpp"

namespace bristle {

// In the order of the fields of the law.
template <int Most>
struct LawNumbers {
  double parameters[Most] = {};
  int choices[Most] = {};
};

template <class Law, int Most>
LawNumbers<Most> numbers_of(const Values& values) {
  static_assert(Law::fields().size() <= Most);
  LawNumbers<Most> all;
  int number = 0, choice = 0;
  for (const auto& field : Law::fields()) {
    const Value& value = values.at(std::string(field.name));
    if (field.number) all.parameters[number++] = std::get<double>(value);
    if (field.choice) {
      const auto at = std::find(field.choices.begin(), field.choices.end(),
                                std::string_view(std::get<std::string>(value)));
      all.choices[choice++] = int(at - field.choices.begin());
    }
  }
  return all;
}

// Whether a law is the plain one of its name, without a bias beside it.
template <class Law>
bool is_plain(const AnyLaw& law) {
  Law same;
  const auto numbers = numbers_of<Law, int(Law::fields().size())>(law.values());
  int number = 0, choice = 0;
  for (const auto& field : Law::fields()) {
    if (field.number) same.*(field.number) = numbers.parameters[number++];
    if (field.choice) same.*(field.choice) = numbers.choices[choice++];
  }
  for (const double direction : {1.0, -1.0}) {
    const Motion<double> motion{0.0, direction * 0.01};
    const Branch<> branch{direction};
    double z = 0.0, own = 0.0;
    if constexpr (StateLaw<Law>) {
      z = 0.5 * direction * same.state_scale();
      own = same.respond(z, motion, branch).force;
    } else {
      own = same.sliding(motion, branch);
    }
    if (law.respond(z, motion, branch).force != own) return false;
  }
  return true;
}

}  // namespace bristle
