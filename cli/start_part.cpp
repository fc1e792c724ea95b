// SPDX-License-Identifier: MIT
#include "start_part.hpp"

#include <algorithm>
#include <set>

#include "bristle/io/errors.hpp"
#include "bristle/io/part.hpp"

namespace bristle::cli {
namespace {

// What was said about parameters on the command line, by name.
std::set<std::string> names_given(const FitArguments& a) {
  std::set<std::string> names;
  for (const auto* all : {&a.fix, &a.guess, &a.free})
    for (const auto& text : *all) names.insert(text.substr(0, text.find('=')));
  return names;
}

void take_parameter(const io::PartParameter& p, FitArguments& a) {
  const std::string text = p.name + "=" + words(p.value);
  if (!p.fitted) {
    a.fix.push_back(text);
    return;
  }
  // What is beside the law is found from any start.
  if (p.of == "dependence") {
    a.guess.push_back(text);
    return;
  }
  if (p.of == "bias") {
    a.offset = a.offset || p.name == "offset";
    a.asymmetric = a.asymmetric || p.name == "asymmetry";
    return;
  }
  a.guess.push_back(text);
  a.free.push_back(p.name);  // some are held unless asked for; of the others this says nothing new
}

}  // namespace

FitArguments with_start(FitArguments a) {
  if (a.start.empty()) return a;
  const io::Part part = io::read_part(a.start);
  const std::string where = "--start " + a.start + ": ";
  if (part.kind == "system")
    throw io::InputError(where + "is the part of the operator " + part.system +
                         ", no law to begin a fit with: bristle loop fits operators");
  if ((part.kind == "machine") == a.machine.empty())
    throw io::InputError(where + "is the part of a " + part.kind + ", which " +
                         (a.machine.empty() ? "needs --machine" : "--machine has no use for"));
  if (part.kind == "law" && a.model.empty()) a.model = part.law;
  if (part.kind == "law" && a.model != part.law)
    throw io::InputError(where + "is of the law " + part.law + ", not of " + a.model);
  if (a.depends.empty())
    for (const io::PartDependence& d : part.depends)
      a.depends.push_back(d.parameter + "=" + d.column + ":" + std::string(word_of(d.form)));
  const auto given = names_given(a);
  const bool chosen = part.kind == "machine" && !a.free.empty();
  for (const auto& [name, value] : part.choices)
    if (!given.contains(name)) a.fix.push_back(name + "=" + words(value));
  for (const io::PartParameter& p : part.parameters) {
    a.backlash = a.backlash || (p.name == backlash_name && p.fitted);
    const bool other = p.of == "terms" || (p.of == "mechanism" && part.mechanism != a.mechanism);
    if (other || given.contains(p.name)) continue;
    // Of a machine, where some parameters are named, the others stay as they were found.
    io::PartParameter taken = p;
    if (chosen) taken.fitted = false;
    take_parameter(taken, a);
  }
  if (chosen)
    for (const auto& name : a.free)
      if (const auto* p = part.find(name))
        if (std::none_of(a.guess.begin(), a.guess.end(),
                         [&](const auto& text) { return text.starts_with(name + "="); }))
          a.guess.push_back(name + "=" + words(p->value));
  return a;
}

}  // namespace bristle::cli
