// SPDX-License-Identifier: MIT
#include "bristle/io/cancel.hpp"

#include <atomic>

#include "bristle/io/errors.hpp"

namespace bristle::io {
namespace {

std::atomic<bool (*)()> asked_by{nullptr};

}  // namespace

void stop_when(bool (*asked)()) { asked_by.store(asked); }

bool stop_asked() {
  const auto asked = asked_by.load();
  return asked != nullptr && asked();
}

void stop_if_asked() {
  if (stop_asked()) throw Interrupted();
}

}  // namespace bristle::io
