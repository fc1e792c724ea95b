// SPDX-License-Identifier: MIT
// Cancellation of long work. A program registers once a function that requests it, such as one that
// reads a flag set by a signal; runs then end with Status::cancelled at the next progress check,
// and long loops over data or runs throw Cancelled. Checks follow each other within some hundredths
// of a second. Without such a function nothing is cancelled.
#pragma once

#include <stdexcept>
#include <string>

namespace bristle {

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("interrupted, nothing was written") {}
  explicit Cancelled(const std::string& what) : std::runtime_error(what) {}
};

// `asked` must be callable from any thread; with a null pointer nothing is cancelled.
void stop_when(bool (*asked)());
bool stop_asked();
// Throws Cancelled if a stop was requested.
void stop_if_asked();

}  // namespace bristle
