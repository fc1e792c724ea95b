// SPDX-License-Identifier: MIT
// How quantities are defined; measure.hpp is how they are asked for.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "bristle/io/measure.hpp"

namespace bristle::io {

using CaseQuantity = std::function<Measured(const Case&, const CaseResult&, double)>;

// The index of what is counted from one; none for a number that counts nothing, such as 0 or 1.5.
inline std::optional<std::size_t> index_of(double number) {
  if (!(number >= 1.0 && number <= 1e15) || number != std::floor(number)) return std::nullopt;
  return std::size_t(number) - 1;
}
// The value of a list with that number, counted from one.
template <class List, class Pick>
Measured counted(const List& list, double number, const Pick& pick) {
  const auto i = index_of(number);
  return i && *i < list.size() ? Measured(pick(list[*i])) : Measured{};
}

// The weight of the newest value in the column moving_average: beta of thesis (3.79).
inline constexpr double moving_average_weight = 0.05;

// The last whole period of the drive that fits in the run.
bool last_period(const Case& c, const Trajectory& t, double& from, double& to);

// Those of rows of bristles: events, releases, heights, mean curves.
void add_row_quantities(std::map<std::string, CaseQuantity>& q);

// Those of sliding: ranges of the force, peaks of slips, lag, means at a velocity.
void add_sliding_quantities(std::map<std::string, CaseQuantity>& q);

// Those of systems and of closed curves.
const std::map<std::string, CaseQuantity>& system_quantities();
// Those of maps, of systems and of friction in its mechanism; they run the case many times, so
// they are taken only where they are asked for.
const std::map<std::string, CaseQuantity>& map_quantities();

// Passivity, bounds of the state and input-to-state stability, of laws and of rolling contacts.
void add_stability_quantities(std::map<std::string, CaseQuantity>& q);

// Those of a body that oscillates: harmonics, work per beat, break-away, and those of the law as
// its source prints it.
void add_oscillator_quantities(std::map<std::string, CaseQuantity>& q);
void add_literal_quantities(std::map<std::string, CaseQuantity>& q);
// What a case over a moving base has beside the columns of any run; empty for a name it has not.
std::vector<std::string> oscillator_columns(const Case& c);
std::vector<double> oscillator_column(const Case& c, const Trajectory& t, const std::string& name);
// A body over a moving base, as one of one degree of freedom; null for any other case.
std::optional<BaseExcitedMass> body_on_base(const Case& c);
// The machine of such a case, from its start.
MachineParts machine_of(const Case& c);
// The normal force on the body of a case.
double load_of(const Case& c);

// The break-aways of a record, each with the time since the reversal or stop before it.
struct BreakAway {
  Event event;
  double dwell = 0.0;
};
std::vector<BreakAway> break_aways(const Trajectory& t);
// Those of measurements on an oscillator: indirect force, decrements, dwell, random part.
void add_rig_quantities(std::map<std::string, CaseQuantity>& q);
SurfaceResult draw_surface(const Case& c);

// What the motion of an oscillator is: peaks of its spectrum, kind, section.
void add_motion_quantities(std::map<std::string, CaseQuantity>& q);
// Those that take many runs: exponents, sensitivity.
void add_long_motion_quantities(std::map<std::string, CaseQuantity>& q);
// The frequencies that drive a case [Hz].
std::vector<double> named_frequencies(const Case& c);
// Whether a case has a motion of that sort.
bool oscillates(const Case& c);

// A quantity of a machine: what it has to be asked with, and how it is measured.
struct MachineQuantity {
  enum Of { the_run, a_column, a_contact, events } of;  // of events a contact may be named
  enum At { nowhere, a_time, a_number } at;
  bool windowed;  // may be taken of a part of the run
  // Where it is not that of the column or of the force of the contact; "/s": that per second.
  std::string unit;
  std::function<Measured(const Case&, const MachineResult&, const Argument&)> take;
};
const std::map<std::string, MachineQuantity>& machine_quantities();

// A column of a system's response by name; empty if it has none.
std::vector<double> system_column(const Case& c, const CaseResult& result, const std::string& name);
// A column over the last whole period of the input, without its last sample; empty if there is
// none.
std::vector<double> last_part(const Case& c, const SystemResponse& response,
                              const std::vector<double>& column);
LoopBranches last_branches(const Case& c, const SystemResponse& response,
                           const std::vector<double>& column);
// The image of the output, and the output unfolded from it: by the map of both ways, or by a
// quadratic map of its own for each way. Not a number where the loop does not unfold.
std::vector<double> image_of(const Case& c, const SystemResponse& response,
                             const std::vector<double>& output);
std::vector<double> unfolded_of(const Case& c, const SystemResponse& response, bool each);
// The model of [identify], from the loop of the output or of the output unfolded.
IdentifiedPlays identify_case(const Case& c, const SystemResponse& response);

// Holds, fails, or the hypothesis that does not hold.
Measured theorem_words(const Theorem& theorem);

// Those of the shape of a curve, a loop or a law: theorems, slopes, continuity, identification.
void add_shape_quantities(std::map<std::string, CaseQuantity>& q);

}  // namespace bristle::io
