// SPDX-License-Identifier: MIT
// SIMD lanes: every lane of a law equals the law on doubles, with motion and state differing from
// lane to lane, and with parameters differing from lane to lane.
#include "bristle/scalar/pack.hpp"
#include "law_suite.hpp"

namespace bristle::pack_agreement_test {
namespace {

using test::close;
using test::epsilon;
using test::Random;

constexpr int lanes = int(Pack::size);

template <class L>
class LanesOf : public ::testing::Test {};
TYPED_TEST_SUITE(LanesOf, test::AllLaws, test::LawName);

template <class L>
class AdvancedLanesOf : public ::testing::Test {};
TYPED_TEST_SUITE(AdvancedLanesOf, test::StateLaws, test::LawName);

template <class F>
Pack gather(const F& lane) {
  std::array<double, Pack::size> x{};
  for (int i = 0; i < lanes; ++i) x[i] = lane(i);
  return Pack::load_unaligned(x.data());
}

// One case per lane.
template <class L>
struct Cases {
  std::array<L, Pack::size> law;
  std::array<double, Pack::size> z;
  std::array<Motion<double>, Pack::size> motion;

  // Laws that differ only in their choices cannot share a pack: the first one's are taken.
  Cases(Random& random, bool same_law) {
    for (int i = 0; i < lanes; ++i) {
      law[i] = i > 0 && same_law ? law[0] : test::random_law<L>(random);
      for (const auto& field : L::fields())
        if (field.choice) law[i].*field.choice = law[0].*field.choice;
      motion[i] = test::random_motion(random, 10.0 * test::Claims<L>::speed);
      z[i] = test::random_state(random, law[i]);
    }
  }
  Pack state() const {
    return gather([&](int i) { return z[i]; });
  }
  Motion<Pack> motions() const {
    return {gather([&](int i) { return motion[i].position; }),
            gather([&](int i) { return motion[i].velocity; }),
            gather([&](int i) { return motion[i].load; }), Pack(0.0)};
  }
  test::rebind<L, Pack> packed_law() const {
    test::rebind<L, Pack> packed{};
    const auto from = L::fields();
    const auto to = test::rebind<L, Pack>::fields();
    for (std::size_t k = 0; k < from.size(); ++k) {
      if (from[k].number)
        packed.*to[k].number = gather([&](int i) { return law[i].*from[k].number; });
      else packed.*to[k].choice = law[0].*from[k].choice;
    }
    return packed;
  }
};

// exp and pow of the vector library are good to some units in the last place; an exponent of
// -|v/vs|^n up to 700 or so multiplies that, but then what it multiplies is nothing.
template <class L>
void expect_same(const Response<Pack>& wide, const Cases<L>& c) {
  for (int i = 0; i < lanes; ++i) {
    const auto& m = c.motion[i];
    const auto r = respond(c.law[i], c.z[i], m);
    const Motion<double> still{m.position, 0.0, m.load};
    const double force_terms = std::abs(r.force) + std::abs(force(c.law[i], 0.0, m)) +
                               std::abs(force(c.law[i], c.z[i], still));
    const double rate_terms = std::abs(r.rate) + std::abs(m.velocity);
    ASSERT_TRUE(close(wide.rate.get(i), r.rate, 8.0 * epsilon, rate_terms))
        << "lane " << i << ": " << test::paste(c.law[i], c.z[i], m);
    ASSERT_TRUE(close(wide.force.get(i), r.force, 8.0 * epsilon, force_terms))
        << "lane " << i << ": " << test::paste(c.law[i], c.z[i], m);
    ASSERT_TRUE(close(wide.dissipation.get(i), r.dissipation, 16.0 * epsilon,
                      force_terms * std::abs(m.velocity) + std::abs(r.dissipation)))
        << "lane " << i << ": " << test::paste(c.law[i], c.z[i], m);
  }
}

TYPED_TEST(LanesOf, EqualTheDoubleRunForMotionsOfTheirOwn) {
  Random random(41);
  for (int trial = 0; trial < 1000; ++trial) {
    const Cases<TypeParam> c(random, true);
    expect_same(respond(c.law[0], c.state(), c.motions()), c);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LanesOf, EqualTheDoubleRunForParametersOfTheirOwn) {
  Random random(42);
  for (int trial = 0; trial < 1000; ++trial) {
    const Cases<TypeParam> c(random, false);
    expect_same(respond(c.packed_law(), c.state(), c.motions()), c);
    if (this->HasFatalFailure()) return;
  }
}

// The same through a step of the exact update, from a resolved bristle to one that slides at once.
// The mean of the decay loses up to 1 / 0.01 where its formula changes.
TYPED_TEST(AdvancedLanesOf, EqualTheDoubleRun) {
  Random random(43);
  for (int trial = 0; trial < 1000; ++trial) {
    const Cases<TypeParam> c(random, true);
    std::array<double, Pack::size> step{};
    for (int i = 0; i < lanes; ++i)
      step[i] = random.log_uniform(1e-3, 10.0) * c.law[i].state_scale() / 1e-3;
    const Pack steps = gather([&](int i) { return step[i]; });
    const Pack shared = advance(c.law[0], c.state(), c.motions(), steps);
    for (int i = 0; i < lanes; ++i) {
      const double next = advance(c.law[i], c.z[i], c.motion[i], step[i]);
      const double size = std::abs(c.z[i]) + c.law[i].state_scale();
      ASSERT_TRUE(close(shared.get(i), next, 50.0 * epsilon, size))
          << "lane " << i << ": " << test::paste(c.law[i], c.z[i], c.motion[i])
          << " step = " << words(step[i]);
    }
  }
}

TYPED_TEST(AdvancedLanesOf, EqualTheDoubleRunForParametersOfTheirOwn) {
  Random random(44);
  for (int trial = 0; trial < 300; ++trial) {
    const Cases<TypeParam> c(random, false);
    const double step = random.log_uniform(1e-3, 10.0) * c.law[0].state_scale() / 1e-3;
    const Pack next = advance(c.packed_law(), c.state(), c.motions(), Pack(step));
    for (int i = 0; i < lanes; ++i) {
      const double size = std::abs(c.z[i]) + c.law[i].state_scale();
      ASSERT_TRUE(
          close(next.get(i), advance(c.law[i], c.z[i], c.motion[i], step), 50.0 * epsilon, size))
          << "lane " << i << ": " << test::paste(c.law[i], c.z[i], c.motion[i])
          << " step = " << words(step);
    }
  }
}

// A lane at rest beside a lane in motion keeps its state and picks its own branch.
TYPED_TEST(AdvancedLanesOf, AtRestKeepTheirState) {
  const TypeParam law = test::example<TypeParam>();
  const double z = 0.5 * law.state_scale();
  const Motion<Pack> m{Pack(0.01), gather([](int i) { return i % 2 ? 0.0 : -1e-3; }), Pack(1.0),
                       Pack(0.0)};
  const Pack next = advance(law, Pack(z), m, Pack(1e-3));
  for (int i = 0; i < lanes; ++i) {
    if (i % 2) EXPECT_EQ(next.get(i), z);
    else EXPECT_LT(next.get(i), z);
  }
}

// Derivatives over lanes: a Dual of packs holds in each lane what a Dual of doubles holds.
TYPED_TEST(LanesOf, CarryTheDerivativesOfTheDoubleRun) {
  using Wide = Dual<Pack, 2>;
  using Narrow = Dual<double, 2>;
  Random random(45);
  for (int trial = 0; trial < 300; ++trial) {
    const Cases<TypeParam> c(random, true);
    const auto m = c.motions();
    const auto wide = respond(c.law[0], variable<2>(c.state(), 0),
                              Motion<Wide>{m.position, variable<2>(m.velocity, 1), m.load, m.time});
    for (int i = 0; i < lanes; ++i) {
      const auto& lane = c.motion[i];
      const auto r = respond(
          c.law[0], variable<2>(c.z[i], 0),
          Motion<Narrow>{lane.position, variable<2>(lane.velocity, 1), lane.load, lane.time});
      const double terms = std::abs(r.force.value) + std::abs(c.z[i] * r.force.slope[0]) +
                           std::abs(lane.velocity * r.force.slope[1]);
      ASSERT_TRUE(close(c.z[i] * wide.force.slope[0].get(i), c.z[i] * r.force.slope[0],
                        16.0 * epsilon, terms))
          << "lane " << i << ": " << test::paste(c.law[0], c.z[i], lane);
      ASSERT_TRUE(close(lane.velocity * wide.force.slope[1].get(i),
                        lane.velocity * r.force.slope[1], 16.0 * epsilon, terms))
          << "lane " << i << ": " << test::paste(c.law[0], c.z[i], lane);
    }
  }
}

}  // namespace
}  // namespace bristle::pack_agreement_test
