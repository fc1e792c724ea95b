// SPDX-License-Identifier: MIT
#include "bristle/io/kept.hpp"

#include <nlohmann/json.hpp>

#include "bristle/io/files.hpp"

namespace bristle::io {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view seal_opening = "{\"seal\":\"", seal_closing = "\",";
constexpr std::size_t digits = 16;
constexpr int deepest = 64;

}  // namespace

std::string sealed(const ordered_json& content) {
  // Without its first brace, which stands before the seal.
  const std::string rest = content.dump().substr(1);
  return std::string(seal_opening) + fingerprint(rest) + std::string(seal_closing) + rest;
}

std::optional<ordered_json> unsealed(std::string_view text) {
  const std::size_t head = seal_opening.size() + digits + seal_closing.size();
  if (text.size() < head || !text.starts_with(seal_opening)) return std::nullopt;
  if (text.substr(seal_opening.size() + digits, seal_closing.size()) != seal_closing)
    return std::nullopt;
  if (text.substr(seal_opening.size(), digits) != fingerprint(text.substr(head)))
    return std::nullopt;
  auto content = parse_kept(text);
  if (content) content->erase("seal");
  return content;
}

std::optional<ordered_json> parse_kept(std::string_view text) {
  // What is nested deeper is not made, so that no depth of a text can exhaust the stack.
  bool deep = false;
  const auto shallow = [&](int depth, ordered_json::parse_event_t, ordered_json&) {
    deep = deep || depth > deepest;
    return !deep;
  };
  ordered_json content = ordered_json::parse(text, shallow, false);
  if (deep || content.is_discarded()) return std::nullopt;
  return content;
}

}  // namespace bristle::io
