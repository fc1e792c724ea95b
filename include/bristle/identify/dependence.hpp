// SPDX-License-Identifier: MIT
// Parameters of a law as functions of what was measured beside the motion: a temperature, a
// voltage, a pressure, a load.
//
//   linear       p = p0 + p1 (c - c0)
//   quadratic    p = p0 + p1 (c - c0) + p2 (c - c0)^2
//   exponential  p = p0 exp(p1 (c - c0))
//
// c is the number of the column at the sample, c0 its mean over the fitted samples, rounded to a
// tenth of its range. p0 is the parameter of the law as it is otherwise fitted; p1 and p2 are
// unknowns of the same least squares. A value never leaves the bounds within which its parameter is
// searched.
//
// A parameter that is counted from another one (a static force from the Coulomb force) follows that
// one; if it depends on a column itself, its excess does. `force` stands for the whole force of the
// law, with p0 = 1: all parameters in proportion to a force are multiplied by p. Several columns of
// one parameter act one after the other, in the order they are given.
//
// Limits: laws with a state of their own kind (degrading_bouc_wen) and fits of motion have no
// dependences; the whole force of a law with a load has none either.
#pragma once

#include <map>
#include <span>

#include "bristle/identify/fit_problem.hpp"

namespace bristle {

struct FitOptions;

// One column of Record::others.
struct ConditionColumn {
  std::string name, unit;
  bool load = false;  // a load that the law does not use: a dependence on it is tried
};

struct DependOption {
  std::string parameter;  // of the law, "offset", or "force"
  std::string column;     // its name among FitOptions::conditions
  DependenceForm form = DependenceForm::linear;
};

// The name of the whole force of a law.
inline constexpr std::string_view whole_force = "force";

std::string_view word_of(DependenceForm form);
// Throws InvalidInput with the nearest word.
DependenceForm dependence_form(std::string_view word);
// "coulomb_force.temperature", and for a square "coulomb_force.temperature^2".
std::vector<std::string> coefficient_names(std::string_view parameter, std::string_view column,
                                           DependenceForm form);

// p at a distance c - c0, for any kind of number.
template <class S>
S depending(DependenceForm form, const S& base, const S* coefficient, double distance) {
  using std::exp;
  if (form == DependenceForm::exponential) return S(base * exp(S(coefficient[0] * distance)));
  S value = S(base + coefficient[0] * distance);
  if (form == DependenceForm::quadratic) value = S(value + coefficient[1] * (distance * distance));
  return value;
}

// Adds the coefficients to the parameters of a problem. Throws InvalidInput: no such parameter or
// column, a column that is the same throughout, a law or a fit that has no dependences.
void add_dependences(FitProblem& problem, const FitOptions& options);
void add_dependence(FitProblem& problem, const DependOption& depend, const FitOptions& options);

// The same of a result: a parameter with what was found of its dependence on one column.
struct LawDependence {
  std::string parameter, column, unit;
  DependenceForm form = DependenceForm::linear;
  double reference = 0.0;
  std::vector<double> coefficients{};
};
// The values of a law for numbers of the columns, given those at the references; a column that is
// not among `at` is at its reference. `above` says which parameters are counted from which.
Values values_at(std::string_view law, Values values, std::span<const LawDependence> depends,
                 const std::map<std::string, std::string>& above,
                 const std::map<std::string, double>& at);
// The change of the offset beside the law.
double offset_at(double offset, std::span<const LawDependence> depends,
                 const std::map<std::string, double>& at);

}  // namespace bristle
