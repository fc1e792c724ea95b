// SPDX-License-Identifier: MIT
#include "verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "cvode.hpp"
#include "warnings.hpp"

namespace bristle::detail {
namespace {

constexpr double most_steps = 1e6, most_samples = 1e6;
constexpr double finest_tolerance = 1e-13;
constexpr double much = 10.0;  // tolerances

bool fixed_step(const Options& options) {
  return options.method == Options::coupled || options.method == Options::bristle_only;
}

std::string short_number(double value) {
  char text[24];
  std::snprintf(text, sizeof text, "%.2g", value);
  return text;
}

// Largest difference and excursion of a column of two results.
struct Apart {
  double difference = 0.0, excursion = 0.0;

  double ratio() const { return difference > 0.0 ? difference / std::max(excursion, 1e-300) : 0.0; }

  // A run may have more samples than the other; those at equal times are compared. Where a value
  // jumps, either side of the jump will do, so samples with another mode look to their neighbours.
  void look(const std::vector<double>& time, const std::vector<double>& a,
            const std::vector<double>& other_time, const std::vector<double>& b,
            const std::vector<double>* mode, const std::vector<double>* other_mode) {
    const std::size_t ours = std::min(time.size(), a.size());
    const std::size_t theirs = std::min(other_time.size(), b.size());
    std::size_t k = 0;
    for (std::size_t i = 0; i < ours; ++i) {
      excursion = std::max(excursion, std::abs(a[i] - a[0]));
      const double near = 1e-9 * (time.back() - time.front()) / double(ours);
      while (k < theirs && other_time[k] < time[i] - near) ++k;
      if (k == theirs || other_time[k] > time[i] + near) continue;
      double apart = std::abs(a[i] - b[k]);
      if (mode && (*mode)[i] != (*other_mode)[k]) {
        if (k > 0) apart = std::min(apart, std::abs(a[i] - b[k - 1]));
        if (k + 1 < theirs) apart = std::min(apart, std::abs(a[i] - b[k + 1]));
      }
      difference = std::max(difference, apart);
    }
  }
};

}  // namespace

Options finer(const Options& options, const Summary& first) {
  Options second = options;
  if (fixed_step(options)) {
    second.step *= 0.5;
    second.step_limit = std::max(second.step_limit, 1.01 * options.end / second.step);
    return second;
  }
  // There is hardly a finer run than the finest, so a coarser one tells.
  const bool coarser = 0.1 * first.tolerance < finest_tolerance;
  second.tolerance = (coarser ? 10.0 : 0.1) * first.tolerance;
  // Rounding bounds the tolerance of CVODE's steps: two runs with the same one are the same run.
  const auto of_steps = [](const Options& o) { return step_tolerance(o.tolerance); };
  if (options.method == Options::cvode && !coarser)
    while (of_steps(second) > 0.9 * step_tolerance(first.tolerance)) second.tolerance *= 0.1;
  second.repeat = false;
  second.step_limit =
      std::min(options.step_limit, 30.0 * double(first.counts.steps + first.counts.rejected) + 1e5);
  return second;
}

Options in_part(const Options& options, double from, double part) {
  Options one = options;
  one.verify = Options::no;
  if (options.progress)
    one.progress = [tell = options.progress, from, part](double done) {
      return tell(from + part * done);
    };
  return one;
}

double distance(const Simulation& first, const Simulation& second, bool given_motion) {
  const Trajectory &a = first.trajectory, &b = second.trajectory;
  Apart apart;
  if (given_motion) apart.look(a.time, a.force, b.time, b.force, &a.mode, &b.mode);
  else apart.look(a.time, a.position, b.time, b.position, nullptr, nullptr);
  return apart.ratio();
}

double distance(const Machine& machine, const MachineResult& first, const MachineResult& second) {
  const auto &time = first["time"], &other_time = second["time"];
  Apart along, turned, forces;
  for (const auto& body : machine.parts().bodies) {
    const std::string column = body.name + ".position";
    (body.body.motion == Body::rotation ? turned : along)
        .look(time, first[column], other_time, second[column], nullptr, nullptr);
  }
  if (machine.parts().bodies.empty())
    for (std::size_t c = 0; c < machine.parts().contacts.size(); ++c)
      for (int axis = 1; axis <= machine.contacts[c].dimension; ++axis) {
        const std::string name = machine.parts().contacts[c].name, mode = name + ".mode";
        const std::string column =
            name + ".force" + (machine.contacts[c].dimension > 1 ? "_" + std::to_string(axis) : "");
        forces.look(time, first[column], other_time, second[column], &first[mode], &second[mode]);
      }
  return std::max({along.ratio(), turned.ratio(), forces.ratio()});
}

bool worth_verifying(const Options& options, Summary& first) {
  if (!first.ok()) return false;
  const bool long_run = double(first.counts.steps) > most_steps;
  if (!long_run && options.samples <= most_samples) return true;
  first.message += std::string("; not verified: more than 1e6 ") + (long_run ? "steps" : "samples");
  return false;
}

void tell_error(double distance, bool given_motion, const Options& options, const Summary& second,
                Summary& first) {
  const std::string other = fixed_step(options) ? "a run at half the step"
                                                : "a run at a tolerance of " +
                                                      short_number(finer(options, first).tolerance);
  first.seconds += second.seconds;
  if (!second.ok())
    return warn(
        "not verified: " + other + " ended with \"" + std::string(words(second.status)) + "\"",
        first);
  first.global_error = distance;
  const std::string told = std::string(given_motion ? "forces" : "positions") +
                           " differ from those of " + other + " by " + short_number(distance) +
                           (given_motion ? " of the largest change" : " of the motion");
  if (!fixed_step(options) && distance > much * options.tolerance)
    warn("the motion amplifies errors: " + told, first);
  else first.message += "; " + told;
}

}  // namespace bristle::detail
