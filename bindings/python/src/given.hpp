// SPDX-License-Identifier: MIT
// Options as keywords: each is taken by its name, checked for its kind and range.
#pragma once

#include <algorithm>
#include <set>
#include <type_traits>

#include "values.hpp"

namespace bristle::python {

template <class T>
constexpr const char* kind_words() {
  using Names = std::vector<std::string>;
  if constexpr (std::is_same_v<T, bool>) return "True or False";
  else if constexpr (std::is_floating_point_v<T>) return "a number";
  else if constexpr (std::is_unsigned_v<T>) return "a whole number of at least 0";
  else if constexpr (std::is_integral_v<T>) return "a whole number";
  else if constexpr (std::is_same_v<T, std::string>) return "a text";
  else if constexpr (std::is_same_v<T, Names>) return "a list of names";
  else if constexpr (std::is_same_v<T, std::vector<double>>) return "a list of numbers";
  else if constexpr (std::is_same_v<T, std::map<std::string, double>>)
    return "a dictionary of name to number";
  else return "a dictionary of name to a pair of numbers";
}

// A value as a C++ type; TypeError with its name where it is of another kind.
template <class T>
T cast_as(const py::handle& value, const std::string& name) {
  try {
    if constexpr (std::is_same_v<T, std::set<std::string>>) {
      const auto names = cast_as<std::vector<std::string>>(value, name);
      return {names.begin(), names.end()};
    } else {
      if constexpr (std::is_same_v<T, std::string>) return text_from(value, name);
      else return value.cast<T>();
    }
  } catch (const py::cast_error&) {
    throw py::type_error(name + " = " + std::string(py::repr(value)) +
                         " is not allowed, it must be " + kind_words<T>());
  }
}

class Given {
 public:
  explicit Given(const py::dict& given) : given_(given) {}

  template <class T>
  void take(const char* name, T& value) {
    known_.emplace_back(name);
    if (given_.contains(name)) value = cast_as<T>(given_[name], name);
  }
  template <class T>
  void take(const char* name, T& value, T low, T high) {
    take(name, value);
    if (!(value >= low && value <= high))
      throw InvalidInput(name, std::string(name) + " = " + words(double(value)) +
                                   " is not allowed, it must be at least " + words(double(low)) +
                                   " and at most " + words(double(high)));
  }
  // What is not one of the options taken is refused with the nearest of them.
  void refuse_others() const {
    for (const auto& [key, value] : given_) {
      const auto name = text_from(key, "an option");
      if (std::find(known_.begin(), known_.end(), name) == known_.end())
        throw InvalidInput("option", not_found("option", name, known_));
    }
  }

 private:
  const py::dict& given_;
  std::vector<std::string> known_;
};

// The option of a name, `usual` without it.
template <class T>
T option(const py::dict& options, const char* name, T usual) {
  Given(options).take(name, usual);
  return usual;
}

}  // namespace bristle::python
