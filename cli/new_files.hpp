// SPDX-License-Identifier: MIT
// Commented files to begin with; each runs as it is.
#pragma once

#include <span>
#include <string_view>

namespace bristle::cli {

struct NewFile {
  std::string_view kind, summary, text;
};

std::span<const NewFile> new_files();

}  // namespace bristle::cli
