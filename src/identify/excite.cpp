// SPDX-License-Identifier: MIT
#include "bristle/identify/excite.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bristle/model/registry.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;

Record motion_of(const std::vector<Sine>& sines, const ExciteOptions& o) {
  Record r{.name = "excitation"};
  const auto n = std::size_t(o.duration * o.rate) + 1;
  StopLook stop;
  for (std::size_t i = 0; i < n; ++i) {
    stop();
    const double t = double(i) / o.rate;
    double x = 0.0, v = 0.0;
    for (const Sine& s : sines) {
      const double w = turn * s.frequency;
      x += s.amplitude * std::sin(w * t + s.phase);
      v += s.amplitude * w * std::cos(w * t + s.phase);
    }
    r.time.push_back(t);
    r.position.push_back(x);
    r.velocity.push_back(v);
  }
  r.load.assign(n, o.load);
  r.force.assign(n, 0.0);
  r.force.front() = 1.0;  // forces that all are equal would be refused
  return r;
}

// Scales the sines into the limits.
void confine(std::vector<Sine>& sines, const ExciteOptions& o) {
  const Record r = motion_of(sines, o);
  double x = 0.0, v = 0.0, a = 0.0;
  StopLook stop;
  for (std::size_t i = 0; i < r.time.size(); ++i) {
    stop();
    x = std::max(x, std::abs(r.position[i]));
    v = std::max(v, std::abs(r.velocity[i]));
    double now = 0.0;
    for (const Sine& s : sines) {
      const double w = turn * s.frequency;
      now -= s.amplitude * w * w * std::sin(w * r.time[i] + s.phase);
    }
    a = std::max(a, std::abs(now));
  }
  double factor = std::min(o.stroke / x, o.speed / v);
  if (o.acceleration > 0.0) factor = std::min(factor, o.acceleration / a);
  for (Sine& s : sines) s.amplitude *= factor;
}

struct Information {
  double log_determinant = -INFINITY;
  std::vector<double> deviations;
};

class Design {
 public:
  Design(std::string_view law, const ExciteOptions& o) : law_(law), o_(o) {
    const Description& d = find_law(law).description;
    refuse_unknown(d, o.values);
    for (const auto& field : d.fields)
      if (!field.choices.empty() || o.fixed.contains(field.name) || field.held) {
        const auto given = o.values.find(field.name);
        if (given != o.values.end()) options_.values[field.name] = given->second;
        else if (field.choices.empty()) options_.values[field.name] = field.default_value;
      } else if (const auto given = o.values.find(field.name); given != o.values.end()) {
        options_.guess[field.name] = checked(law, field, given->second);
      }
    force_ = make_law(law, o.values)->force_scale(o.load);
  }

  FitProblem problem(const std::vector<Sine>& sines) const {
    FitProblem p = make_problem(law_, {prepare(motion_of(sines, o_))}, options_);
    for (FitParameter& q : p.parameters) {
      // In absolute terms, whatever the search would use.
      q.above = -1;
      q.logarithmic = false;
    }
    p.free_start = false;
    return p;
  }

  Information look(const std::vector<Sine>& sines) const {
    const FitProblem p = problem(sines);
    NormalEquations e;
    fit_cost(p, p.start(), &e);
    Information info;
    const auto shared = p.shared();
    const int n = e.n;
    std::vector<double> a(std::size_t(n * n));
    const auto size = [&](int i) {
      const double value = std::abs(p.parameters[std::size_t(shared[std::size_t(i)])].value);
      return value > 0.0 ? value : force_ / o_.speed;
    };
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        a[std::size_t(i * n + j)] = e.at(i, j) * size(i) * size(j) / (o_.noise * o_.noise);
    std::vector<std::string> names;
    std::vector<double> sizes;
    for (int i = 0; i < n; ++i) {
      names.push_back(p.parameters[std::size_t(shared[std::size_t(i)])].name);
      sizes.push_back(size(i));
    }
    add_known(names, sizes, a);
    const EigenPairs pairs = symmetric_eigen(a, n);
    info.log_determinant = 0.0;
    for (const double v : pairs.values) info.log_determinant += std::log(std::max(v, 1e-12));
    for (int i = 0; i < n; ++i) {
      double variance = 0.0;
      for (int k = 0; k < n; ++k) {
        const double x = pairs.vectors[std::size_t(k * n + i)];
        variance += x * x / std::max(pairs.values[std::size_t(k)], 1e-12);
      }
      info.deviations.push_back(std::sqrt(variance));
    }
    return info;
  }

 private:
  // Adds the inverse of what is known before, in relative terms. It is inverted as deviations and
  // correlations, so that one that is hardly known does not hide the others.
  void add_known(const std::vector<std::string>& names, const std::vector<double>& sizes,
                 std::vector<double>& information) const {
    const std::size_t all = o_.known.size();
    std::vector<std::pair<std::size_t, std::size_t>> both;  // here and there
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t k = 0; k < all; ++k)
        if (names[i] == o_.known[k] && o_.covariance[k * all + k] > 0.0) both.emplace_back(i, k);
    const std::size_t m = both.size();
    std::vector<double> correlation(m * m), deviation(m);
    for (std::size_t i = 0; i < m; ++i)
      deviation[i] = std::sqrt(o_.covariance[both[i].second * (all + 1)]);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j)
        correlation[i * m + j] =
            o_.covariance[both[i].second * all + both[j].second] / deviation[i] / deviation[j];
    const EigenPairs pairs = symmetric_eigen(correlation, int(m));
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        double inverse = 0.0;
        for (std::size_t k = 0; k < m; ++k)
          inverse += pairs.vectors[k * m + i] * pairs.vectors[k * m + j] /
                     std::max(pairs.values[k], 1e-12);
        const std::size_t a = both[i].first, b = both[j].first;
        information[a * names.size() + b] +=
            inverse * sizes[a] / deviation[i] * sizes[b] / deviation[j];
      }
  }

  std::string law_;
  ExciteOptions o_;
  FitOptions options_;
  double force_ = 1.0;
};

void check(const ExciteOptions& o) {
  const auto need = [](bool good, const char* name, double value, const char* unit,
                       const char* what) {
    if (!good)
      throw InvalidInput(name, std::string(name) + " = " + words(value) + " " + unit +
                                   " is not allowed, it must be " + what);
  };
  need(o.stroke > 0.0, "stroke", o.stroke, "m", "greater than 0 m");
  need(o.speed > 0.0, "speed", o.speed, "m/s", "greater than 0 m/s");
  need(o.duration > 0.0, "duration", o.duration, "s", "greater than 0 s");
  need(o.rate > 0.0, "rate", o.rate, "Hz", "greater than 0 Hz");
  if (const double count = o.rate * o.duration; !(count >= 50.0 && count <= 1e6))
    throw InvalidInput("rate", "rate = " + words(o.rate) +
                                   " Hz and duration = " + words(o.duration) + " s give " +
                                   words(count) + " samples, there must be 50 to 1000000");
  need(o.acceleration >= 0.0, "acceleration", o.acceleration, "m/s2",
       "at least 0 m/s2, which is no limit");
  need(o.load > 0.0, "load", o.load, "N", "greater than 0 N");
  need(o.noise > 0.0, "noise", o.noise, "N", "greater than 0 N");
  if (o.covariance.size() != o.known.size() * o.known.size())
    throw InvalidInput("covariance", "covariance must have a row and a column for each of the " +
                                         std::to_string(o.known.size()) + " parameters known");
  need(o.sines >= 1 && o.sines <= 8, "sines", o.sines, "", "at least 1 and at most 8");
}

}  // namespace

Excitation excite(std::string_view law, const ExciteOptions& options) {
  check(options);
  const Design design(law, options);
  std::mt19937_64 engine(options.seed);
  const auto unit = [&] { return double(engine() >> 11) * 0x1p-53; };
  // Whole numbers of periods, up to a tenth of the rate of sampling.
  const double slowest = 1.0 / options.duration;
  const double fastest = std::max(0.1 * options.rate, 2.0 * slowest);
  const auto random_sine = [&] {
    const double f = slowest * std::pow(fastest / slowest, unit());
    return Sine{std::pow(10.0, -2.0 * unit()) / f, std::round(f * options.duration) * slowest,
                turn * unit()};
  };

  std::vector<Sine> best, best_single;
  Information most, most_single;
  const auto consider = [&](std::vector<Sine> sines) {
    confine(sines, options);
    const Information info = design.look(sines);
    if (info.log_determinant > most.log_determinant) most = info, best = sines;
    if (sines.size() == 1 && info.log_determinant > most_single.log_determinant)
      most_single = info, best_single = sines;
  };
  for (int k = 0; k < options.trials; ++k) {
    if (options.progress && !options.progress(double(k) / options.trials)) break;
    // One sine first, then one more at a time beside the best so far, all of them varied ever less.
    const int wanted = 1 + k * options.sines / options.trials;
    const int share = std::max(options.trials / options.sines, 1);
    const double reach = 1.0 - double(k % share) / share;
    std::vector<Sine> sines = best;
    if (sines.empty() || (wanted == 1 && reach > 0.5)) sines = {random_sine()};
    if (int(sines.size()) < wanted) {
      Sine more = random_sine();
      more.amplitude = sines.front().amplitude * sines.front().frequency / more.frequency *
                       std::pow(10.0, 2.0 * unit() - 1.0);
      sines.push_back(more);
    }
    for (Sine& s : sines) {
      s.amplitude *= std::exp(2.0 * reach * (unit() - 0.5));
      const double f = s.frequency * std::exp(2.0 * reach * (unit() - 0.5));
      s.frequency = std::clamp(std::round(f * options.duration) * slowest, slowest, fastest);
      s.phase += reach * turn * (unit() - 0.5);
    }
    consider(std::move(sines));
  }

  Excitation result;
  result.sines = best;
  result.motion = motion_of(best, options);
  const FitProblem problem = design.problem(best);
  result.motion.force = fit_predict(problem, problem.start()).front();
  const auto shared = problem.shared();
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const auto& name = problem.parameters[std::size_t(shared[i])].name;
    result.deviations.emplace_back(name, most.deviations[i]);
    if (i < most_single.deviations.size())
      result.single.emplace_back(name, most_single.deviations[i]);
  }
  result.gain = most.log_determinant - most_single.log_determinant;
  return result;
}

}  // namespace bristle
