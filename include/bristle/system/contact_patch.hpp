// SPDX-License-Identifier: MIT
// Bristles distributed over a rolling contact: a tyre on the road, a wheel on a rail, a belt.
//
//   dz/dt + V(xi, t) dz/dxi = drive(v) - decay(v, xi) z,    z(0, t) = 0,    0 < xi < 1
//   F = load * integral of p(xi) (A(v, xi) z + B(v)) dxi,   p of mean one
//
// Bristles enter undeformed on the left and travel through the patch with V [1/s], patch lengths a
// second. drive, decay, A and B come from any friction law that is linear in its state (FrBD,
// LuGre), so that the total derivative of z enters the force. The solution follows the bristles:
// points travel with the contact, each advances by the exact exponential of a step, new ones enter
// with the deflection of their age. Nothing diffuses, and at standstill (V = 0) the points just
// stay. Force integrals are of fourth order in the distance of the points, for every pressure,
// split at the fronts that a start or a jump of the slip sends through the patch and at the corners
// of tables.
//
// roll() takes the slip velocity as a function of time and integrates the coefficients of the law
// to a tolerance; advance() is for hosts with a time loop of their own and takes the slip velocity
// as constant within a step, at its middle: second order in the step. Limits: V > 0 or zero, never
// backward. Source: friction with bristle dynamics (33)-(42).
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bristle/model/any_law.hpp"
#include "bristle/system/growth.hpp"

namespace bristle {

// What the patch is like along its length.
struct PatchShape {
  using Number = double;
  static constexpr std::string_view name = "rolling_patch";
  static constexpr std::string_view summary =
      "bristles of the law distributed over a rolling contact; the input is the slip velocity";
  enum Pressure : int { constant, exponential, parabolic, hertz, table };
  static constexpr std::array<std::string_view, 5> pressures{"constant", "exponential", "parabolic",
                                                             "hertz", "table"};
  static constexpr std::array<std::string_view, 2> derivatives{"total", "partial"};

  double transport = 200.0;
  double load = 1.0;
  int pressure = constant;
  double pressure_fall = 0.1;
  std::vector<double> pressure_table{};
  std::vector<double> stiffness_table{};
  std::vector<double> transport_table{};
  int derivative = 0;
  double points = 0.0;

  static constexpr auto fields() {
    using F = Field<PatchShape>;
    using P = PatchShape;
    return std::array{
        F{"transport", "1/s", "speed of the bristles through the patch, in patch lengths per second",
          positive, &P::transport},
        F{"load", "N", "normal force on the whole patch", positive, &P::load},
        F{"pressure", "pressure along the patch, from where bristles enter", pressures,
          &P::pressure},
        F{"pressure_fall", "", "exponent a of the exponential pressure exp(-a xi)", non_negative,
          &P::pressure_fall}
            .usually(1e-6, 100.0),
        F{"pressure_table", "", "pressures at equal distances, for table; only ratios count",
          non_negative, &P::pressure_table},
        F{"stiffness_table", "", "bristle stiffness along the patch relative to that of the law",
          positive, &P::stiffness_table},
        F{"transport_table", "", "transport speed along the patch relative to `transport`",
          positive, &P::transport_table},
        F{"derivative",
          "total: the force takes the rate of a bristle; partial: that at a fixed place, to show "
          "what goes wrong",
          derivatives, &P::derivative},
        F{"points", "",
          "points along the patch, at least 8; 0: as many as the tolerance needs, or 200 without "
          "one",
          Bounds{0.0, 1e6, false, true}, &P::points}};
  }
  void check() const;

  double pressure_at(double xi) const;  // of mean one
  double stiffness_at(double xi) const;
  double transport_at(double xi) const;  // relative
};

class ContactPatch {
 public:
  // Throws InvalidInput for a law that is not linear in its state, or has none.
  ContactPatch(std::shared_ptr<const AnyLaw> law, PatchShape shape);

  // Lets the contact roll for a time with a slip velocity [m/s] and a transport speed [1/s];
  // allocates nothing. The slip velocity is best that of the middle of the step.
  void advance(double step, double slip) { advance(step, slip, shape_.transport); }
  void advance(double step, double slip, double transport);
  // From one time to another with a slip velocity that varies in time. The coefficients of the law
  // are integrated over panels that are halved until their result changes by no more than the
  // tolerance; the slip velocity should not jump, nor change its sign, between the two times.
  void roll(double from, double to, const std::function<double(double time)>& slip,
            double transport, double tolerance);
  // The same as advance() with a slip velocity that varies along the patch, by its value at a
  // place.
  void advance_along(double step, const std::function<double(double xi)>& slip, double transport);

  // Says that the slip velocity or the transport jumps or has a kink now: from here on a kink
  // travels through the patch, and integrals are split there. The last sixteen are kept.
  void mark_front();

  // The force now, for the slip velocity now [N].
  double force(double slip) const;
  // The energy stored in the bristles [J].
  double stored() const;

  // The force at constant slip, by the steady profile (43): integrated in closed form for constant,
  // exponential and parabolic pressure over uniform bristles, else by quadrature.
  double steady_force(double slip) const { return steady_force(slip, shape_.transport); }
  double steady_force(double slip, double transport) const;

  void reset();                                               // undeformed
  void reset(const std::function<double(double xi)>& state);  // given deflections
  double state_at(double xi) const;
  const PatchShape& shape() const { return shape_; }
  int points() const { return count_; }
  const AnyLaw& law() const { return *law_; }
  const std::shared_ptr<const AnyLaw>& shared_law() const { return law_; }

  // The law at a slip velocity: z' = drive - decay z, force per load = slope z + level.
  struct Linear {
    double decay, drive, slope, level;
  };
  Linear at(double slip) const;

 private:
  double place(double eta) const;    // xi of a transport coordinate
  double eta_of(double xi) const;    // the other way round
  double stretch(double eta) const;  // dxi/deta
  double steady_mean(const Linear& law, double transport) const;
  double weight(double eta) const;  // p(xi) dxi/deta
  double stiffness(double eta) const { return shape_.stiffness_at(place(eta)); }
  // Moves all points on by a part of the patch. `update` takes a deflection and where it was before
  // the step, `enter` where a new point is now and its age.
  template <class Update, class Enter>
  void move(double step, double transport, const Update& update, const Enter& enter);

  // A stretch of time over which the coefficients of the law are known at three nodes.
  struct Panel {
    double from = 0.0, to = 0.0;
    std::array<double, 3> decay{}, drive{};
    Growth growth{}, after{};  // over the panel, and from its end to that of the step
  };
  Panel panel(double from, double to, const std::function<double(double)>& slip) const;
  void resolve(const Panel& whole, const std::function<double(double)>& slip, double tolerance,
               double longest, int depth);
  // A deflection at the end of the step, from where it was at a time within panel k.
  double along(std::size_t k, double time, double z, double eta, double speed,
               const std::function<double(double)>& slip) const;

  // A point between the others, where the profile has a kink, and one that entered soon after it:
  // the profile behind a front that has not gone far yet is known there too.
  struct Front {
    double eta = 0.0, z = 0.0;
    double next_eta = 0.0, next_z = 0.0;  // none while that is at 0

    // Whether the second point stands well within a stretch that ends at the front.
    bool followed(double from) const {
      const double apart = 0.05 * (eta - from);
      return next_eta > from + apart && next_eta < eta - apart;
    }
  };

  // How a stretch ends: at a front, at the end of the patch with smooth points beyond it, or there
  // with a front just beyond.
  enum class End { front, open, closed };
  // The integral over the patch of value(z, eta), which vanishes with z, between the fronts.
  template <class Value>
  double integral(const Value& value) const;
  template <class Value>
  double smooth(const Value& value, double from, double at_from, double to, const Front& edge,
                End end) const;
  // The integral of weight(eta) value(z) for weights with corners, or infinite slopes at the ends:
  // only the deflections are interpolated, the weight is taken as it is.
  template <class Weight, class Value>
  double weighed(const Weight& weight, const Value& value) const;
  template <class Weight, class Value>
  double weighed(const Weight& weight, const Value& value, double from, double at_from, double to,
                 const Front& edge, End end) const;
  bool smooth_weight() const;  // whether the weight of the force has neither

  std::shared_ptr<const AnyLaw> law_;
  PatchShape shape_;
  int count_;
  double spacing_;
  double offset_ = 0.0;             // of the first point from the entrance, in spacings
  double travel_ = 1.0;             // time of travel over that at the speed `transport`
  bool uniform_;                    // stiffness and transport do not vary
  std::array<Front, 16> fronts_{};  // nearest to the entrance first
  int front_count_ = 0;
  std::vector<double> z_;        // of the points, from the entrance on
  std::vector<double> passage_;  // time from the entrance to the corners of transport_table
  std::vector<double> corners_;  // eta of the corners of all tables
  std::vector<Panel> panels_;    // of the step at hand
};

}  // namespace bristle
