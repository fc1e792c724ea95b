// SPDX-License-Identifier: MIT
#include "bristle/io/verdict_json.hpp"

#include <nlohmann/json.hpp>

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

// JSON has no NaN: what is not there is null.
ordered_json number(double x) { return std::isfinite(x) ? ordered_json(x) : ordered_json(nullptr); }
double number_from(const ordered_json& j) { return j.is_null() ? NAN : j.get<double>(); }

}  // namespace

ordered_json as_json(const Verdict& v) {
  return {{"case", v.label},
          {"key", v.key},
          {"kind", info(v.kind).key},
          {"reference", v.reference},
          {"compared_with", v.other},
          {"ours", v.ours},
          {"unit", v.unit},
          {"tolerance", v.tolerance},
          {"relative_tolerance", number(v.relative)},
          {"absolute_tolerance", number(v.absolute)},
          {"difference", number(v.difference)},
          {"verdict", v.verdict()},
          {"source", v.source},
          {"choice", v.choice},
          {"why", v.why},
          {"differs", v.differs}};
}

Verdict verdict_from(const ordered_json& j) {
  Verdict v;
  v.label = j.at("case");
  v.key = j.at("key");
  v.kind = fact_kind(j.at("kind").get<std::string>()).value();
  v.reference = j.at("reference");
  v.other = j.at("compared_with");
  v.ours = j.at("ours");
  v.unit = j.at("unit");
  v.tolerance = j.at("tolerance");
  v.relative = number_from(j.at("relative_tolerance"));
  v.absolute = number_from(j.at("absolute_tolerance"));
  v.difference = number_from(j.at("difference"));
  v.source = j.at("source");
  v.choice = j.at("choice");
  v.why = j.at("why");
  v.differs = j.at("differs");
  const std::string verdict = j.at("verdict");
  for (const Outcome o :
       {Outcome::undefined, Outcome::missed, Outcome::met_with_choice, Outcome::met})
    if (verdict_words(v.kind, o) == verdict) v.outcome = o;
  return v;
}

}  // namespace bristle::io
