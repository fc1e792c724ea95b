// SPDX-License-Identifier: MIT
// The equations of motion of a linkage, from its energies.
//
// With the positions q of its joints a linkage has the kinetic energy T = v M(q) v / 2 and the
// potential energy V(q). By Lagrange it adds to the machine
//
//   M(q) a + h(q, v),   h_i = sum_jk (dM_ij/dq_k - dM_jk/dq_i / 2) v_j v_k + dV/dq_i
//
// M follows from T by polarisation: M_ij = T(e_i + e_j) - T(e_i) - T(e_j). All derivatives are
// exact (Dual numbers); the implicit step also needs those of M a + h.
#pragma once

#include <array>
#include <cmath>

#include "bristle/model/error.hpp"
#include "bristle/scalar/dual.hpp"

namespace bristle {

// Of N joints: kinetic(q, v), quadratic in v, and potential(q), templates on the scalar.
template <class C>
concept Linkage = requires(const C& c, const std::array<double, std::size_t(C::joints)>& x) {
  c.kinetic(x, x);
  c.potential(x);
};

template <Linkage C>
struct LinkageEquations {
  static constexpr auto N = std::size_t(C::joints);
  template <class S>
  using Joints = std::array<S, N>;
  template <class S>
  using Square = std::array<std::array<S, N>, N>;

  template <class S>
  static Square<S> mass(const C& c, const Joints<S>& q) {
    const auto energy = [&](std::size_t i, std::size_t j) {
      Joints<S> v{};
      v[i] = v[j] = S(1.0);
      return c.kinetic(q, v);
    };
    Square<S> m;
    Joints<S> own;
    for (std::size_t i = 0; i < N; ++i) own[i] = energy(i, i), m[i][i] = 2.0 * own[i];
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t j = 0; j < i; ++j) m[i][j] = m[j][i] = energy(i, j) - own[i] - own[j];
    return m;
  }

  // h at q and v, and M in rows.
  static void forces(const C& c, const double* at, const double* v, double* m_out, double* h) {
    using D = Dual<double, int(N)>;
    Joints<D> q;
    for (std::size_t i = 0; i < N; ++i) q[i] = variable<int(N)>(at[i], int(i));
    const Square<D> m = mass(c, q);
    const D potential = c.potential(q);
    for (std::size_t i = 0; i < N; ++i) {
      h[i] = potential.slope[i];
      for (std::size_t j = 0; j < N; ++j) {
        m_out[i * N + j] = m[i][j].value;
        for (std::size_t k = 0; k < N; ++k)
          h[i] += (m[i][j].slope[k] - 0.5 * m[j][k].slope[i]) * v[j] * v[k];
      }
    }
  }

  // The derivatives of M a + h by the positions and by the velocities, in rows.
  static void slopes(const C& c, const double* at, const double* v, const double* a, double* by_q,
                     double* by_v) {
    using First = Dual<double, int(N)>;
    using D = Dual<First, int(N)>;
    Joints<D> q;
    for (std::size_t i = 0; i < N; ++i) {
      q[i].value = variable<int(N)>(at[i], int(i));
      q[i].slope[i] = First(1.0);
    }
    const Square<D> m = mass(c, q);
    const D potential = c.potential(q);
    for (std::size_t i = 0; i < N; ++i)
      for (std::size_t l = 0; l < N; ++l) {
        double sum = potential.slope[i].slope[l], turn = 0.0;
        for (std::size_t j = 0; j < N; ++j) {
          sum += m[i][j].slope[l].value * a[j];
          for (std::size_t k = 0; k < N; ++k)
            sum += (m[i][j].slope[k].slope[l] - 0.5 * m[j][k].slope[i].slope[l]) * v[j] * v[k];
          turn += (m[i][l].slope[j].value - m[l][j].slope[i].value + m[i][j].slope[l].value) * v[j];
        }
        by_q[i * N + l] = sum;
        by_v[i * N + l] = turn;
      }
  }

  static double potential(const C& c, const double* at) {
    Joints<double> q;
    std::copy(at, at + N, q.begin());
    return c.potential(q);
  }

  // Throws if T is not quadratic in the velocities, at a few places.
  static void check(const C& c) {
    for (int k = 0; k < 3; ++k) {
      Joints<double> q, v, twice;
      for (std::size_t i = 0; i < N; ++i) {
        q[i] = 0.3 * k + 0.7 * double(i);
        v[i] = 1.0 - 0.4 * double(i) + 0.2 * k;
        twice[i] = -2.0 * v[i];
      }
      const double one = c.kinetic(q, v), four = c.kinetic(q, twice);
      if (one >= 0.0 && std::abs(four - 4.0 * one) <= 1e-12 * std::abs(four)) continue;
      throw InvalidInput("kinetic", std::string(C::name) +
                                        ": the kinetic energy of a linkage must be quadratic in "
                                        "the velocities and not negative");
    }
  }
};

}  // namespace bristle
