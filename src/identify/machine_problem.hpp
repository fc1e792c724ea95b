// SPDX-License-Identifier: MIT
// The least-squares problem of a machine: unknowns, residuals and their derivatives.
#pragma once

#include <map>

#include "bristle/identify/machine_fit.hpp"

namespace bristle::detail {

// One unknown: a shared parameter, or a start of one run.
struct MachineUnknown {
  std::string name;  // in the flat table
  int run = -1;      // of a start, -1 for a shared parameter
  bool logarithmic = false;
  double guess = 0.0;               // the value from which x is counted, unless logarithmic
  double unit = 1.0;                // of x
  double lower = 0.0, upper = 0.0;  // of x
  double range = 1.0;               // of starts about the guess, in units of x
  double force = 0.0;               // power of a force in its unit
  bool prior = false;               // x is drawn weakly to zero: a bristle bends by about its scale

  double value(double x) const;
  double slope(double x) const;  // d value / d x
  double x_of(double value) const;
};

class MachineProblem {
 public:
  MachineProblem(const MachineParts& parts, const std::vector<MachineRecord>& runs,
                 const MachineFitOptions& options);

  std::vector<MachineUnknown> unknowns;
  std::size_t shared = 0;     // of them come first
  std::vector<double> noise;  // of each reading
  int steps = 4;              // per median time between samples
  bool exact = false;         // by the adaptive method, with differences for derivatives
  int threads = 1;            // for those
  double follow = 0.0;        // samples over which simulations are drawn to the data, 0: never
  std::size_t readings() const { return options_.readings.size(); }
  std::size_t run_count() const { return runs_.size(); }
  std::size_t fitted_samples(std::size_t run) const { return runs_[run].fitted; }
  bool only_fixed() const { return only_fixed_; }
  bool measured_force() const { return measured_force_; }  // an input, in all runs
  double measured(std::size_t run, std::size_t sample, std::size_t reading) const {
    return runs_[run].measured[sample * readings() + reading];
  }
  const std::vector<double>& time(std::size_t run) const { return runs_[run].time; }

  std::vector<double> start() const;
  // Half the sum of squares in units of the noise; NaN where the machine cannot be made or run.
  double cost(std::span<const double> x, NormalEquations* equations) const;
  // The readings of a run, time by time.
  std::vector<double> predict(std::span<const double> x, std::size_t run) const;
  MachineParts parts_at(std::span<const double> x, int run) const;
  // The equations of each fitted run in the shared unknowns, its own start eliminated.
  std::vector<NormalEquations> shared_equations(std::span<const double> x) const;

 private:
  struct OneRun {
    std::vector<double> time;      // from the start of the run
    std::vector<double> measured;  // time by time
    std::size_t fitted = 0;        // samples
    double step = 0.0;             // median time between samples
    MachineParts parts;            // with the measured inputs and its own values in it
  };
  void take_inputs(const MachineRecord& record, OneRun& run) const;
  // Half the squares of a run and its share of the normal equations.
  double add_run(std::span<const double> x, std::size_t run, NormalEquations* equations) const;
  bool read_exactly(std::span<const double> x, std::size_t run, std::span<const double> times,
                    std::vector<double>& values) const;
  bool differences(std::span<const double> x, std::size_t run, const std::vector<std::size_t>& own,
                   std::vector<double>& slopes) const;
  void add_shared(const MachineParts& parts);
  void add_starts(std::size_t run, const MachineRecord& record);

  MachineFitOptions options_;
  std::vector<OneRun> runs_;
  bool only_fixed_ = false, measured_force_ = false;
};

}  // namespace bristle::detail
