// SPDX-License-Identifier: MIT
#include "bristle/model/elasto_plastic.hpp"

#include "bristle/model/advance.hpp"
#include "bristle/model/dahl.hpp"
#include "bristle/model/lugre.hpp"
#include "close.hpp"

namespace bristle::elasto_plastic_test {
namespace {

using test::close;
using test::epsilon;

// Where a free mass of 1 kg is after each of ten periods of a load that oscillates about a bias
// below break-away: 0.45 N +- 0.2 N at 20 rad/s, started in balance. Classical Runge-Kutta, 1e-4 s.
template <class L>
std::array<double, 10> positions_under_biased_load(const L& law) {
  using State = std::array<double, 3>;  // position, velocity, bristle
  const double w = 20.0, period = 2.0 * std::numbers::pi / w;
  const int steps = 3200;
  const double h = period / steps;
  const auto f = [&](double t, const State& y) {
    const auto r = respond(law, y[2], Motion<double>{y[0], y[1]});
    const double load = 0.45 + 0.2 * std::sin(w * t);
    return State{y[1], load - r.force, r.rate};
  };
  const auto moved = [](const State& y, double step, const State& k) {
    return State{y[0] + step * k[0], y[1] + step * k[1], y[2] + step * k[2]};
  };
  State y{0.0, 0.0, 0.45 / law.stiffness};
  std::array<double, 10> positions{};
  for (int i = 0; i < 10 * steps; ++i) {
    const double t = i * h;
    const State k1 = f(t, y), k2 = f(t + 0.5 * h, moved(y, 0.5 * h, k1));
    const State k3 = f(t + 0.5 * h, moved(y, 0.5 * h, k2)), k4 = f(t + h, moved(y, h, k3));
    for (int j = 0; j < 3; ++j) y[j] += h / 6.0 * (k1[j] + 2.0 * k2[j] + 2.0 * k3[j] + k4[j]);
    if ((i + 1) % steps == 0) positions[(i + 1) / steps - 1] = y[0];
  }
  return positions;
}

// In the elastic range, 0.7 F_c, the bristle is a spring: over the period nothing moves. LuGre and
// Dahl slip a little in every period, always the same way.
TEST(ElastoPlastic, DoesNotDriftUnderASmallOscillatingLoadWhereLuGreAndDahlDo) {
  ElastoPlastic<> law;
  LuGre<> lugre;
  Dahl<> dahl;
  const auto still = positions_under_biased_load(law);
  // The vibration at the start has died out after two periods.
  EXPECT_NEAR(still[9], still[2], 1e-15);
  const auto creeping = positions_under_biased_load(lugre);
  const auto yielding = positions_under_biased_load(dahl);
  for (int i = 3; i < 10; ++i) {
    EXPECT_GT(creeping[i] - creeping[i - 1], 1e-7) << "period " << i;
    EXPECT_GT(yielding[i] - yielding[i - 1], 1e-7) << "period " << i;
  }
}

TEST(ElastoPlastic, IsALosslessSpringWithinItsElasticRange) {
  ElastoPlastic<> law;
  law.damping = 0.0;
  law.viscous = 0.0;
  for (const double z : {-6.9e-6, -1e-6, 0.0, 3e-6, 7e-6}) {
    for (const double v : {-0.1, -1e-3, 1e-3, 0.1}) {
      const auto r = respond(law, z, Motion<double>{0.0, v});
      EXPECT_EQ(r.rate, v);
      // A difference of two equal powers, which may be rounded differently.
      EXPECT_NEAR(r.dissipation, 0.0, epsilon * std::abs(r.force * v));
    }
  }
  EXPECT_GT(respond(law, 8e-6, Motion<double>{0.0, 0.1}).dissipation, 0.0);
}

TEST(ElastoPlastic, UnloadsElasticallyFromAnyDeflection) {
  const ElastoPlastic<> law;
  for (const double z : {7.5e-6, 1e-5, 1.4e-5}) {
    EXPECT_EQ(rate(law, z, Motion<double>{0.0, -1e-3}), -1e-3);
    EXPECT_EQ(rate(law, -z, Motion<double>{0.0, 1e-3}), 1e-3);
    EXPECT_LT(rate(law, z, Motion<double>{0.0, 1e-3}), 1e-3);
  }
}

// alpha rises from zero at z_ba to one at z_ss, a half in the middle, without a jump.
TEST(ElastoPlastic, FlowRisesSmoothlyFromElasticToSliding) {
  const ElastoPlastic<> law;
  const Branch<double> forward{1.0, 0.0};
  const double ba = 0.7e-5, ss = 1e-5;
  const auto alpha = [&](double z) { return law.alpha(z, ss, forward); };
  EXPECT_EQ(alpha(ba), 0.0);
  EXPECT_NEAR(alpha(0.5 * (ba + ss)), 0.5, 1e-14);
  EXPECT_EQ(alpha(ss), 1.0);
  EXPECT_EQ(alpha(2.0 * ss), 1.0);
  EXPECT_LT(alpha(ba * (1.0 + 1e-6)), 1e-10);
  EXPECT_GT(alpha(ss * (1.0 - 1e-6)), 1.0 - 1e-10);
  EXPECT_EQ(law.alpha(-ss, ss, forward), 0.0);
}

// Beyond z_ss, where alpha is one, the equations are those of LuGre.
TEST(ElastoPlastic, EqualsLuGreOnceItSlides) {
  const ElastoPlastic<> law;
  const LuGre<> lugre;
  for (const double v : {1e-3, 0.01, 0.3}) {
    const Motion<double> m{0.0, v};
    EXPECT_TRUE(close(steady_force(law, m), steady_force(lugre, m), epsilon));
    const double z = 1.5e-5;
    EXPECT_TRUE(close(force(law, z, m), force(lugre, z, m), 1e-14, 316.0 * v)) << v;
    EXPECT_TRUE(close(rate(law, z, m), rate(lugre, z, m), 1e-14, v)) << v;
  }
}

// At constant velocity the update in n parts approaches that in many with the square of the step,
// also when break-away lies inside a step.
TEST(ElastoPlastic, UpdateIsOfSecondOrder) {
  const ElastoPlastic<> law;
  const auto after = [&](int parts) {
    double z = 0.0;
    for (int i = 0; i < parts; ++i) z = advance(law, z, Motion<double>{0.0, 1e-3}, 1.1e-2 / parts);
    return z;
  };
  const double exact = after(1 << 20);
  const double coarse = std::abs(after(64) - exact), fine = std::abs(after(512) - exact);
  EXPECT_LT(coarse, 1e-3 * law.state_scale());
  EXPECT_NEAR(std::log2(coarse / fine) / 3.0, 2.0, 0.2);
}

}  // namespace
}  // namespace bristle::elasto_plastic_test
