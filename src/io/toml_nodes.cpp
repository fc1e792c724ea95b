// SPDX-License-Identifier: MIT
#include "toml_nodes.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "bristle/io/errors.hpp"
#include "bristle/io/files.hpp"
#include "shown.hpp"

namespace bristle::io {

double number_in(const toml::node& node) {
  if (const auto* whole = node.as_integer()) return double(whole->get());
  return node.as_floating_point()->get();
}

std::string Nodes::at(const toml::node& node) const {
  return path_ + ":" + std::to_string(node.source().begin.line);
}

void Nodes::refuse_key(const toml::node& node, std::string_view key, std::string_view owner,
                       const std::vector<std::string>& known) const {
  const std::string near = nearest(key, known);
  constexpr std::size_t most = 60;  // of them a sentence may list
  std::string all;
  for (std::size_t i = 0; i < std::min(most, known.size()); ++i)
    all += (i == 0 ? "" : ", ") + known[i];
  if (known.size() > most) all += " and " + std::to_string(known.size() - most) + " more";
  throw InputError(at(node) + ": unknown key '" + shown(key) + "' in " + std::string(owner) +
                   (near.empty() ? "" : ", did you mean '" + near + "'?") + " (known: " + all +
                   ")");
}

const toml::table& Nodes::table(const toml::node& node, std::string_view key) const {
  if (const auto* t = node.as_table()) return *t;
  throw InputError(at(node) + ": '" + std::string(key) + "' must be a table");
}

std::string Nodes::text(const toml::node& node, std::string_view key) const {
  if (const auto value = node.value_exact<std::string>()) return *value;
  throw InputError(at(node) + ": " + std::string(key) + " must be a text in quotes");
}

double Nodes::number(const toml::node& node, std::string_view key) const {
  if (node.is_number() && std::isfinite(number_in(node))) return number_in(node);
  throw InputError(at(node) + ": " + std::string(key) + " must be a finite number");
}

double Nodes::distance(const toml::node& node, std::string_view key) const {
  const double value = number(node, key);
  if (value >= 0.0) return value;
  throw InputError(at(node) + ": " + std::string(key) + " = " + words(value) +
                   " must be at least 0");
}

// Which one, counted from the first.
double Nodes::ordinal(const toml::node& node, std::string_view key) const {
  const double value = number(node, key);
  if (value >= 1.0 && value <= 1e9 && value == std::floor(value)) return value;
  throw InputError(
      at(node) + ": " + std::string(key) + " = " + words(value) +
      " must be a whole number of at least 1 and at most 1e9 (time, velocity, input and "
      "frequency say where a quantity is taken)");
}

bool Nodes::flag(const toml::node& node, std::string_view key) const {
  if (const auto value = node.value_exact<bool>()) return *value;
  throw InputError(at(node) + ": " + std::string(key) + " must be true or false");
}

const toml::array& Nodes::list(const toml::node& node, std::string_view key) const {
  if (const auto* a = node.as_array()) return *a;
  throw InputError(at(node) + ": '" + std::string(key) + "' must be a list, written [[" +
                   std::string(key) + "]]");
}

Entry Nodes::entry(const toml::node& node, std::string_view key) const {
  if (node.is_number()) return {number_in(node), at(node)};
  if (node.is_string()) return {*node.value<std::string>(), at(node)};
  if (const auto* a = node.as_array()) {
    std::vector<double> numbers;
    for (const auto& one : *a) numbers.push_back(number(one, key));
    return {std::move(numbers), at(node)};
  }
  throw InputError(at(node) + ": " + std::string(key) +
                   " must be a number, a text in quotes or a list of numbers");
}

Section Nodes::section(const toml::table& source) const {
  Section section;
  for (const auto& [key, node] : source) section[std::string(key.str())] = entry(node, key.str());
  return section;
}

// A name that stays inside the result directory.
std::string Nodes::file_name(const toml::node& node, std::string_view key) const {
  const std::string name = text(node, key);
  if (name.starts_with("animation"))
    throw InputError(at(node) + ": " + std::string(key) + " = \"" + shown(name) +
                     "\" is the name of the moving picture, choose another");
  if (is_plain_name(name)) return name;
  throw InputError(at(node) + ": " + std::string(key) + " = \"" + shown(name) +
                   "\" must be the name of a file: at most 100 letters, digits, '_', '-' and '.', "
                   "the first a letter, a digit or '_'");
}

std::string Nodes::range(const toml::node& node, std::string_view key) const {
  const std::string given = text(node, key);
  const auto colon = given.find(':');
  const auto end = [](const std::string& side) {
    double value = 0.0;
    const char* const last = side.data() + side.size();
    const auto read = std::from_chars(side.data(), last, value);
    return side.empty() || side == "*" ||
           (read.ec == std::errc() && read.ptr == last && std::isfinite(value));
  };
  if (colon != std::string::npos && end(given.substr(0, colon)) && end(given.substr(colon + 1)))
    return given;
  throw InputError(at(node) + ": " + std::string(key) + " = \"" + shown(given) +
                   "\" must have the form low:high, each a finite number, * or nothing");
}

}  // namespace bristle::io
