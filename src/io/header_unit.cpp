// SPDX-License-Identifier: MIT
#include "header_unit.hpp"

#include <algorithm>

#include "bristle/io/column_reading.hpp"

namespace bristle::io {
namespace {

std::string trimmed(const std::string& s) {
  const auto from = s.find_first_not_of(' '), to = s.find_last_not_of(' ');
  return from == s.npos ? "" : s.substr(from, to - from + 1);
}

// A header in two: "Force [kN]" is "Force" and "kN".
struct Halves {
  std::string stem, unit;
};

Halves bracketed(const std::string& name, char open, char close) {
  const auto at = name.rfind(open);
  if (at == name.npos || at == 0 || name.back() != close) return {name, ""};
  return {trimmed(name.substr(0, at)), trimmed(name.substr(at + 1, name.size() - at - 2))};
}

Halves behind(const std::string& name, std::size_t at) {
  if (at == name.npos || at == 0) return {name, ""};
  return {trimmed(name.substr(0, at)), trimmed(name.substr(at + 1))};
}

std::vector<std::string> words_in(const std::string& name, std::vector<std::size_t>& begins) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < name.size();) {
    const auto end = std::min(name.find_first_of("_ ", at), name.size());
    if (end > at) words.push_back(name.substr(at, end - at)), begins.push_back(at);
    at = end + 1;
  }
  return words;
}

// Words with other meanings: single letters, and min for the least of something.
bool ambiguous(const std::string& word) {
  static const std::vector<std::string> others{"in",    "min",    "rev", "turn",
                                               "turns", "second", "mil", "h"};
  return word.size() == 1 || std::find(others.begin(), others.end(), word) != others.end();
}

struct Ending {
  Unit unit;
  bool certain;
  std::size_t begin;  // in the name
};

// The units that the last words of a name may be: of three, two and one of them.
std::vector<Ending> endings(const std::string& name) {
  std::vector<Ending> found;
  std::vector<std::size_t> begins;
  const auto words = words_in(name, begins);
  for (std::size_t count = std::min<std::size_t>(3, words.size() - (words.empty() ? 0 : 1));
       count > 0; --count) {
    const std::size_t first = words.size() - count;
    // The last word divides, as in rad_s, or multiplies, as in N_m.
    for (const char* last : {"/", " "}) {
      std::string text = words[first];
      bool per = false;
      for (std::size_t i = first + 1; i < words.size(); ++i) {
        if (words[i] == "per") {
          per = true;
          continue;
        }
        text += (per || i + 1 == words.size() ? (per ? "/" : last) : " ") + words[i];
        per = false;
      }
      if (const auto unit = parse_unit(text); unit && !per)
        found.push_back({*unit, count > 1 ? false : !ambiguous(words.back()), begins[first]});
      if (count == 1) break;
    }
  }
  return found;
}

}  // namespace

HeaderUnits header_units(const std::string& name) {
  HeaderUnits found;
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}}) {
    const Halves h = bracketed(name, open, close);
    if (h.unit.empty()) continue;
    if (const auto unit = parse_unit(h.unit)) return {{{*unit, true}}, ""};
    if (open == '[' && h.unit != "-") found.unknown = h.unit;
  }
  if (const Halves h = behind(name, name.rfind(',')); !h.unit.empty())
    if (const auto unit = parse_unit(h.unit)) return {{{*unit, true}}, ""};
  for (const Ending& e : endings(name)) found.units.push_back({e.unit, e.certain});
  if (const Halves h = behind(name, name.find('/')); !h.unit.empty())
    if (const auto unit = parse_unit(h.unit)) found.units.push_back({*unit, true});
  return found;
}

std::string stem_of(const std::string& name) {
  std::string stem = name;
  for (const auto& [open, close] : {std::pair{'[', ']'}, std::pair{'(', ')'}})
    if (const Halves h = bracketed(name, open, close); !h.unit.empty()) stem = h.stem;
  if (const Halves h = behind(stem, stem.rfind(',')); parse_unit(h.unit)) stem = h.stem;
  if (const Halves h = behind(stem, stem.find('/')); parse_unit(h.unit)) stem = h.stem;
  if (const auto found = endings(stem); !found.empty()) {
    stem = stem.substr(0, found.front().begin);
    while (!stem.empty() && (stem.back() == '_' || stem.back() == ' ')) stem.pop_back();
  }
  for (char& c : stem)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return stem;
}

}  // namespace bristle::io
