// SPDX-License-Identifier: MIT
// Units as people write them.
//
//   unit    = factor { ("*" | "/" | " ") factor }      a slash divides by the next factor only
//   factor  = ( name | "1" | "(" unit ")" ) [ "^" ] [ "-" ] digits
//   name    = [ prefix ] known unit, or a force and a length in one word: mNm, Ncm
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "bristle/io/units.hpp"

namespace bristle::io {
namespace {

struct Spelling {
  std::string_view from, to;
};

// Signs beyond ASCII, the longer first.
constexpr std::array spellings{
    Spelling{"°C", "degC"}, Spelling{"℃", "degC"}, Spelling{"°", "deg"}, Spelling{"µ", "u"},
    Spelling{"μ", "u"},     Spelling{"·", "*"},    Spelling{"⋅", "*"},   Spelling{"×", "*"},
    Spelling{"∙", "*"},     Spelling{"⁻", "^-"},   Spelling{"¹", "1"},   Spelling{"²", "2"},
    Spelling{"³", "3"},     Spelling{"−", "-"},    Spelling{"Ω", "ohm"}, Spelling{"Ω", "ohm"},
    Spelling{"″", "in"},    Spelling{"\"", "in"},  Spelling{"**", "^"},  Spelling{"\u00a0", " "}};

std::string in_ascii(std::string_view text) {
  std::string plain;
  const auto usual = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != '"' && c != '*';
  };
  while (!text.empty()) {
    if (usual(text.front())) {
      plain += text.front(), text.remove_prefix(1);
      continue;
    }
    const auto found = std::find_if(spellings.begin(), spellings.end(),
                                    [&](const Spelling& s) { return text.starts_with(s.from); });
    if (found != spellings.end()) plain += found->to, text.remove_prefix(found->from.size());
    else plain += text.front(), text.remove_prefix(1);
  }
  return plain;
}

double prefix_factor(char prefix) {
  switch (prefix) {
    case 'n': return 1e-9;
    case 'u': return 1e-6;
    case 'm': return 1e-3;
    case 'c': return 1e-2;
    case 'd': return 1e-1;
    case 'h': return 1e2;
    case 'k': return 1e3;
    case 'M': return 1e6;
    default: return 1e9;
  }
}

struct UnitPiece {
  double factor = 1.0;
  Dimension dimension{};

  // Powers of powers soon leave the range of numbers; no unit in use comes near this.
  bool sensible() const {
    const auto& d = dimension;
    const auto moderate = [](int exponent) { return exponent >= -99 && exponent <= 99; };
    return std::isfinite(factor) && factor > 0.0 && moderate(d.length) && moderate(d.mass) &&
           moderate(d.time) && moderate(d.current) && moderate(d.temperature) && moderate(d.angle);
  }
};

std::string small(std::string_view word) {
  std::string s(word);
  for (char& c : s)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return s;
}

// What a word can be, the first unit of the list first.
struct Words {
  using Parts = std::map<std::string, UnitPiece, std::less<>>;
  Parts exact;              // names, with and without a prefix
  Parts any_case;           // names of three letters and more and their aliases, in small letters
  Parts aliases;            // as they are in the list
  std::size_t longest = 0;  // of all of them

  Words() {
    const auto add = [&](Parts& parts, const std::string& word, double factor, const KnownUnit& u) {
      parts.emplace(word, UnitPiece{factor, u.dimension});
      longest = std::max(longest, word.size());
    };
    for (const KnownUnit& u : known_units()) {
      const std::string name(u.name);
      add(exact, name, u.factor, u);
      for (const char prefix : u.prefixes)
        add(exact, prefix + name, prefix_factor(prefix) * u.factor, u);
      if (name.size() > 2) add(any_case, small(name), u.factor, u);
      for (const auto alias : u.aliases) {
        add(any_case, std::string(alias), u.factor, u);
        add(aliases, std::string(alias), u.factor, u);
      }
    }
  }

  static std::optional<UnitPiece> find(const Parts& parts, std::string_view word) {
    const auto at = parts.find(word);
    return at == parts.end() ? std::nullopt : std::optional(at->second);
  }
};

const Words& known_words() {
  static const Words all;
  return all;
}

std::optional<UnitPiece> one_unit(std::string_view word) {
  if (word.size() > known_words().longest) return std::nullopt;
  if (const auto one = Words::find(known_words().exact, word)) return one;
  // Words of three letters and more may be written in any case: RPM, Sec, Volts.
  return word.size() < 3 ? std::nullopt : Words::find(known_words().any_case, small(word));
}

std::optional<UnitPiece> named(std::string_view word) {
  if (word.size() > 2 * known_words().longest) return std::nullopt;
  if (const auto one = one_unit(word)) return one;
  if (const auto alias = Words::find(known_words().aliases, word)) return alias;
  // A force and a length in one word.
  static const Dimension force = one_unit("N")->dimension, length = one_unit("m")->dimension;
  for (std::size_t cut = 1; cut < word.size(); ++cut) {
    const auto left = one_unit(word.substr(0, cut)), right = one_unit(word.substr(cut));
    if (left && right && left->dimension == force && right->dimension == length)
      return UnitPiece{left->factor * right->factor, force * length};
  }
  return std::nullopt;
}

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  std::optional<UnitPiece> whole() {
    const auto all = product();
    skip();
    return rest_.empty() ? all : std::nullopt;
  }

 private:
  std::string_view rest_;
  int depth_ = 0;

  void skip() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<UnitPiece> product() {
    auto all = factor();
    while (all) {
      skip();
      if (rest_.empty() || rest_.front() == ')') break;
      int side = 1;
      // A hyphen stands for a product between names only: oz-in.
      if (take('/')) side = -1;
      else if (!take('*') && !take('.')) take('-');
      if (rest_.starts_with("per ")) rest_.remove_prefix(4), side = -1;
      const auto next = factor();
      if (!next) return std::nullopt;
      all->factor *= side > 0 ? next->factor : 1.0 / next->factor;
      all->dimension = all->dimension * power(next->dimension, side);
      if (!all->sensible()) return std::nullopt;
    }
    return all;
  }

  std::optional<UnitPiece> factor() {
    skip();
    std::optional<UnitPiece> base;
    if (take('(')) {
      if (++depth_ > 8) return std::nullopt;
      base = product();
      skip();
      if (!take(')')) return std::nullopt;
      --depth_;
    } else if (take('1')) {
      base = UnitPiece{};
    } else {
      std::size_t end = 0;
      while (end < rest_.size() && letter(rest_[end])) ++end;
      // The zero of g0 belongs to its name.
      if (end == 1 && rest_.starts_with("g0")) end = 2;
      base = named(rest_.substr(0, end));
      rest_.remove_prefix(end);
    }
    return base ? raised(*base) : base;
  }

  std::optional<UnitPiece> raised(UnitPiece base) {
    const bool sign = take('^');
    const bool minus = rest_.size() > 1 && (sign || digit(rest_[1])) && take('-');
    if (rest_.empty() || !digit(rest_.front()))
      return sign || minus ? std::nullopt : std::optional(base);
    const int exponent = (minus ? -1 : 1) * (rest_.front() - '0');
    rest_.remove_prefix(1);
    if (!rest_.empty() && digit(rest_.front())) return std::nullopt;
    const UnitPiece all{std::pow(base.factor, exponent), power(base.dimension, exponent)};
    return all.sensible() ? std::optional(all) : std::nullopt;
  }
};

}  // namespace

std::optional<Unit> parse_unit(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  const std::string plain = in_ascii(text);
  const auto found = Parser(plain).whole();
  if (!found) return std::nullopt;
  return Unit{std::string(text), found->factor, found->dimension};
}

}  // namespace bristle::io
