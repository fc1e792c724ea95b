// SPDX-License-Identifier: MIT
// Draws from the posterior of a fit: as another sampler finds it, and what bands of them cover.
#include <gtest/gtest.h>

#include "bristle/ensemble/random.hpp"
#include "bristle/io/fit_part.hpp"
#include "bristle/model/lugre.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/model/stribeck.hpp"
#include "identify/simulated.hpp"

namespace bristle::io::posterior_test {
namespace {

std::vector<double> normals_of(std::uint64_t draw, std::size_t count) {
  std::vector<double> all;
  for (std::size_t k = 0; k < count; ++k)
    all.push_back(normal_quantile(random_uniform(5, RandomStream::draws, draw, std::uint32_t(k))));
  return all;
}

// The data of oracle/posterior.py: noise by Box and Muller from a linear congruence.
Record steady_forces() {
  Record r{.name = "map"};
  for (int k = 1; k <= 200; ++k)
    for (const double side : {1.0, -1.0}) r.velocity.push_back(side * 1e-4 * std::pow(1.03, k));
  const Stribeck<> law{
      .coulomb_force = 1.0, .static_force = 1.5, .stribeck_velocity = 0.002, .viscous = 4.0};
  test::add_force(r, law, true);
  std::uint64_t state = 1;
  const auto unit = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double(state >> 11) + 0.5) * 0x1p-53;
  };
  for (double& f : r.force) {
    const double radius = std::sqrt(-2.0 * std::log(unit()));
    f += 0.002 * radius * std::cos(2.0 * M_PI * unit());
  }
  return r;
}

TEST(Posterior, DrawsAgreeWithAnEnsembleSampler) {
  const auto f = fit("stribeck", {prepare(steady_forces(), {.steady = true})}, {.steady = true});
  ASSERT_TRUE(f.converged());
  const Part part = part_of(f, {});
  constexpr int count = 20000;
  std::map<std::string, double> mean, deviation;
  double product = 0.0;
  std::vector<std::vector<double>> draws;
  for (int k = 0; k < count; ++k) draws.push_back(part.draw(normals_of(k, part.fitted().size())));
  for (std::size_t i = 0; i < part.parameters.size(); ++i) {
    const std::string& name = part.parameters[i].name;
    for (const auto& d : draws) mean[name] += d[i] / count;
    for (const auto& d : draws) deviation[name] += std::pow(d[i] - mean[name], 2) / count;
    deviation[name] = std::sqrt(deviation[name]);
  }
  const auto at = [&](const char* name) {
    return std::size_t(part.find(name) - part.parameters.data());
  };
  for (const auto& d : draws)
    product += (d[at("coulomb_force")] - mean["coulomb_force"]) *
               (d[at("viscous")] - mean["viscous"]) / count;
  // Within the errors of the sampler (five standard errors) and three of these 20000 draws.
  const auto agree = [&](const char* name, double oracle_mean, double mean_error,
                         double oracle_deviation, double deviation_error) {
    const double own = 3.0 * oracle_deviation / std::sqrt(double(count));
    EXPECT_NEAR(mean[name], oracle_mean, mean_error + own) << name;
    EXPECT_NEAR(deviation[name], oracle_deviation, deviation_error + own) << name;
  };
  // oracle: posterior.stribeck.coulomb_force.mean .deviation
  agree("coulomb_force", 0.9997511, 9.2e-6, 0.00029286, 6.5e-6);
  // oracle: posterior.stribeck.static_force.mean .deviation
  agree("static_force", 1.4997951, 5.7e-6, 0.00018189, 4.1e-6);
  // oracle: posterior.stribeck.stribeck_velocity.mean .deviation
  agree("stribeck_velocity", 0.0020001034, 5.9e-8, 1.8922e-6, 4.2e-8);
  // oracle: posterior.stribeck.viscous.mean .deviation
  agree("viscous", 4.020534, 5.3e-4, 0.0170145, 3.8e-4);
  // oracle: posterior.stribeck.correlation
  EXPECT_NEAR(product / (deviation["coulomb_force"] * deviation["viscous"]), -0.83844, 0.016);
}

// Of 300 fits, each of other noise, the band of 95 % of the draws has the true force inside at nine
// instants of a motion that was not fitted. Were they independent, 95 % of 2700 would be 93.7 to
// 96.3 % (three standard deviations); those of one fit are not, hence 93 to 97 %.
TEST(Posterior, BandsOf95PercentCoverTheTruthIn93To97Percent) {
  const LuGre<> law{.stiffness = 1e4,
                    .damping = 30.0,
                    .viscous = 4.0,
                    .coulomb_force = 1.0,
                    .static_force = 1.5,
                    .stribeck_velocity = 0.002};
  Record data = test::motion({.duration = 2.0});
  test::add_force(data, law);
  Record other = test::motion({.duration = 0.2, .slow = 5e-4, .slow_rate = 31.0, .fast_rate = 7.0});
  test::add_force(other, law);
  const std::vector<double> truth = other.force;
  constexpr int fits = 300, draws = 200;
  long inside = 0, looked = 0;
  for (unsigned k = 0; k < fits; ++k) {
    FitOptions o{.starts = 0, .threads = 1, .profiles = false, .forms = false};
    o.guess = test::truth(law);
    const auto f = fit("lugre", {prepare(test::noisy(data, 0.02, 7000 + k))}, o);
    ASSERT_TRUE(f.converged()) << k << ": " << f.message;
    const Part part = part_of(f, {});
    const auto at = [&](const char* name) {
      return std::size_t(part.find(name) - part.parameters.data());
    };
    std::vector<std::vector<double>> forces(truth.size());
    for (int d = 0; d < draws; ++d) {
      const auto p = part.draw(normals_of(std::uint64_t(k) * draws + d, part.fitted().size()));
      const LuGre<> drawn{.stiffness = p[at("stiffness")],
                          .damping = p[at("damping")],
                          .viscous = p[at("viscous")],
                          .coulomb_force = p[at("coulomb_force")],
                          .static_force = p[at("static_force")],
                          .stribeck_velocity = p[at("stribeck_velocity")]};
      test::add_force(other, drawn);
      for (std::size_t i = 0; i < truth.size(); ++i) forces[i].push_back(other.force[i]);
    }
    for (std::size_t i = 10; i < truth.size(); i += 10, ++looked) {
      std::sort(forces[i].begin(), forces[i].end());
      inside += truth[i] >= forces[i][draws / 40] && truth[i] <= forces[i][draws - 1 - draws / 40];
    }
  }
  const double part = double(inside) / double(looked);
  RecordProperty("coverage", std::to_string(part));
  EXPECT_GE(part, 0.93);
  EXPECT_LE(part, 0.97);
}

}  // namespace
}  // namespace bristle::io::posterior_test
