// SPDX-License-Identifier: MIT
// Sentences on the error stream beside the results.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace bristle::cli {

// A warning that cannot be written, because the stream is closed or its disk is full, ends no work.
template <typename... Values>
void note(fmt::format_string<Values...> form, Values&&... values) {
  std::fputs(fmt::format(form, std::forward<Values>(values)...).c_str(), stderr);
}

}  // namespace bristle::cli
