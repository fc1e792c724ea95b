// SPDX-License-Identifier: MIT
#include "bristle/analysis/motion_kind.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bristle/analysis/loop.hpp"
#include "bristle/model/field.hpp"
#include "bristle/solve/stop_look.hpp"

namespace bristle {
namespace {

double width_of(std::span<const double> x) {
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  return x.empty() ? 0.0 : *most - *least;
}

// The number of beats after which the section repeats, 0 if it does not.
int repeats(const Section& s, double x_same, double y_same, int longest) {
  const std::size_t n = s.x.size();
  for (int k = 1; k <= longest && std::size_t(2 * k) <= n; ++k) {
    bool same = true;
    for (std::size_t i = n - std::min(n, std::size_t(std::max(2 * k, 16)));
         same && i + std::size_t(k) < n; ++i)
      same = std::abs(s.x[i] - s.x[i + std::size_t(k)]) <= x_same &&
             std::abs(s.y[i] - s.y[i + std::size_t(k)]) <= y_same;
    if (same) return k;
  }
  return 0;
}

}  // namespace

Section strobe(std::span<const double> time, std::span<const double> x, std::span<const double> y,
               double beat, double from) {
  Section s;
  if (time.size() < 4) return s;
  const double step = (time.back() - time.front()) / double(time.size() - 1);
  if (!(beat >= 2.0 * step))
    throw InvalidInput("beat", "a drive period of " + words(beat) +
                                   " s cannot be resolved by samples " + words(step) +
                                   " s apart, it must be at least " + words(2.0 * step) + " s");
  // On the grid of the beat, so that sections of different runs compare.
  for (double k = std::ceil((std::max(from, time.front()) - 1e-9 * beat) / beat);; k += 1.0) {
    const double t = k * beat;
    if (t > time.back() * (1.0 + 1e-12)) break;
    const double at = std::clamp(t, time.front(), time.back());
    s.time.push_back(at);
    s.x.push_back(sample_at(time, x, at));
    s.y.push_back(sample_at(time, y, at));
  }
  return s;
}

Section upward_crossings(std::span<const double> time, std::span<const double> x,
                         std::span<const double> y) {
  Section s;
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (!(y[i - 1] < 0.0 && y[i] >= 0.0)) continue;
    const double part = y[i - 1] / (y[i - 1] - y[i]);
    s.time.push_back(time[i - 1] + part * (time[i] - time[i - 1]));
    s.x.push_back(sample_at(time, x, s.time.back()));
    s.y.push_back(0.0);
  }
  return s;
}

std::string_view words(MotionKind kind) {
  static constexpr std::string_view names[]{"rest", "periodic", "quasi-periodic", "chaotic",
                                            "unclear"};
  return names[int(kind)];
}

double chaos_test(std::span<const double> series) {
  const std::size_t n = series.size();
  if (n < 20) return 0.0;
  double mean = 0.0;
  for (const double x : series) mean += x / double(n);
  const std::size_t lags = n / 10;
  std::vector<double> all, p(n), q(n), spread(lags), time(lags);
  StopLook stop;
  // Frequencies spread evenly by the golden section, away from the resonances at 0 and pi.
  for (int j = 0; j < 100; ++j) {
    const double part = std::fmod(0.6180339887498949 * (j + 1), 1.0);
    const double c = std::numbers::pi * (0.2 + 0.6 * part);
    double sum_p = 0.0, sum_q = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      sum_p += (series[i] - mean) * std::cos(c * double(i + 1));
      sum_q += (series[i] - mean) * std::sin(c * double(i + 1));
      p[i] = sum_p, q[i] = sum_q;
    }
    double mt = 0.0, ms = 0.0;
    for (std::size_t lag = 1; lag <= lags; ++lag) {
      stop();
      double sum = 0.0;
      for (std::size_t i = 0; i + lags < n; ++i)
        sum +=
            (p[i + lag] - p[i]) * (p[i + lag] - p[i]) + (q[i + lag] - q[i]) * (q[i + lag] - q[i]);
      spread[lag - 1] = sum / double(n - lags);
      time[lag - 1] = double(lag);
      mt += double(lag) / double(lags);
      ms += spread[lag - 1] / double(lags);
    }
    double tt = 0.0, ss = 0.0, ts = 0.0;
    for (std::size_t i = 0; i < lags; ++i) {
      tt += (time[i] - mt) * (time[i] - mt);
      ss += (spread[i] - ms) * (spread[i] - ms);
      ts += (time[i] - mt) * (spread[i] - ms);
    }
    all.push_back(ss > 0.0 ? ts / std::sqrt(tt * ss) : 0.0);
  }
  std::nth_element(all.begin(), all.begin() + 50, all.end());
  return all[50];
}

MotionVerdict classify_motion(const Section& s, const MotionOptions& o) {
  MotionVerdict v;
  if (s.x.size() < 4) return v;
  const double width = std::max(width_of(s.x), o.width), tall = width_of(s.y);
  if (width == 0.0 && tall == 0.0) {
    v.kind = o.width > 0.0 ? MotionKind::periodic : MotionKind::rest;
    v.beats = 1;
    return v;
  }
  // Against its own size a section of one point has no width: then the motion around it counts.
  const double most = std::max(std::abs(*std::max_element(s.x.begin(), s.x.end())),
                               std::abs(*std::min_element(s.x.begin(), s.x.end())));
  const double x_same = o.same * std::max(width, o.width > 0.0 ? 0.0 : 1e-3 * most);
  double fastest = 0.0;
  for (const double y : s.y) fastest = std::max(fastest, std::abs(y));
  const double y_same = o.same * std::max(tall, fastest) + 1e-300;
  if (const int k = repeats(s, x_same, y_same, o.longest); k > 0) {
    v.kind = MotionKind::periodic;
    v.beats = k;
    return v;
  }
  if (s.x.size() < o.enough) return v;
  v.chaos = chaos_test(s.x);
  v.kind = v.chaos >= o.chaos ? MotionKind::chaotic : MotionKind::quasi_periodic;
  return v;
}

}  // namespace bristle
