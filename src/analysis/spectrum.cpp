// SPDX-License-Identifier: MIT
#include "bristle/analysis/spectrum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "bristle/model/field.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

// Six digits of a time are enough for a sentence.
std::string short_words(double value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr std::size_t block = 1024;  // numbers between two looks for a request to stop

// For lengths that are a power of two.
void radix_two(std::vector<Complex>& x, bool inverse) {
  const std::size_t n = x.size();
  StopLook stop;
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    stop();
    std::size_t bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  // All turns at once: no error adds up along a product.
  std::vector<Complex> turn(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    stop();
    turn[i] = std::polar(1.0, (inverse ? 2.0 : -2.0) * pi * double(i) / double(n));
  }
  for (std::size_t length = 2; length <= n; length *= 2)
    for (std::size_t from = 0; from < n; from += length)
      for (std::size_t begin = 0; begin < length / 2; begin += block) {
        stop();
        for (std::size_t i = begin; i < std::min(begin + block, length / 2); ++i) {
          const Complex a = x[from + i], b = x[from + i + length / 2] * turn[i * (n / length)];
          x[from + i] = a + b;
          x[from + i + length / 2] = a - b;
        }
      }
}

// How often each driving frequency is in a peak, in words.
std::string combination(int n, int m) {
  const auto part = [](int k, const char* f) {
    return (k == 1 ? std::string() : std::to_string(k) + " ") + f;
  };
  if (m == 0) return part(n, "f1");
  if (n == 0) return part(m, "f2");
  if (n > 0) return part(n, "f1") + (m > 0 ? " + " : " - ") + part(std::abs(m), "f2");
  return part(m, "f2") + " - " + part(-n, "f1");
}

std::string name_of(double frequency, std::span<const double> named, double near, int highest) {
  std::string best;
  int least = highest + 1;
  const int second = named.size() > 1 ? highest : 0;
  for (int n = -highest; n <= highest; ++n)
    for (int m = -second; m <= second; ++m) {
      const int order = std::abs(n) + std::abs(m);
      if (order == 0 || order >= least) continue;
      const double f = n * named[0] + (second ? m * named[1] : 0.0);
      if (!(f > 0.0) || std::abs(f - frequency) > near) continue;
      least = order;
      best = combination(n, m);
    }
  return best;
}

void find_peaks(Spectrum& s, std::span<const double> named, const SpectrumOptions& o) {
  double top = 0.0;
  for (std::size_t i = 1; i < s.amplitude.size(); ++i) top = std::max(top, s.amplitude[i]);
  StopLook stop;
  for (std::size_t i = 1; i + 1 < s.amplitude.size(); ++i) {
    stop();
    const double a = s.amplitude[i - 1], b = s.amplitude[i], c = s.amplitude[i + 1];
    if (!(b > a && b >= c) || b < o.smallest_peak * top) continue;
    // Where the larger neighbour puts a sine under a Hann window, exact for one sine alone.
    const double part = std::max(a, c) / b;
    const double shift = (c > a ? 1.0 : -1.0) * std::max(0.0, (2.0 * part - 1.0) / (part + 1.0));
    const double turn = pi * shift;
    const double height = turn == 0.0 ? b : b * (1.0 - shift * shift) * turn / std::sin(turn);
    s.peaks.push_back({(double(i) + shift) * s.resolution, height, ""});
  }
  std::sort(s.peaks.begin(), s.peaks.end(),
            [](const auto& a, const auto& b) { return a.amplitude > b.amplitude; });
  if (s.peaks.size() > std::size_t(o.most_peaks)) s.peaks.resize(std::size_t(o.most_peaks));
  if (named.empty()) return;
  for (auto& p : s.peaks) p.name = name_of(p.frequency, named, 0.5 * s.resolution, o.highest_order);
}

}  // namespace

void fourier(std::vector<Complex>& x, bool inverse) {
  const std::size_t n = x.size();
  if (n < 2) return;
  if (std::has_single_bit(n)) return radix_two(x, inverse);
  // Bluestein: a transform of any length as a convolution of a length that is a power of two.
  const std::size_t m = std::bit_ceil(2 * n - 1);
  // To get memory of some hundred megabytes takes a tenth of a second.
  std::vector<Complex> chirp(n);
  stop_if_asked();
  std::vector<Complex> a(m);
  stop_if_asked();
  std::vector<Complex> b(m);
  StopLook stop;
  for (std::size_t i = 0; i < n; ++i) {
    stop();
    const double square = double((i * i) % (2 * n));
    chirp[i] = std::polar(1.0, (inverse ? 1.0 : -1.0) * pi * square / double(n));
    a[i] = x[i] * chirp[i];
    b[i] = std::conj(chirp[i]);
    if (i > 0) b[m - i] = b[i];
  }
  radix_two(a, false);
  radix_two(b, false);
  for (std::size_t i = 0; i < m; ++i) stop(), a[i] *= b[i];
  radix_two(a, true);
  for (std::size_t i = 0; i < n; ++i) stop(), x[i] = a[i] * chirp[i] / double(m);
}

double even_step(std::span<const double> time) {
  if (time.size() < 2)
    throw InvalidInput(
        "time", "there are " + std::to_string(time.size()) + " samples, at least 2 are needed");
  // The usual step, so that a gap is found where it is.
  std::vector<double> steps;
  StopLook stop;
  for (std::size_t i = 1; i < time.size(); ++i) stop(), steps.push_back(time[i] - time[i - 1]);
  std::nth_element(steps.begin(), steps.begin() + long(steps.size() / 2), steps.end());
  const double step = steps[steps.size() / 2];
  for (std::size_t i = 1; i < time.size(); ++i) {
    stop();
    const double own = time[i] - time[i - 1];
    if (own > 0.0 && std::abs(own - step) <= 1e-3 * step) continue;
    throw InvalidInput("time", "sample " + std::to_string(i + 1) + " comes " + short_words(own) +
                                   " s after the one before, where the usual step is " +
                                   short_words(step) + " s: samples must be even to 0.1 %");
  }
  return (time.back() - time.front()) / double(time.size() - 1);
}

int Spectrum::dominant(double part) const {
  int count = 0;
  for (const auto& p : peaks) count += p.amplitude >= part * peaks.front().amplitude ? 1 : 0;
  return count;
}

Spectrum spectrum(std::span<const double> time, std::span<const double> signal,
                  std::span<const double> named, const SpectrumOptions& options) {
  if (time.size() != signal.size() || time.size() < 16)
    throw InvalidInput("samples", "a spectrum of " + std::to_string(signal.size()) +
                                      " samples is not possible, at least 16 are needed");
  const double step = even_step(time);
  for (const double f : named)
    if (!(f > 0.0 && f < 0.5 / step))
      throw InvalidInput("frequency", "frequency = " + words(f) +
                                          " Hz cannot be resolved by samples " + words(step) +
                                          " s apart, it must be greater than 0 Hz and less than " +
                                          words(0.5 / step) + " Hz");
  const std::size_t n = signal.size();
  double mean = 0.0, weight = 0.0, weight2 = 0.0;
  for (const double x : signal) mean += x / double(n);
  Spectrum s;
  std::vector<std::complex<double>> x(n);
  StopLook stop;
  for (std::size_t i = 0; i < n; ++i) {
    stop();
    const double w = 0.5 - 0.5 * std::cos(2.0 * pi * double(i) / double(n));
    weight += w;
    weight2 += w * w;
    x[i] = w * (signal[i] - mean);
    s.variance += (signal[i] - mean) * (signal[i] - mean) / double(n);
  }
  fourier(x);
  s.resolution = 1.0 / (step * double(n));
  for (std::size_t i = 0; i <= n / 2; ++i) {
    stop();
    const double size = std::abs(x[i]), sides = i == 0 || 2 * i == n ? 1.0 : 2.0;
    s.frequency.push_back(double(i) * s.resolution);
    s.amplitude.push_back(sides * size / weight);
    s.power.push_back(sides * size * size * step / weight2);
  }
  find_peaks(s, named, options);
  return s;
}

}  // namespace bristle
