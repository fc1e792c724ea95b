// SPDX-License-Identifier: MIT
// A mechanism of your own: a mass that slides along a turning rod. It gives its two energies, and
// the equations of motion, their derivatives, stick and the energy ledger follow.
#include <bristle/model/coulomb.hpp>
#include <bristle/model/erase.hpp>
#include <bristle/solve/machine_run.hpp>
#include <cstdio>

struct SlidingCrank {
  using Number = double;
  static constexpr std::string_view name = "sliding_crank";
  static constexpr std::string_view summary = "mass that slides along a turning rod";
  static constexpr int joints = 2;  // the distance of the mass from the axis, the angle of the rod

  double mass = 1.0;

  static constexpr auto fields() {
    return std::array{bristle::Field<SlidingCrank>{"mass", "kg", "mass of the slider",
                                                   bristle::positive, &SlidingCrank::mass}};
  }
  template <class S>
  S kinetic(const std::array<S, 2>& q, const std::array<S, 2>& v) const {
    return 0.5 * mass * (v[0] * v[0] + q[0] * q[0] * v[1] * v[1]);
  }
  template <class S>
  S potential(const std::array<S, 2>&) const {
    return S(0.0);
  }
};

int main() {
  bristle::MachineParts parts;
  parts.bodies = {{"slider", {.inertia = 0.0, .position = 0.2}},
                  {"rod", {.inertia = 0.1, .motion = bristle::Body::rotation}}};
  parts.couplings = {{"crank", {"slider", "rod"}, bristle::couple(SlidingCrank{.mass = 0.5})}};
  parts.contacts = {{"guide", bristle::between("slider", "ground"),
                     bristle::erase(bristle::Coulomb<>{.coulomb_force = 0.4})}};
  // The rod is turned ever faster: the guide holds until mass times radius times speed^2 is 0.4 N.
  bristle::Signal torque;
  torque.shape = bristle::Signal::ramp;
  torque.offset = 0.12;
  parts.inputs = {{"torque", "rod", torque}};

  const auto run = bristle::simulate(bristle::Machine(parts), {.end = 3.0, .tolerance = 1e-10});
  std::puts(run.summary.message.c_str());
  std::printf("the slider lets go at %.4f s, it should at sqrt(0.4 / (0.5 0.2)) = 2 s\n",
              run.events.at(0).time);
  std::printf("at 3 s it is %.4f m from the axis, the rod turns at %.4f rad/s\n",
              run["slider.position"].back(), run["rod.velocity"].back());
}
