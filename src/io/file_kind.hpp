// SPDX-License-Identifier: MIT
// What a file is, by its first bytes.
#pragma once

#include <string>
#include <string_view>

namespace bristle::io {

enum class FileKind { text, gzip, matlab, hdf5, foreign };

// The bytes at the start of a file that are enough to tell.
inline constexpr std::size_t enough_to_tell = 2056;

// `head` is the start of the file, or all of it.
FileKind kind_of(std::string_view head);
// "a spreadsheet (.xlsx, .ods) or another ZIP archive", with what to do; empty if it is not known.
std::string foreign_words(std::string_view head);

}  // namespace bristle::io
