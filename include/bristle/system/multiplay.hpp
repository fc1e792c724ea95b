// SPDX-License-Identifier: MIT
// Multiplay: masses with springs, dashpots and dead zones side by side on one bar.
//
//   m_i x_i'' + c_i x_i' + k_i d(x_i - u) = 0,    y = sum_i k_i (u - x_i)
//
// d is the dead zone of total width 2 w_i. Stiffnesses may be negative, with masses and dampings of
// the same sign. Rate-dependent with nonlocal memory; as the input slows down it becomes the sum of
// plays maxwell_slip(w, k). Source: thesis (2.1)-(2.4); the alternative inverse (2.30)-(2.33),
// which is exact from the same initial states but only marginally stable while all masses slide.
#pragma once

#include "bristle/system/system.hpp"

namespace bristle {

struct Multiplay {
  using Number = double;
  static constexpr std::string_view name = "multiplay";
  static constexpr std::string_view summary =
      "masses with springs and dead zones side by side; slowly it is the Maxwell-slip model";
  static constexpr std::array<std::string_view, 3> roles{"forward", "inverse", "round_trip"};

  std::vector<double> thresholds{1.0, 3.0};
  std::vector<double> stiffnesses{2.0, 4.0};
  std::vector<double> masses{};
  std::vector<double> dampings{};
  int role = 0;
  std::vector<double> states{};

  static constexpr auto fields() {
    using F = Field<Multiplay>;
    return std::array{
        F{"thresholds", "m", "half widths of the dead zones, increasing", non_negative,
          &Multiplay::thresholds},
        F{"stiffnesses", "N/m", "stiffnesses, of any sign", any_number, &Multiplay::stiffnesses},
        F{"masses", "kg", "masses, like the stiffnesses if none are given", any_number,
          &Multiplay::masses},
        F{"dampings", "N s/m", "dampings, like the stiffnesses if none are given", any_number,
          &Multiplay::dampings},
        F{"role",
          "forward; inverse: takes the force and gives the displacement; round_trip: the inverse "
          "behind the forward one, its output as second",
          roles, &Multiplay::role},
        F{"states", "m, m/s", "positions, then velocities at the start, zeros if none are given",
          any_number, &Multiplay::states}};
  }
  void check() const;

  int count() const { return int(thresholds.size()); }
  int size() const { return (role == 2 ? 4 : 2) * count(); }
  void settle(std::vector<double>& x) const {  // the inverse starts where the forward one does
    if (role == 2 && !states.empty())
      for (int i = 0; i < 2 * count(); ++i) x[std::size_t(2 * count() + i)] = x[std::size_t(i)];
  }

  // The position of the bar for a force: (2.30).
  template <class T>
  T bar(const T* x, T force) const {
    T sum = force;
    double total = 0.0;
    for (int i = 0; i < count(); ++i) {
      sum = sum + stiffnesses[std::size_t(i)] * x[i];
      total += stiffnesses[std::size_t(i)];
    }
    return sum / total;
  }
  template <class T>
  T force(const T* x, T u) const {
    T sum(0.0);
    for (int i = 0; i < count(); ++i) sum = sum + stiffnesses[std::size_t(i)] * (u - x[i]);
    return sum;
  }
  template <class T>
  void half(const T* x, T u, T* dx) const {
    const int n = count();
    for (int i = 0; i < n; ++i) {
      const auto j = std::size_t(i);
      const T stretch = x[i] - u;
      const double w = thresholds[j], k = stiffnesses[j];
      const T pull = select(stretch > w, stretch - w, select(stretch < -w, stretch + w, T(0.0)));
      dx[i] = x[n + i];
      dx[n + i] = -((dampings.empty() ? k : dampings[j]) * x[n + i] + k * pull) /
                  (masses.empty() ? k : masses[j]);
    }
  }
  template <class T>
  void rates(const T* x, T u, T, T* dx) const {
    half(x, role == 1 ? bar(x, u) : u, dx);
    if (role == 2) {
      const int n = 2 * count();
      half(x + n, bar(x + n, force(x, u)), dx + n);
    }
  }
  template <class T>
  T output(const T* x, T u) const {
    return role == 1 ? bar(x, u) : force(x, u);
  }
  std::string_view second_name() const { return role == 2 ? "recovered" : ""; }
  double second(const double* x, double u) const {
    return role == 2 ? bar(x + 2 * count(), force(x, u)) : 0.0;
  }

  // Where a dead zone is entered or left.
  int edges() const { return (role == 2 ? 4 : 2) * count(); }
  double edge(int k, const double* x, double u) const {
    const int n = count();
    if (k >= 2 * n) {
      u = bar(x + 2 * n, force(x, u));
      x += 2 * n;
      k -= 2 * n;
    } else if (role == 1) {
      u = bar(x, u);
    }
    const double w = thresholds[std::size_t(k / 2)];
    return x[k / 2] - u + (k % 2 ? w : -w);
  }

  SystemModel inverse() const;
};

}  // namespace bristle
