// SPDX-License-Identifier: MIT
// The description of parameters: each is described once, here in a table of its owner, and every
// surface (files, command line, documentation, bounds of a fit) is made from that table.
//
//   static constexpr auto fields() {
//     return std::array{
//         Field<LuGre>{"stiffness", "N/m", "stiffness of the bristles", positive,
//         &LuGre::stiffness}};
//   }
//
// The default is the member's own initialiser; it is not written again.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bristle/model/error.hpp"

namespace bristle {

struct Bounds {
  double lower;
  double upper;
  bool open_below = false;  // the lower bound itself is not allowed
  bool whole = false;       // a count

  constexpr bool contain(double x) const {
    return (open_below ? x > lower : x >= lower) && x <= upper && x == x &&
           (!whole || x >= 9007199254740992.0 || x == double(static_cast<long long>(x)));
  }
};

inline constexpr double largest = std::numeric_limits<double>::max();

// The magnitudes that values of a field usually have; zero counts as usual where it is allowed. A
// value outside is taken, with a warning. Without limits of its own a field has those of its unit.
struct Usual {
  double smallest = 0.0;
  double most = largest;

  constexpr bool contain(double x) const {
    const double size = x < 0.0 ? -x : x;
    return size == 0.0 || (size >= smallest && size <= most);
  }
  constexpr bool limits() const { return smallest > 0.0 || most < largest; }
};
inline constexpr Bounds any_number{-largest, largest};
inline constexpr Bounds positive{0.0, largest, true};
inline constexpr Bounds non_negative{0.0, largest};
inline constexpr Bounds fraction{0.0, 1.0};

// One parameter of an Owner: a number with bounds, a choice among named alternatives, or a list of
// numbers that all keep to the bounds.
template <class Owner>
struct Field {
  using Number = typename Owner::Number;

  std::string_view name;
  std::string_view unit;
  std::string_view meaning;
  Bounds bounds{0.0, 0.0};
  Number Owner::*number = nullptr;
  int Owner::*choice = nullptr;
  std::span<const std::string_view> choices{};
  std::vector<double> Owner::*list = nullptr;
  std::string_view at_least{};  // the field it must not be less than, if there is one
  bool held = false;            // kept at its value in a fit unless it is freed
  Usual usual{};                // without limits: by the unit

  constexpr Field(std::string_view name_, std::string_view unit_, std::string_view meaning_,
                  Bounds bounds_, Number Owner::*member)
      : name(name_), unit(unit_), meaning(meaning_), bounds(bounds_), number(member) {}
  constexpr Field(std::string_view name_, std::string_view meaning_,
                  std::span<const std::string_view> choices_, int Owner::*member)
      : name(name_),
        unit(""),
        meaning(meaning_),
        bounds{0.0, double(choices_.size()) - 1.0},
        choice(member),
        choices(choices_) {}
  constexpr Field(std::string_view name_, std::string_view unit_, std::string_view meaning_,
                  Bounds bounds_, std::vector<double> Owner::*member)
      : name(name_), unit(unit_), meaning(meaning_), bounds(bounds_), list(member) {}

  constexpr Field no_less_than(std::string_view other) const {
    Field field = *this;
    field.at_least = other;
    return field;
  }

  constexpr Field held_in_fits() const {
    Field field = *this;
    field.held = true;
    return field;
  }

  constexpr Field usually(double smallest, double most) const {
    Field field = *this;
    field.usual = {smallest, most};
    return field;
  }

  // Calls f with every number stored for the field; a choice counts as its index.
  template <class F>
  void each(const Owner& owner, const F& f) const {
    if (list)
      for (const double value : owner.*list) f(value);
    else f(number ? double(owner.*number) : double(owner.*choice));
  }
};

// Anything with a name, a one-line summary and a table of parameters.
template <class T>
concept Described = requires(const T& x) {
  { T::name } -> std::convertible_to<std::string_view>;
  { T::summary } -> std::convertible_to<std::string_view>;
  T::fields();
};

// "greater than 0 N/m", "at least 0 and at most 1": the words for a range. For a value that is not
// finite they say that it must be.
std::string words(const Bounds& bounds, std::string_view unit, double value = 0.0);
// The shortest text that reads back as the same number.
std::string words(double value);
std::string join(std::span<const std::string_view> names, std::string_view separator = ", ");

// The one check of parameters: every number inside its bounds and every choice in its list, none
// below the one it must not be less than, then what the owner says of the whole.
template <Described Owner>
void validate(const Owner& owner) {
  for (const auto& field : Owner::fields())
    field.each(owner, [&](double value) {
      if (field.bounds.contain(value)) return;
      const std::string name(field.name);
      throw InvalidInput(name, std::string(Owner::name) + ": " + name + " = " + words(value) +
                                   (field.unit.empty() ? "" : " " + std::string(field.unit)) +
                                   " is not allowed, it must be " +
                                   words(field.bounds, field.unit, value));
    });
  for (const auto& field : Owner::fields())
    for (const auto& other : Owner::fields()) {
      if (field.at_least.empty() || field.at_least != other.name) continue;
      const double value = double(owner.*field.number);
      const double least = double(owner.*other.number);
      if (value >= least) continue;
      const std::string unit = field.unit.empty() ? "" : " " + std::string(field.unit);
      throw InvalidInput(std::string(field.name),
                         std::string(Owner::name) + ": " + std::string(field.name) + " = " +
                             words(value) + unit + " must be at least " + std::string(other.name) +
                             " = " + words(least) + unit);
    }
  if constexpr (requires { owner.check(); }) owner.check();
}

}  // namespace bristle
