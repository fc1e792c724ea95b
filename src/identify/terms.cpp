// SPDX-License-Identifier: MIT
#include "bristle/identify/terms.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/identify/fit.hpp"
#include "bristle/identify/smooth_motion.hpp"
#include "bristle/model/registry.hpp"

namespace bristle {
namespace {

constexpr double standard_gravity = 9.80665;

// One term: its name, its unit in translation and rotation, and its number for a sample.
struct Kind {
  const char *name, *straight, *turning, *meaning;
  double (*number)(const Sample& s, double acceleration);
};
constexpr Kind kinds[]{
    {"inertia", "kg", "kg m2", "mass or moment of inertia that is accelerated",
     [](const Sample&, double a) { return a; }},
    {"gravity_sine", "", "N m", "torque of the weight in proportion to the sine of the angle",
     [](const Sample& s, double) { return std::sin(s.position); }},
    {"gravity_cosine", "", "N m", "torque of the weight in proportion to the cosine of the angle",
     [](const Sample& s, double) { return std::cos(s.position); }},
    {"viscous_term", "N s/m", "N m s/rad", "viscous friction beside the law",
     [](const Sample& s, double) { return s.velocity; }},
    {"payload_inertia", "kg/kg", "kg m2/kg", "moment of inertia per mass of the payload",
     [](const Sample& s, double a) { return s.load / standard_gravity * a; }},
    {"payload_sine", "", "N m/N", "lever of the payload, part of the sine of the angle",
     [](const Sample& s, double) { return s.load * std::sin(s.position); }},
    {"payload_cosine", "", "N m/N", "lever of the payload, part of the cosine of the angle",
     [](const Sample& s, double) { return s.load * std::cos(s.position); }}};

const Kind& kind_of(const std::string& name) {
  return *std::find_if(std::begin(kinds), std::end(kinds),
                       [&](const Kind& k) { return name == k.name; });
}

std::vector<double> acceleration_of(const Track& run) {
  std::vector<double> time, velocity, steps;
  for (const Sample& s : run.samples) {
    time.push_back(s.time), velocity.push_back(s.velocity);
    if (s.step > 0.0) steps.push_back(s.step);
  }
  if (run.exact || (run.filter.used && run.window > 0.0)) return exact_slope(time, velocity);
  const auto middle = steps.begin() + long(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return smooth_slope(time, velocity, run.window > 0.0 ? run.window : 4.5 * *middle);
}

double sign_of(double v) { return v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0; }

// The factors of the terms, of a constant and of the sign of the velocity, by linear regression.
std::vector<double> regression(const FitProblem& problem) {
  const int terms = problem.terms, n = terms + 2;
  std::vector<double> a(std::size_t(n * n), 0.0), b(std::size_t(n), 0.0), row(std::size_t(n), 1.0);
  for (const Track& run : problem.runs)
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      const Sample& s = run.samples[i];
      if (s.weight == 0.0) continue;
      std::copy_n(run.terms.begin() + long(i) * terms, terms, row.begin());
      row[std::size_t(terms) + 1] = sign_of(s.velocity);
      for (int j = 0; j < n; ++j) {
        b[std::size_t(j)] += row[std::size_t(j)] * s.force;
        for (int k = 0; k < n; ++k)
          a[std::size_t(j * n + k)] += row[std::size_t(j)] * row[std::size_t(k)];
      }
    }
  if (!solve_symmetric(a, b))
    throw InvalidInput(
        "terms",
        "the terms cannot be distinguished on this motion: it must accelerate, reverse "
        "and cover different angles, or fewer terms be fitted");
  return b;
}

}  // namespace

void refresh_terms(const FitSetup& problem, Track& run) {
  if (problem.terms == 0) return;
  const auto acceleration = acceleration_of(run);
  run.terms.assign(run.samples.size() * std::size_t(problem.terms), 0.0);
  for (const FitParameter& p : problem.parameters) {
    if (p.term < 0) continue;
    const Kind& kind = kind_of(p.name);
    for (std::size_t i = 0; i < run.samples.size(); ++i)
      run.terms[i * std::size_t(problem.terms) + std::size_t(p.term)] =
          kind.number(run.samples[i], acceleration[i]);
  }
}

void add_terms(FitProblem& problem, const FitOptions& options) {
  const TermOptions& t = options.terms;
  if (!t.any()) return;
  const bool turns = options.units.way == "rad";
  if (options.steady)
    throw InvalidInput("terms", "a steady map has no acceleration and no angles to fit terms to");
  for (const Track& run : problem.runs)
    if (!run.timed) throw InvalidInput("terms", "the terms need a column of time");
  if (t.gravity && !turns)
    throw InvalidInput("terms",
                       "gravity: the motion is a translation, whose weight is a constant: take "
                       "offset in its place");
  for (const FieldInfo& field : find_law(problem.law).description.fields)
    if (t.viscous && field.name == "viscous")
      throw InvalidInput(
          "terms", "viscous: " + problem.law + " has a viscous part of its own, which is fitted");
  if (t.payload && scales_of(problem.runs).load_spread < 0.01)
    throw InvalidInput("load",
                       "the payload is the same throughout: it is part of inertia and gravity");
  const auto add = [&](const char* name) {
    const Kind& kind = kind_of(name);
    FitParameter p{kind.name, turns ? kind.turning : kind.straight};
    p.meaning = kind.meaning, p.free = true, p.term = problem.terms++;
    problem.parameters.push_back(p);
  };
  if (t.inertia) add("inertia");
  if (t.gravity) add("gravity_sine"), add("gravity_cosine");
  if (t.viscous) add("viscous_term");
  if (t.payload && t.inertia) add("payload_inertia");
  if (t.payload && t.gravity) add("payload_sine"), add("payload_cosine");
  problem.field_of.resize(problem.parameters.size(), -1);
  for (Track& run : problem.runs) refresh_terms(problem, run);

  // Starts lie around the regression; the bounds are far beyond what the forces allow.
  const auto found = regression(problem);
  for (FitParameter& p : problem.parameters) {
    if (p.term < 0) continue;
    double squares = 0.0, forces = 0.0;
    for (const Track& run : problem.runs)
      for (std::size_t i = 0; i < run.samples.size(); ++i) {
        const double x = run.terms[i * std::size_t(problem.terms) + std::size_t(p.term)];
        squares += x * x, forces += run.samples[i].force * run.samples[i].force;
      }
    const double size = squares > 0.0 ? std::sqrt(forces / squares) : 1.0;
    p.value = found[std::size_t(p.term)];
    p.lower = -100.0 * size - std::abs(p.value), p.upper = -p.lower;
    p.search_from = p.value - 0.2 * std::abs(p.value),
    p.search_to = p.value + 0.2 * std::abs(p.value);
    // A start from zero up would be drawn over decades.
    if (p.search_from == 0.0) p.search_from = -1e-6 * size, p.search_to = 1e-6 * size;
  }
}

std::vector<std::vector<double>> mechanics_alone(const FitProblem& problem) {
  const auto factors = regression(problem);
  std::vector<std::vector<double>> all;
  const std::size_t terms = std::size_t(problem.terms);
  for (const Track& run : problem.runs) {
    all.emplace_back();
    for (std::size_t i = 0; i < run.samples.size(); ++i) {
      double sum = factors[terms] + factors[terms + 1] * sign_of(run.samples[i].velocity);
      for (std::size_t k = 0; k < terms; ++k) sum += factors[k] * run.terms[i * terms + k];
      all.back().push_back(sum);
    }
  }
  return all;
}

GravityTerm gravity_of(const FitSummary& fit) {
  GravityTerm g;
  const FittedParameter *sine = nullptr, *cosine = nullptr;
  for (const auto& p : fit.parameters) {
    if (p.name == "gravity_sine") sine = &p;
    if (p.name == "gravity_cosine") cosine = &p;
  }
  if (!sine || !cosine) return g;
  const std::size_t n = fit.unknowns.size();
  const auto place = [&](const char* name) {
    return std::size_t(std::find(fit.unknowns.begin(), fit.unknowns.end(), name) -
                       fit.unknowns.begin());
  };
  const double a = sine->value, b = cosine->value, sa = sine->deviation, sb = cosine->deviation;
  const double rho = fit.correlation[place("gravity_sine") * n + place("gravity_cosine")];
  g.there = true, g.torque = std::hypot(a, b), g.angle = std::atan2(b, a);
  if (!(g.torque > 0.0)) return g;
  const double c = a / g.torque, s = b / g.torque;
  g.torque_deviation = std::sqrt(c * c * sa * sa + s * s * sb * sb + 2.0 * c * s * rho * sa * sb);
  g.angle_deviation =
      std::sqrt(s * s * sa * sa + c * c * sb * sb - 2.0 * c * s * rho * sa * sb) / g.torque;
  return g;
}

}  // namespace bristle
