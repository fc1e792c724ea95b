// SPDX-License-Identifier: MIT
// What kind of motion a signal shows: at rest, periodic, quasi-periodic or chaotic.
//
// The signal is sampled once per drive period, which leaves a Poincare section:
// n points for a motion that repeats after n periods, a closed curve for a quasi-periodic one, a
// cloud for a chaotic one. The 0-1 test for chaos distinguishes curve and cloud (Gottwald and
// Melbourne): the number K is near 0 for regular and near 1 for chaotic motion. Limits: a
// section of fewer than some hundred points leaves K undecided; noise counts as chaos.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace bristle {

// Points of a motion, one per drive period.
struct Section {
  std::vector<double> time, x, y;
};
// At from, from + beat, ..., by cubics between samples. Throws InvalidInput for a beat that is not
// positive, or shorter than two samples.
Section strobe(std::span<const double> time, std::span<const double> x, std::span<const double> y,
               double beat, double from);
// Where y crosses zero upwards.
Section upward_crossings(std::span<const double> time, std::span<const double> x,
                         std::span<const double> y);

enum class MotionKind { rest, periodic, quasi_periodic, chaotic, unclear };
std::string_view words(MotionKind kind);

struct MotionOptions {
  // Points nearer than this part of the width of the section are one: above the noise of a
  // simulation at tolerance 1e-6, below the distance of any two branches that can be resolved.
  double same = 1e-3;
  int longest = 32;          // drive periods of a motion that still counts as periodic
  double chaos = 0.5;        // K from which a motion is chaotic
  std::size_t enough = 100;  // points for the 0-1 test
  double width = 0.0;        // of the motion, 0: that of the section
};

struct MotionVerdict {
  MotionKind kind = MotionKind::unclear;
  int beats = 0;       // of a periodic motion
  double chaos = 0.0;  // K of the 0-1 test, where it was needed
};
MotionVerdict classify_motion(const Section& section, const MotionOptions& options = {});

// K of the 0-1 test on a series taken once per drive period; the same for the same series.
double chaos_test(std::span<const double> series);

}  // namespace bristle
