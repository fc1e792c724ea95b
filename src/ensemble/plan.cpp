// SPDX-License-Identifier: MIT
#include "bristle/ensemble/plan.hpp"

#include <algorithm>
#include <cmath>

#include "bristle/ensemble/random.hpp"
#include "bristle/ensemble/sobol.hpp"
#include "bristle/model/describe.hpp"
#include "bristle/model/error.hpp"

namespace bristle {
namespace {

// What a double counts without gaps.
constexpr double most_runs = 0x1p53;

}  // namespace

double Axis::value(std::uint64_t i) const {
  if (!values.empty()) return values[i];
  if (i == 0 || count < 2) return from;
  if (i + 1 == count) return to;
  // From the nearer end, so that a range and its reverse have the same values.
  const std::uint64_t back = count - 1 - i;
  const double near = i <= back ? from : to, far = i <= back ? to : from;
  const double part = double(std::min(i, back)) / double(count - 1);
  return log ? near * std::pow(far / near, part) : near + (far - near) * part;
}

void Axis::check() const {
  const auto refuse = [&](const char* key, const std::string& why) {
    throw InvalidInput(key, field + ": " + why);
  };
  if (!values.empty()) return;
  if (count == 0) refuse("count", "the range is empty, count must be at least 1");
  if (count == 1 && from != to)
    refuse("count", "count = 1 leaves nothing of the range from " + words(from) + " to " +
                        words(to) + ", it must be at least 2");
  if (count > 1 && from == to)
    refuse("to",
           "the range is empty, to = " + words(to) + " must differ from from = " + words(from));
  if (log && !(from * to > 0.0))
    refuse("from", "a logarithmic range must not hold 0, from = " + words(from) +
                       " and to = " + words(to) + " must have one sign");
}

double RandomField::quantile(double probability) const {
  if (kind == normal) return first + second * normal_quantile(probability);
  return first + (second - first) * probability;
}

void RandomField::check() const {
  if (kind == uniform && !(first < second))
    throw InvalidInput("uniform", field + ": the range is empty, its end " + words(second) +
                                      " must be greater than its start " + words(first));
  if (kind == normal && !(second > 0.0))
    throw InvalidInput("normal", field + ": the standard deviation = " + words(second) +
                                     " must be greater than 0");
}

std::vector<std::string> Plan::fields() const {
  std::vector<std::string> all;
  for (const auto& axis : axes) all.push_back(axis.field);
  for (const auto& drawn : random_fields) all.push_back(drawn.field);
  for (const auto& joint : joint_fields)
    all.insert(all.end(), joint.fields.begin(), joint.fields.end());
  return all;
}

int Plan::dimensions() const {
  int all = int(random_fields.size());
  for (const auto& joint : joint_fields) all += joint.dimensions;
  return all;
}

std::vector<double> Plan::middle() const {
  std::vector<double> all;
  for (const auto& axis : axes) all.push_back(axis.value(0));
  for (const auto& drawn : random_fields) all.push_back(drawn.quantile(0.5));
  for (const auto& joint : joint_fields) {
    const auto values = joint.values(std::vector<double>(std::size_t(joint.dimensions), 0.0), all);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

std::uint64_t Plan::grid_size() const {
  std::uint64_t size = 1;
  for (const auto& axis : axes) size *= axis.size();
  return size;
}

std::uint64_t Plan::draw_count() const {
  return !draws_fields() ? 1 : sensitivity ? sensitivity->runs() : draws;
}

std::uint64_t Plan::size() const { return grid_size() * draw_count(); }

std::vector<std::uint64_t> Plan::grid_point(std::uint64_t run) const {
  std::vector<std::uint64_t> point(axes.size());
  std::uint64_t rest = run % grid_size();
  for (std::size_t i = axes.size(); i-- > 0;) {
    point[i] = rest % axes[i].size();
    rest /= axes[i].size();
  }
  return point;
}

std::vector<double> Plan::values(std::uint64_t run) const {
  std::vector<double> all;
  const auto point = grid_point(run);
  for (std::size_t i = 0; i < axes.size(); ++i) all.push_back(axes[i].value(point[i]));
  if (!draws_fields()) return all;
  const std::uint64_t draw = run / grid_size();
  const auto chosen = sensitivity ? sensitivity->point(draw) : std::vector<double>();
  std::size_t dimension = 0;
  const auto next = [&] {
    const std::size_t j = dimension++;
    if (sensitivity) return chosen[j];
    if (sampling == sobol) return shifted_sobol(seed, draw, int(j));
    return random_uniform(seed, RandomStream::draws, draw, std::uint32_t(j));
  };
  for (const auto& drawn : random_fields) {
    double probability = next();
    // The grid of Morris has the ends 0 and 1, where a normal number would be infinite.
    if (sensitivity && sensitivity->method == SensitivityDesign::morris &&
        drawn.kind == RandomField::normal)
      probability = 0.5 + 0.99 * (probability - 0.5);
    all.push_back(drawn.quantile(probability));
  }
  for (const auto& joint : joint_fields) {
    std::vector<double> normals;
    for (int k = 0; k < joint.dimensions; ++k) normals.push_back(normal_quantile(next()));
    const auto values = joint.values(normals, all);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

void Plan::check() const {
  for (const auto& axis : axes) axis.check();
  for (const auto& drawn : random_fields) drawn.check();
  if (draws_fields() && !sensitivity && draws == 0)
    throw InvalidInput("draws", "draws = 0 must be at least 1");
  if (sensitivity) sensitivity->check();
  if (sensitivity && !joint_fields.empty())
    throw InvalidInput("sensitivity",
                       "sensitivities are those of independent fields, the fields of a posterior "
                       "depend on each other");
  double runs = double(draw_count());
  for (const auto& axis : axes) runs *= double(axis.size());
  if (runs > most_runs)
    throw InvalidInput("count", words(runs) + " runs are more than can be numbered, at most " +
                                    words(most_runs) + " are allowed");
  if (sensitivity || !draws_fields() || sampling != sobol) return;
  if (dimensions() > sobol_dimensions)
    throw InvalidInput("sampling", std::to_string(dimensions()) +
                                       " random numbers per draw are more than the " +
                                       std::to_string(sobol_dimensions) +
                                       " dimensions of the Sobol sequence, use random sampling");
  if (draws > sobol_points)
    throw InvalidInput("draws", "draws = " + words(double(draws)) +
                                    " is more than the 2^32 points of the Sobol sequence");
}

}  // namespace bristle
