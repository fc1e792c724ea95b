// SPDX-License-Identifier: MIT
// Laws with Dual parameters: the derivatives a fit needs, for every number of every law, against
// central differences in that number.
#include "law_suite.hpp"

namespace bristle::parameter_derivative_test {
namespace {

using test::central_difference;
using test::Claims;
using test::close;
using test::Random;

template <class L>
class ParametersOf : public ::testing::Test {};
TYPED_TEST_SUITE(ParametersOf, test::AllLaws, test::LawName);

template <class L>
class ParametersOfState : public ::testing::Test {};
TYPED_TEST_SUITE(ParametersOfState, test::StateLaws, test::LawName);

template <class L>
inline constexpr int field_count = int(L::fields().size());

template <class L>
using Sensitive = Dual<double, field_count<L>>;

// Effects that are off by default are switched on, so that their parameters matter.
template <class L>
L complete_law(Random& random) {
  L law = test::random_law<L>(random);
  if constexpr (requires { law.regularisation; }) {
    law.regularisation = random.uniform(0.05, 0.2) * square(law.stribeck_velocity);
    law.stiffness_ratio = random.uniform(0.5, 0.9);
  }
  if constexpr (requires { law.rising; }) law.rising = 30.0, law.viscous = 2.0;
  if constexpr (requires { law.damping_velocity; }) law.damping = 70.0;
  return law;
}

// The law with its i-th number as the i-th variable.
template <class L>
auto seeded(const L& law) {
  using D = Sensitive<L>;
  auto dual = test::converted<D>(law);
  const auto fields = test::rebind<L, D>::fields();
  for (int i = 0; i < field_count<L>; ++i)
    if (fields[i].number) (dual.*fields[i].number).slope[i] = 1.0;
  return dual;
}

// dy/dp by field, exact and by differences; y is a function of the law.
template <class L, class Exact, class F>
void compare(const L& law, const Exact& exact, const F& y, double terms, const std::string& text) {
  const auto fields = L::fields();
  for (int i = 0; i < field_count<L>; ++i) {
    if (!fields[i].number) continue;
    const double p = law.*fields[i].number;
    // A parameter that is off stays off; its derivative there is one-sided.
    if (p == 0.0) continue;
    const auto varied = [&](double value) {
      L other = law;
      other.*fields[i].number = value;
      return y(other);
    };
    // In units of the parameter: p dy/dp is of the size of y, or of the terms it is made of.
    const double difference = p * central_difference(varied, p, 2e-4 * p);
    ASSERT_TRUE(close(p * exact.slope[i], difference, 1e-9, terms))
        << fields[i].name << ": " << text;
  }
}

// Motions and states away from jumps: a state within two thirds of break-away, a position within a
// tooth whatever its spacing, a speed around that at which the law changes.
template <class L>
Motion<double> plain_motion(Random& random) {
  const double v = random.sign() * random.log_uniform(0.1, 2.0) * Claims<L>::speed;
  return {(v > 0.0 ? 1.0 : -1.0) * random.uniform(0.002, 0.014), v, random.log_uniform(0.5, 2.0)};
}

TYPED_TEST(ParametersOf, HaveExactDerivativesOfForceAndRate) {
  using D = Sensitive<TypeParam>;
  Random random(51);
  for (int trial = 0; trial < 300; ++trial) {
    const TypeParam law = complete_law<TypeParam>(random);
    const auto m = plain_motion<TypeParam>(random);
    const double z = 0.6 * test::random_state(random, law, 0.0);
    if (!test::smooth(law, z, z, m)) continue;
    const auto exact =
        respond(seeded(law), D(z), Motion<D>{m.position, m.velocity, m.load, m.time});
    const auto here = respond(law, z, m);
    EXPECT_TRUE(close(exact.force.value, here.force, 1e-14, std::abs(force(law, 0.0, m))));
    const auto text = test::paste(law, z, m);
    const double force_terms = std::abs(here.force) + std::abs(force(law, 0.0, m)) +
                               std::abs(force(law, z, Motion<double>{m.position, 0.0, m.load}));
    const double rate_terms = std::abs(here.rate) + std::abs(m.velocity);
    compare(
        law, exact.force, [&](const auto& l) { return force(l, z, m); }, force_terms, text);
    compare(
        law, exact.rate, [&](const auto& l) { return rate(l, z, m); }, rate_terms, text);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(ParametersOf, HaveExactDerivativesOfTheSteadyForce) {
  using D = Sensitive<TypeParam>;
  Random random(52);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam law = complete_law<TypeParam>(random);
    const auto m = plain_motion<TypeParam>(random);
    const D exact = steady_force(seeded(law), Motion<D>{m.position, m.velocity, m.load, m.time});
    compare(
        law, exact, [&](const auto& l) { return steady_force(l, m); },
        std::abs(steady_force(law, m)), test::paste(law, 0.0, m));
    if (this->HasFatalFailure()) return;
  }
}

// Derivatives carried through a hundred updates: what a fit to measured motion does.
TYPED_TEST(ParametersOfState, HaveExactDerivativesThroughManySteps) {
  using D = Sensitive<TypeParam>;
  Random random(53);
  for (int trial = 0; trial < 20; ++trial) {
    const TypeParam law = complete_law<TypeParam>(random);
    const double v = random.sign() * random.uniform(0.3, 2.0) * Claims<TypeParam>::speed;
    // Short of break-away for the laws that have a sharp one.
    const double step = 0.004 * law.state_scale() / std::abs(v);
    const auto run = [&](const auto& l, auto z) {
      using S = decltype(z);
      for (int i = 0; i < 100; ++i) {
        const Motion<S> m{S(v > 0.0 ? 0.01 : -0.01), S(v * (1.0 + 0.005 * i)), S(1.0), S(0.0)};
        z = advance(l, z, m, S(step));
      }
      return z;
    };
    compare(
        law, run(seeded(law), D(0.0)), [&](const auto& l) { return run(l, 0.0); },
        law.state_scale(), test::paste(law, 0.0, {0.01, v}));
    if (this->HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace bristle::parameter_derivative_test
