// SPDX-License-Identifier: MIT
// Verdicts on the facts of an experiment: the reference, ours, the tolerance, and how it came out.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "bristle/io/fact_kind.hpp"
#include "bristle/io/measure.hpp"

namespace bristle::io {

struct Verdict {
  std::string experiment, document, figure, label, key, source, choice;
  FactKind kind = FactKind::check;
  Outcome outcome = Outcome::undefined;
  std::string reference;    // in words: what it has to be
  std::string ours;         // in words
  std::string other;        // the case it is compared with, empty if there is none
  std::string unit;         // of the quantity, empty if it has none
  std::string tolerance;    // in words: "± 1e-09 m", "± 0.5 %", "exact"
  double relative = NAN;    // of the reference; NaN where only an absolute distance counts
  double absolute = NAN;    // how far ours may be from the reference; NaN for words and bounds
  double difference = NAN;  // how far ours is from the reference; NaN for words and bounds
  std::string why;          // why the tolerance is as wide as it is
  std::string differs;      // why it is missed, where that is known

  // The reference with its unit.
  std::string reference_in_unit() const {
    return unit.empty() || !other.empty() ? reference : reference + " " + unit;
  }
  // "reproduced", "agrees", "passes" and the like, by kind.
  std::string verdict() const { return std::string(verdict_words(kind, outcome)); }
  bool met() const { return outcome == Outcome::met || outcome == Outcome::met_with_choice; }
  // Neither met nor explained.
  bool missed() const { return !met() && differs.empty(); }
};

// Judges all expectations of an experiment; results belong to the cases in order.
std::vector<Verdict> judge(const Experiment& experiment, const std::vector<CaseResult>& results);

// The unit of a quantity of a case, empty if it has none.
std::string quantity_unit(const Case& c, const CaseResult& result, const std::string& quantity,
                          const Argument& argument = {});
// What is in brackets at the end of the label of an axis.
std::string unit_in(const std::string& label);

}  // namespace bristle::io
