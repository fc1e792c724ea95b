// SPDX-License-Identifier: MIT
// A formula of one variable x, for the closed forms that a figure draws beside computed curves:
//
//   0.75 * (1.64 - 0.4 + 0.3 * sech(x / 0.0955))
//
// Numbers, x, pi, + - * / ^, parentheses, and functions of one argument: formula_functions() lists
// them. A power binds closer than a sign and groups to the right: -x^2 = -(x^2), 2^3^2 = 2^9.
#pragma once

#include <string>
#include <vector>

namespace bristle::io {

class Formula {
 public:
  // Throws InvalidInput that says what was expected and where.
  explicit Formula(std::string text);

  double operator()(double x) const;
  const std::string& text() const { return text_; }

 private:
  friend class FormulaReader;
  enum class Kind { number, variable, negate, add, subtract, multiply, divide, power, call };
  // One step on a stack of numbers; a call has the index of its function.
  struct Step {
    Kind kind;
    double number = 0.0;
    std::size_t function = 0;
  };

  std::string text_;
  std::vector<Step> steps_;
};

std::vector<std::string> formula_functions();

}  // namespace bristle::io
