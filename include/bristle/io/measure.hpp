// SPDX-License-Identifier: MIT
// The quantities of an experiment.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bristle/analysis/steady.hpp"
#include "bristle/io/experiment.hpp"
#include "bristle/solve/machine_run.hpp"

namespace bristle::io {

// A closed curve and its image, point by point round it.
struct CurveResult {
  std::vector<double> x, y, image;
  std::vector<double> rising, falling;  // the image unfolded, where theorem 5.3.3 applies
  FoldedCurve folded;
};

// One draw of a random part, and over all draws: mean, deviation, autocorrelation over the lag.
struct SurfaceResult {
  std::vector<double> place, roughness, correlation, expected;
  double mean = 0.0, deviation = 0.0;
  double kurtosis = 0.0;  // 3 for a Gaussian
};

// A frequency response from velocity to force.
struct BodeCurve {
  std::vector<double> frequency, gain, phase;  // [rad/s], [N s/m], [deg]
};

// What one case gave: a simulation, a steady curve, a frequency response, the response of a system,
// the run of a machine, or an image.
struct CaseResult {
  Simulation run;
  SteadyCurve curve;
  BodeCurve bode;
  SystemResponse response;
  CurveResult folded;
  SurfaceResult surface;
  MachineResult machine;
  std::optional<IdentifiedPlays> identified;  // of the loop of a system
  std::string not_finite;  // of a curve: what became NaN or infinite and where, else empty

  bool ok(const Case& c) const {
    return c.kind == CaseKind::run       ? run.summary.ok()
           : c.kind == CaseKind::system  ? response.ok()
           : c.kind == CaseKind::machine ? machine.summary.ok()
                                         : not_finite.empty();
  }
  // How it went, in one sentence; empty where there is nothing to say.
  std::string message(const Case& c) const {
    return c.kind == CaseKind::run       ? run.summary.message
           : c.kind == CaseKind::system  ? response.message
           : c.kind == CaseKind::machine ? machine.summary.message
                                         : not_finite;
  }
};

// A quantity in words; its unit is "word" where the value is one.
struct QuantityWords {
  std::string_view name, unit, meaning;
};
// Of the quantity of that name; null if there is none.
const QuantityWords* quantity_words(std::string_view name);
const std::vector<std::string>& quantity_names();
const std::vector<std::string>& column_names();
// The quantities that are shown of every run, as far as they are defined for it: the period, the
// kind of stick-slip, extremes and the like.
std::vector<std::string> main_quantities();
// Whether a quantity is one of the map, which takes many runs of the case.
bool is_map_quantity(const std::string& name);

// A column of a case by name; `stretch` is the drive minus the position. Empty if it has none.
std::vector<double> column(const Case& c, const CaseResult& result, const std::string& name);
// The same where the result holds it as it is; null for a column that has to be computed.
const std::vector<double>* held_column(const Case& c, const CaseResult& result,
                                       const std::string& name);
// The columns a case has, in the order of its file.
std::vector<std::string> columns_of(const Case& c, const CaseResult& result);
// What a column is called on an axis, where no case says otherwise: "position x [m]".
std::string column_words(const std::string& name);
std::string axis_label(const Case& c, const CaseResult& result, const std::string& column);

// A measured quantity: a number, a word, or nothing where it has no meaning for the case.
using Measured = std::variant<std::monostate, double, std::string>;
// What a quantity is taken of: a time, a velocity or a number; of a machine also a column or a
// contact, a kind of event and a part of the run [s].
struct Argument {
  double number = 0.0;
  std::string column{}, contact{}, event{};
  double from = -largest, to = largest;

  Argument() = default;
  Argument(double one) : number(one) {}  // NOLINT: a number is an argument
  explicit Argument(const Expectation& e)
      : number(e.argument),
        column(e.column),
        contact(e.contact),
        event(e.event),
        from(e.from.value_or(-largest)),
        to(e.to.value_or(largest)) {}
};
Measured measure(const Case& c, const CaseResult& result, const std::string& quantity,
                 const Argument& argument = {});
using bristle::words;
std::string words(const Measured& measured);

// The response from velocity to force of a case with a [bode].
std::complex<double> bode_response(const Case& c, double frequency);

// The system of a case, and its input; none for a dragged mass, a steady curve or a closed curve.
std::shared_ptr<const AnySystem> system_of(const Case& c, Signal& input);
// The sign that makes the integral of output over input the energy lost, as `loop_area` is: -1
// where the input is the force and the output the displacement (`wall_spring_mass`), else 1.
double area_sign(const Case& c);

}  // namespace bristle::io
