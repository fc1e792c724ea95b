// SPDX-License-Identifier: MIT
// Stopping long work from outside. A program says once what asks for it, such as a signal; runs end
// with Status::cancelled at their next look, and long loops over data or over runs throw Cancelled.
// Looks follow each other within some hundredths of a second. A program that says nothing is never
// asked to stop.
#pragma once

#include <stdexcept>
#include <string>

namespace bristle {

struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("interrupted, nothing was written") {}
  explicit Cancelled(const std::string& what) : std::runtime_error(what) {}
};

// `asked` must be callable from any thread; a null pointer means that nothing asks.
void stop_when(bool (*asked)());
bool stop_asked();
// Throws Cancelled if a stop was asked for.
void stop_if_asked();

}  // namespace bristle
