// SPDX-License-Identifier: MIT
#include "bristle/io/part_diff.hpp"

#include <filesystem>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"

namespace bristle::io {
namespace {

// The 97.5 % point of the normal distribution.
constexpr double limit_95 = 1.959963984540054;

PartDifference difference_of(const PartParameter& a, const PartParameter& b) {
  PartDifference d{a.name, a.unit == b.unit ? a.unit : a.unit + " | " + b.unit, a.value, b.value};
  if (a.unit != b.unit) {
    d.significant = true;
    d.verdict = "units differ";
    return d;
  }
  const bool logarithmic = (a.logarithmic || !a.fitted) && (b.logarithmic || !b.fitted) &&
                           (a.fitted || b.fitted) && a.value > 0.0 && b.value > 0.0;
  const auto scaled = [&](double x) { return logarithmic ? std::log(x) : x; };
  const auto spread = [&](const PartParameter& p) {
    return !p.fitted ? 0.0 : logarithmic ? p.deviation / p.value : p.deviation;
  };
  const double both = std::hypot(spread(a), spread(b));
  const double apart = scaled(b.value) - scaled(a.value);
  if (both > 0.0) d.deviations = apart / both;
  d.significant = both > 0.0 ? std::abs(*d.deviations) > limit_95 : a.value != b.value;
  d.verdict = d.significant ? "differs" : "";
  const auto note = [&](const std::string& text) {
    d.verdict += (d.verdict.empty() ? "" : ", ") + text;
  };
  if (!a.fitted && !b.fitted) note("held in both");
  else if (!a.fitted || !b.fitted)
    note(std::string("held in the ") + (a.fitted ? "second" : "first"));
  for (const auto& [p, which] : {std::pair{&a, "first"}, {&b, "second"}}) {
    if (p->at_bound) note(std::string("at a bound in the ") + which);
    else if (!p->determined) note(std::string("not determined in the ") + which);
  }
  return d;
}

PartDifference alone(const PartParameter& p, bool first) {
  PartDifference d{p.name, p.unit};
  (first ? d.one : d.other) = p.value;
  d.significant = true;
  d.verdict = std::string("only in the ") + (first ? "first" : "second");
  return d;
}

}  // namespace

std::vector<PartDifference> part_differences(const Part& one, const Part& other) {
  if (one.kind != other.kind || one.law != other.law)
    throw InputError(
        "the parts are of different things, " + (one.kind == "law" ? one.law : one.kind) + " and " +
        (other.kind == "law" ? other.law : other.kind) + ": their parameters cannot be compared");
  std::vector<PartDifference> all;
  for (const PartParameter& p : one.parameters) {
    const PartParameter* q = other.find(p.name);
    all.push_back(q ? difference_of(p, *q) : alone(p, true));
  }
  for (const PartParameter& q : other.parameters)
    if (!one.find(q.name)) all.push_back(alone(q, false));
  for (const auto& [key, value] : one.choices) {
    const auto there = other.choices.find(key);
    if (there != other.choices.end() && there->second == value) continue;
    const std::string second = there == other.choices.end() ? "none" : words(there->second);
    PartDifference d{key, ""};
    d.significant = true;
    d.verdict = "differs: " + words(value) + " and " + second;
    all.push_back(d);
  }
  return all;
}

std::string data_words(DataState state) {
  switch (state) {
    case DataState::same: return "the file that was fitted";
    case DataState::differs: return "another content than when it was fitted";
    case DataState::absent: return "not found here";
    default: return "has no fingerprint";
  }
}

DataState data_state(const PartData& data, const std::string& part) {
  namespace fs = std::filesystem;
  if (data.fingerprint.empty()) return DataState::unknown;
  std::error_code ignored;
  const fs::path given(data.file);
  fs::path found = given;
  fs::path folder = fs::absolute(part, ignored).parent_path();
  for (int up = 0; up < 4 && !fs::is_regular_file(found, ignored); ++up) {
    found = folder / given;
    folder = folder.parent_path();
  }
  if (!fs::is_regular_file(found, ignored)) return DataState::absent;
  return file_fingerprint(found.string()) == data.fingerprint ? DataState::same
                                                              : DataState::differs;
}

}  // namespace bristle::io
