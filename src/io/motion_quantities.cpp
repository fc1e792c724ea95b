// SPDX-License-Identifier: MIT
// What the motion of an oscillator is: peaks of its spectrum, its kind, its exponent, and whether
// its friction is sensitive to it.
#include <numbers>

#include "bristle/analysis/loop.hpp"
#include "bristle/analysis/lyapunov.hpp"
#include "bristle/analysis/motion_kind.hpp"
#include "bristle/analysis/sensitivity.hpp"
#include "bristle/analysis/spectrum.hpp"
#include "quantities.hpp"

namespace bristle::io {
namespace {

const Signal* drive_of(const Case& c) {
  return c.as<Rig>() || c.as<BaseExcitedMass>() ? signal_of(*c.mechanism) : nullptr;
}

// A peak of the position, counted from the largest.
template <class F>
CaseQuantity of_peak(const F& pick) {
  return [pick](const Case& c, const CaseResult& r, double number) -> Measured {
    if (!oscillates(c)) return {};
    const auto time = column(c, r, "time");
    if (time.size() < 16) return {};
    try {
      const Spectrum s = spectrum(time, column(c, r, "position"), named_frequencies(c));
      return counted(s.peaks, std::max(number, 1.0), pick);
    } catch (const InvalidInput&) {  // uneven samples, or too few to see the frequency of the drive
      return {};
    }
  };
}

// The kind of the motion by its section, from a part of the record on.
MotionVerdict motion_of(const Case& c, const CaseResult& r) {
  const auto time = column(c, r, "time"), x = column(c, r, "position");
  MotionOptions o;
  const Range range = range_of(x);
  o.width = range.most - range.least;
  return classify_motion(strobe(time, x, column(c, r, "velocity"), c.beat, time.front()), o);
}

template <class F>
CaseQuantity of_motion(const F& pick) {
  return [pick](const Case& c, const CaseResult& r, double) -> Measured {
    if (!oscillates(c) || !(c.beat > 0.0)) return {};
    const auto time = column(c, r, "time");
    if (time.size() < 16 || 2.0 * (time[1] - time[0]) > c.beat) return {};
    return pick(motion_of(c, r));
  };
}

Sensitivity sensitivity_of(const Case& c) {
  SensitivityOptions o;
  if (!c.law->single() && c.law->by_load()) o.load = load_of(c);
  return classify_sensitivity(*c.law, o);
}

}  // namespace

bool oscillates(const Case& c) { return drive_of(c) != nullptr && c.kind != CaseKind::steady; }

std::vector<double> named_frequencies(const Case& c) {
  const Signal* s = drive_of(c);
  std::vector<double> f;
  if (!s) return f;
  const double turn = 2.0 * std::numbers::pi;
  if (s->shape == Signal::duffing && s->motion) f.push_back(s->motion->frequency() / turn);
  if ((s->shape == Signal::sine || s->shape == Signal::two_sines) && s->frequency > 0.0)
    f.push_back(s->frequency / turn);
  if (s->shape == Signal::two_sines && s->second_frequency > 0.0)
    f.push_back(s->second_frequency / turn);
  return f;
}

void add_motion_quantities(std::map<std::string, CaseQuantity>& q) {
  q["peak_frequency"] = of_peak([](const SpectrumPeak& p) { return p.frequency; });
  q["peak_amplitude"] = of_peak([](const SpectrumPeak& p) { return p.amplitude; });
  q["peak_name"] = of_peak(
      [](const SpectrumPeak& p) { return p.name.empty() ? std::string("unnamed") : p.name; });
  q["dominant_peaks"] = [](const Case& c, const CaseResult& r, double) -> Measured {
    if (!oscillates(c)) return {};
    const auto time = column(c, r, "time");
    if (time.size() < 16) return {};
    try {
      return double(spectrum(time, column(c, r, "position")).dominant());
    } catch (const InvalidInput&) {
      return {};
    }
  };
  q["motion"] = of_motion([](const MotionVerdict& v) { return std::string(words(v.kind)); });
  q["motion_beats"] = of_motion(
      [](const MotionVerdict& v) { return v.beats > 0 ? Measured(double(v.beats)) : Measured{}; });
  q["chaos"] = of_motion([](const MotionVerdict& v) { return v.chaos; });
}

void add_long_motion_quantities(std::map<std::string, CaseQuantity>& q) {
  q["lyapunov"] = [](const Case& c, const CaseResult&, double) -> Measured {
    if (!body_on_base(c) || !(c.beat > 0.0)) return {};
    const double reach = std::max(std::abs(drive_of(c)->scale()), 1e-6);
    return largest_exponent(machine_of(c), c.beat, reach, c.options.tolerance,
                            {.transient = 40, .beats = 200})
        .exponent;
  };
  q["sensitive"] = [](const Case& c, const CaseResult&, double) -> Measured {
    if (!c.law) return {};
    return std::string(sensitivity_of(c).sensitive ? "sensitive" : "insensitive");
  };
  q["sensitivity"] = [](const Case& c, const CaseResult&, double) -> Measured {
    if (!c.law) return {};
    return sensitivity_of(c).difference;
  };
}

}  // namespace bristle::io
