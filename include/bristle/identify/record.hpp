// SPDX-License-Identifier: MIT
// Measured runs, the data of a fit.
//
// A Record holds the columns of one run as measured. prepare() makes of it the samples a fit walks
// through: the motion at each sample, and the mean velocity over the step that leads to it, which
// is what the exact update of a bristle needs. With a measured position that mean is displacement
// over step, so that noise of the position never adds up; without one it is the mean of the two
// velocities.
//
// A velocity that was not measured is the slope of a parabola fitted to the positions around each
// sample, over samples within `window` before and after, weighted (1 - (t / window)^2)^2. It passes
// motion up to the frequency bandwidth(window), where its gain is down to 0.707. A position without
// noise needs no filter: its slope is that of the polynomial through five samples, and so is the
// slope of a velocity without noise.
//
// Noise of a measured position adds to the sliding distance and relaxes the bristles. Where noise
// is found, the track keeps the measured position and the best bandwidth of a smoothing filter
// (identify/smooth_motion.hpp); fit() finds along which of the two motions the law predicts the
// force better.
//
// Without a time the rows are counted as steps of one second. Laws whose force depends on the rate
// are then refused by fit().
//
// Samples may be unevenly spaced; for even ones, and for accelerations, there is
// analysis/indirect_force.hpp.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bristle/model/error.hpp"

namespace bristle {

struct Record {
  std::string name;
  // Of equal length, or empty where something was not measured. Time may be empty for steady maps,
  // and for laws that are rate-independent.
  std::vector<double> time, position, velocity, force, load;
  // The input of a mechanism, at times of its own; only for fits of motion.
  std::vector<double> input_time, input;
  // Further columns on request, and what kind of run it is.
  std::vector<std::vector<double>> others{};
  std::string group{};
};

// One sample and the step that leads to it.
struct Sample {
  double step = 0.0;             // since the sample before, 0 for the first [s]
  double middle_velocity = 0.0;  // mean over the step [m/s]
  double middle_position = 0.0;  // [m]
  double position = 0.0;         // [m]
  double velocity = 0.0;         // [m/s]
  double load = 1.0;             // [N]
  double time = 0.0;             // [s]
  double force = 0.0;            // measured; in a rollout what the motion requires [N]
  double weight = 1.0;           // of its residual in the fit; 0: held out
  int steps = 0;                 // that lead to it in a rollout or along a smoothed motion
  int row = 0;                   // of Track::conditions
};

// The noise of a measured position and the filter against it.
struct MotionFilter {
  double noise = 0.0;      // standard deviation of the position, 0: none is found [m]
  double bandwidth = 0.0;  // of the smoothed motion, 0: smoothing would not reduce its error [Hz]
  double rest = 0.0;       // part of the samples that are held at rest
  long undecided = 0;      // samples a set-valued law is not fitted to: their direction is open
  bool asked = false;      // the bandwidth was given, not chosen from the data
  bool used = false;       // the samples follow the smoothed motion, not the measured one
};

struct Track {
  std::string name;
  std::vector<Sample> samples;
  double window = 0.0;  // of the differentiator, 0 if the velocity was measured [s]
  bool exact = false;   // slopes are taken without a filter, since there is no noise
  bool timed = true;    // false: rows were counted in place of a time
  bool loaded = false;  // the load was measured
  std::vector<double> input_time, input;  // as given
  // The input of a rollout as its steps meet it: at the first sample, then twice in each step.
  std::vector<double> drive;
  MotionFilter filter;
  std::vector<double> measured;  // the position, if it has noise or is to be smoothed [m]
  // What is added to the force of the law, in proportion to unknown factors: so many numbers per
  // sample as the problem has terms (FitSetup::terms).
  std::vector<double> terms;
  // Record::others, row by row; null if there are none. Sample::row says which row is whose.
  std::shared_ptr<const std::vector<double>> conditions;
};

// The window of the differentiator that passes motion up to a frequency, and the other way round.
double smoothing_window(double bandwidth);  // [Hz] -> [s]
double smoothing_bandwidth(double window);  // [s] -> [Hz]

// The slope at each time of a parabola fitted over +-window; smoothed, if given, takes its value.
std::vector<double> smooth_slope(const std::vector<double>& time, const std::vector<double>& x,
                                 double window, std::vector<double>* smoothed = nullptr);

// How a velocity that was not measured is made from the position: by the parabola, or by the
// differences to both neighbours, which pass noise and every frequency.
enum class Differentiator { parabola, central };

struct PrepareOptions {
  double bandwidth = 0.0;  // of a measured motion [Hz]; 0: chosen from its noise
  Differentiator differentiator = Differentiator::parabola;
  bool smooth = true;   // false: the position is used as measured, whatever its noise
  bool steady = false;  // a map of speed and force: samples that do not follow each other
  bool motion = false;  // motion under an input: no force, but an input that covers the samples
};

// Throws InvalidInput with the sample at fault: too few, not increasing in time, nothing that
// moves, columns of different length.
Track prepare(const Record& record, const PrepareOptions& options = {});

// The record with its motion, position and velocity, delayed by so many seconds: the force of a
// sensor that lags by them then belongs to it. Interpolated by cubics; a noisy position of even
// samples is delayed by whole steps, and the force is read ahead by the rest of a step. Samples
// whose motion was not measured are left out. Throws InvalidInput if fewer than ten are left.
Record delayed(const Record& record, double delay);

// The samples of a run along its position smoothed up to a bandwidth, 0: as measured. For runs
// with a `measured` position.
void follow(Track& track, double bandwidth);
// The samples along given positions. A velocity that was not measured is their slope: along a
// smooth motion that of the curve itself, otherwise that of the differentiator.
void lead_along(Track& track, const std::vector<double>& position, bool smooth);

// What a search for parameters needs to know of the data.
struct DataScales {
  double force = 1.0;                         // half the range of the forces [N]
  double load = 1.0;                          // mean [N]
  double shortest = 1e-6, longest = 1.0;      // displacements distinguished, and the stroke [m]
  double slowest = 1e-3, fastest = 1.0;       // speeds [m/s]
  double load_spread = 0.0;                   // standard deviation over mean of the load
  double mean_force = 0.0, least_step = 0.0;  // [N], [s]
  long samples = 0, reversals = 0;
};
DataScales scales_of(const std::vector<Track>& runs);

// Fitted samples that moved, but no further than `distance` since the motion last reversed.
long samples_after_reversals(const std::vector<Track>& runs, double distance);

// What the data call a force and a way; a law in a bearing has N m/rad for N/m.
struct DataUnits {
  std::string force = "N", way = "m";
  // A unit of a law in these.
  std::string of(std::string_view unit) const;
};

}  // namespace bristle
