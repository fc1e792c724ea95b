// SPDX-License-Identifier: MIT
// The options of a simulation. The comment beside a default gives its reason.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "bristle/model/field.hpp"
#include "bristle/model/motion.hpp"
#include "bristle/solve/cancel.hpp"

namespace bristle {

struct Initial {
  using Number = double;
  static constexpr std::string_view name = "initial";
  static constexpr std::string_view summary = "state at the start";

  double position = 0.0;
  double velocity = 0.0;
  double state = 0.0;
  double height = 0.0;
  double height_rate = 0.0;

  static constexpr auto fields() {
    using F = Field<Initial>;
    return std::array{
        F{"position", "m", "position at the start", any_number, &Initial::position},
        F{"velocity", "m/s", "velocity at the start", any_number, &Initial::velocity},
        F{"state", "m", "state of the law at the start", any_number, &Initial::state},
        F{"height", "m", "height of a body carried by bristles", any_number, &Initial::height},
        F{"height_rate", "m/s", "rate at which that height changes", any_number,
          &Initial::height_rate}};
  }
};

struct Options {
  using Number = double;
  static constexpr std::string_view name = "solve";
  static constexpr std::string_view summary = "how to simulate";

  enum Method : int { rosenbrock, cvode, coupled, bristle_only, switch_model };
  static constexpr std::array<std::string_view, 5> methods{"rosenbrock", "cvode", "coupled",
                                                           "bristle_only", "switch"};
  enum Verify : int { no, yes };
  static constexpr std::array<std::string_view, 2> no_or_yes{"no", "yes"};

  double end = 10.0;
  double tolerance = 1e-8;  // small enough that pictures and loop areas do not depend on it
  int method = rosenbrock;
  double step = 1e-3;       // a controller's millisecond
  double samples = 2001.0;  // enough for a figure a page wide
  double record_from = 0.0;
  double step_limit = 2e7;    // some ten seconds of computing
  double switch_band = 1e-6;  // as in the documents
  double switch_time = 0.1;   // shorter makes the band stiff, longer leaves it slowly
  double section = 0.0;       // 0: half the drag velocity; none if nothing is dragged
  int verify = no;            // a second run costs more than the first

  static constexpr auto fields() {
    using F = Field<Options>;
    return std::array{F{"end", "s", "time at which the run ends", positive, &Options::end},
                      F{"tolerance", "", "local error allowed, relative to the size of each state",
                        Bounds{1e-14, 1e-1}, &Options::tolerance},
                      F{"method",
                        "rosenbrock: adaptive with events; cvode: second adaptive method; coupled: "
                        "fixed step that "
                        "holds stick; bristle_only: fixed step, exact bristle, explicit body; "
                        "switch: the discontinuity at rest smoothed, for set-valued laws",
                        methods, &Options::method},
                      F{"step", "s", "step of the fixed-step methods", positive, &Options::step},
                      F{"samples", "", "number of samples kept, at equal distances in time",
                        Bounds{2.0, 1e8, false, true}, &Options::samples},
                      F{"record_from", "s", "time from which samples are kept", non_negative,
                        &Options::record_from},
                      F{"step_limit", "", "number of steps after which the run gives up",
                        Bounds{1.0, 1e12, false, true}, &Options::step_limit},
                      F{"switch_band", "m/s", "speed below which method switch smooths (eta)",
                        positive, &Options::switch_band},
                      F{"switch_time", "s", "time constant of the decay to rest there (tau)",
                        positive, &Options::switch_time},
                      F{"section", "m/s",
                        "velocity whose upward crossings mark cycles, 0: half the drag velocity",
                        any_number, &Options::section},
                      F{"verify",
                        "yes: a second run at a tenth of the tolerance, or half the fixed step, "
                        "tells how far the first one is off",
                        no_or_yes, &Options::verify}};
  }

  void check() const {
    if (!(record_from < end))
      throw InvalidInput("record_from", "solve: record_from = " + words(record_from) +
                                            " s must be less than end = " + words(end) + " s");
    if ((method == coupled || method == bristle_only) && end / step > step_limit)
      throw InvalidInput("step", "solve: step = " + words(step) + " s needs " + words(end / step) +
                                     " steps to reach end = " + words(end) +
                                     " s, more than step_limit = " + words(step_limit));
  }

  Initial initial{};
  // Values whose passages through zero are events too: each is evaluated with the motion and the
  // friction.
  struct Watch {
    std::string name;
    std::function<double(const Motion<double>&, double force)> value;
  };
  std::vector<Watch> watches{};
  // Whether an adaptive run whose ledger does not close is repeated at smaller tolerances.
  bool repeat = true;
  // Called now and then with the fraction done; returning false cancels the run.
  std::function<bool(double)> progress{};
  // Whether the run is to end here: it is not wanted any more, or all work is to stop (cancel.hpp).
  bool cancelled(double part) const { return stop_asked() || (progress && !progress(part)); }
};

}  // namespace bristle
