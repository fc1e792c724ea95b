// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "bristle/io/cancel.hpp"
#include "bristle/io/verdict.hpp"

namespace bristle::io {
namespace {

std::string reference_words(const Expectation& e) {
  if (e.value) return fmt::format("{:.10g}", *e.value);
  if (e.is) return *e.is;
  if (e.relation == "at_most") return fmt::format("at most {:.6g}", e.bound);
  if (e.relation == "at_least") return fmt::format("at least {:.6g}", e.bound);
  if (e.relation == "like") return "the same as " + e.other;
  if (e.relation == "unlike") return "different from " + e.other;
  return (e.relation == "less_than" ? "less than " : "more than ") + e.other;
}

// "0.5 %", "1e-08 (relative)", "1e-09 m": whichever of the two counts, or both.
std::string distance_words(const Expectation& e, const std::string& unit) {
  std::string words;
  if (e.tolerance >= 1e-4) words = fmt::format("{:.4g} %", 100.0 * e.tolerance);
  else if (e.tolerance > 0.0) words = fmt::format("{:.3g} (relative)", e.tolerance);
  if (e.within > 0.0 || e.tolerance == 0.0)
    words += (words.empty() ? "" : " or ") +
             fmt::format("{:.4g}{}{}", e.within, unit.empty() ? "" : " ", unit);
  return words;
}

// A word and a bound are exact; less and more have a margin if one is given.
std::string tolerance_words(const Expectation& e, const std::string& unit) {
  if (e.is) return "exact";
  if (e.relation.starts_with("at_")) return "bound";
  const std::string distance = distance_words(e, unit);
  if (e.value || e.relation == "like") return "± " + distance;
  if (e.relation == "unlike") return "by more than " + distance;
  return e.tolerance > 0.0 || e.within > 0.0 ? "by more than " + distance : "order";
}

// How far ours may be from a reference, or has to be.
double allowed(const Expectation& e, double reference) {
  return std::max(e.within, e.tolerance * std::abs(reference));
}

// The number a fact is compared with; NaN for words and where the other case has none.
double reference_of(const Expectation& e, const Measured& other) {
  if (e.value) return *e.value;
  if (e.relation.starts_with("at_")) return e.bound;
  const auto* number = std::get_if<double>(&other);
  return number ? *number : NAN;
}

// True if the measured quantity is what it has to be; nothing is true of NaN.
bool agrees(const Expectation& e, const Measured& ours, double reference) {
  if (e.is)
    return std::holds_alternative<std::string>(ours) && std::get<std::string>(ours) == *e.is;
  if (!std::holds_alternative<double>(ours) || std::isnan(reference)) return false;
  const double x = std::get<double>(ours), far = allowed(e, reference);
  if (std::isnan(x)) return false;
  if (e.relation == "at_most") return x <= reference;
  if (e.relation == "at_least") return x >= reference;
  if (e.relation == "unlike") return std::abs(x - reference) > far;
  if (e.relation == "less_than") return x < reference - far;
  if (e.relation == "more_than") return x > reference + far;
  return std::abs(x - reference) <= far;
}

// The extremes of a quantity over a sweep; the one that counts for the bound is what is judged.
Measured over_sweep(const Expectation& e, const Experiment& experiment,
                    const std::vector<CaseResult>& results, std::string& words) {
  double least = INFINITY, most = -INFINITY;
  int count = 0;
  for (std::size_t i = 0; i < experiment.cases.size(); ++i) {
    const Case& c = experiment.cases[i];
    if (c.sweep != e.sweep) continue;
    const Measured one =
        results[i].ok(c) ? measure(c, results[i], e.quantity, Argument(e)) : Measured{};
    if (!std::holds_alternative<double>(one)) return {};
    least = std::min(least, std::get<double>(one));
    most = std::max(most, std::get<double>(one));
    ++count;
  }
  if (count == 0) return {};
  words = fmt::format("{:.6g} to {:.6g} over {} values", least, most, count);
  return e.relation == "at_least" ? least : most;
}

// The same quantity of the case a fact compares with.
Measured of_other(const Expectation& e, const Experiment& experiment,
                  const std::vector<CaseResult>& results) {
  if (e.other.empty()) return {};
  for (std::size_t j = 0; j < experiment.cases.size(); ++j)
    if (experiment.cases[j].label == e.other && results[j].ok(experiment.cases[j]))
      return measure(experiment.cases[j], results[j], e.quantity, Argument(e));
  return {};
}

Outcome outcome_of(const Expectation& e, const Measured& ours, double reference) {
  if (std::holds_alternative<std::monostate>(ours)) return Outcome::undefined;
  if (!agrees(e, ours, reference)) return Outcome::missed;
  return e.choice.empty() || e.kind != FactKind::document ? Outcome::met : Outcome::met_with_choice;
}

// The numbers of the tolerance; words and bounds have none.
void put_tolerance(Verdict& v, const Expectation& e, const Measured& ours, double reference) {
  v.tolerance = tolerance_words(e, v.unit);
  if (e.is || e.relation.starts_with("at_")) return;
  if (e.tolerance > 0.0) v.relative = e.tolerance;
  v.absolute = allowed(e, reference);
  if (const auto* x = std::get_if<double>(&ours)) v.difference = std::abs(*x - reference);
}

Verdict judged(const Experiment& experiment, const std::vector<CaseResult>& results, std::size_t i,
               const Expectation& e) {
  const Case& c = experiment.cases[i];
  Verdict v;
  v.experiment = experiment.key;
  v.document = experiment.document;
  v.figure = experiment.figure;
  v.label = e.sweep.empty() ? c.label : e.sweep;
  v.key = e.key;
  v.kind = e.kind;
  v.source = e.source;
  v.choice = e.choice;
  v.why = e.why;
  v.reference = reference_words(e);
  v.other = e.other;
  if (!e.is) v.unit = quantity_unit(c, results[i], e.quantity, Argument(e));
  std::string said;
  Measured ours;
  if (!e.sweep.empty()) ours = over_sweep(e, experiment, results, said);
  else if (results[i].ok(c)) ours = measure(c, results[i], e.quantity, Argument(e));
  const Measured other = of_other(e, experiment, results);
  v.ours = said.empty() ? words(ours) : said;
  if (!e.other.empty()) v.ours += " (" + e.other + ": " + words(other) + ")";
  const double reference = reference_of(e, other);
  put_tolerance(v, e, ours, reference);
  v.outcome = outcome_of(e, ours, reference);
  if (v.outcome == Outcome::missed) v.differs = e.differs;
  return v;
}

}  // namespace

std::vector<Verdict> judge(const Experiment& experiment, const std::vector<CaseResult>& results) {
  std::vector<Verdict> verdicts;
  for (std::size_t i = 0; i < experiment.cases.size(); ++i)
    for (const auto& e : experiment.cases[i].expectations) {
      stop_if_asked();
      verdicts.push_back(judged(experiment, results, i, e));
    }
  return verdicts;
}

}  // namespace bristle::io
