// SPDX-License-Identifier: MIT
// Stopping long work from outside. A program says once what asks for it, such as a signal; loops
// over data of any size look at it at least every tenth of a second.
#pragma once

namespace bristle::io {

// `asked` must be callable from any thread; a null pointer means that nothing asks.
void stop_when(bool (*asked)());
bool stop_asked();
// Throws Interrupted if a stop was asked for.
void stop_if_asked();

}  // namespace bristle::io
