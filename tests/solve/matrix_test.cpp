// SPDX-License-Identifier: MIT
// Every law in every mechanism by every method, with random parameters, against other equations:
// laws with a state against the equations of motion written by hand and stepped by Runge-Kutta at a
// small fixed step; set-valued laws against the Switch Model and against the limit of stiff
// bristles, which know no stick mode.
#include <gtest/gtest.h>

#include <cmath>

#include "bristle/model/lugre.hpp"
#include "bristle/model/stribeck.hpp"
#include "random_machines.hpp"
#include "sundials.hpp"

namespace bristle::matrix_test {
namespace {

using namespace testing_machines;

constexpr double end = 3.0;
constexpr int samples = 61;

Options options(int method) {
  Options o;
  o.end = end;
  o.samples = samples;
  o.method = method;
  o.tolerance = 1e-9;
  o.step = 2e-4;
  o.switch_band = 1e-7;
  o.switch_time = 1e-3;
  return o;
}

// The branch after a step: anew for the direction of the motion, or for a law that remembers from
// the branch before it.
Branch<> followed(const AnyLaw& law, double z, const Motion<double>& m, Branch<> branch) {
  const double direction = sign(m.velocity);
  if (!law.remembers() || direction != branch.direction) return law.engage(z, m, direction, branch);
  for (int i = 0; i < 100 && law.margin(z, m, branch) < 0.0; ++i) branch = law.crossed(branch);
  return branch;
}

// The positions of a law with a state, by the classical Runge-Kutta method.
std::vector<double> by_hand(const AnyLaw& law, const Plant& plant, int steps_per_sample) {
  using State = std::array<double, 4>;  // x, v, p, z
  const auto motion = [](double t, const State& y) { return Motion<double>{y[0], y[1], 1.0, t}; };
  Branch<> branch =
      law.engage(0.0, {}, sign(plant.acceleration(0, 0, 0, plant.first_third, 0)), {});
  const auto rates = [&](double t, const State& y) {
    const auto r = law.respond(y[3], motion(t, y), branch);
    return State{y[1], plant.acceleration(t, y[0], y[1], y[2], r.force), plant.third(t, y[2]),
                 r.rate};
  };
  const auto moved = [](State y, const State& k, double h) {
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * k[i];
    return y;
  };
  const auto stepped = [&](double t, State y, double h) {
    const State a = rates(t, y), b = rates(t + 0.5 * h, moved(y, a, 0.5 * h));
    const State c = rates(t + 0.5 * h, moved(y, b, 0.5 * h)), d = rates(t + h, moved(y, c, h));
    for (std::size_t k = 0; k < y.size(); ++k)
      y[k] += h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
    return y;
  };
  const auto after = [&](double t, const State& y) {
    return followed(law, y[3], motion(t, y), branch);
  };
  State y{0.0, 0.0, plant.first_third, 0.0};
  std::vector<double> positions{0.0};
  const double h = end / ((samples - 1) * steps_per_sample);
  for (int i = 1; i < samples; ++i) {
    double t = (i - 1) * end / (samples - 1);
    for (int j = 0; j < steps_per_sample; ++j) {
      const double next = (i - 1) * end / (samples - 1) + (j + 1) * h;
      for (int k = 0; k < 50 && t < next; ++k) {
        // A step in which the branch changes is cut just behind the change, by bisection.
        State there = stepped(t, y, next - t);
        double low = 0.0, high = next - t;
        if (after(next, there) != branch) {
          for (int n = 0; n < 40; ++n) {
            const double middle = 0.5 * (low + high);
            (after(t + middle, stepped(t, y, middle)) != branch ? high : low) = middle;
          }
          there = stepped(t, y, high);
        }
        t = high == next - t ? next : t + high;
        y = there;
        branch = after(t, y);
      }
    }
    positions.push_back(y[0]);
  }
  return positions;
}

// The largest difference, relative to the size of the motion; of a body that hardly moves, to the
// 20 mm that a force of 0.1 N stretches its spring.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0.0, size = 0.02;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    worst = std::max(worst, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i] - b[0]));
  }
  return worst / size;
}

template <class M>
std::string where(const AnyLaw& law, const M& mechanism, const Simulation& run) {
  std::string text = std::string(law.name()) + " on " + std::string(M::name) + " by " +
                     run.summary.method + ": " + run.summary.message + "\n";
  for (const auto& [key, value] : law.values())
    if (const auto* number = std::get_if<double>(&value))
      text += "  model." + key + " = " + words(*number) + "\n";
  for (const auto& [key, value] : values_of(mechanism))
    if (const auto* number = std::get_if<double>(&value))
      text += "  mechanism." + key + " = " + words(*number) + "\n";
  if constexpr (requires { mechanism.signal; }) {
    for (const auto& [key, value] : values_of(mechanism.signal))
      if (const auto* number = std::get_if<double>(&value))
        text += "  input." + key + " = " + words(*number) + "\n";
    text += "  input.shape = " + std::string(Signal::shapes[std::size_t(mechanism.signal.shape)]);
  }
  return text;
}

template <class Do>
void on_every_mechanism(std::uint64_t seed, const Do& look) {
  Random random(seed);
  std::apply(
      [&](auto... mechanism) {
        const auto one = [&](auto& m) {
          draw(random, m);
          look(m, random);
        };
        (one(mechanism), ...);
      },
      MovingMechanisms{});
}

// Whether the run was made as asked for; a method that does not support a mechanism says so.
template <class M>
bool simulated(const AnyLaw& law, const M& m, int method, Simulation& run) {
  const bool fixed = method == Options::coupled || method == Options::bristle_only;
  const bool lags = method == Options::bristle_only && M::size != 2 && !law.set_valued();
  if (lags || (fixed && (law.remembers() || law.lift()))) {
    EXPECT_THROW(simulate(law, m, options(method)), InvalidInput);
    return false;
  }
  run = simulate(law, m, options(method));
  // A body that its bristles lift beyond their reach ends its run there.
  const bool ended = law.lift() && run.summary.status == Status::out_of_range;
  EXPECT_TRUE(run.summary.ok() || ended) << where(law, m, run);
  EXPECT_GT(run.trajectory.size(), 5u);
  return true;
}

class Matrix : public testing::TestWithParam<std::string> {};

TEST_P(Matrix, EveryMethodFollowsIndependentEquationsInEveryMechanism) {
  BRISTLE_NEEDS_SUNDIALS();
  for (int draw_number = 0; draw_number < 3; ++draw_number) {
    on_every_mechanism(1000 + draw_number, [&](const auto& m, Random& random) {
      const auto law = random_law(GetParam(), random);
      Simulation run;
      if (!law->set_valued()) {
        const auto reference = by_hand(*law, plant_of(m), 500);
        for (const auto& [method, allowed] : {std::pair{int(Options::rosenbrock), 2e-5},
                                              {int(Options::cvode), 1e-4},
                                              {int(Options::coupled), 5e-3},
                                              {int(Options::bristle_only), 2e-2}})
          if (simulated(*law, m, method, run)) {
            EXPECT_LT(distance(run.trajectory.position, reference), allowed) << where(*law, m, run);
          }
        return;
      }
      if (law->lift() && std::is_same_v<std::remove_cvref_t<decltype(m)>, Pendulum>) {
        EXPECT_THROW(simulate(*law, m, options(Options::switch_model)), InvalidInput);
        return;
      }
      const auto switched = simulate(*law, m, options(Options::switch_model));
      ASSERT_TRUE(switched.summary.ok()) << where(*law, m, switched);
      for (const auto& [method, allowed] : {std::pair{int(Options::rosenbrock), 1e-4},
                                            {int(Options::cvode), 1e-4},
                                            {int(Options::coupled), 5e-3}})
        if (simulated(*law, m, method, run)) {
          EXPECT_LT(distance(run.trajectory.position, switched.trajectory.position), allowed)
              << where(*law, m, run);
        }
    });
  }
}

std::vector<std::string> law_names() {
  std::vector<std::string> all;
  for (const auto& law : laws())
    if (law.single) all.push_back(law.description.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Laws, Matrix, testing::ValuesIn(law_names()),
                         [](const auto& info) { return info.param; });

// Bristles so stiff that their deflection does not matter beside the motion.
TEST(StiffLimit, SetValuedLawsAreTheLimitOfStiffBristlesInEveryMechanism) {
  BRISTLE_NEEDS_SUNDIALS();
  for (int draw_number = 0; draw_number < 4; ++draw_number) {
    on_every_mechanism(2000 + draw_number, [&](const auto& m, Random& random) {
      Stribeck<> rigid;
      rigid.coulomb_force = between(random, 0.5, 1.0);
      rigid.static_force = rigid.coulomb_force * between(random, 1.0, 1.5);
      rigid.stribeck_velocity = between(random, 0.02, 0.2);
      rigid.viscous = between(random, 0.0, 0.2);
      LuGre<> stiff;
      stiff.coulomb_force = rigid.coulomb_force;
      stiff.static_force = rigid.static_force;
      stiff.stribeck_velocity = rigid.stribeck_velocity;
      stiff.viscous = rigid.viscous;
      // The difference to the limit falls with the root of the stiffness, here to some 1e-6 to
      // 6e-5.
      stiff.stiffness = 1e10;
      stiff.damping = 3e4;
      const auto bristles = simulate(stiff, m, options(Options::rosenbrock));
      ASSERT_TRUE(bristles.summary.ok()) << bristles.summary.message;
      const auto law = erase(rigid);
      Simulation run;
      for (const auto& [method, allowed] : {std::pair{int(Options::rosenbrock), 1e-4},
                                            {int(Options::cvode), 1e-4},
                                            {int(Options::coupled), 5e-3}})
        if (simulated(*law, m, method, run)) {
          EXPECT_LT(distance(run.trajectory.position, bristles.trajectory.position), allowed)
              << where(*law, m, run);
        }
    });
  }
}

// Given motion leaves nothing to the solver but the state and the branch of the law.
TEST_P(Matrix, GivenMotionMeetsTheForceOfTheLawByEveryMethod) {
  BRISTLE_NEEDS_SUNDIALS();
  Random random(3000);
  for (int draw_number = 0; draw_number < 3; ++draw_number) {
    const auto law = random_law(GetParam(), random);
    PrescribedMotion m;
    m.signal = random_signal(random, 0.0, 0.02, 2.0);
    if (law->lift()) {
      EXPECT_THROW(simulate(*law, m, options(Options::rosenbrock)), InvalidInput);
      continue;
    }
    Options fine = options(Options::rosenbrock);
    const auto run = simulate(*law, m, fine);
    const auto second = simulate(*law, m, options(Options::cvode));
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    ASSERT_TRUE(second.summary.ok()) << second.summary.message;
    EXPECT_LT(distance(second.trajectory.force, run.trajectory.force), 1e-4)
        << where(*law, m, second);
    // The state along the motion, by Runge-Kutta; the force of the law there.
    const auto motion = [&](double t) {
      return Motion<double>{wave(m.signal, t),
                            (wave(m.signal, t + 1e-6) - wave(m.signal, t - 1e-6)) / 2e-6, 1.0, t};
    };
    const auto forces = [&](double h) {
      std::vector<double> all;
      double z = 0.0;
      Branch<> branch = law->engage(0.0, motion(0.0), sign(motion(0.0).velocity), {});
      const auto respond = [&](double t, double state) {
        const auto at = motion(t);
        return law->respond(
            state, at, law->remembers() ? branch : law->engage(state, at, sign(at.velocity), {}));
      };
      long n = 0;
      for (const double t : run.trajectory.time) {
        for (; double(n + 1) * h <= t + 1e-9; ++n) {
          const double from = double(n) * h, a = respond(from, z).rate,
                       b = respond(from + 0.5 * h, z + 0.5 * h * a).rate,
                       c = respond(from + 0.5 * h, z + 0.5 * h * b).rate,
                       d = respond(from + h, z + h * c).rate;
          z += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
          branch = followed(*law, z, motion(from + h), branch);
        }
        all.push_back(respond(t, z).force);
      }
      return all;
    };
    const auto reference = forces(1e-5);
    const double own_error = 2.0 * distance(forces(2e-5), reference);
    EXPECT_LT(own_error, 5e-3) << where(*law, m, run);
    EXPECT_LT(distance(run.trajectory.force, reference), 2e-5 + own_error) << where(*law, m, run);
  }
}

}  // namespace
}  // namespace bristle::matrix_test
