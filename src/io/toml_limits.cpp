// SPDX-License-Identifier: MIT
#include "toml_limits.hpp"

#include <algorithm>
#include <string_view>

#include "bristle/io/control_character.hpp"
#include "bristle/io/errors.hpp"

namespace bristle::io {
namespace {

constexpr std::size_t largest_file = std::size_t(64) << 20;
constexpr int deepest = 64;

// Walks over a text and knows what stands in quotes or in a comment, and nothing more of TOML.
class Scan {
 public:
  Scan(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  void check() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') skip_comment();
      else if (c == '"' || c == '\'') skip_quoted(c);
      else plain(c);
    }
  }

 private:
  void plain(char c) {
    ++at_;
    if (c == '\n') ++line_;
    // Dots of numbers count as well; no number has that many.
    if (c == '.') ++dots_;
    else if (c == '\n' || c == '=' || c == ',') dots_ = 0;
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (depth_ > deepest) refuse("nests brackets more than 64 deep");
    if (dots_ >= deepest) refuse("has a key of more than 64 parts");
  }
  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  // One quote, or three that go over lines. Only double quotes know a backslash.
  void skip_quoted(char quote) {
    const std::string three(3, quote);
    const bool many = text_.substr(at_, 3) == three;
    at_ += many ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!many) return;  // never closed: the parser will say so
        ++line_;
      }
      if (c == '\\' && quote == '"') {
        if (at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++line_;
        at_ += 2;
      } else if (many ? text_.substr(at_, 3) == three : c == quote) {
        at_ += many ? 3 : 1;
        return;
      } else {
        ++at_;
      }
    }
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(path_ + ":" + std::to_string(line_) + ": " + what + ", which is not allowed");
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  long line_ = 1;
  int depth_ = 0, dots_ = 0;
};

void look_at_text(std::string_view text, const toml::node& node, const std::string& path) {
  if (const std::string found = control_character(text); !found.empty())
    throw InputError(path + ":" + std::to_string(node.source().begin.line) +
                     ": holds the control character " + found + ", which is not allowed in a text");
}

// No deeper than the brackets of the text and the parts of a key, see above.
void look_at_node(const toml::node& node, const std::string& path) {
  if (const auto* text = node.as_string()) return look_at_text(text->get(), node, path);
  if (const auto* list = node.as_array())
    for (const auto& one : *list) look_at_node(one, path);
  if (const auto* table = node.as_table())
    for (const auto& [key, one] : *table) {
      look_at_text(key.str(), one, path);
      look_at_node(one, path);
    }
}

}  // namespace

void refuse_control_characters(const toml::table& root, const std::string& path) {
  look_at_node(root, path);
}

void check_toml_size(const std::string& text, const std::string& path) {
  if (text.size() > largest_file)
    throw InputError(path + ": has " + std::to_string(text.size() >> 20) +
                     " MiB, an experiment file may have at most 64 MiB");
  Scan(text, path).check();
}

namespace {

std::string line_of(const std::string& text, std::size_t number) {
  std::size_t from = 0;
  for (std::size_t i = 1; i < number && from < text.size(); ++i) {
    const auto end = text.find('\n', from);
    if (end == std::string::npos) return "";
    from = end + 1;
  }
  return text.substr(from, text.find('\n', from) - from);
}

// "1,5" of "mass = 1,5 # kg"; empty if the value is no number with a comma.
std::string decimal_comma(const std::string& line) {
  std::size_t at = line.find('=');
  if (at == std::string::npos) return "";
  at = line.find_first_not_of(" \t+-", at + 1);
  if (at == std::string::npos) return "";
  const std::size_t end = line.find_first_not_of("0123456789,.eE+-", at);
  const std::string number = line.substr(at, end == std::string::npos ? end : end - at);
  const auto comma = number.find(',');
  const bool inside = comma != std::string::npos && comma > 0 && comma + 1 < number.size();
  return inside && number.find(',', comma + 1) == std::string::npos ? number : "";
}

// What is no text in UTF-8 is named for what it is.
void check_encoding(const std::string& text, const std::string& path) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw InputError(path + ":1: is not valid TOML: the text is in UTF-16, save it as UTF-8");
  if (const auto at = text.find('\0'); at != std::string::npos)
    throw InputError(
        path + ":" + std::to_string(std::count(text.begin(), text.begin() + long(at), '\n') + 1) +
        ": is not valid TOML: holds a byte of value 0 (NUL), which is not allowed in text");
}

[[noreturn]] void refuse(const toml::parse_error& error, const std::string& text,
                         const std::string& path) {
  const auto number = error.source().begin.line;
  std::string what(error.description());
  if (const std::string comma = decimal_comma(line_of(text, number)); !comma.empty())
    what = "'" + comma + "' has a decimal comma, write a point";
  else if (what.find("utf-8") != std::string::npos)
    what = "the text is not in UTF-8, save it as UTF-8";
  throw InputError(path + ":" + std::to_string(number) + ": is not valid TOML: " + what);
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& path) {
  try {
    check_toml_size(text, path);
    check_encoding(text, path);
    toml::table root = toml::parse(text, path);
    refuse_control_characters(root, path);
    return root;
  } catch (const toml::parse_error& error) {
    refuse(error, text, path);
  }
}

}  // namespace bristle::io
