// SPDX-License-Identifier: MIT
#include "bristle/model/prandtl_ishlinskii.hpp"

#include <cmath>
#include <string>

#include "bristle/model/field.hpp"

namespace bristle {

double Envelope::operator()(double u) const {
  return identity() ? u : scale * std::tanh(rate * u + shift) + level;
}

double Envelope::inverse(double v) const {
  if (identity()) return v;
  const double part = (v - level) / scale;
  if (!(std::abs(part) < 1.0))
    throw InvalidInput("envelope", "the envelope reaches values between " +
                                       words(level - std::abs(scale)) + " and " +
                                       words(level + std::abs(scale)) + ", not " + words(v));
  return (std::atanh(part) - shift) / rate;
}

void PrandtlIshlinskii::check() const {
  if (thresholds.size() != weights.size())
    throw InvalidInput("weights", "there are " + std::to_string(thresholds.size()) +
                                      " thresholds and " + std::to_string(weights.size()) +
                                      " weights, it must be as many of each");
  if (!std::isfinite(direct)) throw InvalidInput("direct", "direct must be a finite number");
  if (!std::isfinite(offset)) throw InvalidInput("offset", "offset must be a finite number");
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    const std::string which = "threshold " + std::to_string(i + 1) + " = " + words(thresholds[i]);
    if (!(thresholds[i] >= 0.0) || !std::isfinite(thresholds[i]))
      throw InvalidInput("thresholds", which + " is not allowed, it must be at least 0");
    if (i > 0 && !(thresholds[i] > thresholds[i - 1]))
      throw InvalidInput("thresholds", which + " must be greater than the one before it, " +
                                           words(thresholds[i - 1]));
    if (!std::isfinite(weights[i]))
      throw InvalidInput("weights", "weight " + std::to_string(i + 1) + " must be a finite number");
  }
  if (!envelope.identity() && !(envelope.scale * envelope.rate > 0.0))
    throw InvalidInput("envelope", "the envelope must rise: scale times rate is " +
                                       words(envelope.scale * envelope.rate) +
                                       ", it must be greater than 0");
}

std::vector<double> PrandtlIshlinskii::slopes() const {
  std::vector<double> all{direct};
  for (const double p : weights) all.push_back(all.back() + p);
  return all;
}

bool PrandtlIshlinskii::invertible() const {
  for (const double slope : slopes())
    if (!(slope > 0.0)) return false;
  return true;
}

PrandtlIshlinskii PrandtlIshlinskii::inverse() const {
  check();
  const auto slope = slopes();
  for (std::size_t i = 0; i < slope.size(); ++i)
    if (!(slope[i] > 0.0))
      throw InvalidInput("weights", "there is no inverse: with " + std::to_string(i) +
                                        " plays moving the slope is " + words(slope[i]) +
                                        ", it must be greater than 0");
  PrandtlIshlinskii other;
  other.direct = 1.0 / direct;
  double shift = 0.0;  // sum of p_j w_j so far
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    // q w_i + sum_{j<i} p_j (w_i - w_j)
    other.thresholds.push_back(slope[i] * thresholds[i] - shift);
    other.weights.push_back(-weights[i] / (slope[i + 1] * slope[i]));
    shift += weights[i] * thresholds[i];
  }
  // Plays move with their input: taking c off the input adds c to every state and takes c off the
  // output as often as all plays together weigh.
  other.offset = -offset / slope.back();
  return other;
}

std::vector<double> PrandtlIshlinskii::inverse_states(const std::vector<double>& states) const {
  const auto slope = slopes();
  std::vector<double> out(states.size());
  double beyond = 0.0;  // sum of p_j x_j for j > i
  for (std::size_t i = states.size(); i-- > 0;) {
    out[i] = slope[i + 1] * states[i] + beyond + offset;
    beyond += weights[i] * states[i];
  }
  return out;
}

PrandtlIshlinskii maxwell_slip(std::vector<double> thresholds,
                               const std::vector<double>& stiffnesses) {
  if (thresholds.size() != stiffnesses.size())
    throw InvalidInput("stiffnesses", "there are " + std::to_string(thresholds.size()) +
                                          " thresholds and " + std::to_string(stiffnesses.size()) +
                                          " stiffnesses, it must be as many of each");
  PrandtlIshlinskii sum;
  sum.direct = 0.0;
  sum.thresholds = std::move(thresholds);
  for (const double k : stiffnesses) {
    sum.direct += k;
    sum.weights.push_back(-k);
  }
  sum.check();
  return sum;
}

MultiplayInverse invert_multiplay(const std::vector<double>& thresholds,
                                  const std::vector<double>& stiffnesses,
                                  std::vector<double> states) {
  const PrandtlIshlinskii plays = maxwell_slip(thresholds, stiffnesses);
  const std::size_t n = thresholds.size();
  if (n == 0) throw InvalidInput("thresholds", "a multiplay needs at least one threshold");
  if (states.empty()) states.assign(n, 0.0);
  if (states.size() != n)
    throw InvalidInput("states", "there are " + std::to_string(n) + " plays and " +
                                     std::to_string(states.size()) + " states");
  std::vector<double> slope(n);  // while the first i plays move: (2.22)
  double rest = 0.0;
  for (std::size_t i = n; i-- > 0;) slope[i] = rest += stiffnesses[i];
  MultiplayInverse out;
  double before = 0.0, reach = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(slope[i] > 0.0))
      throw InvalidInput("stiffnesses", "there is no inverse: with " + std::to_string(i) +
                                            " plays moving the slope is " + words(slope[i]) +
                                            ", it must be greater than 0");
    reach += slope[i] * (thresholds[i] - before);
    before = thresholds[i];
    out.thresholds.push_back(reach);
    out.stiffnesses.push_back(1.0 / slope[i] - (i + 1 < n ? 1.0 / slope[i + 1] : 0.0));
  }
  if (states.back() != 0.0)
    throw InvalidInput("states", "the inverse by slopes needs the widest play at 0, not at " +
                                     words(states.back()));
  out.states = plays.inverse_states(states);
  out.reach = thresholds.back();
  return out;
}

PrandtlIshlinskii exponential_plays(double direct, double rho, double tau, double beta, int n,
                                    const Envelope& envelope) {
  PrandtlIshlinskii sum;
  sum.direct = direct;
  sum.envelope = envelope;
  for (int k = 1; k <= n; ++k) {
    sum.thresholds.push_back(k * beta);
    sum.weights.push_back(rho * std::exp(-tau * k * beta));
  }
  sum.check();
  return sum;
}

}  // namespace bristle
