// SPDX-License-Identifier: MIT
// A fitted operator, as the commands `loop` and `butterfly` show and write it.
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "bristle/analysis/fit_plays.hpp"
#include "bristle/io/files.hpp"

namespace bristle::cli {

// The fit, its inverse if there is one, and how well the inverse recovers the inputs of the runs.
nlohmann::ordered_json fit_json(const PlayFit& fit, std::span<const MeasuredRun> runs);
// The same in words.
void print_fit(const nlohmann::ordered_json& fit, int plays);
// model.toml, and inverse.toml if there is one.
void write_models(const PlayFit& fit, double amplitude, io::ResultDirectory& out);

}  // namespace bristle::cli
