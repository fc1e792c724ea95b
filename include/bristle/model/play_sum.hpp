// SPDX-License-Identifier: MIT
// A Prandtl-Ishlinskii operator at work: input after input, with its memory.
//
// Two ways to the same numbers. The loop updates every play and is the faster one for few. The
// stack remembers the turning points of the input that still matter: each stands for a run of
// neighbouring plays that it dragged along, whose sum is a difference of prefix sums. An update
// then costs the same for a hundred plays and for a million, on average, since a turning point that
// is passed is forgotten.
//
// Any initial states are allowed. States that no history can produce (two neighbours further apart
// than their thresholds) are followed by the loop until they have been swept away.
//
//   PlaySum sum(model);
//   double y = sum.update(u);
//
// A PlaySum can be copied, reset, and saved as a list of numbers. update() allocates nothing unless
// the input turns back more than 4096 times, each time less far.
#pragma once

#include <cstdint>

#include "bristle/model/prandtl_ishlinskii.hpp"

namespace bristle {

class PlaySum {
 public:
  enum class Way { automatic, loop, stack };

  // Starts with all plays at the given states (0 if none are given), moved as little as the input
  // needs.
  explicit PlaySum(PrandtlIshlinskii model, double input = 0.0, std::vector<double> states = {},
                   Way way = Way::automatic);

  double update(double input);
  double output() const { return output_; }
  double input() const { return input_; }

  // The states of all plays; makes them from the turning points if need be.
  std::vector<double> states() const;
  void reset(double input = 0.0, std::vector<double> states = {});

  const PrandtlIshlinskii& model() const { return model_; }
  bool by_stack() const { return stacked_; }

  // Everything there is to remember: input, then the states.
  std::vector<double> save() const;
  void load(const std::vector<double>& saved);

 private:
  // Plays up to before `end`, from where the turning point after this one ends, were left at
  // extreme - sign * threshold. `rest` is the output of all plays from `end` on.
  struct Turn {
    double extreme, sign;
    std::size_t end;
    double rest;
    double weight, moment;  // prefix sums at `end`
  };
  // All that is needed of a play in one place of memory: its threshold, and the sums of p and p w
  // of the plays before it. One more at the end, beyond reach.
  struct Knot {
    double threshold, weight, moment;
  };

  double loop(double v);
  double stack(double v);
  void enter_stack();
  bool possible() const;  // whether some history leads to the states
  // The output of the plays from n on.
  double beyond(std::size_t n) const;
  // The first play whose threshold is not below the reach.
  std::size_t first_beyond(double reach) const;

  PrandtlIshlinskii model_;
  Way way_;
  bool stacked_ = false;
  double input_ = 0.0, value_ = 0.0, output_ = 0.0;
  std::vector<double> state_;  // of all plays, up to date while looping
  std::vector<Knot> knots_;
  std::vector<std::uint32_t> index_;  // first play of each of as many equal slices of threshold
  double slices_ = 0.0;               // slices per unit of threshold
  std::vector<double> frozen_;        // prefix sums of p_i x_i of the states the stack began with
  std::vector<Turn> turns_;
  double sign_ = 0.0;      // the way the input last went
  std::size_t moved_ = 0;  // how many plays follow it
};

}  // namespace bristle
