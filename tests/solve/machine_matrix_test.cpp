// SPDX-License-Identifier: MIT
// Every law on every named mechanism, written out as a machine, against the engine for one body;
// and random machines of several bodies and contacts against time stepping without events.
#include <gtest/gtest.h>

#include "bristle/machine/short_forms.hpp"
#include "bristle/solve/machine_run.hpp"
#include "solve/coupled_step.hpp"
#include "solve/random_machines.hpp"

namespace bristle::machine_matrix_test {
namespace {

using namespace testing_machines;

template <class M>
void compare(const std::string& name, Random& random) {
  M mechanism{};
  draw(random, mechanism);
  const auto law = random_law(name, random);
  Options o;
  o.end = 6.0;
  o.samples = 61.0;
  o.tolerance = 1e-9;
  const auto want = simulate(*law, mechanism, o);
  const auto got = simulate(Machine(parts_of(mechanism, law)), o);
  SCOPED_TRACE(name + " on " + std::string(M::name));
  ASSERT_TRUE(want.summary.ok()) << want.summary.message;
  ASSERT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
  double size = 0.0, off = 0.0, force_size = 0.0, force_off = 0.0, apart = 0.0;
  for (std::size_t i = 0; i < want.trajectory.size(); ++i) {
    double x = got["body.position"][i];
    if constexpr (std::is_same_v<M, BaseExcitedMass>) x -= got["base.position"][i];
    size = std::max(size, std::abs(want.trajectory.position[i]));
    off = std::max(off, std::abs(x - want.trajectory.position[i]));
    force_size = std::max(force_size, std::abs(want.trajectory.force[i]));
    force_off += std::abs(got["contact.force"][i] - want.trajectory.force[i]);
    apart += std::abs(got["contact.mode"][i] - want.trajectory.mode[i]);
  }
  EXPECT_LT(off, 2e-6 * size);
  EXPECT_GT(size, 1e-4);
  // Forces and modes jump, so a sample beside an event may differ.
  EXPECT_LT(force_off, 0.5 * force_size);
  EXPECT_LE(apart, 2.0);
}

TEST(MachineMatrix, EveryLawOnEveryMechanismMovesAsWithTheEngineForOneBody) {
  Random random(20261117);
  for (const auto& entry : laws()) {
    const std::string& name = entry.description.name;
    if (!entry.single || gentle_law(name)->lift()) continue;
    compare<DraggedMass>(name, random);
    compare<WallSpringMass>(name, random);
    compare<BaseExcitedMass>(name, random);
    compare<Pendulum>(name, random);
    compare<DiaphragmValve>(name, random);
  }
}

// The positions of a body at every hundredth of 3000 steps of 1 ms.
template <bool SetValued, class M>
std::vector<double> stepped(const M& mechanism, const AnyLaw& law) {
  CoupledStep<M, LawRef<SetValued>> method(mechanism, LawRef<SetValued>{law});
  typename System<M, LawRef<SetValued>>::State y{};
  std::vector<double> position{0.0};
  for (int n = 0; n < 3000; ++n) {
    method.step(n * 1e-3, 1e-3, y);
    if (n % 100 == 99) position.push_back(y[0]);
  }
  return position;
}

// The fixed step of machines against that of one body (coupled_step.hpp), which shares none of its
// code: the same method has the same numbers.
template <class M>
void compare_steps(const std::string& name, Random& random) {
  M mechanism{};
  draw(random, mechanism);
  const auto law = random_law(name, random);
  Options o;
  o.end = 3.0;
  o.samples = 31.0;
  o.method = Options::coupled;
  o.step = 1e-3;
  const auto want =
      law->set_valued() ? stepped<true>(mechanism, *law) : stepped<false>(mechanism, *law);
  const auto got = simulate(*law, mechanism, o);
  SCOPED_TRACE(name + " on " + std::string(M::name));
  ASSERT_TRUE(got.summary.ok()) << got.summary.message;
  EXPECT_TRUE(got.summary.ledger.closes) << got.summary.message;
  ASSERT_EQ(got.trajectory.size(), want.size());
  double size = 0.0, off = 0.0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    size = std::max(size, std::abs(want[i]));
    off = std::max(off, std::abs(got.trajectory.position[i] - want[i]));
  }
  EXPECT_GT(size, 1e-4);
  EXPECT_LT(off, 1e-10 * size);
}

TEST(MachineMatrix, FixedStepsOfEveryLawAreThoseOfOneBody) {
  Random random(20261118);
  for (const auto& entry : laws()) {
    const std::string& name = entry.description.name;
    if (!entry.single || gentle_law(name)->lift() || gentle_law(name)->remembers()) continue;
    compare_steps<DraggedMass>(name, random);
    compare_steps<WallSpringMass>(name, random);
    compare_steps<Pendulum>(name, random);
  }
}

// Bodies in a row with springs, Coulomb contacts to the ground and between neighbours.
struct Stack {
  std::vector<double> mass, spring, ground_force, mutual_force, push, pace;
};

Stack random_stack(int n, Random& random) {
  Stack s;
  for (int i = 0; i < n; ++i) {
    s.mass.push_back(near(random, 1.0));
    s.spring.push_back(near(random, 8.0));
    s.ground_force.push_back(between(random, 0.0, 1.0) < 0.6 ? near(random, 0.5) : 0.0);
    s.mutual_force.push_back(i > 0 && between(random, 0.0, 1.0) < 0.6 ? near(random, 0.5) : 0.0);
    s.push.push_back(near(random, 2.0));
    s.pace.push_back(near(random, 1.5));
  }
  return s;
}

Machine machine_of(const Stack& s) {
  MachineParts p;
  for (std::size_t i = 0; i < s.mass.size(); ++i) {
    const std::string name = "b" + std::to_string(i), number = std::to_string(i);
    p.bodies.push_back({name, {.inertia = s.mass[i]}});
    p.couplings.push_back({"k" + number,
                           {name, i == 0 ? "ground" : "b" + std::to_string(i - 1)},
                           couple(SpringDamper{s.spring[i]})});
    const auto rub = [&](const std::string& who, const std::string& other, double force) {
      if (force > 0.0)
        p.contacts.push_back(
            {who, bristle::between(name, other), make_law("coulomb", {{"coulomb_force", force}})});
    };
    rub("g" + number, "ground", s.ground_force[i]);
    if (i > 0) rub("m" + number, "b" + std::to_string(i - 1), s.mutual_force[i]);
    Signal force;
    force.amplitude = s.push[i];
    force.frequency = s.pace[i];
    p.inputs.push_back({"f" + number, name, force});
  }
  return Machine(p);
}

// Moreau's time stepping: velocities and friction impulses of one step, contact after contact until
// nothing changes. It knows no events and converges with the first power of the step.
std::vector<double> by_time_stepping(const Stack& s, double end, double h) {
  const std::size_t n = s.mass.size();
  std::vector<double> x(n, 0.0), v(n, 0.0), ground(n, 0.0), mutual(n, 0.0), f(n);
  const auto count = std::size_t(std::lround(end / h));
  for (std::size_t k = 0; k < count; ++k) {
    const double t = (double(k) + 0.5) * h;
    for (std::size_t i = 0; i < n; ++i) x[i] += 0.5 * h * v[i];
    for (std::size_t i = 0; i < n; ++i) {
      f[i] = s.push[i] * std::sin(s.pace[i] * t);
      f[i] -= s.spring[i] * (x[i] - (i > 0 ? x[i - 1] : 0.0));
      if (i + 1 < n) f[i] += s.spring[i + 1] * (x[i + 1] - x[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      v[i] += h * (f[i] - ground[i] - mutual[i] + (i + 1 < n ? mutual[i + 1] : 0.0)) / s.mass[i];
    }
    for (int sweep = 0; sweep < 200; ++sweep) {
      double change = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        const double g =
            std::clamp(ground[i] + v[i] * s.mass[i] / h, -s.ground_force[i], s.ground_force[i]);
        v[i] -= h * (g - ground[i]) / s.mass[i];
        change += std::abs(g - ground[i]);
        ground[i] = g;
        if (i == 0) continue;
        const double both = 1.0 / s.mass[i] + 1.0 / s.mass[i - 1];
        const double m = std::clamp(mutual[i] + (v[i] - v[i - 1]) / (h * both), -s.mutual_force[i],
                                    s.mutual_force[i]);
        v[i] -= h * (m - mutual[i]) / s.mass[i];
        v[i - 1] += h * (m - mutual[i]) / s.mass[i - 1];
        change += std::abs(m - mutual[i]);
        mutual[i] = m;
      }
      if (change < 1e-13) break;
    }
    for (std::size_t i = 0; i < n; ++i) x[i] += 0.5 * h * v[i];
  }
  return x;
}

TEST(MachineMatrix, RandomStacksMoveAsByTimeSteppingWithoutEvents) {
  Random random(4711);
  Options o;
  o.end = 4.0;
  o.samples = 401.0;
  o.tolerance = 1e-8;
  for (int k = 0; k < 30; ++k) {
    const int n = 2 + k % 4;
    const Stack s = random_stack(n, random);
    const Machine machine = machine_of(s);
    const auto run = simulate(machine, o);
    SCOPED_TRACE(k);
    ASSERT_TRUE(run.summary.ok()) << run.summary.message;
    EXPECT_LT(run.summary.ledger.relative_error, 1e-6);
    const auto coarse = by_time_stepping(s, o.end, 4e-4), fine = by_time_stepping(s, o.end, 2e-4);
    for (int i = 0; i < n; ++i) {
      const double x = run["b" + std::to_string(i) + ".position"].back();
      const double limit = 2.0 * fine[std::size_t(i)] - coarse[std::size_t(i)];
      EXPECT_NEAR(x, limit, 3e-4) << i;
    }
    for (std::size_t i = 0; i < run["time"].size(); ++i)
      for (const auto& contact : machine.parts().contacts)
        if (run[contact.name + ".mode"][i] == 0.0) {
          const double a = run[contact.path.of[0].first + ".velocity"][i];
          const std::string& other = contact.path.of[1].first;
          const double b = other == "ground" ? 0.0 : run[other + ".velocity"][i];
          ASSERT_EQ(a, b) << contact.name;
        }
  }
}

}  // namespace
}  // namespace bristle::machine_matrix_test
