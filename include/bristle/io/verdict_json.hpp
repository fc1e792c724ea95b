// SPDX-License-Identifier: MIT
// A verdict for programs, the same in every file that holds some.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bristle/io/measure.hpp"

namespace bristle::io {

nlohmann::ordered_json as_json(const Verdict& verdict);

}  // namespace bristle::io
