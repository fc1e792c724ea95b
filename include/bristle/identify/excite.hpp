// SPDX-License-Identifier: MIT
// A motion that makes the parameters of a law identifiable.
//
// Position is a sum of sines with whole numbers of periods in the duration. Amplitudes and
// frequencies are searched, within the limits of stroke, speed and acceleration, for the largest
// determinant of the information matrix J'J / noise^2 of all free parameters in relative terms
// (D-optimal); a parameter that may be zero counts relative to its value or, at zero, to the force
// it adds at the top speed. What is known before (a covariance of the parameters, from an earlier
// fit) counts as information beside that of the motion: then the motion is one for the parameters
// that are known badly, and the deviations are those of both together. All of it is linearised
// around the values expected.
#pragma once

#include "bristle/identify/fit.hpp"

namespace bristle {

struct ExciteOptions {
  Values values;                // of the law: the parameters expected
  std::set<std::string> fixed;  // parameters known already
  double stroke = 0.01;         // largest |position| [m]
  double speed = 0.1;           // largest |velocity| [m/s]
  double acceleration = 0.0;    // largest, 0: no limit [m/s2]
  double duration = 10.0;       // [s]
  double rate = 1000.0;         // samples per second [Hz]
  double load = 1.0;            // [N]
  double noise = 0.01;          // of the measured force, standard deviation [N]
  int sines = 3;
  int trials = 400;
  unsigned seed = 1;
  // Known before: the covariance of the values of these parameters, row by row. A variance of zero
  // stands for one that nothing is known of.
  std::vector<std::string> known{};
  std::vector<double> covariance{};
  std::function<bool(double)> progress;
};

struct Sine {
  double amplitude, frequency, phase;  // [m], [Hz], [rad]
};

struct Excitation {
  std::vector<Sine> sines;
  Record motion;                                           // time, position, velocity, and force
  std::vector<std::pair<std::string, double>> deviations;  // expected relative standard deviation
  std::vector<std::pair<std::string, double>> single;      // the same for the best single sine
  double gain = 0.0;  // log of the determinant over that of the best single sine
};

Excitation excite(std::string_view law, const ExciteOptions& options);

}  // namespace bristle
