// SPDX-License-Identifier: MIT
// A fitted operator, as the commands `loop` and `butterfly` choose, show and write it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "bristle/analysis/fit_stops.hpp"
#include "bristle/io/files.hpp"
#include "bristle/system/operators.hpp"

namespace bristle::cli {

// Plays under a tanh for counterclockwise loops, whose output lags; stops beside a spring for
// clockwise ones, as dampers and structures have them.
struct LoopFit {
  bool clockwise = false;
  double area = 0.0;  // over the box around the loops
  PlayFit plays;
  StopFit stops;

  const PlayFit& chosen() const { return clockwise ? stops : plays; }
  bool explains() const { return chosen().quality.explains(); }
  // Nothing has an inverse that explains nothing.
  bool invertible() const {
    return explains() && (clockwise ? stops.invertible() : plays.model.invertible());
  }
};

// `area` is the integral of output over input around the loops, over the box around them.
LoopFit fit_loops(std::span<const MeasuredRun> runs, double area, int elements, bool asymmetric);

// The fit beside the best straight line; if it explains something also its model, its inverse where
// there is one, and how well that recovers the inputs of the runs.
nlohmann::ordered_json fit_json(const LoopFit& fit, std::span<const MeasuredRun> runs);
// The same in words.
std::vector<std::string> fit_sentences(const nlohmann::ordered_json& fit);
void print_fit(const nlohmann::ordered_json& fit);
// What the operator gives along the inputs of a run it was fitted to.
std::vector<double> fitted_output(const LoopFit& fit, std::span<const MeasuredRun> runs,
                                  std::size_t run);
// The fitted operator as a system.
PlaysModel plays_model(const PlayFit& fit);
// model.toml and inverse.toml, as far as there are such.
void write_models(const LoopFit& fit, std::span<const MeasuredRun> runs, io::ResultDirectory& out);

// The part that fits of all operators share: residual, straight line, verdict.
nlohmann::ordered_json quality_json(const FitQuality& quality);

}  // namespace bristle::cli
