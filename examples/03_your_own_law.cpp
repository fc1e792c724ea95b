// SPDX-License-Identifier: MIT
// A law of your own: write the equations once, and solvers, ledger and analyses work with it.
//
//   z' = v - |v| stiffness z / (coefficient load),    F = stiffness z
//
// Dahl's law whose yield force grows with the normal load.
#include <bristle/analysis/loop.hpp>
#include <bristle/solve/simulate.hpp>
#include <cmath>
#include <cstdio>

template <class T = double>
struct LoadedDahl {
  using Number = T;
  static constexpr std::string_view name = "loaded_dahl";
  static constexpr std::string_view summary =
      "Dahl friction with a yield force proportional to the load";

  T stiffness = T(1e4);
  T coefficient = T(0.3);

  static constexpr auto fields() {
    using L = LoadedDahl;
    return std::array{bristle::Field<L>{"stiffness", "N/m", "stiffness of the bristles",
                                        bristle::positive, &L::stiffness},
                      bristle::Field<L>{"coefficient", "", "yield force over load",
                                        bristle::positive, &L::coefficient}};
  }

  template <class S, class V>
  bristle::Response<S> respond(const S& z, const bristle::Motion<S>& motion,
                               const bristle::Branch<V>& branch) const {
    const S speed = branch.direction * motion.velocity;
    const S rate = motion.velocity - speed * stiffness * z / (coefficient * motion.load);
    return bristle::spring_response(rate, S(stiffness * z), motion.velocity, stiffness, z);
  }
  template <class S, class V>
  S steady(const bristle::Motion<S>& motion, const bristle::Branch<V>& branch) const {
    return branch.direction * coefficient * motion.load;
  }
  template <class S>
  S stored(const S& z, const bristle::Motion<S>&) const {
    return 0.5 * stiffness * z * z;
  }
  T state_scale() const { return coefficient / stiffness; }
};

int main() {
  // Rub it back and forth under two loads: twice the load, twice the loss.
  const auto loss = [](double load) {
    bristle::PrescribedMotion motion;
    motion.load = load;
    motion.signal.amplitude = 0.01;
    const auto run = bristle::simulate(LoadedDahl<>{}, motion, {.end = 12.566370614359172});
    std::printf("load %5.1f N: %s\n", load, run.summary.message.c_str());
    return bristle::work_between(run.trajectory, 6.283185307179586, 12.566370614359172);
  };
  const double one = loss(20.0), two = loss(40.0);
  std::printf("loss per cycle %.6f J and %.6f J, ratio %.4f\n", one, two, two / one);
  // Not quite two: the elastic turn-round takes a larger part of the stroke under the larger load.
  return two / one > 1.8 && two / one < 2.0 ? 0 : 1;
}
