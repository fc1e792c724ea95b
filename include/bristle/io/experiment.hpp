// SPDX-License-Identifier: MIT
// An experiment: what a TOML file describes.
//
//   title, document, figure_number, note                    what it is about
//   [model] [mechanism] [input] [initial] [solve] [steady]  a friction law, and what to run
//   [model] [mechanism] [bode]                              or its frequency response
//   [system] [input] [solve] [map] [map_down] [identify]    or a system with input and output
//   [roughness] [surface]                                   or the random part alone
//   [curve] [map] [unfold]                                  or a closed curve and its image
//   [[body]] [[drive]] [[coupling]] [[contact]] [[input]]   or a machine of many bodies
//   [[case]]                                                variants: label and changed fields
//   [[sweep]]                                               many variants: one field, a list of
//   values
//   part = "FILE", in [model] and other places            values of a fit (io/part.hpp)
//   [[vary]] [[draw]] [ensemble] [sensitivity]              the runs of `bristle sweep`
//   [[figure]]                                              what to draw
//   [expect]                                                what the source publishes
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bristle/analysis/butterfly.hpp"
#include "bristle/analysis/limit_cycle.hpp"
#include "bristle/analysis/linearise.hpp"
#include "bristle/ensemble/plan.hpp"
#include "bristle/identify/identify_plays.hpp"
#include "bristle/io/fact_kind.hpp"
#include "bristle/io/formula.hpp"
#include "bristle/io/part.hpp"
#include "bristle/machine/machine.hpp"
#include "bristle/mechanism/registry.hpp"
#include "bristle/model/registry.hpp"
#include "bristle/model/roughness.hpp"
#include "bristle/solve/simulate.hpp"
#include "bristle/system/registry.hpp"

namespace bristle::io {

// Steady friction over a range of velocities, in place of a simulation.
struct SteadySweep {
  using Number = double;
  static constexpr std::string_view name = "steady";
  static constexpr std::string_view summary = "steady friction force over a range of velocities";

  double from = -0.1;
  double to = 0.1;
  double points = 401.0;
  double load = 1.0;

  static constexpr auto fields() {
    using F = Field<SteadySweep>;
    return std::array{F{"from", "m/s", "first velocity", any_number, &SteadySweep::from},
                      F{"to", "m/s", "last velocity", any_number, &SteadySweep::to},
                      F{"points", "", "number of velocities", Bounds{2.0, 1e6, false, true},
                        &SteadySweep::points},
                      F{"load", "N", "normal force", positive, &SteadySweep::load}};
  }
  void check() const {
    if (!(from < to))
      throw InvalidInput("to", "steady: to = " + words(to) +
                                   " m/s must be greater than from = " + words(from) + " m/s");
  }
};

// The random part of a friction force over a stretch of what it is rough over, and its statistics
// over several draws, in place of a simulation.
struct SurfaceSweep {
  using Number = double;
  static constexpr std::string_view name = "surface";
  static constexpr std::string_view summary = "statistics of a random part over several draws";

  double length = 1.0;
  double points = 401.0;
  double draws = 100.0;

  static constexpr auto fields() {
    using S = SurfaceSweep;
    using F = Field<S>;
    return std::array{
        F{"length", "", "length of the stretch", positive, &S::length},
        F{"points", "", "number of places on it", Bounds{2.0, 1e5, false, true}, &S::points},
        F{"draws", "", "number of draws, with seeds one after the other",
          Bounds{1.0, 1e5, false, true}, &S::draws}};
  }
};

// One fact: its source, what it states, and how it is judged.
struct Expectation {
  std::string key;
  std::string quantity;
  std::string where;  // file:line
  FactKind kind = FactKind::check;
  bool kind_given = false;        // a file of a user may leave it out: then it is a check
  std::optional<double> value;    // the number it has to be
  std::optional<std::string> is;  // the word it has to be
  std::string relation;  // like, unlike, less_than, more_than (of another case), at_most, at_least
  std::string other;     // the other case
  double bound = 0.0;
  double tolerance = 1e-2;       // relative
  double within = 0.0;           // absolute
  bool tolerance_given = false;  // tolerance or within stands in the file
  std::string why;               // why the tolerance is as wide as it is
  double argument = 0.0;  // time or velocity at which the quantity is taken, number of the event
  bool has_argument = false;
  // Of a machine: the column or the contact that the quantity is taken of, the kind of its events,
  // and the part of the run [s].
  std::string column, contact, event;
  std::optional<double> from, to;
  std::string sweep;  // of all cases of this sweep: the bound must hold for each of them
  std::string source;
  std::string choice;   // what the source leaves open and we chose
  std::string differs;  // why it is not reproduced, where that is known
};

// Files an experiment reads, by the path that its file gives, as read.
using Attachments = std::map<std::string, std::string>;

// A part that a case reads: its file as named, the contact whose law it is (empty: the law of the
// case), and the domain of its data.
struct PartUse {
  std::string file, contact;
  std::vector<PartRange> domain;
};

enum class CaseKind { run, steady, bode, system, curve, surface, machine };

enum class RollingKind { patch, wheel };

struct Case {
  std::string label;
  CaseKind kind = CaseKind::run;
  std::shared_ptr<const AnyLaw> law;
  std::optional<AnyMechanism> mechanism;  // of a run
  std::optional<RollingKind> rolling;     // of a law over a rolling contact
  SteadySweep steady;
  SurfaceSweep surface;
  std::optional<Roughness> roughness;  // of a surface
  BodeSweep bode;
  std::shared_ptr<const AnySystem> system;
  Signal input;                      // of a system
  std::optional<MapShape> map;       // of the output of a system, or of a curve
  std::optional<MapShape> map_down;  // of a system while its input falls, where it is another
  std::optional<MapShape> unfold;    // the map that unfolds the image of a curve, if another
  std::optional<PlayIdentification> identification;  // of the loop of a system
  std::optional<CurveShape> curve;
  std::shared_ptr<const Machine> machine;
  Options options;
  std::vector<Expectation> expectations;
  std::map<std::string, Values> sections;  // as given, for the record
  double period = 0.0;                     // of the drive, 0 if it has none [s]
  double beat = 0.0;  // the period, or that of the first frequency of a drive without one [s]
  Attachments attachments;
  std::vector<PartUse> parts;
  std::string sweep;         // the sweep it belongs to, empty for none
  std::string swept;         // the field that is swept, "section.field" or "list.name.field"
  double swept_value = 0.0;  // and its value here

  // The mechanism if it is of this kind, else null.
  template <class M>
  const M* as() const {
    return mechanism ? std::get_if<M>(&*mechanism) : nullptr;
  }
  // What the case is about, as its table of fields and its values.
  std::string subject() const;
  Description description() const;
  Values values() const;
};

// A closed form that a figure draws beside its columns.
struct ClosedForm {
  std::string label;
  Formula formula;
  std::optional<double> from, to;  // without: the range of the other lines
};

struct FigureSpec {
  std::string name;
  std::string title;
  std::string x = "time";
  std::string y = "position";
  std::vector<std::string> with;  // further columns drawn beside y, on the same axis
  double from = 0.0;              // time from which samples are drawn [s]
  double to = 0.0;                // 0: the end
  bool equilibria = false;        // draw the equilibria map behind; x must be input
  bool equal = false;             // both axes in the same scale
  bool overlay = false;           // the curves lie over each other: draw them thick to thin
  std::string spectrum;           // a column whose power spectrum is drawn, in place of x and y
  bool section = false;           // one point per drive period
  std::string fit;     // sech or gaussian: also the mean over velocity and the fall that fits it
  bool mean = false;   // also the mean over velocity, per direction
  bool peaks = false;  // in place of x and y: the largest speed of each slip over time
  std::vector<ClosedForm> curves;
  std::vector<std::string> cases;  // empty: all
  std::string x_range, y_range;    // "low:high", empty: automatic
  // In place of columns: a quantity of the cases of sweeps over the value that is swept.
  std::vector<std::string> sweeps;
  std::string quantity;
  std::string over;                 // another quantity in place of that value
  std::string column, contact;      // of a machine: what the quantity is taken of
  std::optional<double> published;  // a level drawn beside it
  bool log_x = false, log_y = false;
  std::string where{};  // file:line
  // Each column that the file names, with the place where it does.
  std::vector<std::pair<std::string, std::string>> places{};
};

// A quantity that a sweep keeps of each of its runs; only what it is taken of matters in `asked`.
struct KeptQuantity {
  std::string name;  // of its column
  Expectation asked;
};

// A draw from the posterior of a part: of that of [model], of a contact or of the whole machine.
struct PosteriorDraw {
  std::string section;  // "model", "contact.NAME" or "machine"
  std::string where;    // file:line
  // Of units that differ: standard deviations of the logarithms of parameters, by name.
  std::map<std::string, double> spread;
};

// The boundary along which a map over two axes is refined: where a kept quantity passes a level, or
// where its word changes.
struct BoundarySpec {
  std::string quantity;  // the name of its column
  std::optional<double> level;
  int halvings = 3;   // of the distances between points
  std::string where;  // file:line
};

// What [[vary]], [[draw]], [ensemble] and [sensitivity] say.
struct EnsemblePlan {
  Plan plan;
  std::vector<PosteriorDraw> posteriors;  // become joint fields of the plan once parts are read
  std::vector<std::string> trajectory;    // columns that are kept of each run
  std::string trajectory_where;           // file:line
  std::optional<BoundarySpec> boundary;
  bool lanes = false;  // runs side by side in the lanes of the processor, where that can be done
  std::vector<std::string> places;  // of the fields of the plan, "file:line" or the option
  std::vector<KeptQuantity> quantities;
  std::string label;        // of the case that is run, empty: the only one
  std::string label_where;  // file:line
};

struct Experiment {
  std::string path;
  std::string key;  // file name without extension
  std::string title;
  std::string document;
  std::string figure;
  std::string note;
  std::vector<std::string> covers;  // figures and tables of the source, such as "T Fig. 3.9"
  std::string text;                 // the file as read
  std::vector<Case> cases;
  std::vector<FigureSpec> figures;
  std::vector<std::string> warnings;  // one sentence for each value outside of its usual range
  EnsemblePlan ensemble;
};

// Changes given on the command line: "section.field=value", of a machine "list.name.field=value":
// then the section is "list.name". Without a section and with the field "part": the part of a whole
// machine.
struct Setting {
  std::string section, field, value;
  std::string where{};  // what messages call it; empty: "--set section.field=value"
};
Setting parse_setting(const std::string& text);

// Reads and checks a file; throws InputError with file, line, field, value and range.
Experiment read_experiment(const std::string& path, const std::vector<Setting>& settings = {});
// The same of a text; `path` names it in messages, and is where files it names are looked for.
Experiment parse_experiment(const std::string& text, const std::string& path,
                            const std::vector<Setting>& settings = {});

}  // namespace bristle::io
