// SPDX-License-Identifier: MIT
// What makes a figure readable, once its lines are known.
#pragma once

#include "bristle/io/files.hpp"
#include "bristle/io/plot.hpp"

namespace bristle::io {

// Curves with more swings than a picture has pixels become envelopes; their data go to `out`.
void make_envelopes(Plot& plot, ResultDirectory& out);
// Curves that coincide over most of their length are drawn thick to thin.
void tell_apart(Plot& plot);
// Axes in millimetres, milliseconds and so on where the numbers are short in them.
void choose_units(Plot& plot);

}  // namespace bristle::io
