// SPDX-License-Identifier: MIT
// The spectrum of a sampled signal, with its peaks named after the frequencies that drive it.
//
// A Hann window is laid over the samples less their mean. `amplitude` is scaled so that a sine of
// amplitude A has a peak of height A, `power` is the one-sided density [unit^2/Hz], whose integral
// is the variance. A peak is a local maximum; its frequency and height follow from the larger of
// its neighbours, exactly so for one sine alone. Limits: two frequencies closer than two lines of
// resolution (1 / length) are one peak. The transform is written here since the usual library is
// under another licence; any length works.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

namespace bristle {

// The discrete Fourier transform, in place and not scaled: radix 2, other lengths by Bluestein.
void fourier(std::vector<std::complex<double>>& x, bool inverse = false);

struct SpectrumPeak {
  double frequency = 0.0;  // [Hz]
  double amplitude = 0.0;
  std::string name;  // "f1", "3 f1", "f1 + f2", or empty
};

struct SpectrumOptions {
  // What is smaller than this part of the largest peak does not count: windows leak some 1e-5.
  double smallest_peak = 1e-3;
  int most_peaks = 40;
  int highest_order = 9;  // of |n| + |m| in n f1 + m f2
};

struct Spectrum {
  std::vector<double> frequency, amplitude, power;
  std::vector<SpectrumPeak> peaks;  // largest first
  double resolution = 0.0;          // distance of the lines [Hz]
  double variance = 0.0;
  // Peaks that are at least a part of the largest.
  int dominant(double part = 0.2) const;
};

// Throws InvalidInput for fewer than 16 samples, uneven times, or a named frequency [Hz] that the
// sampling is too slow for.
Spectrum spectrum(std::span<const double> time, std::span<const double> signal,
                  std::span<const double> named = {}, const SpectrumOptions& options = {});

// Refuses times that do not increase in equal steps; gives the step.
double even_step(std::span<const double> time);

}  // namespace bristle
