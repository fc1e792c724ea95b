// SPDX-License-Identifier: MIT
// The host kernel: time of a step of seven joints, and how still it holds a light body.
//
//   host            both tables
//   host --short    few steps: checks that it works
#include "bristle/solve/host.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "bristle/model/registry.hpp"
#include "timing.hpp"

namespace {

using bench::best_seconds;
using bench::keep;

constexpr std::size_t joints = 7;

// What joints answer to torques in an arm: each is coupled with its neighbours, less with the rest.
std::vector<double> delassus() {
  std::vector<double> w(joints * joints);
  for (std::size_t i = 0; i < joints; ++i)
    for (std::size_t j = 0; j < joints; ++j) {
      const double size = std::sqrt((1.0 + double(i)) * (1.0 + double(j)));
      const double apart = std::abs(double(i) - double(j));
      w[joints * i + j] = size * (i == j ? 1.0 : 0.5 * std::pow(-0.5, apart));
    }
  return w;
}

std::shared_ptr<const bristle::AnyLaw> law_of(const std::string& kind, std::size_t joint) {
  if (kind == "coulomb" || (kind == "mixed" && joint % 2 == 1))
    return bristle::make_law("coulomb", {{"coulomb_force", 1.0}});
  return bristle::make_law("lugre", {{"stiffness", 1e4},
                                     {"damping", 50.0},
                                     {"viscous", 0.4},
                                     {"coulomb_force", 1.0},
                                     {"static_force", 1.5},
                                     {"stribeck_velocity", 0.01}});
}

struct Load {
  double amplitude;  // of the torques, in static forces of a joint
  const char* what;
};

// Joints under torques of different frequencies; velocities without friction are those of the host,
// which knows the velocities of the step before.
void seven_joints(const std::string& kind, const Load& load, bool brief) {
  const double h = 1e-3;
  const int steps = brief ? 100 : 500;
  const std::vector<double> w = delassus();
  long unsolved = 0, sweeps = 0, newton = 0;
  const auto run = [&] {
    bristle::HostFriction host(joints);
    for (std::size_t i = 0; i < joints; ++i) host.contact(i).law = law_of(kind, i);
    std::array<double, joints> v{}, free{}, torque{};
    unsolved = sweeps = newton = 0;
    for (int k = 0; k < steps; ++k) {
      for (std::size_t i = 0; i < joints; ++i)
        torque[i] = 1.5 * load.amplitude * std::sin((2.0 + double(i)) * h * k + double(i));
      for (std::size_t i = 0; i < joints; ++i) {
        free[i] = v[i];
        for (std::size_t j = 0; j < joints; ++j) free[i] += h * w[joints * i + j] * torque[j];
      }
      const auto report = host.step(free, w, h);
      unsolved += !report.converged, sweeps += report.sweeps, newton += report.newton;
      for (std::size_t i = 0; i < joints; ++i) v[i] = host.velocities()[i];
      host.commit();
    }
    keep(v);
  };
  const double seconds = best_seconds(run, brief ? bench::Effort{1, 0.0} : bench::Effort{50, 0.5});
  std::printf("  %-8s %-26s %6.2f us a step, %4.1f sweeps, %3.1f Newton iterations, %ld unsolved\n",
              kind.c_str(), load.what, 1e6 * seconds / steps, double(sweeps) / steps,
              double(newton) / steps, unsolved);
}

// A body of 10 g held by bristles under half of what would break it away, from rest: its largest
// speed in the last tenth of 2 s.
double residual_speed(double stiffness, double damping, double h) {
  const double mass = 0.01, push = 0.05;
  bristle::HostFriction host(1);
  host.contact(0).law = bristle::make_law("lugre", {{"stiffness", stiffness},
                                                    {"damping", damping},
                                                    {"viscous", 0.0},
                                                    {"coulomb_force", 0.0981},
                                                    {"static_force", 0.0981},
                                                    {"stribeck_velocity", 0.01}});
  const std::array<double, 1> w{1.0 / mass};
  double v = 0.0, largest = 0.0;
  const int steps = int(std::lround(2.0 / h));
  for (int k = 0; k < steps; ++k) {
    const std::array<double, 1> free{v + h * push / mass};
    host.step(free, w, h);
    v = host.velocities()[0];
    host.commit();
    if (k * h >= 1.9) largest = std::max(largest, std::abs(v));
  }
  return largest;
}

}  // namespace

int main(int count, char** words) {
  const bool brief = count > 1 && std::string(words[1]) == "--short";
  std::printf("Host kernel, seven joints, step 1 ms\n");
  for (const char* kind : {"lugre", "coulomb", "mixed"})
    for (const Load& load :
         {Load{0.5, "held"}, Load{1.5, "held and sliding"}, Load{4.0, "sliding"}})
      seven_joints(kind, load, brief);
  std::printf(
      "\nA body of 10 g held by a LuGre bristle under half of its break-away force: largest speed "
      "in "
      "the last 0.1 s of 2 s [m/s]\n");
  std::printf("  %-26s %10s %10s %10s\n", "", "1 ms", "2 ms", "5 ms");
  for (const auto& [stiffness, damping] :
       {std::pair{1e4, 1.0}, std::pair{1e4, 64.5}, std::pair{1e5, 63.0}}) {
    std::printf("  Bristle    %6.0e, %-6.4g ", stiffness, damping);
    for (const double h : {1e-3, 2e-3, 5e-3})
      std::printf(" %10.1e", residual_speed(stiffness, damping, h));
    std::printf("\n");
  }
}
