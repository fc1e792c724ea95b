// SPDX-License-Identifier: MIT
// Friction in the plane: bristles that bend in two directions, bodies that move in two.
//
// Reset integrator (planar_reset): the bristle follows the slip until it is bent by stiction_range,
//   sticking   z' = v,                        F = stiffness (1 + gradient) z + damping(v) v
//   slipping   z' = v - (v.z) z / |z|^2,      F = stiffness z,         |z| = stiction_range
// and slips while v.z > 0. The polar form of the source, z_r' and z_phi' = v_phi / z_r, is the same
// without its division by zero. damping(v) = damping exp(-(|v| / damping_velocity)^2), by the norm
// of the slip velocity or component by component; stiffness, gradient and damping may differ along
// the axes.
// LuGre: z' = v - stiffness |v| z / g(|v|), F = stiffness z + damping z' + viscous v; without
// damping, viscous part and Stribeck fall it is Dahl's. Elasto-plastic: the same with that flow
// weighed by alpha(|z|), 0 up to breakaway_fraction coulomb_force / stiffness and where v.z < 0.
// Along one axis these are the laws lugre and elasto_plastic.
//
// Limits: with damping by the norm, the oscillator of the source never quite rests. Source: planar
// friction with dither (3.3)-(3.7), where the second line of (3.5) is deleted and the second row of
// the slipping force of (3.6) has its own stiffness.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "bristle/mechanism/signal.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/solve/options.hpp"
#include "bristle/solve/status.hpp"

namespace bristle {

using Plane = std::array<double, 2>;

struct PlanarLaw {
  using Number = double;
  static constexpr std::string_view name = "planar";
  static constexpr std::string_view summary =
      "friction in the plane: reset integrator, LuGre or elasto-plastic";
  static constexpr std::array<std::string_view, 3> kinds{"reset", "lugre", "elasto_plastic"};
  static constexpr std::array<std::string_view, 3> dampings{"norm", "component", "constant"};

  int kind = 0;
  double stiffness = 100.0;
  double stiffness_ratio = 1.0;
  double gradient = 0.1;
  double gradient_ratio = 1.0;
  double damping = 74.15;
  double damping_ratio = 1.0;
  int damping_by = 0;
  double damping_velocity = 0.01;
  double stiction_range = 0.01;
  double coulomb_force = 1.0;
  double static_force = 1.0;
  double stribeck_velocity = 0.01;
  double viscous = 0.0;
  double breakaway_fraction = 0.7;

  static constexpr auto fields() {
    using F = Field<PlanarLaw>;
    using P = PlanarLaw;
    return std::array{
        F{"kind", "the planar reset integrator, planar LuGre, or its elasto-plastic form", kinds,
          &P::kind},
        F{"stiffness", "N/m", "stiffness of the bristle along the first axis", positive,
          &P::stiffness},
        F{"stiffness_ratio", "", "stiffness along the second axis over that of the first", positive,
          &P::stiffness_ratio},
        F{"gradient", "", "stiction gradient a of the reset integrator", non_negative,
          &P::gradient},
        F{"gradient_ratio", "", "gradient along the second axis over that of the first",
          non_negative, &P::gradient_ratio},
        F{"damping", "N s/m", "damping along the first axis", non_negative, &P::damping},
        F{"damping_ratio", "", "damping along the second axis over that of the first", non_negative,
          &P::damping_ratio},
        F{"damping_by",
          "norm: the damping falls with the speed; component: with each component; constant",
          dampings, &P::damping_by},
        F{"damping_velocity", "m/s", "speed over which the damping falls", positive,
          &P::damping_velocity},
        F{"stiction_range", "m", "largest bend of the reset integrator's bristle", positive,
          &P::stiction_range},
        F{"coulomb_force", "N", "force of planar LuGre at high speed", positive, &P::coulomb_force},
        F{"static_force", "N", "force of planar LuGre as the speed goes to zero", positive,
          &P::static_force},
        F{"stribeck_velocity", "m/s", "speed over which that falls", positive,
          &P::stribeck_velocity},
        F{"viscous", "N s/m", "viscous coefficient of planar LuGre", non_negative, &P::viscous},
        F{"breakaway_fraction", "",
          "elastic range of elasto_plastic as a part of coulomb_force / stiffness",
          Bounds{0.0, 0.999, true}, &P::breakaway_fraction}};
  }

  void check() const {
    if (kind == 2 && !(static_force >= coulomb_force))
      throw InvalidInput("static_force",
                         "planar: static_force = " + words(static_force) +
                             " N must be at least coulomb_force = " + words(coulomb_force) + " N");
  }

  // The force on the body against its slip velocity v, and the rate of the bristle.
  Plane force(const Plane& z, const Plane& v, bool slips) const;
  Plane rate(const Plane& z, const Plane& v, bool slips) const;
};

// A mass on two springs, or dragged by one, over a ground that may shake.
struct PlanarBody {
  using Number = double;
  static constexpr std::string_view name = "planar_body";
  static constexpr std::string_view summary =
      "mass in the plane on springs, held or dragged; the input shakes the ground (velocity)";

  double mass = 1.0;
  double spring = 100.0;
  double spring_ratio = 1.0;
  double drag_velocity_1 = 0.0;
  double drag_velocity_2 = 0.0;
  double direction = 0.0;
  double x_1 = 0.0, x_2 = 0.0, v_1 = 0.0, v_2 = 0.0;
  double bend = 1e-4;
  double bend_angle = 2.356194490192345;
  Signal dither{};
  bool shaken = false;

  static constexpr auto fields() {
    using F = Field<PlanarBody>;
    using B = PlanarBody;
    return std::array{
        F{"mass", "kg", "mass of the body", positive, &B::mass},
        F{"spring", "N/m", "stiffness of the spring along the first axis", non_negative,
          &B::spring},
        F{"spring_ratio", "", "stiffness along the second axis over that of the first",
          non_negative, &B::spring_ratio},
        F{"drag_velocity_1", "m/s", "speed of the springs' end along the first axis", any_number,
          &B::drag_velocity_1},
        F{"drag_velocity_2", "m/s", "and along the second", any_number, &B::drag_velocity_2},
        F{"direction", "rad", "direction of the dither, from the first axis", any_number,
          &B::direction},
        F{"x_1", "m", "position at the start, first axis", any_number, &B::x_1},
        F{"x_2", "m", "position at the start, second axis", any_number, &B::x_2},
        F{"v_1", "m/s", "velocity at the start, first axis", any_number, &B::v_1},
        F{"v_2", "m/s", "velocity at the start, second axis", any_number, &B::v_2},
        F{"bend", "m", "bend of the bristle at the start", non_negative, &B::bend},
        F{"bend_angle", "rad", "its direction", any_number, &B::bend_angle}};
  }
};

struct PlanarEvent {
  double time = 0.0;
  bool slips = false;  // a slip begins, or else a stick
  Plane position{};
};

// Samples at equal distances in time.
struct PlanarRun {
  std::vector<double> time;
  std::array<std::vector<double>, 2> x, v, z, force;
  std::vector<double> dither;      // velocity of the ground along its direction
  std::vector<double> dissipated;  // by friction: work of force on slip less what is stored [J]
  std::vector<PlanarEvent> events;
  Status status = Status::done;
  NotFinite not_finite{};  // with the status of that name: what became so, and when
  std::string message;
  long steps = 0, rejected = 0;
  double ledger_error = 0.0;  // relative
  double seconds = 0.0;

  bool ok() const { return status == Status::done; }
};

// By DOP853 with the changes between stick and slip located. Uses end, tolerance, samples,
// record_from, step_limit and progress of the options.
PlanarRun simulate_planar(const PlanarLaw& law, const PlanarBody& body, const Options& options);

// The mean friction against a constant velocity under a harmonic dither of velocity amplitude A,
// as parts of the Coulomb force: (2 / pi) asin(v / A) along the motion (1 for v > A), and
// (2 / pi) v / sqrt(v^2 + A^2) K(A^2 / (v^2 + A^2)) across it, K with the parameter m.
double mean_friction_along(double velocity, double amplitude);
double mean_friction_across(double velocity, double amplitude);
// What these are for small velocities, as a damping [N s/m]: 2 F / (pi A) along the motion, and
// that times ln(4 A / v) across it.
double effective_damping_along(double coulomb_force, double amplitude);
double effective_damping_across(double coulomb_force, double amplitude, double velocity);

// How a swing dies away: in equal steps (dry friction) or by equal ratios (viscous).
struct Decay {
  std::vector<double> time, size;  // of the extremes, alternately of either sign
  double line_residual = 0.0, exponential_residual = 0.0;  // root of the mean square, relative
  double rate = 0.0;                                       // of the exponential [1/s]
  double fall = 0.0;                                       // of the line [m/s]
  bool exponential() const { return exponential_residual < line_residual; }
};
// From extremes larger than a part of the first.
Decay find_decay(const std::vector<double>& time, const std::vector<double>& signal,
                 double smallest = 0.15);

}  // namespace bristle
