// SPDX-License-Identifier: MIT
// Results that are kept as JSON from one run of the program to the next.
//
// The first entry of the file is a seal, the fingerprint of all that follows it. A file that was
// damaged, cut short or edited does not fit its seal and counts as absent: what it held is computed
// again. A seal does not protect against deliberate changes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace bristle::io {

// The text of a file that holds this object.
std::string sealed(const nlohmann::ordered_json& content);
// The object in such a text; empty if the seal is absent or does not fit.
std::optional<nlohmann::ordered_json> unsealed(std::string_view text);
// JSON that is nested at most 64 deep; empty if the text is none.
std::optional<nlohmann::ordered_json> parse_kept(std::string_view text);

}  // namespace bristle::io
