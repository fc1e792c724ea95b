// SPDX-License-Identifier: MIT
// Runs whose numbers become NaN or infinite, by every method.
#include "bristle/solve/not_finite.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bristle/machine/short_forms.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/sawtooth.hpp"
#include "bristle/solve/cancel.hpp"
#include "bristle/solve/machine_run.hpp"
#include "bristle/solve/simulate.hpp"
#include "sundials.hpp"

namespace bristle::not_finite_test {
namespace {

// A yielding spring whose force has no value beyond a place.
struct TornSpring {
  using Number = double;
  static constexpr std::string_view name = "torn_spring";
  static constexpr std::string_view summary = "yielding spring that ends at a place";
  double edge = 0.5;
  static constexpr auto fields() {
    return std::array{Field<TornSpring>{"edge", "m", "where it ends", positive, &TornSpring::edge}};
  }
  template <class S, class V>
  Response<S> respond(const S& z, const Motion<S>& m, const Branch<V>& b) const {
    const S force = select(m.position > S(edge), S(NAN), S(1e3 * z));
    const S rate = m.velocity * (1.0 - 1e3 * b.direction * z);
    return {rate, force, force * (m.velocity - rate)};
  }
  template <class S, class V>
  S steady(const Motion<S>&, const Branch<V>& b) const {
    return S(b.direction);
  }
  template <class S>
  S stored(const S& z, const Motion<S>&) const {
    return 500.0 * z * z;
  }
  double state_scale() const { return 1e-3; }
};

// Coulomb friction that has no value beyond a place.
template <bool ByPosition>
struct TornCoulomb {
  using Number = double;
  static constexpr bool by_position = ByPosition;
  static constexpr std::string_view name = "torn_coulomb";
  static constexpr std::string_view summary = "constant friction that ends at a place";
  double edge = 0.5;
  static constexpr auto fields() {
    return std::array{
        Field<TornCoulomb>{"edge", "m", "where it ends", positive, &TornCoulomb::edge}};
  }
  template <class S, class V>
  S sliding(const Motion<S>& m, const Branch<V>& b) const {
    return select(m.position > S(edge), S(NAN), S(b.direction));
  }
  template <class S>
  Interval<S> limits(const Motion<S>&) const {
    return {S(-1.0), S(1.0)};
  }
  double force_scale() const { return 1.0; }
};

Options by(int method, double end = 2.0) {
  Options o;
  o.method = method;
  o.end = end;
  o.samples = 201;
  o.step = 1e-3;
  return o;
}

// The position reaches the edge at 0.5 s.
PrescribedMotion led() {
  PrescribedMotion m;
  m.signal.shape = Signal::ramp;
  m.signal.rate = 1.0;
  return m;
}
// Pulled with 2 N against 1 N of friction: half a metre after a second.
WallSpringMass pulled() {
  WallSpringMass body;
  body.mass = 1.0;
  body.spring = 0.0;
  body.signal.amplitude = 0.0;
  body.signal.offset = 2.0;
  return body;
}

void expect_not_finite(const Simulation& run, std::string_view column, double time, double within) {
  const Summary& s = run.summary;
  EXPECT_EQ(s.status, Status::not_finite) << s.message;
  EXPECT_FALSE(s.ok());
  EXPECT_EQ(s.counts.not_finite.column, column) << s.message;
  EXPECT_NEAR(s.counts.not_finite.time, time, within) << s.message;
  EXPECT_EQ(s.message.rfind("not finite: " + std::string(column) + " at t = ", 0), 0u) << s.message;
}

TEST(NotFinite, EndsARunOfEveryMethodAlongAGivenMotion) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const int method : {Options::rosenbrock, Options::cvode}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    expect_not_finite(simulate(TornSpring{}, led(), by(method)), "force", 0.5, 1e-6);
  }
  for (const int method : {Options::coupled, Options::bristle_only}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    expect_not_finite(simulate(TornSpring{}, led(), by(method)), "force", 0.5, 2e-2);
  }
}

TEST(NotFinite, EndsARunOfEveryMethodWithABodyThatMoves) {
  BRISTLE_NEEDS_SUNDIALS();
  for (const int method : {Options::rosenbrock, Options::cvode}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    expect_not_finite(simulate(TornSpring{}, pulled(), by(method)), "force", 1.0, 5e-2);
    expect_not_finite(simulate(TornCoulomb<false>{}, pulled(), by(method)), "force", 1.0, 1e-5);
  }
  expect_not_finite(simulate(TornCoulomb<true>{}, pulled(), by(Options::rosenbrock)), "force", 1.0,
                    1e-5);
  const auto switched = simulate(TornCoulomb<false>{}, pulled(), by(Options::switch_model));
  expect_not_finite(switched, "force", 1.0, 1e-5);
  for (const int method : {Options::coupled, Options::bristle_only}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    const auto run = simulate(TornSpring{}, pulled(), by(method));
    EXPECT_EQ(run.summary.status, Status::not_finite) << run.summary.message;
    EXPECT_NEAR(run.summary.counts.not_finite.time, 1.0, 3e-2);
    for (const double x : run.trajectory.position) EXPECT_TRUE(std::isfinite(x));
  }
}

TEST(NotFinite, EndsARunByPowerSeries) {
  Sawtooth<> law;
  law.minimum_force = law.maximum_force = 1e308;
  DraggedMass body;
  body.mass = 1e-3;
  Options o = by(Options::rosenbrock);
  o.initial.velocity = 1.0;
  const auto run = simulate(law, body, o);
  EXPECT_EQ(run.summary.status, Status::not_finite) << run.summary.message;
  EXPECT_FALSE(run.summary.counts.not_finite.column.empty());
}

TEST(NotFinite, FindsAForceThatOverflowsInASampleAlone) {
  BRISTLE_NEEDS_SUNDIALS();
  LuGre<> law;
  law.viscous = 1e308;
  auto motion = led();
  motion.signal.rate = 10.0;
  for (const int method : {Options::rosenbrock, Options::cvode, Options::coupled}) {
    SCOPED_TRACE(Options::methods[std::size_t(method)]);
    const auto run = simulate(law, motion, by(method));
    EXPECT_EQ(run.summary.status, Status::not_finite) << run.summary.message;
    EXPECT_EQ(run.summary.counts.not_finite.column, "force");
  }
}

TEST(NotFinite, DoesNotMeanLargeNumbers) {
  NotFinite none;
  const std::array<std::string_view, 3> names{"a", "b", "c"};
  none.look(1.0, std::array{1e308, 1e308, 1e308}, names);
  EXPECT_FALSE(none);
  none.look(2.0, std::array<double, 3>{1.0, INFINITY, NAN}, names);
  EXPECT_EQ(none.column, "b");
  none.look(3.0, std::array<double, 3>{NAN, 0.0, 0.0}, names);
  EXPECT_EQ(none.time, 2.0);
}

TEST(NotFinite, DoesNotMeanAStepThatIsTooSmall) {
  // Dahl's law with an exponent below one is not Lipschitz where it saturates, and finite.
  Dahl<> law;
  law.exponent = 0.5;
  const auto run = simulate(law, led(), by(Options::rosenbrock));
  EXPECT_TRUE(run.summary.ok()) << run.summary.message;
}

bool asked = false;

TEST(Cancellation, EndsEveryMethodWithoutAProgressOfItsOwn) {
  BRISTLE_NEEDS_SUNDIALS();
  asked = true;
  stop_when([] { return asked; });
  for (const int method : {Options::rosenbrock, Options::cvode, Options::coupled}) {
    const auto run = simulate(LuGre<>{}, DraggedMass{}, by(method, 1e4));
    EXPECT_EQ(run.summary.status, Status::cancelled) << run.summary.message;
    if (method == Options::coupled) continue;
    const Machine machine(parts_of(DraggedMass{}, erase(LuGre<>{})));
    const auto parts = simulate(machine, by(method, 1e4));
    EXPECT_EQ(parts.summary.status, Status::cancelled) << parts.summary.message;
  }
  EXPECT_THROW(stop_if_asked(), Cancelled);
  stop_when(nullptr);
  EXPECT_NO_THROW(stop_if_asked());
}

TEST(Cancellation, TakesEffectWithinAStepOfManySamples) {
  // The body rests: one step holds very many samples.
  WallSpringMass body;
  body.signal.amplitude = 0.0;
  Options o = by(Options::rosenbrock, 1e3);
  o.samples = 3e6;
  long asked_for = 0;
  o.progress = [&](double) { return ++asked_for < 20; };
  const auto run = simulate(TornCoulomb<false>{}, body, o);
  EXPECT_EQ(run.summary.status, Status::cancelled);
  EXPECT_LT(run.trajectory.size(), 2'000'000u);
}

}  // namespace
}  // namespace bristle::not_finite_test
