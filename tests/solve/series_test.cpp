// SPDX-License-Identifier: MIT
// Bodies on rows stepped by power series, beside the same by DOP853.
#include "bristle/solve/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "bristle/model/drbm.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/solve/explicit_rk.hpp"
#include "bristle/solve/integrate_series.hpp"
#include "bristle/solve/simulate.hpp"

namespace bristle::series_test {
namespace {

// Keeps the events and the last state.
struct Log {
  std::vector<double> times, places;
  std::array<double, 5> last{};
  double slowest = 1.0;  // smallest velocity seen in the direction of sliding

  template <class Method>
  void step(const Method& method, const Mode& mode, double, double) {
    last = method.y1();
    if (!mode.stuck())
      for (int i = 1; i < 50; ++i)
        slowest = std::min(slowest, mode.branch.direction * method.dense(0.02 * i)[1]);
  }
  template <class State>
  void event(int, double t, const State& y, const Mode&, const Mode&) {
    times.push_back(t);
    places.push_back(y[0]);
  }
  bool cancelled() const { return false; }
};

template <class L, class M>
Log by_series(const L& law, const M& body, double end, double tolerance, StepReport* report = {}) {
  const System<M, L> system(body, law);
  StepControl control;
  control.end = end;
  control.tolerance = tolerance;
  Log log;
  const StepReport r = integrate_series(system, 0.0, {0.0, 0.0}, control, log);
  EXPECT_EQ(r.status, Status::done);
  if (report) *report = r;
  return log;
}
template <class L, class M>
Log by_dop853(const L& law, const M& body, double end, double tolerance, StepReport* report = {}) {
  const System<M, L> system(body, law);
  StepControl control;
  control.end = end;
  control.tolerance = tolerance;
  Log log;
  const StepReport r = integrate<true, Explicit>(system, 0.0, {0.0, 0.0}, control, log);
  if (report) *report = r;
  return log;
}

WallSpringMass pushed(double amplitude, double frequency) {
  WallSpringMass body;
  body.signal.amplitude = amplitude;
  body.signal.frequency = frequency;
  return body;
}

template <class L, class M>
void expect_same(const L& law, const M& body, double end, double allowed) {
  StepReport few, many;
  const Log a = by_series(law, body, end, 1e-13, &few), b = by_dop853(law, body, end, 1e-13, &many);
  ASSERT_EQ(a.times.size(), b.times.size());
  ASSERT_GT(a.times.size(), 10u);
  for (std::size_t i = 0; i < a.times.size(); ++i) {
    EXPECT_NEAR(a.times[i], b.times[i], allowed) << i;
    EXPECT_NEAR(a.places[i], b.places[i], allowed) << i;
  }
  for (std::size_t i = 0; i < a.last.size(); ++i) EXPECT_NEAR(a.last[i], b.last[i], allowed) << i;
  EXPECT_LT(few.steps, many.steps + many.event_steps);
}

TEST(Series, FindsTheEventsAndWorksOfDop853OnADraggedBody) {
  expect_same(Drbm<>{}, DraggedMass{1.0, 1.0, 0.1}, 5.0, 1e-11);
}
TEST(Series, FindsTheEventsAndWorksOfDop853UnderAForce) {
  expect_same(Drbm<>{}, pushed(1.0, 1.0), 5.0, 1e-11);
}
TEST(Series, FindsTheEventsAndWorksOfDop853OnASawtooth) {
  expect_same(Sawtooth<>{}, pushed(2.0, 0.7), 9.0, 1e-11);
}

// A smooth motion without events: the error follows the tolerance down to rounding.
TEST(Series, IsAsExactAsItsTolerance) {
  Sawtooth<> law;
  law.minimum_force = 0.1;
  law.maximum_force = 0.6;
  law.spacing = 1.0;  // a spring of 0.5 N/m
  WallSpringMass body;
  body.signal.amplitude = 0.0;
  body.signal.offset = 0.4;
  const double rate = std::sqrt(1.5), size = 0.3 / 1.5, end = 0.9 * std::numbers::pi / rate;
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Log log = by_series(law, body, end, tolerance);
    EXPECT_NEAR(log.last[0], size * (1.0 - std::cos(rate * end)), tolerance + 1e-15);
    EXPECT_NEAR(log.last[1], size * rate * std::sin(rate * end), tolerance + 1e-15);
  }
}

// Rows that pull at once into both directions, very coarse and very dense.
TEST(Series, ClosesTheLedgerOnAnyRow) {
  for (const double spacing : {0.0099, 0.003, 1e-4}) {
    Drbm<> law;
    law.spacing = spacing;
    law.pivot_stiffness = 0.1 * spacing / 0.005;
    Options o;
    o.end = 60.0;
    o.tolerance = 1e-10;
    const auto run = simulate(law, pushed(0.5, 0.3), o);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-9) << spacing;
  }
}
TEST(Series, BreaksAwayFromStiffBristlesWhoseSeriesAreShort) {
  Drbm<> law;
  law.height = 0.01;
  law.spacing = 0.01;
  law.reach = 0.025;
  expect_same(law, DraggedMass{1.0, 200.0, 0.1}, 5.0, 1e-9);
}

// No velocity below zero is passed over: a step spans a whole ring of the body, which touches zero.
TEST(Series, NeverSlidesBackwardUnseen) {
  Drbm<> law;
  law.body_length = 1.0;
  const Log log = by_series(law, pushed(1.0, 0.001), 300.0, 1e-9);
  EXPECT_GT(log.slowest, -1e-15);
}

// Ringing that is within the tolerance is not followed, what is outside is.
TEST(Series, FollowsTheRingingOfACreepingBodyOnlyIfTheToleranceAsksForIt) {
  Drbm<> law;
  law.body_length = 1.0;
  StepReport coarse, fine;
  const double end = 150.0;  // creeps from 50 s to the first release
  const Log a = by_series(law, pushed(1.0, 0.001), end, 1e-4, &coarse);
  const Log b = by_series(law, pushed(1.0, 0.001), end, 1e-10, &fine);
  EXPECT_LT(coarse.steps, 30);
  EXPECT_GT(fine.steps, 60);
  EXPECT_NEAR(a.last[0], b.last[0], 3e-5);
  EXPECT_NEAR(a.last[2], b.last[2], 1e-5);
}

// As the drive turns the creeping body is at the edge of the interval to rounding.
TEST(Series, RestsWhereTheDriveTurnsAtAnyTolerance) {
  Drbm<> law;
  law.body_length = 1.0;
  Options o;
  o.end = 8500.0;  // past two maxima and a minimum of the drive
  for (double tolerance = 1e-2; tolerance > 1e-7; tolerance *= 0.6) {
    o.tolerance = tolerance;
    const auto run = simulate(law, pushed(1.0, 0.001), o);
    EXPECT_TRUE(run.summary.ok()) << tolerance << ": " << run.summary.message;
    EXPECT_LT(run.summary.counts.steps, 30000) << tolerance;
  }
}

}  // namespace
}  // namespace bristle::series_test
