// SPDX-License-Identifier: MIT
// A linear system with a memoryless nonlinearity in feedback.
//
//   x' = A x + D u + B phi(E1 x + E0 u),    y = C x
//
// phi is a dead zone, a cube or a sine. Rate-dependent, with nonlocal memory where phi leaves a
// continuum of equilibria. Backlash and each element of a multiplay are of this form. Source:
// thesis (1.12)-(1.15).
#pragma once

#include "bristle/system/system.hpp"

namespace bristle {

struct NonlinearFeedback {
  using Number = double;
  static constexpr std::string_view name = "nonlinear_feedback";
  static constexpr std::string_view summary =
      "linear system with a dead zone, a cube or a sine in feedback";
  static constexpr std::array<std::string_view, 3> nonlinearities{"deadzone", "cubic", "sine"};

  std::vector<double> a{0.0, 1.0, 0.0, -1.0};
  std::vector<double> b{0.0, -1.0};
  std::vector<double> c{1.0, 0.0};
  std::vector<double> d{0.0, 0.0};
  std::vector<double> e{1.0, 0.0};
  double e0 = -1.0;
  int nonlinearity = 0;
  double width = 1.0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<NonlinearFeedback>;
    using N = NonlinearFeedback;
    return std::array{
        F{"a", "", "matrix A, row by row", any_number, &N::a},
        F{"b", "", "column B, of the nonlinearity", any_number, &N::b},
        F{"c", "", "row C, of the output", any_number, &N::c},
        F{"d", "", "column D, of the input", any_number, &N::d},
        F{"e", "", "row E1, of the nonlinearity's argument", any_number, &N::e},
        F{"e0", "", "part E0 of the input in that argument", any_number, &N::e0},
        F{"nonlinearity", "phi", nonlinearities, &N::nonlinearity},
        F{"width", "", "total width of the dead zone", non_negative, &N::width},
        F{"states", "", "states at the start, zeros if none are given", any_number, &N::states}};
  }
  void check() const;

  int size() const { return int(b.size()); }
  template <class T>
  T argument(const T* x, T u) const {
    T sum = e0 * u;
    for (int i = 0; i < size(); ++i) sum = sum + e[std::size_t(i)] * x[i];
    return sum;
  }
  template <class T>
  T phi(T v) const {
    using std::sin;
    if (nonlinearity == 1) return v * v * v;
    if (nonlinearity == 2) return sin(v);
    const double w = 0.5 * width;
    return select(v > w, v - w, select(v < -w, v + w, T(0.0)));
  }
  template <class T>
  void rates(const T* x, T u, T, T* dx) const {
    const T back = phi(argument(x, u));
    const int n = size();
    for (int i = 0; i < n; ++i) {
      T sum = d[std::size_t(i)] * u + b[std::size_t(i)] * back;
      for (int j = 0; j < n; ++j) sum = sum + a[std::size_t(i * n + j)] * x[j];
      dx[i] = sum;
    }
  }
  template <class T>
  T output(const T* x, T) const {
    T sum(0.0);
    for (int i = 0; i < size(); ++i) sum = sum + c[std::size_t(i)] * x[i];
    return sum;
  }
  int edges() const { return nonlinearity == 0 ? 2 : 0; }
  double edge(int k, const double* x, double u) const {
    return argument(x, u) + (k ? 0.5 : -0.5) * width;
  }
};

}  // namespace bristle
