// SPDX-License-Identifier: MIT
// A page of all laws: equations, parameters, and properties found by numerical experiments.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bristle::io {

// The content of the page for every law and system; takes some seconds.
nlohmann::ordered_json model_entries();

// `used` gives the experiments of a model, by its name.
std::string models_html(const nlohmann::ordered_json& entries,
                        const std::map<std::string, std::vector<std::string>>& used);

}  // namespace bristle::io
