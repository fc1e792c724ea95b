// SPDX-License-Identifier: MIT
// The couplings of machines. For bodies that turn read m as rad and N as N m.
#pragma once

#include <cmath>
#include <span>

#include "bristle/machine/coupling.hpp"
#include "bristle/machine/linkages.hpp"

namespace bristle {

// force = stiffness (s - rest) + damping s'
struct SpringDamper {
  using Number = double;
  static constexpr std::string_view name = "spring_damper";
  static constexpr std::string_view summary = "linear spring and damper side by side";
  static constexpr bool linear = true;

  double stiffness = 0.0;
  double damping = 0.0;
  double rest = 0.0;

  static constexpr auto fields() {
    using C = SpringDamper;
    using F = Field<C>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of the spring", non_negative, &C::stiffness},
        F{"damping", "N s/m", "coefficient of the damper", non_negative, &C::damping},
        F{"rest", "m", "stretch at which the spring is relaxed", any_number, &C::rest}};
  }
};

// An elastic belt over two pulleys: s = radius q1 - other_radius q2.
struct Belt {
  using Number = double;
  static constexpr std::string_view name = "belt";
  static constexpr std::string_view summary = "elastic belt over two pulleys";
  static constexpr bool linear = true;

  double stiffness = 1e5;
  double damping = 0.0;
  double radius = 0.01;
  double other_radius = 0.01;
  double rest = 0.0;

  static constexpr auto fields() {
    using C = Belt;
    using F = Field<C>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of the belt", positive, &C::stiffness},
        F{"damping", "N s/m", "damping of the belt", non_negative, &C::damping},
        F{"radius", "m", "radius of the pulley on the first body", positive, &C::radius},
        F{"other_radius", "m", "radius of the pulley on the second body", positive,
          &C::other_radius},
        F{"rest", "m", "stretch at which the belt is relaxed", any_number, &C::rest}};
  }
  std::array<double, 2> weights() const { return {radius, -other_radius}; }
};

// A rigid gear: the first body turns ratio times as fast as the second one.
struct Gear {
  using Number = double;
  static constexpr std::string_view name = "gear";
  static constexpr std::string_view summary = "rigid gear between two bodies";
  static constexpr bool rigid = true;

  double ratio = 1.0;

  static constexpr auto fields() {
    return std::array{Field<Gear>{"ratio", "", "speed of the first body over that of the second",
                                  any_number, &Gear::ratio}};
  }
  void check() const {
    if (ratio == 0.0)
      throw InvalidInput("ratio", "gear: ratio = 0 is not allowed, it must not be 0");
  }
};

// A constant force against positive motion, such as the weight of a body that rises.
struct Weight {
  using Number = double;
  static constexpr std::string_view name = "weight";
  static constexpr std::string_view summary = "constant force against positive motion";

  double weight = 0.0;

  static constexpr auto fields() {
    return std::array{
        Field<Weight>{"weight", "N", "force against positive motion", any_number, &Weight::weight}};
  }
  template <class S>
  S force(const S&, const S&, int) const {
    return S(weight);
  }
  template <class S>
  S stored(const S& s, int) const {
    return weight * s;
  }
  template <class S>
  S loss(const S&, const S&, int) const {
    return S(0.0);
  }
};

// The weight of an arm: force = weight sin(s - tilt).
struct PendulumWeight {
  using Number = double;
  static constexpr std::string_view name = "pendulum_weight";
  static constexpr std::string_view summary = "weight of an arm that turns";

  double weight = 1.0;
  double tilt = 0.0;

  static constexpr auto fields() {
    using C = PendulumWeight;
    using F = Field<C>;
    return std::array{F{"weight", "N m", "mass gravity length, the torque that holds it level",
                        non_negative, &C::weight},
                      F{"tilt", "rad", "angle at which it hangs", any_number, &C::tilt}};
  }
  template <class S>
  S force(const S& s, const S&, int) const {
    return weight * sin(S(s - tilt));
  }
  template <class S>
  S stored(const S& s, int) const {
    return weight * (1.0 - cos(S(s - tilt)));
  }
  template <class S>
  S loss(const S&, const S&, int) const {
    return S(0.0);
  }
};

// A spring and damper with play: no force within half the gap either way of the middle.
struct Backlash {
  using Number = double;
  static constexpr std::string_view name = "backlash";
  static constexpr std::string_view summary = "spring and damper with play";

  double stiffness = 1e5;
  double damping = 0.0;
  double gap = 1e-3;

  static constexpr auto fields() {
    using C = Backlash;
    using F = Field<C>;
    return std::array{F{"stiffness", "N/m", "stiffness beyond the play", positive, &C::stiffness},
                      F{"damping", "N s/m", "damping beyond the play", non_negative, &C::damping},
                      F{"gap", "m", "width of the play", non_negative, &C::gap}};
  }
  template <class S>
  S deflection(const S& s, int piece) const {
    return piece == 0 ? S(0.0) : S(s - 0.5 * gap * piece);
  }
  template <class S>
  S force(const S& s, const S& w, int piece) const {
    return piece == 0 ? S(0.0) : S(stiffness * deflection(s, piece) + damping * w);
  }
  template <class S>
  S stored(const S& s, int piece) const {
    return 0.5 * stiffness * square(deflection(s, piece));
  }
  template <class S>
  S loss(const S&, const S& w, int piece) const {
    return piece == 0 ? S(0.0) : S(damping * w * w);
  }
  int piece(double s, double) const { return s > 0.5 * gap ? 1 : s < -0.5 * gap ? -1 : 0; }
  double margin(double s, double, int piece) const {
    return piece == 0 ? 0.5 * gap - std::abs(s) : piece * s - 0.5 * gap;
  }
  int next(double s, double, int piece) const { return piece != 0 ? 0 : s > 0.0 ? 1 : -1; }
};

// Stops at both ends of a free range, each a spring and damper that only pushes.
struct EndStop {
  using Number = double;
  static constexpr std::string_view name = "end_stop";
  static constexpr std::string_view summary = "stops at both ends of a range";

  double stiffness = 1e6;
  double damping = 0.0;
  double lower = -1.0;
  double upper = 1.0;

  static constexpr auto fields() {
    using C = EndStop;
    using F = Field<C>;
    return std::array{
        F{"stiffness", "N/m", "stiffness of a stop", positive, &C::stiffness},
        F{"damping", "N s/m", "damping of a stop while it is pressed", non_negative, &C::damping},
        F{"lower", "m", "stretch at which the lower stop begins", any_number, &C::lower},
        F{"upper", "m", "stretch at which the upper stop begins", any_number, &C::upper}
            .no_less_than("lower")};
  }
  // Pieces are 0 between the stops, -1 and 1 on one of them, and -2 and 2 where the body leaves a
  // stop faster than spring and damper follow it.
  template <class S>
  S depth(const S& s, int piece) const {
    return piece == 0 ? S(0.0) : S(s - (piece > 0 ? upper : lower));
  }
  static constexpr bool pushes(int piece) { return piece == 1 || piece == -1; }
  template <class S>
  S force(const S& s, const S& w, int piece) const {
    return pushes(piece) ? S(stiffness * depth(s, piece) + damping * w) : S(0.0);
  }
  template <class S>
  S stored(const S& s, int piece) const {
    return 0.5 * stiffness * square(depth(s, piece));
  }
  // What the spring of a stop that was left gives back is lost in its damper.
  template <class S>
  S loss(const S& s, const S& w, int piece) const {
    return pushes(piece) ? S(damping * w * w) : S(-stiffness * depth(s, piece) * w);
  }
  // Its force over its stiffness, positive while it pushes.
  double pressure(double s, double w, int side) const {
    return side * (depth(s, side) + damping / stiffness * w);
  }
  int piece(double s, double w) const {
    const int side = s > upper ? 1 : s < lower ? -1 : 0;
    return side == 0 || pressure(s, w, side) > 0.0 ? side : 2 * side;
  }
  double margin(double s, double w, int piece) const {
    if (piece == 0) return std::min(upper - s, s - lower);
    const int side = piece > 0 ? 1 : -1;
    const double push = pressure(s, w, side);
    return pushes(piece) ? push : std::min(side * depth(s, side), -push);
  }
  int next(double s, double w, int piece) const {
    if (piece == 0) return 2.0 * s > lower + upper ? 1 : -1;
    const int side = piece > 0 ? 1 : -1;
    const double deep = side * depth(s, side);
    if (pushes(piece)) return damping > 0.0 && deep > 0.0 ? 2 * side : 0;
    return deep <= -pressure(s, w, side) ? 0 : side;
  }
};

struct CouplingEntry {
  Description description;
  bool two_bodies;  // needs two ends; the others act on one body
  int joints;       // bodies of a linkage, 0 for the others
  bool signals;     // follows signals of time
  std::shared_ptr<const AnyCoupling> (*make)(const Values& values);
};

// The list of couplings: the only place that names them all.
std::span<const CouplingEntry> couplings();
// Throws InvalidInput with the nearest name if there is no such coupling.
const CouplingEntry& find_coupling(std::string_view name);

}  // namespace bristle
