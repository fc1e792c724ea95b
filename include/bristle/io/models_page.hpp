// SPDX-License-Identifier: MIT
// A page of all laws: equations, parameters, and what each of them shows, found out by trying.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bristle::io {

// What the page shows of every law and system; takes some seconds.
nlohmann::ordered_json model_entries();

// `used` gives the experiments of a model, by its name.
std::string models_html(const nlohmann::ordered_json& entries,
                        const std::map<std::string, std::vector<std::string>>& used);

}  // namespace bristle::io
