// SPDX-License-Identifier: MIT
// A verdict for programs, the same in every file that holds some.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "bristle/io/verdict.hpp"

namespace bristle::io {

nlohmann::ordered_json as_json(const Verdict& verdict);
// A verdict from what as_json made of it; throws if it lacks anything.
Verdict verdict_from(const nlohmann::ordered_json& fact);

}  // namespace bristle::io
