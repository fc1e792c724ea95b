// SPDX-License-Identifier: MIT
#include "bristle/io/part.hpp"

#include <algorithm>
#include <bit>
#include <numbers>

#include "bristle/identify/least_squares.hpp"
#include "part_format.hpp"

namespace bristle::io {
namespace {

// The correlations of a covariance; a zero variance stands for a row of zeros.
std::vector<double> correlations_in(const std::vector<double>& covariance, std::size_t n) {
  std::vector<double> all(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double both = std::sqrt(covariance[i * n + i]) * std::sqrt(covariance[j * n + j]);
      if (both > 0.0) all[i * n + j] = covariance[i * n + j] / both;
    }
  return all;
}

// A number of the standard normal distribution, by Box and Muller: the same on every machine.
double standard_normal(PartRandom& random) {
  const auto uniform = [&] { return (double(random() >> 11) + 0.5) * 0x1p-53; };
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

// Normal numbers with the covariance of a part, from independent ones.
class PartMoves {
 public:
  PartMoves(const Part& part, std::size_t n)
      : pairs_(symmetric_eigen(correlations_in(part.covariance, n), int(n))) {
    for (std::size_t i = 0; i < n; ++i)
      deviations_.push_back(std::sqrt(part.covariance[i * n + i]));
  }
  std::vector<double> operator()(std::span<const double> normals) const {
    const std::size_t n = deviations_.size();
    std::vector<double> moves(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) {
      const double size = std::sqrt(std::max(pairs_.values[k], 0.0)) * normals[k];
      for (std::size_t i = 0; i < n; ++i) moves[i] += size * pairs_.vectors[k * n + i];
    }
    for (std::size_t i = 0; i < n; ++i) moves[i] *= deviations_[i];
    return moves;
  }

 private:
  EigenPairs pairs_;
  std::vector<double> deviations_;
};

// A set of parameters whose unknowns were moved, each clipped to the bounds of its search, and
// whether one had to be.
struct MovedParameters {
  std::vector<double> values;
  bool clipped = false;

  double keep(double value, double least, double most) {
    clipped = clipped || !(value >= least && value <= most);
    return std::clamp(value, least, most);
  }
};

MovedParameters moved_parameters(const Part& part, std::span<const std::size_t> free,
                                 std::span<const double> moves) {
  MovedParameters set;
  for (const auto& p : part.parameters) set.values.push_back(p.value);
  for (std::size_t k = 0; k < free.size(); ++k) {
    const PartParameter& p = part.parameters[free[k]];
    double& value = set.values[free[k]];
    if (moves[k] == 0.0 && p.above.empty()) continue;
    if (p.logarithmic) {
      value = set.keep(std::exp(std::log(p.value) + moves[k]), p.least, p.most);
    } else if (p.above.empty()) {
      value = set.keep(p.value + moves[k], p.least, p.most);
    } else {
      // The excess over the other one, whose bounds were searched around its fitted value.
      const auto other = std::size_t(part.find(p.above) - part.parameters.data());
      const double from = part.parameters[other].value;
      const double excess = set.keep(p.value - from + moves[k], p.least - from, p.most - from);
      value = set.values[other] + excess;
      if (!std::isfinite(value)) value = p.value;  // bounds beyond the range of numbers
    }
  }
  return set;
}

// A seed that is another for every draw, from its numbers.
std::uint64_t seed_of(std::span<const double> normals) {
  std::uint64_t seed = 14695981039346656037u;
  for (const double one : normals)
    seed = (seed ^ std::bit_cast<std::uint64_t>(one)) * 1099511628211u;
  return seed;
}

}  // namespace

std::string covariance_flaw(const std::vector<double>& matrix, int n) {
  const auto size = std::size_t(n);
  const auto place = [](std::size_t i, std::size_t j) {
    return "of row " + std::to_string(i + 1) + " and column " + std::to_string(j + 1);
  };
  for (std::size_t i = 0; i < size; ++i)
    if (!(matrix[i * size + i] >= 0.0))
      return "must not be negative on its diagonal, the number " + place(i, i) + " is";
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) {
      const double one = matrix[i * size + j], other = matrix[j * size + i];
      const double most =
          std::sqrt(matrix[i * size + i]) * std::sqrt(matrix[j * size + j]) * (1.0 + 1e-9);
      if (!(std::abs(one - other) <= 1e-9 * std::max(std::abs(one), std::abs(other))))
        return "must be symmetric, the number " + place(i, j) + " is another than its mirror";
      if (!(std::abs(one) <= most))
        return "must be positive semidefinite, the number " + place(i, j) + " is too large";
    }
  const EigenPairs pairs = symmetric_eigen(correlations_in(matrix, size), n);
  // What rounding leaves of a zero.
  for (const double value : pairs.values)
    if (!(value >= -1e-9 * n))
      return "must be positive semidefinite, its correlations have the eigenvalue " + words(value);
  return "";
}

const PartParameter* Part::find(std::string_view name) const {
  for (const auto& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

std::vector<std::size_t> Part::fitted() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].fitted) all.push_back(i);
  return all;
}

const PartRange* Part::range(std::string_view quantity) const {
  for (const auto& r : domain)
    if (r.quantity == quantity) return &r;
  return nullptr;
}

std::vector<double> Part::value_covariance() const {
  const auto free = fitted();
  const std::size_t n = free.size();
  // d value / d unknown; one counted from another has the slopes of that one as well.
  std::vector<double> slopes(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    const PartParameter& p = parameters[free[i]];
    slopes[i * n + i] = p.logarithmic ? p.value : 1.0;
    for (std::size_t k = 0; k < i && !p.above.empty(); ++k)
      if (parameters[free[k]].name == p.above)
        for (std::size_t j = 0; j < n; ++j) slopes[i * n + j] += slopes[k * n + j];
  }
  std::vector<double> all(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b)
          all[i * n + j] += slopes[i * n + a] * covariance[a * n + b] * slopes[j * n + b];
  return all;
}

namespace {

std::vector<LawDependence> dependences_of(const Part& part, std::span<const double> drawn) {
  std::vector<LawDependence> all;
  for (const PartDependence& d : part.depends) {
    all.push_back({d.parameter, d.column, d.unit, d.form, d.reference, {}});
    for (const auto& name : coefficient_names(d.parameter, d.column, d.form))
      if (const auto* p = part.find(name))
        all.back().coefficients.push_back(
            drawn.empty() ? p->value : drawn[std::size_t(p - &part.parameters[0])]);
  }
  return all;
}

}  // namespace

Values Part::values(std::string_view of, std::span<const double> drawn,
                    const Conditions& at) const {
  Values all;
  if (of == kind) all = choices;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].of != of) continue;
    std::string name = parameters[i].name;
    if (of == "mechanism" && name.starts_with(mechanism_prefix))
      name = name.substr(mechanism_prefix.size());
    all[name] = drawn.empty() ? parameters[i].value : drawn[i];
  }
  if (depends.empty() || at.empty() || (of != "law" && of != "bias")) return all;
  const auto found = dependences_of(*this, drawn);
  if (of == "bias") {
    if (const auto offset = all.find("offset"); offset != all.end())
      offset->second = offset_at(std::get<double>(offset->second), found, at);
    return all;
  }
  std::map<std::string, std::string> above;
  for (const PartParameter& p : parameters)
    if (!p.above.empty()) above[p.name] = p.above;
  return values_at(law, all, found, above, at);
}

std::vector<double> Part::draw(PartRandom& random) const {
  std::vector<double> normals;
  for (std::size_t k = 0; k < fitted().size(); ++k) normals.push_back(standard_normal(random));
  return draw(normals);
}

// A draw beyond the bounds is made anew: clipped alone, a parameter would leave the others where
// only its own value beyond the bound could have brought them.
std::vector<double> Part::draw(std::span<const double> normals) const {
  constexpr int most_attempts = 4096;
  const auto free = fitted();
  const PartMoves moves(*this, free.size());
  const MovedParameters first = moved_parameters(*this, free, moves(normals));
  if (!first.clipped) return first.values;
  PartRandom random(seed_of(normals));
  std::vector<double> others(free.size());
  for (int k = 0; k < most_attempts; ++k) {
    for (double& one : others) one = standard_normal(random);
    MovedParameters again = moved_parameters(*this, free, moves(others));
    if (!again.clipped) return std::move(again.values);
  }
  return first.values;
}

}  // namespace bristle::io
