// SPDX-License-Identifier: MIT
// A controller as it runs on a drive: it samples, computes and holds its output until the next
// sample.
//
//   e = reference - position, as measured;  dv = feedforward reference' - velocity, as measured
//   parallel   u = position_gain e + velocity_gain dv + integral_gain (integral of e)
//   cascade    dv gains position_gain e;  u = velocity_gain dv + integral_gain (integral of dv)
//   velocity   dv is that of a reference of velocity;  u as for cascade, without e
//
// The output is gain u, at most saturation in size, and acts delay samples after the measurement.
// The integral stops while the output is saturated and it would push it further. Position is read
// in steps of the resolution; velocity is the true one, or that of differences of what was read.
#pragma once

#include <array>
#include <cmath>

#include "bristle/model/field.hpp"
#include "bristle/scalar/scalar.hpp"

namespace bristle {

struct Controller {
  using Number = double;
  static constexpr std::string_view name = "controller";
  static constexpr std::string_view summary = "sampled controller with encoder, delay and limit";
  static constexpr int longest_delay = 16;

  enum Form : int { parallel, cascade, velocity };
  static constexpr std::array<std::string_view, 3> forms{"parallel", "cascade", "velocity"};
  enum Sensing : int { exact, difference, mean_difference };
  static constexpr std::array<std::string_view, 3> sensings{"exact", "difference",
                                                            "mean_difference"};

  int form = parallel;
  double step = 1e-3;
  double position_gain = 0.0;
  double velocity_gain = 0.0;
  double integral_gain = 0.0;
  double feedforward = 0.0;
  double gain = 1.0;
  double saturation = 0.0;
  double delay = 0.0;
  double reference_delay = 0.0;
  double resolution = 0.0;
  int sensing = difference;

  static constexpr auto fields() {
    using C = Controller;
    using F = Field<C>;
    constexpr Bounds samples{0.0, longest_delay, false, true};
    return std::array{
        F{"form",
          "parallel: PID on the position; cascade: velocity loop inside a position loop; velocity: "
          "velocity loop alone",
          forms, &C::form},
        F{"step", "s", "time from sample to sample", positive, &C::step},
        F{"position_gain", "", "output per error of position; of a cascade [1/s]", any_number,
          &C::position_gain},
        F{"velocity_gain", "", "output per error of velocity", any_number, &C::velocity_gain},
        F{"integral_gain", "", "output per integral of the error", any_number, &C::integral_gain},
        F{"feedforward", "", "part of the velocity of the reference that is fed forward",
          any_number, &C::feedforward},
        F{"gain", "N per unit", "force per unit of output", any_number, &C::gain},
        F{"saturation", "", "largest output, 0: no limit", non_negative, &C::saturation},
        F{"delay", "", "samples from measurement to action", samples, &C::delay},
        F{"reference_delay", "", "samples by which the reference arrives late", samples,
          &C::reference_delay},
        F{"resolution", "m", "step of the encoder, 0: none", non_negative, &C::resolution},
        F{"sensing", "velocity as it is, from two samples, or from the means of two", sensings,
          &C::sensing}};
  }
};

// What a controller remembers, as numbers of any scalar. `Numbers` are its fields: a Controller, or
// one whose gains and limits are other scalars; step, delay and choices are plain numbers.
template <class T>
struct ControllerMemory {
  long samples = 0;  // taken so far; the next one is at samples * step
  T integral = T(0.0);
  std::array<T, 2> read{};                              // positions of the last samples
  std::array<T, Controller::longest_delay + 1> line{};  // outputs on their way
  T output = T(0.0);                                    // that acts now

  // Takes a sample of position and velocity and of the reference and its velocity.
  template <class Numbers>
  void sample(const Numbers& c, T position, const T& velocity, const T& reference,
              const T& reference_velocity) {
    using std::round;
    const auto stepped = c.resolution > T(0.0);
    const T resolution = select(stepped, c.resolution, T(1.0));
    position = select(stepped, T(resolution * round(position / resolution)), position);
    T v = velocity;
    if (c.sensing == Controller::difference)
      v = samples > 0 ? T((position - read[0]) / T(c.step)) : T(0.0);
    else if (c.sensing == Controller::mean_difference)
      v = samples > 1 ? T((position - read[1]) / T(2.0 * c.step)) : T(0.0);
    read = {position, read[0]};

    const T e = reference - position;
    T u = T(0.0), error = T(0.0);
    if (c.form == Controller::parallel) {
      error = e;
      u = c.position_gain * e + c.velocity_gain * (c.feedforward * reference_velocity - v);
    } else {
      error = c.form == Controller::velocity
                  ? T(reference - v)
                  : T(c.position_gain * e + c.feedforward * reference_velocity - v);
      u = c.velocity_gain * error;
    }
    const T next = integral + c.step * error;
    T whole = u + c.integral_gain * next;
    const auto limited = c.saturation > T(0.0) && abs(whole) > c.saturation;
    const auto unwinds = c.integral_gain * error * whole < T(0.0);
    integral = select(!limited || unwinds, next, integral);
    whole = select(limited, T(select(whole < T(0.0), T(-c.saturation), c.saturation)), whole);
    const auto delay = std::size_t(c.delay);
    for (std::size_t i = delay; i > 0; --i) line[i] = line[i - 1];
    line[0] = whole;
    output = line[delay];
    ++samples;
  }
};
using ControllerState = ControllerMemory<double>;

}  // namespace bristle
