// SPDX-License-Identifier: MIT
// Events of a law at the instant at which the drive has a kink.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bristle/machine/short_forms.hpp"
#include "bristle/model/reset_integrator.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::kink_test {
namespace {

// The state of a reset integrator under a triangle reaches its range at the end of the same stroke
// again and again: the event is within rounding of the kink. Found by a random pair of methods.
const ResetIntegrator<> law{.stiffness = 215.6589227276652,
                            .gradient = 0.13151162277066095,
                            .damping = 43.13687380617245,
                            .range = 0.018014617468589855,
                            .damping_velocity = 0.026355894618969686};
const PrescribedMotion motion{.signal = {.shape = Signal::triangle,
                                         .amplitude = 0.00999605751874144,
                                         .frequency = 1.240949231801998,
                                         .phase = 1.8052333349426135}};
Options until(int method) {
  return {.end = 8.673983163325033, .tolerance = 1.701020184052196e-10, .method = method};
}

void expect_the_triangle(const std::vector<double>& time, const std::vector<double>& position,
                         const char* who) {
  const Signal& signal = motion.signal;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double given = signal.amplitude * 2.0 / std::numbers::pi *
                         std::asin(std::sin(signal.frequency * time[i] + signal.phase));
    ASSERT_NEAR(position[i], given, 1e-12) << who << " at t = " << time[i];
  }
}

TEST(Kink, OfTheDriveIsSeenByTheDefaultMethodWhereAnEventIsAtTheSameTime) {
  const auto run = simulate(law, motion, until(Options::rosenbrock));
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  expect_the_triangle(run.trajectory.time, run.trajectory.position, "rosenbrock");
}

TEST(Kink, OfTheDriveIsSeenByCvodeWhereAnEventIsAtTheSameTime) {
  BRISTLE_NEEDS_SUNDIALS();
  const auto run = simulate(law, motion, until(Options::cvode));
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  expect_the_triangle(run.trajectory.time, run.trajectory.position, "cvode");
}

TEST(Kink, OfTheDriveIsSeenByMachinesWhereAnEventIsAtTheSameTime) {
  const ErasedLaw<ResetIntegrator<>> erased(law);
  const Machine machine(parts_of(motion, LawPointer(std::shared_ptr<const AnyLaw>(), &erased)));
  const auto alone = simulate(law, motion, until(Options::rosenbrock));
  const auto run = simulate(machine, until(Options::rosenbrock));
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
  const std::string contact = machine.parts().contacts.front().name;
  const auto& force = run[contact + ".force"];
  for (std::size_t i = 0; i < force.size(); ++i)
    ASSERT_NEAR(force[i], alone.trajectory.force[i], 1e-7) << run["time"][i];
}

}  // namespace
}  // namespace bristle::kink_test
