// SPDX-License-Identifier: MIT
// Units of measured columns and of parameters: one table, one parser.
//
// A unit is a product of powers of known units: mm, m/s, m/s^2, m_s2 is not one, N m, N·mm, kN m,
// 1/(N m), oz-in. Factors lead to SI. An angle counts as a base quantity of its own, so that rad is
// distinct from a plain number and N m/rad from N m. Units with an offset (°C) are known as
// differences only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bristle::io {

// Exponents of the base quantities.
struct Dimension {
  int length = 0, mass = 0, time = 0, current = 0, temperature = 0, angle = 0;

  friend bool operator==(const Dimension&, const Dimension&) = default;
};
Dimension operator*(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, int exponent);

struct Unit {
  std::string text;     // as written
  double factor = 1.0;  // to SI
  Dimension dimension;
};

// Empty if the text is no unit. Micro may be u, µ or μ; degrees deg or °.
std::optional<Unit> parse_unit(std::string_view text);

// A quantity that has a name, with its unit in SI: "velocity", "m/s".
struct Quantity {
  std::string_view name, unit;
  Dimension dimension;
};
// "force (N)"; a quantity without a name is "neither force nor ..." never: it is "another
// quantity".
const std::vector<Quantity>& quantities();
std::string quantity_of(const Dimension& dimension);

// The usual units, as people write them, grouped by quantity in the order of quantities().
const std::vector<std::string>& usual_units();
// Those of a dimension, with commas between: "mm, um, in".
std::string usual_units_of(const Dimension& dimension);

// The unit of a dimension in SI, "" if the quantity has no name.
std::string si_unit(const Dimension& dimension);

// One known unit by its name, without prefix; of use to the parser.
struct KnownUnit {
  std::string_view name;
  std::vector<std::string_view> aliases;
  double factor;
  Dimension dimension;
  std::string_view prefixes;  // those that make sense
};
const std::vector<KnownUnit>& known_units();

inline constexpr double standard_gravity = 9.80665;  // [m/s2]

}  // namespace bristle::io
