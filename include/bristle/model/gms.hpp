// SPDX-License-Identifier: MIT
// The generalised Maxwell-slip model (GMS): springs in parallel that each stick or slip.
//
//   F = sum of F_i + viscous v,      F_i = k_i z_i
//   element sticks    z_i' = v                                  until |F_i| = a_i g(v)
//   element slips     F_i' = sign(v) attraction (a_i - |F_i| / g(v))   until v changes its sign
//   g(v) = Fc + (Fs - Fc) exp(-|v / vs|^n)
//
// k_i stiffness and a_i share are lists of one number per element; the shares add up to one.
// Fc coulomb_force, Fs static_force, vs stribeck_velocity, n stribeck_exponent. The number of
// elements is free, up to 32. Limits: steady sliding gives sign(v) g(v) + viscous v; with a large
// attraction and Fs = Fc the elements are Maxwell-slip (elasto-plastic) elements, a
// Prandtl-Ishlinskii operator in the displacement; one element is an elastic-plastic spring. Shows
// presliding hysteresis with nonlocal memory, break-away and frictional lag. Does not show: true
// stick of the body (the elements are springs), load dependence. Source: Al-Bender, Lampaert and
// Swevers, IEEE Transactions on Automatic Control 50 (2005) 1883, without the damping of elements.
#pragma once

#include <array>
#include <vector>

#include "bristle/model/block_law.hpp"
#include "bristle/model/curve.hpp"

namespace bristle {

struct Gms {
  using Number = double;
  static constexpr std::string_view name = "gms";
  static constexpr std::string_view summary =
      "springs in parallel that stick or slip (generalised Maxwell-slip, GMS), nonlocal memory";
  static constexpr int dimension = 1;

  std::vector<double> stiffness{40e3, 30e3, 20e3, 10e3};
  std::vector<double> share{0.1, 0.2, 0.3, 0.4};
  double attraction = 100.0;
  double viscous = 0.4;
  double coulomb_force = 1.0;
  double static_force = 1.5;
  double stribeck_velocity = 0.001;
  double stribeck_exponent = 2.0;

  static constexpr auto fields() {
    using L = Gms;
    using F = Field<L>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of each element", positive, &L::stiffness},
        F{"share", "", "part of the sliding force that each element carries", positive, &L::share},
        F{"attraction", "N/s", "rate at which the force of a slipping element follows the curve",
          positive, &L::attraction},
        F{"viscous", "N s/m", "viscous coefficient", non_negative, &L::viscous},
        F{"coulomb_force", "N", "steady force at high speed without the viscous part", positive,
          &L::coulomb_force},
        F{"static_force", "N", "steady force as the speed goes to zero", positive,
          &L::static_force},
        F{"stribeck_velocity", "m/s", "speed over which the steady force falls", positive,
          &L::stribeck_velocity},
        F{"stribeck_exponent", "", "exponent of the fall", Bounds{0.0, 10.0, true},
          &L::stribeck_exponent}};
  }

  void check() const {
    const auto refuse = [](const char* field, const std::string& sentence) {
      throw InvalidInput(field, "gms: " + sentence);
    };
    if (stiffness.empty() || stiffness.size() > std::size_t(most_states))
      refuse("stiffness", "stiffness has " + words(double(stiffness.size())) +
                              " numbers, it must have from 1 to " + words(double(most_states)));
    if (share.size() != stiffness.size())
      refuse("share", "share has " + words(double(share.size())) +
                          " numbers, it must have as many as stiffness, " +
                          words(double(stiffness.size())));
    double sum = 0.0;
    for (const double a : share) sum += a;
    if (!(std::abs(sum - 1.0) <= 1e-9))
      refuse("share", "the numbers of share add up to " + words(sum) + ", they must add up to 1");
  }

  int states() const { return int(stiffness.size()); }

  // g(v)
  template <class S>
  S curve(const S& velocity) const {
    return stribeck_curve(coulomb_force, static_force, velocity, stribeck_velocity,
                          stribeck_exponent);
  }

  // Bit i of the cell is set while element i slips.
  static bool slips(double cell, int i) { return (static_cast<unsigned long>(cell) >> i) & 1u; }

  template <class S>
  void respond(const S* z, const BlockMotion<S>& m, const Branch<>& b,
               BlockResponse<S>& out) const {
    const S v = m.velocity[0];
    const S g = curve(v);
    S force = viscous * v;
    S kept(0.0);  // power that goes into the springs
    for (int i = 0; i < states(); ++i) {
      const auto k = std::size_t(i);
      const S own = stiffness[k] * z[i];
      out.rate[i] =
          slips(b.cell, i) ? S(attraction * (b.direction * share[k] - own / g) / stiffness[k]) : v;
      force = force + own;
      kept = kept + own * out.rate[i];
    }
    out.force[0] = force;
    out.dissipation = force * v - kept;
  }

  // Elements that are at the curve at rest or beyond it slip from the start.
  double cell(const double* z, const BlockMotion<double>& m, double direction) const {
    const double g = curve(m.velocity[0]);
    unsigned long bits = 0;
    for (int i = 0; i < states(); ++i)
      if (direction * stiffness[std::size_t(i)] * z[i] >= share[std::size_t(i)] * g * (1.0 - 1e-12))
        bits |= 1ul << i;
    return double(bits);
  }
  // How far the force of element i is from the curve.
  double reserve(int i, const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    const auto k = std::size_t(i);
    return share[k] * curve(m.velocity[0]) - b.direction * stiffness[k] * z[i];
  }
  double margin(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    double least = static_force;
    for (int i = 0; i < states(); ++i)
      if (!slips(b.cell, i)) least = std::min(least, reserve(i, z, m, b));
    return least;
  }
  // Every element that has reached the curve begins to slip.
  Branch<> crossed(const double* z, const BlockMotion<double>& m, const Branch<>& b) const {
    unsigned long bits = static_cast<unsigned long>(b.cell);
    const double least = margin(z, m, b);
    for (int i = 0; i < states(); ++i)
      if (!slips(b.cell, i) && reserve(i, z, m, b) <= std::max(least, 1e-12 * static_force))
        bits |= 1ul << i;
    return {b.direction, double(bits)};
  }

  double steady(const Motion<double>& m) const {
    return sign(m.velocity) * curve(m.velocity) + viscous * m.velocity;
  }
  double stored(const double* z, const BlockMotion<double>&) const {
    double sum = 0.0;
    for (int i = 0; i < states(); ++i) sum += 0.5 * stiffness[std::size_t(i)] * z[i] * z[i];
    return sum;
  }
  double state_scale(int i) const {
    return share[std::size_t(i)] * static_force / stiffness[std::size_t(i)];
  }
  double force_scale(double) const { return std::max(static_force, coulomb_force); }
};

}  // namespace bristle
