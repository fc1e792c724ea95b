// SPDX-License-Identifier: MIT
// The posterior of a part as the draws of a sweep.
#pragma once

#include "bristle/ensemble/plan.hpp"
#include "toml_reader.hpp"

namespace bristle::io {

// The fields that a [[draw]] with `posterior` draws together, and how: the fitted parameters of the
// part that the section names, with the correlations of the fit, and the spread of units on top.
// What the file says itself of a parameter stays and is not drawn. Parameters that depend on a
// column are drawn where [conditions] or one of `fields`, those of the plan before, say it is.
// Throws InputError with file and line, and FileError.
JointFields posterior_fields(const PosteriorDraw& draw, const Document& document,
                             const CaseChanges& variant, const std::vector<Setting>& settings,
                             const std::vector<std::string>& fields);

}  // namespace bristle::io
