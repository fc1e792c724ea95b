// SPDX-License-Identifier: MIT
// Duhem systems, whose state moves only with the input: x' = f(x, u) g(u'), y = h(x, u).
//
// duhem() makes one from three functions. BoucWenSystem is the one known best:
//   x' = (A - |x|^n (beta sgn(u' x) + gamma)) u',   y = alpha k u + (1 - alpha) k x
// Without the elastic part it is the law `bouc_wen` (model/bouc_wen.hpp). Dahl's law is of this
// form too (the law `dahl` in prescribed motion). With g odd and homogeneous
// of degree one, g(c u') = c g(u') for c > 0, the system is rate-independent. Source: thesis
// (1.10)-(1.11).
#pragma once

#include <functional>

#include "bristle/model/bouc_wen.hpp"
#include "bristle/system/system.hpp"

namespace bristle {

// f fills a matrix of `states` rows and `columns` columns, row by row; g fills `columns` values.
struct DuhemFunctions {
  int states = 1;
  int columns = 1;
  std::function<void(std::span<const double> x, double u, std::span<double> f)> f;
  std::function<void(double du, std::span<double> g)> g;
  std::function<double(std::span<const double> x, double u)> h;
  std::vector<double> start{};  // zeros if empty
};
std::shared_ptr<const AnySystem> duhem(DuhemFunctions functions);

struct BoucWenSystem {
  using Number = double;
  static constexpr std::string_view name = "bouc_wen";
  static constexpr std::string_view summary = "Duhem system with smooth loops of tunable shape";

  double stiffness = 1.0;
  double share = 0.1;
  double rise = 1.0;
  double beta = 0.5;
  double gamma = 0.5;
  double exponent = 1.0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<BoucWenSystem>;
    return std::array{
        F{"stiffness", "N/m", "stiffness k", positive, &BoucWenSystem::stiffness},
        F{"share", "", "part alpha of the stiffness that is elastic", fraction,
          &BoucWenSystem::share},
        F{"rise", "", "slope A of the state where it is zero", positive, &BoucWenSystem::rise},
        F{"beta", "", "beta, the part that tells loading from unloading", positive,
          &BoucWenSystem::beta},
        F{"gamma", "", "gamma, between -beta and beta", any_number, &BoucWenSystem::gamma},
        F{"exponent", "", "exponent n: how sharp the loop turns", Bounds{1.0, 100.0},
          &BoucWenSystem::exponent},
        F{"states", "m", "state at the start, zero if none is given", any_number,
          &BoucWenSystem::states}};
  }
  void check() const;

  int size() const { return 1; }
  template <class T>
  void rates(const T* x, T, T du, T* dx) const {
    using std::abs;
    dx[0] = bouc_wen_rate(x[0], du, T(abs(du)), rise, beta, gamma, exponent);
  }
  template <class T>
  T output(const T* x, T u) const {
    return stiffness * (share * u + (1.0 - share) * x[0]);
  }
  int edges() const { return 1; }
  double edge(int, const double* x, double) const { return x[0]; }
  // The state under a long monotone input.
  double saturation() const { return std::pow(rise / (beta + gamma), 1.0 / exponent); }
};

}  // namespace bristle
