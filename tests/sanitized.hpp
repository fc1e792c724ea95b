// SPDX-License-Identifier: MIT
// Whether the program runs under the address sanitizer of gcc or clang.
#pragma once

namespace bristle::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace bristle::test
