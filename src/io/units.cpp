// SPDX-License-Identifier: MIT
#include "bristle/io/units.hpp"

#include <algorithm>
#include <numbers>

namespace bristle::io {
namespace {

constexpr Dimension none{}, length{.length = 1}, mass{.mass = 1}, duration{.time = 1},
    current{.current = 1}, temperature{.temperature = 1}, angle{.angle = 1}, frequency{.time = -1},
    velocity{.length = 1, .time = -1}, turning{.time = -1, .angle = 1},
    acceleration{.length = 1, .time = -2}, turning_acceleration{.time = -2, .angle = 1},
    force{.length = 1, .mass = 1, .time = -2}, torque{.length = 2, .mass = 1, .time = -2},
    pressure{.length = -1, .mass = 1, .time = -2},
    power_of_work{.length = 2, .mass = 1, .time = -3},
    voltage{.length = 2, .mass = 1, .time = -3, .current = -1},
    resistance{.length = 2, .mass = 1, .time = -3, .current = -2},
    flux_density{.mass = 1, .time = -2, .current = -1};

}  // namespace

Dimension operator*(const Dimension& a, const Dimension& b) {
  return {a.length + b.length,           a.mass + b.mass,  a.time + b.time, a.current + b.current,
          a.temperature + b.temperature, a.angle + b.angle};
}

Dimension power(const Dimension& a, int n) {
  return {n * a.length, n * a.mass, n * a.time, n * a.current, n * a.temperature, n * a.angle};
}

const std::vector<KnownUnit>& known_units() {
  constexpr double turn = 2.0 * std::numbers::pi, inch = 0.0254, pound = 0.45359237;
  constexpr double pound_force = pound * standard_gravity;
  static const std::vector<KnownUnit> all{
      {"s", {"sec", "secs", "second", "seconds"}, 1.0, duration, "num"},
      {"min", {"minute", "minutes"}, 60.0, duration, ""},
      {"h", {"hr", "hour", "hours"}, 3600.0, duration, ""},
      {"m", {"metre", "metres", "meter", "meters"}, 1.0, length, "numcdk"},
      {"in", {"inch", "inches"}, inch, length, ""},
      {"ft", {"foot", "feet"}, 0.3048, length, ""},
      {"mil", {"thou"}, 1e-3 * inch, length, ""},
      {"rad", {"radian", "radians"}, 1.0, angle, "um"},
      {"deg", {"degs", "degree", "degrees"}, turn / 360.0, angle, "m"},
      {"rev", {"revs", "turn", "turns", "revolution", "revolutions"}, turn, angle, ""},
      {"arcmin", {}, turn / 21600.0, angle, ""},
      {"arcsec", {}, turn / 1296000.0, angle, ""},
      {"rpm", {}, turn / 60.0, turning, ""},
      {"rps", {}, turn, turning, ""},
      {"Hz", {"hertz"}, 1.0, frequency, "mkM"},
      {"gn", {"g0", "gravity"}, standard_gravity, acceleration, ""},
      {"g", {"gram", "grams"}, 1e-3, mass, "umk"},
      {"lb", {"lbs", "lbm", "pound", "pounds"}, pound, mass, ""},
      {"oz", {"ounce", "ounces"}, pound / 16.0, mass, ""},
      {"N", {"newton", "newtons"}, 1.0, force, "numcdkM"},
      {"lbf", {}, pound_force, force, ""},
      {"ozf", {}, pound_force / 16.0, force, ""},
      {"kip", {"kips"}, 1000.0 * pound_force, force, ""},
      {"kgf", {"kp"}, standard_gravity, force, ""},
      {"gf", {}, 1e-3 * standard_gravity, force, ""},
      {"dyn", {"dyne"}, 1e-5, force, ""},
      {"Pa", {"pascal"}, 1.0, pressure, "mhkMG"},
      {"bar", {"bars"}, 1e5, pressure, "m"},
      {"psi", {}, pound_force / (inch * inch), pressure, "k"},
      {"J", {"joule", "joules"}, 1.0, torque, "mk"},
      {"W", {"watt", "watts"}, 1.0, power_of_work, "mk"},
      {"A", {"amp", "amps", "ampere", "amperes"}, 1.0, current, "umk"},
      {"V", {"volt", "volts"}, 1.0, voltage, "umk"},
      {"ohm", {"ohms"}, 1.0, resistance, "mkM"},
      {"T", {"tesla"}, 1.0, flux_density, "um"},
      {"K", {"kelvin"}, 1.0, temperature, "m"},
      {"degC", {"celsius"}, 1.0, temperature, ""},
      {"%", {"percent"}, 0.01, none, ""}};
  return all;
}

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all{{"time", "s", duration},
                                         {"length", "m", length},
                                         {"angle", "rad", angle},
                                         {"velocity", "m/s", velocity},
                                         {"angular velocity", "rad/s", turning},
                                         {"acceleration", "m/s2", acceleration},
                                         {"angular acceleration", "rad/s2", turning_acceleration},
                                         {"force", "N", force},
                                         {"torque", "N m", torque},
                                         {"mass", "kg", mass},
                                         {"pressure", "Pa", pressure},
                                         {"frequency", "Hz", frequency},
                                         {"current", "A", current},
                                         {"voltage", "V", voltage},
                                         {"temperature", "K", temperature},
                                         {"plain number", "", none}};
  return all;
}

const std::vector<std::string>& usual_units() {
  static const std::vector<std::string> all{
      "s",    "ms",   "us",    "min",    "h",      "m",      "cm",     "mm",     "um",     "nm",
      "in",   "ft",   "mil",   "rad",    "mrad",   "deg",    "rev",    "arcmin", "arcsec", "m/s",
      "cm/s", "mm/s", "um/s",  "m/min",  "mm/min", "in/s",   "ft/s",   "rad/s",  "deg/s",  "rev/s",
      "rpm",  "m/s2", "mm/s2", "gn",     "rad/s2", "deg/s2", "N",      "mN",     "uN",     "kN",
      "MN",   "lbf",  "ozf",   "kip",    "kgf",    "gf",     "N m",    "Nm",     "mNm",    "uNm",
      "kNm",  "Ncm",  "Nmm",   "lbf ft", "lbf in", "ozf in", "kgf cm", "kg",     "g",      "lb",
      "oz",   "Pa",   "kPa",   "MPa",    "bar",    "psi",    "Hz",     "kHz",    "A",      "mA",
      "V",    "mV",   "K",     "degC",   "%"};
  return all;
}

std::string quantity_of(const Dimension& dimension) {
  for (const Quantity& q : quantities())
    if (q.dimension == dimension) return std::string(q.name);
  return "another quantity";
}

std::string si_unit(const Dimension& dimension) {
  for (const Quantity& q : quantities())
    if (q.dimension == dimension) return std::string(q.unit);
  return "";
}

std::string usual_units_of(const Dimension& dimension) {
  std::string all;
  for (const std::string& text : usual_units())
    if (parse_unit(text)->dimension == dimension) all += (all.empty() ? "" : ", ") + text;
  return all;
}

}  // namespace bristle::io
