// SPDX-License-Identifier: MIT
// A measured position without its noise: one curve for displacement and velocity.
//
// Friction depends on the path slid, back and forth, and noise of the position slides all the time:
// z' = v - |v| z / g relaxes the bristle by |v|, which noise of the velocity can only raise. A fit
// to such motion makes up for it by static forces and stiffnesses far too large.
//
// The noise. A divided difference of high order takes every polynomial out of the samples, evenly
// spaced or not, and leaves white noise with a known factor. Its median over the record is the
// standard deviation of the noise, if orders 10 and 14 agree on it; where the higher one is smaller
// it is the motion and not noise.
//
// The curve minimises   sum (y - x)^2 + lambda sum (h^2 x'')^2,   lambda = (2 sin(pi f h))^-4,
// h the median step: a filter without phase and with the gain g = 1 / (1 + (w / f)^4). The same
// curve through what it leaves is added (twicing), which makes the gain 1 - (1 - g)^2 and takes
// motion below f for what it is up to the eighth order. The bandwidth is where the gain is 0.707,
// 1.042 f. Unless it is given, f minimises the expected error by Mallows' C_p with the noise as
// found (the trace of the filter counted 1.4 times, since the criterion alone now and then follows
// the noise), and is then made a quarter larger, since fits suffer less from noise, which averages
// out, than from a bent motion, which does not. Nothing is smoothed where that is expected to do no
// good.
//
// Rest. At rest the remaining noise would still add up, and the start of a motion is a kink no
// smooth curve follows. So stretches longer than a period of f whose samples scatter around a
// constant with neither slope nor excess are held at it, with the samples beside them that have not
// left it, and the curve bends easily where they begin and end.
//
// Limits: noise that is white, of one size along the record. Coloured noise, or noise already
// filtered, is taken for motion. Motion smaller than the noise over the bandwidth is lost.
#pragma once

#include <cstddef>
#include <vector>

namespace bristle {

// The median time between two samples.
double median_step(const std::vector<double>& time);

// The standard deviation of the noise of a position, 0 where none is found: in fewer samples than
// this, or if it is less than 1e-7 of the stroke.
inline constexpr std::size_t least_for_noise = 100;
double position_noise(const std::vector<double>& time, const std::vector<double>& position);

// Whether noise is negligible even in differences of this order, 1 or 2: less than a thousandth of
// their size. A position may then be differentiated so often without a filter.
bool without_noise(const std::vector<double>& time, const std::vector<double>& x, int order);

struct SmoothMotion {
  std::vector<double> position, velocity;
  double bandwidth = 0.0;  // 0: not smoothed [Hz]
  double rest = 0.0;       // part of the samples at rest
};

// The slope of the polynomial through five samples around each, to one side of it at the ends;
// beside rest, where a position repeats, through three: for positions without noise.
std::vector<double> exact_slope(const std::vector<double>& time, const std::vector<double>& x);

// A bandwidth of 0 is chosen from the data; noise is what position_noise() found.
SmoothMotion smooth_motion(const std::vector<double>& time, const std::vector<double>& position,
                           double noise, double bandwidth = 0.0);

// A smooth motion smoothed once more, at rest where it is: what a motion looks like after the
// filter without any noise.
std::vector<double> smooth_again(const std::vector<double>& time, const std::vector<double>& smooth,
                                 double bandwidth);

}  // namespace bristle
