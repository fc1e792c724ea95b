// SPDX-License-Identifier: MIT
// Input-output maps of systems and their properties: hysteretic or not, dependent on the rate or
// not, with local or nonlocal memory. The definitions are those of thesis 1.1.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bristle/system/system.hpp"

namespace bristle {

struct MapOptions {
  double tolerance = 1e-10;  // of the integration
  double closing = 1e-7;     // a map is closed once a period repeats to this part of its height
  int samples = 501;         // of one period
  int most_periods = 64;     // after which it counts as not closing
  // Called now and then; returning false ends the search with a map that is not closed.
  std::function<bool(double)> progress{};
};

// One period of input and output, driven until it repeats.
struct PeriodicMap {
  std::vector<double> input, output;
  double area = 0.0;           // integral of y du, from the integrator
  double height = 0.0;         // largest minus smallest output
  double closing_error = 0.0;  // largest change from the period before, over the height
  int periods = 0;             // driven
  bool closed = false;
};
// Throws InvalidInput for an input without a period; a run that fails gives a map that is not
// closed, with what there is.
PeriodicMap periodic_map(const AnySystem& system, const Signal& input,
                         const MapOptions& options = {});

// The largest difference of two maps of the same samples, over the larger height.
double map_distance(const PeriodicMap& a, const PeriodicMap& b);

enum class Answer { no, yes, unknown };
std::string_view words(Answer answer);

struct MapProperties {
  Answer hysteretic = Answer::unknown;      // the loop stays open as the input slows down
  Answer rate_dependent = Answer::unknown;  // the map changes with the frequency
  Answer local_memory = Answer::unknown;    // minor loops do not depend on what was before
  Answer return_point = Answer::unknown;    // a closed excursion leaves no trace
  Answer congruent = Answer::unknown;       // minor loops between the same inputs are alike

  double open_area = 0.0;  // between the ways of the slowest map, over the box around it
  double open_area_error = 0.0;
  double rate_change = 0.0;       // distance of the maps at the frequency and a tenth of it
  double history_distance = 0.0;  // largest of minor loops after two histories
  double return_distance = 0.0;   // output before and after an excursion, over the height
  double shape_distance = 0.0;    // of minor loops on the way up and down, shifted
};
std::string_view memory_words(const MapProperties& properties);  // local, nonlocal, unknown

// Determines all of it for the amplitude, frequency and offset of an input: at that frequency, a
// tenth of it and, to see whether the loop stays open, at slower ones.
MapProperties properties(const AnySystem& system, const Signal& input,
                         const MapOptions& options = {});

// A turn on the closed loop of a slow triangle wave: at `turn` on the way up the input goes back by
// `back` and returns.
struct MinorLoop {
  double area = 0.0;    // of y du; positive if clockwise
  double beyond = 0.0;  // how far it leaves the loop it started on, over that loop's height
  bool inside = true;
  std::vector<double> input, output;
};
MinorLoop minor_loop(const AnySystem& system, double amplitude, double turn, double back,
                     double seconds = 1.0);

}  // namespace bristle
