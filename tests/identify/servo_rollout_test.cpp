// SPDX-License-Identifier: MIT
#include "bristle/identify/servo_rollout.hpp"

#include "bristle/model/coulomb.hpp"
#include "close.hpp"
#include "identify/servo_data.hpp"

namespace bristle {
namespace {

using test::goal_run;
using test::loaded_model;
using test::Random;

template <class Law>
std::vector<double> rolled(const Law& law, const ServoPendulum<>& pendulum, const ServoRun& run,
                           double step) {
  std::vector<double> q(run.time.size());
  servo_rollout(law, pendulum, run, step, q);
  return q;
}

// A swing from an angle with the motor off.
ServoRun swing(double from, double end) {
  ServoRun run = goal_run(0, 100.0, end);
  std::fill(run.enabled.begin(), run.enabled.end(), 0.0);
  run.position[0] = from;
  return run;
}

TEST(ServoBalance, MeetsBothEquationsAtAnyLoad) {
  const ServoModel<> model = loaded_model();
  Random random(5);
  for (int i = 0; i < 500; ++i) {
    const double tm = random.uniform(-1.0, 1.0), tg = random.uniform(-0.5, 0.5);
    const double side = random.sign(), v = side * random.uniform(0.0, 3.0);
    const auto b = servo_balance(model.friction, model.friction, 0.0049, 0.002, tm, tg, v, side);
    const double f = model.friction.sliding(Motion<double>{0.0, v, b.load}, Branch<double>{side});
    EXPECT_NEAR(b.load, tg - 0.0049 * b.acceleration, 1e-14) << tm << " " << tg << " " << v;
    EXPECT_NEAR(0.002 * b.acceleration, tm + b.load - f, 1e-12) << tm << " " << tg << " " << v;
    EXPECT_NEAR(b.friction, f, 1e-12);
  }
}

TEST(ServoRollout, StaysExactlyWhereTheGearHolds) {
  ServoModel<> model = loaded_model();
  model.friction.backdriving_rise = 1.5;  // held at any angle without the motor
  const ServoRun run = swing(0.7, 2.0);
  for (const double q : rolled(model.friction, model.pendulum, run, 1e-3)) EXPECT_EQ(q, 0.7);
}

TEST(ServoRollout, AGearThatJamsStopsAtOnce) {
  ServoModel<> model = loaded_model();
  model.friction.backdriving = 1.9;  // loses more than it is given
  ServoRun run = goal_run(0, 800.0, 3.0);
  for (std::size_t k = 0; k < run.goal.size(); ++k) run.goal[k] = run.time[k] < 1.5 ? 0.8 : -0.8;
  std::fill(run.enabled.begin(), run.enabled.end(), 1.0);
  for (const double q : rolled(model.friction, model.pendulum, run, 1e-3))
    EXPECT_TRUE(std::abs(q) < 1.0) << q;
}

// Small swings under Coulomb friction c lose 2 c / (m g l) of their height each half, exactly for a
// spring; sin(q) bends this by q^2 / 6, some 2e-3 at the angles here.
TEST(ServoRollout, SwingsUnderCoulombFrictionFallByEqualHeights) {
  const ServoPendulum<> pendulum;
  const Coulomb<> law{.coulomb_force = 0.005};
  const double fall = 2.0 * 0.005 / (0.49 * 9.81 * 0.1);
  const ServoRun run = swing(0.1, 4.0);
  const auto q = rolled(law, pendulum, run, 1e-4);
  std::vector<double> peaks{0.1};
  for (std::size_t k = 1; k + 1 < q.size(); ++k)
    if ((q[k] - q[k - 1]) * (q[k + 1] - q[k]) < 0.0) peaks.push_back(std::abs(q[k]));
  ASSERT_GE(peaks.size(), 4u);
  // Samples 5 ms apart meet a peak to (8.3 rad/s * 2.5 ms)^2 / 2 of its height.
  for (std::size_t i = 1; i + 1 < peaks.size(); ++i)
    EXPECT_NEAR(peaks[i - 1] - peaks[i], fall, 5e-4) << i;
  // At last it rests within the band c / (m g l) and does not move again.
  EXPECT_LE(std::abs(q.back()), 0.5 * fall * 1.01);
  EXPECT_EQ(q.back(), q[q.size() - 50]);
}

TEST(ServoRollout, TakesAnySetValuedLaw) {
  const ServoPendulum<> pendulum;
  const GearFriction<> bare{0.02, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  const ServoRun run = goal_run(1, 200.0);
  const auto a = rolled(bare, pendulum, run, 1e-3);
  const auto b = rolled(Coulomb<>{.coulomb_force = 0.02}, pendulum, run, 1e-3);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-12);
}

TEST(ServoRollout, IsOfSecondOrderWhileItSlides) {
  const ServoModel<> model = loaded_model();
  ServoRun run = swing(1.2, 0.3);  // to before the first stop
  const auto exact = rolled(model.friction, model.pendulum, run, 1e-5).back();
  const double coarse = std::abs(rolled(model.friction, model.pendulum, run, 5e-3).back() - exact);
  const double fine = std::abs(rolled(model.friction, model.pendulum, run, 1.25e-3).back() - exact);
  EXPECT_NEAR(std::log2(coarse / fine) / 2.0, 2.0, 0.3) << coarse << " " << fine;
}

TEST(ServoRollout, ConvergesThroughStopsAndStarts) {
  const ServoModel<> model = loaded_model();
  const std::vector<ServoRun> runs{goal_run(0, 100.0), goal_run(1, 200.0), goal_run(2, 400.0)};
  const double coarse = servo_step_error(runs, model, 4e-3);
  const double fine = servo_step_error(runs, model, 1e-3);
  EXPECT_LT(coarse, 5e-4);
  EXPECT_LT(fine, 0.25 * coarse);
}

TEST(ServoRollout, LedgerClosesToTheErrorOfTheStep) {
  const ServoModel<> model = loaded_model();
  const ServoRun run = goal_run(2, 400.0);
  std::vector<double> q(run.time.size());
  const auto coarse = servo_rollout(model.friction, model.pendulum, run, 2e-3, q);
  const auto fine = servo_rollout(model.friction, model.pendulum, run, 5e-4, q);
  EXPECT_GT(coarse.dissipated, 0.1);
  EXPECT_GT(coarse.stops, 3);
  EXPECT_LT(std::abs(coarse.closing), 1e-4 * coarse.work);
  EXPECT_LT(std::abs(fine.closing), 0.25 * std::abs(coarse.closing));
}

TEST(ServoRollout, DerivativesThroughStopsEqualCentralDifferences) {
  const ServoModel<> model = loaded_model();
  const ServoRun run = goal_run(1, 400.0);
  const std::vector<std::string> names{
      "mechanism.armature", "mechanism.motor_constant", "viscous",
      "driving_rise",       "driving_growth",           "backdriving_rise"};
  std::vector<double> q(run.time.size());
  ASSERT_GT(servo_rollout(model.friction, model.pendulum, run, 1e-3, q).stops, 3);
  const auto exact = servo_derivatives(run, model, names, 1e-3);
  const auto differences = servo_derivatives(run, model, names, 1e-3, 1e-6);
  // Differences of 1e-6 leave the square of that and the rounding of positions over it.
  for (std::size_t i = 0; i < names.size(); ++i) {
    double size = 0.0, error = 0.0;
    for (std::size_t k = i; k < exact.size(); k += names.size()) {
      size = std::max(size, std::abs(exact[k]));
      error = std::max(error, std::abs(exact[k] - differences[k]));
    }
    EXPECT_LT(error, 1e-5 * size) << names[i];
  }
}

}  // namespace
}  // namespace bristle
